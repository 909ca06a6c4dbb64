"""A tracked hand and the dealer's keys → what the table's screen shows of them. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from msgspec.structs import replace

from appliance.display.from_call import seat_of_many
from appliance.display.view import HandSeat, HandView, PadView, PotView, ReadingView, Seat
from appliance.game.hand.cards import UNKNOWN, card_text
from appliance.game.hand.facts import Killed
from appliance.game.hand.hand import Hand
from appliance.game.hand.ranking import strength
from appliance.game.refusal import Refusal
from appliance.game.state import Phase, Round
from appliance.game.tablestream.absent import absent_of
from appliance.game.tablestream.replay import hand_of, replayed
from appliance.game.tablestream.state import TableHands, Tracked
from appliance.pad import Pad
from appliance.pad_state import ReadAs, dealt

_ALL_CARDS = 7
"""Two of a player's own and the whole board."""

_STREETS: tuple[Literal["preflop", "flop", "turn", "river"], ...] = ("preflop", "flop", "turn", "river")
_WAITS: dict[str, Literal["action", "board", "show", "winners"]] = {
    "betting": "action", "deal-board": "board", "showdown": "show", "over": "winners",
}  # fmt: skip


def hand_view(hands: TableHands | None, round: Round | None, number: int) -> HandView | None:
    """The hand in play at this table, or the one just over until the next begins; None where none is tracked."""
    told = _told(hands, round, number)
    if hands is None or told is None:
        return None
    if told is not hands.current and told.ended is None:
        return HandView(waits="dropped")
    view = _shown(hands, told)
    there = round.tables[number].seats if round else {}
    come = {seat for seat, dealt in _dealt(told).items() if there.get(seat, dealt) != dealt}
    return replace(view, seats=tuple(seat for seat in view.seats if seat.number not in come)) if come else view


def with_players(seats: tuple[Seat, ...], hands: TableHands | None, who: Callable[[str], str]) -> tuple[Seat, ...]:
    """The seats with those who lost their last chips in the hand just over still there."""
    told = hands and (hands.current or hands.last)
    if not told:
        return seats
    dealt = _dealt(told)
    return tuple(
        replace(seat, who=who(dealt[seat.number])) if seat.who is None and seat.number in dealt else seat
        for seat in seats
    )


def pad_view(
    pad: Pad | None,
    keys: tuple[str, ...],
    hands: TableHands | None,
    who: Callable[[str], str] = str,
    *,
    told: bool = True,
    there: Mapping[int, str] = {},
) -> PadView | None:
    """The keys to touch; None where there are none.

    ``who`` names a participant; ``told``: the director hears us; ``there``: who sits at the table, by seat.
    """
    if pad is None or not keys:
        return None
    current = hands.current if hands else None
    players = current.begun.players if current else ()
    asked = pad.mode == "winners"
    touched = pad.winners[-1] if asked and pad.winners else ()
    waits: tuple[str, Mapping[str, Any]] | None = None if pad.problem or told or current else ("waits-for-director", {})
    return PadView(
        keys=keys,
        mode=pad.mode,
        typed=pad.typed,
        seat=pad.seat,
        pot=_asked_pot(hands, len(pad.winners)) if asked else None,
        winners=tuple(players[position].seat for position in touched if position < len(players)),
        refused=waits or _refused(pad.problem, who, at_table(hands, there)),
        reading=_reading(pad.reading),
    )


def at_table(hands: TableHands | None, there: Mapping[int, str]) -> dict[int, str]:
    """Who sits at the table or sat there in the hand in play, or the last one, by seat."""
    told = hands and (hands.current or hands.last)
    return {**(_dealt(told) if told else {}), **there}


def _refused(
    problem: Refusal | None, who: Callable[[str], str], there: Mapping[int, str]
) -> tuple[str, Mapping[str, Any]] | None:
    """Why a key led to nothing, with the name of whom it is about, and the seat where another has the same name."""
    if problem is None:
        return None
    participant = problem.detail.get("participant")
    if not isinstance(participant, str):
        return problem.code, problem.detail
    seat = seat_of_many(participant, who, there)
    return problem.code, {**problem.detail, "who": who(participant), **({"who_seat": seat} if seat else {})}


def _reading(read: ReadAs | None) -> ReadingView | None:
    if read is None:
        return None
    return ReadingView(
        seat=read.seat, action=read.action, amount=read.amount, reason=read.reason, detail=read.detail, waits=read.waits
    )


