"""A director that brings its own broker: found at an address, known by certificates, back whatever is killed."""

from __future__ import annotations

import os
import shutil
import signal
import socket
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance import certificates
from appliance.apps.demo_season import PLAYERS, VENUE
from appliance.certificates import Authority
from appliance.identity import AUTHORITY, CERTIFICATE, load_or_make, public_hex
from appliance.kinds import DeviceAdopted
from tests.system.houses import House
from tests.system.test_members_follow import noted

KIOSKS = ("door", "table-1")


@pytest.fixture
def house(open_house: Callable[..., House]) -> House:
    """A house whose league's word lies ready."""
    return with_its_own_broker(open_house("mosquitto"))


def with_its_own_broker(house: House) -> House:
    """A house without a broker, whose devices the league has enrolled; its director is at this machine."""
    house.brokers["venue"].stop()
    with (house.folder / "site.toml").open("a") as site:
        site.write(f'[lan]\nfind = "hosts"\nhosts = ["127.0.0.1"]\nport = {free_port()}\n')
    key = Ed25519PrivateKey.generate()
    league = Authority(key, certificates.make_authority(key, "Liga"))
    for name in house.keys:
        enrol(league, house.data(name), name)
    return house


def enrol(league: Authority, folder: Path, name: str) -> None:
    """What `tableside enrol` leaves in a device's folder."""
    public = load_or_make(folder / "device.key").public_key()
    (folder / CERTIFICATE).write_bytes(certificates.pem(certificates.issue(league, VENUE, name, public)))
    (folder / AUTHORITY).write_bytes(certificates.pem(league.certificate))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def broker_of(house: House) -> int:
    """The process of the director's broker."""

    def found() -> int:
        own = Path(f"/proc/{house.programs['director'].pid}/task")
        children = " ".join((task / "children").read_text() for task in own.iterdir())
        pids = [int(pid) for pid in children.split() if Path(f"/proc/{pid}/comm").read_text().strip() == "mosquitto"]
        return pids[0] if pids else 0

    return house.wait_for("the director's broker", found)


def test_a_killed_broker_is_back_and_everybody_with_it(house: House) -> None:
    house.start("director", *KIOSKS)
    with house.floor() as floor:
        house.wait_for("the director", lambda: floor.station.snapshot.director)
        floor.must("open")
        house.wait_for("equal copies", lambda: house.same_round(*KIOSKS))
        before = broker_of(house)
        os.kill(before, signal.SIGKILL)
        floor.must("register", participant=PLAYERS[0].number, identity_checked=True)
        assert broker_of(house) != before
        house.wait_for("equal copies", lambda: house.same_round(*KIOSKS))


def test_the_broker_ends_with_a_killed_director_and_comes_with_the_next(house: House) -> None:
    house.start("director", *KIOSKS)
    house.wait_for("equal copies", lambda: house.same_round(*KIOSKS))
    before = broker_of(house)
    house.kill("director")
    house.wait_for("the broker's end", lambda: not Path(f"/proc/{before}").exists())
    house.start("director")
    with house.floor() as floor:
        house.wait_for("the director", lambda: floor.station.snapshot.director)
        floor.must("open")
    house.wait_for("equal copies", lambda: house.same_round(*KIOSKS))
    after = broker_of(house)
    house.stop("director", *KIOSKS)
    assert not Path(f"/proc/{after}").exists()


def test_the_uplink_of_the_same_machine_needs_no_certificate_there(
    open_house: Callable[..., House], season: Path
) -> None:
    house = with_its_own_broker(open_house("mosquitto", league=season))
    house.start("ingest", "director", "uplink")
    with house.floor() as floor:
        floor.wait("the round that the league offers", lambda round: True)


def test_the_leagues_word_comes_to_a_director_that_stands_in_no_site_file(
    open_house: Callable[..., House], season: Path
) -> None:
    """So a spare device that took over; its own uplink took it for a stranger, and brought it nothing."""
    house = with_its_own_broker(open_house("mosquitto", league=season))
    own = public_hex(house.keys["director"])
    site = house.folder / "site.toml"
    site.write_text(site.read_text().replace(f'director = "{own}"\n', ""))
    noted(house, DeviceAdopted(device="director", key=own, role="door", by="000001"), str(UUID(int=1)))
    house.start("ingest", "director", "uplink")
    house.wait_for("the roster", lambda: house.roster("director").entries)
    assert "forged-director" not in house.programs["uplink"].said()


def test_a_director_with_the_certificate_of_another_device_says_so_and_ends(house: House) -> None:
    shutil.copy(house.data("door") / CERTIFICATE, house.data("director") / CERTIFICATE)
    house.start("director")
    director = house.programs["director"]
    assert director.wait() == 2
    last = director.said().splitlines()[-1]
    assert "device.crt" in last and f"{VENUE}.door" in last and "Traceback" not in director.said()
