"""In which boot of the kernel a director's time is trusted (DESIGN §3): it goes on by the monotonic clock, so what was
trusted stays so until a reboot. Then somebody else has to say what is right (`appliance.timework`).
"""

from __future__ import annotations

import logging
from pathlib import Path

from appliance.filebytes import own_bytes
from appliance.timebase import boot_id
from appliance.trustsources import Sources

_FILE = "time-trusted"
_CONTINUES = "continues"

_log = logging.getLogger(__name__)


class TimeTrust:
    """Kept in a data folder. A new folder trusts its first boot, where the machine may know the time by itself."""

    def __init__(self, folder: Path, sources: Sources) -> None:
        self._file = folder / _FILE
        known = self._read()
        self._boot, self.continues = known or ("", False)
        if known is None:
            self._put(boot_id() if sources.keeps_time() else "")

    @property
    def holds(self) -> bool:
        """Whether it is this boot."""
        return bool(self._boot) and self._boot == boot_id()

    def trust(self) -> None:
        """From now on, in this boot."""
        self._put(boot_id())

    def doubt(self) -> None:
        """No longer."""
        self._put("")

    def _put(self, boot: str) -> None:
        if (boot, False) == (self._boot, self.continues) and self._file.exists():
            return
        self._boot, self.continues = boot, False
        try:
            self._file.write_text(boot, encoding="utf-8")
        except OSError as error:
            _log.warning("%s: %s", self._file, error)

    def _read(self) -> tuple[str, bool] | None:
        try:
            boot, _, how = own_bytes(self._file).decode().partition("\n")
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError):
            return "", False
        return boot, how == _CONTINUES


def hand_on(folder: Path, known: bool) -> None:
    """Say in the folder of a director that is about to take over whether its time goes on as the evening's did: it is
    trusted as that was. Raises OSError.
    """
    (folder / _FILE).write_text(f"{boot_id()}\n{_CONTINUES}" if known else "", encoding="utf-8")
