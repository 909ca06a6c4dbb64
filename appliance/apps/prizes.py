"""``tableside prizes --pool N --shares 50,30,20 [--tie 2-3]``: whole crowns by place, adding up to the pool (T-5)."""

from __future__ import annotations

import argparse
import re
import sys
from fractions import Fraction

from appliance.apps.arguments import whole_number
from appliance.game.prizes import tied_table

_SHARE = re.compile(r"[0-9]{1,3}(\.[0-9]{1,6})?")
_MAX_POOL = 10**12


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Pool, shares and an optional tie."""
    parser.add_argument("--pool", type=whole_number, required=True, metavar="N", help="all deposits, whole CZK")
    parser.add_argument("--shares", required=True, metavar="P,P,…", help="percent by place, best first; together 100")
    parser.add_argument("--tie", metavar="A-B", help="places that share equally")


def run(args: argparse.Namespace) -> int:
    """Print a line a place; 2 on bad input."""
    try:
        shares = _shares(args.shares)
        tie = _tie(args.tie) if args.tie else None
        if not 0 <= args.pool <= _MAX_POOL:
            raise ValueError(f"--pool: {args.pool} is not between 0 and {_MAX_POOL}")
    except ValueError as error:
        print(f"tableside prizes: {error}", file=sys.stderr)
        return 2
    for place, amount in enumerate(tied_table(args.pool, shares, tie), 1):
        print(f"{place:>3}  {amount}")
    return 0


def _shares(text: str) -> list[str]:
    shares = text.split(",")
    for share in shares:
        if not _SHARE.fullmatch(share):
            raise ValueError(f"--shares: {share[:20]!r} is not a percentage")
    if sum(map(Fraction, shares)) != 100:
        raise ValueError("--shares: shares-sum: they must add up to 100")
    return shares


def _tie(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([1-9][0-9]?)-([1-9][0-9]?)", text)
    if not found or int(found[1]) >= int(found[2]):
        raise ValueError(f"--tie: {text[:20]!r} is not a range of places such as 2-3")
    return int(found[1]), int(found[2])
