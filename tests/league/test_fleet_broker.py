"""The league's broker tells devices apart by their certificates: real mosquitto, nats-server, league and enrolment."""

from __future__ import annotations

import os
import queue
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import django.test
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.management import call_command

from appliance import certificates
from appliance.certificates import Authority
from appliance.cli import main
from appliance.config import Broker, load
from appliance.identity import load_or_make
from appliance.journal import Journal
from appliance.link import topics
from appliance.link.broker import find_program
from appliance.link.client import Client, Connected, Endpoint, Inbox, Message
from appliance.workplace import endpoint
from league.fleet import enrolling
from tests.league.processes import VENUE, WAIT_S, League

PASSWORD = "OfTheIngestAlone"

MOSQUITTO = """\
allow_anonymous false
password_file {0}/passwords
acl_file {0}/acl
persistence false
user root
log_dest stderr
listener {1} 127.0.0.1
listener {2} 127.0.0.1
cafile {0}/ca.crt
certfile {0}/broker.crt
keyfile {0}/broker.key
crlfile {0}/crl.pem
require_certificate true
use_subject_as_username true
use_username_as_clientid true
"""

NATS = """\
server_name: league
listen: "127.0.0.1:-1"
jetstream {{ store_dir: "{0}/jetstream", max_memory_store: 64MB, max_file_store: 256MB }}
mqtt {{
  listen: "127.0.0.1:{2}"
  tls {{ cert_file: "{0}/broker.crt", key_file: "{0}/broker.key", ca_file: "{0}/ca.crt", verify_and_map: true }}
}}
include "users.conf"
"""


class House:
    """A league's office in this process, the broker it describes, and devices that were enrolled."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        call("init")
        call("server", "localhost", "--out", str(folder))
        self.plain, self.secure = free_port(), free_port()
        (folder / "ca.crt").write_text(call("show").partition("SHA-256")[0])
        self.broker: subprocess.Popen[bytes] | None = None

    def enrol(self, name: str, *more: str) -> Path:
        """Enrol a device by the command that runs on it; its data folder."""
        data, config = self.folder / name, self.folder / f"{name}.toml"
        config.write_text(f'[device]\ndata = "{data}"\n')
        code = call("invite", VENUE, name, *more).strip()
        arguments = ["enrol", "--league", "http://league", "--code", code, "--config", str(config)]
        assert main(arguments) == 0
        return data

    def mosquitto(self) -> None:
        passwords = str(self.folder / "passwords")
        subprocess.run(["mosquitto_passwd", "-b", "-c", passwords, "ingest", PASSWORD], check=True)
        self.tell_mosquitto()
        config = self.folder / "mosquitto.conf"
        config.write_text(MOSQUITTO.format(self.folder, self.plain, self.secure))
        self._run([str(find_program("mosquitto")), "-c", str(config)])

    def tell_mosquitto(self) -> None:
        """Give the broker what it needs to tell devices apart, and have it read that."""
        (self.folder / "acl").write_text(call("broker-acl"))
        (self.folder / "acl").chmod(0o600)
        (self.folder / "crl.pem").write_text(call("crl"))
        if self.broker is not None:
            self.broker.send_signal(signal.SIGHUP)

    def nats(self) -> None:
        (self.folder / "users.conf").write_text(call("broker-acl", "--nats"))
        config = self.folder / "nats.conf"
        config.write_text(NATS.format(self.folder, self.plain, self.secure))
        self._run([str(find_program("nats")), "-c", str(config)], {"TABLESIDE_INGEST_PASSWORD": PASSWORD})

    def stop(self) -> None:
        if self.broker is not None:
            self.broker.terminate()
            self.broker.wait(10)

    def _run(self, command: list[str], env: dict[str, str] | None = None) -> None:
        with (self.folder / "broker.log").open("wb") as log:
            self.broker = subprocess.Popen(command, stdout=log, stderr=log, env=os.environ | (env or {}))
        until = time.monotonic() + WAIT_S
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.secure), 1).close()
                return
            except OSError:
                assert self.broker.poll() is None, (self.folder / "broker.log").read_text()
                assert time.monotonic() < until
                time.sleep(0.05)


class Line:
    """A connection to the league's broker, tried as a device tries it."""

    def __init__(self, at: Endpoint, name: str, *topics: str) -> None:
        self.inbox: Inbox = queue.SimpleQueue()
        self.client = Client(at, name, self.inbox, subscriptions=[(topic, 1) for topic in topics])
        self.client.start()

    def connected(self, seconds: float = WAIT_S) -> bool:
        try:
            return isinstance(self.inbox.get(timeout=seconds), Connected)
        except queue.Empty:
            return False

    def hears(self, topic: str, seconds: float = WAIT_S) -> bool:
        """Whether a message of that topic comes; all before it is let go."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            try:
                event = self.inbox.get(timeout=left)
            except queue.Empty:
                return False
            if isinstance(event, Message) and event.topic == topic:
                return True
        return False

    def says(self, topic: str) -> None:
        self.client.publish(topic, b"{}")


@pytest.fixture
def house(imported: dict[str, Any], settings_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    house = House(settings_dir)
    monkeypatch.setenv(enrolling.BROKER, f"mqtts://localhost:{house.secure}")

    def posted(_address: str, body: bytes) -> bytes:
        return bytes(django.test.Client().post("/enrol", body, content_type="application/json").content)

    monkeypatch.setattr("appliance.apps.enrol._posted", posted)
    yield house
    house.stop()


@pytest.fixture
def line() -> Iterator[Callable[..., Line]]:
    lines: list[Line] = []

    def connect(at: Endpoint, name: str, *topics: str) -> Line:
        lines.append(Line(at, name, *topics))
        return lines[-1]

    yield connect
    for each in lines:
        each.client.stop()


def call(*arguments: str) -> str:
    out = StringIO()
    call_command("ca", *arguments, stdout=out)
    return out.getvalue()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def at_league(data: Path) -> Endpoint:
    """Where an enrolled device finds the league's broker: what the enrolment wrote, and nothing else, says it."""
    return endpoint(load(data / "league.toml").league.broker, "league.broker", data)


