"""No client keeps others from the pages, whatever it does not send or does not take (P)."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

import pytest

from league import asgi, gathering, serving
from league.live import hub, looking, stream
from league.live.looking import Drawn, Told
from league.middleware import Measured
from league.room import Place, Room
from tests.league.processes import eventually
from tests.league.test_requests import say, served

__all__ = ["served"]

FILE = "/static/admin/js/vendor/xregexp/xregexp.js"
HOST = "Host: localhost"


def connect(port: int, *lines: str, body: bytes = b"", takes: int = 4096) -> socket.socket:
    """Ask for something, and read nothing of what comes."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, takes)
    connection.settimeout(10)
    connection.connect(("127.0.0.1", port))
    connection.sendall("".join(f"{line}\r\n" for line in (*lines, "")).encode() + body)
    return connection


def is_cut(connection: socket.socket) -> bool:
    """Whether the other end has thrown the connection away: it takes nothing more."""
    try:
        connection.sendall(b"x")
    except OSError:
        return True
    return False


def cut(connection: socket.socket) -> None:
    eventually(lambda: is_cut(connection), True)
    connection.close()


def test_P_who_sends_no_request_in_full_keeps_nobodys_form_out(served: int) -> None:
    long = Measured.LONGEST
    many = range(asgi.MOST_BYTES // long + 2)
    slow = [connect(served, "POST /account/login/ HTTP/1.1", HOST, f"Content-Length: {long}", body=b"x") for _ in many]
    for count in (2, 200_000):
        body = b"x" * count
        answer = say(served, "POST /account/login/ HTTP/1.0", HOST, f"Content-Length: {count}", body=body)
        assert answer.split()[1] == "403"
    for each in slow:
        each.close()


def test_P_a_page_comes_whole_with_its_length(served: int) -> None:
    head, _, body = say(served, f"GET {FILE} HTTP/1.1", HOST, "Connection: close").partition("\r\n\r\n")
    assert f"content-length: {len(body.encode())}" in head.lower()
    assert "transfer-encoding" not in head.lower()
    only, _, nothing = say(served, f"HEAD {FILE} HTTP/1.1", HOST, "Connection: close").partition("\r\n\r\n")
    assert nothing == ""
    assert f"content-length: {len(body.encode())}" in only.lower()


class Within:
    """A server in this process, of an application of the test's own."""

    def __init__(self, pages: Any, most: int) -> None:
        self.application = asgi.Application(2, most)
        self.application._pages = gathering.Pages(pages, 2)
        self._listening = serving.bound("127.0.0.1", 0)
        self.port = int(self._listening.getsockname()[1])
        self.server = serving.Server(self.application)
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        asyncio.run(self.server.serve([self._listening]))

    @property
    def connections(self) -> int:
        return len(self.server.server_state.connections)

    def begin(self) -> None:
        self._thread.start()

    def end(self) -> None:
        self.server.should_exit = True
        self._thread.join(20)
        assert not self._thread.is_alive()


@contextmanager
def within(pages: Any, most: int = 8 * 1024 * 1024) -> Iterator[Within]:
    found = Within(pages, most)
    found.begin()
    yield found
    found.end()


def filled(here: Within) -> Callable[[], int]:
    return lambda: here.application._memory.filled


def pages(environ: dict[str, Any], start: Any) -> list[bytes]:
    """As many bytes as the path says, in pieces, or the length of what was sent."""
    start("200 OK", [("X-Sent", str(len(environ["wsgi.input"].read())))])
    count = int(environ["PATH_INFO"].strip("/") or 0)
    return [b"y" * 4096] * (count // 4096) + [b"y" * (count % 4096)]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, settings_dir: object) -> None:
    """Nobody's patience lasts."""
    monkeypatch.setattr(asgi, "PATIENCE_S", 0.3)
    monkeypatch.setattr(asgi, "BODY_S", 0.6)
    monkeypatch.setattr(serving, "SILENT_S", 0.3)
    monkeypatch.setattr(hub, "LOOK_S", 60.0)


LARGE = 8_000_000
"""More than a system keeps for one connection."""


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("count", [LARGE, 100_000, 10])
def test_P_who_never_reads_is_thrown_out(count: int) -> None:
    with within(pages) as here:
        silent = connect(here.port, f"GET /{count} HTTP/1.1", HOST)
        eventually(lambda: here.connections, 1)
        eventually(lambda: here.connections, 0)
        cut(silent)
        assert here.application._memory.filled == here.application._files.filled == 0


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("count", [0, 1, 4096, 1_000_000, 1_048_576, 1_048_577, LARGE])
def test_P_what_was_gathered_comes_as_it_was_made(count: int) -> None:
    with within(pages) as here:
        head, _, body = say(here.port, f"GET /{count} HTTP/1.0", HOST).partition("\r\n\r\n")
        assert (head.split()[1], len(body), set(body) <= {"y"}) == ("200", count, True)
        assert here.application._memory.filled == here.application._files.filled == 0


@pytest.mark.usefixtures("settings_dir")
def test_P_who_takes_no_answer_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "LOOK_S", 60.0)
    with within(pages) as here:
        stuck = [connect(here.port, f"GET /{LARGE} HTTP/1.1", HOST) for _ in range(4)]
        eventually(lambda: filled(here)() + here.application._files.filled, 4 * LARGE)
        assert "x-sent: 0" in say(here.port, "GET /9 HTTP/1.0", HOST)
        for each in stuck:
            each.close()
        eventually(lambda: here.application._files.filled, 0)


@pytest.mark.usefixtures("quick")
def test_P_who_takes_slowly_gets_all_that_was_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi, "PATIENCE_S", 30.0)
    with within(pages) as here:
        slow = connect(here.port, "GET /120000 HTTP/1.1", HOST)
        eventually(lambda: here.server.server_state.total_requests, 1)
        got = b""
        while not got.endswith(b"y" * 8) or len(got) < 120_000:
            got += slow.recv(4096)
            time.sleep(0.05)
        assert got.count(b"y") == 120_000
        slow.close()


