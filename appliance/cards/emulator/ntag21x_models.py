"""NTAG213, 215 and 216: how much memory they have, where its parts lie, and what they hold when delivered
(NTAG213_215_216 data sheet, 8.5)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

PAGE = 4
DELIVERED_PASSWORD = b"\xff\xff\xff\xff"
LOCK_CONTROL = bytes.fromhex("0103A00C34")
"""The block that a delivered NTAG213 begins its data area with: where its dynamic lock bytes are."""
EMPTY_MESSAGE = bytes.fromhex("0300FE")


@dataclass(frozen=True, slots=True)
class Layout:
    """Page numbers and sizes. ``user_end``: the first page behind the data area, with the dynamic lock bytes.

    ``lock_step``: pages that one dynamic lock bit locks; ``freeze_step``: pages whose lock bits one bit freezes.
    """

    pages: int
    user_end: int
    size_code: int
    storage: int
    lock_step: int
    freeze_step: int

    @property
    def config(self) -> int:
        return self.user_end + 1

    @property
    def access(self) -> int:
        return self.user_end + 2

    @property
    def password(self) -> int:
        return self.user_end + 3

    @property
    def pack(self) -> int:
        return self.user_end + 4

    @property
    def user_bytes(self) -> int:
        return (self.user_end - 4) * PAGE

    @property
    def version(self) -> bytes:
        """The answer to GET_VERSION."""
        return bytes([0, 0x04, 0x04, 0x02, 0x01, 0x00, self.storage, 0x03])

    @property
    def lockable(self) -> int:
        """How many dynamic lock bits there are."""
        return -(-(self.user_end - 16) // self.lock_step)

    @property
    def freezable(self) -> int:
        """How many bits freeze them."""
        return -(-(self.user_end - 16) // self.freeze_step)


class Model(Enum):
    """The three sizes, by the bytes of their data area."""

    NTAG213 = Layout(45, 0x28, 0x12, 0x0F, 2, 4)
    NTAG215 = Layout(135, 0x82, 0x3E, 0x11, 16, 32)
    NTAG216 = Layout(231, 0xE2, 0x6D, 0x13, 16, 32)

    def delivered(self, uid: bytes) -> bytearray:
        """The whole memory of a new card with this UID of seven bytes."""
        layout = self.value
        memory = bytearray(layout.pages * PAGE)
        # both halves of the UID with their check bytes (ISO/IEC 14443-3, 6.5.4), then 48 and the lock bytes
        memory[:10] = uid[:3] + _check(b"\x88" + uid[:3]) + uid[3:] + _check(uid[3:]) + b"\x48"
        memory[12:16] = bytes([0xE1, 0x10, layout.size_code, 0])
        area = (LOCK_CONTROL if self is Model.NTAG213 else b"") + EMPTY_MESSAGE
        memory[16 : 16 + len(area)] = area
        end = layout.user_end * PAGE
        memory[end : end + 20] = bytes.fromhex("000000BD 040000FF 00050000") + DELIVERED_PASSWORD + bytes(4)
        return memory


def _check(half: bytes) -> bytes:
    """The exclusive or of a half's bytes."""
    return bytes([half[0] ^ half[1] ^ half[2] ^ half[3]])
