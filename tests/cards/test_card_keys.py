"""Verification keys: sealed to one device, signed by the league, in memory for a day and a half at most."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from appliance.cards import keys as card_keys
from appliance.cards import seal
from appliance.cards.keys import LONGEST_NS, CardKeys
from appliance.cards.seal import SealedKey, SealError
from appliance.cards.secret import Secret
from tests.cards.issued import LEAGUE, OTHER_UID, UID, text

HOUR_MS = 3_600_000
NOW = 1_800_000_000_000
DOOR = X25519PrivateKey.from_private_bytes(bytes(range(32)))
LEAGUE_KEY = LEAGUE.key.public_key()
K2 = LEAGUE.k2()


class Clock:
    now = 0

    def __call__(self) -> int:
        return self.now


def sealed(uid: bytes = UID, until: int = NOW + 8 * HOUR_MS, device: str = "door") -> SealedKey:
    return seal.seal(LEAGUE.k2(uid), device, DOOR.public_key(), text(uid), until)


def file(*keys: SealedKey, device: str = "door", by: Ed25519PrivateKey = LEAGUE.key) -> bytes:
    return seal.encode(keys or (sealed(),), device, by)


def test_sealed_key_opens_for_its_device() -> None:
    assert seal.unseal(sealed(), "door", DOOR) == K2


@pytest.mark.parametrize(
    "other",
    [
        {"uid": text(OTHER_UID)},
        {"until": NOW + 9 * HOUR_MS},
        {"box": (box := sealed().box)[:-1] + ("0" if box[-1] != "0" else "1")},
        {"box": "00" * 64},
    ],
)
def test_sealed_key_opens_as_nothing_else(other: dict[str, object]) -> None:
    with pytest.raises(SealError):
        seal.unseal(msgspec.structs.replace(sealed(), **other), "door", DOOR)


def test_sealed_key_opens_on_no_other_device() -> None:
    for device, private in (("table-1", DOOR), ("door", X25519PrivateKey.generate())):
        with pytest.raises(SealError):
            seal.unseal(sealed(), device, private)


@given(st.integers(0, 63), st.integers(1, 255))
def test_changed_box_does_not_open(place: int, bits: int) -> None:
    one = sealed()
    box = bytearray.fromhex(one.box)
    box[place] ^= bits
    with pytest.raises(SealError):
        seal.unseal(msgspec.structs.replace(one, box=box.hex()), "door", DOOR)


def test_highest_bit_of_the_boxs_own_key_is_bound_too() -> None:
    """X25519 ignores it; the box's own key is bound in as it is written."""
    one = sealed()
    box = bytearray.fromhex(one.box)
    box[31] ^= 0x80
    with pytest.raises(SealError):
        seal.unseal(msgspec.structs.replace(one, box=box.hex()), "door", DOOR)


def test_file_is_read_by_its_device_alone_and_from_the_league_alone(tmp_path: Path) -> None:
    path = tmp_path / "cards.keys"
    seal.write(path, file(sealed(), sealed(OTHER_UID)))
    assert path.stat().st_mode & 0o777 == 0o600
    assert [one.uid for one in seal.read(path, "door", LEAGUE_KEY)] == [text(UID), text(OTHER_UID)]
    with pytest.raises(SealError, match="not for 'table-1'"):
        seal.read(path, "table-1", LEAGUE_KEY)
    seal.write(path, file(by=Ed25519PrivateKey.generate()))
    with pytest.raises(SealError, match="signed"):
        seal.read(path, "door", LEAGUE_KEY)


def test_file_with_any_change_is_not_the_leagues() -> None:
    good = json.loads(file())
    for change in (
        {"device": "table-1"},
        {"keys": [*good["sealed"]["keys"], *good["sealed"]["keys"]]},
        {"keys": []},
    ):
        bad = {**good, "sealed": good["sealed"] | change}
        with pytest.raises(SealError):
            seal.decode(json.dumps(bad).encode(), "door", LEAGUE_KEY)


@pytest.mark.parametrize("data", [b"", b"{}", b"[" * 100_000, b"\xff", b'{"sealed":{"version":2}}', file()[:-20]])
def test_what_is_no_such_file_is_refused(data: bytes) -> None:
    with pytest.raises(SealError):
        seal.decode(data, "door", LEAGUE_KEY)


def test_file_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seal.write(tmp_path / "keys", file())
    monkeypatch.setattr(seal, "MAX_FILE_BYTES", 100)
    with pytest.raises(SealError, match="more than"):
        seal.read(tmp_path / "keys", "door", LEAGUE_KEY)


def test_only_keys_of_16_bytes_are_sealed() -> None:
    with pytest.raises(ValueError):
        seal.seal(Secret(b"short"), "door", DOOR.public_key(), text(UID), NOW)


def test_loaded_key_is_held_until_its_end() -> None:
    clock = Clock()
    held = CardKeys(clock)
    assert held.load([sealed(), sealed(OTHER_UID, NOW + HOUR_MS)], "door", DOOR, NOW) == 2
    assert (held(text(UID)), held(text(OTHER_UID)), len(held)) == (K2, LEAGUE.k2(OTHER_UID), 2)
    clock.now = HOUR_MS * 1_000_000
    assert (held(text(UID)), held(text(OTHER_UID)), len(held)) == (K2, None, 1)
    clock.now = 8 * HOUR_MS * 1_000_000
    assert (held(text(UID)), len(held)) == (None, 0)


def test_no_key_is_held_for_more_than_36_hours() -> None:
    clock = Clock()
    held = CardKeys(clock)
    held.load([sealed(until=NOW + 1000 * HOUR_MS)], "door", DOOR, NOW)
    clock.now = LONGEST_NS - 1
    assert held(text(UID)) == K2
    clock.now = LONGEST_NS
    assert held(text(UID)) is None
    assert LONGEST_NS == 36 * HOUR_MS * 1_000_000


def test_ended_keys_are_not_taken_and_one_that_is_not_ours_spoils_all() -> None:
    held = CardKeys(Clock())
    assert held.load([sealed(until=NOW)], "door", DOOR, NOW) == 0
    with pytest.raises(SealError):
        held.load([sealed(), sealed(OTHER_UID, device="table-1")], "door", DOOR, NOW)
    assert len(held) == 0


def test_keys_are_let_go_of() -> None:
    held = CardKeys(Clock())
    held.put(text(UID), K2, HOUR_MS)
    held.forget()
    assert held(text(UID)) is None


def test_clock_of_the_keys_goes_on_while_the_machine_sleeps() -> None:
    assert card_keys.since_boot_ns() <= CardKeys()._clock()


def test_keys_tell_themselves_to_nobody() -> None:
    held = CardKeys(Clock())
    held.put(text(UID), K2, HOUR_MS)
    assert K2.reveal().hex() not in repr(held) + repr(vars(held)) + repr(sealed())
    with pytest.raises(TypeError):
        pickle.dumps(held)
    assert K2.reveal() not in file() and K2.reveal().hex().encode() not in file()
