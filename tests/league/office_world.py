"""A league in which every page of the office has something to show: people, rounds, decisions, editions, letters."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from league.staff.roles import Role
from tests.league.rounds_played import FLAT, announcement, moves, planned, venue_plays

if TYPE_CHECKING:
    from django.test import Client

    from league.people.models import Participant
    from league.rounds.models import Round

LEVELS = [{"sb": 25, "bb": 50, "minutes": 20}, {"break": 10}, {"sb": 50, "bb": 100, "minutes": 20, "ante": 10}]
A, B, C, D = "000101", "000102", "000103", "000104"
VENUE = "zabreh"
IMPORTED = "2026-01-02T10:00:00+01:00"
PLAYERS = [
    (A, "Věra", "Žáčková"), (B, "Jiří", "Dvořák"), (C, "Šárka", "Němcová"), (D, "Ondřej", "Kříž"),
    ("000900", "Milada", "Řehořová"),
]  # fmt: skip
NAMES = [("Anežka", "Přibíková"), ("Řehoř", "Ťuhýk"), ("Žofie", "Úlehlová"), ("Ďoko", "Ňuchal"), ("Lýdie", "Óbrová")]


def build(key: Ed25519PrivateKey, now: datetime) -> None:
    """Fill empty tables; ``key``: the director's at the venue. What the league signs is in its data directory."""
    _season(key)
    _stock()
    for round, order in (("S1", [A, B, C, D]), ("S2", [B, C, D, A])):
        planned(round, points_key=FLAT)
        venue_plays(key, announcement(round, points_key=FLAT), moves(order))
    people = _people(now)
    _rounds(now, people)
    _decisions(now)
    _published(now)
    _letters(now)
    _cards(now, people)
    _fleet(now)


@contextmanager
def standing(folder: Path) -> Iterator[None]:
    """The same in the tests' own databases for a while; ``folder``: for what the league signs with."""
    from django.db import transaction
    from django.test import override_settings

    with override_settings(DATA_DIR=folder), transaction.atomic(), transaction.atomic(using="keys"):
        build(Ed25519PrivateKey.from_private_bytes(bytes(range(32))), datetime.now(UTC))
        yield
        transaction.set_rollback(True)
        transaction.set_rollback(True, using="keys")


def staff() -> dict[str, str]:
    """The keys of the sessions of all of `clients`."""
    from django.conf import settings

    return {name: client.cookies[settings.SESSION_COOKIE_NAME].value for name, client in clients().items()}


def clients() -> dict[str, Client]:
    """Somebody of each role, ``everybody`` who has all of them, and ``participant``, somebody at their own page."""
    from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes

    from league.people.models import Participant
    from tests.league.office import staff_client, staff_user
    from tests.league.own_page import signed_in

    made = {role.value: staff_client(role) for role in Role} | {"everybody": staff_client(*Role, name="everybody")}
    RecoveryCodes.activate(staff_user(*Role, name="everybody"))
    return made | {"participant": signed_in(Participant.objects.get(email="hrac0@hraci.example"))}


def _season(key: Ed25519PrivateKey) -> None:
    """A venue, its director, four participants and a commissioner, who all came by an import."""
    from league.rounds import season_file, season_import

    public = key.public_key().public_bytes_raw().hex()
    data = {
        "season": {"year": 2027, "name": "Ročník 2027"},
        "venues": [{"id": VENUE, "name": "Sokolovna", "town": "Zábřeh"}],
        "devices": [{"venue": VENUE, "name": "director", "role": "director", "public_key": public}],
        "participants": [
            {
                "number": number, "first_name": first, "surname": surname, "home": VENUE,
                "consents": {"processing": IMPORTED, "publication": IMPORTED},
                "cards": [{"uid": f"04A1B2C3D4{n:02X}80", "issued_at": IMPORTED}],
            } | ({"role": "commissioner"} if number == "000900" else {})
            for n, (number, first, surname) in enumerate(PLAYERS)
        ],
    }  # fmt: skip
    season_import.apply(season_file.check(data))


