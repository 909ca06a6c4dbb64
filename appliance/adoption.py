"""How a device comes to a venue on the spot: a code on its screen, typed by a commissioner, known to both sides. Pure.

A spare device asks the venue's director to be let in. The director answers what the device becomes under the code, the
device proves under the code that it has read that, and only then it belongs to the venue. Both keys of the device, the
director's words and each other's random numbers go into what the code keys, so nobody between them can change one; a
secret of two X25519 keys goes in too, so who only listens cannot try codes. Who sits between them may try, for as long
as an answer is waited for (`ANSWER_S`): scrypt (RFC 7914) makes that too short. Described in docs/protocol.md.
"""

from __future__ import annotations

import hashlib
import hmac
import zlib
from typing import Annotated, Literal, NamedTuple, TypeAlias, TypeVar

import msgspec
from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from msgspec import Meta, Struct

from appliance.adopt import Role, Table
from appliance.game.fleet import DeviceName, KeyHex
from appliance.members import Member

MAX_BYTES = 14 * 1024
"""No message is larger: the broker for newcomers takes 16 kB with the topic."""

MAX_ANSWER_BYTES = 128 * 1024
"""Of an answer, unsealed and inflated."""

ANSWER_S = 10.0
"""How long the director waits for the device's proof."""

COST = 1 << 15
"""Of scrypt: 32 MB, about a tenth of a second."""

LEAST_PAIR, MOST_PAIR, PAIRS = 10, 99, 4
"""A code is four numbers of two digits: 90⁴ of them, 26 bits."""

Nonce = Annotated[str, Meta(pattern=r"\A[0-9a-f]{32}\Z")]
Mac = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
Signature = Annotated[str, Meta(pattern=r"\A[0-9a-f]{128}\Z")]
Certificate = Annotated[str, Meta(max_length=4000)]


class BadMessage(ValueError):
    """What is no message of an adoption, or not from whom it should be; the text says why."""


class Ask(Struct, frozen=True, kw_only=True, tag_field="say", tag="ask"):
    """A device asks to be let in; repeated while it stands there. ``nonce`` is new with each code on its screen.

    ``wrong``: the offer with this nonce was made under another code. ``signature`` is the device's.
    """

    key: KeyHex
    opening: KeyHex
    certificate: Certificate
    software: Annotated[str, Meta(max_length=64)] = ""
    nonce: Nonce
    wrong: Nonce | None = None
    signature: Signature = "0" * 128

    @property
    def name(self) -> str:
        """What the device is called."""
        return name_of(self.key)


class Agreed(Struct, frozen=True, kw_only=True, tag_field="say", tag="agreed"):
    """The device has read the offer with this nonce; ``mac`` proves it under the code."""

    key: KeyHex
    nonce: Nonce
    mac: Mac


class Seen(Struct, frozen=True, kw_only=True, tag_field="say", tag="seen"):
    """The director shows this device to commissioners. ``called``: what people call the venue, as it says itself."""

    nonce: Nonce
    called: Annotated[str, Meta(max_length=64)] = ""


class Sorry(Struct, frozen=True, kw_only=True, tag_field="say", tag="sorry"):
    """The director does not show this device, and why."""

    nonce: Nonce
    code: Annotated[str, Meta(pattern=r"\A[a-z-]{1,40}\Z")]


class Offer(Struct, frozen=True, kw_only=True, tag_field="say", tag="offer"):
    """What the device becomes, sealed under code and keys. ``asked`` is the nonce of its question."""

    asked: Nonce
    nonce: Nonce
    ephemeral: KeyHex
    sealed: bytes
    mac: Mac


class Adopted(Struct, frozen=True, kw_only=True, tag_field="say", tag="adopted"):
    """It is written: the device belongs to the venue. ``signer`` is the key of the device that directs."""

    asked: Nonce
    role: Role
    table: Table | None = None
    signer: KeyHex
    signature: Signature = "0" * 128


FromDevice: TypeAlias = Ask | Agreed
FromDirector: TypeAlias = Seen | Sorry | Offer | Adopted
AnyMessage: TypeAlias = FromDevice | FromDirector
T = TypeVar("T")


class Answer(Struct, frozen=True, kw_only=True):
    """What a device has to know to work here: what it becomes, the site's settings (TOML), who else belongs here.

    ``tracking``: how the table was followed by the device before. ``director`` directs now; ``authority`` is the
    league's certificate, in base64 (DER), where there is one.
    """

    venue: DeviceName
    role: Role
    table: Table | None = None
    tracking: Literal["hands", "actions"] = "hands"
    site: str
    director: DeviceName
    members: tuple[Member, ...]
    authority: Certificate = ""


class Keys(NamedTuple):
    """What both sides derive of one code: to seal the answer with, and to prove that each knows it."""

    seal: bytes
    director: bytes
    device: bytes


_from_device = msgspec.json.Decoder(FromDevice)
_from_director = msgspec.json.Decoder(FromDirector)


def name_of(key: str) -> str:
    """A spare device's name, made from its public key (hex)."""
    return f"spare-{hashlib.sha256(bytes.fromhex(key)).hexdigest()[:6]}"


def new_code(entropy: bytes) -> str:
    """A code of ``PAIRS`` numbers of two digits from 16 random bytes."""
    drawn, pairs = int.from_bytes(entropy, "big"), []
    for _ in range(PAIRS):
        drawn, pair = divmod(drawn, MOST_PAIR - LEAST_PAIR + 1)
        pairs.append(f"{pair + LEAST_PAIR}")
    return "".join(pairs)


def encode(message: AnyMessage) -> bytes:
    """The message's bytes."""
    return msgspec.json.encode(message)


def read_from_device(payload: bytes) -> FromDevice:
    """What a device says; whether it is genuine is yet to be seen. Raises `BadMessage`."""
    return _read(payload, _from_device)


