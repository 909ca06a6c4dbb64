"""A serial cable without hardware: a pseudo-terminal under a path of one's own, that can be pulled and put back.

The path is a symbolic link, as udev's ``/dev/serial/by-id`` are: it is there while the cable is plugged, and
points to another terminal each time.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path

CHUNK = 4096


class Wire:
    """The device's end of the cable. ``hear`` gets what the host sends; it is called in the wire's thread.

    With `call_at` the device asks for a call of ``ring`` at a monotonic time, also in that thread.
    """

    def __init__(self, path: Path, hear: Callable[[bytes], None], ring: Callable[[], None] | None = None) -> None:
        self.path = path
        self._hear = hear
        self._ring = ring
        self._ring_at: float | None = None
        self._lock = threading.Lock()
        self._master = -1
        self._thread: threading.Thread | None = None
        self._wake_read, self._wake_write = os.pipe()

    @property
    def plugged(self) -> bool:
        return self._thread is not None

    def plug(self) -> None:
        """Put the cable in; nothing happens when it is."""
        if self._thread:
            return
        master, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(master, False)
        self._master = master
        self._thread = threading.Thread(
            target=self._serve, args=(master, slave), name=f"wire {self.path.name}", daemon=True
        )
        self._thread.start()
        aside = self.path.with_name(self.path.name + ".new")
        aside.unlink(missing_ok=True)
        aside.symlink_to(os.ttyname(slave))
        aside.rename(self.path)

    def unplug(self) -> None:
        """Pull the cable: whoever has the terminal open is hung up."""
        thread = self._thread
        if thread is None:
            return
        self.path.unlink(missing_ok=True)
        with self._lock:
            self._master = -1
        self._thread = None
        os.write(self._wake_write, b"x")
        if thread is not threading.current_thread():
            thread.join()

    def close(self) -> None:
        self.unplug()
        os.close(self._wake_read)
        os.close(self._wake_write)

    def send(self, data: bytes) -> None:
        """Send to the host; what a pulled cable or a host that never reads does not take is lost."""
        with self._lock, contextlib.suppress(OSError):
            if self._master >= 0:
                os.write(self._master, data)

    def call_at(self, when: float | None) -> None:
        """Have ``ring`` called at a time of ``time.monotonic``, instead of any asked for before."""
        self._ring_at = when
        os.write(self._wake_write, b".")

    def _serve(self, master: int, slave: int) -> None:
        try:
            with selectors.DefaultSelector() as selector:
                selector.register(master, selectors.EVENT_READ)
                selector.register(self._wake_read, selectors.EVENT_READ)
                while self._serve_once(selector, master):
                    pass
        finally:
            os.close(master)
            os.close(slave)

    def _serve_once(self, selector: selectors.BaseSelector, master: int) -> bool:
        """Wait for bytes, a call or the end; False at the end."""
        patience = None if self._ring_at is None else max(0.0, self._ring_at - time.monotonic())
        for key, _ in selector.select(patience):
            if key.fd == master:
                with contextlib.suppress(OSError):
                    self._hear(os.read(master, CHUNK))
            elif b"x" in os.read(self._wake_read, CHUNK):
                return False
        if self._ring and self._ring_at is not None and time.monotonic() >= self._ring_at:
            self._ring_at = None
            self._ring()
        return True
