"""What a kiosk does not load on an ordinary evening: each of these is some tenths of a megabyte, on every device."""

from __future__ import annotations

import subprocess
import sys
import unicodedata

import pytest

from appliance.plaintext import _shows

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


_NAMED = """
import sys
from appliance.plaintext import is_blank, plain
assert not is_blank("Šenk U Měřidla") and plain("Řehoř Š.") == "Řehoř Š." and is_blank("  ")
print(*sys.modules)
"""


def test_czech_names_load_no_tables_of_unicode() -> None:
    done = subprocess.run([sys.executable, "-c", _NAMED], capture_output=True, text=True, check=True)
    assert "unicodedata" not in done.stdout.split()


def test_what_shows_without_being_looked_up_is_a_letter_a_digit_or_a_sign() -> None:
    for char in map(chr, range(0x300)):
        assert _shows(char) == (unicodedata.category(char)[0] in "LNPS"), ascii(char)
