"""Many clerks and participants at once: each act is done or refused, none fails because another one waits for it."""

from __future__ import annotations

import json

from tests.league.processes import League

CHAOS = """
import collections
import json
import random
import threading
import time
from datetime import UTC, datetime, timedelta
from django.db import connections
from django.utils import timezone
from league.ingest.own_pen import own_pen
from league.people import acts
from league.people.acts import By
from league.people.models import ConsentKind, Participant
from league.privacy import erasing
from league.rounds import changing, signing_up
from league.rounds.models import Round
from league.rounds.planning import SignUp
from league.standings import excluding
from league.standings.models import Exclusion

NOW = datetime(2026, 12, 1, tzinfo=UTC)
timezone.now = lambda: NOW
first = Round.objects.get()
for n in range(1, {rounds}):
    Round.objects.create(
        id=f"N{{n}}", season=first.season, venue=first.venue, name=f"N{{n}}",
        starts_at=first.starts_at + timedelta(days=n),
        announcement=first.announcement | {{"round": f"N{{n}}"}}, promised=first.promised | {{"round": f"N{{n}}"}},
    )
rounds = list(Round.objects.order_by("pk"))
people = list(Participant.objects.filter(role="participant"))
by, pen, errors, done = By("t"), own_pen(), collections.Counter(), collections.Counter()

def act(chance, person, round, n):
    if chance < 0.42:
        signing_up.sign_up(person, round, "t", now=NOW)
    elif chance < 0.60:
        signing_up.cancel_sign_up(person, round, "t", now=NOW)
    elif chance < 0.70:
        acts.cancel(person, by)
    elif chance < 0.80:
        acts.reopen(person, by)
    elif chance < 0.88:
        acts.withdraw_consent(person, ConsentKind.PROCESSING, by)
    elif chance < 0.92:
        acts.give_consent(person, ConsentKind.PROCESSING, by)
    elif chance < 0.93:
        day = timezone.localdate(round.starts_at)
        row = Exclusion(participant=person.number, since=day, until=day, reason=str(n))
        excluding.lift(excluding.exclude(row, "t", now=NOW), "x", "t")
    elif chance < 0.935:
        erasing.erase(person, by)
    elif chance < 0.98 and round != first:
        plan = changing.Substitute(f"S{{n}}-{{person.pk}}", round.starts_at + timedelta(hours=1), first.venue, True)
        changing.cancel(round, "", "t", own_pen(), NOW, plan)
    else:
        moved = first.starts_at + timedelta(minutes=n % 300)
        changing.move(round, moved, "", "t", own_pen(), NOW)

def work(seed):
    chance = random.Random(seed)
    try:
        for n in range({acts}):
            person, round = chance.choice(people), chance.choice(rounds)
            try:
                act(chance.random(), person, round, n)
                done["done"] += 1
            except (acts.ActRefused, signing_up.SignUpRefused, changing.ChangeRefused, excluding.ExcludedAlready):
                done["refused"] += 1
            except Exception as error:
                errors[f"{{type(error).__name__}}: {{str(error)[:60]}}"] += 1
    finally:
        connections.close_all()

threads = [threading.Thread(target=work, args=(seed,)) for seed in range({threads})]
for each in threads:
    each.start()
for each in threads:
    each.join()
idle = SignUp.objects.exclude(state="cancelled").exclude(participant__state="active").count()
print(json.dumps([dict(errors), idle, done["done"] > 0]))
"""


def test_P_acts_at_once_wait_for_each_other_and_none_fails(league: League) -> None:
    league.run("offer_round", "--all")
    told = league.run("shell", "-v0", "-c", CHAOS.format(acts=60, threads=8, rounds=20))
    assert json.loads(told.splitlines()[-1]) == [{}, 0, True]
