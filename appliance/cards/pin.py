"""A commissioner's PIN, for a card that cannot prove itself (DESIGN §7).

The roster carries its argon2id hash to every venue, and digits are soon tried through where a hash is at hand: so a
PIN has six digits at least, the hash is made slow, and here at the venue a few wrong ones close the door for a while.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from argon2 import PasswordHasher

ATTEMPTS = 5
LOCK_NS = 15 * 60 * 1_000_000_000
MAX_COST_KIB = 1 << 16
"""No hash of the roster may ask for more of a kiosk's memory."""

_PIN = re.compile(r"[0-9]{6,12}")
_COST = re.compile(r"\$argon2id\$v=19\$m=([0-9]{1,6}),t=([0-9]{1,2}),p=([0-9]{1,2})\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+")
_MAX_TIME, _MAX_LANES = 10, 4


class PinAnswer(StrEnum):
    """What a typed PIN led to; stable codes."""

    RIGHT = "right"
    WRONG = "wrong"
    LOCKED = "locked"
    """Too many wrong ones; none is looked at until the lock ends."""
    NONE = "none"
    """The league knows no PIN of this person, or none that can be checked here."""


class PinResult(Struct, frozen=True):
    """``left``: attempts before the lock; ``wait_ns``: until the lock ends, 0 where there is none."""

    answer: PinAnswer
    left: int = ATTEMPTS
    wait_ns: int = 0


def hash_pin(pin: str) -> str:
    """The hash that goes into the roster; ValueError unless the PIN has 6 to 12 digits."""
    if not _PIN.fullmatch(pin):
        raise ValueError("a PIN of 6 to 12 digits")
    return _hasher().hash(pin)


class Kept(Protocol):
    """Where wrong PINs are counted so that no restart forgets them (`Counters`); OSError where that fails."""

    def wrong_pins(self, participant: str) -> int: ...
    def keep_wrong_pins(self, participant: str, wrong: int) -> None: ...


class Pins:
    """Checks PINs and counts wrong ones by person, on a clock that nobody sets. For one thread.

    ``kept``: their number outlives this program; a lock that was on begins anew then, for no clock tells how long the
    program was gone. Without it they are counted in memory.
    """

    def __init__(self, clock: Callable[[], int] = time.monotonic_ns, kept: Kept | None = None) -> None:
        self._clock = clock
        self._kept = kept
        self._wrong: dict[str, int] = {}
        self._locked_until: dict[str, int] = {}

    def check(self, participant: str, pin_hash: str | None, pin: str) -> PinResult:
        """Whether this is the person's PIN; takes some tens of milliseconds. Raises nothing."""
        now, until = self._clock(), self._locked_until.get(participant, 0)
        if now < until:
            return PinResult(PinAnswer.LOCKED, 0, until - now)
        if pin_hash is None or not _affordable(pin_hash):
            return PinResult(PinAnswer.NONE)
        try:
            if until:
                del self._locked_until[participant]
                self._keep(participant, 0)
            return self._attempt(participant, pin_hash, pin, now)
        except OSError:
            return PinResult(PinAnswer.NONE)  # who cannot count attempts gives none

    def locked_ns(self, participant: str) -> int:
        """How long none of this person's PINs will be looked at; 0: one may be typed. Raises nothing."""
        now, until = self._clock(), self._locked_until.get(participant, 0)
        if until:
            return max(0, until - now)
        try:
            if self._before(participant) < ATTEMPTS:
                return 0
        except OSError:
            return 0  # `check` will say so
        self._locked_until[participant] = now + LOCK_NS  # of a run before this one
        return LOCK_NS

    def _before(self, participant: str) -> int:
        known = self._wrong.get(participant)
        if known is None:
            known = self._kept.wrong_pins(participant) if self._kept else 0
        return known

    def _attempt(self, participant: str, pin_hash: str, pin: str, now: int) -> PinResult:
        before = self._before(participant)
        if before >= ATTEMPTS:  # of a run before this one
            self._locked_until[participant] = now + LOCK_NS
            return PinResult(PinAnswer.LOCKED, 0, LOCK_NS)
        self._keep(participant, before + 1)  # first, so that a plug pulled meanwhile gives nothing back
        if _PIN.fullmatch(pin) and _holds(pin_hash, pin):
            self._keep(participant, 0)
            return PinResult(PinAnswer.RIGHT)
        if before + 1 >= ATTEMPTS:
            self._locked_until[participant] = now + LOCK_NS
            return PinResult(PinAnswer.LOCKED, 0, LOCK_NS)
        return PinResult(PinAnswer.WRONG, ATTEMPTS - before - 1)

    def _keep(self, participant: str, wrong: int) -> None:
        if self._kept:
            self._kept.keep_wrong_pins(participant, wrong)
        self._wrong[participant] = wrong


def _affordable(pin_hash: str) -> bool:
    cost = _COST.fullmatch(pin_hash)
    if cost is None:
        return False
    memory, rounds, lanes = map(int, cost.groups())
    return 8 <= memory <= MAX_COST_KIB and 1 <= rounds <= _MAX_TIME and 1 <= lanes <= _MAX_LANES


def _hasher() -> PasswordHasher:
    """Loaded when somebody types a PIN: few kiosks ever ask for one."""
    from argon2 import PasswordHasher, Type

    return PasswordHasher(time_cost=3, memory_cost=19 << 10, parallelism=1, hash_len=32, salt_len=16, type=Type.ID)


def _holds(pin_hash: str, pin: str) -> bool:
    from argon2.exceptions import Argon2Error, InvalidHashError

    try:
        return _hasher().verify(pin_hash, pin)
    except (Argon2Error, InvalidHashError):
        return False
