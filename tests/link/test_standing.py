"""How devices stand: said seldom, in few bytes, understood by older and newer versions, whatever somebody says."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from appliance.link import envelope
from appliance.link.envelope import BadPayload, DeviceState, ReaderSaid, State
from appliance.link.standing import AGAIN_S, FIRST_S, HURRY_S, LOOK_S, MOST_DEVICES, Collected, Standing

STANDS = DeviceState("table-1", 1000, True, "table", "0.1.0", 12, (ReaderSaid("usb"),), "ok", 0)


class Old(msgspec.Struct, frozen=True):
    """A state as the version before knew it."""

    device: str
    online: bool
    role: str = ""
    software: str = ""


class Room:
    """A standing whose clock and devices a test sets."""

    def __init__(self) -> None:
        self.now = 100.0
        self.devices = (STANDS,)
        self.looks = 0
        self.said: list[State] = []
        self.standing = Standing(State("table-1", True), self._look, self._say, lambda: self.now)

    def _look(self) -> tuple[DeviceState, ...]:
        self.looks += 1
        return self.devices

    def _say(self, payload: bytes) -> None:
        self.said.append(envelope.decode(State, payload))

    def go(self, seconds: float) -> None:
        self.now += seconds
        self.standing.tick()


def test_it_is_looked_at_every_thirty_seconds_and_said_when_it_is_different():
    room = Room()
    room.go(0)
    assert room.looks == 0 and room.standing.due == 100 + FIRST_S
    room.go(FIRST_S)
    assert [state.devices for state in room.said] == [(STANDS,)]
    for _ in range(29):
        room.go(1)
    assert room.looks == 1, "no look between"
    room.devices = (replace(STANDS, at=2000, offset_ms=20),)
    room.go(1)
    assert room.looks == 2 and len(room.said) == 1, "time has gone on, and the clock drifts a little: no news"
    room.devices = (replace(STANDS, offset_ms=2000),)
    room.go(LOOK_S)
    room.devices = (replace(STANDS, readers=(ReaderSaid("usb", "no-reader"),)),)
    room.go(LOOK_S)
    assert [state.devices[0].offset_ms for state in room.said] == [12, 2000, 12]
    assert room.standing.birth == envelope.encode(room.said[-1]), "who connects anew says the last"


def test_what_has_not_changed_is_said_again_now_and_then():
    room = Room()
    room.go(FIRST_S)
    for _ in range(int(AGAIN_S // LOOK_S)):
        room.go(LOOK_S)
    assert len(room.said) == 2


class Venue(Room):
    """A standing that tells the time, too, by a clock that a test sets."""

    def __init__(self, pace: int = 1) -> None:
        super().__init__()
        self.ahead: int | None = None
        state = State("uplink", True, pace=pace, again_s=60)
        self.standing = Standing(state, self._look, self._say, lambda: self.now, self._clock)
        self._pace = pace

    def _clock(self) -> int | None:
        return None if self.ahead is None else round(self.now * 1000) * self._pace + self.ahead


@pytest.mark.parametrize("pace", [1, 6])
def test_what_time_it_is_is_said_as_soon_as_it_is_known_when_it_steps_and_every_minute(pace: int):
    venue = Venue(pace)
    venue.go(FIRST_S)
    assert [state.at for state in venue.said] == [None]
    venue.ahead = 3_000_000
    venue.go(1)
    assert [state.at for state in venue.said] == [None, 106_000 * pace + 3_000_000]
    assert (venue.said[-1].pace, venue.said[-1].again_s, venue.said[-1].devices) == (pace, 60, (STANDS,))
    venue.ahead += 300 * pace
    venue.go(1)
    assert len(venue.said) == 2, "a little more is no step"
    venue.ahead -= 2000 * pace
    venue.go(1)
    assert venue.said[-1].at == 108_000 * pace + 3_000_000 - 1700 * pace
    before = len(venue.said)
    for _ in range(120):
        venue.go(1)
    assert len(venue.said) - before in (1, 2)


def test_whoever_connects_anew_says_no_time_that_was():
    venue = Venue(6)
    venue.ahead = 0
    venue.go(FIRST_S)
    birth = envelope.decode(State, venue.standing.birth)
    assert birth.at is None and birth.pace == 6 and birth.devices == (STANDS,)


def test_a_clock_that_no_calendar_has_is_said_as_its_end():
    venue = Venue()
    venue.ahead = 2**60
    venue.go(FIRST_S)
    assert venue.said[-1].at == envelope.moment(2**60)


def test_what_begins_to_ail_is_said_soon_but_not_at_every_flicker():
    room = Room()
    room.go(FIRST_S)
    room.devices = (replace(STANDS, power="undervoltage"),)
    room.standing.hurry()
    room.go(HURRY_S - 1)
    assert len(room.said) == 1
    room.go(1)
    assert len(room.said) == 2


def test_older_and_newer_versions_understand_each_other():
    new = envelope.encode_state(State("up", True, "uplink", "0.2", (STANDS,)))
    assert msgspec.json.decode(new, type=Old) == Old("up", True, "uplink", "0.2")
    old = envelope.decode(State, msgspec.json.encode(Old("up", True, "uplink", "0.1")))
    assert old.devices == () and old.online
    newer = b'{"device":"up","online":true,"devices":[["t",5,true,"table","1",3,[["r","",9]],"ok",0,"more"]],"x":[1]}'
    assert envelope.decode(State, newer).devices == (
        DeviceState("t", 5, True, "table", "1", 3, (ReaderSaid("r"),), "ok", 0),
    )
    assert envelope.decode(State, b'{"device":"up","online":true,"devices":[["t"]]}').devices == (DeviceState("t"),)


def test_a_venue_of_two_hundred_devices_says_those_that_ail_and_how_many_it_left_out():
    devices = tuple(replace(STANDS, device=f"table-{n}") for n in range(200))
    ailing = replace(STANDS, device="table-777", readers=(ReaderSaid("usb", "no-reader"),))
    payload = envelope.encode_state(State("uplink", True, devices=(*devices[1:], ailing)))
    state = envelope.decode(State, payload)
    assert state.devices[0] == ailing and len(state.devices) > 20 and len(state.devices) + state.left_out == 200


@pytest.mark.parametrize(
    "devices",
    [
        '[["T 1"]]', '[["t",-1]]', '[["t",1,true,"","",1e99]]', '[["t",1,true,"","",null,[["x","Bad Code"]]]]', "[[]]",
        '[["t",1,true,"","",null,[],"<b>"]]', f'[["t",1,true,"","{"s" * 65}"]]', "[[[[[[", '"x"',
        f'[["t",1,true,"","",null,{[["x"]] * 9}]]'.replace("'", '"'), "[" + ",".join(['["t"]'] * 201) + "]",
    ],
)  # fmt: skip
def test_rubbish_about_devices_is_no_state(devices):
    with pytest.raises(BadPayload):
        envelope.decode(State, f'{{"device":"up","online":true,"devices":{devices}}}'.encode())


def test_a_device_speaks_for_itself_alone_and_its_will_leaves_what_it_said():
    news: list[int] = []
    collected = Collected(lambda: news.append(1))
    collected.heard("table-1", State("table-1", True, devices=(STANDS, replace(STANDS, device="door", power="ok"))))
    assert collected.all() == (STANDS,)
    collected.heard("table-1", State("table-1", True, devices=(replace(STANDS, at=5000, waiting=3),)))
    assert len(news) == 1, "nothing ails that did not"
    collected.heard("table-1", State("table-1", False))
    assert collected.all() == (replace(STANDS, at=1000, online=False),) or collected.all()[0].online is False
    assert len(news) == 2
    for number in range(2 * MOST_DEVICES):
        collected.heard(f"x-{number}", State(f"x-{number}", True, software="s" * 200))
    assert len(collected.all()) == MOST_DEVICES
    assert len(envelope.encode_state(State("uplink", True, devices=collected.all()))) <= 2048