def _stock() -> None:
    from league.rounds.planning import ShareTemplate, StructureTemplate

    StructureTemplate.objects.create(name="Večerní", levels=LEVELS)
    ShareTemplate.objects.create(name="Tři místa", shares=["50", "30", "20"])


def _people(now: datetime) -> list[Participant]:
    """Five from paper cards, by documents: one as they came, one corrected, cancelled, refused, and one erased."""
    from league.people import acts
    from league.people.acts import By
    from league.people.correcting import correct
    from league.people.models import ConsentKind, Participant
    from league.people.registering import Signed, register
    from league.privacy.erasing import erase
    from league.privacy.models import PaperCard
    from tests.league.people_cards import CARD

    by = By("clerk")
    signed = Signed(now.date() - timedelta(days=1), PaperCard.Proof.PASSPORT, "000900", "000900")
    people = [
        register(
            CARD | {"first_name": first, "surname": surname, "birth_number": "", "birth_date": f"198{n}-03-07",
                    "document": f"P 123456{n}", "email": f"hrac{n}@hraci.example", "home_venue": VENUE},
            set(ConsentKind), signed, by,
        )
        for n, (first, surname) in enumerate(NAMES)
    ]  # fmt: skip
    correct(people[0], {"street": "Krátká 1", "surname": "Přibíková-Nová"}, by)
    acts.withdraw_consent(people[0], ConsentKind.MEDIA, by)
    acts.cancel(people[2], by, "stěhuje se")
    acts.refuse(people[3], by, "porušil pravidla")
    erase(people[4], by, "na žádost")
    return list(Participant.objects.filter(pk__in=[person.pk for person in people]).order_by("pk"))


def _rounds(now: datetime, people: list[Participant]) -> None:
    """A plan, a round to sign up for, one that is full, one moved, and one cancelled with another in its place."""
    from league.ingest.own_pen import own_pen
    from league.people.models import Participant
    from league.rounds import changing
    from league.rounds.models import Venue
    from league.rounds.signing_up import sign_up

    pen, by = own_pen(), "commissioner"
    plans = {
        code: _plan(code, now + timedelta(days=days), name, capacity)
        for code, days, name, capacity in (
            ("PLAN", 70, "Zamýšlené kolo", 18), ("OPEN", 38, "Otevřené kolo", 18), ("FULL", 45, "Plné kolo", 3),
            ("MOVED", 50, "Přeložené kolo", 18), ("GONE", 30, "Zrušené kolo", 18), ("SOON", 4, "Kolo za pár dní", 18),
        )
    }  # fmt: skip
    for code in ("OPEN", "FULL", "MOVED", "GONE", "SOON"):
        changing.announce(plans[code], by, pen, now)
    players = [*people[:2], *Participant.objects.filter(number__in=(A, B, C, D))]
    for code in ("OPEN", "FULL", "MOVED", "GONE"):
        for person in players[:5]:
            sign_up(person, plans[code], "clerk")
    changing.move(plans["MOVED"], plans["MOVED"].starts_at + timedelta(days=2), "oprava sálu", by, pen, now)
    instead = changing.Substitute("INSTEAD", now + timedelta(days=55), Venue.objects.get(pk=VENUE), True)
    changing.cancel(plans["GONE"], "málo přihlášených", by, pen, now, instead)


def _plan(code: str, starts_at: datetime, name: str, capacity: int) -> Round:
    from django.utils.timezone import localtime

    from league.rounds.models import Round, Season, Venue

    local = localtime(starts_at).replace(hour=19, minute=0, second=0, microsecond=0)
    season, _ = Season.objects.get_or_create(year=local.year, defaults={"name": f"Ročník {local.year}"})
    terms = announcement(code, starts_at=local.isoformat(), levels=LEVELS, capacity=capacity, guarantee=5000)
    return Round.objects.create(
        id=code, name=name, season=season, venue=Venue.objects.get(pk=VENUE), starts_at=local, announcement=terms
    )


