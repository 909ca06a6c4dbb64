"""Whether phones are served, as doctor finds it: by asking."""

from __future__ import annotations

import socket

from appliance import config
from appliance.console.assets import Assets
from appliance.health import phones
from tests.console.phones import FILES, PAGES, PlayedEngine, Served
from tests.console.test_console_server import certificate


def found(tmp_path, role="director", loaded=None, **console):
    settings = config.Config(device=config.Device(role=role, data=str(tmp_path)), console=config.Console(**console))
    return [(each.standing, each.code) for each in phones.check(settings, loaded or tmp_path)]


def served(**settings):
    return Served(PlayedEngine(), config.Console(port=0, **settings), Assets(FILES), PAGES).start()


def test_at_a_device_that_does_not_direct_nothing_is_asked(tmp_path):
    assert found(tmp_path, role="table") == []
    (tmp_path / "directing.json").touch()
    assert found(tmp_path, role="table", port=0) == [("absent", "no-console")]


def test_what_serves_phones_is_known_by_its_answer(tmp_path):
    console = served()
    try:
        assert found(tmp_path, port=console.port) == [("ok", "works")]
    finally:
        console.stop()
    assert found(tmp_path, port=console.port) == [("absent", "no-director")]


def test_with_a_certificate_it_is_asked_by_tls(tmp_path):
    shown, key = certificate(tmp_path)
    console = served(certificate=str(shown), key=str(key))
    try:
        assert found(tmp_path, port=console.port, certificate=str(shown), key=str(key)) == [("ok", "works")]
        assert found(tmp_path, port=console.port) == [("issue", "port-taken")]
    finally:
        console.stop()


def test_another_program_at_the_port_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(phones, "_WAIT_S", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as other:
        assert found(tmp_path, port=other.getsockname()[1]) == [("issue", "port-taken")]


def test_what_was_not_fetched_and_a_bad_certificate_are_named(tmp_path):
    assert found(tmp_path, loaded=tmp_path / "none") == [("issue", "no-assets")]
    shown, _ = certificate(tmp_path)
    assert found(tmp_path, certificate=str(shown), key=str(tmp_path / "none")) == [("issue", "bad-certificate")]
    assert found(tmp_path, certificate=str(shown), key=str(shown)) == [("issue", "bad-certificate")]
