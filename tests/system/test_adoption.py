"""A spare Pi is let in by a commissioner's card and the code on its screen, with no league and no internet."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable

import msgspec
import pytest

from appliance.adopt import Adopt
from appliance.apps.demo_season import FLOOR, VENUE
from appliance.display.view import SpareView
from appliance.floorglance import DEAD_S
from appliance.identity import load_or_make, public_hex
from appliance.link import envelope, topics
from appliance.link.client import Endpoint
from appliance.link.envelope import CommandMessage, Reply
from appliance.record import uuid7
from tests.link.society import Peer
from tests.system.houses import House, Program
from tests.system.test_buttons import begun
from tests.system.test_takeover_kiosk import press_in_turn
from tests.system.test_venue_broker import free_port, with_its_own_broker

STREAM, MAIN = f"table/{VENUE}-1", f"venue/{VENUE}"


class Spare:
    """A spare device of a house, beside it: its program, and what is on its screen."""

    def __init__(self, house: House, port: int, name: str = "spare") -> None:
        self.house, self.name = house, name
        self.screen = house.folder / f"{name}.json"
        self.data = house.data(name)
        (self.data / "device.toml").write_text(
            f'[device]\nrole = "spare"\ndata = "{self.data}"\n'
            f'[lan]\nfind = "hosts"\nhosts = ["127.0.0.1"]\nnewcomers = {port}\n'
            f'[reader]\ndriver = "simulated"\nsocket = "{self.data}/reader"\nwallet = "{house.folder}/cards"\n'
            f"[screen]\nwidth = 640\nheight = 360\nfullscreen = false\nheadless = true\n"
            f'shots = "{house.folder}/shots"\n'
        )
        command = [sys.executable, "-m", "tests.system.spare_program", str(self.screen), str(self.data / "device.toml")]
        house.programs[name] = Program(name, command, house.folder / "logs" / f"{name}.log", {})

    @property
    def view(self) -> SpareView:
        """Its screen; an empty one before there is any."""
        if not self.screen.exists():
            return SpareView(device="")
        return msgspec.json.decode(self.screen.read_bytes(), type=SpareView)

    def shown(self) -> SpareView | None:
        """Its screen, once the director shows it to commissioners."""
        view = self.view
        return view if view.code and any(venue.shown for venue in view.venues) else None

    @property
    def key(self) -> str:
        """Its public key."""
        return public_hex(load_or_make(self.data / "device.key"))

    @property
    def adopted(self) -> bool:
        """Whether it has its place."""
        return (self.data / "adopted.toml").exists()


@pytest.fixture
def house(open_house: Callable[..., House]) -> House:
    house = with_its_own_broker(open_house("mosquitto", tracked=("table-1",)))
    house.newcomers = free_port()  # type: ignore[attr-defined]
    with (house.folder / "site.toml").open("a") as site:
        site.write(f"newcomers = {house.newcomers}\n")  # type: ignore[attr-defined]
    return house


@pytest.fixture
def spare_of(house: House) -> Callable[..., Spare]:
    return lambda name="spare": Spare(house, house.newcomers, name)  # type: ignore[attr-defined]


def let_in(house: House, kiosk: str, code: str, becomes: str = "1") -> None:
    """With card and keyboard: the menu, what waits there, the first device, what it becomes, the code, and yes."""
    house.tap(kiosk, FLOOR.uid)
    time.sleep(0.5)
    press_in_turn(house, kiosk, "0", "1", "1", becomes)
    for at in range(0, len(code), 2):
        time.sleep(2.5 * DEAD_S)
        house.press(kiosk, *code[at : at + 2])
        press_in_turn(house, kiosk, "return")
    press_in_turn(house, kiosk, "return")


def adopted_by(house: House) -> list[dict[str, object]]:
    return [each["data"] for each in house.stream("director", MAIN) if each["type"] == "device-adopted/1"]


def actions(house: House, device: str) -> int:
    """How many actions of a tracked hand a device's copy of the table's stream has."""
    if not (house.data(device) / "journal").exists():
        return 0
    return sum(each["type"] == "hand-played/1" for each in house.stream(device, STREAM))


def opened_by(house: House, device: str) -> list[str]:
    return [each["data"]["by"] for each in house.stream(device, STREAM) if each["type"] == "epoch-opened/1"]


class Office:
    """Says to the director what a commissioner's kiosk would say, and hears the answers."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.peer = Peer(
            Endpoint.unix(house.data("director") / "broker" / "socket"), "office", [topics.reply(VENUE, "floor")]
        ).connected()

    def ask(self, body: object) -> None:
        """Ask for something in the venue's stream."""
        number = uuid7(int(time.time() * 1000), os.urandom(10))
        message = CommandMessage(number, "floor", FLOOR.number, "venue", 20_000, msgspec.Raw(msgspec.json.encode(body)))
        self.peer.client.publish(topics.device(VENUE, "floor", "cmd"), envelope.encode(message))

    def adopt(self, spare: Spare, view: SpareView) -> None:
        """Let a spare device in as a clock on the wall, by the code it shows."""
        self.ask(Adopt(device=view.device, key=spare.key, code=view.code, role="clock", by=FLOOR.number))


