"""Simulated cards on the desk, out of files: for rehearsals, and for tests of the whole way."""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

from appliance.cards.emulator.ntag21x import ACK, EmulatedNtag21x
from appliance.cards.emulator.ntag424 import EmulatedNtag424, NoPower
from appliance.cards.originality import PublicKey, public_key
from appliance.hw.ports import CardLost, Technology, Unreadable

AnyCard: TypeAlias = EmulatedNtag424 | EmulatedNtag21x

MAKER = 0x7AB1E51DE
"""The private key of who makes simulated NTAG21x."""


def maker() -> PublicKey:
    """The public half of `MAKER`."""
    return public_key(MAKER)


def load(path: Path) -> AnyCard:
    """The card of a file. OSError without one, ValueError when it holds none."""
    try:
        return EmulatedNtag424.load(path)
    except ValueError:
        return EmulatedNtag21x.load(path)


class CardChannel:
    """A `Channel` to a simulated card in the field."""

    def __init__(self, card: AnyCard) -> None:
        self._card = card
        self.technology = Technology.ISO_DEP if isinstance(card, EmulatedNtag424) else Technology.TYPE_2

    def transmit(self, apdu: bytes) -> bytes:
        if not isinstance(self._card, EmulatedNtag424):
            raise CardLost(Unreadable.MUTE)
        try:
            return self._card.transmit(apdu)
        except NoPower:
            raise CardLost from None

    def read_pages(self, page: int) -> bytes:
        answer = self.command(bytes([0x30, page]))
        if len(answer) != 16:
            raise CardLost(Unreadable.MUTE)
        return answer

    def write_page(self, page: int, data: bytes) -> None:
        if self.command(bytes([0xA2, page]) + data) != ACK:
            raise CardLost(Unreadable.MUTE)

    def command(self, raw: bytes) -> bytes:
        if not isinstance(self._card, EmulatedNtag21x):
            raise CardLost(Unreadable.MUTE)
        try:
            return self._card.command(raw)
        except NoPower:
            raise CardLost from None
