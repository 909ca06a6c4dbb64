"""Hears from the kernel that a display was plugged in or out (netlink(7), NETLINK_KOBJECT_UEVENT), without asking."""

from __future__ import annotations

import contextlib
import socket
from pathlib import Path

CONNECTORS = Path("/sys/class/drm")
"""Where the kernel lists its connectors; tests put a folder of their own here."""

_NETLINK_KOBJECT_UEVENT = 15
_FROM_KERNEL = 1
"""The group of the kernel's own messages; udev's are another's."""

_PLUG = tuple[str, str, str]
"""A connector's name, status and modes."""


class Hotplug:
    """A socket to wait for. Where the kernel gives none (a container), nothing is ever heard."""

    def __init__(self) -> None:
        self._socket: socket.socket | None = None
        with contextlib.suppress(OSError):
            heard = socket.socket(socket.AF_NETLINK, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK, _NETLINK_KOBJECT_UEVENT)
            self._socket = heard
            heard.bind((0, _FROM_KERNEL))

    @property
    def descriptors(self) -> tuple[int, ...]:
        """What is readable when there may be news."""
        return () if self._socket is None else (self._socket.fileno(),)

    def heard(self) -> bool:
        """Take all news; whether any was of a display."""
        told = False
        while self._socket is not None:
            try:
                message, (sender, _) = self._socket.recvfrom(8192)
            except BlockingIOError:
                break
            except OSError:  # more came than was kept: it may have been one of a display
                told = True
                continue
            told = told or (sender == 0 and is_of_display(message))
        return told

    def close(self) -> None:
        """Hear nothing more."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None


def is_of_display(message: bytes) -> bool:
    """Whether a message of the kernel is of a graphics device or its connectors."""
    return b"SUBSYSTEM=drm" in message.split(b"\0")


def plugged(root: Path | None = None) -> tuple[_PLUG, ...]:
    """All connectors as they are now; empty where the kernel drives no display itself."""
    found = []
    for status in sorted((root or CONNECTORS).glob("card*-*/status")):
        with contextlib.suppress(OSError):
            modes = (status.parent / "modes").read_text().strip()
            found.append((status.parent.name, status.read_text().strip(), modes))
    return tuple(found)
