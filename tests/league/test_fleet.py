"""Devices at the league: invited with a code, enrolled once, told to their venue, revoked for good."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from django.utils.translation import override
from msgspec.structs import replace

from appliance import certificates, enrolment
from appliance import record as rec
from appliance.enrolment import Answer, Code, Request
from appliance.game.fleet import DeviceKnown
from appliance.game.roster import Roster, decode_roster_event, fold_roster
from league import home
from league.fleet import authority
from league.fleet.models import Enrolment
from league.ingest.models import RawRecord
from league.rounds.models import Device

OPENING = bytes(range(32))


@pytest.fixture(autouse=True)
def folder(settings_dir: Path) -> Path:
    """A data directory with an authority in it."""
    authority.make(settings_dir, "Test league", {})
    return settings_dir


@pytest.fixture
def invite(imported: dict[str, Any]) -> Callable[..., Code]:
    """Have the office invite a device; its code."""

    def run(device: str = "table-3", role: str = "table", *more: str) -> Code:
        return enrolment.read_code(call("invite", "zabreh", device, "--role", role, *more).strip())

    return run


def call(*arguments: str) -> str:
    out = StringIO()
    call_command("ca", *arguments, stdout=out)
    return out.getvalue()


def post(request: Request | bytes) -> tuple[int, bytes]:
    body = request if isinstance(request, bytes) else msgspec.json.encode(request)
    answer = Client().post("/enrol", body, content_type="application/json")
    return answer.status_code, answer.content


def enrol(code: Code, key: Ed25519PrivateKey) -> Answer:
    request = enrolment.ask(code, key, OPENING, bytes(16))
    status, body = post(request)
    assert status == 200, body
    return enrolment.read_answer(body, request, code)


def refused(code: Code, key: Ed25519PrivateKey | None = None) -> str:
    status, body = post(enrolment.ask(code, key or Ed25519PrivateKey.generate(), OPENING, bytes(16)))
    told = json.loads(body)
    assert status >= 400 and set(told) == {"error", "message"}
    return str(told["error"])


def roster(venue: str = "zabreh") -> Roster:
    """What the venue knows by the league's stream."""
    roster = Roster()
    for row in RawRecord.objects.filter(stream=f"league/{venue}").order_by("seq"):
        record = rec.decode(bytes(row.raw))
        roster = fold_roster(roster, decode_roster_event(record.type, record.data))
    return roster


def events() -> int:
    return RawRecord.objects.filter(stream="league/zabreh", type="device/1").count()


def test_a_device_with_a_code_gets_its_certificate_and_its_venue_hears_of_it(
    invite: Callable[..., Code], folder: Path
) -> None:
    key = Ed25519PrivateKey.generate()
    answer = enrol(invite("table-3", "table", "--table", "3"), key)
    own = authority.load(folder, {}).certificate
    certificates.check(certificates.from_text(answer.certificate), "zabreh", "table-3", key.public_key(), own)
    assert (answer.venue, answer.device, answer.role, answer.table) == ("zabreh", "table-3", "table", 3)
    assert answer.public_key == home.public_key(folder)
    public = key.public_key().public_bytes_raw().hex()
    known = DeviceKnown(device="table-3", key=public, role="table", table=3, opening=OPENING.hex())
    assert roster().devices["table-3"] == known


def test_a_lost_answer_is_got_again_by_the_same_device_and_by_no_other(invite: Callable[..., Code]) -> None:
    code, key = invite(), Ed25519PrivateKey.generate()
    assert enrol(code, key).certificate == enrol(code, key).certificate
    assert refused(code) == "invitation-used"
    assert Device.objects.filter(name="table-3").count() == 1
    assert roster().devices["table-3"].key == key.public_key().public_bytes_raw().hex()


def test_five_wrong_codes_end_an_invitation_for_the_right_one_too(invite: Callable[..., Code]) -> None:
    code = invite()
    wrong = code._replace(secret=code.secret[::-1])
    assert [refused(wrong) for _ in range(6)] == ["wrong-code"] * 4 + ["too-many-tries"] * 2
    assert refused(code) == "too-many-tries"
    assert not Device.objects.filter(name="table-3").exists()


def test_a_code_ends_after_24_hours_and_by_the_next_one(invite: Callable[..., Code]) -> None:
    first, second = invite(), invite()
    assert refused(first) == "invitation-ended"
    Enrolment.objects.update(ends_at=timezone.now() - timedelta(seconds=1))
    assert refused(second) == "invitation-ended"
    assert refused(enrolment.new_code()) == "unknown-invitation"


def test_the_league_keeps_no_code(invite: Callable[..., Code], capsys: pytest.CaptureFixture[str]) -> None:
    code = invite()
    row = json.dumps(list(Enrolment.objects.values()), default=str)
    assert code.secret not in row and code.secret.lower() not in row
    assert Enrolment.objects.get().ends_at - Enrolment.objects.get().invited_at == timedelta(hours=24)


def test_who_has_the_code_and_not_the_key_is_refused(invite: Callable[..., Code]) -> None:
    code = invite()
    request = enrolment.ask(code, Ed25519PrivateKey.generate(), OPENING, bytes(16))
    assert post(replace(request, proof="0" * 128))[0] == 400
    assert not Device.objects.filter(name="table-3").exists()


@pytest.mark.parametrize(
    "body", [b"", b"{}", b"[" * 9000, b"\xff\x00", b'{"invitation":"\\u0000"}'], ids=["", "{}", "[[[", "bytes", "NUL"]
)
def test_garbage_is_no_request(imported: dict[str, Any], body: bytes) -> None:
    assert post(body)[0] == 400


