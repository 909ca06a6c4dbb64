"""This device's Ed25519 key (RFC 8032): made on first use, kept beside the journal, readable by its owner alone."""

from __future__ import annotations

import os
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey


class IdentityError(OSError):
    """A key file that is there but cannot be used."""


def load_or_make(path: Path) -> Ed25519PrivateKey:
    """The key in ``path`` (PEM, PKCS #8), made with mode 0600 if there is none. Raises `IdentityError`."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return _make(path)
    except OSError as error:
        raise IdentityError(f"{path}: {error.strerror}") from None
    try:
        key = serialization.load_pem_private_key(data, password=None)
    except (ValueError, TypeError) as error:
        raise IdentityError(f"{path}: no private key in it ({error})") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise IdentityError(f"{path}: not an Ed25519 key")
    return key


def public_hex(key: Ed25519PrivateKey) -> str:
    """The public half, as it stands in configuration files and at the league."""
    return key.public_key().public_bytes_raw().hex()


def public_key(text: str) -> Ed25519PublicKey:
    """A public key from its hex form; raises ValueError."""
    return Ed25519PublicKey.from_public_bytes(bytes.fromhex(text))


def _make(path: Path) -> Ed25519PrivateKey:
    key = Ed25519PrivateKey.generate()
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    partial = path.with_suffix(".new")
    with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(pem)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)
    return key
