"""Who posts the big blind (S-3, S-5, S-7), read off the hands as they were told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from appliance.game.events import FinalTableDrawn, HandStarted, Reinstated
from appliance.game.play_events import PlayerMoved, Reentered
from bench.simulation.book import Given, Turn


class _Seen(Struct):
    """What was seen of a table: who was dealt in last, and the last big blind with its seat and the small one's."""

    position: int | None = None
    small: int | None = None
    poster: str | None = None
    dealt: Mapping[int, str] = {}
    waits: Counter[str] = Counter()


def big_blind_comes_round(history: Sequence[Given]) -> Iterator[str]:
    """S-7: nobody posts the big blind in two hands running at one table, nobody settled is passed over by it.

    Settled is who was dealt in on the same seat in the hand before. A redraw of all seats, or a table that was
    empty, begins anew. Who was moved by the commissioner's word, or came back, since the last hand may meet it again.
    A newcomer with a lone big blind on the last one's seat, or before it, holds up the turn of those behind (S-5).
    """
    seen: dict[int, _Seen] = {}
    for given in history:
        for turn in given.turns:
            match turn.event:
                case HandStarted():
                    yield from _hand(turn, turn.event, seen.setdefault(turn.event.table, _Seen()), given.cause)
                case FinalTableDrawn():
                    seen.clear()
                case (
                    PlayerMoved(participant=who, why="asked") | Reinstated(participant=who) | Reentered(participant=who)
                ):
                    for table in seen.values():
                        table.poster = None if table.poster == who else table.poster
            for number in [n for n in seen if not turn.after.tables[n].seats]:
                del seen[number]


def _hand(turn: Turn, hand: HandStarted, seen: _Seen, cause: str) -> Iterator[str]:
    table = turn.before.tables[hand.table]
    dealt = {seat: who for seat, who in table.seats.items() if seat not in hand.waiting}
    where = f"{cause}: table {hand.table} hand {hand.hand}"
    if hand.bb is not None and hand.bb_seat is not None:
        poster = table.seats.get(hand.bb)
        if poster is not None and poster == seen.poster:
            yield f"{where}: {poster} posts the big blind again"
        if not _holds_up(hand, seen, poster):
            for seat in _between(seen.position, hand.bb_seat) if seen.position else ():
                if seat in dealt and seen.dealt.get(seat) == dealt[seat]:
                    yield f"{where}: the big blind passes {dealt[seat]} on seat {seat}"
        seen.position, seen.small, seen.poster = hand.bb_seat, hand.sb_seat, poster
    seen.dealt = dealt
    waiting = {who for seat, who in table.seats.items() if seat in hand.waiting}
    seen.waits = Counter({who: seen.waits[who] + 1 for who in waiting})
    for who, hands in seen.waits.items():
        if hands > 2 * turn.before.seats_per_table + 2:
            yield f"{where}: {who} has waited for {hands} hands"


def _holds_up(hand: HandStarted, seen: _Seen, poster: str | None) -> bool:
    if hand.sb is not None or hand.bb is None or seen.position is None or seen.small is None:
        return False
    new = seen.dealt.get(hand.bb) != poster
    return new and (hand.bb == seen.position or hand.bb in _between(seen.small, seen.position))


def _between(after: int, before: int) -> Iterator[int]:
    """Seats clockwise between two; all but the one itself where the two are one."""
    seat = after % 99 + 1
    while seat != before:
        yield seat
        seat = seat % 99 + 1


def blinds_are_dealt_in(history: Sequence[Given]) -> Iterator[str]:
    """S-5, S-7: blinds are posted by players who are dealt in, and of two or more players two are."""
    for given in history:
        for turn in given.turns:
            if isinstance(turn.event, HandStarted):
                yield from _posted(turn, turn.event, given.cause)


def _posted(turn: Turn, hand: HandStarted, cause: str) -> Iterator[str]:
    seats = turn.before.tables[hand.table].seats
    where = f"{cause}: table {hand.table} hand {hand.hand}"
    for name, seat in (("small", hand.sb), ("big", hand.bb)):
        if seat is not None and (seat not in seats or seat in hand.waiting):
            yield f"{where}: the {name} blind is posted on seat {seat}, where nobody is dealt in"
    if hand.sb is not None and hand.sb == hand.bb:
        yield f"{where}: both blinds are seat {hand.sb}"
    dealt = [seat for seat in seats if seat not in hand.waiting]
    if len(seats) > 1 and (len(dealt) < 2 or hand.bb is None):
        yield f"{where}: {len(dealt)} of {len(seats)} are dealt in, the big blind is {hand.bb}"
