"""The ``tableside`` command: finds the subcommand's module and runs it."""

from __future__ import annotations

import argparse
import errno
import importlib
import io
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from appliance.apps import INTERMIXED

COMMANDS = {
    "demo": "run a league evening end to end, with simulated hardware",
    "round": "run a round from a script through the real engine",
    "cash": "run a cash session from a script through the real engine",
    "points": "the points for each place",
    "prizes": "the prize for each place",
    "ruling": "what to do about an irregularity",
    "hand": "play recorded hands again under a profile",
    "legal": "what the player to act may do in a recorded hand",
    "rank": "the best hand of five to seven cards",
    "structure": "propose levels, breaks and colour-ups",
    "screen": "render what a screen shows to a PNG",
    "slip": "show a slip of paper as text or picture, or print it",
    "kiosk": "the program of a table or a door",
    "director": "the program that writes a venue's rounds",
    "uplink": "the program that carries journals to the league and back",
    "find": "the directors of this venue that can be seen on its network",
    "tap": "drive a simulated reader: put a card on it, pull its cable",
    "send": "send a commissioner's commands to the director and print the answers",
    "journal": "verify, dump or export a journal, or the hands in it",
    "config": "show or check the configuration",
    "doctor": "look at readers, cards' keys, pins and printer, and say what to do",
    "cards": "the issuing desk: issue, check, replace, revoke and wipe cards; their keys",
    "key": "show this device's public key, making it if need be",
    "enrol": "make this device known to the league with a one-time code, and fetch its certificate",
    "league": "the league's management commands",
}


class _Parser(argparse.ArgumentParser):
    """Says in one line what is wrong (CONTRACT); ``--help`` says the rest, as wide as the terminal.

    The width is given, for argparse else loads all kinds of archives to ask for it, even if nobody wants help.
    """

    def __init__(self, **options: Any) -> None:
        options.setdefault("formatter_class", lambda prog: argparse.HelpFormatter(prog, width=_columns() - 2))
        super().__init__(**options)

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a subcommand; 0 on success, 2 on bad input (CONTRACT)."""
    parser = _Parser(prog="tableside", description="The poker league's appliance and its league.")
    parser.add_argument("--version", action="store_true", help="say which version this is, and end")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    arguments = list(sys.argv[1:] if argv is None else argv)
    wanted = arguments[0] if arguments else ""
    if wanted == "--version":
        print(f"tableside {importlib.import_module('importlib.metadata').version('tableside')}")
        return 0
    for name, summary in COMMANDS.items():
        sub = commands.add_parser(name, help=summary, description=summary, add_help=name != "league")
        if name == wanted:
            # only the one asked for is imported: a kiosk must draw before anything heavy loads
            importlib.import_module(f"appliance.apps.{name}").add_arguments(sub)
    parsed = _parsed(parser, commands.choices.get(wanted), arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # what programs read is JSON, whatever the locale
    try:
        code = int(importlib.import_module(f"appliance.apps.{parsed.command}").run(parsed))
        print(end="", flush=True)
        return code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _say_no_more()
        return 1
    except OSError as error:
        if error.errno != errno.ENOSPC or error.filename is not None:
            raise
        print(f"tableside {parsed.command}: what it says cannot be written: {error.strerror}", file=sys.stderr)
        _say_no_more()
        return 2


def _columns() -> int:
    try:
        return int(os.environ.get("COLUMNS", "")) or 80
    except ValueError:
        pass
    try:
        return os.get_terminal_size().columns or 80
    except OSError:
        return 80


def _parsed(
    parser: argparse.ArgumentParser, sub: argparse.ArgumentParser | None, arguments: Sequence[str]
) -> argparse.Namespace:
    """The arguments; where a subcommand takes words in any number, options may stand between them."""
    if sub is None or not sub.get_default(INTERMIXED):
        return parser.parse_args(arguments)
    parsed = sub.parse_intermixed_args(arguments[1:])
    parsed.command = arguments[0]
    return parsed


def _say_no_more() -> None:
    """Nothing more is written to standard output, not even at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
