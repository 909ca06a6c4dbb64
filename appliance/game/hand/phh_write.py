"""Hands written in PHH, so that `phh` and others read them again.

Two things the format has no words for stand where other readers pass over them: a dead hand is a comment among the
actions (``# p3: dead hand``), the smallest chip, where it is more than the smallest unit, the field ``_unit``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, time
from decimal import Decimal
from typing import Any

from appliance.game.hand.cards import card_text, cards_text
from appliance.game.hand.facts import (
    Bet,
    BoardDealt,
    Called,
    Checked,
    Dealt,
    Fact,
    Folded,
    Killed,
    Mucked,
    Raised,
    Restricted,
    Shown,
)
from appliance.game.hand.hand import Hand
from appliance.game.hand.phh import UNKNOWN_STACK, VARIANT, Scale

_WHOLE = Scale()
_BOARDS = 3


def write(
    hand: Hand,
    *,
    blinds: Sequence[int],
    antes: Sequence[int] | None = None,
    trims_antes: bool = False,
    scale: Scale = _WHOLE,
    fields: Mapping[str, Any] | None = None,
) -> str:
    """A hand as the text of a ``.phh`` file.

    ``blinds`` as `Hand.begin` takes them, ``antes`` by position with dead posts among them; ``trims_antes``: who was
    short of the ante contests only as much of the others'. ``fields``: venue, table, seats, players and whatever else
    the format knows, in that order.
    """
    owed = tuple(antes or [0] * len(hand.holes))
    known: dict[str, Any] = {
        "variant": VARIANT,
        "ante_trimming_status": trims_antes,
        "antes": _amounts(owed[::-1] if len(owed) == 2 else owed, scale),
        "blinds_or_straddles": _amounts(blinds, scale),
        "min_bet": scale.amount(hand.betting.terms.minimum_bet),
        "starting_stacks": _amounts(hand.starting_stacks, scale),
        "actions": list(actions_of(hand.facts, scale)),
    }
    if hand.over and not hand.undecided:
        known |= {"finishing_stacks": _amounts(hand.stacks, scale), "winnings": _amounts(_winnings(hand), scale)}
    if hand.unit != 1:
        known["_unit"] = scale.amount(hand.unit)
    return "".join(f"{name} = {_toml(value)}\n" for name, value in {**known, **(fields or {})}.items())


def write_all(hands: Iterable[str]) -> str:
    """Several texts of `write` as that of a ``.phhs`` file."""
    return "\n".join(f"[{number}]\n{text}" for number, text in enumerate(hands, 1))


def actions_of(facts: Iterable[Fact], scale: Scale = _WHOLE) -> Iterator[str]:
    """What was done in a hand, as PHH notes it; what follows by itself is left out."""
    boards = 0
    for fact in facts:
        boards += isinstance(fact, BoardDealt)
        if text := _action(fact, scale, boards == _BOARDS):
            yield text


def _action(fact: Fact, scale: Scale, complete: bool) -> str | None:
    match fact:
        case Dealt(position, cards):
            return f"d dh p{position + 1} {cards_text(cards)}"
        case BoardDealt(_, cards):
            return f"d db {cards_text(cards)}"
        case Folded(position):
            return f"p{position + 1} f"
        case Checked(position) | Called(position):
            return f"p{position + 1} cc"
        case Bet(position, _, to) | Raised(position, _, to):
            return f"p{position + 1} cbr {_amount(scale.amount(to))}"
        case Shown(position, cards):
            return f"p{position + 1} sm {cards_text(cards)}"
        case Mucked(position, [card]) if complete:
            return f"p{position + 1} sm {card_text(card)}??"
        case Mucked(position):
            return f"p{position + 1} sm"
        case Killed(position):
            return f"# p{position + 1}: dead hand"
        case Restricted(position):
            return f"# p{position + 1}: may only check, call or fold"
    return None


def _winnings(hand: Hand) -> list[int]:
    taken = [0] * len(hand.holes)
    for award in hand.awards:
        for position, share in award.shares:
            taken[position] += share
    return taken


def _amounts(chips: Iterable[int], scale: Scale) -> list[Any]:
    return [scale.amount(each) if each < UNKNOWN_STACK // 2 else Decimal("inf") for each in chips]


def _amount(value: int | Decimal) -> str:
    return str(value) if isinstance(value, int) or not value.is_finite() else f"{value:f}"


def _toml(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int() | Decimal():
            return _amount(value).lower().replace("infinity", "inf")
        case time() | date():
            return value.isoformat()
        case list() | tuple():
            return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
