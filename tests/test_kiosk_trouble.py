"""What a kiosk that cannot go on says on its screen: each way to end has its own words, in the language read there."""

from __future__ import annotations

import errno
import os
import signal
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest

from appliance import VERSION, journal_file
from appliance.apps.kiosk_attention import attend, told, view
from appliance.apps.kiosk_trouble import Part, trouble
from appliance.config import ConfigError, load
from appliance.display import parts
from appliance.display.fonts import FontBook
from appliance.display.glass import Glass
from appliance.display.layout_device import attention_list
from appliance.display.ops import Box, DrawList, Text
from appliance.display.style import at_start
from appliance.display.window import InputEvent, Window
from appliance.filebytes import Unusable
from appliance.health.readers import WHY
from appliance.hw.ports import DriverMissing
from appliance.i18n import LANGUAGES, Translator
from appliance.identity import IdentityError
from appliance.journal import JournalError
from appliance.workplace import FolderTaken

FILE = Path("/var/lib/tableside/journal")


@pytest.fixture(scope="module")
def fonts() -> FontBook:
    return FontBook()


def caused(error: Exception, by: Exception) -> Exception:
    error.__cause__ = by
    return error


def said_by_sqlite(name: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorname = name
    return error


def full() -> JournalError:
    """What SQLite says of a full disk, translated."""
    error = said_by_sqlite("SQLITE_FULL")
    translated = journal_file.translate(error, FILE)
    translated.__cause__ = error
    return translated


ENDS: list[tuple[str, Exception, Part]] = [
    ("bad-setting", ConfigError("/etc/device.toml: screen.widht: there is no such setting"), "start"),
    ("bad-setting", ValueError("a screen has at least 320x240 pixels"), "start"),
    ("bad-setting", Unusable("broker.ca: /etc/ca.pem: no certificates in PEM form"), "engine"),
    ("disk-full", OSError(errno.ENOSPC, "No space left on device"), "start"),
    ("disk-full", full(), "engine"),
    ("disk-full", said_by_sqlite("SQLITE_FULL"), "engine"),
    ("disk", said_by_sqlite("SQLITE_IOERR_WRITE"), "engine"),
    ("fault", said_by_sqlite("SQLITE_ERROR"), "engine"),
    ("disk-full", caused(JournalError("unreadable", "journal: full"), OSError(errno.ENOSPC, "full")), "engine"),
    ("read-only", OSError(errno.EROFS, "Read-only file system"), "start"),
    ("disk", JournalError("disk", f"{FILE}: disk I/O error"), "engine"),
    ("not-writable", PermissionError(errno.EACCES, "Permission denied", "/var/lib/tableside"), "start"),
    ("folder-taken", FolderTaken("/var/lib/tableside is in use by another program of this device"), "engine"),
    ("device-key", IdentityError("/var/lib/tableside/device.key: no private key in it"), "start"),
    ("damaged", JournalError("damaged", f"{FILE}: record 7 follows record 5"), "engine"),
    ("not-a-journal", JournalError("not-a-journal", f"{FILE} is a database of another program"), "engine"),
    ("newer-version", JournalError("newer-version", f"{FILE} has format 9"), "engine"),
    ("unreadable", JournalError("unreadable", f"{FILE}: unable to open database file"), "engine"),
    ("no-epoch", JournalError("no-epoch", "table/x-1 aa is not open here"), "engine"),
    ("library-missing", DriverMissing("pip install 'tableside[readers]'"), "reader"),
    ("failed", OSError(errno.EACCES, "Permission denied"), "reader"),
    ("fault", ValueError("a fault of the engine's"), "engine"),
    ("fault", KeyError("R1"), "engine"),
]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("code", "error", "part"), ENDS)
def test_every_end_has_a_code_a_problem_and_a_remedy(code: str, error: Exception, part: Part, lang: str) -> None:
    shown = view(error, "table-1", lang, part)
    assert (shown.code, shown.device, shown.version) == (code, "table-1", VERSION)
    assert shown.problem
    assert shown.remedy
    assert "{" not in shown.problem + shown.remedy
    assert shown.also == {}


@pytest.mark.parametrize(("code", "error", "part"), ENDS)
@pytest.mark.parametrize("size", [(1920, 1080), (800, 480), (1080, 1920)])
def test_all_of_it_fits_in_two_languages(
    code: str, error: Exception, part: Part, size: tuple[int, int], fonts: FontBook
) -> None:
    shown, style = view(error, "table-1", None, part), at_start(load().screen)
    ops = attention_list(shown, size, Translator("cs"), fonts, style.theme, style.house)
    said = " ".join(op.text for op in ops if isinstance(op, Text)).replace("- ", "-")
    for lang in LANGUAGES:
        for text in trouble(error, part).said(Translator(lang)):
            for word in text.replace("-", "- ").split():
                assert word in said, (code, word)
    for word in ("Zařízení potřebuje pomoc", "This device needs somebody", code, "table-1", VERSION):
        assert word in said