def test_a_request_larger_than_any_is_not_read(imported: dict[str, Any]) -> None:
    assert post(b" " * (enrolment.MAX_BYTES + 1))[0] == 413
    assert Client().get("/enrol").status_code == 405


def test_a_name_is_given_to_another_device_only_where_the_office_says_so(invite: Callable[..., Code]) -> None:
    first, second = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()
    enrol(invite(), first)
    with pytest.raises(CommandError, match="--replace"):
        invite()
    enrol(invite("table-3", "table", "--replace"), second)
    now = roster()
    assert now.devices["table-3"].key == second.public_key().public_bytes_raw().hex()
    assert now.revoked_keys == {first.public_key().public_bytes_raw().hex()}
    assert refused(invite("table-4"), first) == "key-withdrawn"
    assert refused(invite("table-5"), second) == "key-in-use"


def test_a_device_known_by_its_key_is_enrolled_with_it_and_keeps_its_records(
    invite: Callable[..., Code], director_key: Ed25519PrivateKey
) -> None:
    assert refused(invite("director", "director")) == "name-taken"
    enrol(invite("director", "director"), director_key)
    assert Device.objects.get(name="director").certificate
    assert roster().revoked_keys == frozenset()


def test_a_revoked_device_is_told_and_stays_revoked(invite: Callable[..., Code], folder: Path) -> None:
    key = Ed25519PrivateKey.generate()
    made = certificates.from_text(enrol(invite(), key).certificate)
    call("revoke", "zabreh", "table-3", "--reason", "stolen from the car")
    assert "table-3" not in roster().devices
    assert roster().revoked_keys == {key.public_key().public_bytes_raw().hex()}
    count = events()
    call("revoke", "zabreh", "table-3", "--reason", "again")
    assert events() == count
    assert "revoked" in call("list") and "stolen from the car" in call("list", "zabreh")
    crl = x509.load_pem_x509_crl(call("crl").encode())
    assert crl.get_revoked_certificate_by_serial_number(made.serial_number) is not None
    assert crl.is_signature_valid(authority.load(folder, {}).key.public_key())
    assert refused(invite("table-3", "table"), key) == "key-withdrawn"
    device = Device.objects.get(name="table-3")
    device.revoked_at = None
    with override("en"), pytest.raises(ValidationError, match="stays revoked"):
        device.full_clean()


def test_the_broker_lets_devices_of_a_venue_do_what_is_theirs(invite: Callable[..., Code]) -> None:
    enrol(invite("uplink", "uplink"), Ed25519PrivateKey.generate())
    enrol(invite("table-3", "table"), Ed25519PrivateKey.generate())
    call("revoke", "zabreh", "table-3", "--reason", "lost")
    key = Device.objects.get(name="uplink").public_key
    assert call("broker-acl").splitlines()[1:] == [
        "user ingest",
        "topic readwrite ts/1/#",
        "",
        f"user serialNumber={key},CN=zabreh.uplink",
        "topic readwrite ts/1/zabreh/up/7/#",
        "topic read ts/1/zabreh/dn/#",
    ]
    assert f'"CN=zabreh.uplink,SERIALNUMBER={key}"' in call("broker-acl", "--nats")


def test_an_authority_is_made_once_and_its_key_sealed_where_a_passphrase_is_set(
    imported: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    with pytest.raises(CommandError, match="never overwritten"):
        call("init")
    sealed = {authority.VARIABLE: "correct horse"}
    tmp_path = tmp_path_factory.mktemp("sealed")
    made = authority.make(tmp_path, "x", sealed)
    assert b"ENCRYPTED" in (tmp_path / authority.KEY).read_bytes()
    assert (tmp_path / authority.KEY).stat().st_mode & 0o777 == 0o600
    assert authority.load(tmp_path, sealed).certificate == made.certificate
    for environ, why in (({}, "is sealed"), ({authority.VARIABLE: "wrong"}, "another passphrase")):
        with pytest.raises(authority.AuthorityError, match=why):
            authority.load(tmp_path, environ)
    (tmp_path / authority.KEY).write_text("nonsense")
    with pytest.raises(authority.AuthorityError, match="no private key"):
        authority.load(tmp_path, {})
    (tmp_path / authority.KEY).unlink()
    with pytest.raises(authority.AuthorityError, match="ca init"):
        authority.load(tmp_path, {})


def test_without_an_authority_nobody_is_invited_or_enrolled(invite: Callable[..., Code], folder: Path) -> None:
    code = invite()
    (folder / authority.KEY).unlink()
    assert refused(code) == "no-authority"
    with pytest.raises(CommandError, match="ca init"):
        call("invite", "zabreh", "table-9", "--role", "table")
    for wrong in (["nowhere", "x", "--role", "door"], ["zabreh", "X!", "--role", "door"]):
        with pytest.raises(CommandError):
            call("invite", *wrong)


def test_the_command_tells_every_time_with_its_zone_and_lists_what_is_still_taken(invite: Callable[..., Code]) -> None:
    code = invite()
    moment = r"\d{4}-\d\d-\d\dT\d\d:\d\d\+0[12]:00"  # Prague's, in winter and summer
    assert re.search(rf"invited \(.*\), until {moment}\n", call("list"))
    enrol(code, Ed25519PrivateKey.generate())
    call("revoke", "zabreh", "table-3", "--reason", "lost")
    assert re.search(rf"revoked {moment}: lost(, opening key \w+)?\n", call("list"))
    told = re.search(rf"is taken until ({moment})\n", call("accept", "zabreh", "table-3", "--hours", "1"))
    assert told is not None
    assert f": lost, taken until {told[1]}" in call("list")
    Device.objects.update(accepted_until=timezone.now() - timedelta(seconds=1))
    assert "taken until" not in call("list")
