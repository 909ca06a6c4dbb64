"""``tableside points --players N [--key FILE]``: the points for each place of a field of N."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from appliance.apps.arguments import read_small, whole_number
from appliance.game.points import decode_key, points_table
from appliance.game.pointskey import CPL_2017
from appliance.game.reading import CommandError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Field size and key."""
    parser.add_argument(
        "--players", type=whole_number, required=True, metavar="N", help="persons registered, 3 to 90 (T-1)"
    )
    parser.add_argument("--key", type=Path, metavar="FILE", help="a season's points key as JSON; default: cpl-2017")


def run(args: argparse.Namespace) -> int:
    """Print a line a place; 2 on a bad key or field size."""
    if not 3 <= args.players <= 90:
        print(f"tableside points: --players: {args.players} is not between 3 and 90 (T-1)", file=sys.stderr)
        return 2
    try:
        key = decode_key(read_small(args.key)) if args.key else CPL_2017
    except (CommandError, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        print(f"tableside points: {args.key}: {reason}", file=sys.stderr)
        return 2
    for place, points in points_table(key, args.players):
        print(f"{place:>3}  {points}")
    if not key.confirmed:
        print(f"key {key.name}: unconfirmed", file=sys.stderr)
    return 0
