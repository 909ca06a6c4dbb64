"""The search for a director is a child of the one who wants to know: there while it is wanted, gone a moment later."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from appliance.link.client import INBOX_LIMIT, Backoff
from appliance.link.envelope import DirectorNotice
from appliance.link.seek import LOOKING, Looking, Seeker, Seen
from appliance.link.sighting import Sighting, to_line
from tests.link.harness import wait_for

SIGHTING = Sighting("10.0.0.7", 8883, DirectorNotice("d1", "3-00c0ffee00c0ffee", "", "brno", bytes(64)))
SAYS = """
import os, sys, time
open(sys.argv[1], "a").write(f"{os.getpid()}\\n")
sys.stdout.buffer.write(bytes.fromhex(sys.argv[2]) * int(sys.argv[3]))
sys.stdout.flush()
time.sleep(600)
"""


class Child:
    """A search whose child says what it is told to, and whose children can be found."""

    def __init__(self, folder: Path, says: bytes, times: int = 1) -> None:
        self.pids_file = folder / "pids"
        self.inbox: queue.SimpleQueue[Seen | Looking] = queue.SimpleQueue()
        command = [sys.executable, "-c", SAYS, str(self.pids_file), says.hex(), str(times)]
        self.seeker = Seeker(command, self.inbox, lambda: Backoff(0.02, 0.1))

    @property
    def pids(self) -> list[int]:
        """The children so far, oldest first."""
        return [int(pid) for pid in self.pids_file.read_text().split()] if self.pids_file.exists() else []

    def heard(self) -> Seen | Looking:
        return self.inbox.get(timeout=30)


@pytest.fixture
def child(tmp_path: Path) -> Iterator[Child]:
    one = Child(tmp_path, LOOKING + b"\n" + to_line(SIGHTING) + b"\n")
    yield one
    one.seeker.stop()


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_what_the_child_sees_comes_into_the_inbox(child: Child) -> None:
    child.seeker.start()
    assert child.heard() == Looking()
    assert child.heard() == Seen(SIGHTING)


def test_nothing_runs_before_it_is_wanted_nor_afterwards(child: Child) -> None:
    assert child.pids == [] and not child.seeker.running
    child.seeker.start()
    child.heard()
    [pid] = child.pids
    child.seeker.stop()
    assert not child.seeker.running
    wait_for(lambda: not is_there(pid), "the child is gone, and waited for")
    wait_for(lambda: not [thread for thread in threading.enumerate() if thread.name == "seeker"])


def test_a_search_that_was_stopped_is_begun_again(child: Child) -> None:
    for number in (1, 2, 3):
        child.seeker.start()
        assert [child.heard(), child.heard()] == [Looking(), Seen(SIGHTING)]
        child.seeker.stop()
        assert len(child.pids) == number


def test_wanted_twice_it_is_one_search(child: Child) -> None:
    child.seeker.start()
    child.heard()
    child.seeker.start()
    child.heard()
    assert len(child.pids) == 1


def test_a_child_that_is_killed_is_started_again(child: Child) -> None:
    child.seeker.start()
    for number in (1, 2, 3):
        assert [child.heard(), child.heard()] == [Looking(), Seen(SIGHTING)]
        assert len(child.pids) == number
        os.kill(child.pids[-1], signal.SIGKILL)


def test_stopped_before_the_child_is_there_it_ends_all_the_same(child: Child) -> None:
    for _ in range(20):
        child.seeker.start()
        child.seeker.stop()
    wait_for(lambda: not [pid for pid in child.pids if is_there(pid)])


def test_a_program_that_is_not_there_is_tried_again(tmp_path: Path) -> None:
    inbox: queue.SimpleQueue[Seen | Looking] = queue.SimpleQueue()
    program = tmp_path / "find"
    seeker = Seeker([str(program)], inbox, lambda: Backoff(0.02, 0.1))
    seeker.start()
    program.with_suffix(".new").write_text(f"#!/bin/sh\necho '{LOOKING.decode()}'\nexec sleep 600\n")
    program.with_suffix(".new").chmod(0o755)
    program.with_suffix(".new").rename(program)
    assert inbox.get(timeout=30) == Looking()
    seeker.stop()


@pytest.mark.parametrize("noise", [b"\n", b"no line\n", b"\xff" * 10_000 + b"\n", b"[" * 5000 + b"\n", b"{}\n"])
def test_noise_between_sightings_is_passed_over(tmp_path: Path, noise: bytes) -> None:
    child = Child(tmp_path, noise + to_line(SIGHTING) + b"\n")
    child.seeker.start()
    assert child.heard() == Seen(SIGHTING)
    child.seeker.stop()


def test_a_flood_stays_within_the_inbox(tmp_path: Path) -> None:
    child = Child(tmp_path, to_line(SIGHTING) + b"\n", times=10 * INBOX_LIMIT)
    child.seeker.start()
    wait_for(lambda: child.inbox.qsize() >= INBOX_LIMIT)
    assert child.inbox.qsize() == INBOX_LIMIT
    child.seeker.stop()


PARENT = """
import queue, sys, time
from appliance.link.seek import Seeker
inbox = queue.SimpleQueue()
seeker = Seeker(sys.argv[1:], inbox)
seeker.start()
inbox.get()
print("heard", flush=True)
time.sleep(600)
"""


def test_the_child_dies_with_its_parent(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    command = [sys.executable, "-c", SAYS, str(pids), (LOOKING + b"\n").hex(), "1"]
    with subprocess.Popen([sys.executable, "-c", PARENT, *command], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"heard\n"
        [pid] = map(int, pids.read_text().split())
        parent.kill()
    wait_for(lambda: not is_running(pid), "the child is gone")


def is_running(pid: int) -> bool:
    """Whether it runs; one that nobody waits for may stay as a name."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
