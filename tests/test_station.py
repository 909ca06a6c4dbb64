"""What a kiosk shows while answers and taps overtake each other."""

import msgspec
import pytest

from appliance import taps
from appliance.config import Config, Device
from appliance.display import prompt as show
from appliance.station import Station
from appliance.workplace import Workplace

WAITING = taps.Waiting("000102", "R1", 10**12)


@pytest.fixture
def station(tmp_path):
    """A kiosk whose screen shows that 000102 waits for the commissioner."""
    station = Station(Workplace(msgspec.structs.replace(Config(), device=Device(data=str(tmp_path), role="door"))))
    station.taps.waiting = WAITING
    station.say(show.CheckIdentity("000102", 100), 60)
    return station


@pytest.mark.parametrize("answer", [show.Registered("000101", 100, 4000), show.YourSeat("000101", 1, 3)])
def test_good_news_for_the_one_before_leaves_the_next_one_waiting_on_the_screen(station, answer):
    station.taps.tell(answer)
    assert station.snapshot.prompt == show.CheckIdentity("000102", 100) and station.taps.waiting == WAITING


@pytest.mark.parametrize("answer", [show.Refused("round-full"), show.NoAnswer("000101")])
def test_T_2_bad_news_for_the_one_before_is_shown_and_nobody_waits_behind_it(station, answer):
    station.taps.tell(answer)
    assert station.snapshot.prompt == answer and station.taps.waiting is None


def test_an_answer_is_shown_when_nobody_else_waits(station):
    station.taps.waiting = None
    station.taps.tell(show.Registered("000102", 100, 4000))
    assert station.snapshot.prompt == show.Registered("000102", 100, 4000)


def test_what_was_done_by_a_menu_that_has_left_is_said_where_that_interrupts_nobody(station):
    station.done("Pause the clock")
    assert station.snapshot.prompt == show.CheckIdentity("000102", 100) and station.taps.waiting == WAITING
    station.say(None, 0)
    station.done("Pause the clock")
    assert station.snapshot.prompt == show.Done("Pause the clock")


def test_a_pings_millisecond_more_or_less_leaves_the_screen_as_it_is(station):
    station._settle_offset(-3_600_000.4)
    shown = station.snapshot
    assert shown.offset_ms == -3_600_000
    for offset in (-3_600_004.4, -3_599_996.0, -3_600_001.0):
        station._settle_offset(offset)
        assert station.snapshot is shown
    station._settle_offset(-3_600_005.0)
    assert station.snapshot.offset_ms == -3_600_005