def test_a_settings_trouble_is_told_as_doctor_tells_it() -> None:
    shown = view(ConfigError("/etc/device.toml: device.role: none of table, door"), "d", "en")
    assert shown.problem == "A setting cannot be so: /etc/device.toml: device.role: none of table, door"
    assert shown.remedy == "Set it right in the device file or the site file, then: tableside config check"


def test_a_missing_driver_is_told_as_doctor_tells_it() -> None:
    assert trouble(DriverMissing("x"), "reader").said(Translator("en")) == WHY["library-missing"]


def test_a_full_disk_is_told_whatever_sqlite_calls_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    error = JournalError("unreadable", f"{FILE}: disk I/O error")
    assert trouble(error, "engine", tmp_path).code == "unreadable"
    disk = os.statvfs(tmp_path)
    full = os.statvfs_result([*disk[:3], 7, 7, *disk[5:]])
    monkeypatch.setattr(os, "statvfs", lambda _: full)
    assert trouble(error, "engine", tmp_path).code == "disk-full"
    assert trouble(JournalError("damaged", str(FILE)), "engine", tmp_path).code == "damaged"


def test_a_bad_configuration_still_tells_its_name_screen_and_language(tmp_path: Path) -> None:
    site, device = tmp_path / "site.toml", tmp_path / "device.toml"
    site.write_text('[venue]\nid = "U Žabáka"\nlanguage = "en"\n')
    device.write_text('[device]\nname = "door"\nrole = "porter"\n[screen]\nheadless = true\nwidth = 0\n')
    with pytest.raises(ConfigError):
        load(site, device)
    known = told([site, device])
    assert known.lang == "en"
    assert known.config.device.name == "door"
    assert known.config.screen.headless
    assert known.config.screen.width == 1280


def test_the_screens_own_language_goes_before_the_venues(tmp_path: Path) -> None:
    file = tmp_path / "device.toml"
    file.write_text('[venue]\nlanguage = "en"\n[screen]\nlanguage = "cs"\n')
    assert told([file]).lang == "cs"


@pytest.mark.parametrize("text", ["[venue", "", '[venue]\nlanguage = "de"\n', "venue = 3\n"])
def test_without_a_language_both_are_spoken(tmp_path: Path, text: str) -> None:
    file = tmp_path / "device.toml"
    file.write_text(text)
    known = told([file, tmp_path / "missing.toml"])
    assert (known.lang, known.config.device.name) == (None, "")
    assert set(view(ConfigError("device.toml: x"), "", known.lang).also) == {"en"}


class Heard(Window):
    """A window nobody sees, in which something is heard after the second frame."""

    def __init__(self, what: InputEvent) -> None:
        super().__init__((640, 360), driver="dummy")
        self.frames: list[DrawList] = []
        self._what = what

    def show(self, ops: DrawList) -> list[Box]:
        self.frames.append(ops)
        return super().show(ops)

    def pump(self) -> list[InputEvent]:
        return [self._what] if len(self.frames) > 1 else []

    def wait(self, seconds: float, also: Sequence[int] = ()) -> list[int]:
        return []


@pytest.mark.parametrize("what", [InputEvent("key", "a"), InputEvent("touch"), InputEvent("quit"), InputEvent("gone")])
def test_a_key_a_touch_and_the_windows_end_are_answered_at_once(
    what: InputEvent, fonts: FontBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = Heard(what)
    monkeypatch.setattr(parts.display, "get_driver", lambda: "x11")
    config = load()
    before = signal.getsignal(signal.SIGTERM)
    attend(KeyError("R1"), config, Glass(lambda: window, window.size, fonts), at_start(config.screen), "engine")
    assert len(window.frames) == 2
    assert "fault" in "".join(op.text for op in window.frames[0] if isinstance(op, Text))
    assert signal.getsignal(signal.SIGTERM) is before


def test_where_nobody_sees_it_nothing_is_waited_for(fonts: FontBook) -> None:
    window, config = Heard(InputEvent("quit")), load()
    attend(KeyError("R1"), config, Glass(lambda: window, window.size, fonts), at_start(config.screen), "engine")
    assert not window.frames
