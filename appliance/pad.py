"""The dealer's keys: what a key of a keyboard, a numpad or the glass means at a table. Pure.

A key has a name of its own, whatever it came from. What was typed and chosen so far is a `Pad`; a key leads to the
next one and at most to one command, of the table's own stream or of the round.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from msgspec import Struct

from appliance.game.commands import NextHand
from appliance.game.refusal import Refusal
from appliance.game.state import Round
from appliance.game.tablestream.commands import TableCommand
from appliance.game.tablestream.state import TableHands

Mode = Literal["play", "cards", "winners", "menu"]

DIGITS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "00")
RANK_KEYS = ("A", "K", "Q", "J", "T")
"""The ranks of cards that are no digits."""
SUIT_KEYS = ("s", "h", "d", "c")
ACTIONS = ("fold", "check-call", "raise", "all-in", "push")
OTHERS = ("plus", "next", "undo", "back", "seat", "show", "muck", "win", "done", "cards", "dead", "drop")
KEYS = (*DIGITS, *ACTIONS, *OTHERS, *RANK_KEYS, *SUIT_KEYS)
"""Every key there is; in mode cards also the ranks (of the digits 9 to 2) and the suits. ``seat-1`` … ``seat-10``: a
seat that was touched."""

KEYBOARD: dict[str, str] = {
    **{digit: digit for digit in "0123456789"},
    **{f"[{digit}]": digit for digit in "0123456789"},
    "f": "fold", "c": "check-call", "[.]": "00", "r": "raise", "return": "next", "enter": "next", "[+]": "plus",
    "+": "plus", "a": "all-in", "p": "push", "u": "undo", "[-]": "undo", "backspace": "back", "n": "seat", "s": "show",
    "m": "muck", "w": "win", "d": "done", "k": "cards", "delete": "dead", "x": "drop",
}  # fmt: skip
"""Keys of a keyboard and its numpad, as pygame names them, in mode play."""


class Pad(Struct, frozen=True):
    """What was typed and chosen so far. ``typed``: digits, several chips with ``+`` between; cards in mode cards.

    ``seat`` was chosen for show, muck, dead and cards. ``winners``: by pot, positions of those who win, while asked.
    ``said``: a word that goes with the chips. ``problem``: why the last key led to nothing, until the next one.
    """

    typed: str = ""
    seat: int | None = None
    mode: Mode = "play"
    winners: tuple[tuple[int, ...], ...] = ()
    said: str | None = None
    problem: Refusal | None = None


class At(NamedTuple):
    """Where a key is pressed: the table's stream, the round at this table, if any, and the table's number."""

    hands: TableHands
    round: Round | None
    table: int


class Pressed(NamedTuple):
    """What a key led to: the next pad, and a command of the table's stream or of the round."""

    pad: Pad
    table_command: TableCommand | None = None
    round_command: NextHand | None = None


def press(pad: Pad, key: str, at: At) -> Pressed:
    """What a key means here; a name that is no key, and a key that makes no sense now, change nothing."""
    if key == "next" and at.hands.current is None and at.round is not None:
        return Pressed(Pad(), round_command=NextHand(round=at.round.id, table=at.table))
    return Pressed(pad)


def keys_of(pad: Pad, at: At) -> tuple[str, ...]:
    """The keys that make sense now."""
    return ("next",) if at.hands.current is None and at.round is not None else ()
