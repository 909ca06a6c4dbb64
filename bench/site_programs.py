"""Programs that the figures of the public site need: a league with 200,000 participants, its server with an empty view
beside its pages, and the bare loop that a live stream is compared with.
"""

from __future__ import annotations

import asyncio
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

ROUND = "B0"
PLAYERS = 50


def main(do: str, *given: str) -> None:
    """``fill COUNT``, ``serve FOLDER``, ``tell TIMES`` or ``bare LISTENERS``."""
    if do == "bare":
        asyncio.run(_bare(int(given[0])))
        return
    import django

    django.setup()
    if do == "fill":
        _fill(int(given[0]))
    elif do == "serve":
        _serve()
    else:
        _tell(int(given[0]))


def _fill(count: int) -> None:
    """A season that so many played in, a round each, all with names that may be published; one round is under way."""
    from league.people.models import Consent, ConsentText, Participant
    from league.rounds.models import Round, Season, Venue
    from league.standings import totals
    from league.standings.models import Result, RoundReport

    now = datetime.now(UTC)
    season = Season.objects.create(year=2027, name="2027")
    venue = Venue.objects.create(id="bench", name="Sokolovna", town="Zábřeh")
    rounds = [
        Round(id=f"B{n}", season=season, venue=venue, starts_at=now - timedelta(days=n), announcement={}, promised={})
        for n in range(count // PLAYERS)
    ]
    Round.objects.bulk_create(rounds)
    RoundReport.objects.bulk_create(
        RoundReport(
            round=round, epoch="1-aa", seq=1, at=now, starts_at=now, key={}, registered=PLAYERS, left=9,
            state="running" if round.pk == ROUND else "finished",
        )
        for round in rounds
    )  # fmt: skip
    numbers = [f"{n:06}" for n in range(1, count + 1)]
    Result.objects.bulk_create(
        (
            Result(
                round=rounds[n // PLAYERS], number=number, place=n % PLAYERS + 1, prize=0,
                half_points=2 * PLAYERS - n % PLAYERS, counted=2 * PLAYERS - n % PLAYERS,
                provisional=n < PLAYERS,
            )
            for n, number in enumerate(numbers)
        ),
        batch_size=5000,
    )  # fmt: skip
    people = Participant.objects.bulk_create(
        (Participant(number=number, first_name="Ondřej", surname=f"Kříž {number}") for number in numbers),
        batch_size=5000,
    )
    text = ConsentText.objects.filter(kind="publication").first()
    Consent.objects.bulk_create(
        (Consent(participant=one, kind="publication", given_at=now, text=text) for one in people), batch_size=5000
    )
    totals.compute(season)


def _serve() -> None:
    """The league's server, with a page that does nothing beside the others."""
    from django.conf import settings
    from django.core.management import call_command

    settings.ROOT_URLCONF = "bench.site_urls"
    call_command("serve", port=0)


def _tell(times: int) -> None:
    """One more is out, so many times: when each was written, in seconds of the monotonic clock."""
    import time

    from django.db import transaction

    from league.live import changes
    from league.standings.models import RoundReport

    for n in range(times):
        time.sleep(1.5)
        with transaction.atomic():
            RoundReport.objects.filter(pk=ROUND).update(left=8 - n)
            changes.bump(ROUND)
        print(time.monotonic(), flush=True)


async def _bare(count: int) -> None:
    """Writes a line of each size that it is told to so many who are connected."""
    connected: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []  # without its reader a stream is closed

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connected.append((reader, writer))

    server = await asyncio.start_server(take, "127.0.0.1", 0, backlog=4096)
    print(server.sockets[0].getsockname()[1], flush=True)
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        while len(connected) < count:
            await asyncio.sleep(0.01)
        message = b"x" * (int(line) - 1) + b"\n"
        for _, writer in connected:
            writer.write(message)
            await writer.drain()


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))
    main(*sys.argv[1:])
