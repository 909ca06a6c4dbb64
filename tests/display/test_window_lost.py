"""A display that is off, is pulled out, comes back or is another one: the window follows it, and nothing else waits."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest

from appliance.display import hotplug, parts
from appliance.display.fonts import FontBook
from appliance.display.glass import FIRST_TRY_S, LAST_TRY_S, Glass
from appliance.display.hotplug import Hotplug, is_of_display, plugged
from appliance.display.layout import draw_list
from appliance.display.ops import Box, DrawList
from appliance.display.render import paint
from appliance.display.view import StartingView
from appliance.display.window import Window, WindowError
from appliance.i18n import Translator
from tests.display.test_secondhand import a_clock
from tests.display.test_window import pixels
from tests.xserver import XServer

SIZE, LARGER = (640, 360), (1280, 720)


class Plug(Hotplug):
    """The kernel's news, told by the test."""

    def __init__(self) -> None:
        self._mine, self._other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)

    @property
    def descriptors(self) -> tuple[int, ...]:
        return (self._mine.fileno(),)

    def tell(self, message: bytes = b"change@/devices/card0\0SUBSYSTEM=drm\0HOTPLUG=1\0") -> None:
        self._other.send(message)

    def heard(self) -> bool:
        return is_of_display(self._mine.recv(4096))

    def close(self) -> None:
        self._mine.close()
        self._other.close()


class Room:
    """A kiosk's place: a display of some size, or none; a clock; what is said of it."""

    def __init__(self, fonts: FontBook, connectors: Path) -> None:
        self.display: tuple[int, int] | None = SIZE
        self.now = 1000.0
        self.tries: list[float] = []
        self.said: list[str] = []
        self.plug = Plug()
        self.connectors = connectors
        self._fonts = fonts

    def open(self) -> Window:
        self.tries.append(self.now)
        if self.display is None:
            raise WindowError("no window: no display found")
        return Window(self.display, driver="dummy", fonts=self._fonts)

    def glass(self) -> Glass:
        made = Glass(self.open, SIZE, self._fonts, self.plug, lambda: self.now)
        made.tell_with(self.said.append)
        return made

    def connect(self, status: str, modes: str = "1920x1080") -> None:
        """A connector has a display or none; the kernel tells of it."""
        port = self.connectors / "card0-HDMI-A-1"
        port.mkdir(exist_ok=True)
        (port / "status").write_text(f"{status}\n")
        (port / "modes").write_text(modes)
        self.plug.tell()


