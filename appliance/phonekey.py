"""A phone's key on its way from the kiosk that made it to the director: sealed, so that a network without TLS hears
nothing of it.

The director names an X25519 key that lives as long as its program (`Phones.seal`). The kiosk makes a pair for this one
box; HKDF-SHA256 makes of their secret the AES-256-GCM key that seals the phone's, with its session bound in, so that no
box opens as another phone's.
"""

from __future__ import annotations

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

KEY_BYTES = 32
BOX_BYTES = 32 + KEY_BYTES + 16
"""A public key, the phone's key and a tag."""

_DOMAIN = b"tableside sealed phone key 1\0"
_NONCE = bytes(12)  # each AES key is used once


class BadBox(ValueError):
    """What is no sealed key of this session, or sealed to another director."""


def seal(key: bytes, session: str, to: str) -> str:
    """A phone's key, sealed to a director; ``to`` is its X25519 key in hex. Raises `BadBox` for no such key."""
    if len(key) != KEY_BYTES:
        raise ValueError("a key of 32 bytes")
    own = X25519PrivateKey.generate()
    public = own.public_key().public_bytes_raw()
    try:
        cipher = _cipher(own.exchange(X25519PublicKey.from_public_bytes(bytes.fromhex(to))), public, bytes.fromhex(to))
    except ValueError:
        raise BadBox("no X25519 key") from None
    return (public + cipher.encrypt(_NONCE, key, _DOMAIN + session.encode())).hex()


def unseal(box: str, session: str, key: X25519PrivateKey) -> bytes:
    """The phone's key; `BadBox` unless it was sealed to this director's ``key`` for this session."""
    try:
        data = bytes.fromhex(box)
        public, sealed = data[:32], data[32:]
        shared = key.exchange(X25519PublicKey.from_public_bytes(public))
        plain = _cipher(shared, public, key.public_key().public_bytes_raw()).decrypt(
            _NONCE, sealed, _DOMAIN + session.encode()
        )
    except (InvalidTag, ValueError):
        raise BadBox(session) from None
    if len(plain) != KEY_BYTES:
        raise BadBox(session)
    return plain


def _cipher(shared: bytes, public: bytes, to: bytes) -> AESGCM:
    return AESGCM(HKDF(SHA256(), 32, salt=None, info=_DOMAIN + public + to).derive(shared))
