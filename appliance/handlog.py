"""The tracked hands in a journal, as PHH (H)."""

from __future__ import annotations

from collections.abc import Iterator

from appliance.engine import history, records
from appliance.game.tablestream.phh import phh_of
from appliance.journal import Journal
from appliance.kinds import TableKind


def hands_of(journal: Journal) -> Iterator[tuple[str, str | None]]:
    """Each hand that is over, table by table in order: which it is, and its text (None: it cannot be played here)."""
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
            yield f"{stream} {begun.round} {begun.hand}", phh_of(told, began[begun.round, begun.hand])
