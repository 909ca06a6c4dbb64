"""The kiosk's program with a watch on its glass: ``python -m bench.watched_kiosk SOCKET FILE...``.

The program is the product's own. But its cards are asked nothing but their numbers, and pass for genuine: what asking a
card costs is measured by itself (`bench.cards`), and the bare path asks none. Its window is one that, after each frame
is on the glass, sends the moments (CLOCK_MONOTONIC, one for the whole machine) and the texts now standing there to a
datagram socket.
"""

from __future__ import annotations

import argparse
import socket
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from appliance import cardwork
from appliance.apps import kiosk, kiosk_hardware
from appliance.cards.outcome import Accepted, Tier, Verdict
from appliance.cards.verdict import verdict
from appliance.display.ops import Box, DrawList, Text
from appliance.display.window import Window


class Frame(msgspec.Struct, frozen=True):
    """What stood on the glass from a moment on; ``built_ns``: when its view was ready, before it was painted."""

    at_ns: int
    built_ns: int
    texts: tuple[str, ...]


class Watched(Window):
    """A window that tells of each frame that changed something."""

    listener = ""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._teller = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)

    def show(self, ops: DrawList) -> list[Box]:
        """As the product's; then tell."""
        built = time.monotonic_ns()
        boxes = super().show(ops)
        at = time.monotonic_ns()
        if boxes:
            frame = Frame(at, built, tuple(op.text for op in ops if isinstance(op, Text)))
            self._teller.sendto(msgspec.json.encode(frame), self.listener)
        return boxes


def _as_genuine(*arguments: Any, **options: Any) -> Verdict:
    found = verdict(*arguments, **options)
    return replace(found, tier=Tier.GENUINE) if isinstance(found, Accepted) else found


def main() -> int:
    cardwork.verdict = _as_genuine
    kiosk_hardware.dialog_of = lambda *_: None  # type: ignore[assignment,return-value]
    Watched.listener, *files = sys.argv[1:]
    kiosk.Window = Watched  # type: ignore[misc]
    return kiosk.run(argparse.Namespace(files=[Path(file) for file in files]))


if __name__ == "__main__":
    sys.exit(main())
