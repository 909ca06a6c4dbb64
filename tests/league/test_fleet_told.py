"""What venues hear of their devices and what the league hears from them: adopted on the spot, dropped, revoked."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.management import call_command
from django.utils import timezone
from msgspec.structs import replace

from appliance import certificates
from appliance import record as rec
from appliance.config import Config
from appliance.config import Device as DeviceConfig
from appliance.game.fleet import DeviceKnown
from appliance.game.roster import Roster, decode_roster_event, fold_roster
from appliance.link import envelope, topics
from appliance.link.envelope import Batch
from appliance.workplace import Workplace
from league.fleet import brokers
from league.fleet.adopting import adopt
from league.fleet.models import FormerKey
from league.fleet.publishing import LOOK_S, FleetTeller, publish_devices, vouch
from league.fleet.revoking import accept, revoke
from league.ingest.desk import Desk, Incoming
from league.ingest.models import Alert, RawRecord, StreamHead
from league.ingest.outbox import Pen
from league.rounds.models import Device, Venue
from tests.league.scribe import Scribe

VENUE = "zabreh"
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))
PUBLIC = KEY.public_key().public_bytes_raw().hex()
OWN = certificates.to_text(certificates.self_signed(KEY, VENUE, "spare"))


@pytest.fixture
def pen() -> Pen:
    return Pen(Ed25519PrivateKey.generate(), lambda: 1_800_000_000_000)


@pytest.fixture
def venue(imported: dict[str, Any], director_key: Ed25519PrivateKey) -> Scribe:
    return Scribe(f"venue/{VENUE}", "director", director_key)


def roster() -> Roster:
    roster = Roster()
    for row in RawRecord.objects.filter(stream=f"league/{VENUE}").order_by("seq"):
        record = rec.decode(bytes(row.raw))
        roster = fold_roster(roster, decode_roster_event(record.type, record.data))
    return roster


def take(*batches: Batch) -> None:
    Desk(lambda: 0.0).receive([Incoming(topics.up(VENUE, "ev"), envelope.encode(batch)) for batch in batches])


def alerts() -> list[tuple[str, str]]:
    return list(Alert.objects.filter(resolved_at=None).order_by("pk").values_list("code", "detail"))


def adoption(**changes: Any) -> dict[str, Any]:
    told = {"device": "spare", "key": PUBLIC, "opening": "ab" * 32, "certificate": OWN, "role": "table", "table": None}
    return told | {"by": "000900", "of a later version": [1]} | changes


def test_a_device_adopted_at_the_venue_is_known_to_the_league_which_tells_the_office_and_the_venue(
    venue: Scribe, pen: Pen
) -> None:
    venue.write("device-adopted/1", adoption())
    take(venue.batch())
    device = Device.objects.get(name="spare")
    assert (device.role, device.adopted_by, device.public_key) == ("table", "000900", PUBLIC)
    assert alerts() == [("device-adopted", "spare: table, by 000900")]
    publish_devices(VENUE, pen)
    known = roster().devices["spare"]
    assert (known.key, known.opening, known.certificate) == (PUBLIC, "ab" * 32, OWN)
    table = Scribe(f"table/{VENUE}-7", "spare", KEY)
    take(table.batch())
    assert StreamHead.objects.filter(stream=table.stream).exists()
    take(venue.batch())  # told again: nothing new
    assert len(alerts()) == 1


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"device": "director"}, "another device of this name"),
        ({"device": "other"}, "its key is that of zabreh/spare"),
        ({"device": "other", "key": "ee" * 32}, "its key was withdrawn"),
    ],
)
def test_an_adoption_against_the_leagues_records_is_refused_and_the_office_told(
    venue: Scribe, changes: dict[str, str], why: str
) -> None:
    Device.objects.create(venue_id=VENUE, name="spare", role="table", public_key=PUBLIC)
    FormerKey.objects.create(venue_id=VENUE, device="x", role="door", public_key="ee" * 32, until=timezone.now())
    if changes["device"] == "director":
        changes = changes | {"key": "dd" * 32}
    venue.write("device-adopted/1", adoption(**changes))
    take(venue.batch())
    assert [code for code, _ in alerts()] == ["adoption-refused"] and why in alerts()[0][1]
    assert Device.objects.count() == 2


@pytest.mark.parametrize("data", [{}, {"device": 3}, {"device": "x", "key": "no"}, b'"x"', b'{"device":"\\u0000"}'])
def test_an_adoption_that_cannot_be_read_stops_nothing(venue: Scribe, data: Any) -> None:
    venue.write("device-adopted/1", data)
    venue.write("device-dropped/1", data)
    take(venue.batch())
    assert StreamHead.objects.get().seq == 3
    assert {code for code, _ in alerts()} == {"bad-adoption"}


STRANGE = [
    "garbage", "AAAA", "x\0y", "é", certificates.to_text(certificates.self_signed(KEY, VENUE, "door")),
    certificates.to_text(certificates.self_signed(Ed25519PrivateKey.generate(), VENUE, "spare")),
    certificates.to_text(certificates.issue(
        certificates.Authority(KEY, certificates.make_authority(KEY, "nobody")), VENUE, "spare", KEY.public_key()
    )),
]  # fmt: skip


@pytest.mark.parametrize("text", STRANGE)
def test_a_certificate_that_is_not_the_adopted_devices_own_is_not_kept_and_harms_no_broker(
    venue: Scribe, pen: Pen, text: str
) -> None:
    venue.write("device-adopted/1", adoption(certificate=text))
    take(venue.batch())
    device = Device.objects.get(name="spare")
    assert (device.certificate, device.public_key) == ("", PUBLIC)
    assert [code for code, _ in alerts()] == ["bad-certificate", "device-adopted"]
    publish_devices(VENUE, pen)
    assert roster().devices["spare"].certificate == ""
    assert PUBLIC not in brokers.mosquitto_acl() + brokers.nats_users()


@pytest.mark.parametrize("text", STRANGE[:2])
def test_a_certificate_in_the_records_that_is_none_gives_nobody_away(imported: dict[str, Any], text: str) -> None:
    Device.objects.create(venue_id=VENUE, name="spare", role="table", public_key=PUBLIC, certificate=text)
    Device.objects.create(venue_id=VENUE, name="door", role="door", public_key="ab" * 32, certificate=STRANGE[-1])
    assert f"serialNumber={'ab' * 32},CN={VENUE}.door" in brokers.mosquitto_acl()
    assert PUBLIC not in brokers.mosquitto_acl() + brokers.nats_users()


def test_a_venue_drops_what_it_adopted_and_nothing_else(venue: Scribe, pen: Pen) -> None:
    venue.write("device-adopted/1", adoption())
    venue.write("device-dropped/1", {"device": "spare", "by": "000900"})
    venue.write("device-dropped/1", {"device": "director", "by": "000900"})
    take(venue.batch())
    publish_devices(VENUE, pen)
    assert roster().revoked_keys == {PUBLIC}
    assert Device.objects.get(name="director").revoked_at is None


def test_the_office_hears_of_a_device_that_was_dropped_after_it_was_enrolled(
    venue: Scribe, capsys: pytest.CaptureFixture[str]
) -> None:
    def listed() -> str:
        call_command("ca", "list", VENUE)
        lines = capsys.readouterr().out.splitlines()
        return next(line for line in lines if line.startswith(f"{VENUE}/spare ")).partition(", opening key")[0]

    venue.write("device-adopted/1", adoption())
    take(venue.batch())
    Device.objects.filter(name="spare").update(adopted_by="", certificate="of the league")
    assert listed().endswith("table enrolled")
    venue.write("device-dropped/1", {"device": "spare", "key": "ab" * 32, "by": "000900"})
    venue.write("device-dropped/1", {"device": "spare", "key": PUBLIC, "by": "000900"})
    take(venue.batch())
    assert [code for code, _ in alerts()] == ["device-adopted", "device-dropped"]
    assert listed().endswith("table enrolled, dropped at the venue: revoke it")
    assert Device.objects.get(name="spare").revoked_at is None, "what the office invited only the office revokes"
    venue.write("device-adopted/1", adoption())
    take(venue.batch())
    assert listed().endswith("table enrolled")


def test_only_differences_are_told(imported: dict[str, Any], pen: Pen, director_key: Ed25519PrivateKey) -> None:
    assert publish_devices(VENUE, pen) == 1
    assert publish_devices(VENUE, pen) == 0
    Device.objects.create(venue_id=VENUE, name="door", role="door", public_key=PUBLIC)
    assert publish_devices(VENUE, pen) == 1
    Device.objects.filter(name="door").update(opening_key="ab" * 32)
    assert publish_devices(VENUE, pen) == 1
    assert roster().devices["door"] == DeviceKnown(device="door", key=PUBLIC, role="door", opening="ab" * 32)


def test_a_key_that_was_exchanged_or_deleted_by_hand_is_revoked_at_the_venue(
    imported: dict[str, Any], pen: Pen, director_key: Ed25519PrivateKey
) -> None:
    Device.objects.create(venue_id=VENUE, name="door", role="door", public_key=PUBLIC)
    publish_devices(VENUE, pen)
    Device.objects.filter(name="director").update(public_key="cd" * 32)
    Device.objects.filter(name="door").delete()
    assert publish_devices(VENUE, pen) == 3
    now = roster()
    assert set(now.devices) == {"director"} and now.devices["director"].key == "cd" * 32
    assert now.revoked_keys == {PUBLIC, director_key.public_key().public_bytes_raw().hex()}
    assert publish_devices(VENUE, pen) == 0


def test_the_ingest_tells_of_what_other_processes_changed(imported: dict[str, Any], pen: Pen) -> None:
    teller = FleetTeller(pen)
    assert teller.turn(0.0) == [VENUE]
    Device.objects.create(venue_id=VENUE, name="door", role="door", public_key=PUBLIC)
    assert teller.turn(LOOK_S / 2) == []
    assert teller.turn(LOOK_S) == [VENUE]
    revoke(Device.objects.get(name="door"), "lost", timezone.now())
    assert teller.turn(2 * LOOK_S) == [VENUE]
    Venue.objects.create(id="brno", name="Brno")
    assert teller.turn(3 * LOOK_S) == []
    assert roster().revoked_keys == {PUBLIC}


def test_what_a_revoked_device_signed_before_stays_and_later_records_are_refused_with_an_alert(
    venue: Scribe,
) -> None:
    venue.write("something-new/1", {})
    take(venue.batch())
    device = Device.objects.get(name="director")
    revoke(device, "stolen", timezone.now())
    venue.write("something-new/1", {})
    take(venue.batch())
    assert RawRecord.objects.count() == 2
    assert [code for code, _ in alerts()] == ["revoked-writer"]
    # somebody who knows when it was stolen takes what it had not sent, so that the evening can go on
    accept(device, timezone.now() + timedelta(hours=1))
    take(venue.batch())
    assert RawRecord.objects.count() == 3
    assert alerts() == []
    accept(device, timezone.now())
    venue.write("something-new/1", {})
    take(venue.batch())
    assert RawRecord.objects.count() == 3


def test_any_kiosk_of_the_venue_takes_over_and_the_uplink_writes_nothing(venue: Scribe) -> None:
    take(venue.batch())
    for name, role, byte in (("door", "door", 7), ("uplink", "uplink", 8)):
        key = Ed25519PrivateKey.from_private_bytes(bytes([byte]) * 32)
        public = key.public_key().public_bytes_raw().hex()
        Device.objects.create(venue_id=VENUE, name=name, role=role, public_key=public)
        take(Scribe(venue.stream, name, key, epoch=f"{byte}-00c0ffee00c0ffee", after=venue.heads[-1]).batch())
    assert list(StreamHead.objects.values_list("epoch_number", flat=True)) == [1, 7]
    assert [code for code, _ in alerts()] == ["unknown-writer"]


def test_records_of_other_streams_adopt_nobody(imported: dict[str, Any], director_key: Ed25519PrivateKey) -> None:
    forged = Scribe("round/R1", "director", director_key)
    forged.write("device-adopted/1", adoption())
    take(forged.batch())
    assert not Device.objects.filter(name="spare").exists()


def test_adopting_reads_leniently(venue: Scribe) -> None:
    venue.write("device-adopted/1", {"device": "spare", "key": PUBLIC})
    told = adopt(VENUE, venue.raws)
    assert [notice.code for notice in told] == ["device-adopted"]
    assert msgspec.json.encode(told[0].detail).decode() == '"spare: table, by ?"'


def test_a_venue_hears_how_far_a_revoked_device_had_signed_so_that_a_new_copy_can_take_it(
    venue: Scribe, pen: Pen, director_key: Ed25519PrivateKey, tmp_path: Path
) -> None:
    venue.write("something-new/1", {})
    take(venue.batch(), Scribe("round/R1", "director", director_key).batch())
    spare = Device.objects.create(venue_id=VENUE, name="spare", role="table", public_key=PUBLIC)
    heir = Scribe(venue.stream, "spare", KEY, epoch="2-00000000000000aa", after=venue.heads[-1])
    take(heir.batch())
    publish_devices(VENUE, pen)
    revoke(Device.objects.get(name="director"), "stolen", timezone.now())
    publish_devices(VENUE, pen)
    told = roster().signed
    assert {of: signed.seq for of, signed in told.items()} == {
        (venue.stream, venue.epoch): 2,
        ("round/R1", venue.epoch): 1,
    }
    place = Workplace(replace(Config(), device=DeviceConfig(data=str(tmp_path))))
    place.know(roster(), ())
    assert place.keyring(venue.stream, "director") is None
    former = place.former(venue.stream, venue.epoch)
    assert former is not None and (former.seq, former.hash) == (2, venue.heads[-1].hash)
    assert place.former(heir.stream, heir.epoch) is None and spare.pk
    director = Device.objects.get(name="director")
    assert not vouch(director, pen)
    accept(director, timezone.now() + timedelta(hours=1))
    venue.write("something-new/1", {})
    take(venue.batch())
    assert vouch(director, pen) and not vouch(director, pen)
    assert roster().signed[venue.stream, venue.epoch].seq == 3
