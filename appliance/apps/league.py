"""``tableside league …``: hands everything after the word over to the league's management commands."""

from __future__ import annotations

import argparse
import sys
from importlib.util import find_spec

_NEEDED = ("django", "whitenoise")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take all that follows as it is: the management command has its own options and its own ``--help``."""
    parser.prefix_chars = "\0"  # nothing is an option of ours, not even a leading --help
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="a management command and its arguments")


def run(args: argparse.Namespace) -> int:
    """Run the command; 1 without the league's packages, else the command's own exit status."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        print(f"tableside league: missing {', '.join(missing)}: pip install 'tableside[league]'", file=sys.stderr)
        return 1

    from league.manage import main

    main("tableside league", args.arguments)
    return 0
