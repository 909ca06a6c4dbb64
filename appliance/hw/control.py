"""A Unix-domain socket that takes one-line commands: how simulated hardware is driven from another process.

One thread, asleep until somebody talks. Every line gets exactly one line back. Lines are bounded, so a peer
that never ends one costs nothing but its answer.
"""

from __future__ import annotations

import contextlib
import selectors
import socket
import threading
from collections.abc import Callable
from pathlib import Path

MAX_LINE = 256
"""Bytes of a command line without its end; longer ones are answered with an error and dropped."""


class _Peer:
    """One connection: the bytes of a line not yet ended, and whether that line is already too long."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self._rest = b""
        self._too_long = False

    def lines(self, data: bytes) -> list[bytes | None]:
        """The lines that ``data`` completes; None stands for one that was too long."""
        complete: list[bytes | None] = []
        *ended, rest = (self._rest + data).split(b"\n")
        for line in ended:
            complete.append(None if self._too_long or len(line) > MAX_LINE else line)
            self._too_long = False
        self._too_long = self._too_long or len(rest) > MAX_LINE
        self._rest = b"" if self._too_long else rest
        return complete


class LineServer:
    """Answers command lines on the socket at ``path``.

    ``answer`` is called in the server's thread with each line, decoded and stripped; its result is sent back.
    A ValueError becomes ``error <text>``, and the connection stays.
    """

    def __init__(self, path: Path, answer: Callable[[str], str]) -> None:
        self.path = path
        self._answer = answer
        self._thread: threading.Thread | None = None
        self._wake: socket.socket | None = None

    def start(self) -> None:
        """Listen. Raises OSError when the path cannot be used or another server listens there."""
        listener = _listen(self.path)
        self._wake, woken = socket.socketpair()
        self._thread = threading.Thread(
            target=self._serve, args=(listener, woken), name=f"control {self.path.name}", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Close every connection and remove the socket."""
        if self._thread is None or self._wake is None:
            return
        self._wake.close()
        self._thread.join()
        self._thread = self._wake = None
        self.path.unlink(missing_ok=True)

    def _serve(self, listener: socket.socket, woken: socket.socket) -> None:
        with contextlib.ExitStack() as stack:
            selector = stack.enter_context(selectors.DefaultSelector())
            stack.enter_context(listener)
            stack.enter_context(woken)
            selector.register(listener, selectors.EVENT_READ)
            selector.register(woken, selectors.EVENT_READ)
            while True:
                for key, _ in selector.select():
                    if key.fileobj is woken:
                        _close_all(selector)
                        return
                    if key.fileobj is listener:
                        connection, _ = listener.accept()
                        connection.settimeout(1.0)
                        selector.register(connection, selectors.EVENT_READ, _Peer(connection))
                    elif not self._talk(key.data):
                        selector.unregister(key.fileobj)
                        key.data.connection.close()

    def _talk(self, peer: _Peer) -> bool:
        """Answer what a peer has sent; False when it has hung up or does not read its answers."""
        try:
            data = peer.connection.recv(4096)
            for line in peer.lines(data):
                peer.connection.sendall(self._reply(line).encode() + b"\n")
        except OSError:
            return False
        return bool(data)

    def _reply(self, line: bytes | None) -> str:
        if line is None:
            return f"error line longer than {MAX_LINE} bytes"
        try:
            return self._answer(line.decode().strip())
        except UnicodeDecodeError:
            return "error line is not UTF-8"
        except ValueError as error:
            return f"error {error}"


def ask(path: Path, line: str, *, timeout: float = 5.0) -> str:
    """Send one command line to the server at ``path``; returns its answer, OSError when nobody is there."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(timeout)
        connection.connect(str(path))
        connection.sendall(line.encode() + b"\n")
        with connection.makefile("r", encoding="utf-8") as answers:
            answer = answers.readline()
    if not answer.endswith("\n"):
        raise ConnectionResetError(f"{path}: closed without an answer to {line!r}")
    return answer.rstrip("\n")


def _listen(path: Path) -> socket.socket:
    """A listening socket at ``path``, in place of one that a killed process left behind."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        if path.is_socket() and not _somebody_listens(path):
            path.unlink()
        listener.bind(str(path))
        path.chmod(0o600)
        listener.listen()
    except OSError:
        listener.close()
        raise
    return listener


def _somebody_listens(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            return False
    return True


def _close_all(selector: selectors.BaseSelector) -> None:
    for key in list(selector.get_map().values()):
        if isinstance(key.data, _Peer):
            key.data.connection.close()
