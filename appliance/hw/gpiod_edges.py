"""One thread for all edges of a chip: asleep in the kernel until a contact moves."""

from __future__ import annotations

import selectors
import socket
import threading
from collections.abc import Callable
from typing import Any

MAX_EVENTS = 64
"""Edges read from one line at a time; a kernel without other orders keeps 16 a line."""

Heard = Callable[[int, bool], None]
"""Called with the kernel's time of an edge (nanoseconds, monotonic) and whether the level is high now."""


class Edges:
    """Reads the edges of line requests, sorts those that came together by their time, and passes them on.

    ``lock`` is held around every call into libgpiod, which is not safe to use from two threads at once. ``lost`` is
    called, once a failure and in this thread, when a line's request answers with an error.
    """

    def __init__(self, name: str, *, rising: object, lock: threading.RLock, lost: Callable[[OSError], None]) -> None:
        self._name, self._rising, self._lock, self._lost = name, rising, lock, lost
        self._selector = selectors.DefaultSelector()
        self._woken, self._wake = socket.socketpair()
        self._selector.register(self._woken, selectors.EVENT_READ)
        self._thread: threading.Thread | None = None
        self._closed = False

    def watch(self, request: Any, heard: Heard) -> None:
        """Pass on this request's edges from now on."""
        with self._lock:
            if self._closed:
                return
            self._selector.register(request.fd, selectors.EVENT_READ, (request, heard))
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()

    def unwatch(self, request: Any) -> None:
        """Pass on no more of them. One that was read just before may still arrive."""
        with self._lock:
            if not self._closed and request.fd in self._selector.get_map():
                self._selector.unregister(request.fd)

    def close(self) -> None:
        """End the thread; from any thread, its own too."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._wake.close()
            thread = self._thread
        if thread is None:
            self._let_go()
        elif thread is not threading.current_thread():
            thread.join()

    def _run(self) -> None:
        while not self._closed:
            ready = self._selector.select()
            for at_ns, high, heard in sorted(self._read(ready), key=lambda edge: edge[0]):
                heard(at_ns, high)
        self._let_go()

    def _read(self, ready: list[tuple[selectors.SelectorKey, int]]) -> list[tuple[int, bool, Heard]]:
        edges: list[tuple[int, bool, Heard]] = []
        failed: OSError | None = None
        with self._lock:
            for key, _ in ready:
                # the lines may have been let go of since the kernel woke this thread
                if self._closed or key.data is None or self._selector.get_map().get(key.fd) is not key:
                    continue
                request, heard = key.data
                try:
                    events = request.read_edge_events(MAX_EVENTS)
                except OSError as error:
                    self._selector.unregister(key.fd)
                    failed = error
                    continue
                edges += [(event.timestamp_ns, event.event_type is self._rising, heard) for event in events]
        if failed:
            self._lost(failed)
        return edges

    def _let_go(self) -> None:
        self._selector.close()
        self._woken.close()
