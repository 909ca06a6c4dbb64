"""``tableside kiosk`` of a spare device whose screen a test can read: what it shows is written to a file as well.

python -m tests.system.spare_program SCREEN.json FILE...
"""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from appliance.apps import kiosk_adopt
from appliance.cli import main
from appliance.display.view import SpareView
from appliance.spare import Now


def watched(file: Path) -> None:
    """Have each view written to the file before it is drawn."""
    made = kiosk_adopt.view_of

    def view_of(now: Now, name: str) -> SpareView:
        view = made(now, name)
        fresh = file.with_suffix(".new")
        fresh.write_bytes(msgspec.json.encode(view))
        fresh.replace(file)
        return view

    kiosk_adopt.view_of = view_of


if __name__ == "__main__":
    watched(Path(sys.argv[1]))
    sys.exit(main(["kiosk", *sys.argv[2:]]))
