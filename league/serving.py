"""The server of `league serve`: uvicorn, which gives up on clients that keep a connection and do nothing with it."""

from __future__ import annotations

import asyncio
import fcntl
import socket
import struct
import termios
from types import FrameType
from typing import TYPE_CHECKING, Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    from league.asgi import Application

QUEUE = 512
SILENT_S = 30.0
"""So long a client may take to tell what it wants, or to take the rest of what it was answered."""

UNHEARD_MS = 60_000
"""So long the system itself waits for a client that acknowledges nothing, or takes nothing."""

_GRACE_S = 3
_AT_ONCE = struct.pack("ii", 1, 0)


class Protocol(H11Protocol):
    """Gives up on a client that has not told in time what it wants, or does not take what it wanted.

    What it did not take is thrown away with the connection: closed in good order it would stay for ever.
    """

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.app_state = {**self.app_state, "end": self.end}

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._untaken_then = 0
        self._patience = self.loop.call_later(SILENT_S, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        self._patience.cancel()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._untaken_then = self._untaken()
        self._look_later()

    def end(self) -> None:
        """End the connection at once."""
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        connection = self.transport.get_extra_info("socket")
        if connection is not None and connection.fileno() >= 0:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
        self.transport.abort()
        self.flow.resume_writing()

    def _look(self) -> None:
        closing = self.transport.is_closing()
        untaken = self._untaken()
        if not closing and self.cycle is not None and not self.cycle.response_complete:
            self._look_later()
        elif untaken and untaken < self._untaken_then:  # slow, but it takes what it was answered
            self._untaken_then = untaken
            self._look_later()
        elif untaken or closing:
            self.end()
        else:
            self.transport.close()

    def _untaken(self) -> int:
        """How many bytes were sent that the client has not acknowledged."""
        connection = self.transport.get_extra_info("socket")
        if connection is None or connection.fileno() < 0:
            return 0
        (held,) = struct.unpack("i", fcntl.ioctl(connection.fileno(), termios.TIOCOUTQ, bytes(4)))
        return int(held) + self.transport.get_write_buffer_size()

    def _look_later(self) -> None:
        self._patience.cancel()
        self._patience = self.loop.call_later(SILENT_S, self._look)


class Server(uvicorn.Server):
    """Ends at once when it is told to: whoever listens to a stream comes back by itself."""

    def __init__(self, application: Application) -> None:
        super().__init__(
            uvicorn.Config(
                application, http=Protocol, loop="asyncio", ws="none", lifespan="off", interface="asgi3",
                proxy_headers=False,  # league.staff.middleware finds the client behind as many as the settings say
                access_log=False,  # visitors are not logged (a proxy in front may, under its own rules)
                server_header=False, log_config=None, backlog=QUEUE, timeout_graceful_shutdown=_GRACE_S,
            )
        )  # fmt: skip
        self._hub = application.hub

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to look for changes, then take requests."""
        self._hub.begin()
        await super().startup(sockets)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let the listeners go, then end what is being answered."""
        await self._hub.end()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End; at once when told twice."""
        self.force_exit = self.should_exit
        self.should_exit = True


def bound(host: str, port: int) -> socket.socket:
    """A socket that takes connections from now on. Raises OSError, OverflowError."""
    # by its protocol asyncio knows it for one whose small pieces are not to wait for an acknowledgement
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNHEARD_MS)  # connections inherit it
        listening.bind((host, port))
        listening.listen(QUEUE)
    except (OSError, OverflowError):
        listening.close()
        raise
    return listening
