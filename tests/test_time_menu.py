"""A commissioner confirms the time where nobody else vouches for it; screens and the doctor say so."""

from __future__ import annotations

from datetime import timedelta

import msgspec
import pytest

from appliance import floorwork
from appliance.config import Config, Rehearsal
from appliance.display.from_round import Link, Scene, Venue, clock_view, door_view, scene_change_ms
from appliance.display.trouble import troubles
from appliance.floor.catalogue import BY_ID, GROUPS
from appliance.floor.said import say
from appliance.floorwork import FloorWork
from appliance.game.righttime import Spell, Times
from appliance.game.roster import Roster
from appliance.health import righttime
from appliance.hw.panel import Button
from appliance.i18n import Translator
from appliance.snapshot import Key
from appliance.trustsources import Sources
from tests.test_floorwork import NOW, RUNNING, Kiosk, choose, push

CS = Translator("cs")
HOUR = 3_600_000
DOUBTED = Times((Spell(NOW - HOUR, -2 * HOUR, True),))
KNOWN = Times((Spell(NOW - HOUR, 3 * HOUR),))


class Going(Kiosk):
    """Its clock stands where the test puts it."""

    at = NOW

    def now_ms(self):
        return self.at


@pytest.fixture(params=[None, 1])
def kiosk(request, monkeypatch):
    """At a door, and at a table."""
    kiosk = Going()
    kiosk.table, kiosk.clock, kiosk.times = request.param, [1000.0], DOUBTED
    monkeypatch.setattr(floorwork, "_mono_s", lambda: kiosk.clock[0])
    return kiosk


@pytest.fixture
def work(kiosk):
    work = FloorWork(kiosk)
    work.open("000001", "04FF")
    return work


def test_a_commissioner_says_that_the_time_is_right(work, kiosk):
    choose(work, kiosk, BY_ID["confirm_time"].label)
    assert say(kiosk.shown.lines[0].text, CS) == "Tady je 7:00, 15.\u00a01. 2027."
    choose(work, kiosk, "Yes, it is right")
    kiosk.read()
    push(work, kiosk)
    [note] = kiosk.notes
    assert (note.shown, note.right, note.by, note.device) == (NOW, NOW - 2 * HOUR, "000001", "table-1")
    assert say(kiosk.shown.question, Translator("en")) == "Done."


def test_a_commissioner_sets_the_time(work, kiosk):
    choose(work, kiosk, BY_ID["confirm_time"].label, "No, set it")
    for part in range(5):  # hour, minute, day, month, year: each begins as it is
        kiosk.read()
        if part == 0:
            work.turned(2)
        push(work, kiosk)
        kiosk.read()
        push(work, kiosk)
    kiosk.read()
    push(work, kiosk)
    [note] = kiosk.notes
    assert abs(note.right - NOW) < 1000


def later(kiosk, seconds):
    """Time goes by while somebody reads: for the menu, and by the device's clock."""
    kiosk.clock[0] += seconds
    kiosk.at += round(seconds * 1000)


@pytest.mark.parametrize("at", [NOW, NOW + 57_123], ids=["on the minute", "before the next one"])
@pytest.mark.parametrize("how", ["button", "key", "touch"])
def test_a_clock_that_goes_on_meanwhile_makes_no_press_void(kiosk, how, at):
    """Whoever reads the page for some seconds presses for what it asks, not for the fraction of a second it showed."""
    kiosk.at = at
    work = FloorWork(kiosk)
    work.open("000001", "04FF")
    choose(work, kiosk, BY_ID["confirm_time"].label)
    for _ in range(2):  # it is right; yes, do it
        later(kiosk, 4.321)
        work.glance.painted = seen = kiosk.page.stamp
        match how:
            case "button":
                work.button(Button.SELECT, False)
            case "key":
                work.press(Key("return", keyboard=True, seen=seen))
            case _:
                chosen = next(line.item for line in kiosk.shown.lines if line.selected)
                work.press(Key(f"item:{chosen}", menu=True, seen=seen))
    [note] = kiosk.notes
    assert note.shown - note.right == 2 * HOUR and note.shown >= at + 8642


