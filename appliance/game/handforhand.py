"""Hand-for-hand play near the money (CK-6, TDA RP-8): every table plays one hand, then waits for the others.

Meanwhile the clock is *held*: it stands, though play goes on. Each round of hands takes the house's minutes off what
it has left, so that nobody gains by playing slowly; a break runs in real time. See `handrounds` for the rounds.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from appliance.game import clock as clocks
from appliance.game import hands
from appliance.game.announcement import MINUTE_MS
from appliance.game.commands import (
    NextHand,
)
from appliance.game.event import Event
from appliance.game.events import ClockSet, HandStarted
from appliance.game.fold import apply
from appliance.game.handrounds import known_hand, open_span, reached, rounds_begun
from appliance.game.play_commands import (
    HandForHand,
)
from appliance.game.play_events import HandForHandSet
from appliance.game.refusal import Refusal, not_running
from appliance.game.state import ClockState, Round
from appliance.game.timekeeping import as_played, current


def verify_hand_for_hand(round: Round, command: HandForHand, _at_ms: int) -> Refusal | None:
    """Why hand-for-hand play does not begin or end: it has, or a hand would take too much off the clock."""
    if refusal := not_running(round):
        return refusal
    if command.on and round.hand_for_hand is not None:
        return Refusal("hand-for-hand-on")
    if not command.on and round.hand_for_hand is None:
        return Refusal("hand-for-hand-off")
    maximum = round.rules.hand_for_hand_minutes_maximum
    if command.on and command.minutes is not None and command.minutes > maximum:
        return Refusal("hand-for-hand-minutes", {"maximum": maximum})
    return None


def do_hand_for_hand(round: Round, command: HandForHand, at_ms: int) -> tuple[Event, ...]:
    """Every table with two or more players begins its first round, or the last round is over; the clock follows.

    The first round is the hand in play (`tda-2024`), hand 1 where none was played, or the next one (elsewhere). A
    table that is opened or filled later joins with the round that the slowest of the others has yet to begin.
    """
    changed = _begin(round, command) if command.on else _end(round)
    after = apply(changed, round, at_ms)
    clock = current(after, at_ms)
    moved = clocks.resumed(clock, at_ms) if clock.held else as_played(after, clock, at_ms)
    return (changed,) if moved == clock else (changed, ClockSet(by="hand_for_hand", clock=moved))


def _begin(round: Round, command: HandForHand) -> HandForHandSet:
    rules = round.rules
    later = 0 if rules.hand_for_hand_begins == "hand-in-progress" else 1
    minutes = rules.hand_for_hand_minutes if command.minutes is None else command.minutes
    return HandForHandSet(
        on=True,
        first={
            t.number: max(1, known_hand(round, t.number) + later) for t in round.tables.values() if len(t.seats) > 1
        },
        round=rounds_begun(round) + 1,
        hand_ms=minutes * MINUTE_MS,
    )


def _end(round: Round) -> HandForHandSet:
    playing = (span.table for span in round.hand_spans if span.last is None)
    return HandForHandSet(on=False, last={table: known_hand(round, table) for table in playing})


def verify_next_hand(round: Round, command: NextHand, at_ms: int) -> Refusal | None:
    """Why no hand begins there; in hand-for-hand play also because others have not yet caught up."""
    return hands.verify_next_hand(round, command, at_ms) or verify_round(round, command.table)


def verify_round(round: Round, table: int) -> Refusal | None:
    """Why a table waits: its next hand would be two rounds ahead of another table (CK-6).

    A table with fewer than two players holds nobody up, nor does one that has not yet joined.
    """
    if round.hand_for_hand is None:
        return None
    number = next_round(round, table)
    waiting_for = sorted(other for other, at in _others(round, table) if number - at > 1)
    return Refusal("waiting-for-tables", {"table": table, "waiting_for": waiting_for}) if waiting_for else None


def _others(round: Round, table: int) -> Iterator[tuple[int, int]]:
    """The other tables that play, each with the round it has begun."""
    for span in round.hand_spans:
        if span.last is None and span.table != table and len(round.tables[span.table].seats) > 1:
            yield span.table, reached(round, span)


def next_round(round: Round, table: int) -> int:
    """The number of the round that the table's next hand is."""
    others = [at for _, at in _others(round, table)]
    if not others:
        return rounds_begun(round) + 1
    span = open_span(round.hand_spans, table)
    return min(others) + 1 if span is None else reached(round, span) + 1


def do_next_hand(round: Round, command: NextHand, at_ms: int) -> tuple[Event, ...]:
    """The table's next hand; in hand-for-hand play at the level that holds once the clock has been moved on.

    The first hand of a round takes off the clock what the round before it took; the first round has none before it.
    What is at 0 then is over: the next level, or a break, begins at full length.
    """
    if round.hand_for_hand is None:
        return hands.do_next_hand(round, command, at_ms)
    number = next_round(round, command.table)
    clock = current(round, at_ms)
    moved = as_played(round, clock, at_ms)
    if moved.held and round.hand_for_hand.round <= rounds_begun(round) < number:
        moved = as_played(round, _less(round, moved, round.hand_for_hand.hand_ms), at_ms)
    changed = () if moved == clock else (ClockSet(by="next_hand", clock=moved),)
    for event in changed:
        round = apply(event, round, at_ms)
    return (*changed, *(_in_round(event, number) for event in hands.do_next_hand(round, command, at_ms)))


def _less(round: Round, clock: ClockState, taken_ms: int) -> ClockState:
    """A held clock with so much less on it; what is at 0 gives way to the next entry, but for the last one."""
    if clock.left_ms > taken_ms:
        return replace(clock, left_ms=clock.left_ms - taken_ms)
    if not taken_ms or clock.entry + 1 == len(round.structure):
        return replace(clock, left_ms=clock.left_ms - min(taken_ms, clock.left_ms))
    return replace(clock, entry=clock.entry + 1, left_ms=round.structure[clock.entry + 1].length_ms)


def _in_round(event: Event, number: int) -> Event:
    return replace(event, together=number) if isinstance(event, HandStarted) else event
