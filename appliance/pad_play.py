"""The dealer's keys inside a hand: actions, amounts, cards, seats. Pure; see `appliance.pad`."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from appliance.game.hand.cards import UNKNOWN
from appliance.game.refusal import Refusal
from appliance.game.tablestream import commands as c
from appliance.game.tablestream.commands import TableCommand
from appliance.pad_state import DIGITS, RANK_KEYS, SUIT_KEYS, Here, Pad, Pressed, dealt, touched
from appliance.pad_winners import ask_winners

_DIGITS_MOST, _TYPED_MOST = 9, 60
_CARDS_MOST = 10
"""Characters of a flop and a bit; more cards at once are nobody's."""

NO_AMOUNT = Refusal("bad-notation", {"reason": "an-amount-is-positive"})


def play(pad: Pad, key: str, here: Here) -> Pressed:
    """A key while the hand is played."""
    if key in DIGITS or key in ("plus", "back"):
        return Pressed(replace(pad, typed=_typed(pad.typed, key), seat=None if _clears(pad, key) else pad.seat))
    if key == "seat" or touched(key) is not None:
        return Pressed(_with_seat(pad, key, here))
    match key:
        case "fold" | "check-call" | "raise" | "all-in" | "push":
            return _action(pad, key, here)
        case "next":
            return _next(pad, here)
        case "win" if here.contested:
            return ask_winners(here)
        case "win":
            return Pressed(replace(pad, problem=_not_over(here)))
        case "cards":
            return Pressed(replace(pad, mode="cards", typed=""))
        case "show" | "muck" | "dead":
            return _of_a_player(pad, key, here)
        case _:
            return Pressed(pad)


def menu(pad: Pad, key: str, here: Here) -> Pressed:
    """A key while the rare ones are offered: what it does is done in the play."""
    pressed = play(replace(pad, mode="play"), key, here)
    return pressed._replace(pad=replace(pressed.pad, mode="menu")) if key.startswith("seat") else pressed


def cards(pad: Pad, key: str, here: Here) -> Pressed:
    """A key while cards are typed: for the chosen seat, else for the board."""
    if key == "cards":
        return Pressed(Pad(seat=pad.seat))
    if key == "back":
        return Pressed(replace(pad, typed=pad.typed[:-1]) if pad.typed else Pad(seat=pad.seat))
    if key in ("done", "next"):
        return Pressed(Pad(), _told_cards(pad, here)) if pad.typed else Pressed(Pad(seat=pad.seat))
    if key == "seat" or touched(key) is not None:
        return Pressed(replace(_with_seat(replace(pad, typed=""), key, here), mode="cards", typed=pad.typed))
    wanted = SUIT_KEYS if len(pad.typed) % 2 else (*RANK_KEYS, *DIGITS[1:9])
    if key not in wanted or len(pad.typed) >= _CARDS_MOST:
        return Pressed(pad)
    return Pressed(replace(pad, typed=pad.typed + key))


def play_keys(here: Here) -> tuple[str, ...]:
    """The keys that make sense while the hand is played, but for those that always do."""
    legal = dealt(here.hand, here.told.begun).legal()
    if legal is None:
        keys: tuple[str, ...] = ("next",) if here.contested or here.hand.phase == "deal-board" else ()
        keys += ("cards",) if here.hand.phase == "deal-board" else ()
        keys += ("win",) if here.contested else ()
        return keys + (("show", "muck", "cards") if here.hand.phase == "showdown" else ())
    raises = ("raise", *DIGITS, "back") if legal.raise_min is not None else ()
    pushes = ("push", "plus", *(() if raises else (*DIGITS, "back")))
    return ("fold", "check-call", "all-in", *raises, *pushes, *(("cards",) if here.hand.phase == "deal-hole" else ()))


def chips_of(typed: str) -> tuple[int, ...]:
    """The numbers that were typed."""
    return tuple(int(number) for number in typed.split("+") if number)


def _typed(typed: str, key: str) -> str:
    if key == "back":
        return typed[:-1]
    number = typed.rpartition("+")[2]
    if key == "plus":
        return typed + "+" if number and len(typed) < _TYPED_MOST else typed
    if len(number) + len(key) > _DIGITS_MOST or len(typed) >= _TYPED_MOST or (not number and key in ("0", "00")):
        return typed
    return typed + key


def _clears(pad: Pad, key: str) -> bool:
    """Whether the key takes back the choice of a seat."""
    return key == "back" and not pad.typed


