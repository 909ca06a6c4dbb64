"""When the director was last there: noted outside the journal, for the clock after a power cut (DESIGN §5)."""

from __future__ import annotations

import contextlib
import logging
from pathlib import Path

import msgspec

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
        fresh = self._file.with_suffix(".new")
        try:
            fresh.write_bytes(msgspec.json.encode(Beat(boot_id(), at)))
            fresh.replace(self._file)
        except OSError as error:
            _log.warning("%s: %s", fresh, error)

    def last(self) -> Beat | None:
        """The last note."""
        try:
            return msgspec.json.decode(self._file.read_bytes(), type=Beat)
        except (OSError, msgspec.MsgspecError):
            return None

    def forget(self) -> None:
        """Whoever takes over was not there before: its note is of another evening."""
        with contextlib.suppress(OSError):
            self._file.unlink()

    def cut(self) -> int | None:
        """Until when it was there before the power went, UTC ms; None if the machine has not been off since."""
        last = self.last()
        return None if last is None or last.boot == boot_id() else last.at
