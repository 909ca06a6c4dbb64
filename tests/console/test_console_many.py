"""Fifty phones at once: each hears of a change and reads the page anew. A kiosk has nothing of that."""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from appliance.console import views
from appliance.console.pages import Pages
from appliance.console.views import forms
from tests.console.phones import Hand, PlayedEngine, file, serving
from tests.console.viewing import Desk
from tests.game.conftest import Evening

PHONES = 50


def test_fifty_phones_hear_of_a_change_and_read_the_page_anew_at_once():
    desk = Desk(Evening().seated(range(1, 10), range(10, 19)))
    engine = PlayedEngine()
    pages = Pages(views.render, forms.form, file)
    with serving(engine, pages=pages, way=desk, now_ms=lambda: desk.evening.at) as served:
        served.look(desk.sight)
        hands = []
        for _ in range(PHONES):
            session, key = engine.offer()
            engine.confirm(session, until_ms=desk.evening.at + 1000)
            hands.append(Hand(served.port, session, key))
        with ThreadPoolExecutor(PHONES) as all_at_once:
            heard = [all_at_once.submit(follow, hand) for hand in hands]
            deadline = time.monotonic() + 20
            while served.console.listeners < PHONES and time.monotonic() < deadline:
                time.sleep(0.01)
            desk.elsewhere("pause")
            served.look(desk.sight)
            pages_read = [each.result(20) for each in heard]
        assert "Resume" in pages_read[0] or "clock" in pages_read[0]
        assert len(set(pages_read)) == 1
    assert served.console.listeners == 0


def follow(hand: Hand) -> str:
    with hand.stream("/events?lang=en") as event:
        event()
        assert any("clock" in event()[1].get("views", ()) for _ in range(2))
        answer = hand.ask("GET", "/view/clock?lang=en")
        assert answer.status == 200
        return answer.text


def test_a_kiosk_loads_nothing_of_the_web():
    told = (
        "import sys, appliance.apps.kiosk, appliance.station, appliance.apps.director; "
        "print([name for name in ('starlette', 'uvicorn', 'jinja2', 'h11', 'anyio') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
