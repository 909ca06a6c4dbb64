"""The glass: shows draw lists in a window, the whole screen or nowhere (SDL's dummy driver); hears keys and touches.

Only what changed since the list before is painted and sent to the screen. A main loop looks like this::

    window = Window(Size(1280, 720), fullscreen=True)
    while running:
        window.show(draw_list(view, ...))
        for event in window.pump(): ...
        window.wait(seconds_to_next_change, [wake_fd])

`wait` sleeps in ``poll(2)`` on the descriptors the window system talks through, so it wakes up at once for input and
for ``wake_fd``, and otherwise only when the time is up (``pygame.event.wait`` with a timeout polls 900 times a
second). Signals are the program's own: give ``signal.set_wakeup_fd`` the other end of ``wake_fd``.
"""

from __future__ import annotations

import math
import os
import select
import socket
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from appliance.display import parts
from appliance.display.canvas import Canvas
from appliance.display.fonts import FontBook
from appliance.display.ops import Box, DrawList, changed
from appliance.display.raster import Painter
from appliance.display.secondhand import SecondHand, Turn

_PATIENCE = 50
"""How often in a row a descriptor may still be readable after SDL has read."""

_NOWHERE = "no display found"

_BY_PLACE = {
    **{getattr(parts.constants, f"KSCAN_{digit}"): digit for digit in "0123456789"},
    **{getattr(parts.constants, f"KSCAN_KP_{digit}"): f"[{digit}]" for digit in "0123456789"},
    parts.constants.KSCAN_KP_PERIOD: "[.]",
    parts.constants.KSCAN_KP_DIVIDE: "[/]",
    parts.constants.KSCAN_KP_MULTIPLY: "[*]",
    parts.constants.KSCAN_KP_MINUS: "[-]",
    parts.constants.KSCAN_KP_PLUS: "[+]",
    parts.constants.KSCAN_KP_ENTER: "enter",
}
"""Names of keys by SDL's scancodes, whatever the keyboard's layout puts on them."""

_MOUSE_AS_FINGER = -1
"""SDL's number of the touch device that is none, but the mouse (SDL_MOUSE_TOUCHID)."""


class InputEvent(NamedTuple):
    """Something a person did: ``quit`` (window closed), ``key`` with the key's name ("escape", "f5", "a"), or ``touch``
    of the pixel ``x``, ``y`` with a finger or the mouse. Or what became of the window: ``resized``, or ``gone`` with
    its X server, for good.
    """

    kind: str
    key: str = ""
    x: int = 0
    y: int = 0


class WindowError(RuntimeError):
    """No window could be opened; the message is SDL's."""


