"""The ASGI application: the streams under ``/live/``, and all other pages in a fixed number of threads."""

from __future__ import annotations

import asyncio
from io import BytesIO
from typing import Any, cast

from a2wsgi import WSGIMiddleware

from league.live.asgi import Event, Headers, Receive, Scope, Send, answer
from league.live.hub import Hub
from league.live.stream import Stream
from league.middleware import Measured
from league.wsgi import application as pages

THREADS = 16
PATIENCE_S = 30.0
"""So long a client may be silent while it sends, or take nothing of an answer."""

MOST_BYTES = 20 * Measured.LONGEST
"""So much may be on its way from all clients together."""


_CLOSE = (b"connection", b"close")


class Application:
    """What the server is given. ``hub``: all who listen in this process."""

    def __init__(self, threads: int = THREADS) -> None:
        self.hub = Hub()
        self._stream = Stream(self.hub)
        self._pages: Any = WSGIMiddleware(cast(Any, pages), workers=threads)
        self._bytes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        if scope["path"].startswith("/live/"):
            await self._stream(scope, receive, send)
        else:
            await self._page(scope, receive, send)

    async def _page(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have a page made. The request is read before: no thread waits for a client that sends slowly."""
        # without headers with ``_`` in their names: CGI takes them for those with ``-``, which proxies vouch for
        headers = [(name, value) for name, value in scope["headers"] if b"_" not in name]
        length = _length(headers)
        if length is None:
            await answer(send, 400, "", _CLOSE)
        elif length > Measured.LONGEST:
            await answer(send, 413, "", _CLOSE)
        elif any(name == b"transfer-encoding" for name, _ in headers):
            await answer(send, 411, "", _CLOSE)
        elif self._bytes + length > MOST_BYTES:
            await answer(send, 503, "", _CLOSE)
        else:
            self._bytes += length
            try:
                body = await _read(receive, length)
                if body is not None:
                    patient = _Patient(send)
                    await self._pages({**scope, "headers": headers}, _Sent(body), patient)
            finally:
                self._bytes -= length


class _Sent:
    """A request's body that is here already."""

    def __init__(self, body: bytes) -> None:
        self._body = BytesIO(body)

    async def __call__(self) -> Any:
        return {"type": "http.request", "body": self._body.read(), "more_body": False}


class _Patient:
    """Sends an answer as long as the client takes it; after that the rest goes nowhere and the connection ends."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._gave_up = False

    async def __call__(self, event: Event) -> None:
        if self._gave_up:
            return
        try:
            async with asyncio.timeout(PATIENCE_S):
                await self._send(event)
        except TimeoutError:
            self._gave_up = True


async def _read(receive: Receive, length: int) -> bytes | None:
    """The request's body; None from a client that is gone or silent."""
    body = bytearray()
    try:
        while len(body) < length:
            async with asyncio.timeout(PATIENCE_S):
                event = await receive()
            if event["type"] != "http.request":
                return None
            body += event["body"]
    except TimeoutError:
        return None
    return bytes(body)


def _length(headers: Headers) -> int | None:
    """How long the body is, or None if that cannot be told."""
    told = next((value for name, value in headers if name == b"content-length"), b"0")
    return int(told[:20]) if told.isdigit() else None
