"""The glass of a kiosk: its window, for as long as there is a display to show it on.

A display may be off when the kiosk starts, be pulled out, come back, and be another one then. Cards, keys and the
director go on meanwhile: nothing here raises because of a display. A window is opened again when the kernel tells of
a display, and otherwise tried ever more seldom.
"""

from __future__ import annotations

import contextlib
import select
import time
from collections.abc import Callable, Sequence
from math import ceil
from pathlib import Path

from appliance.display import parts
from appliance.display.canvas import Canvas
from appliance.display.fonts import FontBook
from appliance.display.hotplug import Hotplug, plugged
from appliance.display.ops import Box, DrawList
from appliance.display.window import InputEvent, Window, WindowError

FIRST_TRY_S, LAST_TRY_S = 5.0, 60.0
"""From one try to open a window to the next, where nothing tells of a display."""


class Glass:
    """Does what `Window` does, and nothing while there is none; a window whose X server is gone is never touched again.
    ``size`` is that of the last window, or the given one.

    ``opener`` raises `WindowError` where there is no display, and ValueError for one that cannot be drawn on: the first
    time it is passed on.
    """

    def __init__(
        self,
        opener: Callable[[], Window],
        size: tuple[int, int],
        fonts: FontBook,
        hotplug: Hotplug | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.fonts = fonts
        self.size = size
        self.trouble = ""
        self._opener = opener
        self._hotplug = hotplug
        self._clock = clock
        self._tell: Callable[[str], None] = lambda _: None
        self._pause_s = FIRST_TRY_S
        self._try_at = 0.0
        self._shown: DrawList = ()
        self._ticked: tuple[Canvas, int] | None = None
        self._plugs = plugged()
        self._in_vain: tuple[int, int] | None = None
        self._unpaintable = ""
        self._window: Window | None = None
        try:
            self._window = opener()
            self.size = self._window.size
        except WindowError as error:
            self._missed(str(error))

    def tell_with(self, tell: Callable[[str], None]) -> None:
        """Say from now on what becomes of the display, beginning with what is wrong already."""
        self._tell = tell
        if self.trouble:
            tell(f"{self.trouble}; going on without")

    @property
    def is_there(self) -> bool:
        """Whether there is a window."""
        return self._window is not None

    def show(self, ops: DrawList) -> list[Box]:
        """As `Window.show`."""
        self._shown, self._ticked = ops, None
        if self._window is None:
            return []
        try:
            return self._window.show(ops)
        except parts.base.error as error:
            if not self._window.gone:
                self._failed(ops, str(error))
            return []

    def tick(self, canvas: Canvas, second: int, last: int = 0) -> list[Box]:
        """As `Window.tick`."""
        self._ticked = canvas, second
        if self._window is None:
            return []
        try:
            return self._window.tick(canvas, second, last)
        except parts.base.error as error:
            if not self._window.gone:
                self._failed(canvas.at(second), str(error))
            return []

    def rehearse(self, ops: DrawList) -> None:
        """As `Window.rehearse`; what cannot be painted is told when it is shown."""
        if self._window is not None:
            with contextlib.suppress(parts.base.error):
                self._window.rehearse(ops)

    def pump(self) -> list[InputEvent]:
        """As `Window.pump`; a window that is not as large as it was is opened anew."""
        if self._window is None:
            return []
        try:
            events = self._window.pump()
        except parts.base.error as error:
            if self._window.gone:
                return [InputEvent("gone")]
            self._lose(str(error))
            return []
        if not events:
            return events
        if not self._window.gone and any(event.kind == "resized" for event in events):
            self._resized(parts.display.get_window_size())
        return [event for event in events if event.kind != "resized"]

    def wait(self, seconds: float, also: Sequence[int] = ()) -> list[int]:
        """As `Window.wait`; a display that comes or goes meanwhile is seen to."""
        plugs = self._hotplug.descriptors if self._hotplug is not None else ()
        if self._window is not None:
            ready = self._window.wait(seconds, (*also, *plugs))
            if not ready:
                return ready
        else:
            ready = _wait(min(seconds, self._try_at - self._clock()), (*also, *plugs))
        if self._hotplug is not None and any(plug in ready for plug in plugs) and self._hotplug.heard():
            self._plugged()
        elif self._window is None and self._clock() >= self._try_at:
            self._try()
        return [each for each in ready if each in also]

    def save(self, path: Path) -> None:
        """As `Window.save`; without a window what it would show."""
        if self._window is not None:
            self._window.save(path)
        else:
            from appliance.display.picture_out import write_png
            from appliance.display.render import paint

            shown = self._shown if self._ticked is None else self._ticked[0].at(self._ticked[1])
            write_png(paint(shown, self.size, self.fonts), path)

    def close(self) -> None:
        """Take the window from the screen; nothing else may be called afterwards."""
        if self._hotplug is not None:
            self._hotplug.close()
        if self._window is not None:
            self._window.close()

    # -- inside ------------------------------------------------------------------------------------------

    def _plugged(self) -> None:
        """Something was plugged in or out: see whether it was a display."""
        plugs, self._plugs = self._plugs, plugged()
        if self._window is None:
            self._pause_s = FIRST_TRY_S
            self._try()
        elif plugs != self._plugs:
            self._reopen("a display was plugged in or out")

    def _resized(self, size: tuple[int, int]) -> None:
        """The window is not as large as it was opened: a new one may be, unless one has been tried in vain."""
        if size != self._in_vain:
            self._reopen("the display has another size")
            self._in_vain = None if self.size == size else size

    def _reopen(self, why: str) -> None:
        self._tell(f"{why}: opening the window anew")
        if self._window is not None:
            self._window.close()
            self._window = None
        self._pause_s = FIRST_TRY_S
        self._try()

    def _failed(self, ops: DrawList, why: str) -> None:
        """A list was not shown: either there is no display any more, or it cannot be painted anywhere."""
        from appliance.display.render import paint

        try:
            paint(ops, self.size, self.fonts)
        except parts.base.error as error:
            if str(error) != self._unpaintable:
                self._unpaintable = str(error)
                self._tell(f"the screen stays as it was, this cannot be drawn: {error}")
            return
        self._lose(why)

    def _lose(self, why: str) -> None:
        if self._window is not None:
            self._window.close()
            self._window = None
        self._pause_s = FIRST_TRY_S
        self._missed(why)
        self._tell(f"{self.trouble}; going on without")

    def _try(self) -> None:
        before = self.trouble
        try:
            self._window = self._opener()
        except (WindowError, ValueError) as error:
            self._missed(str(error))
            if self.trouble != before:
                self._tell(f"{self.trouble}; going on without")
            return
        self.trouble = ""
        self.size = self._window.size
        self._pause_s = FIRST_TRY_S
        self._tell(f"the window is open, {self.size[0]}x{self.size[1]} pixels")

    def _missed(self, why: str) -> None:
        self.trouble = why
        self._try_at = self._clock() + self._pause_s
        self._pause_s = min(2 * self._pause_s, LAST_TRY_S)


def _wait(seconds: float, descriptors: Sequence[int]) -> list[int]:
    waiter = select.poll()
    for descriptor in descriptors:
        waiter.register(descriptor, select.POLLIN)
    return [descriptor for descriptor, _ in waiter.poll(max(0, ceil(seconds * 1000)))]
