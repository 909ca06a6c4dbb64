"""A device speaks to brokers of its own venue only, run by those who belong there; time and address do not matter."""

from __future__ import annotations

import shutil
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from appliance import certificates
from appliance.filebytes import Unusable
from appliance.identity import AUTHORITY, CERTIFICATE
from appliance.link.client import Endpoint
from appliance.link.tls import lan_endpoint, own_certificate
from appliance.members import Members
from appliance.workplace import Workplace
from tests.link.society import VENUE, Society, meet, member

Serve = Callable[[Workplace], int]


@pytest.fixture
def society(tmp_path: Path) -> Society:
    return Society(tmp_path)


@contextmanager
def server(place: Workplace, version: ssl.TLSVersion = ssl.TLSVersion.TLSv1_3) -> Iterator[int]:
    """Something that shows a device's certificate, at a port."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.maximum_version = version
    context.load_cert_chain(place.data / CERTIFICATE, place.data / "device.key")
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            while True:
                try:
                    line, _ = listening.accept()
                except OSError:
                    return
                try:
                    context.wrap_socket(line, server_side=True).close()
                except OSError:
                    line.close()

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield int(listening.getsockname()[1])
        listening.shutdown(socket.SHUT_RDWR)
    thread.join(5)


def shake(place: Workplace, port: int) -> str:
    """Connect as a device does, by an address that is in no certificate; the TLS version that was agreed on."""
    context = lan_endpoint(place, "127.0.0.1").tls
    assert context is not None
    with (
        socket.create_connection(("127.0.0.1", port), 10) as line,
        context.wrap_socket(line, server_hostname="127.0.0.1", do_handshake_on_connect=False) as tls,
    ):
        tls.do_handshake()
        return tls.version() or ""


def test_a_device_believes_whoever_of_its_venue_directs(society: Society) -> None:
    director, spare, kiosk = society.place("director"), society.place("spare", enrolled=False), society.place("door")
    meet(director, spare, kiosk)
    for place in (director, spare):
        with server(place) as port:
            assert shake(kiosk, port) == "TLSv1.3"
    with server(director, ssl.TLSVersion.TLSv1_2) as port:
        assert shake(kiosk, port) == "TLSv1.2"


def test_a_device_believes_no_other_venue_and_no_other_league(society: Society, tmp_path: Path) -> None:
    kiosk, elsewhere = society.place("door"), society.place("director", "praha")
    stranger = Society(tmp_path / "other").place("director")
    kiosk.members = Members(map(member, (kiosk, elsewhere, stranger)))
    with server(elsewhere) as port, pytest.raises(ssl.SSLCertVerificationError, match="not valid for 'brno"):
        shake(kiosk, port)
    with server(stranger) as port, pytest.raises(ssl.SSLCertVerificationError, match="issuer"):
        shake(kiosk, port)


def test_a_device_that_was_revoked_is_no_broker(society: Society) -> None:
    stolen, kiosk = society.place("table-9"), society.place("door")
    meet(stolen, kiosk)
    endpoint = lan_endpoint(kiosk, "127.0.0.1")
    kiosk.members = Members([member(kiosk)])
    with server(stolen) as port, socket.create_connection(("127.0.0.1", port), 10) as line:
        assert endpoint.tls is not None
        with pytest.raises(ssl.SSLCertVerificationError, match="belongs to this venue"):
            endpoint.tls.wrap_socket(line, server_hostname="x")


def test_a_device_with_a_certificate_of_its_own_is_believed_as_itself_only(society: Society) -> None:
    """Its certificate is trusted; what it signs for others is not."""
    spare, liar, kiosk = society.place("spare", enrolled=False), society.place("liar"), society.place("door")
    meet(spare, liar, kiosk)
    signer = certificates.Authority(spare.key, certificates.read(spare.data / CERTIFICATE))
    false = certificates.issue(signer, VENUE, "liar", liar.key.public_key())
    (liar.data / CERTIFICATE).write_bytes(certificates.pem(false) + (spare.data / CERTIFICATE).read_bytes())
    with server(liar) as port, pytest.raises(ssl.SSLCertVerificationError):
        shake(kiosk, port)


def test_a_device_without_a_clock_believes_a_certificate_that_has_not_begun(
    society: Society, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a device whose clock stands before the certificate of the league's authority was made sees it."""
    director, kiosk = society.place("director"), society.place("door")
    meet(director, kiosk)
    monkeypatch.setattr(certificates, "ALWAYS", certificates.NEVER.replace(year=9998))
    late = certificates.issue(society.league, VENUE, "director", director.key.public_key())
    monkeypatch.undo()
    (director.data / CERTIFICATE).write_bytes(certificates.pem(late))
    with server(director) as port:
        assert shake(kiosk, port)


def test_a_device_that_no_league_has_enrolled_signs_for_itself_once(society: Society) -> None:
    place = society.place("door")
    (place.data / CERTIFICATE).unlink()
    made = certificates.read(own_certificate(place))
    certificates.check(made, VENUE, "door", place.key.public_key())
    assert certificates.read(own_certificate(place)) == made


def test_a_certificate_that_nobody_would_take_is_said_to_be_none(society: Society) -> None:
    place, other = society.place("door"), society.place("table-1")
    shutil.copy(other.data / CERTIFICATE, place.data / CERTIFICATE)
    with pytest.raises(Unusable, match=r"device\.crt: .*brno\.table-1"):
        lan_endpoint(place, "x")
    place = society.place("door")
    (place.data / AUTHORITY).unlink()
    with pytest.raises(Unusable, match=r"league-ca\.crt"):
        lan_endpoint(place, "x")
    (place.data / CERTIFICATE).write_text("?")
    with pytest.raises(Unusable, match="no certificate"):
        lan_endpoint(place, "x")


def test_what_a_member_shows_must_be_its_own(society: Society, caplog: pytest.LogCaptureFixture) -> None:
    kiosk, spare = society.place("door"), society.place("spare", enrolled=False)
    wrong = member(society.place("table-1", enrolled=False))
    kiosk.members = Members([member(kiosk), type(wrong)(name="spare", key=spare.public, certificate=wrong.certificate)])
    with server(spare) as port, pytest.raises(ssl.SSLCertVerificationError):
        shake(kiosk, port)
    assert "the certificate of spare does not count" in caplog.text


def test_a_venue_without_secrets_has_none(tmp_path: Path) -> None:
    place = Society(tmp_path, secure=False).place("door")
    (place.data / CERTIFICATE).unlink()
    assert lan_endpoint(place, "10.0.0.7") == Endpoint("10.0.0.7", place.config.lan.port)
