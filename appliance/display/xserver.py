"""The end of an X server must not end this process in the middle of anything: Xlib would call exit(3) at once.

libX11 has `XSetIOErrorExitHandler` for that since 1.7. SDL keeps a second connection that no program can reach, so the
process cannot go on without its server; but it can end in order. With an older libX11 it ends at once, as if killed.

Nothing may be asked of a dead server: Xlib waits for the answer for ever, and on the processor (XIfEvent, libX11 1.8).
So no window is taken from it any more, not even at the end of the process, where pygame would.
"""

from __future__ import annotations

import atexit
import ctypes
from collections.abc import Callable
from typing import Any

from appliance.display import parts

_Handler = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
_First = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
_kept: list[Any] = []
"""Xlib calls them until the process has ended."""


def tell_when_gone(gone: Callable[[], None]) -> None:
    """Call ``gone``, in the thread that talks to the X server, when the open window's has died.

    From now on the process ends without a farewell to the server, which takes its windows away by itself.
    """
    atexit.unregister(parts.base.quit)
    try:
        xlib = ctypes.CDLL("libX11.so.6")
        register = xlib.XSetIOErrorExitHandler
    except (OSError, AttributeError):
        return
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype = ctypes.c_void_p
    pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    handler, first = _Handler(lambda *_: gone()), _First(lambda _: 0)
    _kept.extend((handler, first))
    xlib.XSetIOErrorHandler.argtypes = [_First]
    xlib.XSetIOErrorHandler(first)  # Xlib's own says what happened, and ends the process before the other is asked
    register.restype = None
    register.argtypes = [ctypes.c_void_p, _Handler, ctypes.c_void_p]
    register(pointer(parts.display.get_wm_info()["display"], b"display"), handler, None)
