"""``tableside config show|check``: the configuration in force, and whether files are sound."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from appliance.config import ConfigError, dump, load, origin
from appliance.soundness import wrong


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The action and the files, site first, device last."""
    parser.add_argument("action", choices=("show", "check"))
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="site file, then device file")
    parser.add_argument("--changed", action="store_true", help="show only what differs from the defaults")


def run(args: argparse.Namespace) -> int:
    """Print the configuration, or nothing but the verdict; 2 if a file is not sound."""
    try:
        config = load(*args.files)
    except ConfigError as error:
        print(f"tableside config: {error}", file=sys.stderr)
        return 2
    if args.action == "show":
        sys.stdout.write(dump(config, changed_only=args.changed))
        return 0
    found = list(wrong(config))
    for each in found:
        print(f"tableside config: {_file(each.place, args.files)}: {each}", file=sys.stderr)
    if not found:
        print("ok")
    return 2 if found else 0


def _file(place: str, files: Sequence[Path]) -> Path:
    """Where to look for a setting: its file, or that of its section, or the last."""
    section = re.sub(r"-\d+$", "", place.partition(".")[0])
    return origin(place, files) or origin(section, files) or (files[-1] if files else Path("defaults"))