def _decisions(now: datetime) -> None:
    from appliance.game.points import decode_key
    from league.notices.models import Announcement
    from league.rounds.models import Round, Season
    from league.standings import correcting, excluding, seasons, voiding
    from league.standings.models import Exclusion, ExclusionProposal
    from tests.league.rounds_played import STEEP

    round, by = Round.objects.get(pk="S1"), "commissioner"
    voiding.decide(round, B, True, "hrál s cizím průkazem", by)
    voiding.decide(Round.objects.get(pk="S2"), C, True, "omyl", by)
    voiding.decide(Round.objects.get(pk="S2"), C, False, "byl to omyl", by)
    year = Season.objects.get(year=2027)
    correcting.correct(year, decode_key(json.dumps(STEEP)), "chyba v opisu", by)
    excluding.exclude(
        Exclusion(participant=C, since=now.date(), until=now.date() + timedelta(days=30), reason="rvačka", round=round),
        by,
    )
    gone = Exclusion(participant=D, since=now.date(), reason="podvod", proposed_by="000900")
    excluding.lift(excluding.exclude(gone, by), "odvolání uznáno", by)
    ExclusionProposal.objects.create(round=round, number=D, reason="napadl komisaře", at=now)
    said = seasons.Words("Přestávka", "A break", "Do konce měsíce se nehraje.", "No play until the month ends.")
    past = Season.objects.create(year=2025, name="Ročník 2025")
    seasons.act(past, "interrupt", date(2025, 6, 1), said, by, reason="malování")
    Announcement.objects.filter(title_cs="Přestávka").update(since=now - timedelta(days=1), until=now)


def _published(now: datetime) -> None:
    from django.utils import timezone

    from league.notices import editions
    from league.notices.models import Announcement, Edition, Price, write_prices
    from league.rounds.models import Venue

    text = "# Pravidla\n\n1. Hraje se *poctivě*.\n2. Kdo přijde pozdě, platí [více](https://liga.example/).\n\n- a\n- b"
    for kind in Edition.Kind:
        for days in (0, 20, 0):
            draft = editions.new_draft(kind, "commissioner", timezone.localdate(now) + timedelta(days=days))
            draft.brief_cs, draft.brief_en = "Hrajte poctivě.", "Play fair."
            draft.text_cs, draft.text_en = text, text
            if kind == Edition.Kind.PRICES:
                lines = [Price("card-replacement", "Nový průkaz", "A new card", 100)]
                draft.price_rows = write_prices(lines)
            draft.save()
            if days or not Edition.objects.filter(kind=kind, number__isnull=False).exists():
                editions.publish(draft, "commissioner")
    hour = timedelta(hours=1)
    times: tuple[tuple[datetime, datetime | None, str], ...] = (
        (now - hour, None, "Sraz hráčů"), (now + 48 * hour, None, "Nová herna"), (now - 9 * hour, now - hour, "Včera"),
    )  # fmt: skip
    for since, until, title in times:
        made = Announcement.objects.create(
            title_cs=title, title_en="", text_cs="V sobotu v poledne.", since=since, until=until, by="clerk"
        )
    made.venues.set([Venue.objects.get(pk=VENUE)])


def _letters(now: datetime) -> None:
    from league.mail.models import Letter
    from league.mail.outbox import post

    states: dict[str, dict[str, Any]] = {
        "queued": {}, "sent": {"sent_at": now}, "waiting": {"error": "452 full", "attempts": 3},
        "failed": {"error": "550 nobody of that name", "given_up_at": now},
    }  # fmt: skip
    for state, values in states.items():
        post(f"{state}@example.cz", f"Kolo {state}", "Dobrý den,\n\nkolo se překládá.")
        Letter.objects.filter(to=f"{state}@example.cz").update(**values)


