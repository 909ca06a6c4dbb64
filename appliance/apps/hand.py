"""``tableside hand FILE.phh|FILE.phhs``: recorded hands played again under a profile (H), one JSON line each."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import msgspec

from appliance.filebytes import open_plain
from appliance.game.hand.facts import Problem
from appliance.game.hand.hand import Hand
from appliance.game.hand.phh import UNKNOWN_STACK, PhhError, Recorded, Scale, Unreadable, read
from appliance.game.hand.phh_replay import Replayed, replay, scale_of
from appliance.game.ruleset import PROFILES, RuleSet

MAX_FILE_BYTES = 64 * 2**20
_POSITIONS = ("actor", "position")
_AMOUNTS = ("call", "faced", "full_raise", "minimum", "only", "to", "to_call", "total")

encode = msgspec.json.Encoder(decimal_format="number").encode


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The file and whose rules."""
    add_file(parser)
    parser.add_argument("--json", action="store_true", help="one JSON line a hand, as it is anyway")


def add_file(parser: argparse.ArgumentParser) -> None:
    """A file of hands, and the profile they are played under."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a .phh or .phhs file of no-limit hold'em hands")
    parser.add_argument("--profile", default="tda-2024", metavar="P", help="whose rules; tda-2024")


def run(args: argparse.Namespace) -> int:
    """Print a line a hand; 2 on a file or profile there is not, or an action that is not allowed."""
    try:
        rules = profile_of(args.profile)
        hands = hands_of(args.file)
    except PhhError as error:
        print(f"tableside hand: {error}", file=sys.stderr)
        return 2
    scale = scale_of(hands)
    failed = False
    for recorded in hands:
        played = replay(recorded, rules, scale)
        failed |= played.problem is not None
        print(encode(_report(recorded, played, scale)).decode())
    return 2 if failed else 0


def profile_of(name: str) -> RuleSet:
    """The profile of this name. Raises `PhhError`."""
    if name not in PROFILES:
        raise PhhError(f"--profile: {name[:40]!r} is none of {', '.join(PROFILES)}")
    return PROFILES[name]


def hands_of(path: Path) -> list[Recorded | Unreadable]:
    """The hands of a file. Raises `PhhError`."""
    try:
        with open_plain(path) as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise PhhError(f"{named(path)}: {error.strerror}") from None
    if len(data) > MAX_FILE_BYTES:
        raise PhhError(f"{named(path)}: more than {MAX_FILE_BYTES // 2**20} MiB")
    try:
        return read(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise PhhError(f"{named(path)}: not UTF-8 (at line {line})") from None
    except PhhError as error:
        raise PhhError(f"{named(path)}: {error}") from None


def named(name: object) -> str:
    """A file or hand as a message names it: on one line, whatever is in its name."""
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in str(name)[:200])


def error_of(played: Replayed, scale: Scale) -> dict[str, Any] | None:
    """Why a record could not be played to its end."""
    if played.problem is None:
        return None
    return {"action": played.action, "code": played.problem.code, "detail": _detail(played.problem, scale)}


def player(position: int) -> str:
    """As PHH calls a position: ``p1`` is the first left of the button."""
    return f"p{position + 1}"


def _report(recorded: Recorded | Unreadable, played: Replayed, scale: Scale) -> dict[str, Any]:
    hand = played.hand
    more: dict[str, Any] = {}
    if played.undecided:
        more["undecided"] = [index + 1 for index in played.undecided]
    if played.contradicted:
        more["contradicted"] = list(played.contradicted)
    return {
        "hand": recorded.name,
        "finishing_stacks": _stacks(hand, played, scale) if hand else [],
        "pots": _pots(hand, scale) if hand else [],
        "show_order": [player(position) for position in hand.show_order] if hand else [],
        "error": error_of(played, scale),
        **more,
    }


def _stacks(hand: Hand, played: Replayed, scale: Scale) -> list[Any]:
    """None also where it is open who won a pot that this player had a claim to."""
    return [None if position in played.in_doubt else _stack(chips, scale) for position, chips in enumerate(hand.stacks)]


def _stack(chips: int, scale: Scale) -> Any:
    """None where nobody wrote down how much there was."""
    return scale.amount(chips) if chips < UNKNOWN_STACK // 2 else None


def _pots(hand: Hand, scale: Scale) -> list[dict[str, Any]]:
    awards = [dict(award.shares) for award in hand.awards] or [{} for _ in hand.pots()]
    return [
        {
            "amount": scale.amount(pot.amount),
            "eligible": [player(position) for position in pot.eligible],
            "awards": {player(position): scale.amount(share) for position, share in shares.items()},
        }
        for pot, shares in zip(hand.pots(), awards, strict=True)
    ]


def _detail(problem: Problem, scale: Scale) -> dict[str, Any]:
    told = dict(problem.detail)
    for key, value in told.items():
        if isinstance(value, int) and key in _POSITIONS:
            told[key] = player(value)
        elif isinstance(value, int) and key in _AMOUNTS:
            told[key] = _stack(value, scale)
    return told
