"""Secure messaging of the NTAG 424 DNA after an EV2 authentication, the reader's side (NT4H2421Gx, 9.1).

Both sides count commands. Every MAC holds the counter and the transaction identifier, so that no command or answer
can be left out, repeated or moved into another transaction.
"""

from __future__ import annotations

from enum import IntEnum

from appliance.cards.aes import BLOCK, cmac, decrypt, encrypt, mac8, mac8_holds, pad, unpad
from appliance.cards.apdu import CardError, Fault
from appliance.cards.secret import Secret

MAC_BYTES = 8


class CommMode(IntEnum):
    """How a command and its answer travel; the values are those of a file's settings."""

    PLAIN = 0
    MAC = 1
    FULL = 3
    """Encrypted, and the cryptogram under a MAC."""


def session_keys(key: Secret, rnd_a: bytes, rnd_b: bytes) -> tuple[Secret, Secret]:
    """The session's keys for encryption and for MACs, out of both random numbers (9.1.7)."""
    mixed = bytes(a ^ b for a, b in zip(rnd_a[2:8], rnd_b[:6], strict=True))
    context = b"\0\x01\0\x80" + rnd_a[:2] + mixed + rnd_b[6:] + rnd_a[8:]
    return Secret(cmac(key, b"\xa5\x5a" + context)), Secret(cmac(key, b"\x5a\xa5" + context))


class Session:
    """The keys of one authentication, the transaction it belongs to and the command counter."""

    def __init__(self, enc: Secret, mac: Secret, ti: bytes, counter: int = 0) -> None:
        self._enc = enc
        self._mac = mac
        self.ti = ti
        self.counter = counter

    def protect(self, mode: CommMode, ins: int, header: bytes, data: bytes | Secret) -> bytes:
        """The data field of a command; counts it."""
        if mode is CommMode.FULL and len(data):
            body = encrypt(self._enc, _padded(data), self._iv(b"\xa5\x5a"))
        else:
            body = data.reveal() if isinstance(data, Secret) else data
        field = header + body
        mac = mac8(self._mac, bytes([ins]) + self._context() + field) if mode is not CommMode.PLAIN else b""
        self.counter += 1
        return field + mac

    def accept(self, mode: CommMode, answer: bytes) -> bytes:
        """What a successful answer says, once its MAC is right; `CardError` otherwise."""
        if mode is CommMode.PLAIN:
            return answer
        if len(answer) < MAC_BYTES:
            raise CardError(Fault.MALFORMED)
        body, mac = answer[:-MAC_BYTES], answer[-MAC_BYTES:]
        if not mac8_holds(self._mac, b"\0" + self._context() + body, mac):
            raise CardError(Fault.FORGED)
        if mode is CommMode.MAC or not body:
            return body
        if len(body) % BLOCK:
            raise CardError(Fault.MALFORMED)
        try:
            return unpad(decrypt(self._enc, body, self._iv(b"\x5a\xa5")))
        except ValueError:
            raise CardError(Fault.FORGED) from None

    def _context(self) -> bytes:
        return self.counter.to_bytes(2, "little") + self.ti

    def _iv(self, label: bytes) -> bytes:
        return encrypt(self._enc, label + self.ti + self.counter.to_bytes(2, "little") + bytes(8))


def _padded(data: bytes | Secret) -> Secret:
    return Secret(pad(data.reveal() if isinstance(data, Secret) else data))
