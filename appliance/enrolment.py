"""How a device comes to its certificate: a one-time code, a request and an answer, both under the code.

The league invites a device and prints a code; a person types it at the device. The device sends its public keys, the
league answers with its certificate. Each knows by the other's HMAC-SHA-256 (RFC 2104) that it has the code, so this
needs no TLS and no address that can be trusted; nothing that travels is secret. Described in docs/protocol.md.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Callable
from typing import Annotated, NamedTuple, TypeVar

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Meta, Struct

from appliance.game.fleet import DeviceName, DeviceRole, KeyHex

MAX_BYTES = 16 * 1024
"""Neither request nor answer is larger."""

PATH = "/enrol"

_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base 32: no two of them look the same
_MISREAD = str.maketrans({"O": "0", "I": "1", "L": "1"})
_NUMBER_LETTERS, _SECRET_LETTERS = 4, 16  # 20 bits that name the invitation, 80 that nobody can guess
_GROUP = 4

Sixteen = Annotated[str, Meta(pattern=r"\A[0-9a-f]{32}\Z")]
Mac = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
Signature = Annotated[str, Meta(pattern=r"\A[0-9a-f]{128}\Z")]
Invitation = Annotated[str, Meta(pattern=r"\A[0-9A-HJKMNP-TV-Z]{4}\Z")]


T = TypeVar("T", bound=Struct)


class EnrolmentError(ValueError):
    """A code, a request or an answer that is none, or not the other side's; the text says which."""


class Code(NamedTuple):
    """What is printed and typed: which invitation it is, and the secret of it."""

    invitation: str
    secret: str

    def __str__(self) -> str:
        whole = self.invitation + self.secret
        return "-".join(whole[at : at + _GROUP] for at in range(0, len(whole), _GROUP))

    @property
    def key(self) -> bytes:
        """The key of both HMACs; all that the league keeps of the code."""
        return hashlib.sha256(f"tableside enrolment code 1\0{self.invitation}{self.secret}".encode()).digest()


class Request(Struct, frozen=True, kw_only=True):
    """A device asks to be enrolled. ``key`` signs (Ed25519), ``opening`` opens what is sealed to it (X25519).

    ``proof`` is the signature of that key, ``mac`` the HMAC, both over `_asked`.
    """

    invitation: Invitation
    key: KeyHex
    opening: KeyHex
    nonce: Sixteen
    proof: Signature
    mac: Mac


class BrokerAt(Struct, frozen=True, kw_only=True):
    """Where the venues reach the league's broker."""

    host: Annotated[str, Meta(min_length=1, max_length=253)]
    port: Annotated[int, Meta(ge=1, le=65535)]
    tls: bool = True


class Answer(Struct, frozen=True, kw_only=True):
    """What a device gets: its names, its certificate and the authority's (DER in base64), the league's public key."""

    venue: DeviceName
    device: DeviceName
    role: DeviceRole
    table: Annotated[int, Meta(ge=1, le=99)] | None = None
    certificate: Annotated[str, Meta(max_length=4000)]
    authority: Annotated[str, Meta(max_length=4000)]
    public_key: KeyHex
    broker: BrokerAt | None = None


class Sealed(Struct, frozen=True):
    """The answer as it travels: its bytes, and the HMAC over the request's and these."""

    answer: bytes
    mac: Mac


def new_code(entropy: Callable[[int], bytes] = os.urandom) -> Code:
    """A code of 80 random bits, and 20 more that name its invitation."""
    drawn = int.from_bytes(entropy(13), "big")
    letters = [_LETTERS[drawn >> 5 * n & 31] for n in range(_NUMBER_LETTERS + _SECRET_LETTERS)]
    return Code("".join(letters[:_NUMBER_LETTERS]), "".join(letters[_NUMBER_LETTERS:]))


def read_code(text: str) -> Code:
    """A code as somebody typed it: in either case, with any hyphens or blanks. Raises `EnrolmentError`."""
    letters = "".join(char for char in text.upper() if char not in "- ").translate(_MISREAD)
    wanted = _NUMBER_LETTERS + _SECRET_LETTERS
    if len(letters) != wanted:
        raise EnrolmentError(f"a code has {wanted} letters and digits, this one {len(letters)}")
    strange = sorted(set(letters) - set(_LETTERS))
    if strange:
        raise EnrolmentError(f"no code holds {', '.join(map(repr, strange))}")
    return Code(letters[:_NUMBER_LETTERS], letters[_NUMBER_LETTERS:])


def ask(code: Code, key: Ed25519PrivateKey, opening: bytes, nonce: bytes) -> Request:
    """The request of a device with these keys; ``nonce`` is 16 random bytes."""
    public = key.public_key().public_bytes_raw().hex()
    said = _asked(code.invitation, public, opening.hex(), nonce.hex())
    return Request(
        invitation=code.invitation, key=public, opening=opening.hex(), nonce=nonce.hex(),
        proof=key.sign(said).hex(), mac=_mac(code.key, said).hex(),
    )  # fmt: skip


def read_request(body: bytes) -> Request:
    """Read a request; who made it is yet to be checked. Raises `EnrolmentError`."""
    return _read(body, Request)


def knows_code(request: Request, code_key: bytes) -> bool:
    """Whether who asks has the code."""
    return hmac.compare_digest(_mac(code_key, _said(request)), bytes.fromhex(request.mac))


def has_key(request: Request) -> bool:
    """Whether who asks has the private half of the signing key, which stands for the other one too."""
    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(request.key))
        public.verify(bytes.fromhex(request.proof), _said(request))
    except (InvalidSignature, ValueError):
        return False
    return True


def answer(given: Answer, request: Request, code_key: bytes) -> bytes:
    """The answer's bytes."""
    body = msgspec.json.encode(given)
    return msgspec.json.encode(Sealed(body, _mac(code_key, _answered(request, body)).hex()))


def read_answer(body: bytes, request: Request, code: Code) -> Answer:
    """The league's answer to this request. Raises `EnrolmentError` unless who gave it has the code."""
    sealed = _read(body, Sealed)
    if not hmac.compare_digest(_mac(code.key, _answered(request, sealed.answer)), bytes.fromhex(sealed.mac)):
        raise EnrolmentError("the answer is not from the league that gave the code")
    return _read(sealed.answer, Answer)


# -- inside ----------------------------------------------------------------------------------------------------------


def _asked(invitation: str, key: str, opening: str, nonce: str) -> bytes:
    return msgspec.json.encode(["tableside-enrol-1", invitation, key, opening, nonce])


def _said(request: Request) -> bytes:
    return _asked(request.invitation, request.key, request.opening, request.nonce)


def _answered(request: Request, body: bytes) -> bytes:
    return msgspec.json.encode(["tableside-enrolled-1", request.mac, hashlib.sha256(body).hexdigest()])


def _mac(key: bytes, said: bytes) -> bytes:
    return hmac.new(key, said, hashlib.sha256).digest()


def _read(body: bytes, kind: type[T]) -> T:
    try:
        if len(body) > MAX_BYTES:
            raise EnrolmentError(f"{len(body)} bytes, at most {MAX_BYTES}")
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise EnrolmentError(str(error)[:200]) from None
