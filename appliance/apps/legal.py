"""``tableside legal FILE.phh``: what the player to act may do after the file's last action (H-3, H-4)."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from appliance.apps.hand import add_file, encode, error_of, hands_of, named, player, profile_of
from appliance.game.hand.hand import Hand
from appliance.game.hand.phh import UNKNOWN_STACK, PhhError, Scale
from appliance.game.hand.phh_replay import Replayed, replay, scale_of
from appliance.i18n import Translator


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The file and whose rules."""
    add_file(parser)
    parser.add_argument("--json", action="store_true", help="one JSON line a hand, as it is anyway")


def run(args: argparse.Namespace) -> int:
    """Print a line a hand; 2 on a file or profile there is not, or an action that is not allowed."""
    try:
        rules = profile_of(args.profile)
        hands = hands_of(args.file)
    except PhhError as error:
        print(f"tableside legal: {error}", file=sys.stderr)
        return 2
    scale = scale_of(hands)
    failed = False
    for recorded in hands:
        played = replay(recorded, rules, scale, settled=False)
        if played.hand is None or played.problem is not None:
            failed = True
            where = f"{named(args.file)}: hand {named(recorded.name)}"
            print(f"tableside legal: {where}: {_sentence(played, scale)}", file=sys.stderr)
        else:
            print(encode(_choices(played.hand, scale)).decode())
    return 2 if failed else 0


def _sentence(played: Replayed, scale: Scale) -> str:
    """Why the record ends before its last action: for people, then for programs."""
    error = error_of(played, scale)
    assert error is not None, "there is a problem"
    at = "" if error["action"] is None else f"action {error['action']}: "
    text = Translator("en").refusal(error["code"], error["detail"])
    return f"{at}{text} {encode(error).decode()}"


def _choices(hand: Hand, scale: Scale) -> dict[str, Any]:
    """All false and null while nobody is to bet: a card is to be dealt or shown, or the hand is over."""
    legal = hand.legal()
    if legal is None:
        return {"actor": None, "fold": False, "check": False, "call": None, "raise": None}
    return {
        "actor": player(legal.actor),
        "fold": legal.fold,
        "check": legal.check,
        "call": None if legal.call is None else scale.amount(legal.call),
        "raise": _range(legal.raise_min, legal.raise_max, scale),
    }


def _range(least: int | None, most: int | None, scale: Scale) -> dict[str, Any] | None:
    if least is None or most is None:
        return None
    return {"min": scale.amount(least), "max": scale.amount(most) if most < UNKNOWN_STACK // 2 else None}
