"""The league's authority for devices: its key and its certificate in the data directory, made once.

``TABLESIDE_CA_PASSPHRASE``, where it is set, seals the key file. Its key signs certificates and nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance import certificates
from appliance.certificates import Authority, CertificateError
from appliance.filebytes import Unreadable, read_bytes

VARIABLE = "TABLESIDE_CA_PASSPHRASE"
KEY, CERTIFICATE = "league-ca.key", "league-ca.crt"


class AuthorityError(OSError):
    """There is no authority here, or it cannot be used; the text says why and what to do."""


def make(home: Path, name: str, environ: Mapping[str, str] = os.environ) -> Authority:
    """Make the authority. Raises `AuthorityError` if there is one: its devices would be strangers at once."""
    if (home / KEY).exists():
        raise AuthorityError(f"{home / KEY}: there is an authority already; it is never overwritten")
    key = Ed25519PrivateKey.generate()
    try:
        made = Authority(key, certificates.make_authority(key, name))
    except ValueError as error:
        raise AuthorityError(f"{name[:80]!r}: {error}") from None
    phrase = environ.get(VARIABLE, "").encode()
    sealing = serialization.BestAvailableEncryption(phrase) if phrase else serialization.NoEncryption()
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, sealing)
    write(home / CERTIFICATE, certificates.pem(made.certificate), 0o644)
    write(home / KEY, pem, 0o600)
    return made


def load(home: Path, environ: Mapping[str, str] = os.environ) -> Authority:
    """The authority of this league. Raises `AuthorityError`."""
    path = home / KEY
    if not path.exists():
        raise AuthorityError(f"{path} is not there: tableside league ca init")
    phrase = environ.get(VARIABLE, "").encode() or None
    try:
        key = serialization.load_pem_private_key(read_bytes(path, certificates.MOST_BYTES), phrase)
        certificate = certificates.read(home / CERTIFICATE)
    except Unreadable as error:
        raise AuthorityError(f"{path}: {error}") from None
    except CertificateError as error:
        raise AuthorityError(str(error)) from None
    except TypeError:
        why = f"it is not sealed; unset {VARIABLE}" if phrase else f"it is sealed: {VARIABLE} must hold the passphrase"
        raise AuthorityError(f"{path}: {why}") from None
    except ValueError:
        raise AuthorityError(f"{path}: no private key, or another passphrase") from None
    if not isinstance(key, Ed25519PrivateKey) or certificate.public_key() != key.public_key():
        raise AuthorityError(f"{path} is not the key of {home / CERTIFICATE}")
    return Authority(key, certificate)


def certificate(home: Path) -> bytes:
    """The authority's certificate (PEM), which needs no passphrase. Raises `AuthorityError`."""
    try:
        return certificates.pem(certificates.read(home / CERTIFICATE))
    except CertificateError as error:
        raise AuthorityError(str(error)) from None


def write(path: Path, data: bytes, mode: int) -> None:
    """Put a file there whole or not at all. Raises OSError."""
    partial = path.with_name(path.name + ".new")
    with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)
