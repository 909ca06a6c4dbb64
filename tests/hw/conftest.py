"""What the tests of readers share. Each may use PC/SC: its socket is chosen before anything can ask for it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from appliance.hw.emulation.pn532 import EmulatedPn532

ROOT = str(Path(__file__).parents[2])
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)

from tests.contract.stands import Heard  # noqa: E402
from tests.contract.virtualcard import process_socket  # noqa: E402


@pytest.fixture(autouse=True, scope="session")
def pcscd_socket() -> Path:
    """This process's own pcscd socket; nothing listens there yet."""
    return process_socket()


@pytest.fixture
def chip(tmp_path: Path) -> Iterator[EmulatedPn532]:
    """A PN532 on a pseudo-terminal."""
    chip = EmulatedPn532(tmp_path / "ttyPN532")
    yield chip
    chip.close()


@pytest.fixture
def heard() -> Heard:
    """What a reader tells."""
    return Heard()
