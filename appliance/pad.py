"""The dealer's keys: what a key of a keyboard, a numpad or the glass means at a table. Pure.

A key has a name of its own, whatever it came from. What was typed and chosen so far is a `Pad`; a key leads to the
next one and at most to one command, of the table's own stream or of the round.
"""

from __future__ import annotations

from msgspec.structs import replace

from appliance.game.commands import NextHand
from appliance.game.refusal import Refusal
from appliance.game.state import Phase
from appliance.game.tablestream import commands as c
from appliance.game.tablestream.commands import TableCommand
from appliance.pad_play import cards, menu, play, play_keys, takes_cards
from appliance.pad_state import (
    ACTIONS,
    DIGITS,
    KEYS,
    OTHERS,
    RANK_KEYS,
    SUIT_KEYS,
    UNCLEAR,
    At,
    Here,
    Mode,
    Pad,
    Pressed,
    refuse,
    seat_keys,
    touched,
)
from appliance.pad_winners import asked, winners

__all__ = [
    "ACTIONS",
    "DIGITS",
    "KEYBOARD",
    "KEYS",
    "OTHERS",
    "RANK_KEYS",
    "SUIT_KEYS",
    "At",
    "Mode",
    "Pad",
    "Pressed",
    "key_of",
    "keys_of",
    "press",
    "refused",
]

KEYBOARD: dict[str, str] = {
    **{digit: digit for digit in "0123456789"},
    **{f"[{digit}]": digit for digit in "0123456789"},
    "f": "fold", "[/]": "fold", "c": "check-call", "space": "check-call", "[*]": "check-call", "r": "raise",
    "[.]": "00", "a": "all-in", "p": "push", "return": "next", "enter": "next", "[+]": "plus", "+": "plus",
    "=": "plus", "u": "undo", "[-]": "undo", "backspace": "back", "escape": "back", "n": "seat",
    "s": "show", "m": "muck", "w": "win", "d": "done", "k": "cards", "delete": "dead",
    "b": "player-back", "q": "unclear", "z": "uncounted",
    "x": "drop", "tab": "menu",
}  # fmt: skip
"""Keys of a keyboard and its numpad, as pygame names them; the function keys are the commissioner's."""

_OF_CARDS = ("card-repeated", "bad-notation")
"""Refusals of cards that can be corrected."""

_CARD_KEYS = {**{suit: suit for suit in SUIT_KEYS}, **{rank.lower(): rank for rank in RANK_KEYS}}

_MODES = {"play": play, "menu": menu, "cards": cards, "winners": winners}


def key_of(pad: Pad, name: str) -> str | None:
    """The key that a keyboard's key of this name is now; None if it is none."""
    return _CARD_KEYS.get(name, KEYBOARD.get(name)) if pad.mode == "cards" else KEYBOARD.get(name)


def press(pad: Pad, key: str, at: At) -> Pressed:
    """What a key means here. One that makes no sense now says so; a name that is no key changes nothing."""
    pressed = _pressed(_before(pad, key), key, at)
    heard = key in KEYS or touched(key) is not None
    cleared = key == "back" and pad.problem is not None
    idle = pressed[1:] == (None, None) and pressed.pad == replace(pad, problem=None, confirm=None, acted=None)
    return refuse(pressed.pad, "key-idle") if heard and idle and not cleared else pressed


def _pressed(pad: Pad, key: str, at: At) -> Pressed:
    told, here = at.hands.current, Here.of(at.hands)
    if key == "undo":
        return _undo(at)
    if told is None:
        return _between(key, at)
    if key == "drop":
        return Pressed(Pad(), c.DropHand(round=told.begun.round, hand=told.begun.hand))
    if here is None:
        return Pressed(replace(Pad(), problem=Refusal("hand-in-doubt")))
    if key == "menu":
        return Pressed(_menu(pad))
    return _MODES[pad.mode](pad, key, here)