def _cards(now: datetime, people: list[Participant]) -> None:
    """A card that is good, some that are not, one ordered anew, and what kiosks refused."""
    from league.cards import acts
    from league.cards.models import RefusedCard
    from league.people.acts import By
    from league.people.models import Card, CardEntry

    states = (Card.State.VALID, Card.State.LOST, Card.State.DAMAGED)
    for n, state in enumerate(states):
        Card.objects.create(
            uid=f"04AABBCC00000{n}", serial=7000 + n, participant=people[0], state=state, issued_at=now, state_at=now,
            reason="" if state == Card.State.VALID else "sama",
        )  # fmt: skip
    Card.objects.create(
        uid="04AABBCC000009", serial=7009, participant=people[1], state=Card.State.LOST, issued_at=now, state_at=now
    )
    acts.replace(Card.objects.get(participant__number=D), By("clerk"), acts.fee_now())
    CardEntry.objects.create(
        id="e1", at=now, who="000900", what="issued", uid="04AABBCC000000", participant=people[0].number, serial=7000,
        taken_at=now,
    )  # fmt: skip
    for seq, reason in enumerate(("card-confiscate", "card-unknown", "card-not-valid")):
        RefusedCard.objects.create(
            venue=VENUE, epoch="e", seq=seq + 1, at=now, device=f"{VENUE}/table-{seq + 1}", reason=reason,
            uid=f"04AABBCC00000{seq}", participant=people[0].number,
        )  # fmt: skip


def _fleet(now: datetime) -> None:
    """Devices that are well, ail, are revoked and are unknown, alerts, and records that could not be used."""
    from django.conf import settings

    from appliance.link.envelope import DeviceState, ReaderSaid, State
    from league.fleet import authority, standing
    from league.fleet.enrolling import invite
    from league.ingest.models import Alert, Contact, Quarantine, RolledBack, StreamHead
    from league.rounds.models import Device, Venue

    venue = Venue.objects.get(pk=VENUE)
    for n, (name, role, table) in enumerate((("table-1", "table", 1), ("door", "door", None), ("lost", "door", None))):
        Device.objects.create(venue=venue, name=name, role=role, table=table, public_key=f"{n + 1:064x}")
    Device.objects.filter(name="lost").update(revoked_at=now, revoked_reason="ukradené")
    if not (settings.DATA_DIR / authority.KEY).exists():
        authority.make(settings.DATA_DIR, "Liga")
    invite(VENUE, "table-2", "table", 2, now)
    at = int(now.timestamp() * 1000)
    said = (
        DeviceState("director", at, True, "director", "0.1.0", 0, (), "undervoltage", 0),
        DeviceState("table-1", at, True, "table", "0.1.0", -12, (ReaderSaid("levá"), ReaderSaid("pravá")), "ok", 0),
        DeviceState("door", at, True, "door", "0.1.0", 2300, (ReaderSaid("dveře", "no-reader"),), "unknown", 3),
        DeviceState("guest", at, False, "clock", "0.0.9"),
    )
    standing.keep({VENUE: State("uplink", True, "uplink", "0.1.0", said, 2)})
    head = StreamHead.objects.filter(stream="round/S1").order_by("pk")[0]
    Contact.objects.update_or_create(
        venue=venue,
        defaults={"online": True, "software": "0.1.0", "seen_at": now, "heads": {f"{head.stream} {head.epoch}": 99}},
    )
    for where, code in ((VENUE, "bad-signature"), (VENUE, "device-adopted"), ("", "unknown-venue")):
        Alert.objects.create(venue=where, stream=where and "round/S1", code=code, detail="nepojmenovaná", last_at=now)
    Alert.objects.create(venue=VENUE, code="bad-payload", last_at=now, resolved_at=now)
    Quarantine.objects.create(stream=head.stream, epoch=head.epoch, seq=2, reason="bad-event", detail="chybí pole")
    RolledBack.objects.create(venue=VENUE, stream="round/S1", epoch=head.epoch, named=3, stored=9)


def fill() -> None:
    """Fill the empty league of the environment, and print the sessions: ``{"everybody": key, "clerk": key, …}``."""
    from django.conf import settings

    settings.ALLOWED_HOSTS.append("testserver")
    build(Ed25519PrivateKey.from_private_bytes(bytes(range(32))), datetime.now(UTC))
    print(json.dumps(staff()))
