"""A call for time at a table → what its screen shows of it (CK-4). Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from appliance.display.view import Call
from appliance.game import timecall
from appliance.game.state import Phase, Round


def call(round: Round | None, at_ms: int, who: Callable[[str], str], number: int) -> Call | None:
    """The call at table ``number``, if there is one."""
    table = round.tables.get(number) if round is not None and round.phase is Phase.RUNNING else None
    if table is None or table.time_call is None:
        return None
    called, face = table.time_call, timecall.face(table.time_call, at_ms)
    remaining_s = -(-face.remaining_ms // 1000)
    seat = seat_of_many(called.participant, who, table.seats)
    return Call(who=who(called.participant), phase=face.phase, remaining_s=remaining_s, ends=called.ends, seat=seat)


def seat_of_many(participant: str, who: Callable[[str], str], there: Mapping[int, str]) -> int | None:
    """Where a participant sits, if somebody else who is or was ``there``, by seat, has the same name; else None."""
    name = who(participant)
    alike = any(who(other) == name for other in there.values() if other != participant)
    return next((seat for seat, other in there.items() if other == participant), None) if alike else None


def next_second_ms(round: Round, at_ms: int) -> int | None:
    """In how many milliseconds a call looks different by itself; None where none is counting."""
    calls = [table.time_call for table in round.tables.values() if table.time_call is not None]
    left = [face.remaining_ms for face in (timecall.face(call, at_ms) for call in calls) if face.remaining_ms]
    return min(((ms - 1) % 1000 + 1 for ms in left), default=None)
