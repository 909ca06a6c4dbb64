"""Certificates of devices: what is made is found good here and by openssl, what is not the device's is named."""

import base64
import random
import ssl
import subprocess
from datetime import UTC, datetime

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID

from appliance import certificates
from appliance.certificates import Authority, CertificateError, Withdrawn

VENUE, DEVICE = "zabreh", "table-3"


@pytest.fixture(scope="module")
def authority():
    key = Ed25519PrivateKey.generate()
    return Authority(key, certificates.make_authority(key, "Tableside league"))


@pytest.fixture(scope="module")
def key():
    return Ed25519PrivateKey.generate()


@pytest.fixture(scope="module")
def issued(authority, key):
    return certificates.issue(authority, VENUE, DEVICE, key.public_key())


def test_a_certificate_names_device_and_venue_and_has_no_time(authority, issued, key):
    certificates.check(issued, VENUE, DEVICE, key.public_key(), authority.certificate)
    assert certificates.common_name(issued) == "zabreh.table-3"
    [beside] = issued.subject.get_attributes_for_oid(NameOID.SERIAL_NUMBER)
    assert beside.value == key.public_key().public_bytes_raw().hex(), (
        "a name may pass to another device, with another key"
    )
    names = issued.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["zabreh.tableside.internal"]
    assert issued.not_valid_before_utc.year == 1970
    assert issued.not_valid_after_utc == datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)  # RFC 5280 4.1.2.5


def test_openssl_finds_it_good_and_a_foreign_one_not(authority, issued, key, tmp_path):
    files = {"ca": authority.certificate, "good": issued, "own": certificates.self_signed(key, VENUE, DEVICE)}
    for name, made in files.items():
        (tmp_path / name).write_bytes(certificates.pem(made))

    def verify(*arguments):
        done = subprocess.run(["openssl", "verify", *arguments], cwd=tmp_path, capture_output=True, text=True)
        return done.returncode == 0

    assert verify("-x509_strict", "-CAfile", "ca", "-purpose", "sslclient", "good")
    assert verify("-x509_strict", "-CAfile", "ca", "-purpose", "sslserver", "good")
    assert not verify("-CAfile", "ca", "own")
    assert verify("-CAfile", "own", "-purpose", "sslclient", "own")


def test_what_is_wrong_with_a_certificate_is_said(authority, issued, key):
    other = Ed25519PrivateKey.generate()
    stranger = Authority(other, certificates.make_authority(other, "Tableside league"))

    def why(made, venue=VENUE, device=DEVICE, over=key, by=authority.certificate):
        with pytest.raises(CertificateError) as caught:
            certificates.check(made, venue, device, over.public_key(), by)
        return str(caught.value)

    assert "not of 'zabreh.table-4'" in why(issued, device="table-4")
    assert "not of 'brno.table-3'" in why(issued, venue="brno")
    assert "another key" in why(issued, over=other)
    foreign = certificates.issue(stranger, VENUE, DEVICE, key.public_key())
    assert "not signed by the league's authority" in why(foreign)
    assert "not signed by the league's authority" in why(certificates.self_signed(key, VENUE, DEVICE))
    assert "not signed by itself" in why(issued, by=None)
    assert "none of an authority" in why(foreign, by=issued)


def test_a_device_that_is_not_enrolled_has_a_certificate_of_its_own(key, issued):
    own = certificates.self_signed(key, VENUE, DEVICE)
    certificates.check(own, VENUE, DEVICE, key.public_key())
    assert certificates.is_self_signed(own) and not certificates.is_self_signed(issued)
    assert certificates.from_text(certificates.to_text(own)) == own


@pytest.mark.parametrize(
    ("venue", "device"), [("a" * 32, "b" * 32), ("", "x"), ("Brno", "x"), ("brno", "x.y"), ("brno", "x" * 33)]
)
def test_names_that_cannot_stand_in_a_certificate_are_refused(key, venue, device):
    with pytest.raises(CertificateError):
        certificates.self_signed(key, venue, device)


