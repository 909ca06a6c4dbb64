"""The broker's process: back when it ends, gone when it should be, and what is wrong is said."""

from __future__ import annotations

import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from appliance import certificates
from appliance.filebytes import Unusable
from appliance.identity import CERTIFICATE
from appliance.link import mosquitto as mosquitto_module
from appliance.link import mosquitto_files as files
from appliance.link.client import Connected, Disconnected
from appliance.link.mosquitto import VenueBroker, venue_broker
from appliance.workplace import director_endpoint
from tests.link.harness import next_event, wait_for
from tests.link.society import Society, free_port, inside, meet, peers, serving


def test_openssl_looks_for_a_certificate_where_it_was_put(tmp_path: Path) -> None:
    place = Society(tmp_path).place("table-1", enrolled=False)
    told = subprocess.run(
        ["openssl", "x509", "-noout", "-subject_hash", "-in", place.data / CERTIFICATE],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    one = certificates.read(place.data / CERTIFICATE)
    assert files.subject_hash(one.subject) == told.stdout.strip()
    assert sorted(files.trust([one, one])) == [f"{told.stdout.strip()}.0", f"{told.stdout.strip()}.1"]


def test_a_broker_that_is_killed_is_back_and_so_is_everybody(tmp_path: Path) -> None:
    society = Society(tmp_path)
    director, one = society.place("director"), society.place("table-1")
    meet(director, one)
    with serving(director) as broker, peers() as connect:
        ours, theirs = connect(inside(director), "director-brno").connected(), connect(one).connected()
        for _ in range(3):
            assert broker.pid is not None
            os.kill(broker.pid, signal.SIGKILL)
            for peer in (ours, theirs):
                next_event(peer.inbox, Disconnected)
                next_event(peer.inbox, Connected)
        last = broker.pid
    assert not Path(f"/proc/{last}").exists()


def test_a_port_that_is_taken_is_said_and_waited_for(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    society = Society(tmp_path, secure=False)
    director = society.place("director")
    with socket.create_server(("127.0.0.1", society.lan.port)):
        broker = VenueBroker(director)
        broker.start()
    try:
        assert f"lan.port {society.lan.port}" in caplog.text and "an older one" in caplog.text
        with peers() as connect:
            connect(inside(director), "director-brno").connected()
    finally:
        broker.stop()


def test_a_second_broker_takes_nothing_from_the_first(tmp_path: Path) -> None:
    """As when the broker of a killed director is still there: neither its port nor its socket."""
    director = Society(tmp_path, secure=False).place("director")
    with serving(director), peers() as connect:
        first = connect(inside(director), "director-brno").connected()
        with serving(director):
            connect(inside(director), "look").connected()
        connect(inside(director), "look-again").connected()
        assert first.inbox.empty()


def test_nobody_else_on_the_machine_reaches_the_directors_socket(tmp_path: Path) -> None:
    director = Society(tmp_path, newcomers=free_port()).place("director")
    with serving(director):
        folder = director.data / "broker"
        assert folder.stat().st_mode & 0o077 == 0
        assert {file.name for file in folder.iterdir() if file.is_socket()} == {"socket", "newcomers"}


def test_a_socket_may_lie_deep(tmp_path: Path) -> None:
    director = Society(tmp_path / ("d" * 100), secure=False).place("director")
    with serving(director), peers() as connect:
        assert len(str(inside(director).path)) > 108
        connect(inside(director), "director-brno").connected()


def test_it_ends_when_its_director_is_killed(tmp_path: Path) -> None:
    society = Society(tmp_path, secure=False)
    place = society.place("director")
    (tmp_path / "d.toml").write_text(
        f'[venue]\nid = "brno"\n[device]\nname = "director"\ndata = "{place.data}"\n'
        f'[lan]\nfind = "hosts"\nhosts = ["127.0.0.1"]\nport = {society.lan.port}\nsecure = false\n'
    )
    program = (
        "import sys, time; from pathlib import Path; from appliance.config import load\n"
        "from appliance.link.mosquitto import VenueBroker; from appliance.workplace import Workplace\n"
        "broker = VenueBroker(Workplace(load(Path(sys.argv[1])))); broker.start(); print(broker.pid, flush=True)\n"
        "time.sleep(100)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, tmp_path / "d.toml"], stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.kill()
    wait_for(lambda: not Path(f"/proc/{pid}").exists())


def test_without_mosquitto_the_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mosquitto_module, "find_program", lambda kind: None)
    with pytest.raises(Unusable, match="apt-get install mosquitto"):
        venue_broker(Society(tmp_path).place("director"))


def test_where_the_broker_is_somebody_elses_none_is_run(tmp_path: Path) -> None:
    place = Society(tmp_path, find="fixed").place("director")
    assert venue_broker(place) is None
    assert str(director_endpoint(place.config, place.data)) == "127.0.0.1:1883"


def test_a_disk_that_refuses_is_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    society = Society(tmp_path)
    director, one = society.place("director"), society.place("table-1")
    meet(director)
    with serving(director) as broker, peers() as connect:
        acl = director.data / "broker" / "acl"
        known = acl.read_text()
        acl.with_name("acl.new").mkdir()  # nothing can be written there
        broker.update(meet(director, one))
        assert acl.read_text() == known
        shutil.rmtree(acl.with_name("acl.new"))
        broker._again_at = 0.0
        broker.update(director.members)
        assert "table-1" in acl.read_text()
        connect(one).connected()


def test_a_broker_that_somebody_ended_in_order_is_no_error_and_said_only_where_its_director_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A service manager ends all programs of a service at once, the broker before its director has heard of it."""
    director = Society(tmp_path, secure=False).place("director")
    with serving(director) as broker, peers() as connect:
        peer = connect(inside(director), "director-brno").connected()
        assert broker.pid is not None
        os.kill(broker.pid, signal.SIGTERM)
        for kind in (Disconnected, Connected):
            next_event(peer.inbox, kind)
        assert [said.levelname for said in _of_child(caplog)] == ["WARNING"]
        assert "was told to end" in caplog.text
        caplog.clear()
        os.kill(broker.pid, signal.SIGTERM)
        broker.stop()
    assert _of_child(caplog) == []


def _of_child(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    return [said for said in caplog.records if said.name == "appliance.link.child"]
