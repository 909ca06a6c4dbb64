"""Secure messaging, the card's side (NT4H2421Gx, 9.1): written from the data sheet, apart from the reader's side.

The two share AES and CMAC, which have vectors of their own, and nothing else: a mistake on one side shows.
"""

from __future__ import annotations

import hmac

from appliance.cards.aes import cmac, decrypt, encrypt
from appliance.cards.secret import Secret


class BadMac(ValueError):
    """A command's MAC or padding is wrong."""


class CardSession:
    """One authentication: its key's number, session keys, transaction identifier and command counter."""

    def __init__(self, key_no: int, key: Secret, rnd_a: bytes, rnd_b: bytes, ti: bytes, counter: int = 0) -> None:
        self.key_no = key_no
        self.ti = ti
        self.counter = counter
        self._enc = _derived(key, 0xA55A, rnd_a, rnd_b)
        self._mac = _derived(key, 0x5AA5, rnd_a, rnd_b)

    def count(self) -> None:
        """Count a command that came in plain."""
        if self.counter == 0xFFFF:
            raise BadMac
        self.counter += 1

    def check(self, ins: int, field: bytes) -> bytes:
        """The data field without its MAC, counted; `BadMac` when it is not right."""
        body, mac = field[:-8], field[-8:]
        signed = bytes([ins, self.counter & 0xFF, self.counter >> 8, *self.ti, *body])
        if len(mac) != 8 or not hmac.compare_digest(self._short_mac(signed), mac):
            raise BadMac
        self.count()
        return body

    def decrypt(self, cryptogram: bytes) -> bytes:
        """The plain data of a command already counted; `BadMac` for wrong padding or length."""
        if not cryptogram or len(cryptogram) % 16:
            raise BadMac
        plain = decrypt(self._enc, cryptogram, self._vector(0xA55A, self.counter - 1))
        end = len(plain) - 1
        while end > len(plain) - 16 and plain[end] == 0:
            end -= 1
        if plain[end] != 0x80:
            raise BadMac
        return plain[:end]

    def sign(self, answer: bytes) -> bytes:
        """An answer with its MAC."""
        return answer + self._short_mac(bytes([0, self.counter & 0xFF, self.counter >> 8, *self.ti, *answer]))

    def encrypt(self, answer: bytes) -> bytes:
        """An answer's cryptogram; nothing stays nothing."""
        if not answer:
            return b""
        zeros = 15 - len(answer) % 16
        return encrypt(self._enc, answer + b"\x80" + b"\0" * zeros, self._vector(0x5AA5, self.counter))

    def _vector(self, label: int, counter: int) -> bytes:
        return encrypt(self._enc, label.to_bytes(2) + self.ti + bytes([counter & 0xFF, counter >> 8]) + b"\0" * 8)

    def _short_mac(self, message: bytes) -> bytes:
        full = cmac(self._mac, message)
        return bytes(full[place] for place in (1, 3, 5, 7, 9, 11, 13, 15))


def _derived(key: Secret, label: int, rnd_a: bytes, rnd_b: bytes) -> Secret:
    """A session key: the data sheet counts the bytes of both random numbers from the right."""
    a, b = rnd_a[::-1], rnd_b[::-1]
    vector = label.to_bytes(2) + bytes.fromhex("00010080")
    vector += bytes([a[15], a[14]])
    vector += bytes(a[13 - i] ^ b[15 - i] for i in range(6))
    vector += bytes(b[9 - i] for i in range(10))
    vector += bytes(a[7 - i] for i in range(8))
    return Secret(cmac(key, vector))
