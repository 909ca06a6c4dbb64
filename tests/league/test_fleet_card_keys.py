"""Keys of cards go to a device by the league's stream: sealed, signed by the desk, in parts that a record can hold."""

from __future__ import annotations

import time
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from django.core.management import CommandError, call_command

from appliance import record as rec
from appliance.cards import seal
from appliance.cards.keys import CardKeys
from appliance.cards.secret import Secret
from appliance.game.roster import Roster, decode_roster_event, fold_roster
from league.ingest.models import RawRecord
from league.people.models import CardKey
from league.rounds.models import Device, Venue

DESK = Ed25519PrivateKey.from_private_bytes(bytes(range(2, 34)))
OPENING = X25519PrivateKey.from_private_bytes(bytes(range(3, 35)))
HOUR = 3_600_000


@pytest.fixture(autouse=True)
def door(imported: dict[str, Any], settings_dir: Path) -> Device:
    CardKey.objects.create(league="demo", public_key=DESK.public_key().public_bytes_raw().hex())
    return Device.objects.create(venue_id="zabreh", name="door", role="door", public_key="ab" * 32)


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def exported(
    folder: Path, cards: int = 1, device: str = "door", *, hours: int = 36, by: Ed25519PrivateKey = DESK
) -> str:
    until = now_ms() + hours * HOUR
    keys = [
        seal.seal(Secret(bytes([n % 256]) * 16), device, OPENING.public_key(), f"04{n:012X}", until)
        for n in range(cards)
    ]
    file = folder / f"{device}-{cards}.json"
    seal.write(file, seal.encode(keys, device, by))
    return str(file)


def send(*arguments: str) -> str:
    out = StringIO()
    call_command("send_card_keys", *arguments, stdout=out)
    return out.getvalue()


def roster() -> Roster:
    roster = Roster()
    for row in RawRecord.objects.filter(stream="league/zabreh").order_by("seq"):
        record = rec.decode(bytes(row.raw))
        roster = fold_roster(roster, decode_roster_event(record.type, record.data))
    return roster


@pytest.mark.parametrize("cards", [1, 700])
def test_sealed_keys_reach_their_device_and_open_there_alone(tmp_path: Path, cards: int) -> None:
    file = exported(tmp_path, cards)
    assert send(file) == "zabreh/door: sent\n"
    assert all(len(bytes(row.raw)) <= rec.MAX_RECORD_BYTES for row in RawRecord.objects.all())
    data = roster().card_keys["door"]
    assert data == Path(file).read_bytes()
    held = CardKeys()
    assert held.load(seal.decode(data, "door", DESK.public_key()), "door", OPENING, now_ms()) == cards
    assert send(file) == "zabreh/door: nothing to do\n"
    newer = exported(tmp_path, cards + 1)
    assert send(newer) == "zabreh/door: sent\n"
    assert roster().card_keys["door"] == Path(newer).read_bytes()


def test_what_no_device_would_take_is_not_sent(tmp_path: Path, door: Device) -> None:
    torn = tmp_path / "torn"
    torn.write_bytes(b"{}")
    good = exported(tmp_path)
    for file, why in (
        (str(torn), "not a file of sealed keys"),
        (str(tmp_path / "none"), "No such file"),
        (exported(tmp_path, 2, by=OTHER), "not signed by the league"),
        (exported(tmp_path, 3, hours=-1), "counts any longer"),
        (exported(tmp_path, 1, "table-9"), "no device table-9"),
    ):
        with pytest.raises(CommandError, match=why):
            send(good, file)
    assert not RawRecord.objects.exists(), "all files or none"
    Venue.objects.create(id="brno", name="Brno")
    Device.objects.create(venue_id="brno", name="door", role="door", public_key="cd" * 32)
    with pytest.raises(CommandError, match="--venue"):
        send(good)
    assert send(good, "--venue", "zabreh") == "zabreh/door: sent\n"
    Device.objects.filter(pk=door.pk).update(revoked_at="2027-01-01T00:00:00Z")
    with pytest.raises(CommandError, match="no device door at zabreh that counts"):
        send(good, "--venue", "zabreh")


OTHER = Ed25519PrivateKey.from_private_bytes(bytes(range(4, 36)))
