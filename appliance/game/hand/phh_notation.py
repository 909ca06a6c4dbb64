"""The notation of PHH's actions: who, what and with which arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from appliance.game.hand.cards import CardError, cards_text, parse_cards

BETTING = ("f", "cc", "cbr")
FLOP_CARDS = 3
_DEAD = re.compile(r"# (p[0-9]{1,2}): dead hand")
"""As `phh_write` notes what the format has no word for."""


class BadAction(ValueError):
    """An action that is no notation, for this reason."""


class Action(NamedTuple):
    """One action. ``actor``: a position; None: the dealer."""

    actor: int | None
    verb: str
    arguments: list[str]


def action_of(text: str) -> Action | None:
    """The parts of an action; None for a comment or nothing. Raises `BadAction`."""
    words = text.partition("#")[0].split()
    if not words:
        return None
    who, *rest = words
    if not rest:
        raise BadAction("no-action")
    return Action(None if who == "d" else position_of(who), rest[0], rest[1:])


def position_of(text: str) -> int:
    """The position of ``p1``, the first left of the button. Raises `BadAction`."""
    if text[:1] == "p" and text[1:].isascii() and text[1:].isdecimal() and int(text[1:3]) >= 1 and len(text) <= 3:
        return int(text[1:]) - 1
    raise BadAction("no-such-player")


def dead_hand(text: str) -> int | None:
    """Whose hand a comment declares dead, if it is such a comment. Raises `BadAction`."""
    dead = _DEAD.fullmatch(text.strip())
    return position_of(dead[1]) if dead else None


def first_to_bet(actions: Sequence[str]) -> int | None:
    """Who is the first to fold, check, call or bet, as far as it can be read."""
    for text in actions:
        try:
            action = action_of(text)
            if dead_hand(text) is not None:
                return None
        except BadAction:
            return None
        if action is not None and action.verb in BETTING:
            return action.actor
    return None


def numbered(actions: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Each action with its number, from 1; a flop dealt card by card is one, that of its last card."""
    held, at, complete = "", 0, False
    for number, text in enumerate(actions, 1):
        cards = None if complete else _board_cards(text)
        if cards is None:
            if held and text.partition("#")[0].strip():
                yield at, f"d db {held}"
                held, complete = "", True
            yield number, text
            continue
        held, at = held + cards, number
        if len(held) >= 2 * FLOP_CARDS:
            yield at, f"d db {held}"
            held, complete = "", True


def _board_cards(text: str) -> str | None:
    """The cards of a board dealing that can be read."""
    try:
        action = action_of(text)
        if action is None or action.actor is not None or action.verb != "db" or not action.arguments:
            return None
        return cards_text(parse_cards("".join(action.arguments)))
    except (BadAction, CardError):
        return None
