"""What venues say of their devices is kept, bounded, whatever it is, and counts what ails."""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec import json

from appliance.link import envelope, topics
from appliance.link.envelope import DeviceState, ReaderSaid, State
from league.fleet.models import VenueStanding
from league.fleet.standing import said_by
from league.ingest.models import Alert, Contact
from league.rounds.models import Venue
from tests.league.test_desk import VENUE, Bench

STATE = topics.up(VENUE, "state")
TABLE = DeviceState("table-1", 1_800_000_000_000, True, "table", "0.1.0", -37, (ReaderSaid("usb"),), "ok", 2)
DOOR = DeviceState("door", 1_800_000_000_500, True, "door", "0.1.0", 5, (ReaderSaid("left", "no-reader"),), "unknown")


@pytest.fixture
def bench(imported: dict[str, Any]) -> Bench:
    return Bench()


def say(bench: Bench, *devices: DeviceState, online: bool = True, **more: Any) -> VenueStanding | None:
    bench.raw(STATE, envelope.encode(State("uplink", online, "uplink", "0.1.0", devices, **more)), retained=True)
    return VenueStanding.objects.filter(venue=VENUE).first()


def test_what_the_uplink_says_of_devices_is_kept_as_they_said_it(bench: Bench) -> None:
    kept = say(bench, TABLE, DOOR, left_out=3)
    assert kept is not None and (kept.ailing, kept.left_out) == (1, 3)
    said = said_by(kept)
    assert said["table-1"].offset_ms == -37 and said["table-1"].waiting == 2 and not said["table-1"].ails
    assert said["door"].readers == (("left", "no-reader"),) and said["door"].ails
    assert said["door"].at is not None and said["door"].at.timestamp() == 1_800_000_000.5
    assert Contact.objects.get(venue=VENUE).software == "0.1.0"


def test_an_uplink_that_goes_or_is_older_leaves_what_was_said(bench: Bench) -> None:
    say(bench, TABLE)
    kept = say(bench, online=False)
    assert kept is not None and set(said_by(kept)) == {"table-1"}
    assert not Contact.objects.get(venue=VENUE).online


def test_what_is_off_ails_nobody(bench: Bench) -> None:
    kept = say(bench, DeviceState("door", online=False, readers=(ReaderSaid("left", "failed"),)))
    assert kept is not None and kept.ailing == 0
    kept = say(bench, DeviceState("d1", power="undervoltage"), DeviceState("d2", power="undervoltage-before"))
    assert kept is not None and kept.ailing == 1


def test_nothing_that_turns_a_line_round_or_fits_no_database_is_kept(bench: Bench) -> None:
    kept = say(bench, DeviceState("door", software="a\0b\u202ec", readers=(ReaderSaid("\n\x1b[2J"),)))
    said = said_by(kept)["door"]
    assert said.software == "a\ufffdb\ufffdc" and said.readers == (("\ufffd\ufffd[2J", ""),)


def test_the_same_device_twice_is_one(bench: Bench) -> None:
    kept = say(bench, TABLE, TABLE)
    assert kept is not None and len(kept.devices) == 1


def test_rubbish_of_a_venue_leaves_what_was_said_and_is_an_alert(bench: Bench) -> None:
    """Two hundred states of which each has something else in it than it should have."""
    say(bench, TABLE, DOOR)
    good = json.decode(envelope.encode(State("uplink", True, devices=(TABLE, DOOR))))
    chance = random.Random(7)
    wrongs: list[Any] = [None, -1, 2**60, "x" * 300, [], {}, [[]], True, 1.5, "<script>", [["a", "b", "c"]] * 9]
    for _ in range(200):
        state = json.decode(json.encode(good))
        device = chance.choice(state["devices"])
        device[chance.randrange(len(device))] = chance.choice(wrongs)
        bench.raw(STATE, json.encode(state))
        kept = VenueStanding.objects.get(venue=VENUE)
        assert len(kept.devices) == 2 and len(json.encode(kept.devices)) < 2048
        said_by(kept)
    assert Alert.objects.filter(venue=VENUE, code="bad-payload").exists()


def test_what_one_venue_says_is_not_anothers(bench: Bench) -> None:
    Venue.objects.create(id="brno", name="Brno")
    say(bench, TABLE)
    bench.raw(topics.up("brno", "state"), envelope.encode(State("uplink", True, devices=(DOOR,))))
    assert set(said_by(VenueStanding.objects.get(venue="brno"))) == {"door"}
    assert set(said_by(VenueStanding.objects.get(venue=VENUE))) == {"table-1"}