@pytest.fixture
def room(fonts: FontBook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    monkeypatch.setattr(hotplug, "CONNECTORS", tmp_path)
    place = Room(fonts, tmp_path)
    yield place
    place.plug.close()
    parts.display.quit()


@pytest.fixture
def frame(fonts: FontBook) -> Callable[[tuple[int, int]], DrawList]:
    return lambda size: draw_list(StartingView(device="t1"), size, Translator("cs"), fonts)


def test_without_a_display_nothing_is_shown_and_nothing_fails(
    room: Room, frame: Callable[[tuple[int, int]], DrawList], tmp_path: Path, fonts: FontBook
) -> None:
    room.display = None
    glass = room.glass()
    assert not glass.is_there
    assert (glass.size, glass.show(frame(SIZE)), glass.pump()) == (SIZE, [], [])
    glass.rehearse(frame(SIZE))
    glass.save(tmp_path / "shot.png")
    assert pixels(parts.image.load(str(tmp_path / "shot.png"))) == pixels(paint(frame(SIZE), SIZE, fonts))
    assert room.said == ["no window: no display found; going on without"]


def test_without_a_display_a_picture_shows_the_second_that_would_be_shown(
    room: Room, tmp_path: Path, fonts: FontBook
) -> None:
    canvas, second = a_clock(fonts)
    room.display = None
    glass = room.glass()
    for picture in (glass.show(canvas.at(second)), glass.tick(canvas, second - 1), glass.tick(canvas, second - 2)):
        assert picture == []
    glass.save(tmp_path / "shot.png")
    shot = pixels(parts.image.load(str(tmp_path / "shot.png")))
    assert shot == pixels(paint(canvas.at(second - 2), SIZE, fonts))


def test_a_display_that_is_lost_with_a_second_is_told_of_and_the_seconds_go_on_where_it_comes_back(
    room: Room, fonts: FontBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    canvas, second = a_clock(fonts)
    glass = room.glass()
    glass.tick(canvas, second)

    def lost(*_: object) -> None:
        raise parts.base.error("the display is gone")

    with monkeypatch.context() as broken:
        broken.setattr(parts.display, "update", lost)
        assert glass.tick(canvas, second - 1) == []
    assert not glass.is_there
    assert room.said == ["the display is gone; going on without"]
    assert glass.tick(canvas, second - 2) == []
    room.connect("connected")
    glass.wait(60)
    assert glass.tick(canvas, second - 3) == [Box(0, 0, *SIZE)]
    assert pixels(parts.display.get_surface()) == pixels(paint(canvas.at(second - 3), SIZE, fonts))


def test_a_display_that_comes_is_tried_ever_more_seldom(
    room: Room, frame: Callable[[tuple[int, int]], DrawList]
) -> None:
    room.display = None
    glass = room.glass()
    for _ in range(3000):
        room.now += 0.1
        glass.wait(0)
    pauses = [round(after - before) for before, after in pairwise(room.tries)]
    assert pauses[:4] == [FIRST_TRY_S, 10, 20, 40]
    assert set(pauses[4:]) == {LAST_TRY_S}
    assert len(room.said) == 1  # not one line a try
    room.display = LARGER
    room.now += LAST_TRY_S
    glass.wait(0)
    assert glass.is_there
    assert glass.size == LARGER
    assert glass.show(frame(LARGER)) == [Box(0, 0, *LARGER)]
    assert room.said[1:] == ["the window is open, 1280x720 pixels"]


def test_the_kernels_word_opens_the_window_at_once(room: Room) -> None:
    room.display = None
    glass = room.glass()
    room.display = SIZE
    room.plug.tell(b"add@/devices/usb1\0SUBSYSTEM=usb\0")
    assert glass.wait(0) == []
    assert not glass.is_there
    room.plug.tell()
    assert glass.wait(60) == []
    assert glass.is_there


def test_a_display_pulled_out_and_back_is_painted_anew_in_its_new_size(
    room: Room, frame: Callable[[tuple[int, int]], DrawList], fonts: FontBook
) -> None:
    glass = room.glass()
    glass.show(frame(SIZE))
    room.display = None
    room.connect("disconnected", "")
    glass.wait(60)
    assert not glass.is_there
    assert glass.show(frame(SIZE)) == []
    room.display = LARGER
    room.connect("connected")
    glass.wait(60)
    assert glass.size == LARGER
    assert glass.show(frame(LARGER)) == [Box(0, 0, *LARGER)]
    assert pixels(parts.display.get_surface()) == pixels(paint(frame(LARGER), LARGER, fonts))


def test_news_that_change_no_connector_leave_the_window_alone(room: Room) -> None:
    room.connect("connected")
    glass = room.glass()
    for _ in range(3):
        room.plug.tell()
        glass.wait(60)
    assert len(room.tries) == 1


def test_a_window_of_another_size_is_opened_anew(
    room: Room, frame: Callable[[tuple[int, int]], DrawList], monkeypatch: pytest.MonkeyPatch
) -> None:
    glass = room.glass()
    glass.show(frame(SIZE))
    event = parts.event.Event(parts.constants.WINDOWSIZECHANGED, x=SIZE[0], y=SIZE[1])
    parts.event.post(event)
    assert glass.pump() == []
    assert len(room.tries) == 1  # it is as large as it was
    monkeypatch.setattr(parts.display, "get_window_size", lambda: LARGER)
    room.display = LARGER
    parts.event.post(event)
    assert glass.pump() == []
    assert (len(room.tries), glass.size) == (2, LARGER)


def test_a_window_that_is_never_given_its_size_is_not_opened_over_and_over(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    glass = room.glass()
    monkeypatch.setattr(parts.display, "get_window_size", lambda: LARGER)  # as a tiling window manager does
    for _ in range(5):
        parts.event.post(parts.event.Event(parts.constants.WINDOWSIZECHANGED, x=LARGER[0], y=LARGER[1]))
        assert glass.pump() == []
    assert (len(room.tries), glass.size) == (2, SIZE)


def test_a_window_that_fails_is_a_state_and_is_tried_again(
    room: Room, frame: Callable[[tuple[int, int]], DrawList]
) -> None:
    glass = room.glass()
    parts.display.quit()  # as a driver does whose device is gone
    assert glass.show(frame(SIZE)) == []
    assert not glass.is_there
    assert "going on without" in room.said[0]
    room.now += FIRST_TRY_S
    glass.wait(0)
    assert glass.is_there
    parts.display.quit()
    assert glass.pump() == []
    assert not glass.is_there


def test_a_display_too_small_to_read_is_refused_at_first_and_waited_out_later(room: Room) -> None:
    opened, room.display = room.open, None

    def strict() -> Window:
        if room.display == (64, 48):
            raise ValueError("a screen has at least 320x240 pixels")
        return opened()

    room.open = strict  # type: ignore[method-assign]
    glass = room.glass()
    room.display = (64, 48)
    room.plug.tell()
    glass.wait(60)
    assert not glass.is_there
    assert room.said[-1] == "a screen has at least 320x240 pixels; going on without"
    with pytest.raises(ValueError, match="320x240"):
        room.glass()


@pytest.mark.parametrize("there", [True, False])
def test_whoever_is_waited_for_is_answered_at_once_in_every_state(room: Room, there: bool) -> None:
    room.display = SIZE if there else None
    glass = room.glass()
    reading, writing = os.pipe()
    try:
        assert glass.wait(0, [reading]) == []
        os.write(writing, b"!")
        assert glass.wait(60, [reading]) == [reading]
    finally:
        os.close(reading)
        os.close(writing)


def test_the_kernels_messages_are_told_apart() -> None:
    assert is_of_display(b"change@/devices/pci/drm/card0\0ACTION=change\0SUBSYSTEM=drm\0HOTPLUG=1\0SEQNUM=3\0")
    assert not is_of_display(b"add@/devices/usb\0SUBSYSTEM=usb\0DEVNAME=drm\0")
    heard = Hotplug()
    assert not heard.heard()
    heard.close()
    assert heard.descriptors == ()


def test_connectors_are_read_with_their_modes(tmp_path: Path) -> None:
    assert plugged(tmp_path / "none") == ()
    for name, status in (("card0-HDMI-A-1", "connected"), ("card0-HDMI-A-2", "disconnected")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "status").write_text(f"{status}\n")
        (tmp_path / name / "modes").write_text("1920x1080\n" if status == "connected" else "")
    (tmp_path / "card0").mkdir()
    assert plugged(tmp_path) == (
        ("card0-HDMI-A-1", "connected", "1920x1080"),
        ("card0-HDMI-A-2", "disconnected", ""),
    )


def test_a_connection_to_another_machine_is_not_taken_for_the_windows(fonts: FontBook) -> None:
    window, foreign = None, socket.socket()
    try:
        opened: list[socket.socket] = []
        init = parts.display.init

        def init_while_a_thread_connects() -> None:
            opened.append(socket.socket())
            opened.extend(socket.socketpair())
            init()

        parts.display.init = init_while_a_thread_connects
        try:
            window = Window(SIZE, driver="dummy", fonts=fonts)
        finally:
            parts.display.init = init
        assert opened[0].fileno() not in window._unheard
        assert opened[1].fileno() in window._unheard  # as a display's socket is
    finally:
        for each in (foreign, *opened):
            each.close()
        if window is not None:
            window.close()


ALONE = """
import sys
from appliance.display.window import Window, WindowError
try:
    Window(None, fullscreen=True)
except WindowError as error:
    print(error)
"""


def test_a_window_that_nobody_sees_is_none() -> None:
    env = {
        name: value for name, value in os.environ.items() if not name.startswith(("SDL_", "DISPLAY", "WAYLAND", "XDG"))
    }
    ran = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, text=True, check=True, env=env)
    assert ran.stdout == "no window: no display found\n"


# -- a real X server -------------------------------------------------------------------------------------

ON_X = """
import sys, time
from appliance.display.fonts import FontBook
from appliance.display.glass import Glass
from appliance.display.layout import draw_list
from appliance.display.view import StartingView
from appliance.display.window import Window
from appliance.i18n import Translator
fonts = FontBook()
whole = sys.argv[1] == "fullscreen"
glass = Glass(lambda: Window(None if whole else (640, 360), fullscreen=whole, fonts=fonts), (640, 360), fonts)
ops = draw_list(StartingView(device="t1"), glass.size, Translator("cs"), fonts)
print(*glass.size, len(glass.show(ops)), flush=True)
ends = time.monotonic() + 60
while time.monotonic() < ends:
    if any(event.kind == "gone" for event in glass.pump()):
        print("gone", flush=True)
        break
    glass.wait(60)
"""

CLOSING = """
import sys
from appliance.display.window import Window
window = Window((640, 360), fullscreen=False)
print("open", flush=True)
sys.stdin.readline()
window.close()
"""


@contextmanager
def on_x(program: str, server: XServer, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A program that draws on this server; killed after a minute."""
    env = {**os.environ, "DISPLAY": server.display, "SDL_VIDEODRIVER": "x11"}
    command = [sys.executable, "-c", program, *arguments]
    made = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)
    patience = threading.Timer(60, made.kill)
    patience.start()
    try:
        yield made
    finally:
        patience.cancel()
        made.kill()
        made.communicate()


@pytest.mark.parametrize(("mode", "shown"), [("fullscreen", "800 600 1\n"), ("window", "640 360 1\n")])
def test_the_end_of_the_x_server_is_told_and_the_program_ends_by_itself(mode: str, shown: str) -> None:
    with XServer() as server, on_x(ON_X, server, mode) as kiosk:
        assert kiosk.stdout is not None
        assert kiosk.stdout.readline() == shown
        server.send(signal.SIGKILL)
        assert kiosk.stdout.readline() == "gone\n"
        assert kiosk.wait() == 0


def test_a_program_that_closes_its_window_on_a_dead_x_server_ends() -> None:
    with XServer() as server, on_x(CLOSING, server) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        assert program.stdout.readline() == "open\n"
        server.end(signal.SIGKILL)
        print(file=program.stdin, flush=True)
        assert program.wait() == 1
