"""Calls for the floor from a table's buttons: for a ruling, or to have somebody's time started (CK-4). Pure.

The floor starts a player's time and may refuse to: so a table only asks. A call is one note in the venue's stream,
its end another; whoever looks at the stream sees what is open.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from appliance.game.state import Phase, Round
from appliance.kinds import FloorCall, Note

LASTS_MS = 30 * 60_000
"""A call that nobody ended is forgotten after so long."""

About = Literal["floor", "time"]


def open_calls(notes: Mapping[str, Note], now_ms: int) -> tuple[FloorCall, ...]:
    """The calls that stand, the one that has waited longest first."""
    calls = (note for note in notes.values() if isinstance(note, FloorCall))
    return tuple(sorted((call for call in calls if stands(call, now_ms)), key=lambda call: (call.at, call.table)))


def of_table(calls: tuple[FloorCall, ...], table: int) -> FloorCall | None:
    """The call of a table."""
    return next((call for call in calls if call.table == table), None)


def pressed(now: FloorCall | None, about: About, held: bool, device: str, table: int, at_ms: int) -> FloorCall | None:
    """What a press of the button asks for: a call, its end when it stands already or the button is held, or nothing."""
    if now is not None and (held or now.about == about):
        return ended(now, at_ms)
    if held:
        return None
    return FloorCall(device=device, table=table, about=about, open=True, at=at_ms)


def ended(call: FloorCall, at_ms: int) -> FloorCall:
    """The end of a call: taken back, or the floor is here."""
    return FloorCall(device=call.device, table=call.table, about=call.about, open=False, at=at_ms)


def answered(call: FloorCall | None, round: Round | None) -> bool:
    """Whether a wish for time has been granted: it runs."""
    if call is None or call.about != "time" or round is None or round.phase is not Phase.RUNNING:
        return False
    table = round.tables.get(call.table)
    return table is not None and table.time_call is not None


def stands(call: FloorCall, now_ms: int) -> bool:
    """Whether a call is open and not forgotten."""
    return call.open and now_ms - call.at < LASTS_MS
