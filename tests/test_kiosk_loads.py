"""What a kiosk does not load on an ordinary evening: each of these is some tenths of a megabyte, on every device."""

from __future__ import annotations

import subprocess
import sys

import pytest

_LOADED = """
import sys
import appliance.station, appliance.workplace, appliance.apps.kiosk, appliance.apps.kiosk_screen
print(*sys.modules)
"""


@pytest.fixture(scope="module")
def loaded() -> set[str]:
    """The modules of a kiosk that is ready to play."""
    done = subprocess.run([sys.executable, "-c", _LOADED], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_a_kiosk_loads_the_rules_of_cash_tables_where_one_is_played(loaded: set[str]) -> None:
    assert "appliance.game.tablestream.fold" in loaded
    assert [name for name in loaded if name.startswith("appliance.game.cash")] == []
