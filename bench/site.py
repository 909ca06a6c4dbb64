"""The public site under load: pages against a view that does nothing, and many who listen to one round.

A server of its own, with 200,000 participants on SQLite, as it is run by an operator.
"""

from __future__ import annotations

import os
import re
import resource
import selectors
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.measure import Figure, paired_rates, percentile

PARTICIPANTS = int(os.environ.get("TABLESIDE_SITE_PARTICIPANTS", "200000"))
LISTENERS = int(os.environ.get("TABLESIDE_SITE_LISTENERS", "2000"))
CHANGES = 5


def figures() -> Iterator[Figure]:
    """All of them."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most if most < 1 << 20 else 1 << 20, most))
    with tempfile.TemporaryDirectory() as folder:
        env = os.environ | {
            "TABLESIDE_LEAGUE_DIR": folder, "TABLESIDE_LEAGUE_SECRET_KEY": "bench", "DJANGO_SETTINGS_MODULE":
            "league.settings", "PYTHONUNBUFFERED": "1",
        }  # fmt: skip
        subprocess.run([sys.executable, "-m", "league", "migrate", "-v0"], env=env, check=True)
        subprocess.run([*_PROGRAM, "fill", str(PARTICIPANTS)], env=env, check=True)
        with _running(env, "serve", until="serving") as (server, line):
            port = int(re.findall(r":(\d+)/", line)[0])
            yield from _pages(port)
            yield from _listeners(env, server.pid, port)


_PROGRAM = [sys.executable, "-m", "bench.site_programs"]


@contextmanager
def _running(env: dict[str, str], *what: str, until: str = "") -> Iterator[tuple[subprocess.Popen[str], str]]:
    child = subprocess.Popen([*_PROGRAM, *what], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    try:
        line = next(line for line in child.stdout if until in line)
        yield child, line
    finally:
        child.kill()
        child.wait()


# -- pages --------------------------------------------------------------------------------------------------


def _pages(port: int) -> Iterator[Figure]:
    clients = [_Client(port) for _ in range(4)]
    for name, path in (("standings", "/standings/"), ("a round under way", "/rounds/B0/")):
        ratio, ours, floor = paired_rates(
            lambda n, path=path: _ask(clients, path, n),  # type: ignore[misc]
            lambda n: _ask(clients, "/empty/", n),
            step=20,
        )
        note = f"{ours:,.0f} requests/s, an empty view {floor:,.0f}; {PARTICIPANTS:,} participants"
        yield Figure(f"site: {name} / an empty Django view, requests a second", ratio, 0.5, True, note)


class _Client:
    """One who asks for pages over a connection that stays."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.file = self.socket.makefile("rb")

    def ask(self, path: str) -> None:
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())

    def take(self) -> None:
        assert self.file.readline().startswith(b"HTTP/1.1 200")
        length = 0
        while (line := self.file.readline()) != b"\r\n":
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        self.file.read(length)


def _ask(clients: list[_Client], path: str, count: int) -> None:
    for _ in range(count // len(clients)):
        for each in clients:
            each.ask(path)
        for each in clients:
            each.take()


# -- listeners ----------------------------------------------------------------------------------------------


def _listeners(env: dict[str, str], server: int, port: int) -> Iterator[Figure]:
    crowd = _Crowd()
    request = b"GET /live/rounds/B0?lang=cs HTTP/1.1\r\nHost: localhost\r\n\r\n"
    crowd.join(port, LISTENERS, request)
    crowd.hear(b"event: round", 60)
    before, delays, longest = _cpu(server), [], 0.0
    with _running(env, "tell", str(CHANGES), until="") as (teller, line):
        assert teller.stdout is not None
        for n in range(CHANGES):
            written = float(line if n == 0 else teller.stdout.readline())
            arrived = crowd.hear(b"event: round", 30)
            delays += [at - written for at in arrived]
            longest = max(longest, max(arrived) - written)
    ours = (_cpu(server) - before) / (LISTENERS * CHANGES)
    size = crowd.size
    crowd.close()
    note = f"{LISTENERS:,} listeners, {CHANGES} changes: median {percentile(delays, 0.5):.2f} s"
    yield Figure("site: the longest until a listener has a change, s", longest, 2.0, False, note, target=True)
    floor = _bare_cpu(env, size)
    note = f"{ours * 1e6:.0f} µs of CPU each of {size:,} bytes, a bare asyncio loop {floor * 1e6:.0f} µs"
    yield Figure("site: a message to a listener / a bare write loop, CPU", ours / floor, 12.0, False, note)


def _bare_cpu(env: dict[str, str], size: int) -> float:
    with _running(env, "bare", str(LISTENERS)) as (bare, line):
        assert bare.stdin is not None
        assert bare.stdout is not None
        crowd = _Crowd()
        crowd.join(int(line), LISTENERS, b"")
        before = _cpu(bare.pid)
        for _ in range(CHANGES):
            bare.stdin.write(f"{size}\n")
            bare.stdin.flush()
            crowd.hear(b"\n", 30)
        crowd.close()
        return (_cpu(bare.pid) - before) / (LISTENERS * CHANGES)


class _Crowd:
    """Many connections that are read as something comes."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._sockets: list[socket.socket] = []
        self._heard: dict[socket.socket, bytes] = {}
        self.size = 0

    def join(self, port: int, count: int, request: bytes) -> None:
        for _ in range(count):
            each = socket.create_connection(("127.0.0.1", port), 30)
            each.sendall(request)
            each.setblocking(False)
            self._selector.register(each, selectors.EVENT_READ)
            self._sockets.append(each)

    def hear(self, what: bytes, seconds: float) -> list[float]:
        """Read until each has heard this to the end of a line that is empty or, bare, of its own; when each had."""
        arrived: dict[socket.socket, float] = {}
        self._heard = dict.fromkeys(self._sockets, b"")
        until = time.monotonic() + seconds
        while len(arrived) < len(self._sockets):
            if time.monotonic() > until:
                raise TimeoutError(f"{len(arrived)} of {len(self._sockets)} heard it")
            for key, _ in self._selector.select(1.0):
                each = key.fileobj
                assert isinstance(each, socket.socket)
                self._heard[each] += each.recv(1 << 17)
                text = self._heard[each]
                at = text.find(what)
                if each not in arrived and at >= 0 and (what == b"\n" or text.find(b"\n\n", at) >= 0):
                    arrived[each] = time.monotonic()
                    self.size = len(text)
        return list(arrived.values())

    def close(self) -> None:
        for each in self._sockets:
            each.close()
        self._selector.close()


def _cpu(pid: int) -> float:
    """Seconds of CPU that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
