"""One heap for all threads of a small program (mallopt(3) M_ARENA_MAX)."""

from __future__ import annotations

import ctypes

_M_ARENA_MAX = -8


def one_heap() -> None:
    """From now on threads share the heap that is there: glibc gives each one of its own, most of it never used."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:  # other C libraries have no such heaps
        mallopt(_M_ARENA_MAX, 1)
