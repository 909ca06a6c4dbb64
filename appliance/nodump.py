"""No memory of this process in a file: it may hold keys (prctl(2) PR_SET_DUMPABLE, setrlimit(2) RLIMIT_CORE)."""

from __future__ import annotations

import ctypes
import resource

_PR_SET_DUMPABLE = 4


def no_core_dumps() -> None:
    """From now on a crash leaves no core, and no process of the same user may read this one's memory."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