def foreign(house: House, name: str) -> Endpoint:
    """A device of that name by an authority of somebody else."""
    data, own = house.folder / "foreign", Ed25519PrivateKey.generate()
    data.mkdir()
    key = load_or_make(data / "device.key")
    other = Authority(own, certificates.make_authority(own, "Tableside league"))
    (data / "device.crt").write_bytes(certificates.pem(certificates.issue(other, VENUE, name, key.public_key())))
    broker = Broker(host="localhost", port=house.secure, tls=True, ca=str(house.folder / "ca.crt"))
    return endpoint(broker, "league.broker", data)


UP, DOWN = topics.up(VENUE, "ev"), topics.down(VENUE, "ack")


def test_mosquitto_lets_enrolled_devices_do_what_is_their_venues_and_no_foreign_or_revoked_one(
    house: House, line: Callable[..., Line]
) -> None:
    names = {"uplink": "uplink", "spare": "table", "door": "door"}
    data = {name: house.enrol(name, "--role", role) for name, role in names.items()}
    house.mosquitto()
    league = line(Endpoint("127.0.0.1", house.plain, "ingest", PASSWORD), "ingest", topics.up_filter("ev"))
    uplink = line(at_league(data["uplink"]), "up-zabreh", DOWN)
    spare = line(at_league(data["spare"]), "up-zabreh", DOWN)  # the same client id: neither throws the other out
    spy = line(at_league(data["door"]), "spy", UP.replace("zabreh", "brno"), topics.down("brno", "ack"))
    assert league.connected() and uplink.connected() and spare.connected() and spy.connected()
    assert not line(foreign(house, "uplink"), "up-zabreh").connected(1)

    league.says(topics.down("brno", "ack"))
    spare.says(DOWN)
    spare.says(topics.up("brno", "ev"))
    spare.says(UP)
    assert league.hears(UP)
    league.says(DOWN)
    assert uplink.hears(DOWN) and spare.hears(DOWN)
    assert league.inbox.empty() and uplink.inbox.empty() and spy.inbox.empty()

    call("revoke", VENUE, "spare", "--reason", "stolen")
    house.tell_mosquitto()
    time.sleep(0.3)
    spare.says(UP)  # over the connection that it had
    again = line(at_league(data["spare"]), "again")
    again.connected(1)
    again.says(UP)
    uplink.says(topics.up(VENUE, "hello"))
    uplink.says(UP)
    assert league.hears(UP)
    league.says(DOWN)
    assert uplink.hears(DOWN)
    assert league.inbox.empty() and not spare.hears(DOWN, 0.3)


