"""When the director was last there: noted outside the journal, for the clock after a power cut (DESIGN §5)."""

from __future__ import annotations

import logging
from pathlib import Path

import msgspec

from appliance.filebytes import own_bytes, put
from appliance.timebase import boot_id

_log = logging.getLogger(__name__)


class Beat(msgspec.Struct, frozen=True):
    """The last time noted in this boot of the kernel."""

    boot: str
    at: int


class Heartbeat:
    """The note in a director's data folder."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "heartbeat.json"

    def note(self, at: int) -> None:
        """Note the time, UTC ms. A disk that refuses costs seconds of a level."""
        try:
            put(self._file, msgspec.json.encode(Beat(boot_id(), at)))
        except OSError as error:
            _log.warning("%s: %s", self._file, error)

    def last(self) -> Beat | None:
        """The last note."""
        try:
            return msgspec.json.decode(own_bytes(self._file), type=Beat)
        except (OSError, msgspec.MsgspecError):
            return None

    def hand_on(self, since: int | None) -> None:
        """Note for who is to take over here how the evening's time goes on: as it did, or from ``since`` (UTC ms), for
        it was lost. What is noted here is of another evening. Raises OSError.
        """
        if since is None:
            self._file.unlink(missing_ok=True)
        else:
            put(self._file, msgspec.json.encode(Beat("", since)))

    def cut(self, *, rebooted: bool = False) -> int | None:
        """Until when it was there before the power went, UTC ms; None if the machine has not been off since.

        0 where it was off, and nobody can tell since when: the note is spoilt, or there is none and the machine is
        known to have ``rebooted``.
        """
        last = self.last()
        if last is None:
            return 0 if rebooted or self._file.exists() else None
        return None if last.boot and last.boot == boot_id() else last.at
