from __future__ import annotations

import signal
import socket
from socketserver import ThreadingMixIn
from types import FrameType
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from django.core.management.base import CommandError, CommandParser

from league.command import LeagueCommand, whole_number


class _Server(ThreadingMixIn, WSGIServer):
    """A thread a request; an open request does not keep the process alive."""

    daemon_threads = True
    request_queue_size = 128

    def server_bind(self) -> None:
        if ":" in str(self.server_address[0]):
            self.address_family = socket.AF_INET6
        super().server_bind()


class _Handler(WSGIRequestHandler):
    """Gives up on a client that stops talking, and logs no visitor's address."""

    timeout = 30

    def get_environ(self) -> dict[str, Any]:
        """Without headers with ``_`` in their names: CGI takes them for those with ``-``, which proxies vouch for."""
        for name in [name for name in self.headers if "_" in name]:
            del self.headers[name]
        return super().get_environ()

    def log_message(self, format: str, *args: Any) -> None:
        """Visitors are not logged (a proxy in front may, under its own rules)."""


class Command(LeagueCommand):
    help = (
        "Serve the public pages and the staff pages from this process. Enough for one league behind a proxy; "
        "binds to loopback unless told otherwise."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to bind (default %(default)s)")
        parser.add_argument("--port", type=whole_number, default=8000, help="0 takes a free one (default %(default)s)")

    def handle(self, *args: Any, **options: Any) -> None:
        from league.wsgi import application

        try:
            server = _Server((options["host"], options["port"]), _Handler)
        except (OSError, OverflowError) as error:
            raise CommandError(f"{options['host']}:{options['port']}: {error}") from None
        server.set_app(application)
        signal.signal(signal.SIGTERM, _stop)
        port = server.server_address[1]
        self.stdout.write(f"serving http://{options['host']}:{port}/", ending="\n")
        self.stdout.flush()
        with server:
            try:
                server.serve_forever(poll_interval=0.2)
            except KeyboardInterrupt:
                self.stdout.write("stopped")


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
