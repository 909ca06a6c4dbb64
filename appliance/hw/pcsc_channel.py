"""Talk with a card that lies on a PC/SC reader: APDUs as they are, pages by the reader's pseudo-APDUs.

Pages go by READ BINARY and UPDATE BINARY of PC/SC part 3 (3.2.2.1.8, 3.2.2.1.9). Raw commands go by transparent
exchange (PC/SC part 3, supplement for contactless cards) or, with an ACR122U, by the direct transmit of its PN532
(InCommunicateThru, UM0701-02).
"""

from __future__ import annotations

from collections.abc import Iterator

from appliance.hw.dialogue import UidOnly
from appliance.hw.pcsc_card import Card
from appliance.hw.ports import CardLost, Channel, NotSupported, Technology, Unreadable

STORAGE_CARD = bytes.fromhex("3B8F8001804F0CA000000306")
"""How a reader's ATR begins for a card without APDUs; standard and card name follow (PC/SC part 3, 3.1.3.2.3.2)."""

ISO_14443_A_3 = 0x03
TYPE_2_NAMES = frozenset({0x0003, 0x003A, 0x003D})
"""MIFARE Ultralight, Ultralight C and Ultralight EV1: readers give NTAG21x one of these names."""

MOST_PARTS = 64
"""Parts an answer may come in (61xx); a card that has still more to say is making it up."""

_OK = b"\x90\x00"
_NO_ERROR = b"\0" + _OK
_NO_RESPONSE = b"\x64\x01"
"""Status of a data object: the card did not answer (PC/SC part 3, supplement)."""
_PN532_TIMEOUT = 0x01


def technology(atr: bytes) -> Technology:
    """What a card with this ATR speaks."""
    if not atr.startswith(STORAGE_CARD):
        return Technology.ISO_DEP
    standard, name = atr[12:13], int.from_bytes(atr[13:15])
    return Technology.TYPE_2 if standard == bytes((ISO_14443_A_3,)) and name in TYPE_2_NAMES else Technology.NONE


def channel(card: Card) -> Channel:
    """Talk with a card that is held; valid as long as it is."""
    match technology(card.atr):
        case Technology.ISO_DEP:
            return _ApduChannel(card)
        case Technology.TYPE_2:
            return _PageChannel(card)
    return UidOnly()


class _ApduChannel(UidOnly):
    technology = Technology.ISO_DEP

    def __init__(self, card: Card) -> None:
        self._card = card

    def transmit(self, apdu: bytes) -> bytes:
        """The answer, put together where it comes in parts (61xx), asked for again by its length (6Cxx)."""
        answer = self._card.exchange(apdu)
        if answer[-2:-1] == b"\x6c" and _has_le(apdu):
            answer = self._card.exchange(apdu[:-1] + answer[-1:])
        whole = b""
        for _ in range(MOST_PARTS):
            if len(answer) < 2:
                raise CardLost(Unreadable.MUTE)
            if answer[-2] != 0x61:
                return whole + answer
            whole += answer[:-2]
            answer = self._card.exchange(b"\x00\xc0\x00\x00" + answer[-1:])
        raise CardLost(Unreadable.MUTE)


def _has_le(apdu: bytes) -> bool:
    """Whether a short APDU ends with the length of the answer it wants (ISO/IEC 7816-3, 12.1.3)."""
    return len(apdu) == 5 or (len(apdu) > 5 and len(apdu) == 6 + apdu[4])


class _PageChannel(UidOnly):
    technology = Technology.TYPE_2

    def __init__(self, card: Card) -> None:
        self._card = card
        self._by_pn532 = "ACR122" in card.slot

    def read_pages(self, page: int) -> bytes:
        answer = self._card.exchange(bytes((0xFF, 0xB0, 0, page, 16)))
        if len(answer) != 18 or answer[-2:] != _OK:
            raise self._refused(f"the card has no page {page} to read")
        return answer[:-2]

    def write_page(self, page: int, data: bytes) -> None:
        if len(data) != 4:
            raise ValueError(f"a page has 4 bytes, not {len(data)}")
        if self._card.exchange(bytes((0xFF, 0xD6, 0, page, 4)) + data) != _OK:
            raise self._refused(f"the card lets nobody write page {page}")

    def command(self, raw: bytes) -> bytes:
        answer = self._thru_pn532(raw) if self._by_pn532 else self._transparent(raw)
        if not answer and not self._card.lies_there():
            raise CardLost(Unreadable.GONE)
        return answer

    def _thru_pn532(self, raw: bytes) -> bytes:
        """The card's answer; empty when it is silent."""
        command = b"\xd4\x42" + raw
        answer = self._card.exchange(bytes((0xFF, 0, 0, 0, len(command))) + command)
        if answer[-2:] != _OK or answer[:2] != b"\xd5\x43" or len(answer) < 5:
            raise self._refused("the reader sends no raw commands")
        if answer[2] == _PN532_TIMEOUT:
            return b""
        if answer[2]:
            raise self._spoilt()
        return answer[3:-2]

    def _transparent(self, raw: bytes) -> bytes:
        """The same in a transparent session of its own, so that pages can be read again after it."""
        if self._card.exchange(bytes.fromhex("FFC20000028100"))[-2:] != _OK:
            raise self._refused("the reader sends no raw commands")
        objects = bytes((0x95, len(raw))) + raw
        answer = self._card.exchange(bytes((0xFF, 0xC2, 0, 1, len(objects))) + objects + b"\0")
        self._card.exchange(bytes.fromhex("FFC20000028200"))
        if answer[-2:] != _OK:
            raise self._refused("the reader does not send that command")
        told = dict(_objects(answer[:-2]))
        if told.get(0xC0, _NO_ERROR)[-2:] == _NO_RESPONSE:
            return b""
        if told.get(0xC0, _NO_ERROR)[-2:] != _OK or any(told.get(0x96, b"")[:1]):
            raise self._spoilt()
        return told.get(0x97, b"")

    def _spoilt(self) -> CardLost:
        """What to raise for an answer that was heard badly: that is no silence."""
        return CardLost(Unreadable.MUTE if self._card.lies_there() else Unreadable.GONE)

    def _refused(self, why: str) -> Exception:
        """What to raise for a refusal: a reader says no also when the card has gone."""
        return NotSupported(why) if self._card.lies_there() else CardLost(Unreadable.GONE)


def _objects(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The data objects of a reader's answer, as far as they are whole; their lengths are one byte, or 81 and one."""
    at = 0
    while at + 2 <= len(data):
        tag, length, at = data[at], data[at + 1], at + 2
        if length == 0x81 and at < len(data):
            length, at = data[at], at + 1
        if at + length > len(data):
            return
        yield tag, data[at : at + length]
        at += length
