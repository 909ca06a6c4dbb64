"""Network namespaces: a host each, bridges between them, links that can be pulled.

The whole harness runs in namespaces of its own (`enter_own`: network, mounts, processes), so whatever it makes there is
gone with it, and two runs at once know nothing of each other.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from appliance.orphan import die_with_parent

_CLONE_NEWNET = 0x40000000
_INSIDE = "TABLESIDE_CHAOS_INSIDE"
_libc = ctypes.CDLL(None, use_errno=True)


class NoNamespaces(OSError):
    """This machine does not let us have namespaces; the text says what was tried."""


def enter_own(module: str, arguments: list[str]) -> None:
    """Go on in namespaces of our own: starts this program anew in them, unless it is there already."""
    if os.environ.pop(_INSIDE, "") == "yes":
        return
    os.environ[_INSIDE] = "yes"
    flags = ["-nmpf" if os.geteuid() == 0 else "-rnmpf", "--mount-proc", "--kill-child"]
    try:
        os.execvp("unshare", ["unshare", *flags, sys.executable, "-m", module, *arguments])
    except OSError as error:
        raise NoNamespaces(f"unshare: {error}") from None


class Host:
    """One host: its namespace. Programs are started in it with `inside`, sockets made in it by `within`."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.links: list[str] = []
        """The bridges' ends of its cables."""
        opened: list[int] = []
        thread = threading.Thread(target=lambda: opened.append(_new_namespace()))
        thread.start()
        thread.join()
        if not opened:
            raise NoNamespaces("no network namespace could be made")
        self.namespace = opened[0]
        self.ip("link", "set", "lo", "up")

    def ip(self, *words: str) -> None:
        """ip(8) on this host."""
        subprocess.run(["ip", *words], check=True, capture_output=True, preexec_fn=lambda: _enter(self.namespace))

    def inside(self) -> Callable[[], None]:
        """What a child runs before its program, to be on this host and to end with us."""
        prepare, namespace = die_with_parent(), self.namespace

        def enter() -> None:
            prepare()
            _enter(namespace)

        return enter

    @contextlib.contextmanager
    def within(self) -> Iterator[None]:
        """This thread is on the host; for making a socket, which stays there."""
        here = os.open("/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC)
        try:
            _enter(self.namespace)
            yield
        finally:
            _enter(here)
            os.close(here)

    def plug(self, up: bool) -> None:
        """Pull its cables, or put them back."""
        self._plug(self.links, up)

    def plug_far(self, up: bool) -> None:
        """The same of all but the first one."""
        self._plug(self.links[1:], up)

    def _plug(self, links: list[str], up: bool) -> None:
        for link in links:
            _ip("link", "set", link, "up" if up else "down")


def bridge(name: str) -> str:
    """A switch that hosts are connected to."""
    _ip("link", "add", name, "type", "bridge")
    _ip("link", "set", name, "up")
    return name


def connect(host: Host, switch: str, address: str) -> None:
    """A cable from a host to a switch, with this address on the host's side (a /16)."""
    near, far = f"{switch}{len(host.links)}{host.name}"[:15], f"eth{len(host.links)}"
    _ip("link", "add", near, "type", "veth", "peer", "name", far, "netns", f"/proc/{os.getpid()}/fd/{host.namespace}")
    _ip("link", "set", near, "master", switch)
    _ip("link", "set", near, "up")
    host.ip("addr", "add", f"{address}/16", "dev", far)
    host.ip("link", "set", far, "up")
    host.links.append(near)


def move(host: Host, switch: str) -> None:
    """Put a host's first cable into another switch."""
    _ip("link", "set", host.links[0], "master", switch)


def small_disk(folder: Path, megabytes: int) -> None:
    """A disk of its own for a folder, whose files it gets."""
    kept = {file: (file.read_bytes(), file.stat().st_mode) for file in folder.rglob("*") if file.is_file()}
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "none", str(folder)], check=True)
    for file, (content, mode) in kept.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        file.chmod(mode & 0o777)


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


def _new_namespace() -> int:
    if _libc.unshare(_CLONE_NEWNET):
        raise NoNamespaces(os.strerror(ctypes.get_errno()))
    return os.open("/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC)


def _enter(namespace: int) -> None:
    if _libc.setns(namespace, _CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
