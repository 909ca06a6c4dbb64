"""Devices that a director let in or dropped when nobody heard it any more: what becomes of them at the next one."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from appliance import kinds
from appliance.apps.demo_season import FLOOR
from appliance.engine import Engine
from appliance.fencing import FENCED
from appliance.orphan import die_with_parent
from tests.system.houses import House
from tests.system.test_adoption import MAIN, Office, Spare, house, spare_of

__all__ = ["house", "spare_of"]


@pytest.fixture
def take_over(house: House) -> Iterator[Callable[[str], None]]:
    """Have a kiosk's device take over, as a commissioner's card would."""
    running: list[tuple[str, subprocess.Popen[str]]] = []

    def begin(name: str) -> None:
        command = [sys.executable, "-m", "tests.system.clock_teller", *house.files(name)]
        kiosk = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, preexec_fn=die_with_parent()
        )
        running.append((name, kiosk))
        assert kiosk.stdin is not None and kiosk.stdout is not None
        kiosk.stdin.write(f"direct {FLOOR.number}\n")
        kiosk.stdin.flush()
        assert json.loads(kiosk.stdout.readline()) == {"begun": True}

    yield begin
    for name, kiosk in running:
        kiosk.kill()
        kiosk.wait()
        house.kill_director_of(name)


def belongs(house: House, name: str) -> set[str]:
    """The devices let in on the spot, as a device's copy has it."""
    with house.journal(name) as journal:
        notes = Engine(journal, kinds.KINDS, lambda: 0, only=(MAIN,)).state(MAIN)
    return {note.device for note in kinds.adopted(notes)}


def test_who_was_dropped_alone_is_out_and_who_was_let_in_alone_is_by_a_commissioners_word(
    house: House,
    spare_of: Callable[..., Spare],
    take_over: Callable[[str], None],
) -> None:
    house.start("director", "door")
    stolen = spare_of("stolen")
    view = house.wait_for("the spare to be shown", stolen.shown)
    office = Office(house)
    office.adopt(stolen, view)
    house.wait_for("the adoption", lambda: stolen.adopted and belongs(house, "door") == {view.device})
    house.kill("door", "stolen")
    dropped = kinds.DeviceDropped(device=view.device, key=stolen.key, by=FLOOR.number)
    office.ask(dropped)
    late = spare_of("late")
    name = house.wait_for("the other to be shown", late.shown).device
    office.adopt(late, late.view)
    house.wait_for("what nobody else heard", lambda: late.adopted and belongs(house, "director") == {name})
    office.peer.client.stop()
    house.kill("director")
    take_over("door")
    house.wait_for("a takeover", lambda: any(each["type"] == "takeover/1" for each in house.stream("door", MAIN)))
    house._expected_dead.add("director")
    house.start("director")
    house._expected_dead.add("director")
    house.wait_for("the old one to end", lambda: house.programs["director"].ended is not None)
    assert house.programs["director"].ended == FENCED
    house.wait_for("nobody to belong here", lambda: belongs(house, "door") == set())
    with house.floor() as floor:
        house.wait_for("the list", lambda: floor.station.snapshot.lone == 1)
        [found] = floor.station.lone.open()
        assert (found.first, json.loads(bytes(found.body))["device"]) == ("device-adopted/1", name)
        told: list[str] = []
        floor.station.lone.settle(found.command, FLOOR.number, True, lambda why: told.append(why.code if why else ""))
        house.wait_for("its answer", lambda: told == [""])
        epoch = house.stream("floor", MAIN)[-1]["epoch"]
        house.wait_for("it to be let in", lambda: any(
            each["epoch"] == epoch and each["data"].get("device") == name for each in house.stream("late", MAIN)
        ))  # fmt: skip
    assert belongs(house, "door") == {name}
