"""An X server without a screen, and a look at what it would show: the same eye for whatever program paints there.

By Xlib through ctypes; what is read is the root window with all windows in it, as a monitor would show it.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise

from appliance.orphan import die_with_parent

LOOK_S = 0.005
_Z_PIXMAP, _ALL = 2, 0xFFFFFFFF
_DARK, _BRIGHT = 90, 180
"""Of 255. What can be read is the one on the other."""
_EDGES = 8
"""Letters side by side change from one to the other at least so often; an empty window that opens does at its edge."""


class _Image(ctypes.Structure):
    """XImage, as far as it is read."""

    _fields_ = [
        *((name, ctypes.c_int) for name in ("width", "height", "xoffset", "format")),
        ("data", ctypes.c_void_p),
        *((name, ctypes.c_int) for name in ("byte_order", "bitmap_unit", "bitmap_bit_order", "bitmap_pad", "depth")),
        ("bytes_per_line", ctypes.c_int),
        ("bits_per_pixel", ctypes.c_int),
    ]


class Eye:
    """Looks at the middle third of a display, over a connection of its own."""

    def __init__(self, display: str, size: tuple[int, int]) -> None:
        self._size = size
        self._x = x = ctypes.CDLL("libX11.so.6")
        x.XOpenDisplay.restype, x.XDefaultRootWindow.restype = ctypes.c_void_p, ctypes.c_ulong
        x.XGetImage.restype = ctypes.POINTER(_Image)
        self._display = ctypes.c_void_p(x.XOpenDisplay(display.encode()))
        if not self._display:
            raise OSError(f"no X server at {display}")
        self._root = ctypes.c_ulong(x.XDefaultRootWindow(self._display))

    def close(self) -> None:
        """Look no more."""
        self._x.XCloseDisplay(self._display)

    def sees_something(self) -> bool:
        """Whether letters stand there, and not only a window in one colour, or a part of one."""
        greens, width = self._middle()[1::4], self._size[0]
        return any(_edges(greens[at : at + width]) >= _EDGES for at in range(0, len(greens), 8 * width))

    def sees_light(self) -> bool:
        """Whether anything bright stands there."""
        return max(self._middle()[1::28]) >= _BRIGHT

    def wait(self, seen: Callable[[], bool], patience_s: float = 60.0) -> int:
        """Look until it is so; the moment (monotonic nanoseconds) of the look. Raises TimeoutError."""
        ends = time.monotonic() + patience_s
        while time.monotonic() < ends:
            at = time.monotonic_ns()
            if seen():
                return at
            time.sleep(LOOK_S)
        raise TimeoutError(f"nothing to be seen for {patience_s:.0f} s")

    def _middle(self) -> bytes:
        width, height = self._size
        at = (0, height // 3, width, height // 3)
        image = self._x.XGetImage(self._display, self._root, *at, ctypes.c_ulong(_ALL), _Z_PIXMAP)
        seen = ctypes.string_at(image.contents.data, image.contents.bytes_per_line * image.contents.height)
        self._x.XDestroyImage(image)
        return seen


def _edges(row: bytes) -> int:
    """How often a row of pixels changes from dark to bright or back."""
    clear = [value >= _BRIGHT for value in row if value >= _BRIGHT or value <= _DARK]
    return sum(one != two for one, two in pairwise(clear))


@contextmanager
def x_server(size: tuple[int, int]) -> Iterator[str]:
    """Xvfb with a screen of this size; yields its display's name."""
    read, write = os.pipe()
    screen = f"{size[0]}x{size[1]}x24"
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", screen, "-nolisten", "tcp", "-noreset"]
    server = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL, preexec_fn=die_with_parent())
    os.close(write)
    try:
        with os.fdopen(read) as told:
            number = told.readline().strip()
        if not number:
            raise OSError("Xvfb does not start")
        yield f":{number}"
    finally:
        server.terminate()
        server.wait()
