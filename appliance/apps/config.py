"""``tableside config show|check``: the configuration in force, and whether files are sound."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from appliance.config import ConfigError, dump, load


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
    text = "ok\n" if args.action == "check" else dump(config, changed_only=args.changed)
    sys.stdout.write(text)
    return 0
