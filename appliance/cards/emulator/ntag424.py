"""A simulated NTAG 424 DNA: give it an APDU and it answers as the card would, in the demo and in tests.

Its keys are those of a simulated card: they stand in its file for everybody to read.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from secrets import token_bytes
from threading import Lock

from appliance.cards.emulator import ntag424_framing, ntag424_iso, ntag424_native
from appliance.cards.emulator.ntag424_json import from_json, to_json
from appliance.cards.emulator.ntag424_secure import BadMac
from appliance.cards.emulator.ntag424_state import Card, Memory, Power, Refused, delivered

ATR = bytes.fromhex("3B8180018080")
"""What a PC/SC reader makes of the card's answer to select (06 77 77 71 02 80: frames of 128 bytes at most)."""


class NoPower(ConnectionError):
    """The card is not in the field (any more)."""


class EmulatedNtag424:
    """One simulated card. `transmit` is all that a reader sees of it; calls from several threads take turns."""

    def __init__(
        self, uid: bytes = b"", random: Callable[[int], bytes] = token_bytes, memory: Memory | None = None
    ) -> None:
        """A card as delivered with this UID of seven bytes (one is made up for none), or the card of ``memory``."""
        memory = memory or delivered(uid or b"\x04" + random(6))
        if len(memory.uid) != 7:
            raise ValueError("a UID of seven bytes")
        self._card = Card(memory, random)
        self._lock = Lock()
        self._left: int | None = None
        self._done = False
        self._torn = False

    @property
    def uid(self) -> bytes:
        """Seven bytes, also as anticollision tells them."""
        return self._card.memory.uid

    @property
    def memory(self) -> Memory:
        """What the card remembers, for tests to look at."""
        return self._card.memory

    def power_off(self) -> None:
        """The card leaves the field: session, selection and chain are gone. The next APDU finds it fresh in a field."""
        with self._lock:
            self._card.power = Power()
            self._left, self._torn = None, False

    def tear(self, after: int = 0, done: bool = False) -> None:
        """Have the card torn from the field in the middle of an APDU: the next one, or ``after`` more.

        ``done``: whether the card had carried the command out when its answer was lost. From then on `transmit`
        raises `NoPower`, until `power_off` says that the card has really left.
        """
        with self._lock:
            self._left, self._done = after, done

    def transmit(self, apdu: bytes) -> bytes:
        """The card's answer to a short APDU: data and status word. `NoPower` when it was torn away."""
        with self._lock:
            if self._torn or self._left == 0:
                if self._done and not self._torn:
                    self._answer(apdu)
                self._torn, self._left, self._card.power = True, None, Power()
                raise NoPower("the card is not in the field")
            if self._left is not None:
                self._left -= 1
            return self._answer(apdu)

    def _answer(self, apdu: bytes) -> bytes:
        power = self._card.power
        if apdu[1:2] not in (b"\xad", b"\xb0"):
            power.reading = None
        try:
            data, sw = self._run(apdu)
        except Refused as refused:
            data, sw = b"", refused.sw
        except BadMac:
            data, sw = b"", ntag424_framing.INTEGRITY
        if sw not in (0x9100, 0x91AF, 0x9000):
            # any error ends a session and a command of several frames
            power.session = power.chain = None
        return data + sw.to_bytes(2)

    def _run(self, apdu: bytes) -> tuple[bytes, int]:
        if len(apdu) < 4:
            raise Refused(0x6700)
        cla, ins, p1, p2 = apdu[:4]
        if cla not in (0x00, 0x90):
            raise Refused(0x6E00)
        native = cla == 0x90
        if self._card.power.chain is not None and not (native and ins == 0xAF):
            raise Refused(0x91CA if native else 0x6985)
        if native:
            field = _native_field(apdu)
            command = ntag424_native.COMMANDS.get(ins)
            if command is None:
                raise Refused(0x911C)
            return command(self._card, field)
        iso = ntag424_iso.COMMANDS.get(ins)
        if iso is None:
            raise Refused(0x6D00)
        data, expected = _iso_fields(apdu)
        return iso(self._card, p1, p2, data, expected), 0x9000

    def save(self, path: Path) -> None:
        """Keep the card's memory in a file (JSON, keys included), whole or not at all."""
        partial = path.with_suffix(path.suffix + ".new")
        with self._lock, os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump(to_json(self._card.memory), file, indent=1)
        partial.replace(path)

    @classmethod
    def load(cls, path: Path, random: Callable[[int], bytes] = token_bytes) -> EmulatedNtag424:
        """The card of a file; OSError when there is none, ValueError when it holds no card."""
        return cls(random=random, memory=from_json(json.loads(path.read_text())))


def _native_field(apdu: bytes) -> bytes:
    """The data field of a wrapped native command, which always ends with Le = 00."""
    if apdu[2:4] != b"\0\0":
        raise Refused(ntag424_framing.PARAMETER)
    if len(apdu) == 5 and apdu[4] == 0:
        return b""
    if len(apdu) < 7 or apdu[4] == 0 or len(apdu) != apdu[4] + 6 or apdu[-1] != 0:
        raise Refused(ntag424_framing.LENGTH)
    return apdu[5:-1]


def _iso_fields(apdu: bytes) -> tuple[bytes, int | None]:
    """Data and length of the wanted answer (None: no answer) of a short APDU."""
    if len(apdu) == 4:
        return b"", None
    if len(apdu) == 5:
        return b"", apdu[4] or 256
    end = 5 + apdu[4]
    if apdu[4] == 0 or len(apdu) not in (end, end + 1):
        raise Refused(0x6700)
    return apdu[5:end], (apdu[end] or 256) if len(apdu) > end else None
