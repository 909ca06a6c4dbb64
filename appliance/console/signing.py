"""How a phone's requests are signed where no TLS is (a venue's network has none): HMAC-SHA-256 over all that counts.

The same in the browser: ``static/signing.js``; ``tests/console/vectors.json`` holds both to the same bytes. A key
comes to the phone in a picture on a screen and is on no wire. A listener reads what is asked and answered, and can say
nothing himself; nor can he say it again: a count is taken once (`Window`).
"""

from __future__ import annotations

import base64
import hashlib
import hmac

SESSION, COUNT, SIGNATURE = "x-tableside-session", "x-tableside-count", "x-tableside-signature"
"""Headers of a signed request: 16 hex digits, a decimal number, 64 hex digits."""

KEY_BYTES, NONCE_BYTES = 32, 16
MOST_COUNT = 2**53 - 1
"""The largest whole number that a browser counts to exactly."""

_REQUEST, _CODE = b"tableside-phone-1\n", b"tableside-phone-code-1\n"


def message(method: str, path: str, count: int, body: bytes) -> bytes:
    """The bytes that are signed. ``path`` is as sent, with its query; ``body`` is empty where none is sent."""
    return _REQUEST + f"{method}\n{path}\n{count}\n{hashlib.sha256(body).hexdigest()}".encode()


def sign(key: bytes, method: str, path: str, count: int, body: bytes) -> str:
    """The signature of a request, in hex."""
    return hmac.new(key, message(method, path, count, body), hashlib.sha256).hexdigest()


def holds(key: bytes, signature: str, method: str, path: str, count: int, body: bytes) -> bool:
    """Whether a request was signed with this key; takes the same time for every wrong signature."""
    return hmac.compare_digest(sign(key, method, path, count, body).encode(), signature.encode())


def code(key: bytes, nonce: bytes) -> str:
    """Four digits that phone and kiosk show when the phone has come: of its key, and of a number that it made itself.

    The first four bytes of HMAC-SHA-256 as a big-endian number, modulo 10,000.
    """
    made = hmac.new(key, _CODE + nonce, hashlib.sha256).digest()
    return f"{int.from_bytes(made[:4], 'big') % 10_000:04}"


def fragment(session: str, key: bytes) -> str:
    """What stands behind the ``#`` of the address in the picture: a browser sends it nowhere."""
    return f"{session}.{base64.urlsafe_b64encode(key).decode().rstrip('=')}"


class Window:
    """Which counts of a phone were taken: each one once, and none that is 64 or more below the highest (RFC 4303
    §3.4.3, RFC 6479). Requests of one phone overtake each other, so the highest alone would refuse some.
    """

    SIZE = 64

    def __init__(self, high: int = 0) -> None:
        """Counts up to ``high`` are taken."""
        self.high = high
        self._taken = (1 << self.SIZE) - 1

    def take(self, count: int) -> bool:
        """Take one; False if it was taken, or is too old, or none."""
        if not 0 < count <= MOST_COUNT:
            return False
        ahead = count - self.high
        if ahead > 0:
            self._taken = (self._taken << min(ahead, self.SIZE) | 1) & ((1 << self.SIZE) - 1)
            self.high = count
            return True
        if -ahead >= self.SIZE or self._taken & 1 << -ahead:
            return False
        self._taken |= 1 << -ahead
        return True