def _with_seat(pad: Pad, key: str, here: Here) -> Pad:
    """Choose a seat: the one touched or typed, else the next one that is in the hand."""
    numbers = chips_of(pad.typed)
    seat = touched(key) if key != "seat" else numbers[-1] if numbers else _next_seat(pad, here)
    if here.position(seat) is None:
        return replace(pad, problem=Refusal("no-such-seat", {"seat": seat}))
    return replace(pad, seat=None if key != "seat" and seat == pad.seat else seat, typed="")


def _next_seat(pad: Pad, here: Here) -> int | None:
    live = here.hand.live
    before = here.position(pad.seat)
    if before is None:
        return here.seat(here.hand.actor if here.hand.actor is not None else live[0]) if live else None
    return here.seat(next((position for position in live if position > before), live[0]))


def _action(pad: Pad, key: str, here: Here) -> Pressed:
    """What the player on turn does."""
    position = dealt(here.hand, here.told.begun).actor
    if position is None or here.hand.phase == "showdown":
        return Pressed(replace(pad, problem=_not_over(here)))
    if pad.declared is not None and key in ("fold", "check-call"):
        return Pressed(Pad(), replace(pad.declared, choice="fold" if key == "fold" else "call"))
    command = _command_of(key, chips_of(pad.typed), position, here)
    return Pressed(replace(pad, problem=NO_AMOUNT)) if command is None else Pressed(Pad(), command)


def _command_of(key: str, chips: tuple[int, ...], position: int, here: Here) -> TableCommand | None:
    """The command of an action; None where an amount is missing."""
    round, hand = here.round, here.number
    match key:
        case "fold":
            return c.Act(round=round, hand=hand, position=position, action="fold")
        case "all-in":  # where that much may not be raised, the rules make a smaller raise or a call of it (H-4)
            return c.Declare(round=round, hand=hand, position=position, said="all-in")
        case "check-call":
            legal = dealt(here.hand, here.told.begun).legal()
            action: Literal["check", "call"] = "check" if legal is None or legal.check else "call"
            return c.Act(round=round, hand=hand, position=position, action=action)
        case _ if not chips:
            return None
        case "raise" if len(chips) == 1:
            return c.Act(round=round, hand=hand, position=position, action="raise", to=chips[0])
        case _:
            said: Literal["raise"] | None = "raise" if key == "raise" else None
            return c.Declare(round=round, hand=hand, position=position, said=said, chips=chips)


def _next(pad: Pad, here: Here) -> Pressed:
    """Go on: cards of the board that nobody looked at, or the end of the hand."""
    hand = here.hand
    if hand.phase == "deal-board":
        return Pressed(Pad(), c.DealBoard(round=here.round, hand=here.number))
    if not here.contested:
        return Pressed(pad)
    known = not hand.over and UNKNOWN not in hand.board and all(UNKNOWN not in hand.holes[p] for p in hand.live)
    return Pressed(Pad(), c.Settle(round=here.round, hand=here.number)) if known else ask_winners(here)


def _of_a_player(pad: Pad, key: str, here: Here) -> Pressed:
    """Show, muck or kill: the chosen player's hand; without a choice, of who is due to show."""
    position = here.chosen(pad) if key != "dead" else here.position(pad.seat)
    if position is None:
        return Pressed(replace(pad, problem=_not_over(here)))
    match key:
        case "dead":
            return Pressed(Pad(), c.Kill(round=here.round, hand=here.number, position=position))
        case "muck":
            return Pressed(Pad(), c.Muck(round=here.round, hand=here.number, position=position))
        case _ if UNKNOWN in here.hand.holes[position] or not here.hand.holes[position]:
            return Pressed(replace(pad, mode="cards", typed="", seat=here.seat(position)))
        case _:
            return Pressed(Pad(), c.Show(round=here.round, hand=here.number, position=position))


def _told_cards(pad: Pad, here: Here) -> TableCommand:
    """The cards that were typed are a player's, dealt or shown, or the board's."""
    position = here.position(pad.seat)
    if position is None:
        return c.DealBoard(round=here.round, hand=here.number, cards=pad.typed)
    if here.hand.phase == "deal-hole":
        return c.DealHole(round=here.round, hand=here.number, position=position, cards=pad.typed)
    return c.Show(round=here.round, hand=here.number, position=position, cards=pad.typed)


def _not_over(here: Here) -> Refusal:
    """It is not the time for this: what the hand waits for."""
    hand = here.hand
    return Refusal("hand-over") if hand.over else Refusal("not-your-turn", {"waits_for": hand.phase})
