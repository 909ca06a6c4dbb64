"""A kiosk's calls for the floor: its own table's, as its buttons make it, and the others' from the venue's stream."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from appliance import floorcalls
from appliance.game.state import Round
from appliance.kinds import FloorCall, Note
from appliance.offlinebell import OfflineBell


class FloorBell:
    """For the engine thread. ``note`` has a note written into the venue's stream; a door has no call of its own."""

    def __init__(self, device: str, table: int | None, note: Callable[[Note], None], now_ms: Callable[[], int]) -> None:
        self._device, self._table, self._note, self._now_ms = device, table, note, now_ms
        self._own: FloorCall | None = None
        self.refused = OfflineBell(device, table, note, now_ms)

    def recall(self, notes: Mapping[str, Note]) -> None:
        """Take up the call that stood when the program ended."""
        if self._table is not None:
            self._own = floorcalls.of_table(floorcalls.open_calls(notes, self._now_ms()), self._table)

    def press(self, about: floorcalls.About, held: bool) -> None:
        """A button was pressed or held."""
        if self._table is None:
            return
        call = floorcalls.pressed(self._own, about, held, self._device, self._table, self._now_ms())
        if call is not None:
            self._set(call)

    def floor_is_here(self) -> None:
        """Whoever was called has come."""
        if self._own is not None:
            self._set(floorcalls.ended(self._own, self._now_ms()))

    def follow(self, round: Round | None) -> None:
        """The round has changed: the time that was asked for may run (CK-4)."""
        if floorcalls.answered(self._own, round):
            self.floor_is_here()

    def calls(self, notes: Mapping[str, Note]) -> tuple[FloorCall, ...]:
        """All calls that stand; our own first, which the stream may not have brought yet."""
        now = self._now_ms()
        if self._own is not None and not floorcalls.stands(self._own, now):
            self._own = None
        others = (call for call in floorcalls.open_calls(notes, now) if call.table != self._table)
        return (*((self._own,) if self._own else ()), *others)

    def _set(self, call: FloorCall) -> None:
        self._own = call if call.open else None
        self._note(call)
