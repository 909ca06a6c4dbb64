"""The desk's key file: everything in `DeskKeys`, sealed with a passphrase (scrypt, RFC 7914; AES-256-GCM).

The file is JSON: a version, the derivation's parameters, and one sealed text. The parameters are authenticated with
it, and bounded when read. A wrong passphrase and a changed byte look the same, and are said to.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import unicodedata
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
from msgspec import Meta, Struct

from appliance.cards.aes import BLOCK, SYSTEM_ID_BYTES
from appliance.cards.ntag424 import KEYS
from appliance.cards.secret import Secret
from appliance.desk.keys import LAST_VERSION, DeskKeys

MAX_FILE_BYTES = 256 * 1024
COST = 1 << 16
"""scrypt's N for new files: 64 MiB and some tenths of a second on a desk's computer."""
LEAST_CHARACTERS = 12
"""Of a new passphrase."""


class KeyFileError(OSError):
    """A key file that cannot be read or written; the text says why and holds no key."""


class WrongPassphrase(KeyFileError):
    """The passphrase does not open the file, or somebody changed it: cryptography cannot tell which."""


Hex = Annotated[str, Meta(pattern=r"\A([0-9a-f]{2})*\Z", max_length=MAX_FILE_BYTES)]


class _Header(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    version: Literal[1] = msgspec.field(default=1, name="tableside_keys")
    kdf: Literal["scrypt"] = "scrypt"
    n: Annotated[int, Meta(ge=2, le=1 << 20)]
    r: Annotated[int, Meta(ge=1, le=16)] = 8
    p: Annotated[int, Meta(ge=1, le=4)] = 1
    salt: Annotated[str, Meta(pattern=r"\A[0-9a-f]{32}\Z")]
    nonce: Annotated[str, Meta(pattern=r"\A[0-9a-f]{24}\Z")]


class _File(_Header, frozen=True, forbid_unknown_fields=True, kw_only=True):
    sealed: Hex


class _Contents(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    league: Annotated[str, Meta(pattern=r"\A[a-z0-9-]{1,16}\Z")]
    link: Annotated[str, Meta(max_length=150)]
    system_id: Hex
    version: Annotated[int, Meta(ge=1, le=LAST_VERSION)]
    masters: dict[str, tuple[Secret, ...]]
    signing: Secret


def passphrase(text: str) -> Secret:
    """A passphrase in the one form that is used, whatever keyboard composed its letters."""
    return Secret(unicodedata.normalize("NFC", text).encode())


def create(path: Path, keys: DeskKeys, phrase: Secret, cost: int = COST) -> None:
    """Write a new key file, mode 0600; never over one that is there. Raises `KeyFileError`."""
    _long_enough(phrase)
    with _said(path):
        partial = _written(path, keys, phrase, cost)
        try:
            os.link(partial, path)
        finally:
            partial.unlink()
        _settle(path)


def rewrite(path: Path, keys: DeskKeys, phrase: Secret, cost: int = COST) -> None:
    """Put other contents into a key file, or seal it otherwise, whole or not at all. Raises `KeyFileError`."""
    _long_enough(phrase)
    with _said(path):
        path = path.resolve()  # a link stays one: the file that it leads to is the one that must change
        partial = _written(path, keys, phrase, cost)
        try:
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)
        _settle(path)


def load(path: Path, phrase: Secret) -> DeskKeys:
    """Open a key file. Raises `KeyFileError`, `WrongPassphrase` among them."""
    contents = _opened(_sealed(path), phrase)
    if contents is None:
        raise WrongPassphrase(f"{path}: the passphrase does not open it, or the file was changed")
    keys = _keys(contents)
    if keys is None:
        raise KeyFileError(f"{path}: opened, but what is in it are no keys of this version")
    return keys


def check(path: Path) -> None:
    """What can be said of a key file before its passphrase is asked for. Raises `KeyFileError`."""
    _sealed(path)


def _sealed(path: Path) -> _File:
    with _said(path), path.open("rb") as file:
        raw = file.read(MAX_FILE_BYTES + 1)
        open_to = os.fstat(file.fileno()).st_mode & 0o077
    if open_to:
        raise KeyFileError(f"{path}: others may read it (mode {open_to:03o} too much): chmod 600")
    try:
        return msgspec.json.decode(raw, type=_File)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise KeyFileError(f"{path}: not a key file of this version") from None


def _long_enough(phrase: Secret) -> None:
    if len(phrase.reveal().decode()) < LEAST_CHARACTERS:
        raise KeyFileError(f"a passphrase of at least {LEAST_CHARACTERS} characters, please")


def _opened(file: _File, phrase: Secret) -> Secret | None:
    header = _Header(n=file.n, r=file.r, p=file.p, salt=file.salt, nonce=file.nonce)
    key = _derived(header, phrase)
    sealed = bytes.fromhex(file.sealed)
    with contextlib.suppress(InvalidTag):
        return Secret(AESGCM(key.reveal()).decrypt(bytes.fromhex(file.nonce), sealed, msgspec.json.encode(header)))
    return None


def _keys(contents: Secret) -> DeskKeys | None:
    with contextlib.suppress(msgspec.MsgspecError, ValueError):
        read = msgspec.json.decode(contents.reveal(), type=_Contents, dec_hook=_secret)
        masters = {int(version): keys for version, keys in read.masters.items()}
        sound = all(len(keys) == len(KEYS) and all(len(key) == BLOCK for key in keys) for keys in masters.values())
        system_id = bytes.fromhex(read.system_id)
        if sound and read.version in masters and len(system_id) in SYSTEM_ID_BYTES and len(read.signing) == 32:
            signing = Ed25519PrivateKey.from_private_bytes(read.signing.reveal())
            return DeskKeys(read.league, read.link, system_id, read.version, masters, signing)
    return None


def _written(path: Path, keys: DeskKeys, phrase: Secret, cost: int) -> Path:
    """The whole file under another name, on the disk."""
    header = _Header(n=cost, salt=secrets.token_hex(16), nonce=secrets.token_hex(12))
    contents = _Contents(
        league=keys.league,
        link=keys.link,
        system_id=keys.system_id.hex(),
        version=keys.version,
        masters={str(version): masters for version, masters in keys.masters.items()},
        signing=Secret(keys.signing.private_bytes_raw()),
    )
    plain = Secret(msgspec.json.encode(contents, enc_hook=_hex))
    key = _derived(header, phrase)
    sealed = AESGCM(key.reveal()).encrypt(bytes.fromhex(header.nonce), plain.reveal(), msgspec.json.encode(header))
    file = _File(n=header.n, salt=header.salt, nonce=header.nonce, sealed=sealed.hex())
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    partial.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            out.write(msgspec.json.format(msgspec.json.encode(file), indent=1) + b"\n")
            out.flush()
            os.fsync(out.fileno())
    except OSError:
        partial.unlink(missing_ok=True)
        raise
    return partial


def _derived(header: _Header, phrase: Secret) -> Secret:
    kdf = Scrypt(salt=bytes.fromhex(header.salt), length=32, n=header.n, r=header.r, p=header.p)
    return Secret(kdf.derive(phrase.reveal()))


def _settle(path: Path) -> None:
    """The folder's entry on the disk too."""
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


@contextlib.contextmanager
def _said(path: Path) -> Any:
    try:
        yield
    except FileExistsError:
        raise KeyFileError(f"{path}: there is a key file already; it is never overwritten") from None
    except FileNotFoundError:
        raise KeyFileError(f"{path}: no such file or folder") from None
    except OSError as error:
        raise KeyFileError(f"{path}: {error.strerror}") from None


def _secret(_kind: type, value: Any) -> Secret:
    return Secret.from_hex(value)


def _hex(value: Secret) -> str:
    return value.reveal().hex()
