"""The file commands of a simulated NTAG 424 DNA (NT4H2421Gx, 10.7 and 10.8).

A command changes the memory at its end, in one go: a card torn from the field has done it or has not.
"""

from __future__ import annotations

from appliance.cards.emulator import ntag424_options as options
from appliance.cards.emulator.ntag424_framing import (
    AUTHENTICATION,
    BOUNDARY,
    DENIED,
    FULL,
    INTEGRITY,
    LENGTH,
    MAC,
    PARAMETER,
    PLAIN,
    Answer,
    closed,
    opened,
)
from appliance.cards.emulator.ntag424_mirror import mirrored
from appliance.cards.emulator.ntag424_state import FREE, NEVER, Card, Refused

LONGEST = 256
"""Bytes of an answer, secure messaging included."""


def get_file_settings(card: Card, field: bytes) -> Answer:
    """GetFileSettings: file number (10.7.2)."""
    (number,), data = opened(card, 0xF5, field, 1, MAC)
    if data:
        raise Refused(LENGTH)
    return closed(card, MAC, options.told(card.file(number)))


def change_file_settings(card: Card, field: bytes) -> Answer:
    """ChangeFileSettings: file number, settings; plain where the change right is free (10.7.1)."""
    file, right = card.file(_number(field)), card.file(_number(field)).rights[3]
    if right == NEVER:
        raise Refused(DENIED)
    session = card.power.session
    if right != FREE and (session is None or session.key_no != right):
        raise Refused(AUTHENTICATION)
    mode = PLAIN if right == FREE else FULL
    (number,), data = opened(card, 0x5F, field, 1, mode)
    card.memory.files[number] = options.changed(file, number, data)
    return closed(card, mode)


def get_file_counters(card: Card, field: bytes) -> Answer:
    """GetFileCounters: file number; the SDM read counter (10.7.3)."""
    file = card.file(_number(field))
    if file.sdm is None or file.sdm.counter_read == NEVER:
        raise Refused(DENIED)
    session, right = card.power.session, file.sdm.counter_read
    if right != FREE and (session is None or session.key_no != right):
        raise Refused(AUTHENTICATION)
    _, data = opened(card, 0xF6, field, 1, FULL)
    if data:
        raise Refused(LENGTH)
    return closed(card, FULL, file.reads.to_bytes(3, "little") + bytes(2))


def read_data(card: Card, field: bytes) -> Answer:
    """ReadData: file number, offset, length, 0 for all the rest (10.8.1)."""
    number = _number(field)
    file = card.file(number)
    dynamic = file.sdm is not None and file.sdm.file_read != NEVER and card.power.session is None
    mode = _granted(card, file.mode, file.rights[0], file.rights[2], dynamic)
    header, data = opened(card, 0xAD, field, 7, mode)
    offset, length = int.from_bytes(header[1:4], "little"), int.from_bytes(header[4:], "little")
    if data:
        raise Refused(LENGTH)
    length = length or len(file.content) - offset
    if offset >= len(file.content) or offset + length > len(file.content):
        raise Refused(BOUNDARY)
    if card.power.session is not None and _travelling(mode, length) > LONGEST:
        raise Refused(LENGTH)
    content = mirrored(card, number, "ReadData", DENIED, INTEGRITY) if card.power.session is None else file.content
    return closed(card, mode, content[offset : offset + length])


def write_data(card: Card, field: bytes) -> Answer:
    """WriteData: file number, offset, length, data (10.8.2)."""
    number = _number(field)
    file = card.file(number)
    mode = _granted(card, file.mode, file.rights[1], file.rights[2], dynamic=False)
    header, data = opened(card, 0x8D, field, 7, mode)
    offset, length = int.from_bytes(header[1:4], "little"), int.from_bytes(header[4:], "little")
    if not length:
        raise Refused(PARAMETER)
    if length != len(data):
        raise Refused(LENGTH)
    if offset + length > len(file.content):
        raise Refused(BOUNDARY)
    file.content = file.content[:offset] + data + file.content[offset + length :]
    return closed(card, mode)


def _number(field: bytes) -> int:
    if not field:
        raise Refused(LENGTH)
    return field[0]


def _granted(card: Card, mode: int, one: int, other: int, dynamic: bool) -> int:
    """The mode in which a file may be used now; refused when neither right is given (8.2.3.3).

    A right by the session's key brings the file's own mode, a free one only plain.
    """
    session = card.power.session
    if session is not None and session.key_no in (one, other):
        return mode
    if FREE in (one, other) or dynamic:
        return PLAIN
    raise Refused(DENIED if one == other == NEVER else AUTHENTICATION)


def _travelling(mode: int, length: int) -> int:
    if mode == FULL:
        return (length // 16 + 1) * 16 + 8
    return length + (8 if mode == MAC else 0)
