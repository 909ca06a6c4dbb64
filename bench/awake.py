"""Keeps a machine in use while it is measured.

A virtual machine that does nothing else can make whoever wakes up pay for it: after a pause each page touched was
seen to cost up to 50 µs of processor time, for minutes on end, where 0.1 µs is usual, so that a loop of a few lines
seemed to work for milliseconds. The figures would then tell of the hypervisor. With some memory in steady use it stays
below 1 µs.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from appliance.orphan import die_with_parent

MEMORY_MB = 400
"""For each core, at most an eighth of all memory together."""


@contextmanager
def awake() -> Iterator[None]:
    """Meanwhile a process a core turns memory over, at idle priority: it runs only when nobody else wants to."""
    cores = os.cpu_count() or 1
    total_mb = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
    size = min(MEMORY_MB, total_mb // 8 // cores) << 20
    command = [sys.executable, "-c", _TURN_OVER, str(size)]
    turners = [subprocess.Popen(command, preexec_fn=die_with_parent()) for _ in range(cores)]
    try:
        yield
    finally:
        for turner in turners:
            turner.kill()
            turner.wait()


_TURN_OVER = """
import mmap, os, sys
os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
size = int(sys.argv[1])
memory = mmap.mmap(-1, size)
while True:
    for at in range(0, size, mmap.PAGESIZE):
        memory[at] = 1
"""
