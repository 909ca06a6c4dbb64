"""A whole kiosk is never deaf for long: whatever happens to pcscd, reader or card, the next tap counts (DESIGN §9)."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from appliance.apps.demo_season import FLOOR, PLAYERS, VENUE
from bench.ifd.rig import Rig, plug, unplug
from tests.contract.virtualcard import VirtualCard
from tests.system.hands import Hand, command
from tests.system.houses import House
from tests.system.pcsc_hands import DRAWN_BACK_S, hold

pytestmark = pytest.mark.xdist_group("never-deaf")

TRIES = 6


class Door:
    """The door of a venue, with a reader behind a real pcscd."""

    def __init__(self, house: House, rig: Rig) -> None:
        self.house = house
        self.rig = rig
        self._people = iter(PLAYERS)

    def hold(self, uid: str) -> None:
        """Hold a card there as a person does; whether the kiosk made anything of it is for them to see."""
        with contextlib.suppress(TimeoutError):
            hold(self.house, self.rig.readers[0].address, uid, 5)

    def next_one_registers(self) -> None:
        """Somebody new taps, and again if told so, until the round knows them."""
        person = next(self._people)
        for _ in range(TRIES):
            self.hold(person.uid)
            self.hold(FLOOR.uid)
            with contextlib.suppress(AssertionError):
                self.house.wait_for("the registration", lambda: person.number in self.registered(), 4)
                break
        assert person.number in self.registered(), self.said()[-3000:]
        assert self.registered().count(person.number) == 1
        self.house.check()

    def registered(self) -> list[str]:
        records = self.house.stream("director", "round/R1")
        return [record["data"]["participant"] for record in records if record["type"] == "registered/1"]

    def refused(self) -> list[tuple[str, str]]:
        notes = self.house.stream("director", f"venue/{VENUE}")
        return [(note["data"]["reason"], note["data"]["uid"]) for note in notes if note["type"] == "card-refused/1"]

    def said(self) -> str:
        return self.house.programs["door"].said()

    @contextlib.contextmanager
    def offline(self) -> Iterator[None]:
        """Until the kiosk says that its reader is offline, which it must."""
        before = self.said().count("offline")
        yield
        self.house.wait_for("the reader to be told offline", lambda: self.said().count("offline") > before)


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    with Rig("Tableside Virtual") as rig:
        house = House(Path(tmp_path_factory.mktemp("never-deaf")) / "house", "mosquitto")
        try:
            house.configure("door", 'driver = "pcsc"\nmatch = "Tableside Virtual"')
            house.start("director", "door")
            hand = Hand(house, "floor")
            assert hand.ask(command({"do": "open"})).ok
            hand.close()
            house.wait_for("the door's copy", lambda: house.same_round("door"))
            door = Door(house, rig)
            door.next_one_registers()
            yield door
        finally:
            house.close()


def stopped(door: Door) -> None:
    with door.offline():
        door.rig.pcscd.stop()
    door.rig.pcscd.start()


def killed(door: Door) -> None:
    with door.offline():
        door.rig.pcscd.kill()
    door.rig.pcscd.start()


def restarted_again_and_again(door: Door) -> None:
    for _ in range(3):
        door.rig.pcscd.stop()
        door.rig.pcscd.start()


def not_there_at_start(door: Door) -> None:
    door.house.stop("door")
    door.rig.pcscd.stop()
    with door.offline():
        door.house.start("door")
    door.rig.pcscd.start()


def hung(door: Door) -> None:
    pid = door.rig.pcscd.pid
    with door.offline():
        os.kill(pid, signal.SIGSTOP)
    os.kill(pid, signal.SIGCONT)


def unplugged(door: Door) -> None:
    with door.offline():
        unplug(door.rig.readers[0])
    plug(door.rig.readers[0])


def unplugged_with_a_card_on_it(door: Door) -> None:
    with VirtualCard(door.rig.readers[0].address, "04010203040506"), door.offline():
        unplug(door.rig.readers[0])
    plug(door.rig.readers[0])


def card_yanked(door: Door) -> None:
    for _ in range(5):
        with VirtualCard(door.rig.readers[0].address, lambda _: None) as card:
            card.gone.wait(10)


def card_mute(door: Door) -> None:
    for _ in range(2):
        with VirtualCard(door.rig.readers[0].address, "", atr=b"") as card:
            card.wait_until_noticed()
            time.sleep(DRAWN_BACK_S)


def card_that_holds_up_its_answer(door: Door) -> None:
    with VirtualCard(door.rig.readers[0].address, lambda _: time.sleep(4)):
        time.sleep(1)


def two_cards(door: Door) -> None:
    """A reader has one of two cards, and the other when that has left."""
    strangers = ["04AAAAAAAAAAAA", "04BBBBBBBBBBBB"]
    with contextlib.ExitStack() as stack:
        for uid in strangers:
            card = stack.enter_context(VirtualCard(door.rig.readers[0].address, uid))
            if uid == strangers[0]:
                card.wait_until_read()
                time.sleep(DRAWN_BACK_S)
                first = card
        first.remove()
        card.wait_until_read()
        time.sleep(DRAWN_BACK_S)
    door.house.wait_for("both to be refused", lambda: {("unknown", uid) for uid in strangers} <= set(door.refused()))


def phone(door: Door) -> None:
    """A phone makes up a UID each time, which begins with 08 (ISO/IEC 14443-3)."""
    made_up = [f"08{number:06X}" for number in (0x123456, 0x654321, 0xABCDEF)]
    for uid in made_up:
        door.hold(uid)
    door.house.wait_for("phones to be refused", lambda: {("phone", uid) for uid in made_up} <= set(door.refused()))


@pytest.mark.parametrize(
    "happens",
    [
        stopped,
        killed,
        restarted_again_and_again,
        not_there_at_start,
        hung,
        unplugged,
        unplugged_with_a_card_on_it,
        card_yanked,
        card_mute,
        card_that_holds_up_its_answer,
        two_cards,
        phone,
    ],
    ids=lambda happens: happens.__name__,
)
def test_next_tap_counts_whatever_has_happened(door: Door, happens: Callable[[Door], None]) -> None:
    happens(door)
    door.next_one_registers()
