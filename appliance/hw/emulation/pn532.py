"""A PN532 without hardware, on a pseudo-terminal: what nfcpy asks of the chip over UART (NXP UM0701-02).

Cards (`radio.Card`) are put into its field and taken away; it can be unplugged, fall silent, spoil its frames,
hear its cards badly, and have a card pulled away at a chosen frame. What it was asked is kept in `asked`.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

from appliance.hw.emulation.frames import ACK, ERROR, NACK, Frames, frame
from appliance.hw.emulation.radio import Card
from appliance.hw.emulation.wire import Wire

FIRMWARE = bytes((0x32, 0x01, 0x06, 0x07))

_FIFO_DATA = 0x6339
_TX_MODE = 0x6302
_RX_MODE = 0x6303
_CRC_ON = 0x80
_SENSE_REQUEST = 0x26

_OK = b"\x00"
_TIMED_OUT = b"\x01"
_BAD_CRC = b"\x02"
_ENDLESS = 0xFF

_THROUGH, _LIST = 0x42, 0x4A


class EmulatedPn532:
    """The chip at the end of a cable whose other end is ``path``."""

    def __init__(self, path: Path, *, plugged: bool = True) -> None:
        self.wire = Wire(path, self._hear, self._ring)
        self.asked: deque[tuple[int, bytes]] = deque(maxlen=4096)
        self.frames = 0
        """Frames sent to cards so far."""
        self.mute = False
        self.mangle: Callable[[bytes], bytes] | None = None
        """Applied to each frame to the host: what a bad cable does."""
        self._lock = threading.RLock()
        self._chose = threading.Condition(self._lock)
        self._choices: deque[Card] = deque(maxlen=4096)
        self._noise = 0
        self._yank: tuple[int, bool] | None = None
        self._cards: list[Card] = []
        self._power_up()
        if plugged:
            self.wire.plug()

    def _power_up(self) -> None:
        self._parser = Frames()
        self._registers: dict[int, int] = {}
        self._retries = 2
        self._patience_s = 0.05
        self._chosen: Card | None = None
        self._powered = False
        self._searching: bytes | None = None
        self._late = b""
        self._last = b""

    def plug(self) -> None:
        with self._lock:
            self._power_up()
        self.wire.plug()

    def unplug(self) -> None:
        self.wire.unplug()
        with self._lock:
            self._field_off()

    def close(self) -> None:
        self.wire.close()

    def put(self, card: Card) -> None:
        """Lay a card into the field, beside any that lie there."""
        with self._lock:
            self._cards.append(card)
            if self._searching is not None and (found := self._search(self._searching)):
                self._searching = None
                self._answer(_LIST, found)

    def take(self, card: Card | None = None) -> None:
        """Take a card, or all, away."""
        with self._lock:
            for gone in [card] if card else list(self._cards):
                if gone in self._cards:
                    self._cards.remove(gone)
                    if self._powered:
                        gone.power_off()
                if gone is self._chosen:
                    self._chosen = None

    def wait_until_chosen(self, card: Card, times: int = 1, timeout: float = 10.0) -> bool:
        """Wait until the host has found this card so many times since it was made; False when it did not."""
        with self._chose:
            return self._chose.wait_for(lambda: self._choices.count(card) >= times, timeout)

    def yank(self, at_frame: int, *, heard: bool = False) -> None:
        """Pull the chosen card away at the n-th frame to it from now on (1: the next).

        ``heard``: the card still gets and obeys that frame, and its answer is lost.
        """
        with self._lock:
            self._yank = (self.frames + at_frame, heard)

    def noise(self, frames: int) -> None:
        """Spoil the next answers of cards: the chip tells of a wrong CRC."""
        with self._lock:
            self._noise = frames

    def garble(self, frames: int) -> None:
        """Flip a bit in each of the next frames to the host."""
        left = iter(range(frames))

        def flip(sent: bytes) -> bytes:
            if next(left, None) is None:
                self.mangle = None
                return sent
            middle = len(sent) // 2
            return sent[:middle] + bytes((sent[middle] ^ 0x10,)) + sent[middle + 1 :]

        self.mangle = flip

    def _hear(self, data: bytes) -> None:
        with self._lock:
            for what in self._parser.feed(data):
                if self.mute:
                    continue
                if what == ACK:
                    self._forget()
                elif what == NACK:
                    self._send(self._last)
                elif what[0] == 0xD4 and len(what) > 1:
                    self._forget()
                    self._send(ACK)
                    self._obey(what[1], what[2:])

    def _forget(self) -> None:
        """The host no longer wants the answer to its last command."""
        self._searching = None
        self._late = b""

    def _ring(self) -> None:
        with self._lock:
            if self._late:
                self._answer(_THROUGH, self._late)
                self._late = b""

    def _obey(self, command: int, data: bytes) -> None:
        self.asked.append((command, data))
        answer = self._carry_out(command, data)
        if answer is not None:
            self._answer(command, answer)

    def _answer(self, command: int, data: bytes) -> None:
        self._last = frame(bytes((0xD5, command + 1)) + data)
        self._send(self._last)

    def _send(self, sent: bytes) -> None:
        if not self.mute:
            self.wire.send(self.mangle(sent) if self.mangle else sent)

    def _carry_out(self, command: int, data: bytes) -> bytes | None:
        """The answer's data; None where it comes later, or was no answer but an error frame."""
        match command:
            case 0x00:  # Diagnose
                return data if data[:1] == b"\x00" else _OK
            case 0x02:  # GetFirmwareVersion
                return FIRMWARE
            case 0x06:  # ReadRegister
                return bytes(self._registers.get(_address(data, at), 0) for at in range(0, len(data) - 1, 2))
            case 0x08:  # WriteRegister
                for at in range(0, len(data) - 2, 3):
                    self._registers[_address(data, at)] = data[at + 2]
                return b""
            case 0x10 | 0x12 | 0x14:  # SetSerialBaudRate, SetParameters, SAMConfiguration
                return b""
            case 0x16:  # PowerDown
                self._field_off()
                return _OK
            case 0x32:  # RFConfiguration
                return self._configure(data)
            case 0x42:  # InCommunicateThru
                return self._through(data)
            case 0x4A:  # InListPassiveTarget
                return self._list(data)
        self._send(ERROR)
        return None

    def _configure(self, data: bytes) -> bytes:
        """RFConfiguration: the field, how long a card may take, how often to look for one."""
        match data[:1], data[1:]:
            case b"\x01", value if not value[0] & 1:
                self._field_off()
            case b"\x02", value:
                self._patience_s = 1e-4 * 2 ** (value[2] - 1) if value[2] else 0.0
            case b"\x05", value:
                self._retries = value[2]
        return b""

    def _field_off(self) -> None:
        """Turn the field off; cards that were in no field before lose nothing by it."""
        self._chosen = None
        if not self._powered:
            return
        self._powered = False
        for card in self._cards:
            card.power_off()

    def _list(self, data: bytes) -> bytes | None:
        """InListPassiveTarget: one card of Type A, or none; without an end to the search None, until one comes."""
        wanted = data[2:]
        self._powered = True
        if data[1] != 0:
            return b"\x00"
        found = self._search(wanted)
        if found:
            return found
        self._registers[_FIFO_DATA] = _SENSE_REQUEST
        if self._retries == _ENDLESS:
            self._searching = wanted
            return None
        return b"\x00"

    def _search(self, wanted: bytes) -> bytes:
        """Choose the first card, or that of the wanted UID (with its cascade tags), and describe it."""
        for card in self._cards:
            if wanted and _cascaded(card.uid) != wanted:
                continue
            self._chosen = card
            self._choices.append(card)
            self._chose.notify_all()
            self._registers[_TX_MODE] = self._registers[_RX_MODE] = _CRC_ON
            size = {4: 0x04, 7: 0x44, 10: 0x84}[len(card.uid)]
            sens_res = (0x03 if card.sel_res & 0x20 else 0x00, size)
            return bytes((1, 1, *sens_res, card.sel_res, len(card.uid))) + card.uid
        return b""

    def _through(self, data: bytes) -> bytes | None:
        """InCommunicateThru: one frame to the chosen card and its answer; None: the time-out comes later."""
        self.frames += 1
        card = self._chosen
        answer: bytes | None = None
        if self._yank and self.frames >= self._yank[0]:
            heard, self._yank = self._yank[1], None
            if card:
                if heard:
                    card.radio(data)
                self.take(card)
        elif card:
            try:
                answer = card.radio(data)
            except ConnectionError:
                self.take(card)
        if answer is None:
            self._late = _TIMED_OUT
            self.wire.call_at(time.monotonic() + self._patience_s)
            return None
        if self._noise:
            self._noise -= 1
            return _BAD_CRC
        if self._registers.get(_RX_MODE, 0) & _CRC_ON:
            return _OK + answer
        return _OK + (answer if len(answer) == 1 else answer + crc_a(answer))


def _address(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 2], "big")


def _cascaded(uid: bytes) -> bytes:
    """A UID with the cascade tags with which the host asks for it."""
    match len(uid):
        case 7:
            return b"\x88" + uid
        case 10:
            return b"\x88" + uid[:3] + b"\x88" + uid[3:]
    return uid


def crc_a(data: bytes) -> bytes:
    """CRC_A of ISO/IEC 14443-3, annex B, least significant byte first."""
    crc = 0x6363
    for byte in data:
        mixed = byte ^ (crc & 0xFF)
        mixed = (mixed ^ mixed << 4) & 0xFF
        crc = crc >> 8 ^ mixed << 8 ^ mixed << 3 ^ mixed >> 4
    return crc.to_bytes(2, "little")
