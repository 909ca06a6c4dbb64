"""A broker that does not prove who it is is told from one that is not there."""

from __future__ import annotations

import contextlib
import queue
import socket
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance import certificates
from appliance.link.client import Client, Endpoint
from tests.link.harness import fresh, wait_for


@contextlib.contextmanager
def server(folder: Path, host: str) -> Iterator[tuple[int, list[str]]]:
    """A TLS server with a certificate for ``host``; its port, and how its handshakes ended."""
    key, top = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()
    authority = certificates.Authority(top, certificates.make_authority(top, "Test league"))
    pkcs8 = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    made = certificates.issue_server(authority, host, key.public_key())
    for name, data in (
        ("key", pkcs8),
        ("crt", certificates.pem(made)),
        ("ca", certificates.pem(authority.certificate)),
    ):
        (folder / name).write_bytes(data)
    context, ended = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), list[str]()
    context.load_cert_chain(folder / "crt", folder / "key")

    def serve(listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                line, _ = listener.accept()
                try:
                    context.wrap_socket(line, server_side=True).close()
                    ended.append("good")
                except OSError as error:
                    ended.append(str(error))

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, args=(listener,))
        thread.start()
        try:
            yield listener.getsockname()[1], ended
        finally:
            listener.shutdown(socket.SHUT_RDWR)
    thread.join()


def tried(port: int, ca: Path) -> Client:
    context = ssl.create_default_context(cafile=ca)
    return Client(Endpoint("127.0.0.1", port, tls=context), fresh("t"), queue.SimpleQueue(), keepalive_s=1)


@pytest.mark.parametrize("host", ["liga.example.cz", "127.0.0.2"])
def test_a_broker_with_another_s_certificate_is_no_broker_that_does_not_answer(
    tmp_path: Path, host: str, caplog: pytest.LogCaptureFixture
) -> None:
    with server(tmp_path, host) as (port, _):
        client = tried(port, tmp_path / "ca")
        client.start()
        try:
            wait_for(lambda: client.drops.counts)
        finally:
            client.stop()
    assert set(client.drops.counts) == {"tls-failed"}
    assert "certificate is not valid for '127.0.0.1'" in caplog.text


def test_a_broker_that_is_reached_by_an_address_proves_itself_by_a_certificate_for_it(tmp_path: Path) -> None:
    with server(tmp_path, "127.0.0.1") as (port, ended):
        client = tried(port, tmp_path / "ca")
        client.start()
        try:
            wait_for(lambda: ended)
        finally:
            client.stop()
    assert ended[0] == "good"
