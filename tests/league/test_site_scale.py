"""The public first page and the own page of a league with many rounds: as many questions as with few."""

from __future__ import annotations

from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.own.rounds import own_rounds
from league.people.models import Participant
from league.rounds.models import Round
from league.rounds.planning import SignUp
from league.rounds.standing import NOT_BEGUN, WAITING
from league.site import pages
from league.standings import seasons, table, totals
from league.standings.models import Result, RoundReport

NOW = timezone.now()
DAY = timedelta(days=1)
State = SignUp.State


def made(first: Round, number: int, **fields: Any) -> Round:
    fields = {"starts_at": NOW - DAY * (number + 1), "promised": first.announcement} | fields
    return Round(id=f"X{number:04}", season=first.season, venue=first.venue, announcement=first.announcement, **fields)


def reported(round: Round, state: str, **fields: Any) -> RoundReport:
    fields = {"starts_at": round.starts_at, "at": NOW} | fields
    return RoundReport(round=round, epoch="1-aa", seq=1, state=state, key={}, **fields)


@pytest.fixture
def first(imported: dict[str, Any]) -> Round:
    return Round.objects.get()


def play(first: Round, count: int, start: int = 0) -> None:
    rounds = Round.objects.bulk_create(made(first, start + number) for number in range(count))
    RoundReport.objects.bulk_create(reported(round, "finished") for round in rounds)


def asked(act: Any) -> int:
    with CaptureQueriesContext(connection) as queries:
        act()
    return len(queries)


def test_the_first_page_shows_what_was_played_a_page_at_a_time(first: Round) -> None:
    client = Client()
    play(first, 60)
    few = asked(lambda: client.get("/"))
    play(first, 1200, start=60)
    assert asked(lambda: client.get("/")) == few
    answer = client.get("/")
    shown = [line.round.pk for line in answer.context["played"]]
    assert shown == [f"X{number:04}" for number in range(50)]
    assert 'href="?page=2#played"' in answer.content.decode()
    last = client.get("/?page=26")
    assert [line.round.pk for line in last.context["played"]] == [f"X{number:04}" for number in range(1250, 1260)]
    assert [client.get(f"/?page={page}").status_code for page in ("27", "0", "x", "9" * 30)] == [404] * 4


def test_no_page_reads_the_rounds_that_are_over_to_find_those_to_come(
    first: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(first, 500)
    lines: list[Round] = []
    line_of = pages.line_of

    def counted(round: Round) -> pages.RoundLine:
        lines.append(round)
        return line_of(round)

    monkeypatch.setattr(pages, "line_of", counted)
    own_rounds(Participant.objects.get(number="000101"), NOW)
    assert len(lines) <= 1


def test_LG_2_a_query_sorts_rounds_as_their_states_do(first: Round) -> None:
    """Every state a report can have, with what the league may have decided since."""
    Round.objects.all().delete()
    states = [None, *NOT_BEGUN, "running", "paused", "finished", "cancelled", "later"]
    when = (-DAY, DAY)
    cases = product(states, when, when, (None, -DAY, DAY), (None, -2 * DAY, 2 * DAY), (False, True))
    rounds, reports = [], []
    for number, (state, league, venue, told, moved, cancelled) in enumerate(cases):
        round = made(
            first, number, starts_at=NOW + league, told_starts_at=told and NOW + told, moved_at=moved and NOW + moved,
            cancelled_at=NOW if cancelled else None,
        )  # fmt: skip
        rounds.append(round)
        reports += [reported(round, state, starts_at=NOW + venue)] if state else []
    Round.objects.bulk_create(rounds)
    RoundReport.objects.bulk_create(reports)
    past = {round.pk for round in pages.past_rounds(NOW)}
    for round in pages.public_rounds():
        line = pages.line_of(round)
        over = line.state == "finished" or (line.state in (*WAITING, "cancelled") and line.starts_at < NOW)
        assert (round.pk in past) == over, line
    shown = pages.calendar(NOW)
    assert {line.round.pk for line in (*shown.under_way, *shown.coming)} | past == {round.pk for round in rounds}
    assert all(line.state in pages.UNDER_WAY for line in shown.under_way)
    assert [line.starts_at for line in shown.coming] == sorted(line.starts_at for line in shown.coming)
    starts = [pages.line_of(round).starts_at for round in pages.past_rounds(NOW)]
    assert starts == sorted(starts, reverse=True)


def test_the_own_page_asks_as_often_for_many_rounds_as_for_few(first: Round) -> None:
    people = list(Participant.objects.order_by("number"))
    me = people[2]
    Round.objects.update(starts_at=NOW + DAY, promised=first.announcement)

    def come(numbers: range) -> None:
        rounds = [made(first, number, starts_at=NOW + DAY * (1 + number)) for number in numbers]
        Round.objects.bulk_create(rounds)
        for round in rounds:
            for place, person in enumerate(people[:5]):
                state = State.IN if place < 2 else State.WAITING
                at = NOW + timedelta(minutes=-place if place > 1 else place)
                SignUp.objects.create(round=round, participant=person, state=state, at=at, changed_at=at)

    come(range(1, 4))
    few = asked(lambda: own_rounds(me, NOW))
    come(range(4, 40))
    assert asked(lambda: own_rounds(me, NOW)) == few
    signed, others = own_rounds(me, NOW)
    assert len(signed) == 39 and [own.line.round.pk for own in others] == [first.pk]
    assert {(own.before, own.left) for own in signed} == {(2, others[0].left - 2)}
    mine = own_rounds(people[4], NOW)[0]
    assert {own.before for own in mine} == {0}
    assert own_rounds(people[9], NOW)[1][-1].before == 3


@pytest.mark.parametrize(("equal", "most"), [(1, 20), (45, 80)])
def test_LG_8_winners_are_found_without_reading_everybody(
    first: Round, monkeypatch: pytest.MonkeyPatch, equal: int, most: int
) -> None:
    Result.objects.bulk_create(
        Result(
            round=first, number=f"{n:06}", place=1 if n < equal else equal + 1, prize=0, provisional=False,
            half_points=200, counted=200 if n < equal else 100,
        )
        for n in range(500)
    )  # fmt: skip
    totals.compute(first.season)
    read: list[int] = []

    def counted(*which: Any, **how: Any) -> Any:
        found = table.standings(*which, **how)
        read.append(len(found.lines))
        return found

    monkeypatch.setattr(seasons, "standings", counted)
    assert [line.number for line in seasons.winners(first.season)] == [f"{n:06}" for n in range(equal)]
    assert max(read) == most
