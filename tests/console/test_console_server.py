"""What keeps phones from being served is said and tried again; who is told to end does, with all streams open."""

from __future__ import annotations

import http.client
import logging
import socket
import ssl
import time
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from appliance import config
from appliance.console import door, server
from appliance.console.assets import Assets
from appliance.console.door import as_one
from tests.console.phones import FILES, PAGES, Hand, PlayedEngine, Served, serving


def certificate(folder):
    """A certificate that vouches for itself, and its key, as files."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "director")])
    today = datetime.now(UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    made = made.not_valid_before(today - timedelta(days=1)).not_valid_after(today + timedelta(days=1))
    (folder / "c.pem").write_bytes(made.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM))
    (folder / "k.pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return folder / "c.pem", folder / "k.pem"


def signed_in(engine: PlayedEngine, served: Served) -> Hand:
    session, key = engine.offer()
    engine.confirm(session)
    return Hand(served.port, session, key)


def test_a_port_that_is_taken_is_told_once_and_tried_until_it_is_free(caplog, monkeypatch):
    caplog.set_level(logging.INFO)
    monkeypatch.setattr(server, "AGAIN_S", 0.02)
    with socket.create_server(("", 0)) as other:
        port = other.getsockname()[1]
        served = Served(PlayedEngine(), config.Console(port=port), Assets(FILES), PAGES).start(waits=False)
        deadline = time.monotonic() + 5
        while "phones cannot come" not in caplog.text and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.1)
    try:
        assert served.started()
        assert Hand(port).raw("GET", "/").status == 200
        told = [record.message for record in caplog.records if "cannot come" in record.message]
        assert told == [f"phones cannot come: port {port}: Address already in use; it is tried again"]
        assert served.heard == [(port, False)]
    finally:
        served.stop()
    assert served.heard[-1] == (0, False)


def test_it_ends_within_a_second_with_streams_and_connections_open():
    engine = PlayedEngine()
    with serving(engine) as served:
        phone = signed_in(engine, served)
        idle = socket.create_connection(("127.0.0.1", served.port))
        half = socket.create_connection(("127.0.0.1", served.port))
        half.sendall(b"POST /form/bust HTTP/1.1\r\nHost: x\r\nContent-Le")
        with phone.stream() as one, phone.stream() as two:
            one(), two()
            begun = time.monotonic()
            served.stop()
            assert time.monotonic() - begun < 1.9
            assert one()[0] == two()[0] == ""
        idle.close()
        half.close()


def gone(line: socket.socket) -> bool:
    """Whether the other side has cut it."""
    line.settimeout(5)
    try:
        return line.recv(1) == b""
    except ConnectionResetError:
        return True


def test_connections_that_say_nothing_take_no_more_files_than_are_theirs(monkeypatch):
    monkeypatch.setattr(server, "MOST_CONNECTIONS", 5)
    with serving(PlayedEngine()) as served:
        lines = [socket.create_connection(("127.0.0.1", served.port)) for _ in range(5)]
        for line in lines:
            line.sendall(b"GET / HT")
        assert gone(socket.create_connection(("127.0.0.1", served.port)))
        lines.pop().close()
        time.sleep(0.2)
        assert Hand(served.port).raw("GET", "/").status == 200
        for line in lines:
            line.close()


def test_addresses_of_one_network_count_as_one():
    assert as_one("fd00:1:2:3:4:5:6:7") == as_one("fd00:1:2:3:ffff::1") != as_one("fd00:1:2:4::1")
    assert as_one("::ffff:10.0.0.1") != as_one("::ffff:10.0.0.2")


def test_a_body_that_does_not_come_is_waited_for_no_longer_than_a_while(monkeypatch):
    monkeypatch.setattr(door, "BODY_S", 0.2)
    engine = PlayedEngine()
    with serving(engine) as served:
        phone = signed_in(engine, served)
        line = socket.create_connection(("127.0.0.1", served.port))
        line.sendall(
            f"POST /ticket HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nX-Tableside-Session: {phone.session}\r\n"
            f"X-Tableside-Count: 9\r\nX-Tableside-Signature: {'0' * 64}\r\n\r\n".encode()
        )
        line.settimeout(10)
        assert line.recv(100).startswith(b"HTTP/1.1 408")
        line.close()


def test_a_form_that_is_being_decided_does_not_hold_the_end_up():
    class Slow(PlayedEngine):
        async def note(self, phone, id, note):
            import asyncio

            await asyncio.sleep(60)

    engine = Slow()
    with serving(engine) as served:
        phone = signed_in(engine, served)
        body = b"do=send&id=019f0000-0000-7000-8000-000000000001"
        line = http.client.HTTPConnection("127.0.0.1", served.port, timeout=10)
        line.request("POST", "/form/bust", body, phone.signed("POST", "/form/bust", body))
        time.sleep(0.2)
        begun = time.monotonic()
        served.stop()
        assert time.monotonic() - begun < 1.9
        line.close()


def test_with_a_certificate_it_speaks_tls_and_nothing_else(tmp_path):
    shown, key = certificate(tmp_path)
    engine = PlayedEngine()
    with serving(engine, config.Console(port=0, certificate=str(shown), key=str(key))) as served:
        assert served.heard[0][1] is True
        trusting = ssl._create_unverified_context()
        line = http.client.HTTPSConnection("127.0.0.1", served.port, context=trusting, timeout=5)
        line.request("GET", "/")
        assert line.getresponse().status == 200
        line.close()
        with pytest.raises((http.client.HTTPException, OSError)):
            Hand(served.port).raw("GET", "/")


def test_a_certificate_that_is_not_there_is_told_and_nothing_goes_out_in_the_clear(tmp_path, caplog, monkeypatch):
    monkeypatch.setattr(server, "AGAIN_S", 0.05)
    settings = config.Console(port=0, certificate=str(tmp_path / "c.pem"), key=str(tmp_path / "k.pem"))
    served = Served(PlayedEngine(), settings, Assets(FILES), PAGES).start(waits=False)
    deadline = time.monotonic() + 5
    while "phones cannot come" not in caplog.text and time.monotonic() < deadline:
        time.sleep(0.01)
    served.stop()
    assert "c.pem" in caplog.text and "not there" in caplog.text
    assert not served.heard


def test_a_certificate_without_its_key_is_refused():
    with pytest.raises(ValueError, match="belong together"):
        config.Console(certificate="c.pem")


def test_a_port_that_the_system_refuses_is_no_crash(caplog, monkeypatch):
    monkeypatch.setattr(server, "AGAIN_S", 0.05)

    def refused(self, address):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(server.socket, "socket", type("Refused", (socket.socket,), {"bind": refused}))
    served = Served(PlayedEngine(), config.Console(port=80), Assets(FILES), PAGES).start(waits=False)
    deadline = time.monotonic() + 5
    while "phones cannot come" not in caplog.text and time.monotonic() < deadline:
        time.sleep(0.01)
    monkeypatch.undo()
    served.stop()
    assert "port 80: Permission denied" in caplog.text
