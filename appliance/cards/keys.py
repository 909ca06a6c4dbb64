"""The verification keys (K2) this device holds of the cards expected here: in memory only, for a time (DESIGN §7)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from threading import Lock

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from appliance.cards.seal import SealedKey, unseal
from appliance.cards.secret import Secret

LONGEST_NS = 36 * 3_600_000_000_000
"""No key is held longer, whatever its end and the clock say."""


def since_boot_ns() -> int:
    """Nanoseconds since the machine started, sleep included: nobody sets this clock."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME)


class CardKeys:
    """Keys by UID. Readers' threads ask while another loads; calls take turns."""

    def __init__(self, clock: Callable[[], int] = since_boot_ns) -> None:
        self._clock = clock
        self._lock = Lock()
        self._keys: dict[str, tuple[Secret, int]] = {}

    def __call__(self, uid: str) -> Secret | None:
        """The key of the card with this UID (upper-case hex); None: not here, or no longer."""
        with self._lock:
            key, ends = self._keys.get(uid, (None, 0))
            if key is not None and self._clock() >= ends:
                del self._keys[uid]
                return None
            return key

    def __len__(self) -> int:
        """How many keys are held and still good."""
        with self._lock:
            self._drop_ended()
            return len(self._keys)

    def put(self, uid: str, key: Secret, for_ms: int) -> None:
        """Hold a card's key for so many milliseconds, `LONGEST_NS` at most; it replaces the one held so far."""
        with self._lock:
            self._drop_ended()
            self._keys[uid] = (key, self._clock() + min(for_ms * 1_000_000, LONGEST_NS))

    def load(self, sealed: Iterable[SealedKey], device: str, private: X25519PrivateKey, now_ms: int) -> int:
        """Take over sealed keys that have not ended at this UTC time; returns how many.

        `SealError` for one that is not this device's: then none of them is taken.
        """
        opened = [(one.uid, unseal(one, device, private), one.until - now_ms) for one in sealed if one.until > now_ms]
        for uid, key, left in opened:
            self.put(uid, key, left)
        return len(opened)

    def forget(self) -> None:
        """Let go of all keys."""
        with self._lock:
            self._keys.clear()

    def _drop_ended(self) -> None:
        now = self._clock()
        self._keys = {uid: held for uid, held in self._keys.items() if now < held[1]}
