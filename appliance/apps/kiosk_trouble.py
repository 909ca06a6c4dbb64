"""What may end a kiosk, in words for whoever stands before it; where ``tableside doctor`` has words, they are these."""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path
from typing import Literal, NamedTuple

from appliance.config import ConfigError
from appliance.filebytes import Unusable
from appliance.health import configuration, readers
from appliance.hw.ports import Offline
from appliance.i18n import N_, Translator
from appliance.identity import IdentityError
from appliance.journal import JournalError
from appliance.workplace import FolderTaken

_CALL = N_("Call whoever looks after the devices. The other screens go on, and the evening's records are kept there.")
_AGAIN = N_("Switch the device off and on again. If this comes back, put in a new SD card.")

_WORDS: dict[str, tuple[str, str]] = {
    "bad-setting": (configuration.TEXT, configuration.REMEDY),
    "disk-full": (
        N_("The SD card is full: nothing more can be stored."),
        N_("Have files deleted that do not belong there, or a larger card put in. The other devices keep the records."),
    ),
    "read-only": (N_("Nothing can be stored: the SD card is write-protected or worn out."), _AGAIN),
    "disk": (N_("The SD card cannot be read or written: {why}"), _AGAIN),
    "not-writable": (
        N_("The folder of this device's files cannot be used: {why}"),
        N_("The folder (device.data in the device file) must belong to the user that the kiosk runs as."),
    ),
    "folder-taken": (
        N_("This device's program is running already."),
        N_("Switch the device off and on again: only one may run."),
    ),
    "device-key": (
        N_("This device's own key cannot be read: {why}"),
        N_("Restore device.key from the backup of this device, or mend its permissions."),
    ),
    "damaged": (
        N_("The records on this device are damaged."),
        N_("Keep the file, do not delete it: whoever looks after the devices restores it. The other screens go on."),
    ),
    "not-a-journal": (
        N_("The file of this device's records is something else: {why}"),
        N_("Keep the file, do not delete it: whoever looks after the devices restores it. The other screens go on."),
    ),
    "newer-version": (
        N_("The records on this device were written by a newer version of the program."),
        N_("Install the newer version again."),
    ),
    "unreadable": (N_("The records on this device cannot be read: {why}"), _AGAIN),
    "no-epoch": (N_("The records on this device do not continue."), _CALL),
    "fault": (
        N_("The program has stopped because of a fault."),
        N_("It starts again by itself within a minute. If this comes back, call whoever looks after the devices."),
    ),
}


class Trouble(NamedTuple):
    """What ended a kiosk: its code, two messages of the catalogues, and what goes into them."""

    code: str
    problem: str
    remedy: str
    params: dict[str, str]

    def said(self, tr: Translator) -> tuple[str, str]:
        """Problem and remedy in a language."""
        return tr.gettext(self.problem, **self.params), tr.gettext(self.remedy, **self.params)


_ROOM_BYTES = 64 * 1024
"""A journal needs twice SQLite's index, 32 kB, before the first record; with less a disk is full."""

Part = Literal["start", "reader", "engine"]
"""What an error ended: the way to the first picture, a reader's driver, or the engine thread."""


def trouble(error: Exception, part: Part = "start", data: Path | None = None) -> Trouble:
    """What an error means for this device. ``data``: its folder, for the disk may be full behind an error that says
    less: SQLite calls it an I/O error where it finds no room for its index.
    """
    if isinstance(error, ImportError) or (part == "reader" and isinstance(error, OSError)):
        known = "library-missing" if isinstance(error, ImportError) else Offline.FAILED
        return Trouble(str(known), *readers.WHY[known], {})
    code = _code(error, part)
    if code in ("disk", "unreadable") and data is not None and _is_full(data):
        code = "disk-full"
    place, _, why = str(error).partition(": ")
    if code != "bad-setting":
        why = _why(error)
    return Trouble(code, *_WORDS[code], {"place": place, "why": why or place})


def _why(error: Exception) -> str:
    """What an error says, without numbers and codes."""
    if isinstance(error, JournalError):
        return error.detail
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def _code(error: Exception, part: Part) -> str:
    match error:
        case ConfigError() | Unusable():
            return "bad-setting"
        case FolderTaken():
            return "folder-taken"
        case JournalError(code="unreadable" | "disk" as code):
            return _of_disk(error) or code
        case JournalError(code=code) if code in _WORDS:
            return code
        case IdentityError():
            return "device-key"
        case OSError():
            return _of_disk(error) or ("fault" if part == "engine" else "not-writable")
        case sqlite3.Error():
            return _of_disk(error) or "fault"
        case ValueError() if part != "engine":
            return "bad-setting"
        case _:
            return "fault"


def _is_full(folder: Path) -> bool:
    try:
        disk = os.statvfs(folder)
    except OSError:
        return False
    return disk.f_bavail * disk.f_frsize < _ROOM_BYTES


def _of_disk(error: Exception) -> str | None:
    """What is wrong with the disk itself, as the error or the one behind it tells."""
    for each in (error, error.__cause__):
        match each:
            case OSError(errno=errno.ENOSPC | errno.EFBIG | errno.EDQUOT):
                return "disk-full"
            case OSError(errno=errno.EROFS):
                return "read-only"
            case OSError(errno=errno.EIO):
                return "disk"
            case sqlite3.Error(sqlite_errorname=name) if name.startswith("SQLITE_FULL"):
                return "disk-full"
            case sqlite3.Error(sqlite_errorname=name) if name.startswith("SQLITE_IOERR"):
                return "disk"
    return None
