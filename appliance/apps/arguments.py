"""Numbers and files as people name them in arguments: plain digits, and no more of a file than there can be."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from appliance.filebytes import open_plain
from appliance.game.reading import MAX_COMMAND_BYTES

_WHOLE = re.compile(r"-?[0-9]{1,19}", re.ASCII)


def whole_number(text: str) -> int:
    """A number in plain digits, as the ``type`` of an argument."""
    if not _WHOLE.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number")
    return int(text)


def read_small(path: Path) -> bytes:
    """A file that is one JSON object, or so much of a larger one that it is refused. Raises OSError."""
    with open_plain(path) as file:
        return file.read(MAX_COMMAND_BYTES + 1)
