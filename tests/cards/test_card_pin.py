"""A commissioner's PIN: right or wrong, and not for long by guessing."""

from __future__ import annotations

from pathlib import Path

import pytest
from argon2 import PasswordHasher, Type
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.cards import pin
from appliance.cards.counters import Counters
from appliance.cards.pin import ATTEMPTS, LOCK_NS, PinAnswer, PinResult, Pins, hash_pin
from appliance.game.roster import RosterEntry, decode_roster_event, encode_roster_event

PIN, FLOOR = "271828", "000001"
HASH = hash_pin(PIN)


class Clock:
    now = 1

    def __call__(self) -> int:
        return self.now


def test_right_pin_is_right_and_forgives_the_wrong_ones_before() -> None:
    pins = Pins(Clock())
    for _ in range(3):
        assert pins.check(FLOOR, HASH, "000000") == PinResult(PinAnswer.WRONG, 4)
        assert pins.check(FLOOR, HASH, PIN) == PinResult(PinAnswer.RIGHT)


def test_after_five_wrong_ones_even_the_right_one_must_wait_a_quarter_of_an_hour() -> None:
    clock = Clock()
    pins = Pins(clock)
    answers = [pins.check(FLOOR, HASH, f"00000{n}") for n in range(ATTEMPTS)]
    assert [each.left for each in answers] == [4, 3, 2, 1, 0]
    assert answers[-1] == PinResult(PinAnswer.LOCKED, 0, LOCK_NS)
    clock.now += LOCK_NS - 1
    assert pins.check(FLOOR, HASH, PIN).wait_ns == 1
    assert pins.check("000002", HASH, PIN).answer is PinAnswer.RIGHT  # another person's door is open
    clock.now += 1
    assert pins.check(FLOOR, HASH, "000000") == PinResult(PinAnswer.WRONG, 4)
    assert pins.check(FLOOR, HASH, PIN).answer is PinAnswer.RIGHT


def test_a_restart_gives_no_attempts_back(tmp_path: Path) -> None:
    """Who pulls the kiosk's plug after each attempt has no more of them than who does not."""
    for left in (4, 3, 2, 1):
        with Counters(tmp_path / "counters") as kept:
            assert Pins(Clock(), kept).check(FLOOR, HASH, "000000") == PinResult(PinAnswer.WRONG, left)
    clock = Clock()
    with Counters(tmp_path / "counters") as kept:
        assert Pins(clock, kept).check("000002", HASH, PIN).answer is PinAnswer.RIGHT
        assert Pins(clock, kept).check(FLOOR, HASH, "000000").answer is PinAnswer.LOCKED
    with Counters(tmp_path / "counters") as kept:
        pins = Pins(clock, kept)
        assert pins.check(FLOOR, HASH, PIN) == PinResult(PinAnswer.LOCKED, 0, LOCK_NS), "it begins anew"
        clock.now += LOCK_NS
        assert pins.check(FLOOR, HASH, PIN).answer is PinAnswer.RIGHT
    with Counters(tmp_path / "counters") as kept:
        assert Pins(clock, kept).check(FLOOR, HASH, "000000") == PinResult(PinAnswer.WRONG, 4)


def test_an_attempt_is_on_the_disk_before_it_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class PlugPulled(BaseException):
        pass

    def pull(*_: object) -> bool:
        raise PlugPulled

    with Counters(tmp_path / "counters") as kept:
        monkeypatch.setattr(pin, "_holds", pull)
        with pytest.raises(PlugPulled):
            Pins(Clock(), kept).check(FLOOR, HASH, PIN)
        assert kept.wrong_pins(FLOOR) == 1


def test_where_attempts_cannot_be_counted_none_is_given(tmp_path: Path) -> None:
    kept = Counters(tmp_path / "counters")
    kept.close()
    assert Pins(Clock(), kept).check(FLOOR, HASH, PIN) == PinResult(PinAnswer.NONE)


def test_somebody_without_a_pin_has_none() -> None:
    assert Pins(Clock()).check(FLOOR, None, PIN) == PinResult(PinAnswer.NONE)


def test_hash_that_would_cost_a_kiosk_its_memory_is_not_tried() -> None:
    costly = HASH.replace("m=19456", "m=999999")
    assert Pins(Clock()).check(FLOOR, costly, PIN) == PinResult(PinAnswer.NONE)
    for cost in ("m=65537,t=3", "m=7,t=3", "m=19456,t=0", "m=19456,t=11", "m=19456,t=99"):
        beyond = HASH.replace("m=19456,t=3", cost)
        assert Pins(Clock()).check(FLOOR, beyond, PIN) == PinResult(PinAnswer.NONE)
    for most in ("m=65536,t=3", "m=8,t=1", "m=19456,t=10"):  # within bounds, and another hash
        assert Pins(Clock()).check(FLOOR, HASH.replace("m=19456,t=3", most), PIN).answer is PinAnswer.WRONG
    other_kind = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1, type=Type.I).hash(PIN)
    assert Pins(Clock()).check(FLOOR, other_kind, PIN) == PinResult(PinAnswer.NONE)


@pytest.mark.parametrize("pin", ["", "12345", "1234567890123", "12345a", "١٢٣٤٥٦", " 123456"])
def test_pin_has_six_to_twelve_digits(pin: str) -> None:
    with pytest.raises(ValueError):
        hash_pin(pin)
    assert Pins(Clock()).check(FLOOR, HASH, pin).answer is PinAnswer.WRONG


def test_hash_stands_in_the_roster() -> None:
    entry = RosterEntry(participant=FLOOR, state="active", role="commissioner", pin=HASH)
    assert decode_roster_event(*encode_roster_event(entry)) == entry
    assert hash_pin(PIN) != HASH  # salted


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=60) | st.text(max_size=20).map("$argon2id$v=19$m=8,t=1,p=1$".__add__))
def test_any_hash_and_any_pin_get_an_answer(text: str) -> None:
    assert Pins(Clock()).check(FLOOR, text, PIN).answer in (PinAnswer.NONE, PinAnswer.WRONG)
    assert Pins(Clock()).check(FLOOR, None, text).answer is PinAnswer.NONE
