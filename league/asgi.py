"""The ASGI application: the streams under ``/live/``, and all other pages in a fixed number of threads.

No thread ever waits for a client: a request is here before a page is made, and the page before it is sent. What lies
here meanwhile is bounded for all clients together (`league.room`).
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

from league.gathering import NoRoomError, Pages
from league.live.asgi import Event, Headers, Receive, Scope, Send, answer, ender
from league.live.hub import Hub
from league.live.stream import Stream
from league.middleware import Measured
from league.room import Place, Room
from league.wsgi import application as pages

THREADS = 16
PATIENCE_S = 30.0
"""So long a client may be silent while it sends, or take nothing of an answer."""

BODY_S = 90.0
"""So long a request may take to come in all."""

MOST_BYTES = 40 * Measured.LONGEST
"""So much of requests and answers may lie in memory for all clients together."""

MOST_FILED = 2 * 1024**3
"""So much of long answers may lie in files."""

SMALL = 64 * 1024
"""Requests up to this length, such as forms, are always taken: a connection itself costs as much."""

_CLOSE = (b"connection", b"close")


class Application:
    """What the server is given. ``hub``: all who listen in this process."""

    def __init__(self, threads: int = THREADS, most: int = MOST_BYTES) -> None:
        self.hub = Hub()
        self._stream = Stream(self.hub)
        self._pages = Pages(cast(Any, pages), threads)
        self._memory = Room(most)
        self._files = Room(MOST_FILED)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        patient = _Patient(scope, send)
        if scope["path"].startswith("/live/"):
            await self._stream(scope, receive, patient)
        else:
            await self._page(scope, receive, patient)

    async def _page(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have a page made, of a request that is one."""
        # without headers with ``_`` in their names: CGI takes them for those with ``-``, which proxies vouch for
        headers = [(name, value) for name, value in scope["headers"] if b"_" not in name]
        length = _length(headers)
        if length is None:
            await answer(send, 400, "", _CLOSE)
        elif length > Measured.LONGEST:
            await answer(send, 413, "", _CLOSE)
        elif any(name == b"transfer-encoding" for name, _ in headers):
            await answer(send, 411, "", _CLOSE)
        else:
            end = ender(scope)
            with Place(self._memory, end) as asked, Place(self._memory, end) as kept, Place(self._files, end) as filed:
                try:
                    body = await _read(receive, length, asked)
                    if body is None:
                        return
                    made = await self._pages.make({**scope, "headers": headers}, body, kept, filed)
                except TimeoutError:
                    await answer(send, 408, "", _CLOSE)
                    return
                except NoRoomError:
                    await answer(send, 503, "", _CLOSE, (b"retry-after", b"30"))
                    return
                asked.give(length)
                del body
                try:
                    await made.send(send, scope["method"] == "HEAD")
                finally:
                    made.close()


class _Patient:
    """Sends as long as the client takes it; after that the connection ends."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._send = send
        self._end = ender(scope)

    async def __call__(self, event: Event) -> None:
        try:
            async with asyncio.timeout(PATIENCE_S):
                await self._send(event)
        except TimeoutError:
            self._end()


async def _read(receive: Receive, length: int, place: Place) -> bytes | None:
    """The request's body; None from a client that is gone. Raises TimeoutError, NoRoomError."""
    body = bytearray()
    place.wait()
    async with asyncio.timeout(BODY_S):
        while len(body) < length:
            async with asyncio.timeout(PATIENCE_S):
                event = await receive()
            if event["type"] != "http.request":
                return None
            if length > SMALL and not place.take(len(event["body"])):
                if place.gone:
                    return None
                raise NoRoomError
            body += event["body"]
    place.stay()
    return bytes(body)


def _length(headers: Headers) -> int | None:
    """How long the body is, or None if that cannot be told."""
    told = next((value for name, value in headers if name == b"content-length"), b"0")
    return int(told[:20]) if told.isdigit() else None
