"""Rounds of hand-for-hand play (CK-6): which hand of which table belongs to which round.

In a round every table plays one hand. Rounds are numbered through all periods of hand-for-hand play of an evening.
A table that was opened or filled later joins with its next hand; one with a lone player sits the round out, and
joins again in the same way.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from appliance.game.play import HandSpan
from appliance.game.state import Round, Table

Spans = tuple[HandSpan, ...]


def round_of(spans: Spans, table: int, hand: int) -> int | None:
    """The round that a table's hand was, None for one outside of hand-for-hand play."""
    for span in spans:
        if span.table == table and span.first <= hand and (span.last is None or hand <= span.last):
            return span.round + hand - span.first
    return None


def bounds(spans: Spans, table: int, hand: int) -> tuple[int, int]:
    """The first and the last moment at which a hand can have been played, on a line where round n is moment 2n.

    A hand outside of hand-for-hand play lies after the table's last round before it and before its next one.
    """
    number = round_of(spans, table, hand)
    if number is not None:
        return 2 * number, 2 * number
    before = (_reached(span, span.last) for span in spans if span.table == table and _ended_before(span, hand))
    after = (span.round for span in spans if span.table == table and span.first > hand)
    return 2 * max(before, default=0) + 1, 2 * min(after, default=sys.maxsize) - 1


def _ended_before(span: HandSpan, hand: int) -> bool:
    return span.last is not None and span.last < hand


def _reached(span: HandSpan, hand: int | None) -> int:
    return span.round + (span.first - 1 if hand is None else hand) - span.first


def open_span(spans: Spans, table: int) -> HandSpan | None:
    """The table's part in the rounds that go on now."""
    return next((span for span in spans if span.table == table and span.last is None), None)


def known_hand(round: Round, table: int) -> int:
    """The table's hand in play; where hands are not tracked, the last in which somebody went out."""
    found = round.tables.get(table)
    if found is not None and found.hand:
        return found.hand
    return max((e.hand for e in round.eliminations if e.table == table and e.hand is not None), default=0)


def reached(round: Round, span: HandSpan) -> int:
    """The round in which the hand in play of a span's table is; one less than its first before it has begun."""
    last = known_hand(round, span.table) if span.last is None else span.last
    return max(_reached(span, last), span.round - 1)


def rounds_begun(round: Round) -> int:
    """The number of the latest round that any table began; 0 before the first."""
    return max((reached(round, span) for span in round.hand_spans), default=0)


def closed(spans: Spans, last: Mapping[int, int]) -> Spans:
    """The spans with those of tables named in ``last`` ended by that hand; without those that nobody played."""
    return tuple(_closed(spans, last))


def _closed(spans: Spans, last: Mapping[int, int]) -> Iterable[HandSpan]:
    for span in spans:
        if span.last is not None or span.table not in last:
            yield span
        elif last[span.table] >= span.first:
            yield replace(span, last=last[span.table])


def joined(spans: Spans, tables: Mapping[int, Table], number: int, together: int) -> Spans:
    """The spans once the hand in play of table ``number`` is the round ``together``.

    Tables with fewer than two players that have not begun this round sit it out.
    """
    hand = tables[number].hand
    aside = {
        span.table: tables[span.table].hand
        for span in spans
        if span.last is None
        and span.table != number
        and len(tables[span.table].seats) < 2
        and _reached(span, tables[span.table].hand) < together
    }
    if aside:
        spans = closed(spans, aside)
    if round_of(spans, number, hand) == together:
        return spans
    return (*closed(spans, {number: hand - 1}), HandSpan(number, hand, together))
