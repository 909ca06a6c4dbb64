"""A kiosk whose disk is full: it follows nobody that serves well, and what it has taken over does not end by that."""

from __future__ import annotations

import argparse
import errno
import json
import os
import sys
import time
from pathlib import Path

import pytest

from appliance import room, takeover
from appliance.apps import director as program
from appliance.config import load
from appliance.direction import Direction
from appliance.game.refusal import Refusal
from appliance.link.envelope import DirectorNotice
from appliance.room import LEAST_BYTES
from appliance.takeover import Directorate
from appliance.workplace import Workplace

AT = 1_800_000_000_000
SERVES = DirectorNotice("door", "2-00000000000000aa", "", "brno")


@pytest.fixture
def place(tmp_path):
    """A kiosk's workplace whose director is a program that only says what it ends of."""
    site, device = tmp_path / "site.toml", tmp_path / "device.toml"
    script = "import sys; print('starting'); print('sqlite3.OperationalError: database or disk is full', flush=True)"
    site.write_text(f'[venue]\nid = "brno"\n[lan]\ndirector = {json.dumps([sys.executable, "-c", script])}\n')
    device.write_text(f'[device]\nname = "door"\nrole = "door"\ndata = "{tmp_path}/door"\n')
    return Workplace(load(site, device), (site, device))


@pytest.fixture
def disk(monkeypatch):
    """How much room there is, bytes; None: as there is."""
    free: list[int | None] = [None]
    real = os.statvfs

    def statvfs(folder):
        found = real(folder)
        if free[0] is None:
            return found
        return os.statvfs_result((1, 1, *found[2:4], free[0], *found[5:]))

    monkeypatch.setattr("os.statvfs", statvfs)
    return free


def direction_of(place, told):
    return Direction(place, lambda: AT, lambda **shown: told.append(shown), lambda: None, tuple, dict)


def look_now(direction):
    direction._own._look_at = 0.0
    direction.tick()


def test_with_too_little_room_a_kiosk_neither_offers_to_direct_nor_begins_to(place, disk):
    told: list[Refusal | None] = []
    direction = direction_of(place, [])
    assert direction.hindrance == ""
    disk[0] = LEAST_BYTES - 1
    assert direction.hindrance == "no-room"
    direction.take_over("000001", told.append)
    assert [refusal and refusal.code for refusal in told] == ["no-room"]
    assert direction.possible and direction.due is None and not (place.data / "directing.json").exists()
    assert not (place.data / "director").exists()


def test_the_room_that_is_wanted_is_for_what_the_kiosk_has_and_its_director_has_not_yet(place, disk):
    folder, copy = place.data / "director", place.data / "journal"
    disk[0] = LEAST_BYTES + 5_000
    assert not room.is_short(folder, copy)
    copy.write_bytes(b"x" * 6_000)
    assert room.is_short(folder, copy)
    folder.mkdir()
    assert room.is_short(folder, copy)
    (folder / "journal").write_bytes(b"x" * 1_000)
    assert not room.is_short(folder, copy)
    (folder / "journal-wal").write_bytes(b"x" * 2 * LEAST_BYTES)
    disk[0] = 100_000
    assert room.is_short(folder, copy), "some is wanted in any case"


def test_a_director_with_too_little_room_does_not_follow_one_that_serves(place, disk, capsys):
    own = place.data.parent / "director.toml"
    own.write_text(f'[device]\nname = "door"\nrole = "director"\ndata = "{place.data.parent}/director"\n')
    parser = argparse.ArgumentParser()
    program.add_arguments(parser)
    disk[0] = LEAST_BYTES - 1
    asked = parser.parse_args([*map(str, [place.files[0], own]), "--take-over", "000001"])
    assert program.run(asked) == 2
    assert "too little room" in capsys.readouterr().err
    assert not (place.data.parent / "director" / "journal").exists()


@pytest.mark.parametrize(
    ("free", "reason"), [(None, "sqlite3.OperationalError: database or disk is full"), (0, "disk-full")]
)
def test_what_the_director_has_said_last_is_why_it_failed(place, disk, monkeypatch, free, reason):
    told: list[Refusal | None] = []
    direction = direction_of(place, [])
    direction.take_over("000001", told.append)
    log, until = place.data / "director" / "log", time.monotonic() + 20
    while "full" not in (log.read_text() if log.exists() else "") and time.monotonic() < until:
        time.sleep(0.02)
    monkeypatch.setattr(takeover, "PATIENCE_S", 0.0)
    direction._own._give_up_at = 0.0
    disk[0] = free
    look_now(direction)
    [refusal] = told
    assert refusal is not None and refusal.code == "takeover-failed"
    assert str(refusal.detail["reason"]).endswith(reason)


def test_a_takeover_that_cannot_be_begun_for_want_of_room_says_so(place, monkeypatch):
    def full(file: Path, data: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    told: list[Refusal | None] = []
    monkeypatch.setattr(takeover, "put", full)
    direction_of(place, []).take_over("000001", told.append)
    assert told == [Refusal("takeover-failed", {"reason": "disk-full"})]


def test_a_disk_that_is_full_when_the_director_serves_ends_nothing_and_it_is_noted_later(place, monkeypatch):
    """The kiosk's engine ended on it, at each of its starts; and after a power cut nobody directed."""
    told: list[Refusal | None] = []
    direction = direction_of(place, [])
    direction.take_over("000001", told.append)
    real, full = takeover.put, [True]

    def put(file: Path, data: bytes) -> None:
        if full[0]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(file, data)

    monkeypatch.setattr(takeover, "put", put)
    direction.told(SERVES)
    assert told == [None], "it serves, whatever could be noted"
    direction._own._give_up_at = 0.0
    look_now(direction)
    assert direction._own.directs and told == [None], "it is not given up"
    assert b'"taken":false' in (place.data / "directing.json").read_bytes()
    full[0] = False
    look_now(direction)
    assert b'"taken":true' in (place.data / "directing.json").read_bytes()


def test_a_kiosk_started_again_while_the_disk_is_full_hears_that_its_director_serves(place, monkeypatch):
    Directorate(place, lambda: AT).take_over("000001")

    def full(file: Path, data: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(takeover, "put", full)
    direction = direction_of(place, [])
    direction.told(SERVES)
    direction._own._give_up_at = 0.0
    look_now(direction)
    assert direction._own.directs
