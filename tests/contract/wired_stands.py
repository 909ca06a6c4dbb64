"""Test stands for readers on a serial line: a PN532 under nfcpy, and readers that say a UID and no more."""

from __future__ import annotations

from pathlib import Path

from appliance.hw.emulation.pn532 import EmulatedPn532
from appliance.hw.emulation.radio import Card, Type2Card, Type4Card
from appliance.hw.emulation.rdm6300 import EmulatedSerialReader, line, rdm6300_frame
from appliance.hw.nfc import NfcReader
from appliance.hw.ports import Channel, Dialog, Technology, Unreadable
from appliance.hw.serial import SerialReader

SELECT = bytes.fromhex("00A4040007D276000085010100")


class ApduChip:
    """A chip that says what it was asked, backwards, and 9000."""

    def __init__(self) -> None:
        self.asked: list[bytes] = []
        self.offs = 0

    def transmit(self, apdu: bytes) -> bytes:
        self.asked.append(apdu)
        return apdu[::-1] + b"\x90\x00"

    def power_off(self) -> None:
        self.offs += 1


class PageChip:
    """45 pages as an NTAG213 has, its version, and a NAK to anything else."""

    version = bytes.fromhex("0004040201000F03")

    def __init__(self) -> None:
        self.memory = bytearray(180)
        self.silent_to = b""
        self.asked: list[bytes] = []

    def command(self, raw: bytes) -> bytes:
        self.asked.append(raw)
        if raw == self.silent_to:
            return b""
        at = raw[1] * 4 if len(raw) > 1 else 0
        match raw[0], len(raw):
            case 0x30, 2 if at < len(self.memory):
                return bytes((self.memory * 2)[at : at + 16])
            case 0xA2, 6 if 8 <= at < len(self.memory):
                self.memory[at : at + 4] = raw[2:]
                return b"\x0a"
            case 0x60, 1:
                return self.version
        return b"\x00"

    def power_off(self) -> None:
        pass


class Laid:
    """A card in the field of an emulated reader."""

    def __init__(self, chip: EmulatedPn532, card: Card) -> None:
        self._chip = chip
        self._card = card
        chip.put(card)

    def wait_until_read(self) -> None:
        assert self._chip.wait_until_chosen(self._card)


class Pn532Stand:
    """A PN532 on a pseudo-terminal, driven by nfcpy."""

    taps = 25
    first, other = "04A2B3C4D5E6F7", "04010203"
    technology = Technology.ISO_DEP

    def __init__(self, where: Path) -> None:
        port = where / "ttyPN532"
        self.chip = EmulatedPn532(port)
        self.reader = NfcReader(str(port), name="door")
        self.card: Laid | None = None
        self.dialog: Dialog | None = lambda channel, _: channel.transmit(SELECT)

    @staticmethod
    def uid(number: int) -> str:
        return f"04{number:012X}"

    def new_card(self, uid: str) -> Type4Card | Type2Card:
        return Type4Card(bytes.fromhex(uid), ApduChip())

    def put(self, uid: str) -> None:
        self.card = Laid(self.chip, self.new_card(uid))

    def take(self) -> None:
        self.card = None
        self.chip.take()

    def unplug(self) -> None:
        self.chip.unplug()

    def plug(self) -> None:
        self.chip.plug()

    def bad_card(self) -> Unreadable | None:
        """A chip that gives its UID and then no answer: looked for twice more before it is given up."""
        card = self.new_card(self.first)
        card.mute = True
        self.chip.put(card)
        assert self.chip.wait_until_chosen(card, times=2)
        self.chip.take()
        return Unreadable.MUTE

    def close(self) -> None:
        self.reader.stop()
        self.chip.close()


class Pn532PagesStand(Pn532Stand):
    """The same with cards of pages."""

    technology = Technology.TYPE_2

    def __init__(self, where: Path) -> None:
        super().__init__(where)
        self.dialog = _read_a_page

    def new_card(self, uid: str) -> Type4Card | Type2Card:
        return Type2Card(bytes.fromhex(uid), PageChip())


def _read_a_page(channel: Channel, _: str) -> bytes:
    return channel.read_pages(4)


class SerialStand:
    """A reader that says UIDs over a serial line; an RDM6300."""

    taps = 25
    first, other = "0400A2B3C4", "0401020304"
    technology = Technology.NONE
    card = None
    dialog: Dialog | None = None

    def __init__(self, where: Path) -> None:
        port = where / "ttyUID"
        self.device = self.emulated(port)
        self.reader = SerialReader(str(port), protocol=self.protocol, name="door", gone_s=0.6)

    protocol = "rdm6300"

    def emulated(self, port: Path) -> EmulatedSerialReader:
        return EmulatedSerialReader(port, rdm6300_frame)

    @staticmethod
    def uid(number: int) -> str:
        return f"04{number:08X}"

    def put(self, uid: str) -> None:
        self.device.put(bytes.fromhex(uid))

    def take(self) -> None:
        self.device.take()

    def unplug(self) -> None:
        self.device.unplug()

    def plug(self) -> None:
        self.device.plug()

    def bad_card(self) -> Unreadable | None:
        """Such a reader has nothing to say of a card it cannot read; half a message is not told either."""
        self.device.say(rdm6300_frame(b"12345")[:9])
        return None

    def close(self) -> None:
        self.reader.stop()
        self.device.close()


class LineStand(SerialStand):
    """A reader that says a line a card, and that it was taken away."""

    protocol = "line"
    first, other = "04A2B3C4D5E6F7", "04010203"

    def emulated(self, port: Path) -> EmulatedSerialReader:
        return EmulatedSerialReader(port, line, taken=b"-\r\n")

    @staticmethod
    def uid(number: int) -> str:
        return f"04{number:012X}"

    def bad_card(self) -> Unreadable | None:
        self.device.say(b"read error\r\n")
        return None
