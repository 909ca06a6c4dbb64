"""A simulated NTAG213, 215 or 216: give it a Type 2 command without its CRC and it answers as the card would.

Facts are those of the NTAG213_215_216 data sheet, sections 8 and 10. What the house's cards do not use is not there:
COMPATIBILITY_WRITE, and the text mirrors of UID and counter.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Annotated

import msgspec
from msgspec import Meta

from appliance.cards.emulator.ntag21x_models import PAGE, Model
from appliance.cards.emulator.ntag424 import NoPower
from appliance.cards.originality import SIGNATURE_BYTES, sign

ACK = b"\x0a"
INVALID, OVERFLOW = 0x0, 0x4
"""Refusals: no such page or argument, or not allowed; too many wrong passwords."""
LAST_COUNT = 0xFFFFFF

PROT, CFGLCK, CNT_EN, CNT_PROT, AUTHLIM = 0x80, 0x40, 0x10, 0x08, 0x07
"""Bits of the ACCESS byte: reads are protected too; the configuration is locked; reads are counted; the counter is
protected; wrong passwords in a row before the end."""


class _Nak(Exception):
    def __init__(self, code: int) -> None:
        super().__init__(f"NAK {code}")
        self.code = code


class _Saved(msgspec.Struct, forbid_unknown_fields=True):
    card: Annotated[str, Meta(pattern=r"\ANTAG21[356]\Z")]
    memory: str
    signature: Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
    reads: Annotated[int, Meta(ge=0, le=LAST_COUNT)] = 0
    wrong_passwords: Annotated[int, Meta(ge=0, le=7)] = 0


class EmulatedNtag21x:
    """One simulated card; calls from several threads take turns.

    ``maker`` is the private key (secp128r1) that signs its UID; None: a copy without a signature. ``signature``: one
    that was copied from elsewhere.
    """

    def __init__(
        self, model: Model, uid: bytes, maker: int | None = None, signature: bytes = bytes(SIGNATURE_BYTES)
    ) -> None:
        if len(uid) != 7:
            raise ValueError("a UID of seven bytes")
        self.model = model
        self.signature = signature if maker is None else sign(maker, uid)
        self._layout = model.value
        self._memory = model.delivered(uid)
        self._reads = 0
        self._wrong = 0
        self._lock = Lock()
        self._left: int | None = None
        self._done = self._torn = False
        self._authenticated = self._counted = False

    @property
    def uid(self) -> bytes:
        """Seven bytes, as anticollision tells them."""
        return bytes(self._memory[0:3] + self._memory[4:8])

    @property
    def area(self) -> bytes:
        """The data area, for tests to look at."""
        return bytes(self._memory[16 : 16 + self._layout.user_bytes])

    def power_off(self) -> None:
        """The card leaves the field."""
        with self._lock:
            self._authenticated = self._counted = self._torn = False
            self._left = None

    def tear(self, after: int = 0, done: bool = False) -> None:
        """Have the card torn from the field in the middle of a command, as `EmulatedNtag424.tear` has it."""
        with self._lock:
            self._left, self._done = after, done

    def command(self, raw: bytes) -> bytes:
        """The answer: data, `ACK`, or one byte of refusal. `NoPower` when the card was torn away.

        After a refusal a real card is silent until it is chosen anew; that is left to who carries the frames.
        """
        with self._lock:
            if self._torn or self._left == 0:
                if self._done and not self._torn:
                    self._answer(raw)
                self._torn, self._left, self._authenticated = True, None, False
                raise NoPower("the card is not in the field")
            if self._left is not None:
                self._left -= 1
            return self._answer(raw)

    def _answer(self, raw: bytes) -> bytes:
        length, run = _COMMANDS.get(raw[:1], (0, EmulatedNtag21x._unknown))
        try:
            if len(raw) != length:
                raise _Nak(INVALID)
            return run(self, raw[1:])
        except _Nak as nak:
            self._authenticated = False
            return bytes([nak.code])

    def _unknown(self, _arguments: bytes) -> bytes:
        raise _Nak(INVALID)

    def _get_version(self, _arguments: bytes) -> bytes:
        return self._layout.version

    def _read(self, arguments: bytes) -> bytes:
        """Four pages, round over the end of what may be read to page 0."""
        end = self._readable_end
        if arguments[0] >= end:
            raise _Nak(INVALID)
        self._count()
        return b"".join(self._shown((arguments[0] + number) % end) for number in range(4))

    def _fast_read(self, arguments: bytes) -> bytes:
        start, last = arguments
        if not start <= last < self._readable_end:
            raise _Nak(INVALID)
        self._count()
        return b"".join(self._shown(page) for page in range(start, last + 1))

    def _read_signature(self, arguments: bytes) -> bytes:
        if arguments != b"\0":
            raise _Nak(INVALID)
        return self.signature

    def _read_counter(self, arguments: bytes) -> bytes:
        access = self._access
        if arguments != b"\x02" or not access & CNT_EN or (access & CNT_PROT and not self._authenticated):
            raise _Nak(INVALID)
        return self._reads.to_bytes(3, "little")

    def _authenticate(self, password: bytes) -> bytes:
        limit = self._access & AUTHLIM
        if limit and self._wrong >= limit:
            raise _Nak(OVERFLOW)
        if password != self._page(self._layout.password):
            self._wrong = min(self._wrong + 1, 7) if limit else 0
            raise _Nak(INVALID)
        self._wrong, self._authenticated = 0, True
        return self._page(self._layout.pack)[:2]

    def _write(self, arguments: bytes) -> bytes:
        page, data = arguments[0], arguments[1:]
        layout = self._layout
        if not 2 <= page < layout.pages or (page >= self._protected_from and not self._authenticated):
            raise _Nak(INVALID)
        if self._locked(page):
            raise _Nak(INVALID)
        old = self._page(page)
        if page == 2:
            data = old[:2] + self._static_locks(old, data)
        elif page == 3:
            data = bytes(a | b for a, b in zip(old, data, strict=True))
        elif page == layout.user_end:
            data = self._dynamic_locks(old, data) + old[3:]
        elif page == layout.pack:
            data = data[:2] + bytes(2)
        self._memory[page * PAGE : page * PAGE + PAGE] = data
        return ACK

    def _static_locks(self, old: bytes, data: bytes) -> bytes:
        """Lock bytes 2 and 3: bits are set for good; a block-lock bit freezes the lock bits of its pages."""
        frozen = int.from_bytes(old[2:], "little")
        may_change = 0xFFFF
        for bit, pages in ((0, range(3, 4)), (1, range(4, 10)), (2, range(10, 16))):
            if frozen >> bit & 1:
                may_change &= ~sum(1 << page for page in pages)
        return (frozen | int.from_bytes(data[2:], "little") & may_change).to_bytes(2, "little")

    def _dynamic_locks(self, old: bytes, data: bytes) -> bytes:
        """The lock bits of pages from 16 on, two bytes, and the byte that freezes them; set for good too."""
        layout = self._layout
        locks, freezes = int.from_bytes(old[:2], "little"), old[2]
        share = layout.freeze_step // layout.lock_step
        may_change = (1 << layout.lockable) - 1
        for bit in range(layout.freezable):
            if freezes >> bit & 1:
                may_change &= ~(((1 << share) - 1) << bit * share)
        locks |= int.from_bytes(data[:2], "little") & may_change
        freezes |= data[2] & ((1 << layout.freezable) - 1)
        return locks.to_bytes(2, "little") + bytes([freezes])

    def _locked(self, page: int) -> bool:
        layout = self._layout
        if 3 <= page < 16:
            return bool(int.from_bytes(self._memory[10:12], "little") >> page & 1)
        if 16 <= page < layout.user_end:
            dynamic = int.from_bytes(self._page(layout.user_end)[:2], "little")
            return bool(dynamic >> (page - 16) // layout.lock_step & 1)
        return page in (layout.config, layout.access) and bool(self._access & CFGLCK)

    def _count(self) -> None:
        """The first read after the card was powered counts, where counting is on."""
        if not self._counted and self._access & CNT_EN:
            self._reads = min(self._reads + 1, LAST_COUNT)
        self._counted = True

    @property
    def _access(self) -> int:
        return self._page(self._layout.access)[0]

    @property
    def _protected_from(self) -> int:
        """The first page that asks for the password; the authentication counter's end closes them for good."""
        return self._page(self._layout.config)[3]

    @property
    def _readable_end(self) -> int:
        hidden = self._access & PROT and not self._authenticated
        return min(self._layout.pages, self._protected_from) if hidden else self._layout.pages

    def _page(self, page: int) -> bytes:
        return bytes(self._memory[page * PAGE : page * PAGE + PAGE])

    def _shown(self, page: int) -> bytes:
        """A page as a read finds it: password and acknowledgement are never told."""
        return bytes(PAGE) if page in (self._layout.password, self._layout.pack) else self._page(page)

    def save(self, path: Path) -> None:
        """Keep the card's memory in a file (JSON), whole or not at all."""
        partial = path.with_suffix(path.suffix + ".new")
        with self._lock, os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump(msgspec.to_builtins(self._saved()), file, indent=1)
        partial.replace(path)

    def _saved(self) -> _Saved:
        return _Saved(self.model.name, self._memory.hex(), self.signature.hex(), self._reads, self._wrong)

    @classmethod
    def load(cls, path: Path) -> EmulatedNtag21x:
        """The card of a file; OSError when there is none, ValueError when it holds no card."""
        try:
            saved = msgspec.json.decode(path.read_bytes(), type=_Saved)
        except msgspec.MsgspecError as error:
            raise ValueError(f"not a simulated NTAG21x: {error}") from None
        memory = bytearray.fromhex(saved.memory)
        card = cls(Model[saved.card], bytes(7), signature=bytes.fromhex(saved.signature))
        if len(memory) != len(card._memory):
            raise ValueError(f"not the memory of an {saved.card}")
        card._memory, card._reads, card._wrong = memory, saved.reads, saved.wrong_passwords
        return card


_COMMANDS: dict[bytes, tuple[int, Callable[[EmulatedNtag21x, bytes], bytes]]] = {
    b"\x60": (1, EmulatedNtag21x._get_version),
    b"\x30": (2, EmulatedNtag21x._read),
    b"\x3a": (3, EmulatedNtag21x._fast_read),
    b"\xa2": (6, EmulatedNtag21x._write),
    b"\x3c": (2, EmulatedNtag21x._read_signature),
    b"\x39": (2, EmulatedNtag21x._read_counter),
    b"\x1b": (5, EmulatedNtag21x._authenticate),
}
"""By the first byte: how long a command is, and what it does."""
