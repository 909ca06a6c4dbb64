"""What a director refused of hands played without one: told to the floor until a commissioner has seen it.

A table's kiosk has it noted in the venue's stream, so that the door shows it, too, and it outlives every program.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from appliance.kinds import Note, OfflineRefused
from appliance.offers import Offers, Refused, standing


class OfflineBell:
    """For the engine thread. ``note`` has a note written into the venue's stream; a door has no hands of its own."""

    def __init__(self, device: str, table: int | None, note: Callable[[Note], None], now_ms: Callable[[], int]) -> None:
        self._device, self._table, self._note, self._now_ms = device, table, note, now_ms
        self._own: dict[str, OfflineRefused] = {}

    def tell(self, offers: Offers, notes: Mapping[str, Note]) -> None:
        """Have noted what the table's stream tells and the venue's does not yet."""
        known = self._known(notes)
        for refused in offers.refused:
            if refused.offer.id not in known:
                self._say(self._told_of(refused))

    def standing(self, notes: Mapping[str, Note]) -> tuple[OfflineRefused, ...]:
        """What nobody has seen yet, the stream's or what it has not brought yet."""
        return standing(self._known(notes))

    def seen(self, notes: Mapping[str, Note], who: str) -> None:
        """A commissioner has seen it: of this table, at a door of all."""
        for note in self.standing(notes):
            if self._table in (None, note.table):
                self._say(replace(note, device=self._device, open=False, by=who))

    def _known(self, notes: Mapping[str, Note]) -> dict[str, OfflineRefused]:
        told = {note.id: note for note in notes.values() if isinstance(note, OfflineRefused)}
        fresh = {number: note for number, note in self._own.items() if number not in told or not note.open}
        return {**told, **fresh}

    def _say(self, note: OfflineRefused) -> None:
        self._own[note.id] = note
        self._note(note)

    def _told_of(self, refused: Refused) -> OfflineRefused:
        offer = refused.offer
        return OfflineRefused(
            device=self._device,
            table=offer.table,
            round=offer.round,
            hand=offer.hand,
            last=refused.last,
            code=refused.code,
            id=offer.id,
            at=self._now_ms(),
        )
