"""Writes an NDEF message into an NTAG21x, so that the same again ends what a torn card left half done.

Pages are written from the last to the first: what announces the message comes when all of it is there.
"""

from __future__ import annotations

from appliance.cards import originality
from appliance.cards.ndef import BadNdef, area_with, blocks, message_of
from appliance.cards.originality import PublicKey
from appliance.hw.ports import Channel, NotSupported

PAGE, FIRST = 4, 4
_CONTROL = (0x01, 0x02)
_USED = 160
"""Bytes of the data area that are looked at: more than any message of ours takes."""


class NoRoom(OSError):
    """No NTAG21x with an NDEF data area, or one too small or locked against writing."""


def read_message(channel: Channel) -> bytes:
    """The card's NDEF message, empty when there is none that can be read."""
    try:
        return message_of(_area(channel))
    except BadNdef:
        return b""


def write_message(channel: Channel, message: bytes) -> bool:
    """Have this message on the card and nothing behind it; True if it was so already. Raises `NoRoom`."""
    now = _area(channel)
    try:
        wanted = area_with(message, len(now), _control_blocks(now)).ljust(len(now), b"\0")
    except BadNdef as error:
        raise NoRoom(f"the record does not fit this card: {error}") from None
    different = [at for at in range(0, len(now), PAGE) if now[at : at + PAGE] != wanted[at : at + PAGE]]
    for at in reversed(different):
        channel.write_page(FIRST + at // PAGE, wanted[at : at + PAGE])
    if different and _area(channel) != wanted:
        raise NoRoom("the card did not keep what was written")
    return not different


def is_original(channel: Channel, uid: bytes, makers: tuple[PublicKey, ...]) -> bool | None:
    """Whether one of the makers signed the card's UID; None when the reader cannot ask."""
    try:
        signature = channel.command(b"\x3c\x00")
    except NotSupported:
        return None
    return any(originality.verify(maker, uid, signature) for maker in makers)


def _area(channel: Channel) -> bytes:
    """The beginning of the data area, as large as the card says that it is."""
    head = channel.read_pages(3)
    if head[0] != 0xE1 or not head[2]:
        raise NoRoom("this card has no NDEF data area")
    size = min(head[2] * 8, _USED)
    area = b"".join(channel.read_pages(page) for page in range(FIRST, FIRST + -(-size // PAGE), 4))
    return area[:size]


def _control_blocks(area: bytes) -> bytes:
    """What says where the lock bytes are; it stays."""
    kept = b""
    try:
        for block in blocks(area):
            if block.tag not in _CONTROL:
                break
            kept += area[block.start : block.end]
    except BadNdef:
        pass  # a message torn in the middle; the control blocks stand before it
    return kept
