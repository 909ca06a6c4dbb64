"""Pages are made in a fixed number of threads, each answer as a whole: no thread ever waits for a client.

What is too long to keep in memory, such as a whole season as a table, lies in a file without a name meanwhile.
"""

from __future__ import annotations

import asyncio
import contextvars
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import IO, Any, cast

from a2wsgi.wsgi import build_environ
from django.conf import settings

from league.live.asgi import Headers, Scope, Send
from league.room import Place

LONGEST_KEPT = 1024 * 1024
"""An answer that is longer goes to a file, in bytes."""

PIECE = 64 * 1024
_WITHOUT_BODY = (204, 304)

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class NoRoomError(Exception):
    """There is no room for the answer."""


class Pages:
    """A WSGI application in threads of its own."""

    def __init__(self, application: Application, threads: int) -> None:
        self._application = application
        self._threads = ThreadPoolExecutor(threads, "pages")

    async def make(self, scope: Scope, body: bytes, kept: Place, filed: Place) -> Answer:
        """The whole answer to a request. Raises NoRoomError, and what the application raises."""
        environ = build_environ(cast(Any, scope), cast(Any, BytesIO(body)))
        run = contextvars.copy_context().run
        answer = Answer(kept, filed)
        try:
            await asyncio.get_running_loop().run_in_executor(self._threads, run, self._make, dict(environ), answer)
        except BaseException:
            answer.close()
            raise
        return answer

    def _make(self, environ: dict[str, Any], answer: Answer) -> None:
        pieces = self._application(environ, answer.begin)
        try:
            for piece in pieces:
                answer.add(piece)
            answer.end()
        finally:
            getattr(pieces, "close", lambda: None)()


class Answer:
    """An answer as it is gathered; ``kept`` and ``filed``: where its bytes lie, in memory and in files."""

    def __init__(self, kept: Place, filed: Place) -> None:
        self._kept = kept
        self._filed = filed
        self._status = 500
        self._headers: Headers = []
        self._pieces: list[bytes] = []
        self._length = 0
        self._file: IO[bytes] | None = None

    def begin(self, status: str, headers: list[tuple[str, str]], _error: object = None) -> Callable[[bytes], None]:
        """WSGI's ``start_response``."""
        self._status = int(status.split(" ", 1)[0])
        self._headers = [(name.strip().lower().encode("latin-1"), text.strip().encode("latin-1"))
                         for name, text in headers]  # fmt: skip
        return self.add

    def add(self, piece: bytes) -> None:
        """Add to the body. Raises NoRoomError."""
        if self._file is None and self._length + len(piece) > LONGEST_KEPT:
            self._file = tempfile.TemporaryFile(dir=settings.DATA_DIR)  # noqa: SIM115 (closed once it is sent)
        if not (self._kept if self._file is None else self._filed).take(len(piece)):
            raise NoRoomError
        self._length += len(piece)
        if self._file is None:
            self._pieces.append(piece)
        else:
            self._file.write(piece)

    def end(self) -> None:
        """There is nothing more to add."""
        if len(self._pieces) > 1:
            self._pieces = [b"".join(self._pieces)]
        if self._file is not None:
            self._file.seek(0)
        if self._status not in _WITHOUT_BODY and not any(name == b"content-length" for name, _ in self._headers):
            self._headers.append((b"content-length", b"%d" % self._length))

    async def send(self, send: Send, is_head: bool) -> None:
        """Send it, piece by piece, as long as its places are not needed for others."""
        self._kept.wait()
        if self._file is not None:
            self._filed.wait()
        await send({"type": "http.response.start", "status": self._status, "headers": self._headers})
        left = 0 if is_head else self._length
        for piece in self._cut() if left else ():
            left -= len(piece)
            await send({"type": "http.response.body", "body": piece, "more_body": left > 0})
            if self._kept.gone or self._filed.gone:
                return
        if not self._length or is_head:
            await send({"type": "http.response.body", "body": b""})

    def close(self) -> None:
        """Forget it."""
        self._pieces = []
        if self._file is not None:
            self._file.close()

    def _cut(self) -> Iterator[bytes | memoryview]:
        for whole in self._pieces:
            if len(whole) <= PIECE:
                yield whole
                self._kept.give(len(whole))
                continue
            view = memoryview(whole)
            for at in range(0, len(whole), PIECE):
                yield view[at : at + PIECE]
        if self._file is not None:
            while piece := self._file.read(PIECE):
                yield piece
