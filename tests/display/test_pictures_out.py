"""Pictures are written whole or not at all, and a screen that cannot write one goes on."""

from __future__ import annotations

import resource
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from appliance.apps.kiosk_screen import Screen
from appliance.config import Config
from appliance.config import Screen as ScreenConfig
from appliance.display import parts
from appliance.display.fonts import FontBook
from appliance.display.glass import Glass
from appliance.display.ops import Box, Picture, Shade, Source
from appliance.display.picture_out import write_png
from appliance.display.pictures import Pictures
from appliance.display.window import Window
from tests.test_kiosk_ticks import Station

SIZE = (320, 240)


@pytest.fixture
def full_disk() -> Iterator[None]:
    """No file gets larger than 500 bytes: a write that fails, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, handler)


def noise() -> parts.surface.Surface:
    picture = parts.surface.Surface(SIZE, 0, 32)
    for y in range(SIZE[1]):
        picture.fill((y, 255 - y, y * 7 % 256), (y, y, 1 + y * 5 % 97, 1))
    return picture


def test_a_picture_for_which_there_is_no_room_is_an_error_and_leaves_nothing(tmp_path: Path, full_disk: None) -> None:
    file = tmp_path / "shown.png"
    file.write_bytes(b"what was there")
    with pytest.raises(OSError, match="File too large"):
        write_png(noise(), file)
    assert [each.name for each in tmp_path.iterdir()] == ["shown.png"]
    assert file.read_bytes() == b"what was there"


@pytest.mark.parametrize("name", ["x.png", "x.jpg", "\udcff\udcfe.png", "n" * 250])
def test_any_name_is_written_and_nothing_else(tmp_path: Path, name: str) -> None:
    write_png(noise(), tmp_path / name)
    assert [each.name for each in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")


def test_what_cannot_be_painted_anywhere_is_no_lost_display(
    fonts: FontBook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise parts.base.error("no such thing")

    said: list[str] = []
    glass = Glass(lambda: Window(SIZE, driver="dummy", fonts=fonts), SIZE, fonts)
    glass.tell_with(said.append)
    ground = Shade(Box(0, 0, *SIZE), (0, 0, 0), (9, 9, 9))
    assert glass.show((ground,))
    scaled = Pictures.scaled
    monkeypatch.setattr(Pictures, "scaled", fail)
    bad = Picture(Box(0, 0, 9, 9), Source(str(tmp_path / "none.png"), 9, 9, True))
    for _ in range(3):
        assert glass.show((ground, bad)) == []
        assert glass.is_there
    assert said == ["the screen stays as it was, this cannot be drawn: no such thing"]
    monkeypatch.setattr(Pictures, "scaled", scaled)
    assert glass.show((Shade(Box(0, 0, *SIZE), (9, 9, 9), (0, 0, 0)),))


def test_a_screen_that_cannot_write_its_picture_says_so_and_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    shots = tmp_path / "shots"
    config = Config(screen=ScreenConfig(shots=str(shots)))
    window = Window(SIZE, driver="dummy")
    screen = Screen(config, window, Station(), 0)  # type: ignore[arg-type]
    screen.take_picture()
    screen._save_pictures()
    assert [record.getMessage() for record in caplog.records] == [
        f"no picture: {shots}/device-01.png: No such file or directory"
    ]
    shots.mkdir()
    screen.take_picture()
    screen._save_pictures()
    assert [each.name for each in shots.iterdir()] == ["device-01.png"]
    window.close()


def test_pictures_of_an_earlier_start_are_not_written_over(tmp_path: Path) -> None:
    for name in ("device-01.png", "device-07.png", "table-1-30.png", "device-x.png", "device.png"):
        (tmp_path / name).write_bytes(b"before")
    window = Window(SIZE, driver="dummy")
    for number in ("08", "09", "10"):
        if number != "09":  # the program was started anew
            screen = Screen(Config(screen=ScreenConfig(shots=str(tmp_path))), window, Station(), 0)  # type: ignore[arg-type]
        screen.take_picture()
        screen._save_pictures()
        assert (tmp_path / f"device-{number}.png").read_bytes() != b"before"
    window.close()
    assert {each.name for each in tmp_path.iterdir() if each.read_bytes() == b"before"} == {
        "device-01.png", "device-07.png", "table-1-30.png", "device-x.png", "device.png",
    }  # fmt: skip
