"""Certificates of a venue's devices (RFC 5280): made, read, and what is wrong with one.

A device's certificate is over the very key that signs its records. Its name is ``<venue>.<device>``, and its subject
holds that key beside the name (as ``serialNumber``): a device may be replaced by another of its name, and then a broker
must know which of the two is there, for the certificate of a stolen one counts for ever. Servers are looked for as
``<venue>.tableside.internal``. The league's authority signs it at the enrolment; a device that is adopted on the spot
has one of its own. It never ends, and has always begun: a device without a battery does not know what day it is (RFC
5280 §4.1.2.5). What ends is the right to use it: who is not on a broker's access list may do nothing there.
"""

from __future__ import annotations

import base64
import ipaddress
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from appliance.filebytes import Unreadable, read_bytes

ALWAYS = datetime(1970, 1, 1, tzinfo=UTC)
NEVER = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)

MOST_BYTES = 16 * 1024
MOST_NAME = 64
"""So long is a common name at most (RFC 5280, appendix A.1)."""

_ID = re.compile(r"[a-z0-9-]{1,32}")
_UNUSABLE = (ValueError, TypeError, UnsupportedAlgorithm, x509.DuplicateExtension, x509.InvalidVersion)
"""What certificates raise that are well formed at first sight; `ValueError` is base64's, too."""


class CertificateError(ValueError):
    """What is wrong with a certificate, in words."""


class Authority(NamedTuple):
    """Who signs the devices' certificates: the league."""

    key: Ed25519PrivateKey
    certificate: x509.Certificate


class Withdrawn(NamedTuple):
    """A certificate that no longer counts, by its serial number."""

    serial: int
    at: datetime


def subject(venue: str, device: str) -> str:
    """The name of a device's certificate, and its user name at brokers. Raises `CertificateError`."""
    for name in (venue, device):
        if not _ID.fullmatch(name):
            raise CertificateError(f"{name[:40]!r} is no name of a venue or a device")
    if len(venue) + 1 + len(device) > MOST_NAME:
        raise CertificateError(f"{venue}.{device} is longer than {MOST_NAME} characters")
    return f"{venue}.{device}"


def server_name(venue: str) -> str:
    """What every device of a venue is called where it serves; in no DNS."""
    return f"{venue}.tableside.internal"


def make_authority(key: Ed25519PrivateKey, name: str) -> x509.Certificate:
    """The certificate of an authority for devices, signed by itself."""
    usage = _usage(signs_certificates=True)
    whose = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    building = (
        _building(whose, whose, key.public_key(), key.public_key())
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
    )
    return building.sign(key, None)


def issue(authority: Authority, venue: str, device: str, public: Ed25519PublicKey) -> x509.Certificate:
    """A device's certificate, signed by the authority. Raises `CertificateError` for names that cannot be."""
    return _device(venue, device, public, authority.certificate.subject, authority.key)


def issue_server(authority: Authority, host: str, public: Ed25519PublicKey) -> x509.Certificate:
    """The certificate of the league's broker at ``host``, a DNS name or an address. Raises `CertificateError`.

    Who goes to an address looks for it among the certificate's addresses (RFC 6125 B.2, RFC 2818 3.1).
    """
    try:
        names = [_server(host)]
        whose = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    except ValueError as error:
        raise CertificateError(f"{host[:80]!r}: {error}") from None
    building = _leaf(whose, authority.certificate.subject, public, authority.key.public_key(), names)
    return building.sign(authority.key, None)


def _server(host: str) -> x509.DNSName | x509.IPAddress:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def self_signed(key: Ed25519PrivateKey, venue: str, device: str) -> x509.Certificate:
    """The certificate of a device that no league has enrolled yet. Raises `CertificateError`."""
    return _device(venue, device, key.public_key(), _whose(venue, device, key.public_key()), key)


def revocations(authority: Authority, withdrawn: Iterable[Withdrawn], at: datetime) -> x509.CertificateRevocationList:
    """The list of certificates that no longer count (RFC 5280 §5), as of ``at``.

    It does not end: a broker that got no newer one lets nobody in by it, and an evening would be lost.
    """
    building = (
        x509.CertificateRevocationListBuilder()
        .issuer_name(authority.certificate.subject)
        .last_update(at)
        .next_update(NEVER)
        .add_extension(x509.CRLNumber(int(at.timestamp() * 1000)), critical=False)
        .add_extension(_issued_by(authority.key.public_key()), critical=False)
    )
    for one in withdrawn:
        revoked = x509.RevokedCertificateBuilder().serial_number(one.serial).revocation_date(one.at)
        building = building.add_revoked_certificate(revoked.build())
    return building.sign(authority.key, None)


