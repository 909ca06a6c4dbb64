"""AES-128 as the cards use it: CBC, CMAC (RFC 4493), the truncated MAC, and key diversification (NXP AN10922)."""

from __future__ import annotations

import hmac

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES128
from cryptography.hazmat.primitives.ciphers.modes import CBC
from cryptography.hazmat.primitives.cmac import CMAC

from appliance.cards.secret import Secret

BLOCK = 16
ZERO_IV = bytes(BLOCK)

UID_BYTES = 7
SYSTEM_ID_BYTES = range(8, 24)
"""Lengths of a system identifier: the diversification input must have 16 to 31 bytes."""


def _cipher(key: Secret) -> AES128:
    if len(key) != BLOCK:
        # not left to the library, whose traceback would carry the bytes
        raise ValueError("a key of 16 bytes")
    return AES128(key.reveal())


def cmac(key: Secret, message: bytes) -> bytes:
    """The 16-byte AES-CMAC of a message."""
    mac = CMAC(_cipher(key))
    mac.update(message)
    return mac.finalize()


def mac8(key: Secret, message: bytes) -> bytes:
    """The truncated MAC of NXP's cards: every second byte of the CMAC, from the second on."""
    return cmac(key, message)[1::2]


def mac8_holds(key: Secret, message: bytes, mac: bytes) -> bool:
    """Whether ``mac`` is the message's truncated MAC, in constant time."""
    return hmac.compare_digest(mac8(key, message), mac)


def encrypt(key: Secret, plain: bytes | Secret, iv: bytes = ZERO_IV) -> bytes:
    """AES-CBC without padding; ``plain`` in whole blocks."""
    encryptor = Cipher(_cipher(key), CBC(iv)).encryptor()
    return encryptor.update(plain.reveal() if isinstance(plain, Secret) else plain) + encryptor.finalize()


def decrypt(key: Secret, data: bytes, iv: bytes = ZERO_IV) -> bytes:
    """The inverse of `encrypt`; ``data`` in whole blocks."""
    decryptor = Cipher(_cipher(key), CBC(iv)).decryptor()
    return decryptor.update(data) + decryptor.finalize()


def pad(data: bytes) -> bytes:
    """ISO/IEC 9797-1 padding method 2: 80, then zeros to a whole block; always at least one byte."""
    return data + b"\x80" + bytes(-(len(data) + 1) % BLOCK)


def unpad(data: bytes) -> bytes:
    """The inverse of `pad`; ValueError when the padding is not exactly that."""
    plain = data.rstrip(b"\0")
    if plain[-1:] != b"\x80" or len(data) - len(plain) >= BLOCK:
        raise ValueError("not padded")
    return plain[:-1]


def diversify(master: Secret, uid: bytes, key_no: int, system_id: bytes) -> Secret:
    """The key of one card: AN10922 for AES-128 over UID, key number and system identifier.

    ``uid`` has 7 bytes, ``system_id`` 8 to 23: shorter input would need the note's own padding to two blocks,
    which is no plain CMAC. ValueError otherwise.
    """
    if len(uid) != UID_BYTES or len(system_id) not in SYSTEM_ID_BYTES:
        raise ValueError("a UID of 7 bytes and a system identifier of 8 to 23")
    return an10922(master, uid + bytes([key_no]) + system_id)


def an10922(master: Secret, diversifier: bytes) -> Secret:
    """AN10922, 2.2: CMAC over the constant 01 and 16 to 31 bytes of input; ValueError for other lengths."""
    if len(diversifier) not in range(16, 32):
        raise ValueError("a diversification input of 16 to 31 bytes")
    return Secret(cmac(master, b"\x01" + diversifier))
