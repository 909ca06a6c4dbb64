"""People queue at the door: the next tap replaces what was said at once, and nothing of the one before comes back."""

from __future__ import annotations

import time
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from appliance.cards.outcome import Accepted, Refusal, Refused, Tier
from appliance.config import Config, Device
from appliance.display import prompt as show
from appliance.game.roster import Roster, RosterEntry, fold_roster
from appliance.game.state import Round
from appliance.station import ONE_MOMENT_S, Station
from appliance.workplace import Workplace
from tests.display.test_notices import PLAYERS, START, played, seated

FLOOR = Accepted("04FF", "000001", "commissioner", Tier.GENUINE)


def card(participant: str) -> Accepted:
    return Accepted(f"04{participant}", participant, "participant", Tier.GENUINE)


@pytest.fixture
def door(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Station:
    """A door's kiosk during a round of eight; it sends nothing anywhere."""
    device = Device(data=str(tmp_path), role="door")
    station = Station(Workplace(msgspec.structs.replace(Config(), device=device)))
    monkeypatch.setattr(station, "now_ms", lambda: START)
    monkeypatch.setattr(station, "_link", SimpleNamespace(command=lambda _: None), raising=False)
    monkeypatch.setattr(station, "floor_is_here", lambda: None)
    shows(station, played(seats=seated(4, 4)))
    return station


def shows(station: Station, round: Round) -> None:
    entry = RosterEntry(participant="000001", state="active", cards=("04FF",), role="commissioner")
    station.snapshot = station.snapshot._replace(rounds=(round,), roster=fold_roster(Roster(), entry))


def test_every_tap_replaces_the_answer_before_it_at_once(door: Station) -> None:
    for who in PLAYERS:
        before = time.monotonic()
        door.taps.tap(card(who))
        prompt = door.snapshot.prompt
        assert isinstance(prompt, show.YourSeat)
        assert prompt.participant == who
        assert door.snapshot.prompt_until > before + 5, "who taps last has the full time to read"


def test_a_refused_card_replaces_a_seat_and_a_seat_a_refused_card(door: Station) -> None:
    door.taps.tap(card(PLAYERS[0]))
    door.taps.tap(Refused(Refusal.STOLEN, "04A1", "000199"))
    assert isinstance(door.snapshot.prompt, show.CardRefused)
    door.taps.tap(card(PLAYERS[1]))
    assert isinstance(door.snapshot.prompt, show.YourSeat)


def test_nothing_is_queued_behind_the_last_answer(door: Station) -> None:
    for who in PLAYERS:
        door.taps.tap(card(who))
    door.say(None, 0)
    door._show_one_moment()
    assert door.snapshot.prompt is None


def test_who_taps_while_the_one_before_is_being_registered_is_not_told_to_wait_for_them(door: Station) -> None:
    shows(door, played())
    door.taps.tap(card("000201"))
    door.taps.tap(FLOOR)
    door.taps.tap(card("000202"))
    time.sleep(ONE_MOMENT_S + 0.01)
    door._show_one_moment()
    assert door.snapshot.prompt == show.CheckIdentity("000202", 100)
    door.taps.tell(show.Registered("000201", 100, 4000))
    assert door.snapshot.prompt == show.CheckIdentity("000202", 100)
