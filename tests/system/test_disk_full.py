"""A disk that is full: refused aloud, nothing answered is lost, and all goes on when there is room again."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import pytest

from appliance import audit
from appliance.apps.demo_season import FORGED_UID, PLAYERS, VENUE
from appliance.game import clock
from appliance.game.state import Phase
from tests.system.hands import Hand, command
from tests.system.houses import House, NeverHappened

SHARED_MEMORY_BYTES = 32 * 1024
"""SQLite's index of a write-ahead log takes so much of a disk as soon as a journal is opened."""


class Disk(Protocol):
    """A disk of one device that can be full."""

    def fill(self) -> None: ...
    def free(self) -> None: ...


class SmallFilesystem:
    """A filesystem of half a megabyte; it is filled by a file beside the journal."""

    def __init__(self, house: House, device: str) -> None:
        self._where = house.data(device)
        kept = {file.name: file.read_bytes() for file in self._where.iterdir()}
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512k", "none", str(self._where)], check=True)
        for name, content in kept.items():
            (self._where / name).write_bytes(content)
        (self._where / "device.key").chmod(0o600)
        self._filler = self._where / "filler"

    def fill(self) -> None:
        with self._filler.open("ab") as filler, contextlib.suppress(OSError):
            while True:
                os.write(filler.fileno(), b"x" * 512)

    def free(self) -> None:
        self._filler.unlink()

    def close(self) -> None:
        subprocess.run(["umount", "--lazy", str(self._where)], check=True)


class FileLimit:
    """A limit on the size of the files of a running program (setrlimit(2)): what is full says EFBIG."""

    def __init__(self, house: House, device: str) -> None:
        self._house = house
        self._device = device

    def fill(self) -> None:
        self._limit(SHARED_MEMORY_BYTES)

    def fill_from_the_start(self) -> None:
        """Let the program that is started next find it full: there is room to open the journal, for no record more."""
        program = self._house.programs[self._device]
        program.command = ["prlimit", f"--fsize={SHARED_MEMORY_BYTES}:", *program.command]

    def free(self) -> None:
        self._limit(resource.RLIM_INFINITY)

    def close(self) -> None:
        """Nothing stays behind."""

    def _limit(self, size: int) -> None:
        pid = self._house.programs[self._device].pid
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def may_mount(tmp: Path) -> bool:
    """Whether this process may mount a small filesystem; where not, the limit on files stands for it."""
    where = tmp / "mount"
    where.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(where)], capture_output=True, check=False
    )
    if done.returncode == 0:
        subprocess.run(["umount", str(where)], check=True)
    return done.returncode == 0


@pytest.fixture(params=["filesystem", "limit"])
def full(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[House, str], Disk]]:
    made: list[SmallFilesystem | FileLimit] = []

    def make(house: House, device: str) -> Disk:
        kind = SmallFilesystem if request.param == "filesystem" and may_mount(tmp_path) else FileLimit
        made.append(kind(house, device))
        return made[-1]

    yield make
    for disk in made:
        disk.close()


@pytest.fixture
def house(full: object, open_house: Callable[..., House]) -> House:
    return open_house()  # closed before its disks are


def register(number: int) -> dict[str, object]:
    return {"do": "register", "participant": PLAYERS[number].number, "identity_checked": True}


def ask_until(hand: Hand, wanted: str, bodies: Iterator[dict[str, object]]) -> list[str]:
    """Give commands until one is refused with a code; the ids of those accepted before."""
    accepted: list[str] = []
    for body in bodies:
        message = command(body)
        reply = hand.ask(message)
        if not reply.ok and reply.refusal.code == wanted:
            return accepted
        if reply.ok:
            accepted.append(message.id)
    raise NeverHappened(wanted)


def busy() -> Iterator[dict[str, object]]:
    """Commands without end that are all accepted."""
    for turn in range(2000):
        do = "register" if turn % 2 else "unregister"
        yield {**register(0), "do": do} if do == "register" else {"do": do, "participant": PLAYERS[0].number}


def test_a_full_disk_refuses_commands_and_the_director_goes_on(
    house: House, full: Callable[[House, str], Disk]
) -> None:
    disk = full(house, "director")
    house.start("director")
    hand = Hand(house, "floor")
    accepted = []
    for body in ({"do": "open"}, register(0)):
        message = command(body)
        assert hand.ask(message).ok
        accepted.append(message.id)
    disk.fill()
    accepted += ask_until(hand, "storage", busy())
    refused = command(register(1))
    for _ in range(3):
        reply = hand.ask(refused)
        assert not reply.ok and reply.refusal.code == "storage"
    assert not hand.ask(command({"do": "open"}, actor="999999")).ok  # it still knows who is who
    hand.ping()
    house.check()
    disk.free()
    assert hand.ask(refused).ok
    house.kill("director")
    house.start("director")
    assert hand.ask(refused).ok
    hand.close()
    causes = [record["cause"] for record in house.stream("director", "round/R1")]
    assert set(accepted) <= set(causes) and causes.count(refused.id) == 1
    with house.journal("director") as journal:
        assert [finding for finding in audit.verify(journal) if finding.fault] == []


def test_a_power_cut_and_a_full_disk_together_still_stop_the_clock_where_it_was_noted(
    open_house: Callable[..., House],
) -> None:
    house = open_house()
    house.start("director")
    hand = Hand(house, "floor")
    for body in ({"do": "open"}, *map(register, range(10)), {"do": "start"}):
        assert hand.ask(command(body)).ok
    house.kill("director")
    started = house.ledger("director", "R1").round
    noted = house.stream("director", "round/R1")[-1]["at"] + 60_000
    (house.data("director") / "heartbeat.json").write_text(json.dumps({"boot": "before", "at": noted}))
    disk = FileLimit(house, "director")
    disk.fill_from_the_start()
    house.start("director")
    reply = hand.ask(command({"do": "next_hand", "table": 1}))
    assert not reply.ok and reply.refusal.code == "storage"
    disk.free()
    house.wait_for("the pause", lambda: not house.ledger("director", "R1").round.clock.running)
    stands = house.ledger("director", "R1").round
    assert clock.face(stands, hand.ping().at).remaining_ms == clock.face(started, noted).remaining_ms
    hand.close()


def test_a_kiosk_with_a_full_disk_goes_on_and_catches_up(house: House, full: Callable[[House, str], Disk]) -> None:
    disk = full(house, "table-1")
    house.start("director", "table-1", "door")
    with house.floor() as floor:
        floor.wait("the announcement", lambda r: True)
        floor.must("open")
        for number in range(10):
            floor.must(**register(number))
        house.wait_for("the copy", lambda: house.same_round("table-1"))
        disk.fill()
        floor.must("start")
        for _ in range(2000):
            floor.must("next_hand", table=1)
            if "StoreTrouble" in house.programs["table-1"].said():
                break
        house.tap("table-1", FORGED_UID)
        house.wait_for("the note", lambda: len(house.stream("director", f"venue/{VENUE}")) > 1)
        assert floor.wait("the start", lambda r: r.phase is Phase.RUNNING)
        house.check()
        assert not house.same_round("table-1")
        disk.free()
        house.wait_for("the copy to catch up", lambda: house.same_round("table-1"))
        floor.must("next_hand", table=1)
        last = floor.round.tables[1].hand
        house.wait_for("its own record", lambda: hands(house)[-1:] == [last])


def hands(house: House) -> list[int]:
    """The hands that the director knows the table to have taken up."""
    notes = house.stream("director", f"table/{VENUE}-1")
    return [note["data"]["hand"] for note in notes if note["type"] == "hand-opened/1"]