@pytest.mark.parametrize("text", ["", "!!!", "AAAA", "MIIB" * 900])
def test_bytes_that_are_no_certificate_are_said_to_be_none(text, tmp_path):
    with pytest.raises(CertificateError):
        certificates.from_text(text)
    file = tmp_path / "device.crt"
    file.write_text(text)
    with pytest.raises(CertificateError, match=r"device\.crt"):
        certificates.read(file)
    with pytest.raises(CertificateError, match="No such file"):
        certificates.read(tmp_path / "none")


def crafted(key):
    """Certificates that parse, and hold what cannot be used: bytes that anybody may send."""
    der = certificates.self_signed(key, VENUE, DEVICE).public_bytes(Encoding.DER)
    ed25519, public = bytes.fromhex("06032b6570"), key.public_key().public_bytes_raw()
    over_it = bytes.fromhex("032100") + public
    usage, names = bytes.fromhex("0603551d25"), bytes.fromhex("0603551d11")
    return {
        "a key of an unknown kind": der.replace(ed25519 + over_it, bytes.fromhex("06032b6544") + over_it),
        "a key that is too short": der.replace(ed25519 + over_it, bytes.fromhex("06032b6571") + over_it),
        "an extension twice": der.replace(usage, names),
        "an unknown signature": der.replace(ed25519, bytes.fromhex("06032b6544")),
        "another version": der.replace(bytes.fromhex("a003020102"), bytes.fromhex("a003020142")),
        "letters that are none": der.replace(b"zabreh.table-3", b"zabreh.table-\xff"),
    }


KINDS = (
    "a key of an unknown kind", "a key that is too short", "an extension twice", "an unknown signature",
    "another version", "letters that are none",
)  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_a_certificate_that_cannot_be_used_is_refused_and_nothing_else_is_raised(key, kind, tmp_path):
    made = crafted(key)[kind]
    assert made != certificates.self_signed(key, VENUE, DEVICE).public_bytes(Encoding.DER)
    with pytest.raises(CertificateError):
        read = certificates.from_text(base64.b64encode(made).decode())
        certificates.check(read, VENUE, DEVICE, key.public_key())
    (tmp_path / "device.crt").write_text(ssl.DER_cert_to_PEM_cert(made))
    with pytest.raises(CertificateError):
        certificates.check(certificates.read(tmp_path / "device.crt"), VENUE, DEVICE, key.public_key())


def test_no_byte_of_a_certificate_that_is_changed_raises_anything_else(key):
    good = certificates.self_signed(key, VENUE, DEVICE).public_bytes(Encoding.DER)
    chance = random.Random(7)
    for at in chance.sample(range(len(good)), 300):
        changed = good[:at] + bytes([chance.randrange(256)]) + good[at + 1 :]
        try:
            read = certificates.from_text(base64.b64encode(changed).decode())
            certificates.is_self_signed(read)
            certificates.common_name(read)
            certificates.check(read, VENUE, DEVICE, key.public_key())
        except CertificateError:
            continue


def test_a_list_of_revocations_names_what_was_withdrawn_and_does_not_end(authority, issued):
    at = datetime(2027, 1, 15, tzinfo=UTC)
    listed = certificates.revocations(authority, [Withdrawn(issued.serial_number, at)], at)
    assert listed.is_signature_valid(authority.key.public_key())
    found = listed.get_revoked_certificate_by_serial_number(issued.serial_number)
    assert found is not None and found.revocation_date_utc == at
    assert listed.next_update_utc is not None and listed.next_update_utc.year == 9999


@pytest.mark.parametrize("host", ["10.77.0.1", "fd00::1"])
def test_the_certificate_of_a_server_that_is_reached_by_an_address_bears_it_as_one(authority, key, host):
    made = certificates.issue_server(authority, host, key.public_key())
    names = made.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert list(map(str, names.get_values_for_type(x509.IPAddress))) == [host]
    assert names.get_values_for_type(x509.DNSName) == []


def test_the_certificate_of_a_server_bears_its_host(authority, key):
    made = certificates.issue_server(authority, "liga.example.cz", key.public_key())
    names = made.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["liga.example.cz"]
    with pytest.raises(CertificateError):
        certificates.issue_server(authority, "a" * 65, key.public_key())