class Window:
    """The one window of this process. ``driver`` "dummy" draws without any display.

    Raises `WindowError` when there is no display to open, `FontsMissing` without fonts.
    """

    def __init__(
        self,
        size: tuple[int, int] | None = None,
        *,
        fullscreen: bool = False,
        driver: str | None = None,
        title: str = "Tableside",
        fonts: FontBook | None = None,
    ) -> None:
        before = _descriptors()
        self._surface = _open(size, fullscreen, driver)
        self.gone = self._closing = False
        if parts.display.get_driver() == "x11":
            from appliance.display.xserver import tell_when_gone

            tell_when_gone(self._is_gone)
        self._unheard = dict.fromkeys(_descriptors() - before, 0)
        self._waits_for: tuple[int, ...] = ()
        self._waiter = _waiter(())
        self._heard = False  # whether one of them had something to say
        parts.display.set_caption(title)
        self.fonts = fonts or FontBook()
        width, height = self.size = self._surface.get_size()
        self._painter = Painter(self.fonts, cache_bytes=3 * width * height // 2, backdrop=True)
        self._shown: DrawList | None = None
        self._hand: SecondHand | None = None
        self._turn = Turn()
        self._aside: parts.surface.Surface | None = None
        self._rehearsed: tuple[DrawList | None, DrawList] | None = None  # what it would follow, and itself

    def show(self, ops: DrawList) -> list[Box]:
        """Draw a list; return the boxes that were painted (all of it the first time)."""
        self._keep_up()
        boxes = self._boxes(ops)
        rehearsed = self._rehearsed is not None and self._rehearsed == (self._shown, ops)
        for box in boxes:
            if rehearsed and self._aside is not None:
                self._surface.blit(self._aside, box[:2], box)
            else:
                self._painter.paint(self._surface, ops, box)
        self._shown, self._rehearsed = ops, None
        if boxes:
            parts.display.update(list(boxes))
        return boxes

    def tick(self, canvas: Canvas, second: int, last: int = 0) -> list[Box]:
        """Show what a canvas drew with another second on its clock: from the second time on with little work, for only
        what a second changes is looked at. ``last``: the last second that this canvas is likely to show.
        """
        hand = self._hand
        step = hand.step(second) if hand is not None and hand.canvas is canvas else None
        if step is None:
            painted = self.show(canvas.at(second))
            self._hand = SecondHand(canvas, second, self._surface, self._painter, self._turn, last)
            return painted
        if step.boxes:
            self._surface.blits(step.copies, False)
            parts.display.update(step.boxes)
        return step.boxes

    def _keep_up(self) -> None:
        """Whatever comes now follows the second that is shown."""
        if self._hand is not None:
            self._shown, self._hand = self._hand.shown, None

    def rehearse(self, ops: DrawList) -> None:
        """Paint a list that will probably follow, off the glass: if it does, showing it is a copy.

        Nothing is seen of it before. It serves only if the next list shown is this one.
        """
        self._keep_up()
        if self._aside is None:
            self._aside = parts.surface.Surface(self.size, 0, self._surface)
        for box in self._boxes(ops):
            self._painter.paint(self._aside, ops, box)
        self._rehearsed = (self._shown, ops)

    def _boxes(self, ops: DrawList) -> list[Box]:
        """Where a list differs from what is shown."""
        screen = Box(0, 0, *self.size)
        if self._shown is None:
            return [screen]
        return [
            box for box in (b.clip(screen) for b in changed(self._shown, ops, self._painter.seen)) if box.w and box.h
        ]

    def pump(self) -> list[InputEvent]:
        """Hear what happened since the last call; what the window lost meanwhile is painted again."""
        events: list[InputEvent] = []
        constants = parts.constants
        for event in parts.event.get():
            if event.type == constants.QUIT:
                events.append(InputEvent("quit"))
            elif event.type == constants.KEYDOWN:
                events.append(InputEvent("key", _key_name(event)))
            elif event.type in (constants.MOUSEBUTTONDOWN, constants.FINGERDOWN):
                events += self._touched(event)
            elif event.type in (constants.VIDEOEXPOSE, constants.WINDOWEXPOSED, constants.WINDOWRESTORED):
                parts.display.update()
            elif event.type in (constants.WINDOWSIZECHANGED, constants.WINDOWDISPLAYCHANGED) and self._is_resized():
                events.append(InputEvent("resized"))
        if self._heard or any(self._unheard.values()):
            self._forget_noise()
        if self.gone:
            events.append(InputEvent("gone"))
        return events

    def _is_gone(self) -> None:
        if self._closing:
            os._exit(1)  # SDL would wait for ever for its leave to take the window away
        self.gone = True

    def _is_resized(self) -> bool:
        return parts.display.get_window_size() != self.size

    def _touched(self, event: parts.event.Event) -> list[InputEvent]:
        """A finger's or the left button's touch, once: SDL makes a mouse's of each finger's, and may the other way."""
        width, height = self.size
        if event.type == parts.constants.FINGERDOWN:
            if event.touch_id == _MOUSE_AS_FINGER:
                return []
            x, y = int(event.x * width), int(event.y * height)
        elif event.button != 1 or getattr(event, "touch", False):
            return []
        else:
            x, y = event.pos
        return [InputEvent("touch", x=min(max(x, 0), width - 1), y=min(max(y, 0), height - 1))]

    def wait(self, seconds: float, also: Sequence[int] = ()) -> list[int]:
        """Sleep until input comes, one of the descriptors ``also`` is readable, or ``seconds`` are over.

        Returns the readable ones of ``also``. Call `pump` afterwards in any case.
        """
        fds = (*self._unheard, *also)
        if fds != self._waits_for:
            self._waits_for, self._waiter = fds, _waiter(fds)
        ready = [fd for fd, _ in self._waiter.poll(max(0, math.ceil(seconds * 1000)))]
        if not ready:  # once a second all evening: no more than this is to be done then
            self._heard = False
            return ready
        self._heard = any(fd in self._unheard for fd in ready)
        return [fd for fd in also if fd in ready]

    def _forget_noise(self) -> None:
        """Stop waiting for a descriptor that stays readable however often SDL has heard everything there is.

        It is not one that SDL reads events from (or it is closed), and waiting for it would spin.
        """
        loud = {fd for fd, _ in _waiter(self._unheard).poll(0)}
        for fd, times in list(self._unheard.items()):
            if fd not in loud:
                self._unheard[fd] = 0
            elif times < _PATIENCE:
                self._unheard[fd] = times + 1
            else:
                del self._unheard[fd]

    def save(self, path: Path) -> None:
        """Write what is shown to a PNG file, whole or not at all. Raises `OSError`."""
        from appliance.display.picture_out import write_png

        write_png(self._surface, path)

    @property
    def cached_bytes(self) -> int:
        """Bytes of kept pictures: at most two and a quarter for each pixel of the screen."""
        return self._painter.kept_bytes

    def close(self) -> None:
        """Take the window from the screen; nothing else may be called afterwards. Ends the process if its X server dies
        meanwhile.
        """
        if not self.gone:
            self._closing = True
            parts.display.quit()


def _open(size: tuple[int, int] | None, fullscreen: bool, driver: str | None) -> parts.surface.Surface:
    """Open SDL's video and the window; not one that nobody sees, which SDL opens where it finds no display.

    A software window needs no texture: without SDL_FRAMEBUFFER_ACCELERATION=0 an X server costs 100 MB and four times
    the time. The bare screen (KMSDRM) has no other way than a texture, so there the first try fails and the second
    goes without the setting.
    """
    if driver is not None:
        os.environ["SDL_VIDEODRIVER"] = driver
    os.environ["SDL_NO_SIGNAL_HANDLERS"] = "1"
    chosen = os.environ.get("SDL_FRAMEBUFFER_ACCELERATION", "0")
    for acceleration in ("0", None) if chosen == "0" else (chosen,):
        if acceleration is None:
            os.environ.pop("SDL_FRAMEBUFFER_ACCELERATION", None)
        else:
            os.environ["SDL_FRAMEBUFFER_ACCELERATION"] = acceleration
        try:
            parts.display.init()
            if parts.display.get_driver() == "offscreen" != os.environ.get("SDL_VIDEODRIVER"):
                raise parts.base.error(_NOWHERE)
            parts.display.set_icon(parts.surface.Surface((1, 1)))  # pygame's own takes 10 ms to unpack
            flags = parts.constants.FULLSCREEN if fullscreen else 0
            surface = parts.display.set_mode(size or (0, 0), flags)
            if fullscreen:
                parts.mouse.set_visible(False)
            return surface
        except parts.base.error as error:
            failure = str(error)
            parts.display.quit()
            if failure == _NOWHERE:
                break
    raise WindowError(f"no window: {failure}")


def _key_name(event: parts.event.Event) -> str:
    """What the key is called: digits and the numpad by their place, all others by what stands on them.

    The top row of a Czech keyboard gives letters and a plus without Shift, its numpad a comma for the period.
    """
    return _BY_PLACE.get(getattr(event, "scancode", 0)) or parts.key.name(event.key)


def _waiter(fds: Iterable[int]) -> select.poll:
    waiter = select.poll()
    for fd in fds:
        waiter.register(fd, select.POLLIN)
    return waiter


def _descriptors() -> set[int]:
    """The descriptors of this process that can be waited for: sockets, pipes and devices."""
    return {int(entry.name) for entry in Path("/proc/self/fd").iterdir() if _can_wait(entry)}


def _can_wait(entry: Path) -> bool:
    """No connection to another machine: a thread of the program may open one while the window opens."""
    try:
        target = str(entry.readlink())
        if not target.startswith("socket:"):
            return target.startswith("/dev/input/")
        with socket.socket(fileno=os.dup(int(entry.name))) as connection:
            return connection.family not in (socket.AF_INET, socket.AF_INET6)
    except OSError:  # the listing's own descriptor is closed by now
        return False
