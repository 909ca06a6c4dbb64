"""Simulated cards in the field of the simulated reader, and what can happen to them in the middle of a dialog."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeAlias, runtime_checkable

from appliance.hw.dialogue import UidOnly
from appliance.hw.ports import CardLost, Channel, NotSupported, Technology, Unreadable

ACK = b"\x0a"


@runtime_checkable
class ApduCard(Protocol):
    """A card of APDUs, such as `appliance.cards.emulator.ntag424.EmulatedNtag424`.

    ConnectionError from `transmit`: it is no longer in the field.
    """

    @property
    def uid(self) -> bytes: ...

    def transmit(self, apdu: bytes) -> bytes: ...
    def power_off(self) -> None: ...


@runtime_checkable
class PageCard(Protocol):
    """A card of pages, such as `appliance.cards.emulator.ntag21x.EmulatedNtag21x`."""

    @property
    def uid(self) -> bytes: ...

    def command(self, raw: bytes) -> bytes: ...
    def power_off(self) -> None: ...


SimulatedCard: TypeAlias = ApduCard | PageCard


class Wallet(Protocol):
    """Where simulated cards are kept while they lie on no reader."""

    def find(self, name: str) -> SimulatedCard:
        """The card of a name, or of a file's path; ValueError when there is none."""

    def keep(self, name: str, card: SimulatedCard) -> None:
        """Keep what the card remembers."""


class Trick(StrEnum):
    """What happens to a card in a dialog."""

    YANK = "yank"
    """It is taken away before it hears the command."""
    TEAR = "tear"
    """It is taken away when it has carried the command out, and its answer is lost."""
    MUTE = "mute"
    """It stays and says nothing any more."""
    GARBLE = "garble"
    """A bit of its answer is not what it said."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A trick and the command it happens at, counted from 1."""

    trick: Trick
    at: int = 1


class Laid:
    """A card or what looks like one, from being put on the reader to being taken away; ``gone`` once it is."""

    def __init__(
        self,
        what: str | Unreadable | SimulatedCard,
        fault: Fault | None = None,
        keep: Callable[[], None] = lambda: None,
    ) -> None:
        self.what = what
        self.gone = False
        self._fault = fault
        self._keep = keep
        self._exchanges = 0

    def leave(self) -> None:
        """It is taken away; what it remembers is kept."""
        if not self.gone and isinstance(self.what, ApduCard | PageCard):
            self.what.power_off()
            self._keep()
        self.gone = True

    def channel(self, there: Callable[[], bool]) -> Channel:
        """Talk with it as long as it lies there and the reader is ``there``."""
        if isinstance(self.what, ApduCard):
            return _ApduChannel(self, self.what.transmit, there)
        if isinstance(self.what, PageCard):
            return _PageChannel(self, self.what.command, there)
        return UidOnly()

    def exchange(self, send: Callable[[bytes], bytes], raw: bytes) -> bytes:
        """One command and its answer, with whatever happens to them. Raises `CardLost`."""
        if self.gone:
            raise CardLost(Unreadable.GONE)
        self._exchanges += 1
        trick = self._fault.trick if self._fault and self._exchanges >= self._fault.at else None
        if trick is Trick.MUTE:
            raise CardLost(Unreadable.MUTE)
        if trick is Trick.YANK:
            self.leave()
            raise CardLost(Unreadable.GONE)
        try:
            answer = send(raw)
        except ConnectionError:
            self.leave()
            raise CardLost(Unreadable.GONE) from None
        if trick is Trick.TEAR:
            self.leave()
            raise CardLost(Unreadable.GONE)
        if trick is Trick.GARBLE and answer and self._fault and self._exchanges == self._fault.at:
            return bytes((answer[0] ^ 1,)) + answer[1:]
        return answer


class _CardChannel(UidOnly):
    def __init__(self, laid: Laid, send: Callable[[bytes], bytes], there: Callable[[], bool]) -> None:
        self._laid = laid
        self._send = send
        self._there = there

    def _ask(self, raw: bytes) -> bytes:
        if not self._there():
            raise CardLost(Unreadable.GONE)
        return self._laid.exchange(self._send, raw)


class _ApduChannel(_CardChannel):
    technology = Technology.ISO_DEP

    def transmit(self, apdu: bytes) -> bytes:
        answer = self._ask(apdu)
        if len(answer) < 2:
            raise CardLost(Unreadable.MUTE)
        return answer


class _PageChannel(_CardChannel):
    technology = Technology.TYPE_2

    def read_pages(self, page: int) -> bytes:
        answer = self._ask(bytes((0x30, page)))
        if len(answer) != 16:
            raise NotSupported(f"the card has no page {page} to read")
        return answer

    def write_page(self, page: int, data: bytes) -> None:
        if len(data) != 4:
            raise ValueError(f"a page has 4 bytes, not {len(data)}")
        if self._ask(bytes((0xA2, page)) + data) != ACK:
            raise NotSupported(f"the card lets nobody write page {page}")

    def command(self, raw: bytes) -> bytes:
        return self._ask(raw)
