from __future__ import annotations

import asyncio
import logging
import os
import resource
import socket
from types import FrameType
from typing import TYPE_CHECKING, Any

import uvicorn
from django.core.management.base import CommandError, CommandParser
from uvicorn.protocols.http.h11_impl import H11Protocol

from league.command import LeagueCommand, whole_number

if TYPE_CHECKING:
    from league.asgi import Application

_QUEUE = 512
_SILENT_S = 30.0
_GRACE_S = 3


class _Protocol(H11Protocol):
    """Gives up on a client that has not told in time what it wants."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._patience = self.loop.call_later(_SILENT_S, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        self._patience.cancel()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._patience.cancel()
        self._patience = self.loop.call_later(_SILENT_S, self._look)

    def _look(self) -> None:
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()


class _Server(uvicorn.Server):
    """Ends at once when it is told to: whoever listens to a stream comes back by itself."""

    def __init__(self, application: Application) -> None:
        super().__init__(
            uvicorn.Config(
                application, http=_Protocol, loop="asyncio", ws="none", lifespan="off", interface="asgi3",
                proxy_headers=False,  # league.staff.middleware finds the client behind as many as the settings say
                access_log=False,  # visitors are not logged (a proxy in front may, under its own rules)
                server_header=False, log_config=None, backlog=_QUEUE, timeout_graceful_shutdown=_GRACE_S,
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


class Command(LeagueCommand):
    help = (
        "Serve the public pages, what goes on live and the staff pages from this process. Enough for one league "
        "behind a proxy; binds to loopback unless told otherwise."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to bind (default %(default)s)")
        parser.add_argument("--port", type=whole_number, default=8000, help="0 takes a free one (default %(default)s)")

    def handle(self, *args: Any, **options: Any) -> None:
        from league.asgi import Application

        try:
            listening = _bound(options["host"], options["port"])
        except (OSError, OverflowError) as error:
            raise CommandError(f"{options['host']}:{options['port']}: {error}") from None
        logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # what strangers send is no news
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # a listener keeps a connection
        host, port = options["host"], listening.getsockname()[1]
        server = _Server(Application())
        self.stdout.write(f"serving http://{host}:{port}/", ending="\n")
        self.stdout.flush()
        server.run([listening])
        self.stdout.write("stopped")
        self.stdout.flush()
        os._exit(0)  # no thread that waits for a database or a client keeps the process


def _bound(host: str, port: int) -> socket.socket:
    """A socket that takes connections from now on. Raises OSError, OverflowError."""
    # by its protocol asyncio knows it for one whose small pieces are not to wait for an acknowledgement
    bound = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
        bound.listen(_QUEUE)
    except (OSError, OverflowError):
        bound.close()
        raise
    return bound
