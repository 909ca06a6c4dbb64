"""What the league signed into a card: whose it is, for this card's UID only (LG-6).

The bytes are the one way of writing a record, so that no byte of it may change unseen; at most `MAX_BYTES` with the
signature, which fits the smallest card of both kinds.

    01  version
    n   length of the league's name, and the name
    n   digits of the registration number, and the number in 5 bytes
    7   the card's UID
    4   serial number of the card
    3   day of issue (proleptic Gregorian ordinal)
    64  Ed25519 signature over `DOMAIN` and all of the above
"""

from __future__ import annotations

import datetime as dt
import re

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct

DOMAIN = b"tableside participant card\0"
"""What is signed is nothing but a card's record: the key's other signatures fit no card."""
VERSION = 1
SIGNATURE_BYTES = 64
MAX_BYTES = 1 + 1 + 16 + 1 + 5 + 7 + 4 + 3 + SIGNATURE_BYTES

_LEAGUE = re.compile(r"[a-z0-9-]{1,16}")
_NUMBER = re.compile(r"[0-9]{1,12}")
_UID = re.compile(r"[0-9A-F]{14}")
_LAST_DAY = dt.date.max.toordinal()


class BadRecord(ValueError):
    """Bytes that are no record."""


class SignedRecord(Struct, frozen=True):
    """A record as it was read: believe nothing of it before `verify`.

    ``league``: 1 to 16 of ``a-z0-9-``; ``participant``: the registration number; ``uid``: 14 upper-case hex digits;
    ``serial``: the card's number among all the league issued; ``issued``: the day.
    """

    league: str
    participant: str
    uid: str
    serial: int
    issued: dt.date
    signature: bytes

    @property
    def signed(self) -> bytes:
        """The bytes before the signature."""
        return _body(self.league, self.participant, self.uid, self.serial, self.issued)

    def encode(self) -> bytes:
        """The bytes on the card."""
        return self.signed + self.signature


def sign(
    key: Ed25519PrivateKey, *, league: str, participant: str, uid: str, serial: int, issued: dt.date
) -> SignedRecord:
    """A record of a card; ValueError when a field is not what `SignedRecord` says."""
    signature = key.sign(DOMAIN + _body(league, participant, uid, serial, issued))
    return SignedRecord(league, participant, uid, serial, issued, signature)


def verify(record: SignedRecord, key: Ed25519PublicKey, uid: str) -> bool:
    """Whether the holder of ``key`` signed this record for the card with this UID (upper-case hex)."""
    if record.uid != uid:
        return False
    try:
        key.verify(record.signature, DOMAIN + record.signed)
    except InvalidSignature:
        return False
    return True


def decode(data: bytes) -> SignedRecord:
    """Read a record; `BadRecord` for anything that `SignedRecord.encode` does not write."""
    if len(data) > MAX_BYTES:
        raise BadRecord("longer than a record")
    body, signature = data[:-SIGNATURE_BYTES], data[-SIGNATURE_BYTES:]
    league_ends = 2 + body[1] if len(body) > 1 else 0
    if not league_ends or len(body) != league_ends + 20:
        raise BadRecord("not of a record's length")
    if body[0] != VERSION:
        raise BadRecord(f"version {body[0]}")
    rest = body[league_ends:]
    number, day = int.from_bytes(rest[1:6]), int.from_bytes(rest[17:20])
    if not 1 <= day <= _LAST_DAY:
        raise BadRecord("no day of issue")
    record = SignedRecord(
        body[2:league_ends].decode("ascii", "replace"),
        f"{number:0{min(rest[0], 12)}}",
        rest[6:13].hex().upper(),
        int.from_bytes(rest[13:17]),
        dt.date.fromordinal(day),
        signature,
    )
    try:
        again = record.signed
    except ValueError as error:
        raise BadRecord(str(error)) from None
    if again != body:
        raise BadRecord("not written as records are")
    return record


def _body(league: str, participant: str, uid: str, serial: int, issued: dt.date) -> bytes:
    if not (_LEAGUE.fullmatch(league) and _NUMBER.fullmatch(participant) and _UID.fullmatch(uid)):
        raise ValueError("not a league's name, a registration number and a UID of seven bytes")
    if serial not in range(1 << 32):
        raise ValueError("a serial number of four bytes")
    name = league.encode()
    number = bytes([len(participant)]) + int(participant).to_bytes(5)
    place = bytes.fromhex(uid) + serial.to_bytes(4) + issued.toordinal().to_bytes(3)
    return bytes([VERSION, len(name)]) + name + number + place
