"""This device's keys: made on first use, kept beside the journal, readable by their owner alone.

One signs (Ed25519, RFC 8032), another opens what is sealed to the device (X25519, RFC 7748).
"""

from __future__ import annotations

import base64
import os
import re
from pathlib import Path
from typing import TypeAlias

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from appliance.filebytes import own_bytes

CERTIFICATE, AUTHORITY = "device.crt", "league-ca.crt"
"""A device's certificate over its device.key, and that of the league's authority, in its data folder."""

AnyKey: TypeAlias = Ed25519PrivateKey | X25519PrivateKey


_PEM = re.compile(rb"-----BEGIN PRIVATE KEY-----\n([A-Za-z0-9+/]{64})\n-----END PRIVATE KEY-----\n?")
_PREFIXES: dict[bytes, type[Ed25519PrivateKey] | type[X25519PrivateKey]] = {
    bytes.fromhex("302e020100300506032b657004220420"): Ed25519PrivateKey,
    bytes.fromhex("302e020100300506032b656e04220420"): X25519PrivateKey,
}
"""What stands before the 32 bytes of a key in PKCS #8 (RFC 8410 §7, §10.3)."""


class IdentityError(OSError):
    """A key file that is there but cannot be used."""


def load_or_make(path: Path) -> Ed25519PrivateKey:
    """The signing key in ``path`` (PEM, PKCS #8), made with mode 0600 if there is none. Raises `IdentityError`."""
    key = _load(path) or _make(path, Ed25519PrivateKey.generate())
    if not isinstance(key, Ed25519PrivateKey):
        raise IdentityError(f"{path}: not an Ed25519 key")
    return key


def load_or_make_opening(path: Path) -> X25519PrivateKey:
    """The key that opens what is sealed to this device, as `load_or_make` has it. Raises `IdentityError`."""
    key = _load(path) or _make(path, X25519PrivateKey.generate())
    if not isinstance(key, X25519PrivateKey):
        raise IdentityError(f"{path}: not an X25519 key")
    return key


def public_hex(key: Ed25519PrivateKey) -> str:
    """The public half, as it stands in configuration files and at the league."""
    return key.public_key().public_bytes_raw().hex()


def public_key(text: str) -> Ed25519PublicKey:
    """A public key from its hex form; raises ValueError."""
    return Ed25519PublicKey.from_public_bytes(bytes.fromhex(text))


def _load(path: Path) -> object | None:
    """The private key in a file, whatever its kind; None without a file."""
    try:
        data = own_bytes(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise IdentityError(f"{path}: {error.strerror}") from None
    if (key := _as_made_here(data)) is not None:
        return key
    from cryptography.hazmat.primitives import serialization

    try:
        return serialization.load_pem_private_key(data, password=None)
    except (ValueError, TypeError) as error:
        raise IdentityError(f"{path}: no private key in it ({error})") from None


def _as_made_here(data: bytes) -> AnyKey | None:
    """A key in the form that `_make` gives it; a kiosk saves 1.2 MB of the library that reads all others."""
    if not (found := _PEM.fullmatch(data)):
        return None
    der = base64.b64decode(found[1])
    kind = _PREFIXES.get(der[:16])
    return kind.from_private_bytes(der[16:]) if kind is not None else None


def _make(path: Path, key: AnyKey) -> AnyKey:
    from cryptography.hazmat.primitives import serialization

    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    partial = path.with_suffix(".new")
    with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(pem)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)
    return key
