"""A dead background task ends the program."""

import subprocess
import sys

import msgspec
import pytest

from appliance.config import Config, Device
from appliance.worker import Worker
from appliance.workplace import Workplace

PROGRAM = """
import threading, time
from appliance.worker import end_with_any_thread
end_with_any_thread()
threading.Thread(target=lambda: 1 / 0, name="reader").start()
time.sleep(30)
"""


def test_a_thread_that_dies_ends_the_program():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=20)
    assert done.returncode == 1
    assert "thread reader has died" in done.stderr and "ZeroDivisionError" in done.stderr


class Failing(Worker):
    """Does what it is told to."""

    def _work(self, journal):
        match self.inbox.get():
            case None:
                return
            case error:
                raise error


@pytest.fixture
def place(tmp_path):
    return Workplace(msgspec.structs.replace(Config(), device=Device(data=str(tmp_path))))


def test_an_engine_thread_that_fails_says_why_and_that_it_is_over(place):
    over = []
    worker = Failing(place, lambda: over.append(True))
    worker.start()
    worker.inbox.put(ValueError("no"))
    worker.join(10)
    assert str(worker.failure) == "no" and over == [True]


def test_whoever_is_told_that_it_is_over_finds_it_over(place):
    found = []
    worker = Failing(place, lambda: found.append((worker.is_alive(), worker.working)))
    worker.start()
    assert worker.working
    worker.inbox.put(ValueError("no"))
    worker.join(10)
    assert found == [(True, False)] and not worker.working


def test_an_engine_thread_that_is_stopped_has_not_failed(place):
    worker = Failing(place)
    worker.start()
    worker.stop()
    worker.join(10)
    assert worker.failure is None and not worker.is_alive()


def test_a_journal_that_cannot_serve_is_the_threads_failure(place):
    (place.data / "journal").write_bytes(b"x" * 5000)
    worker = Failing(place)
    worker.start()
    worker.join(10)
    assert worker.failure.code == "not-a-journal"
