"""The tracked hands in a journal, as PHH (H)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from appliance.engine import history, records
from appliance.game.tablestream.phh import phh_of
from appliance.journal import Journal
from appliance.kinds import TableKind


class Logged(NamedTuple):
    """A hand that is over: which it is, and its text (None: it cannot be played here).

    ``keyed``: somebody told something of it. A table that follows its hands begins each of them by itself.
    """

    which: str
    text: str | None
    keyed: bool = True


def hands_of(journal: Journal) -> Iterator[Logged]:
    """Each hand that is over, table by table in order."""
    kind = TableKind()
    for stream in sorted(journal.streams()):
        if not stream.startswith("table/"):
            continue
        state, began = kind.initial(), dict[tuple[str, int], int]()
        for record in records(journal, stream, history(journal, stream)):
            state = kind.fold(state, record)
            if state.hands.current is not None:
                begun = state.hands.current.begun
                began.setdefault((begun.round, begun.hand), record.at)
        for told in state.hands.log:
            begun = told.begun
            keyed = told.ended is not None or told.facts != begun.facts
            yield Logged(f"{stream} {begun.round} {begun.hand}", phh_of(told, began[begun.round, begun.hand]), keyed)
