"""Two at once: what one has begun the other must not overlook. SQLite has them wait; PostgreSQL only if they ask."""

from __future__ import annotations

from tests.league.processes import League

SIGN_UP = """
from datetime import UTC, datetime
from league.people.models import Participant
from league.rounds.models import Round
from league.rounds.signing_up import SignUpRefused, sign_up
person, round = Participant.objects.get(number="000105"), Round.objects.get()
print("begun", flush=True)
try:
    print(sign_up(person, round, "t", now=datetime(2026, 12, 1, tzinfo=UTC)).state)
except SignUpRefused as refused:
    print(refused.code)
"""

ALERT = """
from django.db import transaction
from django.utils import timezone
from league.ingest.alerts import Notice, raise_all
from league.ingest.models import Contact
print("begun", flush=True)
with transaction.atomic():
    Contact.objects.update_or_create(venue_id="zabreh", defaults={"software": "kept", "seen_at": timezone.now()})
    raise_all([Notice("zabreh", "round/R1", "forked", "again")])
print("done")
"""


def test_LG_5_who_is_just_being_cancelled_is_not_signed_up(league: League) -> None:
    league.run("offer_round", "--all")
    with league.holding("UPDATE people_participant SET state = 'cancelled' WHERE number = %s", "000105"):
        child, _ = league.start("shell", "-v0", "-c", SIGN_UP, until="begun")
    assert child.stdout is not None
    assert child.stdout.read().strip() == "not-active"
    assert league.rows("SELECT count(*) FROM rounds_signup") == [(0,)]


def test_an_alert_that_two_raise_at_once_is_counted_and_takes_nothing_else_with_it(league: League) -> None:
    columns = "(venue, stream, code, detail, count, first_at, last_at)"
    alert = f"INSERT INTO ingest_alert {columns} VALUES (%s, %s, %s, '', 1, %s, %s)"
    now = "2026-12-01 10:00:00+00:00"
    with league.holding(alert, "zabreh", "round/R1", "forked", now, now):
        child, _ = league.start("shell", "-v0", "-c", ALERT, until="begun")
    assert child.stdout is not None
    assert child.stdout.read().strip() == "done"
    assert league.rows("SELECT count, detail FROM ingest_alert") == [(2, "again")]
    assert league.rows("SELECT software FROM ingest_contact") == [("kept",)]
