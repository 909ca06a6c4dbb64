"""A kiosk that cannot go on says so on a real display, until it is asked to end or is to be started again."""

from __future__ import annotations

import itertools
import os
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from appliance.apps.kiosk_attention import view
from appliance.apps.kiosk_trouble import Part
from appliance.config import ConfigError, load
from appliance.display import parts
from appliance.display.fonts import FontBook
from appliance.display.layout_device import attention_list
from appliance.display.render import paint
from appliance.display.style import at_start
from appliance.i18n import Translator
from appliance.journal import Journal, JournalError
from appliance.workplace import Workplace
from tests.system.houses import PATIENCE_S

DYING = """
import sys
from appliance.cli import main
from appliance.station import Station

def dies(station):
    raise RuntimeError("a fault")

assert Station._step
Station._step = dies
sys.exit(main(["kiosk", sys.argv[1]]))
"""
"""A kiosk whose engine thread dies with the first thing it does."""

SIZE = (800, 600)
SOCKETS = Path("/tmp/.X11-unix")


@pytest.fixture
def glass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The memory of a real X server's screen, as a file."""
    own = 1000 + os.getpid() % 20_000 * 2  # two tests at once must not both find the same one free
    number = next(n for n in itertools.count(own) if not (SOCKETS / f"X{n}").exists())
    monkeypatch.setenv("DISPLAY", f":{number}")
    monkeypatch.setenv("SDL_VIDEODRIVER", "x11")
    memory = tmp_path / "glass"
    memory.mkdir()
    size = f"{SIZE[0]}x{SIZE[1]}x24"
    command = ["Xvfb", f":{number}", "-screen", "0", size, "-fbdir", str(memory), "-nolisten", "tcp"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as server:
        until = time.monotonic() + PATIENCE_S
        while not (SOCKETS / f"X{number}").exists() and time.monotonic() < until:
            time.sleep(0.02)
        yield memory / "Xvfb_screen0"
        server.terminate()


def shown(memory: Path) -> bytes:
    """The screen's pixels, red, green and blue a byte each (X11's XWDFile.h: after header and colours the rows)."""
    raw = memory.read_bytes()
    head = struct.unpack(">25I", raw[:100])
    start, row = head[0] + 12 * head[19], head[12]
    rows = (raw[start + row * y : start + row * y + 4 * SIZE[0]] for y in range(SIZE[1]))
    bgrx = b"".join(rows)
    out = bytearray(3 * SIZE[0] * SIZE[1])
    out[0::3], out[1::3], out[2::3] = bgrx[2::4], bgrx[1::4], bgrx[0::4]
    return bytes(out)


def pixels(error: Exception, part: Part, lang: str | None, name: str) -> bytes:
    """What that screen must be for an error."""
    fonts, style = FontBook(), at_start(load().screen)
    words = Translator(lang or "cs")
    ops = attention_list(view(error, name, lang, part), SIZE, words, fonts, style.theme, style.house)
    return bytes(parts.image.tobytes(paint(ops, SIZE, fonts), "RGB"))


def wait_until_shown(memory: Path, wanted: bytes, kiosk: subprocess.Popen[str]) -> None:
    until = time.monotonic() + PATIENCE_S
    while shown(memory) != wanted:
        assert kiosk.poll() is None, kiosk.communicate()
        if time.monotonic() >= until:
            kiosk.kill()  # else it is waited for
            raise AssertionError("another picture", kiosk.communicate())
        time.sleep(0.05)


def started(*files: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "appliance", "kiosk", *map(str, files)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


def device(folder: Path, more: str = "") -> Path:
    file = folder / "device.toml"
    file.write_text(
        f'[venue]\nlanguage = "en"\n[device]\nname = "table-1"\ndata = "{folder / "data"}"\n[broker]\nport = 1\n'
        f'[reader]\ndriver = "simulated"\nsocket = "{folder / "reader"}"\n{more}'
    )
    return file


def damaged(file: Path) -> JournalError:
    """The trouble of a journal of which some bytes are wrong."""
    place = Workplace(load(file))
    place.journal().close()
    path = place.data / "journal"
    raw = bytearray(path.read_bytes())
    raw[1024:] = b"\xff" * (len(raw) - 1024)
    path.write_bytes(raw)
    with pytest.raises(JournalError) as caught:
        Journal(path, read_only=True)
    return caught.value


def test_a_kiosk_with_a_damaged_journal_says_what_to_do_and_ends_when_asked(tmp_path: Path, glass: Path) -> None:
    file = device(tmp_path)
    error = damaged(file)
    with started(file) as kiosk:
        wait_until_shown(glass, pixels(error, "engine", "en", "table-1"), kiosk)
        assert kiosk.stderr is not None
        assert "damaged" in kiosk.stderr.readline()  # at once: the log does not wait for the screen
        kiosk.send_signal(signal.SIGTERM)
        assert kiosk.wait(PATIENCE_S) == 2


def test_a_configuration_that_cannot_be_read_is_told_in_both_languages(tmp_path: Path, glass: Path) -> None:
    file = tmp_path / "device.toml"
    file.write_text("[device\n")
    with pytest.raises(ConfigError) as caught:
        load(file)
    with started(file) as kiosk:
        wait_until_shown(glass, pixels(caught.value, "start", None, ""), kiosk)
        kiosk.send_signal(signal.SIGTERM)
        assert kiosk.wait(PATIENCE_S) == 2


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path, glass: Path) -> None:
    file = device(tmp_path)
    (tmp_path / "data").write_text("a file in its place")
    with pytest.raises(OSError, match="exists") as caught:
        Workplace(load(file))
    with started(file) as kiosk:
        wait_until_shown(glass, pixels(caught.value, "start", "en", "table-1"), kiosk)
        kiosk.send_signal(signal.SIGINT)
        assert kiosk.wait(PATIENCE_S) == 2


def test_an_engine_that_died_leaves_no_picture_of_the_evening(tmp_path: Path, glass: Path) -> None:
    command = [sys.executable, "-c", DYING, str(device(tmp_path))]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as kiosk:
        wait_until_shown(glass, pixels(RuntimeError("a fault"), "engine", "en", "table-1"), kiosk)
        kiosk.send_signal(signal.SIGTERM)
        assert kiosk.wait(PATIENCE_S) == 1


@pytest.mark.usefixtures("glass")
def test_without_a_display_it_ends_at_once(tmp_path: Path) -> None:
    file = device(tmp_path, "[screen]\nheadless = true\n")
    damaged(file)
    with started(file) as kiosk:
        assert kiosk.wait(PATIENCE_S) == 2
