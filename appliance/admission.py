"""Who asks to be let in, as a kiosk hears it from the director, and what its commissioner says to that (DESIGN §5)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from appliance import kinds
from appliance.adopt import Adopt
from appliance.config import ADOPTED
from appliance.game.refusal import Refusal
from appliance.game.roster import Roster
from appliance.link.envelope import Reply, Spare, Spares
from appliance.post import why_not
from appliance.workplace import Workplace

ADOPT_TTL_MS = 20_000
"""How long letting a device in may take: both sides derive keys, and the director waits `adoption.ANSWER_S`."""

DROP_TTL_MS = 5_000

GIVE_UP_S = 2.0
"""From when a device hears that it was dropped until it gives its place up."""

Told = Callable[[Refusal | None], None]
Ask = Callable[[bytes, str, int, Callable[[Reply], None]], None]


def is_adopted(files: Sequence[Path]) -> bool:
    """Whether a device's configuration, by its files, is what it was told when it was let in."""
    return bool(files) and files[-1].name == ADOPTED


class Admission:
    """For the engine thread of a kiosk. ``ask`` sends the director something for the venue's stream, in whose name;
    ``changed`` is called when others ask than before; ``stop`` when this very device belongs here no more: then
    ``given_up`` is true.
    """

    def __init__(
        self,
        ask: Ask,
        notes: Callable[[], Mapping[str, kinds.Note]],
        changed: Callable[[], None],
        stop: Callable[[], None] = lambda: None,
    ) -> None:
        self._ask, self._notes, self._changed, self._stop = ask, notes, changed, stop
        self._told = Spares()
        self._dropped: bool | None = None
        self.given_up = False

    def heard(self, spares: Spares) -> None:
        """The director says who asks."""
        if spares != self._told:
            self._told = spares
            self._changed()

    def follow(self, place: Workplace, roster: Roster) -> None:
        """Take over who belongs to the venue. Once a commissioner has dropped this device, it gives its place up.

        Not at once: what is copied now may go on to say that it was let in again since. And not for what was known
        before anything was copied.
        """
        notes, device = self._notes(), place.config.device.name
        place.know(roster, kinds.adopted(notes), kinds.dropped(notes))
        dropped = is_adopted(place.files) and isinstance(notes.get(f"device {device}"), kinds.DeviceDropped)
        before, self._dropped = self._dropped, dropped
        if dropped and before is not None and not self.given_up:
            waits = threading.Timer(GIVE_UP_S, self._give_up)
            waits.daemon = True
            waits.start()

    def _give_up(self) -> None:
        if self._dropped:
            self.given_up = True
            self._stop()

    @property
    def asking(self) -> tuple[Spare, ...]:
        """The devices that ask to be let in."""
        return self._told.asking

    @property
    def taken(self) -> tuple[int, ...]:
        """The tables whose own device is there."""
        return self._told.taken

    @property
    def adopted(self) -> tuple[kinds.DeviceAdopted, ...]:
        """The devices that were let in, by name."""
        return tuple(sorted(kinds.adopted(self._notes()), key=lambda note: note.device))

    def adopt(self, key: str, code: str, role: Any, table: int | None, who: str, told: Told) -> None:
        """``who`` lets a device in under the code that was typed; ``told`` hears why not, None once it belongs here."""
        spare = next((each for each in self.asking if each.key == key), None)
        if spare is None:
            told(Refusal("stale"))
            return
        want = Adopt(device=spare.name, key=key, code=code, role=role, table=table, by=who)
        self._ask(msgspec.json.encode(want), who, ADOPT_TTL_MS, lambda reply: told(why_not(reply)))

    def drop(self, name: str, who: str, told: Told) -> None:
        """``who`` has a device that was let in belong here no more."""
        key = next((note.key for note in self.adopted if note.device == name), "")
        note = kinds.DeviceDropped(device=name, key=key, by=who)
        self._ask(msgspec.json.encode(note), who, DROP_TTL_MS, lambda reply: told(why_not(reply)))