def _before(pad: Pad, key: str) -> Pad:
    """The pad as a key finds it: no longer what was refused, asked to be confirmed, or to be chosen by another key."""
    confirm = pad.confirm if pad.confirm == key else None
    declared = pad.declared if key in ("fold", "check-call") else None
    acted = pad.acted if pad.acted == key else None
    return replace(pad, problem=None, confirm=confirm, declared=declared, acted=acted)


def _between(key: str, at: At) -> Pressed:
    """A key while no hand is tracked."""
    command = _next_hand(at) if key == "next" else None
    if key == "next":
        return Pressed(Pad(), round_command=command) if command else refuse(Pad(), "not-running")
    return refuse(Pad(), "not-followed") if key in KEYS else Pressed(Pad())


def _menu(pad: Pad) -> Pad:
    """The rare keys, or the play again; half-typed cards are no amount there, and winners are asked for anew."""
    if pad.mode in ("cards", "winners"):
        return Pad(seat=pad.seat, mode="menu")
    return replace(pad, mode="play" if pad.mode == "menu" else "menu")


def refused(before: Pad, command: TableCommand, refusal: Refusal) -> Pad:
    """The pad after its command was refused: what was typed is there again, to be corrected.

    Where the rules leave a choice, the declaration waits for the key that makes it (H-10).
    """
    if refusal.code == "choice-open" and isinstance(command, c.Declare):
        return Pad(problem=refusal, declared=command, said=command.said)
    if before.mode == "cards" and refusal.code not in _OF_CARDS:
        return Pad(seat=before.seat, problem=refusal)
    return replace(before, problem=refusal)


def keys_of(pad: Pad, at: At) -> tuple[str, ...]:
    """The keys that make sense now."""
    undo = ("undo",) if _last_command(at) else ()
    if at.hands.current is None:
        return (*(("next",) if _next_hand(at) else ()), *undo)
    here = Here.of(at.hands)
    if here is None:
        return (*undo, "drop")
    live = here.hand.live
    if pad.declared is not None:
        return ("fold", "check-call", "back", *undo)
    back = ("player-back",) if here.absent else ()
    match pad.mode:
        case "cards":
            return (*RANK_KEYS, *DIGITS[1:9], *SUIT_KEYS, "back", "done", *seat_keys(here, live), *undo)
        case "winners":
            return ("back", "done", *seat_keys(here, asked(pad, here)), *undo)
        case "menu":
            unclear = UNCLEAR if here.ready.legal() is not None else ()
            return (
                *unclear,
                *(("cards",) if takes_cards(here.hand) else ()),
                "seat",
                "show",
                "muck",
                "dead",
                *back,
                "drop",
                *undo,
                "menu",
                *seat_keys(here, live),
            )
        case _:
            return (*play_keys(here), *back, *undo, "seat", "menu", *seat_keys(here, live))


def _next_hand(at: At) -> NextHand | None:
    round = at.round
    if round is None or round.phase is not Phase.RUNNING or at.table not in round.tables:
        return None
    return NextHand(round=round.id, table=at.table, seen=round.tables[at.table].hand)


def _undo(at: At) -> Pressed:
    command = _last_command(at)
    return Pressed(Pad(), command) if command else Pressed(Pad(problem=Refusal("nothing-to-undo")))


def _last_command(at: At) -> c.UndoAction | None:
    """What takes back the last step of the hand, but not its beginning: that is the round's.

    Once the round has begun the next hand, what is over stays.
    """
    hands = at.hands
    told = hands.current or hands.last
    if told is None or hands.done is None or hands.done.previous is None:
        return None
    begun = told.begun
    if hands.current is None:
        here = at.round.tables.get(at.table) if at.round and at.round.id == begun.round else None
        if here is None or here.hand != begun.hand:
            return None
    return c.UndoAction(round=begun.round, hand=begun.hand, of=hands.done.cause)
