from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from appliance.game.roster import Notice
from appliance.game.values import parse_time
from appliance.plaintext import fault
from league.command import LeagueCommand
from league.ingest.own_pen import own_pen
from league.ingest.publishing import publish_notice
from league.rounds.models import Venue

_LONGEST = 2000


class Command(LeagueCommand):
    help = "Show a word of the league on the venues' screens, or take it back; the latest stands."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("venue", nargs="*", help="venues; all of them without one")
        parser.add_argument("--cs", default="", metavar="TEXT", help="the text in Czech")
        parser.add_argument("--en", default="", metavar="TEXT", help="the text in English; one is enough for both")
        parser.add_argument("--until", metavar="TIME", help="when it goes by itself: ISO 8601 with offset")
        parser.add_argument("--withdraw", action="store_true", help="take back what stands")

    def handle(self, *args: Any, **options: Any) -> None:
        notice = _notice(options)
        known = list(Venue.objects.order_by("pk").values_list("pk", flat=True))
        unknown = sorted(set(options["venue"]) - set(known))
        if unknown:
            raise CommandError(f"there is no venue {', '.join(unknown)}", returncode=2)
        pen = own_pen()
        done = "taken back" if options["withdraw"] else "told"
        for venue in options["venue"] or known:
            self.stdout.write(f"{venue}: {done if publish_notice(venue, notice, pen) else 'nothing to do'}")


def _notice(options: dict[str, Any]) -> Notice:
    cs, en = options["cs"].strip(), options["en"].strip()
    if bool(cs or en) == options["withdraw"]:
        raise CommandError("say --cs or --en, or --withdraw alone", returncode=2)
    if max(len(cs), len(en)) > _LONGEST:
        raise CommandError(f"a text has at most {_LONGEST} characters", returncode=2)
    for option, text in (("--cs", cs), ("--en", en)):
        if (why := fault(text)) is not None:
            raise CommandError(f"{option}: {why}", returncode=2)
    try:
        until = parse_time(options["until"]) if options["until"] else None
    except ValueError as error:
        raise CommandError(f"--until: {error}", returncode=2) from None
    return Notice(text_cs=cs, text_en=en, until=until)
