"""Cards as a reader's antenna hears them: ISO/IEC 14443-3 Type A identities, Type 2 frames and ISO-DEP blocks.

A chip that knows APDUs or pages is given its radio here; frames are without their CRC, which the reader's chip adds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

SILENCE: bytes | None = None

NTAG424_ATS = bytes.fromhex("067777710280")
"""An NTAG 424 DNA's answer to select: frames of 128 bytes, 39 ms for an answer."""

_FRAME_SIZES = (16, 24, 32, 40, 48, 64, 96, 128, 256)
"""Frame sizes by their code (FSDI, FSCI); ISO/IEC 14443-4, 5.1."""

_BLOCK = 0x01
_CHAINED = 0x10
_RATS = 0xE0
_DESELECT = 0xC2
_WTX = 0xF2
_OVERHEAD = 3
"""Bytes of a block that are not its contents: one of protocol control, two of CRC."""


class Card(Protocol):
    """What lies in the field of an emulated reader."""

    @property
    def uid(self) -> bytes: ...

    @property
    def sel_res(self) -> int:
        """SAK: what the card speaks after it is chosen."""

    def radio(self, frame: bytes) -> bytes | None:
        """The answer to one frame; None is silence. A Type 2 acknowledgement (4 bits) is one byte.

        ConnectionError: the card is no longer in the field.
        """

    def power_off(self) -> None:
        """The field is gone."""


class ApduChip(Protocol):
    """A chip that answers APDUs, such as `appliance.cards.emulator.ntag424.EmulatedNtag424`."""

    def transmit(self, apdu: bytes) -> bytes: ...
    def power_off(self) -> None: ...


class PageChip(Protocol):
    """A chip of pages: each Type 2 command without its CRC, answered by data or by one byte, ACK 0A or NAK 00-05."""

    def command(self, raw: bytes) -> bytes: ...
    def power_off(self) -> None: ...


class Type2Card:
    """A card of pages. After a refusal (NAK) it falls silent until the field was off, as the real ones do."""

    sel_res = 0x00

    def __init__(self, uid: bytes, chip: PageChip) -> None:
        self.uid = uid
        self.chip = chip
        self.mute = False
        self._asleep = False

    def radio(self, frame: bytes) -> bytes | None:
        if self.mute or self._asleep:
            return SILENCE
        answer = self.chip.command(frame)
        self._asleep = len(answer) == 1 and answer[0] & 0x0F != 0x0A
        return answer or SILENCE

    def power_off(self) -> None:
        self._asleep = False
        self.chip.power_off()


class Type4Card:
    """A card of APDUs behind ISO-DEP: RATS, PPS, blocks with chaining both ways, repetition, waiting time.

    ``waits`` says of an APDU how often the card asks for more time before it answers.
    """

    sel_res = 0x20

    def __init__(
        self,
        uid: bytes,
        chip: ApduChip,
        *,
        ats: bytes = NTAG424_ATS,
        waits: Callable[[bytes], int] = lambda _: 0,
    ) -> None:
        self.uid = uid
        self.chip = chip
        self.mute = False
        self._waits = waits
        self._ats = ats
        self._reset()

    def _reset(self) -> None:
        self._active = False
        self._number = 1
        self._size = _FRAME_SIZES[0]
        self._command = b""
        self._answer = b""
        self._last: bytes | None = None
        self._waiting = 0

    def power_off(self) -> None:
        self._reset()
        self.chip.power_off()

    def radio(self, frame: bytes) -> bytes | None:
        if self.mute or not frame:
            return SILENCE
        if not self._active:
            return self._select(frame)
        control = frame[0]
        if control == _DESELECT:
            self._reset()
            return bytes((_DESELECT,))
        if control & 0xF0 == 0xD0:
            return frame[:1]  # PPS: at one speed, every wish is granted
        if control == _WTX:
            return self._after_waiting()
        if control & 0xEE == 0x02:
            return self._hear(control, frame[1:])
        if control & 0xEE == 0xA2:
            return self._repeat(control)
        return SILENCE

    def _select(self, frame: bytes) -> bytes | None:
        """RATS: the reader tells the size of its frames, the card of its own."""
        if frame[0] != _RATS or len(frame) != 2:
            return SILENCE
        self._size = _FRAME_SIZES[min(frame[1] >> 4, 8)]
        self._active = True
        return self._ats

    def _hear(self, control: int, contents: bytes) -> bytes | None:
        """An I-block: a command, or a part of one."""
        self._number = control & _BLOCK
        self._command += contents
        if control & _CHAINED:
            self._last = bytes((0xA2 | self._number,))
            return self._last
        command, self._command = self._command, b""
        self._waiting = self._waits(command)
        self._answer = self.chip.transmit(command)
        return self._after_waiting()

    def _after_waiting(self) -> bytes:
        if self._waiting:
            self._waiting -= 1
            self._last = bytes((_WTX, 1))
            return self._last
        return self._tell()

    def _tell(self) -> bytes:
        """The next I-block of the answer."""
        room = self._size - _OVERHEAD
        part, self._answer = self._answer[:room], self._answer[room:]
        self._last = bytes((0x02 | (_CHAINED if self._answer else 0) | self._number,)) + part
        return self._last

    def _repeat(self, control: int) -> bytes | None:
        """An R-block: the last block once more, the next of a chain, or "I am here" (ISO/IEC 14443-4, 7.5.4)."""
        same = control & _BLOCK == self._number
        if same:
            return self._last
        if control & 0x10:
            return bytes((0xA2 | self._number,))
        if self._answer:
            self._number ^= 1
            return self._tell()
        return SILENCE
