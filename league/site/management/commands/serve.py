from __future__ import annotations

import logging
import os
import resource
from typing import Any

from django.core.management.base import CommandError, CommandParser

from league.command import LeagueCommand, whole_number
from league.serving import Server, bound


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
            listening = bound(options["host"], options["port"])
        except (OSError, OverflowError) as error:
            raise CommandError(f"{options['host']}:{options['port']}: {error}") from None
        logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # what strangers send is no news
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # a listener keeps a connection
        host, port = options["host"], listening.getsockname()[1]
        server = Server(Application())
        self.stdout.write(f"serving http://{host}:{port}/", ending="\n")
        self.stdout.flush()
        server.run([listening])
        self.stdout.write("stopped")
        self.stdout.flush()
        os._exit(0)  # no thread that waits for a database or a client keeps the process