def test_on_no_page_of_the_menu_does_time_alone_make_a_press_void(kiosk):
    """Every action that is offered, as far as Enter leads into it; nobody else does anything meanwhile."""
    kiosk.direction.possible = True
    seen = set()
    for action in BY_ID.values():
        work = FloorWork(kiosk, idle_s=1000.0)
        work.open("000001", "04FF")
        for line in (GROUPS.get(action.group), action.label):
            if line in kiosk.lines():
                choose(work, kiosk, line)
        for _ in range(6):
            if not work.is_open:
                break
            stamp, page = kiosk.page.stamp, kiosk.shown
            seen.add(say(page.title, CS))
            later(kiosk, 7.321)
            work.changed()
            assert kiosk.page.stamp == stamp, say(page.title, CS)
            push(work, kiosk)
    assert len(seen) > 20, seen


def test_a_clock_that_was_set_right_meanwhile_is_another_question(kiosk, work):
    choose(work, kiosk, BY_ID["confirm_time"].label)
    work.glance.painted = kiosk.page.stamp
    kiosk.times = Times((Spell(NOW - HOUR, -HOUR, True),))
    later(kiosk, 4.3)
    work.button(Button.SELECT, False)
    assert say(kiosk.shown.lines[0].text, CS).startswith("Tady je 8:00") and kiosk.shown.lines[1].selected


def test_it_is_not_offered_where_the_time_is_known(kiosk, work):
    kiosk.times = KNOWN
    work.open("000001", "04FF")
    assert BY_ID["confirm_time"].label not in kiosk.lines() and GROUPS["time"] not in kiosk.lines()


def scene(times, **link):
    return Scene(
        round=RUNNING, roster=Roster(), link=Link(**link), venue=Venue("Brno"), at_ms=NOW, times=times,
    )  # fmt: skip


def test_screens_show_times_of_day_by_the_right_time_and_the_clock_by_the_directors(kiosk):
    wrong, right = clock_view(scene(Times())), clock_view(scene(KNOWN))
    assert right.board.face == wrong.board.face is not None
    assert (right.board.now - wrong.board.now).total_seconds() == 3 * 3600
    lost = door_view(scene(KNOWN, director=False, director_lost_at=NOW - HOUR)).board.status
    assert lost.director_lost_at == right.board.now - timedelta(hours=1)
    assert 0 < scene_change_ms(scene(KNOWN)) <= 60_000


def test_screens_say_calmly_that_nobody_vouches_for_the_time(kiosk):
    doubting = door_view(scene(DOUBTED, time_doubted=True)).board.status
    [said] = troubles(CS, doubting)
    assert said.problem == "Zatím nikdo nepotvrdil, že je tu správný čas." and "Komisař" in said.remedy
    assert troubles(CS, door_view(scene(KNOWN)).board.status) == []


def test_the_doctor_says_what_to_do(tmp_path):
    never = Sources(tmp_path / "never", libc="no-such-library.so")
    (tmp_path / "set").touch()
    by_ntp = Sources(tmp_path / "set", libc="no-such-library.so")
    [found] = righttime.check(Config(), DOUBTED, never)
    assert (found.standing, found.code) == ("issue", "doubted") and found.remedy
    assert [each.code for each in righttime.check(Config(), KNOWN, by_ntp)] == ["ntp"]
    assert [(each.code, each.standing) for each in righttime.check(Config(), Times(), never)] == [("no-ntp", "absent")]
    rehearsal = msgspec.structs.replace(Config(), rehearsal=Rehearsal(speed=60))
    assert [each.code for each in righttime.check(rehearsal, DOUBTED, never)] == ["rehearsal"]
