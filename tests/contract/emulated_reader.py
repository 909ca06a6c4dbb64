"""What a PC/SC reader makes of a simulated chip: the answers of a `VirtualCard`, pseudo-APDUs included."""

from __future__ import annotations

from appliance.hw.emulation.radio import ApduChip, PageChip
from tests.contract.virtualcard import GET_UID, OK

NTAG424_ATR = bytes.fromhex("3B8180018080")
NO = b"\x63\x00"
UNKNOWN = b"\x6a\x81"


class ApduCard:
    """A chip of APDUs in the field: the reader answers for its UID, and carries everything else to it."""

    def __init__(self, uid: str, chip: ApduChip) -> None:
        self.uid = bytes.fromhex(uid)
        self.chip = chip

    def __call__(self, command: bytes) -> bytes | None:
        if command == GET_UID:
            return self.uid + OK
        try:
            return self.chip.transmit(command)
        except ConnectionError:
            return None

    def power_off(self) -> None:
        self.chip.power_off()


class PageCard:
    """A chip of pages in the field of a reader that turns pseudo-APDUs into its commands.

    ``raw``: how the reader sends raw commands, "transparent" (FF C2), "pn532" (D4 42), or "" where it does not.
    """

    def __init__(self, uid: str, chip: PageChip, raw: str = "transparent") -> None:
        self.uid = bytes.fromhex(uid)
        self.chip = chip
        self.raw = raw
        self.session = False

    def __call__(self, command: bytes) -> bytes | None:
        try:
            return self._answer(command)
        except ConnectionError:
            return None

    def power_off(self) -> None:
        self.session = False
        self.chip.power_off()

    def _answer(self, command: bytes) -> bytes:
        if command == GET_UID:
            return self.uid + OK
        head, body = command[:4], command[5:]
        if self.session and head[1] in (0xB0, 0xD6):
            return UNKNOWN  # some readers know no pages while a transparent session is open
        match list(head):
            case [0xFF, 0xB0, 0, _] if command[4:] == b"\x10":
                answer = self.chip.command(bytes((0x30, head[3])))
                return answer + OK if len(answer) == 16 else NO
            case [0xFF, 0xD6, 0, _] if len(body) == 4:
                return OK if self.chip.command(bytes((0xA2, head[3])) + body) == b"\x0a" else NO
            case [0xFF, 0xC2, 0, 0] if self.raw == "transparent":
                self.session = body == b"\x81\0"
                return bytes.fromhex("C003009000") + OK
            case [0xFF, 0xC2, 0, 1] if self.session and body[:1] == b"\x95":
                return self._exchanged(self.chip.command(body[2 : 2 + body[1]]))
            case [0xFF, 0, 0, 0] if self.raw == "pn532" and body[:2] == b"\xd4\x42":
                answer = self.chip.command(body[2:])
                return b"\xd5\x43" + (b"\0" + answer if answer else b"\x01") + OK
        return UNKNOWN

    @staticmethod
    def _exchanged(answer: bytes) -> bytes:
        """Data objects of a transparent exchange: error, bits of the last byte, status, and the answer if any."""
        if not answer:
            return bytes.fromhex("C003016401") + OK
        bits = b"\x92\x01" + (b"\x04" if len(answer) == 1 else b"\0")
        length = bytes((len(answer),)) if len(answer) < 0x80 else bytes((0x81, len(answer)))
        return bytes.fromhex("C003009000") + bits + bytes.fromhex("96020000") + b"\x97" + length + answer + OK
