"""From this device's clock to the director's, as it was last known: a kiosk that is started while nobody directs goes
on by it, whatever its own wall clock says (CK-1)."""

from __future__ import annotations

import logging
from pathlib import Path

import msgspec

from appliance.timebase import boot_id

WORTH_MS = 20
"""A change of less is not worth a write."""

_log = logging.getLogger(__name__)


class Known(msgspec.Struct, frozen=True):
    """An offset that holds in this boot of the kernel: as long the device's clock is one (`appliance.timebase`)."""

    boot: str
    offset_ms: int


class LastOffset:
    """The note in a kiosk's data folder."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "offset.json"
        self._kept: int | None = None

    @property
    def known(self) -> bool:
        """Whether one was kept in this boot."""
        return self._read() is not None

    def recall(self) -> int:
        """The offset that was kept in this boot, in milliseconds; else 0."""
        self._kept = self._read()
        return self._kept or 0

    def _read(self) -> int | None:
        try:
            known = msgspec.json.decode(self._file.read_bytes(), type=Known)
        except (OSError, msgspec.MsgspecError):
            return None
        return known.offset_ms if known.boot and known.boot == boot_id() else None

    def keep(self, offset_ms: int) -> None:
        """Keep it, if it is another one. A disk that refuses costs the time until a director is there."""
        if self._kept is not None and abs(offset_ms - self._kept) < WORTH_MS:
            return
        self._kept = offset_ms
        fresh = self._file.with_suffix(".new")
        try:
            fresh.write_bytes(msgspec.json.encode(Known(boot_id(), offset_ms)))
            fresh.replace(self._file)
        except OSError as error:
            _log.warning("%s: %s", fresh, error)
