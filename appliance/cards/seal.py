"""Verification keys on their way to one device: sealed so that only it can open them, signed by the league.

Each key is sealed by itself: X25519 with a key pair made for it alone, HKDF-SHA256, AES-256-GCM with the device, the
card and the end bound in, so that no box opens as another card's, for another device or for longer. The file holds
them as JSON with the league's Ed25519 signature: who knows the device's public key could seal keys of his own cards.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from msgspec import Meta, Struct

from appliance.cards.aes import BLOCK
from appliance.cards.secret import Secret
from appliance.i18n import N_

DOMAIN = b"tableside sealed card keys 1\0"
MAX_FILE_BYTES = 8 << 20
_NONCE = bytes(12)  # each AES key is used once
_PUBLIC_BYTES, _TAG_BYTES = 32, 16


class SealError(ValueError):
    """Not for this device, not the league's, or not sealed keys at all. The text holds nothing of a key.

    ``message`` with ``values`` filled in is the text; a catalogue has it too.
    """

    def __init__(self, message: str, **values: str) -> None:
        super().__init__(message.format(**values))
        self.message, self.values = message, values


class SealedKey(Struct, frozen=True, forbid_unknown_fields=True):
    """The key K2 of one card. ``until``: UTC milliseconds; ``box``: hex of public key, ciphertext and tag."""

    uid: Annotated[str, Meta(pattern=r"\A[0-9A-F]{14}\Z")]
    until: Annotated[int, Meta(ge=0, lt=1 << 53)]
    box: Annotated[str, Meta(pattern=r"\A[0-9a-f]{128}\Z")]


class _Body(Struct, frozen=True, forbid_unknown_fields=True):
    version: Literal[1]
    device: Annotated[str, Meta(max_length=64)]
    keys: Annotated[tuple[SealedKey, ...], Meta(max_length=20_000)]


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    sealed: _Body
    signature: Annotated[str, Meta(pattern=r"\A[0-9a-f]{128}\Z")]


def seal(key: Secret, device: str, to: X25519PublicKey, uid: str, until: int) -> SealedKey:
    """Seal a card's 16-byte key to the device of that name and public key, until a UTC time in milliseconds."""
    if len(key) != BLOCK:
        raise ValueError("a key of 16 bytes")
    own = X25519PrivateKey.generate()
    public = own.public_key().public_bytes_raw()
    cipher = _cipher(Secret(own.exchange(to)), public, to.public_bytes_raw())
    box = public + cipher.encrypt(_NONCE, key.reveal(), _bound(device, uid, until))
    return SealedKey(uid, until, box.hex())


def unseal(sealed: SealedKey, device: str, key: X25519PrivateKey) -> Secret:
    """The card's key; `SealError` unless it was sealed to this device as it stands."""
    box = bytes.fromhex(sealed.box)
    public, ciphertext = box[:_PUBLIC_BYTES], box[_PUBLIC_BYTES:]
    try:
        shared = Secret(key.exchange(X25519PublicKey.from_public_bytes(public)))
        cipher = _cipher(shared, public, key.public_key().public_bytes_raw())
        return Secret(cipher.decrypt(_NONCE, ciphertext, _bound(device, sealed.uid, sealed.until)))
    except (InvalidTag, ValueError):
        pass
    raise SealError(N_("the key of {uid} is not sealed to '{device}'"), uid=sealed.uid, device=device)


def encode(keys: Iterable[SealedKey], device: str, league: Ed25519PrivateKey) -> bytes:
    """A file of sealed keys for a device, signed by the league's key."""
    body = _Body(1, device, tuple(keys))
    return msgspec.json.encode(_File(body, league.sign(_signed(body)).hex())) + b"\n"


def decode(data: bytes, device: str, league: Ed25519PublicKey) -> tuple[SealedKey, ...]:
    """The keys of a file that the league signed for this device; `SealError` otherwise."""
    try:
        file = msgspec.json.decode(data, type=_File)
        league.verify(bytes.fromhex(file.signature), _signed(file.sealed))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise SealError(N_("not a file of sealed keys")) from None
    except InvalidSignature:
        raise SealError(N_("not signed by the league")) from None
    if file.sealed.device != device:
        raise SealError(N_("sealed for '{other}', not for '{device}'"), other=file.sealed.device, device=device)
    return file.sealed.keys


def addressee(data: bytes) -> str:
    """The device that a file says it is for, whoever signed it. Raises `SealError`."""
    try:
        return msgspec.json.decode(data, type=_File).sealed.device
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise SealError(N_("not a file of sealed keys")) from None


def write(path: Path, data: bytes) -> None:
    """Put a file there whole or not at all, for its owner alone."""
    partial = path.with_suffix(path.suffix + ".new")
    with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)


def read(path: Path, device: str, league: Ed25519PublicKey) -> tuple[SealedKey, ...]:
    """The keys of a file. Raises `SealError`, OSError."""
    # a pipe must not hold up who only wanted to look
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise SealError(N_("no ordinary file"))
        data = file.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise SealError(N_("more than {bytes} bytes"), bytes=str(MAX_FILE_BYTES))
    return decode(data, device, league)


def _signed(body: _Body) -> bytes:
    return DOMAIN + msgspec.json.encode(body)


def _cipher(shared: Secret, public: bytes, to: bytes) -> AESGCM:
    return AESGCM(HKDF(SHA256(), 32, salt=None, info=DOMAIN + public + to).derive(shared.reveal()))


def _bound(device: str, uid: str, until: int) -> bytes:
    return DOMAIN + msgspec.json.encode((device, uid, until))
