"""The operator's pages of venues and devices: what they tell, and what is done from them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.urls import reverse
from django.utils import timezone

from appliance import certificates
from appliance.hw.ports import Offline
from appliance.readerwatch import NO_ANSWER
from league.fleet import authority, overview
from league.fleet.models import Enrolment
from league.fleet.templatetags.league_fleet import reader_trouble, role_word
from league.ingest.lasttold import last_of
from league.ingest.models import Alert, Contact
from league.rounds.models import Device, Round, Venue
from league.staff.models import AuditEntry
from league.staff.roles import Role
from tests.league.office import staff_client
from tests.league.office_world import VENUE, build

if TYPE_CHECKING:
    from django.test import Client

LIST = "/en/office/fleet/"
PAGE = f"{LIST}venues/{VENUE}/"


@pytest.fixture
def world(db: None, settings_dir: Path, director_key: Ed25519PrivateKey) -> Iterator[Client]:
    """The world, and its operator."""
    build(director_key, datetime.now(UTC))
    yield staff_client(Role.OPERATOR)


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return " ".join(answer.content.decode().split())


def audited(about: str) -> list[AuditEntry]:
    return list(AuditEntry.objects.filter(about__startswith=about))


def test_the_list_tells_of_each_venue_what_was_heard_and_what_is_wrong(world: Client) -> None:
    Venue.objects.create(id="brno", name="Besední dům")
    page = text(world, LIST)
    assert "Besední dům" in page and "never heard of" in page
    assert "connected" in page and "0.1.0" in page
    assert "unknown-venue" in page, "what no venue can be named for"
    trouble = text(world, LIST + "?show=trouble")
    assert "Sokolovna" in trouble and "Besední dům" not in trouble


def test_a_venue_that_plays_soon_and_is_silent_is_a_task(world: Client) -> None:
    Contact.objects.update(seen_at=timezone.now() - timedelta(hours=25))
    assert "?show=silent" not in text(world, "/en/office/"), "no round is near"
    Round.objects.filter(pk="OPEN").update(starts_at=timezone.now() + timedelta(hours=30))
    assert "?show=silent" in text(world, "/en/office/")
    assert "Sokolovna" in text(world, LIST + "?show=silent")
    Round.objects.filter(pk="OPEN").update(told_starts_at=timezone.now() + timedelta(days=20))
    assert "Sokolovna" not in text(world, LIST + "?show=silent"), "it was moved"


def test_a_venues_page_tells_of_devices_streams_alerts_and_quarantine(world: Client) -> None:
    page = text(world, PAGE)
    for part in (
        "is not plugged in", "too little voltage", "2.3 s", "−12 ms", "unknown to the league", "ukradené", "table-2",
        "bad-signature", "bad-event", "chybí pole", "round/S1", "the venue had 3 of 9 records",
        "2 more devices did not fit",
    ):  # fmt: skip
        assert part in page, part
    assert "je připojeno" in text(world, PAGE.removeprefix("/en"))


def test_P_the_end_of_a_certificate_is_told_where_it_has_one(world: Client, settings_dir: Path) -> None:
    """Those of the league have none: the last day that there is, which no other zone has."""
    key = Ed25519PrivateKey.generate()
    made = certificates.issue(authority.load(settings_dir), VENUE, "door", key.public_key())
    until = datetime(2031, 5, 6, tzinfo=UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "own")])
    ending = x509.CertificateBuilder(name, name, key.public_key(), 1, until - timedelta(days=9), until).sign(key, None)
    for device, certificate in (("door", made), ("table-1", ending)):
        Device.objects.filter(name=device).update(certificate=certificates.to_text(certificate))
    Device.objects.filter(name="lost").update(certificate="rubbish")
    rows = {row.name: row for row in overview.devices(VENUE, timezone.now())}
    assert {name: rows[name].certified_until for name in ("door", "table-1", "lost")} == {
        "door": None, "table-1": until, "lost": None,
    }  # fmt: skip
    page = text(world, PAGE)
    assert "enrolled" in page and "until 6 May 2031" in page


def test_what_ails_in_words_of_a_newer_version_is_shown_as_it_is(world: Client) -> None:
    from appliance.link.envelope import DeviceState, ReaderSaid, State
    from league.fleet import standing

    newer = DeviceState("door", 0, True, "door", "<b>9", 2**53, (ReaderSaid("<i>", "on-fire"),), "fusion", None)
    standing.keep({VENUE: State("uplink", True, devices=(newer,))})
    page = text(world, PAGE)
    assert "on-fire" in page and "fusion" in page and "&lt;i&gt;" in page and "<i>" not in page and "<b>9" not in page


def test_an_alert_is_resolved_with_a_reason_that_is_audited(world: Client) -> None:
    alert = Alert.objects.get(code="bad-signature")
    address = reverse("office:fleet-resolve", args=[alert.pk])
    assert world.post(address, {"reason": ""}).status_code == 200
    alert.refresh_from_db()
    assert alert.resolved_at is None
    assert world.post(address, {"reason": "vyměněný disk"}).status_code == 302
    alert.refresh_from_db()
    assert alert.resolved_at is not None
    world.post(address, {"reason": "ještě jednou"})
    (entry,) = audited("alert resolved: zabreh round/S1 bad-signature")
    assert entry.reason == "vyměněný disk"
    assert world.get(address).status_code == 302


def test_a_message_goes_to_one_venue_or_all_and_is_taken_back(world: Client) -> None:
    from appliance.game.roster import Notice

    Venue.objects.create(id="brno", name="Besední dům")
    assert "Say something" in world.post(f"{PAGE}message/", {"text_cs": " "}).content.decode()
    day = (timezone.localdate() + timedelta(days=2)).isoformat()
    said = {"text_cs": "Zítra se nehraje.", "text_en": "No play.", "day": day, "time": "12:00"}
    assert world.post(f"{PAGE}message/", said).status_code == 302
    told = last_of(VENUE, "notice/1", Notice)
    assert told is not None and told.text("en") == "No play." and told.until is not None
    assert last_of("brno", "notice/1", Notice) is None
    assert "Zítra se nehraje." in text(world, PAGE)
    world.post(f"{LIST}message/", {"text_cs": "Všem."})
    for venue in (VENUE, "brno"):
        all_told = last_of(venue, "notice/1", Notice)
        assert all_told is not None and all_told.text_cs == "Všem."
    world.post(f"{PAGE}message/", {"withdraw": "1"})
    taken = last_of(VENUE, "notice/1", Notice)
    assert taken is not None and not taken.text("cs") and "no message" in text(world, PAGE)
    assert [entry.about for entry in audited("message to venues: ")] == [
        "message to venues: *",
        f"message to venues: {VENUE}",
    ]
    assert audited("message to venues withdrawn")


@pytest.mark.parametrize(
    "wrong",
    [
        {"day": "2020-01-01", "time": "10:00"}, {"time": "10:00"}, {"day": "2199-01-01"}, {"text_cs": "x" * 2001},
        {"text_cs": "a\x07b"}, {"text_cs": "Dnes \u202ev osm"}, {"text_en": "\u2067 at eight"},
        {"day": "9999-12-31", "time": "23:59"}, {"day": "2350-01-01", "time": "10:00"},
    ],
)  # fmt: skip
def test_a_message_that_cannot_be_is_not_told(world: Client, wrong: dict[str, str]) -> None:
    from appliance.game.roster import Notice

    before = last_of(VENUE, "notice/1", Notice)
    answer = world.post(f"{PAGE}message/", {"text_cs": "Ahoj"} | wrong)
    assert answer.status_code == 200 and b'class="errors"' in answer.content
    assert last_of(VENUE, "notice/1", Notice) == before


def test_a_device_is_invited_by_a_code_that_is_shown_once(world: Client, settings_dir: Path) -> None:
    given = {"device": "table-9", "role": "table", "table": "9"}
    (settings_dir / authority.KEY).unlink()
    assert "has no authority" in world.post(f"{PAGE}invite/", given).content.decode()
    assert not Enrolment.objects.filter(device="table-9").exists()
    authority.make(settings_dir, "Liga")
    page = world.post(f"{PAGE}invite/", given).content.decode()
    made = Enrolment.objects.get(device="table-9")
    assert made.invitation in page and "tableside enrol --league" in page
    assert audited(f"device invited: {VENUE}/table-9")
    for wrong in ({"device": "Table 9"}, {"role": "door"}, {"table": "100"}, {"role": "chief"}):
        assert b'class="errors"' in world.post(f"{PAGE}invite/", given | wrong).content, wrong


def test_a_device_is_revoked_with_a_reason_and_its_last_records_taken_for_a_while(world: Client) -> None:
    revoke, accept = f"{PAGE}devices/door/revoke/", f"{PAGE}devices/door/accept/"
    assert world.get(accept).status_code == 404, "it is not revoked"
    assert world.post(revoke, {"reason": " "}).status_code == 200
    assert Device.objects.get(name="door").revoked_at is None
    assert world.post(revoke, {"reason": "zmizelo"}).status_code == 302
    door = Device.objects.get(name="door")
    assert door.revoked_at is not None and door.revoked_reason == "zmizelo"
    assert [entry.reason for entry in audited(f"device revoked: {VENUE}/door")] == ["zmizelo"]
    from league.fleet.publishing import told

    assert door.public_key in told(VENUE).revoked_keys, "the venue is told at once"
    week = timezone.localtime(timezone.now() + timedelta(days=8))
    late = {"day": week.date().isoformat(), "time": "10:00"}
    assert "At most 7 days" in world.post(accept, late).content.decode()
    soon = timezone.localtime(timezone.now() + timedelta(days=2))
    assert world.post(accept, {"day": soon.date().isoformat(), "time": "10:00"}).status_code == 302
    door.refresh_from_db()
    assert door.accepted_until is not None and timezone.localtime(door.accepted_until).date() == soon.date()
    assert "its last records are taken until" in text(world, PAGE)
    assert audited("last records of a revoked device taken")


def test_a_thousand_venues_are_told_in_a_few_questions(world: Client) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    Venue.objects.bulk_create(Venue(id=f"v{n}", name=f"Herna {n:04}") for n in range(1000))
    now = timezone.now()
    Contact.objects.bulk_create(
        Contact(venue_id=f"v{n}", seen_at=now, heads={f"round/X{n} 1-00000000000000aa": n}) for n in range(1000)
    )
    with CaptureQueriesContext(connection) as asked:
        page = text(world, LIST)
    assert "Herna 0049" in page and "Herna 0050" not in page and "page=2" in page
    assert len(asked) < 40


@pytest.mark.parametrize("asked", ["zabreh", "SOKOL", "zábřeh sokolovna", "sokolovná"])
def test_a_venue_is_found_by_name_town_or_code_whatever_the_accents(world: Client, asked: str) -> None:
    Venue.objects.create(id="brno", name="Besední dům", town="Brno")
    page = text(world, f"{LIST}?q={asked}")
    assert 'id="venue-zabreh"' in page and 'id="venue-brno"' not in page
    assert "?show=trouble&amp;q=" in page and f'value="{asked}"' in page
    assert 'id="venue-zabreh"' in text(world, f"{LIST}?show=trouble&q={asked}")


def test_a_search_for_what_no_venue_is_called_finds_none_and_breaks_nothing(world: Client) -> None:
    for asked in ("nikde", "zabreh brno", "%25", "\u202e" * 80, '"><script>'):
        answer = world.get(LIST, {"q": asked})
        page = answer.content.decode()
        assert answer.status_code == 200 and 'id="venue-' not in page and "<script>" not in page
        assert "There is no such venue." in page
    Venue.objects.bulk_create(Venue(id=f"v{n}", name=f"Herna {n:04}") for n in range(120))
    page = text(world, f"{LIST}?q=herna")
    assert "Herna 0049" in page and "Herna 0050" not in page and "q=herna&amp;page=2" in page


def test_the_uplink_is_among_a_venues_devices(world: Client) -> None:
    found = {row.name: row for row in overview.devices(VENUE, timezone.now())}
    said = found["uplink"].said
    assert said is not None and said.online and said.software == "0.1.0" and found["uplink"].state == "uplink"
    assert "carries the venue's records" in unescape(text(world, PAGE))
    Contact.objects.update(online=False)
    Device.objects.create(venue_id=VENUE, name="link", role="uplink", public_key="f" * 64)
    found = {row.name: row for row in overview.devices(VENUE, timezone.now())}
    said = found["link"].said
    assert "uplink" not in found and said is not None and not said.online and found["link"].state == "key"


def test_devices_that_the_league_does_not_know_have_their_roles_in_words(world: Client) -> None:
    czech, english = text(world, PAGE.removeprefix("/en")), text(world, PAGE)
    row = english.partition('<strong class="mono">guest</strong>')[2].partition("</td>")[0]
    assert ">clock<" in row
    row = czech.partition('<strong class="mono">guest</strong>')[2].partition("</td>")[0]
    assert ">hodiny<" in row
    assert role_word("from-tomorrow") == "from-tomorrow"


def test_an_auditor_looks_and_is_offered_nothing_to_do(world: Client) -> None:
    auditor = staff_client(Role.AUDITOR)
    for address in (LIST, PAGE):
        page = text(auditor, address)
        assert "/resolve/" not in page and "/revoke/" not in page and "/message/" not in page
    alert = Alert.objects.filter(resolved_at=None)[0]
    for address in (
        f"{PAGE}message/", f"{PAGE}invite/", f"{PAGE}devices/door/revoke/", f"{LIST}message/",
        reverse("office:fleet-resolve", args=[alert.pk]),
    ):  # fmt: skip
        assert auditor.get(address).status_code == 403
        assert auditor.post(address, {"reason": "x"}).status_code == 403
    for role in (Role.CLERK, Role.COMMISSIONER):
        assert staff_client(role).get(LIST).status_code == 403


def test_what_is_not_there_is_not_found(world: Client) -> None:
    for address in (f"{LIST}venues/nowhere/", f"{PAGE}devices/nobody/revoke/", f"{LIST}alerts/999999/resolve/"):
        assert world.get(address).status_code == 404
    assert text(world, LIST + "?show=nothing&page=99999")


def test_each_code_that_a_reader_sends_has_its_words() -> None:
    for code in (*(each.value for each in Offline), NO_ANSWER):
        assert reader_trouble(code) != code
