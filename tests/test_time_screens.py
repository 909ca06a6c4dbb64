"""After a reboot of the director's machine its time goes on where the screens have counted it to (DESIGN §5, CK-3)."""

from __future__ import annotations

import msgspec
import pytest

from appliance import kinds, timebase
from appliance.config import Config, Device, Rehearsal, Venue
from appliance.duties import LONGEST_CUT_MS, Duties
from appliance.engine import Engine
from appliance.heartbeat import Beat
from appliance.workplace import Workplace

NOTED = 1_800_000_000_000


class Rebooted:
    """A director that begins, ten seconds after its machine was switched on, with a clock of years ago."""

    def __init__(self, tmp_path, speed=1):
        device = Device(data=str(tmp_path), name="director")
        rehearsal = Rehearsal(speed=speed)
        config = msgspec.structs.replace(Config(), device=device, venue=Venue(id="brno"), rehearsal=rehearsal)
        self.place, self.mono = Workplace(config), 10_000_000_000
        old = timebase.Anchor(timebase.boot_id(), self.mono, NOTED - 10**11, speed)
        self.place.time = timebase.Timebase(old, lambda: self.mono)
        (tmp_path / "heartbeat.json").write_bytes(msgspec.json.encode(Beat("another", NOTED)))
        self.journal = self.place.journal()
        self.duties = Duties(self.place, Engine(self.journal, kinds.KINDS, self.place.now_ms))

    def hears(self, *shown):
        for number, at in enumerate(shown):
            self.duties.screen_shows(f"table-{number}", at)

    def goes_on(self, after_s=0):
        self.mono += after_s * 1_000_000_000
        self.place.move_on(NOTED)  # as it does anyway
        self.duties.go_on_from_screens()
        return self.place.now_ms() - NOTED


@pytest.mark.parametrize(
    ("shown", "goes_on"),
    [
        ((), 0),
        ((None, None), 0),
        ((40_000,), 40_000),
        ((40_000, 40_020, 39_990), 40_000),
        ((40_000, 40_010, LONGEST_CUT_MS), 40_010),  # a liar among three
        ((40_000, 40_010, 0), 40_000),
        ((-1,), 0),  # behind what was noted: it is no screen of this evening
        ((LONGEST_CUT_MS + 1,), 0),
        ((LONGEST_CUT_MS + 1, 40_000), 40_000),
    ],
)
def test_CK_3_the_median_of_the_screens_counts_within_what_can_be(tmp_path, shown, goes_on):
    director = Rebooted(tmp_path)
    director.hears(*(at if at is None else NOTED + at for at in shown))
    assert director.goes_on() == goes_on


@pytest.mark.parametrize("speed", [1, 60])
def test_CK_3_screens_count_on_while_others_are_asked(tmp_path, speed):
    director = Rebooted(tmp_path, speed)
    director.hears(NOTED + 40_000)
    director.mono += 500_000_000
    director.duties.screen_shows("door", NOTED + 40_000 + 500 * speed)
    director.duties.screen_shows("door", NOTED + 3_000_000)  # only its first word counts
    assert director.goes_on(after_s=1) == 40_000 + 1500 * speed


def test_CK_3_who_takes_over_and_was_handed_no_time_goes_by_screens_that_told_before_their_records_were_here(tmp_path):
    director = Rebooted(tmp_path)
    (tmp_path / "heartbeat.json").unlink()
    assert director.duties.stands_at is None
    director.duties.follows_unprepared()
    director.hears(NOTED + 40_000, NOTED + 10 * LONGEST_CUT_MS)
    with director.journal.begin() as transaction:
        transaction.open_epoch("venue/brno", "start", NOTED)
        transaction.commit()
    assert director.duties.stands_at == NOTED + 40_000


def test_CK_3_where_no_screen_tells_either_clocks_stand_where_it_was_written_last(tmp_path):
    director = Rebooted(tmp_path)
    (tmp_path / "heartbeat.json").unlink()
    director.duties.follows_unprepared()
    director.hears(None)
    with director.journal.begin() as transaction:
        transaction.open_epoch("venue/brno", "start", NOTED)
        transaction.commit()
    assert director.duties.stands_at == NOTED


def test_CK_3_a_wall_clock_that_is_right_is_not_set_back_to_the_screens(tmp_path):
    director = Rebooted(tmp_path)
    director.place.move_on(NOTED + 3_600_000)
    director.hears(NOTED + 40_000)
    assert director.goes_on() == 3_600_000
