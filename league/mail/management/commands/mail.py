from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from league.command import LeagueCommand
from league.mail import posting
from league.mail.models import Letter
from league.mail.server import Connection, LetterError, Server, ServerError, read_server, without_addresses


class Command(LeagueCommand):
    help = (
        "Send the letters that wait, through the server of TABLESIDE_MAIL_URL, until SIGTERM; may be killed at any "
        "moment. Where the ingest runs with these settings, it does so by itself."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="send what is due now and end; 1 if some was not taken")
        parser.add_argument("--test", metavar="ADDRESS", help="send one letter there at once, and say what came of it")
        parser.add_argument("--list", action="store_true", help="say how many wait, and which were given up and why")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["list"]:
            return self._list()
        try:
            server = read_server(settings.MAIL_URL, settings.MAIL_FROM)
        except ValueError as error:
            raise CommandError(str(error), returncode=2) from None
        if server is None:
            raise CommandError("TABLESIDE_MAIL_URL names no server", returncode=2)
        if options["test"]:
            return self._test(server, options["test"])
        if options["once"]:
            return self._once(posting.Postman(server))
        stopping = threading.Event()

        def stop(_signal: int, _frame: FrameType | None) -> None:
            stopping.set()

        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGINT, stop)
        self._say(f"sending through {server.host}:{server.port}")
        posting.work(server, self._say, stopping)
        return None

    def _once(self, postman: posting.Postman) -> None:
        total = sent = 0
        while letters := len(posting.due(timezone.now())):
            sent += postman.round()
            total += letters
            if postman.trouble:
                raise CommandError(postman.trouble)
        self._say(f"{sent} sent")
        if sent < total:
            raise CommandError(f"{total - sent} not taken: mail --list")

    def _test(self, server: Server, address: str) -> None:
        now = timezone.now()
        letter = Letter(pk=0, to=address, subject="Tableside", body="It works.\n", made_at=now)
        try:
            connection = Connection(server)
            try:
                connection.send(letter)
            finally:
                connection.close()
        except (ServerError, LetterError) as error:
            raise CommandError(str(error)) from None
        self._say(f"taken by {server.host}")

    def _list(self) -> None:
        waiting = Letter.objects.filter(sent_at=None, given_up_at=None)
        self.stdout.write(f"{waiting.count()} waiting, {waiting.exclude(error='').count()} of them after an error")
        for letter in Letter.objects.filter(sent_at=None).exclude(given_up_at=None):
            why = without_addresses(letter.error)
            self.stdout.write(f"{letter.pk}: given up {letter.given_up_at:%Y-%m-%d %H:%M}: {why}")

    def _say(self, line: str) -> None:
        self.stdout.write(f"mail: {line}")
        self.stdout.flush()