def in_at_last(office: Office, spare: Spare) -> Callable[[], bool]:
    """Whether it is in; while its screen shows a code, it is let in by that now and then, as people try again."""
    tries = iter(range(1 << 30))

    def is_in() -> bool:
        view = spare.shown()
        if view is not None and next(tries) % 40 == 20:
            office.adopt(spare, view)
        return spare.adopted

    return is_in


def test_a_spare_device_takes_a_dead_tables_place_and_the_hand_goes_on(
    house: House, spare_of: Callable[..., Spare]
) -> None:
    house.start("director", "door", "table-1")
    with house.floor() as floor:
        house.wait_for("the director", lambda: floor.station.snapshot.director)
        begun(floor)
        house.wait_for("the readers", lambda: house.reader_is_up("door") and house.reader_is_up("table-1"))
        house.wait_for("the table's copy", lambda: house.same_round("table-1"))
        house.press("table-1", "return")
        floor.wait("the hand", lambda round: round.tables[1].hand == 1)
        house.press("table-1", "c")
        house.wait_for("the call", lambda: actions(house, "table-1") == 1)
        house.wait_for("the director's copy of it", lambda: house.same_stream(STREAM, "table-1"))
        house.kill("table-1")
        spare = spare_of()
        view = house.wait_for("the spare to be shown", spare.shown)
        let_in(house, "door", view.code)
        house.wait_for("the adoption", lambda: spare.adopted)
        [note] = adopted_by(house)
        assert (note["device"], note["role"], note["table"], note["by"]) == (view.device, "table", 1, FLOOR.number)
        house.wait_for("it to be the table", lambda: house.reader_is_up("spare"))
        house.wait_for("its epoch", lambda: opened_by(house, "director") == ["table-1", view.device])
        house.press("spare", "c")
        house.wait_for("the next call", lambda: actions(house, "director") == 2)
        house.start("table-1")
        house.wait_for("the dead one to be told", lambda: house.same_stream(STREAM, "table-1"))
        assert floor.round is not None and floor.round.tables[1].hand == 1


@pytest.mark.parametrize("victim", ["spare", "director"])
def test_whoever_is_killed_at_whatever_step_nothing_is_left_half(
    house: House, spare_of: Callable[..., Spare], victim: str
) -> None:
    """Killed while the offer is under way, or the note is written: in by itself, or by the code it shows then."""
    house.start("director")
    for number, after_s in enumerate((0.1, 0.35)):
        spare = spare_of(f"spare-{number}")
        view = house.wait_for("the spare to be shown", spare.shown)
        office = Office(house)
        office.adopt(spare, view)
        time.sleep(after_s)
        office.peer.client.stop()
        killed = spare.name if victim == "spare" else "director"
        house.kill(killed)
        if victim == "spare":
            spare.screen.unlink(missing_ok=True)
        house.start(killed)
        office = Office(house)
        house.wait_for("it to be in", in_at_last(office, spare))
        office.peer.client.stop()
        assert spare.key in [each["key"] for each in adopted_by(house)]
        house.wait_for("its copy", lambda name=spare.name: house.same_stream(MAIN, name))
        house.stop(spare.name)


def test_a_dropped_device_is_a_spare_one_again(house: House, spare_of: Callable[..., Spare]) -> None:
    house.start("director", "door")
    spare = spare_of()
    view = house.wait_for("the spare to be shown", spare.shown)
    house.wait_for("the reader", lambda: house.reader_is_up("door"))
    office = Office(house)
    office.adopt(spare, view)
    house.wait_for("its copy", lambda: spare.adopted and house.same_stream(MAIN, "spare"))
    house.tap("door", FLOOR.uid)
    time.sleep(0.5)
    press_in_turn(house, "door", "up", "up", "return", "2", "1", "up", "up", "return")
    house.wait_for("it to give its place up", lambda: (spare.data / "former-journal").exists())
    assert (spare.data / "former-journal").exists() and not (spare.data / "given-up.toml").exists()
    with house.floor() as floor:
        asking = house.wait_for("it to ask again", lambda: floor.station.admission.asking)
    assert asking[0].name != view.device, "the league would let the old key in no more"
    office.peer.client.stop()


def test_a_wrong_code_is_told_on_both_screens(house: House, spare_of: Callable[..., Spare]) -> None:
    house.start("director")
    spare, office = spare_of(), Office(house)
    view = house.wait_for("the spare to be shown", spare.shown)
    office.adopt(spare, msgspec.structs.replace(view, code="10101010" if view.code != "10101010" else "10101011"))
    told = envelope.decode(Reply, office.peer.hears(topics.reply(VENUE, "floor"))[-1][1])
    assert told.refusal is not None and told.refusal.code == "wrong-code"
    house.wait_for("another code", lambda: spare.view.wrong and spare.view.code not in ("", view.code))
    office.peer.client.stop()
