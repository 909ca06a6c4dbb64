"""A device without a place, whose screen we can read: ``python -m chaos.spare SCREEN.json FILE…``.

It is ``tableside kiosk`` with these files, and what it shows is in a file as well. Once let in it starts anew as what
it became, and then nothing of this is there any more.
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


def shown(file: Path) -> SpareView:
    """What is on the screen; an empty one before there is any."""
    if not file.exists():
        return SpareView(device="")
    return msgspec.json.decode(file.read_bytes(), type=SpareView)


if __name__ == "__main__":
    watched(Path(sys.argv[1]))
    sys.exit(main(["kiosk", *sys.argv[2:]]))
