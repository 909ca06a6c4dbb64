"""What stands where on the league's cards: the one place that issuing and reading agree on (DESIGN §7).

NTAG 424 DNA: five keys of its own (AN10922 with `SYSTEM_ID`), the league's record in file 3 for everybody to read and
for nobody but the issuing office to change, and in file 2 a link whose counter and MAC the card fills in itself.
NTAG21x: the record alone, in an NDEF record of our own type.
"""

from __future__ import annotations

import re

from msgspec import Struct

from appliance.cards import ndef, record
from appliance.cards.aes import diversify
from appliance.cards.messaging import CommMode
from appliance.cards.ndef import BadNdef, NdefRecord, Tnf
from appliance.cards.record import BadRecord, SignedRecord
from appliance.cards.secret import Secret
from appliance.cards.settings import FREE, NEVER, AccessRights, FileSettings, Sdm

ISSUING, VERIFICATION, MESSAGES = 0, 2, 3
"""The keys by what they are for: K0 changes everything and never leaves the issuing office, K2 is all that a kiosk
ever holds, K3 makes the link's MAC. K1 is reserved, K4 a spare one."""

SYSTEM_ID = b"tableside card"
"""Diversification input beside UID and key number: other systems' keys of the same master are other keys."""

NDEF_FILE, RECORD_FILE = 2, 3
RECORD_FILE_BYTES = 128
RECORD_READ = 2 + record.MAX_BYTES
"""Bytes of file 3 that hold a record: its length in two bytes, and the record."""

LINK_READ = 202
"""Bytes of file 2 that hold a link, whatever its length."""

RECORD_TYPE = b"tableside:card"
"""The NFC Forum external type ``urn:nfc:ext:tableside:card`` of a record on an NTAG21x."""

_LINK = re.compile(rb"[?&]u=([0-9A-F]{14})&n=([0-9A-F]{6})&m=([0-9A-F]{16})\Z")
_MIRROR = b"?u=00000000000000&n=000000&m=0000000000000000"
_URI_PREFIXES = (b"", b"http://www.", b"https://www.", b"http://", b"https://")


def card_key(master: Secret, uid: bytes, key_no: int) -> Secret:
    """The key of one card (AN10922)."""
    return diversify(master, uid, key_no, SYSTEM_ID)


RECORD_SETTINGS = FileSettings(
    CommMode.PLAIN, AccessRights(read=FREE, write=ISSUING, read_write=ISSUING, change=ISSUING)
)
"""File 3 on an issued card. It travels in plain, for the record proves itself; who holds a card may read it."""


class Link(Struct, frozen=True):
    """File 2 of an issued card: its content as written, and settings that have the card fill in the zeros."""

    content: bytes
    settings: FileSettings


def link(base: str) -> Link:
    """A link to ``base`` (``https://league.example/card``) with UID, read counter and MAC behind it.

    ValueError when it has a query already or is too long for the file.
    """
    prefix = max((p for p in _URI_PREFIXES if base.encode().startswith(p)), key=len)
    uri = bytes([_URI_PREFIXES.index(prefix)]) + base.encode().removeprefix(prefix) + _MIRROR
    message = ndef.encode(NdefRecord(Tnf.WELL_KNOWN, b"U", uri))
    if "?" in base or "#" in base or len(message) > LINK_READ - 2:
        raise ValueError("a link of at most 150 characters without a query")
    content = len(message).to_bytes(2) + message
    start = content.index(_MIRROR)
    uid, counter, mac = (start + _MIRROR.index(name) + 3 for name in (b"?u=", b"&n=", b"&m="))
    sdm = Sdm(FREE, MESSAGES, NEVER, uid_offset=uid, counter_offset=counter, mac_input_offset=uid, mac_offset=mac)
    rights = AccessRights(read=FREE, write=ISSUING, read_write=ISSUING, change=ISSUING)
    return Link(content, FileSettings(CommMode.PLAIN, rights, sdm=sdm))


def read_counter(content: bytes) -> tuple[str, int] | None:
    """UID and read counter out of file 2 as an unauthenticated read sees it; None when no such link stands there."""
    length = int.from_bytes(content[:2])
    try:
        records = ndef.decode(content[2 : 2 + length]) if len(content) >= 2 + length else ()
    except BadNdef:
        return None
    found = _LINK.search(records[0].payload) if records and records[0].type == b"U" else None
    return (found[1].decode(), int(found[2], 16)) if found else None


def record_file(signed: SignedRecord) -> bytes:
    """File 3 with a record in it, all of its bytes."""
    data = signed.encode()
    return (len(data).to_bytes(2) + data).ljust(RECORD_FILE_BYTES, b"\0")


def record_in_file(content: bytes) -> SignedRecord | None:
    """The record in the first `RECORD_READ` bytes of file 3; None on a blank card. `BadRecord`, cut short too."""
    length = int.from_bytes(content[:2])
    if not any(content) or not any(content[2:]):
        return None
    if length > len(content) - 2 or any(content[2 + length :]):
        raise BadRecord("not of a record's length")
    return record.decode(content[2 : 2 + length])


def record_message(signed: SignedRecord) -> bytes:
    """The NDEF message of an NTAG21x."""
    return ndef.encode(NdefRecord(Tnf.EXTERNAL, RECORD_TYPE, signed.encode()))


def record_in_message(message: bytes) -> SignedRecord | None:
    """The record in an NDEF message; None when it holds none. `BadRecord` for a broken one."""
    try:
        records = ndef.decode(message)
    except BadNdef:
        return None
    ours = [each for each in records if each.tnf is Tnf.EXTERNAL and each.type == RECORD_TYPE]
    return record.decode(ours[0].payload) if ours else None
