"""What is said of a tracked hand, in words: whose turn it is and what it may cost, and who won what."""

from __future__ import annotations

from collections.abc import Mapping

from appliance.display.view import HandView, PotView, ReadingView
from appliance.game.hand.reasons import sentence
from appliance.game.hand.wording import in_czech, in_english
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
        case "dropped":
            return tr.gettext("This hand is not followed: it is only counted")
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
    """Who won which pot, a line each, with the name of the hand; empty before the award.

    Of more than two pots the seats are told by their numbers, and no hands.
    """
    many = len(hand.pots) > 2
    return [_pot_line(n, pot, {} if many else who, tr) for n, pot in enumerate(hand.pots) if pot.winners]


def _pot_line(index: int, pot: PotView, who: Mapping[int, str], tr: Translator) -> str:
    winners = ", ".join(who.get(seat, str(seat)) for seat in pot.winners)
    to = winners if who else tr.ngettext("seat {seats}", "seats {seats}", len(pot.winners), seats=winners)
    line = f"{pot_name(index, tr)}: {tr.number(pot.amount)} → {to}"
    return line if pot.strength is None or not who else f"{line} ({hand_name(pot.strength, tr)})"


def hand_name(strength: int, tr: Translator) -> str:
    """What a hand of this strength is called."""
    return in_czech(strength) if tr.lang == "cs" else in_english(strength)


def reading_text(read: ReadingView, who: str, tr: Translator) -> str:
    """What a declaration was read as, and why."""
    amount = tr.number(read.amount)
    action = {
        "fold": tr.gettext("fold"),
        "check": tr.gettext("check"),
        "call": tr.gettext("call {amount}", amount=amount),
        "bet": tr.gettext("bet {amount}", amount=amount),
        "raise": tr.gettext("raise to {amount}", amount=amount),
    }[read.action].replace(" ", NBSP)
    return f"{who}: {action}. {sentence(read.reason, read.detail, 'cs' if tr.lang == 'cs' else 'en')}"
