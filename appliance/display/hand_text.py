"""What is said of a tracked hand, in words: whose turn it is and what it may cost, and who won what."""

from __future__ import annotations

from collections.abc import Mapping

from appliance.display.view import HandView
from appliance.i18n import NBSP, Translator


def pot_name(index: int, tr: Translator) -> str:
    """The main pot, or a side pot by its number."""
    return tr.gettext("Side {n}", n=index) if index else tr.gettext("Pot")


def turn_text(hand: HandView, who: Mapping[int, str], tr: Translator) -> str:
    """What the hand waits for."""
    match hand.waits:
        case "action" if hand.to_act is not None:
            turn = tr.gettext("To act: {who}", who=who.get(hand.to_act, str(hand.to_act)))
            return " · ".join(part.replace(" ", NBSP) for part in (turn, *choices(hand, tr)))
        case "show" if hand.to_act is not None:
            return tr.gettext("Showdown: {who} is next to show", who=who.get(hand.to_act, str(hand.to_act)))
        case "board":
            return {
                "preflop": tr.gettext("The flop is next"),
                "flop": tr.gettext("The turn is next"),
                "turn": tr.gettext("The river is next"),
                "river": "",
            }[hand.street]
        case "winners":
            return tr.gettext("Who wins?")
        case "doubt":
            return tr.gettext("This hand can no longer be followed: count the stacks at its end")
        case _:
            return tr.gettext("The stacks were counted") if hand.counted else ""


def choices(hand: HandView, tr: Translator) -> list[str]:
    """What the player on turn may do and for how much."""
    said = [tr.gettext("call {amount}", amount=tr.number(hand.call)) if hand.call else tr.gettext("check")]
    if hand.raise_min is None or hand.raise_max is None:
        return said
    amount = tr.number(hand.raise_max)
    if hand.raise_min < hand.raise_max:
        amount = f"{tr.number(hand.raise_min)}{NBSP}–{NBSP}{amount}"
    return [
        *said,
        tr.gettext("raise to {amount}", amount=amount) if hand.bet else tr.gettext("bet {amount}", amount=amount),
    ]


def pot_lines(hand: HandView, who: Mapping[int, str], tr: Translator) -> list[str]:
    """Who won which pot, a line each; empty before the award. Of more than two pots the seats' numbers are told."""
    many = len(hand.pots) > 2
    return [
        f"{pot_name(n, tr)}: {tr.number(pot.amount)} → "
        + ", ".join(str(seat) if many else who.get(seat, str(seat)) for seat in pot.winners)
        for n, pot in enumerate(hand.pots)
        if pot.winners
    ]
