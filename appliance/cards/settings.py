"""What an NTAG 424 DNA's file allows and to whom, and what it puts into its text at each read (NT4H2421Gx, 10.7.1)."""

from __future__ import annotations

from msgspec import Struct

from appliance.cards.apdu import CardError, Fault
from appliance.cards.messaging import CommMode

FREE = 0xE
"""An access condition: everybody, without authentication."""
NEVER = 0xF
"""An access condition: nobody. 0 to 4 name the key that must be authenticated."""
NOT_SHOWN = 0xFFFFFF
"""A counter offset of a counter that is counted and not mirrored."""


class AccessRights(Struct, frozen=True):
    """Four access conditions: a key's number, `FREE` or `NEVER`."""

    read: int
    write: int
    read_write: int
    change: int

    def encode(self) -> bytes:
        """The two bytes on the wire."""
        return bytes([self.read_write << 4 | self.change, self.read << 4 | self.write])

    @classmethod
    def decode(cls, data: bytes) -> AccessRights:
        return cls(data[1] >> 4, data[1] & 15, data[0] >> 4, data[0] & 15)


class Sdm(Struct, frozen=True):
    """Secure dynamic messaging: what an unauthenticated read finds in the file instead of what was written there.

    ``meta_read``: the key that encrypts UID and counter, `FREE` for both in plain, `NEVER` for neither.
    ``file_read``: the key of MAC and encrypted file data, `NEVER` for none. ``counter_read``: who may ask for the
    counter. The offsets count bytes from the file's start; those that the other fields rule out are None.
    """

    meta_read: int
    file_read: int
    counter_read: int = NEVER
    uid: bool = True
    counter: bool = True
    uid_offset: int | None = None
    counter_offset: int | None = None
    picc_offset: int | None = None
    mac_input_offset: int | None = None
    enc_offset: int | None = None
    enc_length: int | None = None
    mac_offset: int | None = None
    limit: int | None = None
    """The counter at which unauthenticated reads end."""

    def encode(self) -> bytes:
        """As ChangeFileSettings wants it; ValueError when a field is missing or one too many is given."""
        options = self.uid << 7 | self.counter << 6 | (self.limit is not None) << 5 | (self.enc_offset is not None) << 4
        rights = bytes([0xF0 | self.counter_read, self.meta_read << 4 | self.file_read])
        wanted = _fields(options, self.meta_read, self.file_read)
        given = tuple(name for name in _ORDER if getattr(self, name) is not None)
        if given != wanted:
            raise ValueError(f"these SDM settings need {', '.join(wanted) or 'nothing'}, not {', '.join(given)}")
        offsets = b"".join(getattr(self, name).to_bytes(3, "little") for name in wanted)
        return bytes([options | 1]) + rights + offsets

    @classmethod
    def decode(cls, data: bytes) -> Sdm:
        """From GetFileSettings; `CardError` for what cannot be that."""
        if len(data) < 3:
            raise CardError(Fault.MALFORMED)
        options, counter_read, meta_read, file_read = data[0], data[1] & 15, data[2] >> 4, data[2] & 15
        names = _fields(options, meta_read, file_read)
        if len(data) != 3 + 3 * len(names):
            raise CardError(Fault.MALFORMED)
        numbers = {name: int.from_bytes(data[3 + 3 * i : 6 + 3 * i], "little") for i, name in enumerate(names)}
        return cls(meta_read, file_read, counter_read, bool(options & 0x80), bool(options & 0x40), **numbers)


_ORDER = (
    "uid_offset",
    "counter_offset",
    "picc_offset",
    "mac_input_offset",
    "enc_offset",
    "enc_length",
    "mac_offset",
    "limit",
)


def _fields(options: int, meta_read: int, file_read: int) -> tuple[str, ...]:
    """The optional fields that are there, in their order on the wire."""
    plain, maced = meta_read == FREE, file_read != NEVER
    there = (
        plain and options & 0x80,
        plain and options & 0x40,
        meta_read <= 4,
        maced,
        maced and options & 0x10,
        maced and options & 0x10,
        maced,
        options & 0x20,
    )
    return tuple(name for name, is_there in zip(_ORDER, there, strict=True) if is_there)


class FileSettings(Struct, frozen=True):
    """A standard data file's settings. ``size`` in bytes is the card's own: it is read, never set."""

    mode: CommMode
    rights: AccessRights
    size: int = 0
    sdm: Sdm | None = None

    def encode(self) -> bytes:
        """As ChangeFileSettings wants it; ValueError as of `Sdm.encode`."""
        head = bytes([(self.sdm is not None) << 6 | self.mode]) + self.rights.encode()
        return head + (self.sdm.encode() if self.sdm else b"")

    @classmethod
    def decode(cls, data: bytes) -> FileSettings:
        """From GetFileSettings; `CardError` for what cannot be that."""
        if len(data) < 7 or data[0] != 0 or data[1] & 3 == 2 or (len(data) > 7) != bool(data[1] & 0x40):
            raise CardError(Fault.MALFORMED)
        sdm = Sdm.decode(data[7:]) if len(data) > 7 else None
        return cls(CommMode(data[1] & 3), AccessRights.decode(data[2:4]), int.from_bytes(data[4:7], "little"), sdm)