def read_from_director(payload: bytes) -> FromDirector:
    """What a director says; whether it is genuine is yet to be seen. Raises `BadMessage`."""
    return _read(payload, _from_director)


def signed_ask(ask: Ask, venue: str, key: Ed25519PrivateKey) -> Ask:
    """The question with the device's signature, good at this venue alone."""
    return msgspec.structs.replace(ask, signature=key.sign(_asked(ask, venue)).hex())


def check_ask(ask: Ask, venue: str) -> None:
    """Raises `BadMessage` unless the device that is named signed it, for this venue."""
    _verify(ask.key, ask.signature, _asked(ask, venue))


def signed_adopted(told: Adopted, venue: str, device: str, key: Ed25519PrivateKey) -> Adopted:
    """The director's word that it is written; ``device``: the public key of the one that was adopted."""
    return msgspec.structs.replace(told, signature=key.sign(_adopted(told, venue, device)).hex())


def check_adopted(told: Adopted, venue: str, device: str) -> None:
    """Raises `BadMessage` unless ``told.signer`` signed it, of this device."""
    _verify(told.signer, told.signature, _adopted(told, venue, device))


def offer(answer: Answer, ask: Ask, code: str, ephemeral: X25519PrivateKey, nonce: str) -> tuple[Offer, Keys]:
    """The director's side: the offer, and the keys to check the device's proof with. Takes its time.

    Raises `BadMessage` for an opening key that is none.
    """
    public = ephemeral.public_key().public_bytes_raw().hex()
    keys = _derive(_shared(ephemeral, ask.opening), code, transcript(answer.venue, ask, public, nonce))
    sealed = AESGCM(keys.seal).encrypt(bytes(12), zlib.compress(msgspec.json.encode(answer), 9), None)
    made = Offer(asked=ask.nonce, nonce=nonce, ephemeral=public, sealed=sealed, mac="0" * 64)
    return msgspec.structs.replace(made, mac=_proof(keys.director, answer.venue, ask, made).hex()), keys


def accept(made: Offer, ask: Ask, venue: str, code: str, opening: X25519PrivateKey) -> tuple[Answer, str]:
    """The device's side: the answer in an offer, and the device's own proof (hex). Takes its time.

    Raises `BadMessage` unless who made it knows the code, and this very question.
    """
    keys = _derive(_shared(opening, made.ephemeral), code, transcript(venue, ask, made.ephemeral, made.nonce))
    if not hmac.compare_digest(_proof(keys.director, venue, ask, made), bytes.fromhex(made.mac)):
        raise BadMessage("the offer was made under another code")
    try:
        inflater = zlib.decompressobj()
        plain = inflater.decompress(AESGCM(keys.seal).decrypt(bytes(12), made.sealed, None), MAX_ANSWER_BYTES)
        answer = msgspec.json.decode(plain, type=Answer)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, zlib.error, InvalidTag) as error:
        raise BadMessage(f"the answer cannot be read: {str(error)[:160]}") from None
    if answer.venue != venue or (answer.role == "table") is not (answer.table is not None):
        raise BadMessage("the answer is about something else")
    return answer, _proof(keys.device, venue, ask, made).hex()


def proves(told: Agreed, made: Offer, ask: Ask, venue: str, keys: Keys) -> bool:
    """Whether the device has read that offer under the code."""
    return hmac.compare_digest(_proof(keys.device, venue, ask, made), bytes.fromhex(told.mac))


def transcript(venue: str, ask: Ask, ephemeral: str, nonce: str) -> bytes:
    """All that both sides have to have heard alike before the code counts."""
    return msgspec.json.encode(
        ["tableside-adoption-1", venue, ask.key, ask.opening, ask.certificate, ask.nonce, ephemeral, nonce]
    )


# -- inside ----------------------------------------------------------------------------------------------------------


def _asked(ask: Ask, venue: str) -> bytes:
    said = [ask.key, ask.opening, ask.certificate, ask.software, ask.nonce, ask.wrong]
    return msgspec.json.encode(["tableside-asks-1", venue, *said])


def _adopted(told: Adopted, venue: str, device: str) -> bytes:
    return msgspec.json.encode(["tableside-adopted-1", venue, device, told.asked, told.role, told.table])


def _derive(shared: bytes, code: str, said: bytes) -> Keys:
    salt = hashlib.sha256(said).digest()
    stretched = hashlib.scrypt(code.encode(), salt=salt, n=COST, r=8, p=1, maxmem=256 * (COST + 64) * 8, dklen=32)
    made = HKDF(SHA256(), 96, salt, b"tableside adoption 1").derive(stretched + shared)
    return Keys(made[:32], made[32:64], made[64:])


def _shared(own: X25519PrivateKey, theirs: str) -> bytes:
    try:
        return own.exchange(X25519PublicKey.from_public_bytes(bytes.fromhex(theirs)))
    except ValueError:
        raise BadMessage("no X25519 key") from None


def _proof(key: bytes, venue: str, ask: Ask, made: Offer) -> bytes:
    said = transcript(venue, ask, made.ephemeral, made.nonce) + hashlib.sha256(made.sealed).digest()
    return hmac.new(key, said, hashlib.sha256).digest()


def _verify(key: str, signature: str, said: bytes) -> None:
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), said)
    except (InvalidSignature, ValueError):
        raise BadMessage("not signed by the key that it names") from None


def _read(payload: bytes, decoder: msgspec.json.Decoder[T]) -> T:
    if len(payload) > MAX_BYTES:
        raise BadMessage(f"{len(payload)} bytes, at most {MAX_BYTES}")
    try:
        return decoder.decode(payload)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadMessage(str(error)[:200]) from None
