"""A commissioner's PIN, for a card that cannot prove itself (DESIGN §7).

The roster carries its argon2id hash to every venue, and digits are soon tried through where a hash is at hand: so a
PIN has six digits at least, the hash is made slow, and here at the venue a few wrong ones close the door for a while.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from argon2 import PasswordHasher, Type
from argon2.exceptions import Argon2Error, InvalidHashError

ATTEMPTS = 5
LOCK_NS = 15 * 60 * 1_000_000_000
MAX_COST_KIB = 1 << 16
"""No hash of the roster may ask for more of a kiosk's memory."""

_PIN = re.compile(r"[0-9]{6,12}")
_COST = re.compile(r"\$argon2id\$v=19\$m=([0-9]{1,6}),t=([0-9]{1,2}),p=([0-9]{1,2})\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+")
_MAX_TIME, _MAX_LANES = 10, 4
_hasher = PasswordHasher(time_cost=3, memory_cost=19 << 10, parallelism=1, hash_len=32, salt_len=16, type=Type.ID)


class PinAnswer(StrEnum):
    """What a typed PIN led to; stable codes."""

    RIGHT = "right"
    WRONG = "wrong"
    LOCKED = "locked"
    """Too many wrong ones; none is looked at until the lock ends."""
    NONE = "none"
    """The league knows no PIN of this person, or none that can be checked here."""


@dataclass(frozen=True, slots=True)
class PinResult:
    """``left``: attempts before the lock; ``wait_ns``: until the lock ends, 0 where there is none."""

    answer: PinAnswer
    left: int = ATTEMPTS
    wait_ns: int = 0


def hash_pin(pin: str) -> str:
    """The hash that goes into the roster; ValueError unless the PIN has 6 to 12 digits."""
    if not _PIN.fullmatch(pin):
        raise ValueError("a PIN of 6 to 12 digits")
    return _hasher.hash(pin)


class Pins:
    """Checks PINs and counts wrong ones by person, in memory and on a clock that nobody sets. For one thread."""

    def __init__(self, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self._clock = clock
        self._wrong: dict[str, int] = {}
        self._locked_until: dict[str, int] = {}

    def check(self, participant: str, pin_hash: str | None, pin: str) -> PinResult:
        """Whether this is the person's PIN; takes some tens of milliseconds. Raises nothing."""
        now, until = self._clock(), self._locked_until.get(participant, 0)
        if now < until:
            return PinResult(PinAnswer.LOCKED, 0, until - now)
        if until:
            del self._locked_until[participant]
            self._wrong.pop(participant, None)
        if pin_hash is None or not _affordable(pin_hash):
            return PinResult(PinAnswer.NONE)
        if _PIN.fullmatch(pin) and _holds(pin_hash, pin):
            self._wrong.pop(participant, None)
            return PinResult(PinAnswer.RIGHT)
        wrong = self._wrong.get(participant, 0) + 1
        self._wrong[participant] = wrong
        if wrong >= ATTEMPTS:
            self._locked_until[participant] = now + LOCK_NS
            return PinResult(PinAnswer.LOCKED, 0, LOCK_NS)
        return PinResult(PinAnswer.WRONG, ATTEMPTS - wrong)


def _affordable(pin_hash: str) -> bool:
    cost = _COST.fullmatch(pin_hash)
    if cost is None:
        return False
    memory, rounds, lanes = map(int, cost.groups())
    return 8 <= memory <= MAX_COST_KIB and 1 <= rounds <= _MAX_TIME and 1 <= lanes <= _MAX_LANES


def _holds(pin_hash: str, pin: str) -> bool:
    try:
        return _hasher.verify(pin_hash, pin)
    except (Argon2Error, InvalidHashError):
        return False