def _asked_pot(hands: TableHands | None, asked: int) -> int:
    """Which of all pots it is that is asked for, the last one first; of a hand that is over those without a winner."""
    hand = hands.hand if hands else None
    if hand is None:
        return 0
    of_all = [n for n, each in enumerate(hand.awards) if not each.shares] if hand.over else range(len(hand.pots()))
    return of_all[-asked] if 0 < asked <= len(of_all) else 0


def _dealt(told: Tracked) -> dict[int, str]:
    """Who was dealt in, by seat."""
    return {player.seat: player.participant for player in told.begun.players}


def _shown(hands: TableHands, told: Tracked) -> HandView:
    hand = hands.hand if told is hands.current else _played_again(told)
    if hand is None:
        return HandView(waits="doubt") if told is hands.current else _counted(told)
    view = _of(hand, told)
    if told.ended is None:
        return view
    return _counted(told, view.board) if told.ended.counted else view


def _told(hands: TableHands | None, round: Round | None, number: int) -> Tracked | None:
    """The hand to show: the round's own at this table, while it is played."""
    if hands is None or round is None or round.phase is not Phase.RUNNING:
        return None
    told = hands.current or hands.last
    table = round.tables.get(number)
    if told is None or table is None or (told.begun.round, told.begun.hand) != (round.id, table.hand):
        return None
    return told


def _played_again(told: Tracked) -> Hand | None:
    return replayed(hand_of(told.begun), told.facts[len(told.begun.facts) :])


def _of(hand: Hand, told: Tracked) -> HandView:
    begun = told.begun
    hand = dealt(hand, begun)  # nobody has to tell the hole cards: the first player is on turn
    seat = [player.seat for player in begun.players]
    legal = hand.legal()
    together = hand.phase == "showdown" and hand.tabled
    return HandView(
        street=_STREETS[hand.street],
        waits="nothing" if hand.over and not hand.undecided else "open" if together else _WAITS[hand.phase],
        board=tuple(map(card_text, hand.board)),
        pots=_pots(hand, seat),
        seats=tuple(_seat(hand, told, position, number) for position, number in enumerate(seat)),
        to_act=None if hand.actor is None or together else seat[hand.actor],
        call=legal.call or 0 if legal else 0,
        bet=any(hand.bets),
        raise_min=legal.raise_min if legal else None,
        raise_max=legal.raise_max if legal else None,
        show_order=tuple(seat[position] for position in hand.to_show),
    )


def _pots(hand: Hand, seat: list[int]) -> tuple[PotView, ...]:
    if hand.over:
        return tuple(
            PotView(
                amount=each.amount,
                winners=tuple(seat[position] for position, _ in each.shares),
                strength=_strength(hand, [position for position, _ in each.shares]),
            )
            for each in hand.awards
        )
    return tuple(PotView(amount=pot.amount) for pot in hand.pots())


def _strength(hand: Hand, winners: list[int]) -> int | None:
    """How strong the hand is that won: of cards that lie open, on a board that is known."""
    cards = next(((*hand.holes[position], *hand.board) for position in winners if position in hand.shown), ())
    return strength(cards) if len(cards) == _ALL_CARDS and UNKNOWN not in cards else None


def _seat(hand: Hand, told: Tracked, position: int, number: int) -> HandSeat:
    live = position in hand.live
    killed = not live and any(isinstance(fact, Killed) and fact.position == position for fact in hand.facts)
    away = not live and position in absent_of(told.begun)
    return HandSeat(
        number=number,
        stack=hand.stacks[position],
        bet=hand.bets[position],
        folded=not live or position in hand.mucked,
        dead=killed and not away and position not in told.folded,
        away=away,
        out=hand.over and not hand.undecided and not hand.stacks[position],
        all_in=live and not hand.stacks[position] and not hand.over,
        cards=tuple(map(card_text, hand.holes[position])) if position in hand.shown else (),
        won=sum(share for each in hand.awards for who, share in each.shares if who == position),
    )


def _counted(told: Tracked, board: tuple[str, ...] = ()) -> HandView:
    """The stacks as a person told them: who won what nobody did."""
    stacks: Mapping[str, int] = told.ended.stacks if told.ended else {}
    seats = tuple(
        HandSeat(number=each.seat, stack=stacks[each.participant], out=not stacks[each.participant])
        for each in told.begun.players
    )
    return HandView(waits="nothing", board=board, seats=seats, counted=True)
