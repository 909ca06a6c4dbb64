"""Every test here may use PC/SC: its socket is chosen before anything can ask for it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = str(Path(__file__).parents[2])
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)

from tests.contract.virtualcard import process_socket  # noqa: E402


@pytest.fixture(autouse=True, scope="session")
def pcscd_socket() -> Path:
    """This process's own pcscd socket; nothing listens there yet."""
    return process_socket()
