"""TLS in a venue: its devices know each other by their certificates, at whatever address they are (DESIGN §5).

    endpoint = lan_endpoint(place, "10.0.0.7")      # a director that was found there
    link.move(endpoint)

A device shows its own certificate, and speaks only to a broker that shows one of its venue, over the key of a device
that belongs there now. No certificate ends and none is looked at for its time (`appliance.certificates`): a device
without a battery does not know what day it is.
"""

from __future__ import annotations

import contextlib
import logging
import os
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding

from appliance import certificates
from appliance.certificates import CertificateError
from appliance.config import Config
from appliance.filebytes import Unusable
from appliance.identity import AUTHORITY, CERTIFICATE, public_key
from appliance.link.client import Endpoint
from appliance.members import Members

_NO_CHECK_TIME = ssl.VerifyFlags(0x200000)  # X509_V_FLAG_NO_CHECK_TIME (openssl/x509_vfy.h)
_log = logging.getLogger(__name__)


class Place(Protocol):
    """A device: what it is told, its folder, its key, and who belongs to its venue now (`appliance.workplace`)."""

    @property
    def config(self) -> Config: ...
    @property
    def data(self) -> Path: ...
    @property
    def key(self) -> Ed25519PrivateKey: ...
    @property
    def members(self) -> Members: ...


def lan_endpoint(place: Place, host: str) -> Endpoint:
    """The broker of a director that was found at ``host``. Raises `Unusable` if this device has no good certificate."""
    lan = place.config.lan
    return Endpoint(host, lan.port, tls=client_context(place) if lan.secure else None)


def client_context(place: Place) -> ssl.SSLContext:
    """What a device of the venue shows and whom it believes. Raises `Unusable`.

    Whose own certificate it trusts is fixed now; whose key it takes is asked at each connection.
    """
    own_certificate(place)
    context = _VenueContext(ssl.PROTOCOL_TLS_CLIENT)
    context.server = certificates.server_name(place.config.venue.id)
    context.knows = lambda key: key != "" and any(member.key == key for member in place.members.values())
    context.sslsocket_class = _Line
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.hostname_checks_common_name = False
    context.verify_flags |= _NO_CHECK_TIME
    context.load_cert_chain(place.data / CERTIFICATE, place.data / "device.key")
    if (place.data / AUTHORITY).exists():
        context.load_verify_locations(cafile=place.data / AUTHORITY)
    own = trusted_alone(place.config.venue.id, place.members)
    if own:
        context.load_verify_locations(cadata=b"".join(one.public_bytes(Encoding.DER) for one in own.values()))
    return context


def own_certificate(place: Place) -> Path:
    """The file of this device's certificate; made and signed by itself if no league has given it one yet.

    Raises `Unusable` for one of another device, key or authority, which nobody would take.
    """
    venue, device, file = place.config.venue.id, place.config.device.name, place.data / CERTIFICATE
    try:
        if not file.exists():
            _write_first(file, certificates.pem(certificates.self_signed(place.key, venue, device)))
        check_certificate(place.data, venue, device, place.key.public_key())
    except CertificateError as error:
        raise Unusable(f"{file}: {error}") from None
    except OSError as error:
        raise Unusable(f"{file}: {error.strerror}") from None
    return file


def check_certificate(folder: Path, venue: str, device: str, public: Ed25519PublicKey) -> None:
    """Whether the certificate in a data folder is this device's. Raises `CertificateError`."""
    found = certificates.read(folder / CERTIFICATE)
    authority = None if certificates.is_self_signed(found) else certificates.read(folder / AUTHORITY)
    certificates.check(found, venue, device, public, authority)


def trusted_alone(venue: str, members: Members) -> dict[str, x509.Certificate]:
    """The certificates of those members that have one of their own, by name; those that are none are left out."""
    found = {}
    for member in members.values():
        if member.certificate:
            try:
                one = certificates.from_text(member.certificate)
                certificates.check(one, venue, member.name, public_key(member.key))
            except (CertificateError, ValueError) as error:
                _log.warning("the certificate of %s does not count: %s", member.name, error)
            else:
                found[member.name] = one
    return found


class _VenueContext(ssl.SSLContext):
    """Looks for the venue's name in the certificate of a server, whatever address was dialled."""

    server: str
    knows: Callable[[str], bool]

    def wrap_socket(self, *args: Any, **options: Any) -> ssl.SSLSocket:
        return super().wrap_socket(*args, **{**options, "server_hostname": self.server})


class _Line(ssl.SSLSocket):
    """A connection that ends right after the handshake if the other side's key is not one of the venue's."""

    def do_handshake(self, block: bool = False) -> None:
        super().do_handshake(block)
        context, shown = self.context, self.getpeercert(binary_form=True)
        if not isinstance(context, _VenueContext) or shown is None or not context.knows(_key(shown)):
            raise ssl.SSLCertVerificationError("the broker's key is of no device that belongs to this venue")


def _key(certificate: bytes) -> str:
    key = x509.load_der_x509_certificate(certificate).public_key()
    return key.public_bytes_raw().hex() if isinstance(key, Ed25519PublicKey) else ""


def _write_first(file: Path, data: bytes) -> None:
    """Write a file unless another program of this device has just done so: there is one such certificate."""
    partial = file.with_name(f"{file.name}.{os.getpid()}")
    with partial.open("wb") as out:
        out.write(data)
        out.flush()
        os.fsync(out.fileno())
    try:
        with contextlib.suppress(FileExistsError):
            file.hardlink_to(partial)
    finally:
        partial.unlink()
