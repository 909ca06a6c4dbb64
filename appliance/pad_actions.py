"""The dealer's keys for what players do, on turn or not, and how the house reads it. Pure; see `appliance.pad`."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from appliance.game.hand.binding import Act, Binding
from appliance.game.hand.declared import interpret
from appliance.game.hand.hand import Hand
from appliance.game.hand.out_of_turn import OutOfTurn, out_of_turn
from appliance.game.tablestream import commands as c
from appliance.game.tablestream.actions import declaration_of
from appliance.game.tablestream.commands import TableCommand
from appliance.game.tablestream.turns import reason_of
from appliance.pad_state import Here, Pad, Pressed, ReadAs, ask, not_now, refuse

Said = Literal["fold", "check", "call", "bet", "raise", "all-in", "amount"]

_SEVERAL = 2
"""Meanings that an unclear amount has at least."""

_PLAIN = ("said-fold", "said-check", "said-call", "said-all-in", "said-amount")
"""Reasons that say no more than the key did."""


def chips_of(typed: str) -> tuple[int, ...]:
    """The numbers that were typed."""
    return tuple(int(number) for number in typed.split("+") if number)


def action(pad: Pad, key: str, here: Here) -> Pressed:
    """What a player does: the one on turn, or the chosen one, who is asked for once more if it is not their turn."""
    hand = here.ready
    turn = hand.actor
    if turn is None or hand.phase != "betting":
        return not_now(pad, here)
    if pad.declared is not None and key in ("fold", "check-call"):
        return _declared(replace(pad.declared, choice="fold" if key == "fold" else "call"), here)
    position = turn if pad.seat is None else here.position(pad.seat)
    if position is None:
        return refuse(pad, "not-dealt-in", seat=pad.seat)
    chips = chips_of(pad.typed)
    if key in ("raise", "push") and not chips:
        return refuse(pad, "amount-first")
    if key == "unclear" and len(set(chips)) < _SEVERAL:
        return refuse(pad, "amounts-first")
    if question := _question(pad, key, chips, position, hand, here):
        return question
    if position == turn:
        command = _on_turn(key, chips, hand, here)
        return _declared(command, here) if isinstance(command, c.Declare) else Pressed(Pad(), command)
    pressed = _declared(_early(key, chips, position, hand, here), here)
    return pressed._replace(pad=replace(pressed.pad, acted=key))


def _question(pad: Pad, key: str, chips: tuple[int, ...], position: int, hand: Hand, here: Here) -> Pressed | None:
    """What has to be asked before the key is believed: whether it is meant for whom it would hit, and for so much."""
    turn = hand.actor
    assert turn is not None, "somebody is on turn"
    if position != turn:
        asked = ask(pad, key, "not-on-turn", seat=pad.seat, turn=here.seat(turn))
    elif pad.seat is None and pad.missed:
        asked = ask(pad, key, "seat-missed", turn=here.seat(turn))
    elif pad.seat is None and pad.acted == key:
        asked = ask(pad, key, "acted-again", turn=here.seat(turn))
    else:
        asked = None
    return asked or (ask(pad, key, "chips-odd", unit=hand.unit) if _odd(key, chips, position, hand) else None)


def _odd(key: str, chips: tuple[int, ...], position: int, hand: Hand) -> bool:
    """Whether no chips in play make this amount, and it is neither all that the player has nor an all-in to call."""
    if key not in ("raise", "push", "unclear", "uncounted") or not any(number % hand.unit for number in chips):
        return False
    bet, stack = hand.bets[position], hand.stacks[position]
    return key == "unclear" or sum(chips) not in (stack, bet + stack, max(hand.bets) - bet, max(hand.bets))


def _declared(command: c.Declare, here: Here) -> Pressed:
    return Pressed(Pad(reading=_read_as(command, here)), command)


def _on_turn(key: str, chips: tuple[int, ...], hand: Hand, here: Here) -> TableCommand:
    round, number, position = here.round, here.number, hand.actor
    assert position is not None, "somebody is on turn"
    match key:
        case "fold":
            return c.Act(round=round, hand=number, position=position, action="fold")
        case "all-in":  # where that much may not be raised, the rules make a smaller raise or a call of it (H-4)
            return c.Declare(round=round, hand=number, position=position, said="all-in")
        case "check-call":
            legal = hand.legal()
            action: Literal["check", "call"] = "check" if legal is None or legal.check else "call"
            return c.Act(round=round, hand=number, position=position, action=action)
        case "unclear":
            return c.Declare(round=round, hand=number, position=position, said="amount", meanings=chips)
        case "uncounted":
            return c.Declare(round=round, hand=number, position=position, chips=chips, uncounted=True)
        case "raise" if len(chips) == 1:
            return c.Act(round=round, hand=number, position=position, action="raise", to=chips[0])
        case _:
            said: Literal["raise"] | None = "raise" if key == "raise" else None
            return c.Declare(round=round, hand=number, position=position, said=said, chips=chips)


def _early(key: str, chips: tuple[int, ...], position: int, hand: Hand, here: Here) -> c.Declare:
    """What a player does before the turn has come (H-9)."""
    bet = max(hand.bets)
    words: dict[str, Said] = {
        "fold": "fold",
        "all-in": "all-in",
        "check-call": "call" if bet > hand.bets[position] else "check",
        "raise": "raise" if bet else "bet",
        "unclear": "amount",
    }
    total = chips[0] if key == "raise" and len(chips) == 1 else None
    return c.Declare(
        round=here.round,
        hand=here.number,
        position=position,
        said=words.get(key),
        amount=total,
        chips=chips if key in ("raise", "push", "uncounted") and total is None else (),
        meanings=chips if key == "unclear" else (),
        uncounted=key == "uncounted",
        out_of_turn=True,
    )


def _read_as(command: c.Declare, here: Here) -> ReadAs | None:
    """How the house reads it; None where the key already says all, and where it will be refused."""
    hand, declaration = here.ready, declaration_of(command)
    if command.out_of_turn:
        acted = out_of_turn(hand, declaration, here.early)
        return _waits(acted, hand, here) if isinstance(acted, OutOfTurn) else None
    read = interpret(hand, declaration)
    if not isinstance(read, Binding) or (read.decides is not None and command.choice not in read.options):
        return None
    read = read if command.choice is None or read.decides is None else read.choose(command.choice)
    reason = reason_of(hand, here.early)
    if reason is None and read.reason in _PLAIN:
        return None
    amount = read.put_in if read.action == "call" else read.to
    return ReadAs(here.seat(read.position), read.action, amount, reason or read.reason, read.detail)


def _waits(acted: OutOfTurn, hand: Hand, here: Here) -> ReadAs:
    action: Act = acted.action
    amount = acted.to - hand.bets[acted.position] if action == "call" else acted.to
    return ReadAs(here.seat(acted.position), action, amount, acted.reason, waits=action != "fold")
