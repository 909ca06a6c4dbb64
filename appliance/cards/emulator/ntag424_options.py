"""The settings of a simulated NTAG 424 DNA's file: what ChangeFileSettings accepts (NT4H2421Gx, tables 69 and 71)."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from appliance.cards.emulator.ntag424_state import FREE, NEVER, File, Refused, Sdm

PARAMETER, LENGTH, DENIED = 0x919E, 0x917E, 0x919D
UID_TEXT, COUNTER_TEXT, PICC_TEXT, MAC_TEXT = 14, 6, 32, 16
"""Bytes of the mirrored texts."""
NO_MIRROR = 0xFFFFFF
"""A counter offset that stands for no mirroring."""


def changed(file: File, number: int, data: bytes) -> File:
    """The file with the settings of ``data``; refuses as the card does."""
    if len(data) < 3:
        raise Refused(LENGTH)
    option, rights = data[0], (data[2] >> 4, data[2] & 15, data[1] >> 4, data[1] & 15)
    if option & 0xBC or option & 3 == 2 or not all(_exists(right) for right in rights):
        raise Refused(PARAMETER)
    if not option & 0x40:
        if len(data) != 3:
            raise Refused(LENGTH)
        return replace(file, mode=option & 3, rights=rights, sdm=None, options=b"", reads=0)
    if number != 2:
        raise Refused(DENIED)
    sdm = _parsed(data[3:])
    _check(sdm, len(file.content), file.reads)
    return replace(file, mode=option & 3, rights=rights, sdm=sdm, options=data[3:], reads=file.reads if file.sdm else 0)


def told(file: File) -> bytes:
    """What GetFileSettings answers."""
    read, write, read_write, change = file.rights
    option = (0x40 if file.sdm else 0) | file.mode
    rights = bytes([read_write << 4 | change, read << 4 | write])
    return bytes([0, option]) + rights + len(file.content).to_bytes(3, "little") + file.options


def _exists(right: int) -> bool:
    return right <= 4 or right in (FREE, NEVER)


def _parsed(data: bytes) -> Sdm:
    if len(data) < 3:
        raise Refused(LENGTH)
    options, counter_read, meta_read, file_read = data[0], data[1] & 15, data[2] >> 4, data[2] & 15
    if options & 0x0E or not options & 1 or data[1] >> 4 != 0xF or file_read == FREE:
        raise Refused(PARAMETER)
    if not all(_exists(right) for right in (counter_read, meta_read, file_read)):
        raise Refused(PARAMETER)
    uid, counter, limited, enciphered = (bool(options & bit) for bit in (0x80, 0x40, 0x20, 0x10))
    names = ["uid"] if uid and meta_read == FREE else []
    names += ["counter"] if counter and meta_read == FREE else []
    names += ["picc"] if meta_read <= 4 else []
    if file_read != NEVER:
        names += ["input", "enc", "length", "mac"] if enciphered else ["input", "mac"]
    elif enciphered:
        raise Refused(PARAMETER)
    names += ["limit"] if limited else []
    rest = data[3:]
    if len(rest) != 3 * len(names):
        raise Refused(LENGTH)
    numbers = (rest[i] | rest[i + 1] << 8 | rest[i + 2] << 16 for i in range(0, len(rest), 3))
    sdm = Sdm(uid, counter, meta_read, file_read, counter_read, dict(zip(names, numbers, strict=True)))
    if sdm.at("counter") == NO_MIRROR:
        del sdm.offsets["counter"]
    return sdm


def _check(sdm: Sdm, size: int, reads: int) -> None:
    """Table 71, and the ranges of table 69."""
    limit, enc, length, mac = (sdm.at(name) for name in ("limit", "enc", "length", "mac"))
    wrong = (
        sdm.meta_read != NEVER and not (sdm.uid or sdm.counter),
        sdm.meta_read == NEVER and sdm.uid,
        sdm.counter_read != NEVER and not sdm.counter,
        enc is not None and not (sdm.uid and sdm.counter),
        limit is not None and (not sdm.counter or limit <= reads),
        length is not None and (length < 32 or length % 32 != 0),
    )
    if any(wrong):
        raise Refused(PARAMETER)
    texts = {"uid": UID_TEXT, "counter": COUNTER_TEXT, "picc": PICC_TEXT, "mac": MAC_TEXT, "enc": length or 0}
    spans = sorted((start, start + texts[name]) for name, start in sdm.offsets.items() if name in texts)
    apart = all(end <= start for (_, end), (start, _) in pairwise(spans))
    if not apart or any(end > size for _, end in spans):
        raise Refused(PARAMETER)
    first = sdm.at("input")
    if first is not None and mac is not None:
        covered = first <= mac if enc is None else first <= enc and enc + (length or 0) <= mac
        if not covered:
            raise Refused(PARAMETER)