def check(
    certificate: x509.Certificate,
    venue: str,
    device: str,
    public: Ed25519PublicKey,
    authority: x509.Certificate | None = None,
) -> None:
    """Whether this is the certificate of that device over that key, signed by ``authority``, or by itself without one.

    Raises `CertificateError` with the first thing that is wrong.
    """
    wanted, found = subject(venue, device), common_name(certificate)
    if found != wanted:
        raise CertificateError(f"it is the certificate of {found[:80]!r}, not of {wanted!r}")
    if _public(certificate) != public.public_bytes_raw():
        raise CertificateError(f"the certificate of {wanted} is over another key")
    if certificate.subject != _whose(venue, device, public):
        raise CertificateError(f"the certificate of {wanted} does not hold its key beside the name")
    if server_name(venue) not in _dns_names(certificate):
        raise CertificateError(f"the certificate of {wanted} does not name {server_name(venue)}")
    if certificate.not_valid_before_utc > ALWAYS or certificate.not_valid_after_utc < NEVER:
        raise CertificateError(f"the certificate of {wanted} counts for a time only")
    if _may_sign(certificate):
        raise CertificateError(f"the certificate of {wanted} would sign others")
    signer = certificate if authority is None else authority
    if authority is not None and not _may_sign(authority):
        raise CertificateError("the league's certificate is none of an authority")
    try:
        certificate.verify_directly_issued_by(signer)
    except (*_UNUSABLE, InvalidSignature):
        by = "itself" if authority is None else "the league's authority"
        raise CertificateError(f"the certificate of {wanted} is not signed by {by}") from None


def is_self_signed(certificate: x509.Certificate) -> bool:
    """Whether nobody but its own key stands for it."""
    try:
        certificate.verify_directly_issued_by(certificate)
    except (*_UNUSABLE, InvalidSignature):
        return False
    return True


def common_name(certificate: x509.Certificate) -> str:
    """Whose it is: the only common name in it, else nothing."""
    names = certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    return str(names[0].value) if len(names) == 1 else ""


def read(path: Path) -> x509.Certificate:
    """The certificate in a file (PEM). Raises `CertificateError`."""
    try:
        return _usable(x509.load_pem_x509_certificate(read_bytes(path, MOST_BYTES)))
    except Unreadable as error:
        raise CertificateError(f"{path}: {error}") from None
    except _UNUSABLE:
        raise CertificateError(f"{path}: no certificate in PEM form") from None


def pem(certificate: x509.Certificate) -> bytes:
    """The certificate as files hold it."""
    return certificate.public_bytes(Encoding.PEM)


def to_text(certificate: x509.Certificate) -> str:
    """The certificate as records hold it: DER in base64."""
    return base64.b64encode(certificate.public_bytes(Encoding.DER)).decode()


def from_text(text: str) -> x509.Certificate:
    """The certificate in a record. Raises `CertificateError`."""
    try:
        return _usable(x509.load_der_x509_certificate(base64.b64decode(text, validate=True)))
    except _UNUSABLE:
        raise CertificateError("no certificate in DER form, in base64") from None


# -- inside ----------------------------------------------------------------------------------------------------------


def _usable(certificate: x509.Certificate) -> x509.Certificate:
    """The certificate, once all that is asked of it here could be read: parts are looked at only when they are asked
    for, and anybody may send one. Raises what is in `_UNUSABLE`.
    """
    for name in (certificate.subject, certificate.issuer):
        name.rfc4514_string()
    certificate.public_key()
    for extension in certificate.extensions:
        repr(extension.value)
    if certificate.not_valid_before_utc > certificate.not_valid_after_utc or certificate.serial_number <= 0:
        raise ValueError("no such time, or no number")
    return certificate


def _device(
    venue: str, device: str, public: Ed25519PublicKey, issuer: x509.Name, signer: Ed25519PrivateKey
) -> x509.Certificate:
    whose, names = _whose(venue, device, public), [x509.DNSName(server_name(venue))]
    return _leaf(whose, issuer, public, signer.public_key(), names).sign(signer, None)


def _whose(venue: str, device: str, public: Ed25519PublicKey) -> x509.Name:
    name = x509.NameAttribute(NameOID.COMMON_NAME, subject(venue, device))
    return x509.Name([name, x509.NameAttribute(NameOID.SERIAL_NUMBER, public.public_bytes_raw().hex())])


def _leaf(
    whose: x509.Name,
    issuer: x509.Name,
    public: Ed25519PublicKey,
    signer: Ed25519PublicKey,
    names: Iterable[x509.GeneralName],
) -> x509.CertificateBuilder:
    uses = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
    return (
        _building(whose, issuer, public, signer)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage(uses), critical=False)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
    )


def _building(
    whose: x509.Name, issuer: x509.Name, public: Ed25519PublicKey, signer: Ed25519PublicKey
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(whose)
        .issuer_name(issuer)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(ALWAYS)
        .not_valid_after(NEVER)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
        .add_extension(_issued_by(signer), critical=False)
    )


def _issued_by(signer: Ed25519PublicKey) -> x509.AuthorityKeyIdentifier:
    return x509.AuthorityKeyIdentifier.from_issuer_public_key(signer)


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates, key_cert_sign=signs_certificates, crl_sign=signs_certificates,
        content_commitment=False, key_encipherment=False, data_encipherment=False, key_agreement=False,
        encipher_only=False, decipher_only=False,
    )  # fmt: skip


def _public(certificate: x509.Certificate) -> bytes:
    key = certificate.public_key()
    return key.public_bytes_raw() if isinstance(key, Ed25519PublicKey) else b""


def _dns_names(certificate: x509.Certificate) -> list[str]:
    try:
        found = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    except (x509.ExtensionNotFound, ValueError):
        return []
    return found.value.get_values_for_type(x509.DNSName)


def _may_sign(certificate: x509.Certificate) -> bool:
    try:
        return certificate.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    except (x509.ExtensionNotFound, ValueError):
        return False
