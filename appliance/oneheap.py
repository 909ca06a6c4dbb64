"""A small program's heap: one for all threads (mallopt(3) M_ARENA_MAX), less what starting left free in it."""

from __future__ import annotations

import ctypes

_M_ARENA_MAX = -8


def one_heap() -> None:
    """From now on threads share the heap that is there: glibc gives each one of its own, most of it never used."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:  # other C libraries have no such heaps
        mallopt(_M_ARENA_MAX, 1)


def give_back() -> None:
    """Hand what is free on the heap back to the system (malloc_trim(3)): programs need most while they start."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
