"""What is said of a tracked hand, in words: whose turn it is and what it may cost, and who won what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from appliance.display.view import HandView, PotView, ReadingView, Seat
from appliance.game.hand.reasons import sentence
from appliance.game.hand.wording import in_czech, in_english
from appliance.i18n import NBSP, Translator


def pot_name(index: int, tr: Translator) -> str:
    """The main pot, or a side pot by its number."""
    return tr.gettext("Side {n}", n=index) if index else tr.gettext("Pot")


def pot_short(index: int, tr: Translator) -> str:
    """The same where there is little room."""
    return tr.gettext("S{n}", n=index) if index else tr.gettext("Pot")


def names(seats: Iterable[Seat], tr: Translator) -> dict[int, str]:
    """What the players are called, by seat: with the seat where others at the table have the same name."""
    called = {seat.number: seat.who or str(seat.number) for seat in seats}
    times = Counter(called.values())
    return {n: with_seat(who, n if times[who] > 1 else None, tr) for n, who in called.items()}


def with_seat(who: str, seat: int | None, tr: Translator) -> str:
    """A name in one piece, with the seat where the name alone does not tell."""
    return (who if seat is None else tr.gettext("{who} (seat {seat})", who=who, seat=seat)).replace(" ", NBSP)


def turn_parts(hand: HandView, who: Mapping[int, str], tr: Translator) -> list[str]:
    """Who is on turn and what they may do, in parts; else what the hand waits for."""
    if hand.waits == "action" and hand.to_act is not None:
        return [tr.gettext("To act: {who}", who=who.get(hand.to_act, str(hand.to_act))), *choices(hand, tr)]
    return []


def turn_text(hand: HandView, who: Mapping[int, str], tr: Translator) -> str:
    """What the hand waits for but for an action."""
    match hand.waits:
        case "open":
            return tr.gettext("All-in: all hands are laid open")
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


def pot_lines(hand: HandView, who: Mapping[int, str], tr: Translator, *, whole: bool = False) -> list[str]:
    """Who won which pot, a line each, with the name of the hand; empty before the award.

    ``who`` empty: the seats are told by their numbers. ``whole``: the name of the hand is not broken over two lines.
    """
    return [_pot_line(n, pot, who, tr, whole) for n, pot in enumerate(hand.pots) if pot.winners]


def _pot_line(index: int, pot: PotView, who: Mapping[int, str], tr: Translator, whole: bool) -> str:
    winners = ", ".join(who.get(seat, str(seat)) for seat in pot.winners)
    to = winners if who else tr.ngettext("seat {seats}", "seats {seats}", len(pot.winners), seats=winners)
    pushed = f"{pot_name(index, tr)}: {tr.number(pot.amount)} →".replace(" ", NBSP)
    line = f"{pushed} {to.replace(' ', NBSP)}"
    if pot.strength is None:
        return line
    won = hand_name(pot.strength, tr)
    return f"{line} ({won.replace(' ', NBSP) if whole else won})"


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
