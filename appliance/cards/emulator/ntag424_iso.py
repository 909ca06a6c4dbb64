"""The ISO/IEC 7816-4 commands of a simulated NTAG 424 DNA: select, read and update binary (NT4H2421Gx, 10.9)."""

from __future__ import annotations

from collections.abc import Callable

from appliance.cards.emulator.ntag424_mirror import mirrored
from appliance.cards.emulator.ntag424_state import FILE_IDS, FREE, NEVER, Card, Refused

Command = Callable[[Card, int, int, bytes, int | None], bytes]
"""P1, P2, data and the length of answer that is asked for; gives the answer's data."""

APPLICATION = bytes.fromhex("D2760000850101")
ROOT = bytes.fromhex("D2760000850100")
APPLICATION_ID, ROOT_ID = 0xE110, 0x3F00

LENGTH, SECURITY, CONDITIONS, NOT_FOUND = 0x6700, 0x6982, 0x6985, 0x6A82
PARAMETERS, DATA_LENGTH = 0x6A86, 0x6A87


def select(card: Card, p1: int, p2: int, data: bytes, _: int | None) -> bytes:
    """ISOSelectFile by name or identifier; anything but a file ends a session (10.9.1)."""
    if p1 > 4 or p2 not in (0x00, 0x0C):
        raise Refused(PARAMETERS)
    if p1 == 4:
        if not data or len(data) > 16:
            raise Refused(DATA_LENGTH)
        if data not in (APPLICATION, ROOT):
            raise Refused(NOT_FOUND)
        return _enter(card, application=data == APPLICATION)
    if p1 == 3 or (p1 == 0 and not data):
        return _enter(card, application=False)
    if len(data) != 2:
        raise Refused(DATA_LENGTH)
    identifier = int.from_bytes(data)
    if p1 == 0 and identifier == ROOT_ID:
        return _enter(card, application=False)
    if p1 in (0, 1) and identifier == APPLICATION_ID:
        return _enter(card, application=True)
    if p1 == 1 or not card.power.application or identifier not in FILE_IDS:
        raise Refused(NOT_FOUND)
    card.power.file = FILE_IDS[identifier]
    return b""


def _enter(card: Card, application: bool) -> bytes:
    card.power.application = application
    card.power.file = card.power.session = None
    return b""


def read_binary(card: Card, p1: int, p2: int, data: bytes, expected: int | None) -> bytes:
    """ISOReadBinary: free files only, never in a session (10.9.2)."""
    if data or expected is None:
        raise Refused(LENGTH)
    number, offset = _target(card, p1, p2)
    file = card.memory.files[number]
    dynamic = file.sdm is not None and file.sdm.file_read != NEVER
    if card.power.session is not None or not (FREE in (file.rights[0], file.rights[2]) or dynamic):
        raise Refused(SECURITY)
    if offset >= len(file.content):
        raise Refused(PARAMETERS)
    content = mirrored(card, number, "ISOReadBinary", SECURITY, SECURITY)
    return content[offset : offset + expected]


def update_binary(card: Card, p1: int, p2: int, data: bytes, expected: int | None) -> bytes:
    """ISOUpdateBinary: free files only, never in a session (10.9.3)."""
    if not data or expected is not None:
        raise Refused(LENGTH)
    number, offset = _target(card, p1, p2)
    file = card.memory.files[number]
    if card.power.session is not None or FREE not in (file.rights[1], file.rights[2]):
        raise Refused(SECURITY)
    if offset + len(data) > len(file.content):
        raise Refused(DATA_LENGTH)
    file.content = file.content[:offset] + data + file.content[offset + len(data) :]
    return b""


def _target(card: Card, p1: int, p2: int) -> tuple[int, int]:
    """The file number and offset that P1 and P2 mean; a short file identifier also selects the file."""
    offset = p1 << 8 | p2
    if p1 & 0x80:
        if p1 & 0x60 or p1 & 0x1F == 0x1F:
            raise Refused(PARAMETERS)
        offset, short = p2, p1 & 0x1F
        if short:
            identifier = 0xE100 | short
            if not card.power.application or identifier not in FILE_IDS:
                raise Refused(NOT_FOUND)
            card.power.file = FILE_IDS[identifier]
    if card.power.file is None:
        raise Refused(CONDITIONS)
    return card.power.file, offset


COMMANDS: dict[int, Command] = {0xA4: select, 0xB0: read_binary, 0xD6: update_binary}