def test_a_revoked_device_gets_no_connection_from_a_broker_that_was_started_with_the_list(
    house: House, line: Callable[..., Line]
) -> None:
    data, old = house.enrol("spare", "--role", "table"), house.enrol("uplink", "--role", "uplink")
    call("revoke", VENUE, "spare", "--reason", "stolen")
    old = old.rename(house.folder / "old")
    new = house.enrol("uplink", "--role", "uplink", "--replace")
    house.mosquitto()
    assert not line(at_league(data), "spare").connected(1)
    assert not line(at_league(old), "old").connected(1)
    assert line(at_league(new), "new").connected()


def test_nats_maps_certificates_to_the_users_that_the_league_lists(house: House, line: Callable[..., Line]) -> None:
    spare, old = house.enrol("spare", "--role", "table"), house.enrol("uplink", "--role", "uplink")
    call("revoke", VENUE, "spare", "--reason", "stolen")
    old = old.rename(house.folder / "old")
    data = house.enrol("uplink", "--role", "uplink", "--replace")  # another one under its name
    house.nats()
    uplink = line(at_league(data), "up-zabreh", DOWN, topics.up(VENUE, "state"))
    assert uplink.connected()
    assert not line(at_league(spare), "up-zabreh-2").connected(1)
    assert not line(foreign(house, "uplink"), "up-zabreh-3").connected(1)
    assert not line(at_league(old), "up-zabreh-4").connected(1)
    uplink.says(DOWN)
    uplink.says(topics.up(VENUE, "state"))
    assert uplink.hears(topics.up(VENUE, "state"))
    assert uplink.inbox.empty()


def test_the_uplinks_program_gets_through_with_what_its_enrolment_wrote(
    house: House, line: Callable[..., Line]
) -> None:
    data, journal = house.enrol("uplink", "--role", "uplink"), house.folder / "journal"
    with Journal(journal, device="director", key=Ed25519PrivateKey.generate()):
        pass
    house.mosquitto()
    up = topics.up(VENUE, "hello")
    league = line(Endpoint("127.0.0.1", house.plain, "ingest", PASSWORD), "ingest", up)
    assert league.connected()
    files = [str(data / "league.toml"), str(house.folder / "uplink.toml")]
    command = [sys.executable, "-m", "appliance", "uplink", *files, "--journal", str(journal)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as uplink:
        try:
            assert league.hears(up)
        finally:
            uplink.terminate()


def test_a_device_enrols_over_http_and_its_venue_hears_of_it(league: League, tmp_path: Path) -> None:
    data, config = tmp_path / "device", tmp_path / "device.toml"
    config.write_text(f'[venue]\nid = "brno"\n[device]\ndata = "{data}"\n')
    league.run("ca", "init")
    code = league.run("ca", "invite", VENUE, "table-3", "--role", "table", "--table", "3").strip()
    _, said = league.start("serve", "--port", "0", until="serving")

    def enrol(code: str, address: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "appliance", "enrol", "--league", address, "--code", code]
        return subprocess.run([*command, "--config", str(config)], capture_output=True, text=True, check=False)

    done = enrol(code, said.split()[1])
    assert done.returncode == 0, done.stderr
    assert "venue.id is 'brno', at the league 'zabreh'" in done.stderr
    told = load(data / "league.toml")
    assert (told.venue.id, told.device.name, told.device.table) == (VENUE, "table-3", 3)
    certificates.check(
        certificates.read(data / "device.crt"), VENUE, "table-3", load_or_make(data / "device.key").public_key(),
        certificates.read(data / "league-ca.crt"),
    )  # fmt: skip
    rows = "SELECT count(*) FROM ingest_rawrecord WHERE stream = 'league/zabreh' AND type = 'device/1'"
    assert league.rows(rows) == [(2,)]  # the director, and now the table
    before = sorted((path.name, path.read_bytes()) for path in data.iterdir())
    wrong = enrol(code[:5] + code[5:][::-1].strip("-"), said.split()[1])
    assert wrong.returncode == 1 and "4 tries are left" in wrong.stderr
    nobody = enrol(code, f"http://127.0.0.1:{free_port()}/")
    assert nobody.returncode == 1 and "try again" in nobody.stderr
    assert len(wrong.stderr.splitlines()) == len(nobody.stderr.splitlines()) == 1
    assert sorted((path.name, path.read_bytes()) for path in data.iterdir()) == before