@pytest.mark.usefixtures("quick")
def test_P_a_request_has_to_come_in_time_as_a_whole() -> None:
    with within(pages) as here:
        drips = connect(here.port, "POST / HTTP/1.1", HOST, "Content-Length: 1000")
        answered: list[bytes] = []
        drips.settimeout(0.1)
        until = time.monotonic() + 20
        while not answered and time.monotonic() < until:
            drips.sendall(b"x")
            with suppress(TimeoutError):
                answered.append(drips.recv(100))
        assert answered[0].startswith(b"HTTP/1.1 408 ")
        drips.close()


@pytest.mark.usefixtures("quick")
def test_P_where_room_is_short_who_has_kept_it_longest_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi, "PATIENCE_S", 30.0)
    monkeypatch.setattr(asgi, "BODY_S", 30.0)
    whole = b"x" * 900_000
    with within(pages, most=2_000_000) as here:
        stuck = []
        for n in range(4):
            stuck.append(connect(here.port, "POST / HTTP/1.1", HOST, f"Content-Length: {len(whole) + 1}", body=whole))
            eventually(filled(here), len(whole) * min(n + 1, 2))
        cut(stuck.pop(0))
        cut(stuck.pop(0))
        answer = say(here.port, "POST / HTTP/1.0", HOST, f"Content-Length: {len(whole)}", body=whole)
        assert f"x-sent: {len(whole)}" in answer
        stuck[-1].sendall(b"x")
        assert stuck[-1].recv(100).startswith(b"HTTP/1.1 200 ")
        for each in stuck:
            each.close()


@pytest.mark.usefixtures("quick")
def test_P_an_answer_that_there_is_no_room_for_is_none() -> None:
    with within(pages, most=500_000) as here:
        assert say(here.port, "GET /900000 HTTP/1.0", HOST).split()[1] == "503"
        assert say(here.port, "GET /9 HTTP/1.0", HOST).split()[1] == "200"


@pytest.mark.usefixtures("quick")
def test_P_what_a_page_cannot_end_is_not_sent_as_if_it_had() -> None:
    def torn(environ: dict[str, Any], start: Any) -> Iterator[bytes]:
        start("200 OK", [])
        yield b"half"
        raise LookupError("the other half")

    with within(torn) as here:
        assert say(here.port, "GET / HTTP/1.0", HOST).split()[1] == "500"
        assert here.application._memory.filled == 0


@pytest.mark.usefixtures("quick")
def test_P_a_listener_that_takes_nothing_is_gone_when_it_counts_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "SLOW_S", 0.3)
    monkeypatch.setattr(asgi, "PATIENCE_S", 30.0)
    message = b"event: tv\ndata: %s\n\n" % (b"z" * LARGE)
    monkeypatch.setattr(looking, "current", lambda: 1)
    monkeypatch.setattr(looking, "draw", lambda all_of, *_: Drawn({each: Told(1, "a", message) for each in all_of}))
    monkeypatch.setattr(stream, "BEAT_S", 0.05)
    with within(pages) as here:
        silent = connect(here.port, "GET /live/tv HTTP/1.1", HOST)
        eventually(lambda: here.application.hub.count, 1)
        eventually(lambda: here.application.hub.count, 0)
        eventually(lambda: here.connections, 0)
        cut(silent)


def test_P_connections_are_ended_by_the_system_where_nobody_acknowledges() -> None:
    with serving.bound("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        taken, _ = listening.accept()
        assert taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == serving.UNHEARD_MS
        taken.close()


def test_room_is_never_overfilled_and_given_back() -> None:
    async def run() -> None:
        gone: list[str] = []
        room = Room(100)
        first, second, third = (Place(room, partial(gone.append, name)) for name in "abc")
        assert first.take(60) and second.take(40)
        assert not third.take(1)
        second.wait()
        first.wait()
        assert third.take(10)
        assert (room.filled, second.gone, first.gone) == (70, True, False)
        assert not second.take(1)
        first.stay()
        assert not third.take(50)
        first.give(1000)
        assert third.take(90)
        with third:
            pass
        await asyncio.sleep(0)
        assert (room.filled, gone) == (0, ["b"])

    asyncio.run(run())
