"""Which phones were signed in, as the venue's own stream tells it, and what a kiosk asks of the director about them.

A key stands in none of it as it is: on its way to the director it is sealed (`appliance.phonekey`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Struct

from appliance.note import Millis, Note, Word
from appliance.phone import Phone, PhoneRole

Session = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{16}\Z")]
TableNumber = Annotated[int, msgspec.Meta(ge=1, le=99)]


class PhonePaired(Note, frozen=True, tag="phone-paired/1", kw_only=True):
    """A commissioner (``by``) signed a phone in at the kiosk ``device``, until ``until`` (UTC ms)."""

    session: Session
    role: PhoneRole
    table: TableNumber | None = None
    by: Word
    device: Word
    since: Millis
    until: Millis
    agent: Annotated[str, msgspec.Meta(max_length=64)] = ""


class PhoneCutOff(Note, frozen=True, tag="phone-cut-off/1", kw_only=True):
    """A commissioner (``by``) at ``device`` has a phone signed in no more."""

    session: Session
    by: Word
    device: Word


class PairPhone(Struct, frozen=True, kw_only=True, tag_field="type", tag="pair-phone/1"):
    """A commissioner (``by``) at a kiosk wants a phone signed in, which will come with the key in ``box``.

    A dealer's is for one ``table``. ``box``: hex of `appliance.phonekey.seal`.
    """

    session: Session
    role: PhoneRole
    table: TableNumber | None = None
    box: Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{160}\Z")]
    by: Word


class ConfirmPhone(Struct, frozen=True, kw_only=True, tag_field="type", tag="confirm-phone/1"):
    """Both show the same four digits (``yes``), or the phone that has come is not the commissioner's."""

    session: Session
    yes: bool
    by: Word


class CutOffPhone(Struct, frozen=True, kw_only=True, tag_field="type", tag="cut-off-phone/1"):
    """A commissioner (``by``) has a phone signed in no more."""

    session: Session
    by: Word


PhoneWish = PairPhone | ConfirmPhone | CutOffPhone
_wishes = msgspec.json.Decoder(PhoneWish)


def decode_wish(raw: bytes) -> PhoneWish | None:
    """What a kiosk asks about phones; None for anything else."""
    try:
        return _wishes.decode(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None


def phones(notes: Mapping[str, Note], now_ms: int) -> tuple[Phone, ...]:
    """Who is signed in by the stream's word, in the order in which it was."""
    out = {note.session for note in notes.values() if isinstance(note, PhoneCutOff)}
    found = [
        Phone(
            session=note.session, role=note.role, table=note.table, who=note.by, by=note.device, since_ms=note.since,
            until_ms=note.until, agent=note.agent,
        )
        for note in notes.values()
        if isinstance(note, PhonePaired) and note.session not in out and now_ms < note.until
    ]  # fmt: skip
    return tuple(sorted(found, key=lambda phone: phone.since_ms))
