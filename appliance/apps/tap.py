"""``tableside tap SOCKET LINE``: drive a simulated reader, for rehearsals (``tap UID``, ``tap card NAME`` …)."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from appliance.floorkeys import KEYBOARD as MENU
from appliance.hw.control import ask
from appliance.hw.simulated import COMMANDS
from appliance.pad import KEYBOARD, RANK_KEYS, SUIT_KEYS

KEYS = (
    *KEYBOARD,
    *sorted({*MENU, *(key.lower() for key in (*RANK_KEYS, *SUIT_KEYS))} - set(KEYBOARD)),
    *(f"f{n}" for n in range(1, 13)),
)
"""Keys of the keyboard beside the reader that mean something, as pygame names them."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The reader's socket and what is to happen to it."""
    parser.add_argument("socket", type=Path, help="reader.socket of the kiosk's configuration")
    parser.add_argument("line", nargs="+", metavar="WORD", help=COMMANDS)


def run(args: argparse.Namespace) -> int:
    """Print the reader's answer; 1 if it refuses, 2 if no reader is there or there is no such key."""
    if args.line[0] == "key" and " ".join(args.line[1:]) not in KEYS:
        named = " ".join(args.line[1:])[:20]
        print(f"tableside tap: {named!r} is no key: {', '.join(KEYS)}", file=sys.stderr)
        return 2
    try:
        answer = ask(args.socket, " ".join(_words(args.line)))
    except OSError as error:
        print(f"tableside tap: {args.socket}: {error.strerror or error}", file=sys.stderr)
        return 2
    print(answer)
    return 1 if answer.startswith("error") else 0


def _words(line: list[str]) -> list[str]:
    """The line with a card's file by its whole path: the reader's program stands elsewhere."""
    if line[1:2] == ["card"] and line[2:] and "/" in line[2]:
        return [*line[:2], str(Path(line[2]).absolute()), *line[3:]]
    return line
