"""From this device's clock to the director's, as it was last known: a kiosk that is started while nobody directs goes
on by it, whatever its own wall clock says (CK-1). And up to when it was known: after a power cut that is all that a
kiosk knows of the evening's time, and what a director that takes over there goes on from (DESIGN §5)."""

from __future__ import annotations

import logging
from pathlib import Path

import msgspec

from appliance.filebytes import own_bytes, put
from appliance.timebase import boot_id

WORTH_MS = 20
"""A change of less is not worth a write."""

NOTED_MS = 10_000
"""How much of the evening may pass until the time is noted anew, while a round is played."""

_log = logging.getLogger(__name__)


class Known(msgspec.Struct, frozen=True):
    """An offset that holds in this boot of the kernel: as long the device's clock is one (`appliance.timebase`);
    ``at``: the director's time (UTC ms) when it was noted.
    """

    boot: str
    offset_ms: int
    at: int = 0


class LastOffset:
    """The note in a kiosk's data folder."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "offset.json"
        self._boot = boot_id()
        self._kept: int | None = None
        self._noted_at = 0

    @property
    def known(self) -> bool:
        """Whether one was kept in this boot."""
        return self._here() is not None

    @property
    def kept(self) -> bool:
        """Whether there is one that holds: recalled, or kept since."""
        return self._kept is not None

    @property
    def noted_at(self) -> int:
        """The director's time (UTC ms) at the last note, be it of another boot; 0: there is none."""
        known = self._read()
        return known.at if known else 0

    def recall(self) -> int:
        """The offset that was kept in this boot, in milliseconds; else 0."""
        self._kept = self._here()
        return self._kept or 0

    def _here(self) -> int | None:
        known = self._read()
        return known.offset_ms if known is not None and known.boot and known.boot == self._boot else None

    def _read(self) -> Known | None:
        try:
            return msgspec.json.decode(own_bytes(self._file), type=Known)
        except (OSError, msgspec.MsgspecError):
            return None

    def keep(self, offset_ms: int, at: int, *, played: bool = False) -> None:
        """Keep it, if it is another one, or if a round is ``played`` by it and the director's time ``at`` (UTC ms) was
        not noted for a while. A disk that refuses costs the time until a director is there.
        """
        same = self._kept is not None and abs(offset_ms - self._kept) < WORTH_MS
        if same and not (played and abs(at - self._noted_at) >= NOTED_MS):
            return
        self._kept, self._noted_at = offset_ms, at
        try:
            put(self._file, msgspec.json.encode(Known(self._boot, offset_ms, at)))
        except OSError as error:
            _log.warning("%s: %s", self._file, error)
