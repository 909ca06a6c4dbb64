from __future__ import annotations

import os
import secrets
import signal
import ssl
from contextlib import AbstractContextManager, nullcontext
from types import FrameType
from typing import Any
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from appliance.link.client import Endpoint
from league.command import LeagueCommand
from league.ingest.outbox import Pen
from league.ingest.own_pen import own_pen
from league.ingest.worker import BrokerClientDied, Worker
from league.mail.posting import sending
from league.mail.server import read_server
from league.people.acts import By
from league.privacy.erasing import finish

DEFAULT_BROKER = "mqtt://127.0.0.1:1883"


class Command(LeagueCommand):
    help = (
        "Receive all venues' records over MQTT, store and acknowledge them, keep results and standings up to date, "
        "tell the venues how the season stands, send the league's stream to every venue, and letters that wait. Runs "
        "until SIGTERM; may be killed at any moment."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--broker",
            default=os.environ.get("TABLESIDE_LEAGUE_BROKER", DEFAULT_BROKER),
            help="mqtt://[user:password@]host[:port], or mqtts:// for TLS; default: TABLESIDE_LEAGUE_BROKER, "
            f"else {DEFAULT_BROKER}",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        endpoint = broker_endpoint(options["broker"])
        worker = Worker(endpoint, f"league-ingest-{secrets.token_hex(4)}", self._say, self._pen())

        def stop(_signal: int, _frame: FrameType | None) -> None:
            worker.stop()

        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGINT, stop)
        try:
            for number in finish(By("ingest")):
                self._say(f"erased to the end, which was cut off: {number}")
            with self._postman():
                worker.run()
        except (BrokerClientDied, OSError, ValueError) as error:
            raise CommandError(str(error)) from None
        counts = ", ".join(f"{n} {name}" for name, n in sorted(worker.counts.items()))
        self._say(f"stopped: {counts or 'nothing came'}")

    def _postman(self) -> AbstractContextManager[object]:
        """Letters are sent from here as well, where a server for them is set."""
        try:
            server = read_server(settings.MAIL_URL, settings.MAIL_FROM)
        except ValueError as error:
            self._say(f"letters are not sent: {error}")
            return nullcontext()
        return nullcontext() if server is None else sending(server, lambda line: self._say(f"mail: {line}"))

    def _pen(self) -> Pen | None:
        """The league's pen; what venues send is received without it, too."""
        try:
            return own_pen()
        except CommandError as error:
            self._say(f"venues are not told the standings: {error}")
            return None

    def _say(self, line: str) -> None:
        self.stdout.write(f"ingest: {line}")
        self.stdout.flush()


def broker_endpoint(url: str) -> Endpoint:
    """The broker that a URL names; raises `CommandError`."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise CommandError(f"--broker: {error}", returncode=2) from None
    if parts.scheme not in ("mqtt", "mqtts") or not parts.hostname or parts.path.strip("/"):
        raise CommandError("--broker: must be mqtt://host:port or mqtts://host:port", returncode=2)
    tls = ssl.create_default_context() if parts.scheme == "mqtts" else None
    username = unquote(parts.username) if parts.username else None
    password = unquote(parts.password) if parts.password else None
    return Endpoint(parts.hostname, port or (8883 if tls else 1883), username, password, tls)
