"""A table's buttons and light, and the door's knob, with the director and the broker as they are."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from appliance.apps.demo_season import FLOOR, PLAYERS, VENUE
from appliance.cards.emulator.ntag424 import EmulatedNtag424
from appliance.desk.simulated import channel
from appliance.display import prompt as show
from appliance.hw.panel import Button, ButtonPressed, Signal, Turned
from appliance.hw.ports import CardPresented, Offline, ReaderOffline, ReaderOnline
from appliance.station import Station
from tests.system.houses import Floor, House


class Lamp:
    """Remembers what it was told to show."""

    def __init__(self) -> None:
        self.shown: list[Signal] = []

    def show(self, signal: Signal) -> None:
        if not self.shown or signal is not self.shown[-1]:
            self.shown.append(signal)


class Kiosk:
    """A kiosk's engine in this process, with a light that remembers; its hands are the test's."""

    def __init__(self, house: House, name: str) -> None:
        self.lamp = Lamp()
        self.station = Station(house.workplace(name))
        self.station.equip(indicator=self.lamp)
        self.station.start()

    def tap(self, uid: str, wallet: Path | None = None) -> None:
        """A card of the wallet, or a bare number."""
        reading = None
        if wallet is not None:
            reading = self.station.cards.dialog()(channel(EmulatedNtag424.load(wallet / f"{uid}.json")), uid)
        self.station.inbox.put(CardPresented("reader", uid, time.monotonic_ns(), reading))

    def press(self, button: Button, held: bool = False) -> None:
        self.station.inbox.put(ButtonPressed(button, time.monotonic_ns(), held))

    def close(self) -> None:
        self.station.stop()
        self.station.join(10)
        assert self.station.failure is None


@pytest.fixture
def house(open_house: Callable[..., House]) -> House:
    house = open_house()
    house.start("director")
    return house


@pytest.fixture
def kiosk(house: House) -> Iterator[Callable[[str], Kiosk]]:
    kiosks: list[Kiosk] = []

    def start(name: str) -> Kiosk:
        kiosks.append(Kiosk(house, name))
        return kiosks[-1]

    yield start
    for each in kiosks:
        each.close()


@contextmanager
def kiosks(house: House) -> Iterator[Callable[[str], Kiosk]]:
    """Starts a kiosk by its name, with the round and the league's word in its copy; all end with the test."""
    started: list[Kiosk] = []

    def start(name: str) -> Kiosk:
        started.append(Kiosk(house, name))
        league = f"league/{VENUE}"
        house.wait_for("the copies", lambda: house.same_round(name) and house.same_stream(league, name))
        return started[-1]

    yield start
    for each in started:
        each.close()


def begun(floor: Floor) -> None:
    floor.must("open")
    for player in PLAYERS[:4]:
        floor.must("register", participant=player.number, identity_checked=True)
    floor.must("start", seats={p.number: [1, n] for n, p in enumerate(PLAYERS[:4], 1)}, button=1)


def calls(station: Station) -> list[tuple[int, str]]:
    return [(call.table, call.about) for call in station.snapshot.calls]


def test_the_button_begins_the_next_hand_as_the_key_does(house: House, kiosk: Callable[[str], Kiosk]) -> None:
    with house.floor() as floor:
        begun(floor)
        table = kiosk("table-1")
        house.wait_for("the table's copy", lambda: house.same_round("table-1"))
        table.press(Button.NEXT_HAND)
        floor.wait("the hand", lambda round: round.tables[1].hand == 1)


def test_CK_4_a_table_asks_for_time_the_floor_starts_it_and_the_light_shows_it(
    house: House, kiosk: Callable[[str], Kiosk]
) -> None:
    with house.floor() as floor:
        begun(floor)
        table, door = kiosk("table-1"), kiosk("door")
        house.wait_for("the copies", lambda: house.same_round("table-1", "door"))
        table.press(Button.TIME)
        house.wait_for("the door to show it", lambda: calls(door.station) == [(1, "time")])
        assert calls(table.station) == [(1, "time")]
        floor.must("next_hand", table=1)
        floor.must("time_call", table=1, participant=PLAYERS[0].number)
        house.wait_for("the wish to be granted", lambda: not calls(door.station) and not calls(table.station))
        house.wait_for("the light", lambda: table.lamp.shown[-1] is Signal.TIME_CALL)
        floor.must("time_end", table=1, outcome="acted")
        house.wait_for("the light to go out", lambda: table.lamp.shown[-1] is Signal.IDLE)
    notes = [n["data"] for n in house.stream("director", f"venue/{VENUE}") if n["type"] == "floor-call/1"]
    assert [(note["about"], note["open"]) for note in notes] == [("time", True), ("time", False)]


def test_the_floor_is_called_taken_back_by_a_hold_and_a_call_outlives_the_kiosk(
    house: House, kiosk: Callable[[str], Kiosk]
) -> None:
    with house.floor() as floor:
        begun(floor)
        first, door = kiosk("table-1"), kiosk("door")
        house.wait_for("the copies", lambda: house.same_round("table-1", "door"))
        first.press(Button.FLOOR)
        house.wait_for("the call", lambda: calls(door.station) == [(1, "floor")])
        first.press(Button.FLOOR, held=True)
        house.wait_for("its end", lambda: not calls(door.station))
        first.press(Button.FLOOR)
        house.wait_for("another call", lambda: calls(door.station) == [(1, "floor")])
        house.wait_for("the table's copy of it", lambda: house.same_stream(f"venue/{VENUE}", "table-1"))
        first.station.stop()
        first.station.join(10)
        again = kiosk("table-1")
        house.wait_for("the call after a restart", lambda: calls(again.station) == [(1, "floor")])
        again.tap(FLOOR.uid)
        house.wait_for("what a card is told that proved nothing", lambda: again.station.snapshot.prompt is not None)
        assert calls(again.station) == [(1, "floor")]
        again.tap(FLOOR.uid, house.folder / "cards")
        house.wait_for("the end of the call with the floor there", lambda: not calls(door.station))


def test_a_light_blinks_while_a_reader_is_offline(house: House, kiosk: Callable[[str], Kiosk]) -> None:
    table = kiosk("table-1")
    table.station.inbox.put(ReaderOnline("left"))
    table.station.inbox.put(ReaderOffline("right", Offline.NO_READER))
    house.wait_for("the light", lambda: table.lamp.shown[-1:] == [Signal.OFFLINE])
    assert table.station.snapshot.missing == ("right",) and table.station.snapshot.reader
    table.station.inbox.put(ReaderOnline("right"))
    house.wait_for("the light to go out", lambda: table.lamp.shown[-1] is Signal.IDLE)


def test_T_3_a_deposit_is_raised_at_the_door_by_knob_and_cards(house: House, kiosk: Callable[[str], Kiosk]) -> None:
    with house.floor() as floor:
        begun(floor)
        door = kiosk("door")
        house.wait_for(
            "the door's copy", lambda: house.same_round("door") and house.same_stream(f"league/{VENUE}", "door")
        )
        door.tap(PLAYERS[0].uid)
        door.station.inbox.put(Turned("amount", 4, time.monotonic_ns()))
        house.wait_for("the amount", lambda: isinstance(door.station.snapshot.prompt, show.TopUp))
        door.tap(FLOOR.uid, house.folder / "cards")
        house.wait_for("the answer", lambda: isinstance(door.station.snapshot.prompt, show.ToppedUp))
        floor.wait("the deposit", lambda round: round.players[PLAYERS[0].number].deposit == 375 + 40)
