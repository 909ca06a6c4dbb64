"""A venue's devices as the league tells of them, and what it sends to one of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from appliance.game.league_event import RosterEvent

KeyHex = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
"""A public key: Ed25519 (RFC 8032) or X25519 (RFC 7748), in hex."""

DeviceName = Annotated[str, Meta(pattern=r"\A[a-z0-9-]{1,32}\Z")]

DeviceRole = Literal["table", "door", "clock", "director", "uplink"]
"""What a device of a venue does."""

MOST_SIGNED = 250
"""So many heads fit into a record."""


class SignedHead(Struct, frozen=True, array_like=True):
    """How far the league has stored an epoch that a device opened: its record ``seq`` has this hash."""

    stream: Annotated[str, Meta(max_length=80)]
    epoch: Annotated[str, Meta(max_length=30)]
    seq: Annotated[int, Meta(ge=1, lt=1 << 53)]
    hash: KeyHex


class Signed(Struct, frozen=True):
    """Up to record ``seq`` of an epoch, with this hash, a key counts that counts for nothing later."""

    key: KeyHex
    seq: int
    hash: str


class DeviceKnown(RosterEvent, frozen=True, kw_only=True, omit_defaults=True):
    """A device of the venue; a later one of the same name replaces it. See `appliance.members.Member`.

    ``revoked``: it was stolen or given away; nothing that it signs from now on counts, under any name. What it
    ``signed`` before, and the league has, goes on to count: whoever lacks it takes it from others.
    """

    device: DeviceName
    key: KeyHex
    role: DeviceRole
    table: Annotated[int, Meta(ge=1, le=99)] | None = None
    opening: Annotated[str, Meta(pattern=r"\A([0-9a-f]{64})?\Z")] = ""
    certificate: Annotated[str, Meta(max_length=4000)] = ""
    revoked: bool = False
    signed: Annotated[tuple[SignedHead, ...], Meta(max_length=MOST_SIGNED)] = ()


class CardKeysSent(RosterEvent, frozen=True, kw_only=True, omit_defaults=True):
    """Keys of cards, sealed to one device and signed by the desk (`appliance.cards.seal`): part ``part`` of ``of``.

    The parts of a file, which ``file`` tells from others, come in order; a later file takes the place of an earlier.
    """

    device: DeviceName
    sealed: bytes
    part: Annotated[int, Meta(ge=1, le=999)] = 1
    of: Annotated[int, Meta(ge=1, le=999)] = 1
    file: Annotated[str, Meta(max_length=64)] = ""


class SealedFile(Struct, frozen=True):
    """So much of a file of sealed keys has come: ``parts`` of it."""

    file: str
    parts: tuple[bytes, ...]


def with_part(
    whole: Mapping[str, bytes], coming: Mapping[str, SealedFile], event: CardKeysSent
) -> tuple[Mapping[str, bytes], Mapping[str, SealedFile]]:
    """Files of sealed keys by device, and parts of those to come, after one more part.

    Whole files take the place of earlier ones; of one that lacks a part nothing is taken.
    """
    held = coming.get(event.device, SealedFile("", ()))
    before = held.parts if held.file == event.file and event.part > 1 else ()
    if event.part != len(before) + 1:
        return whole, coming
    parts, others = (*before, event.sealed), {name: file for name, file in coming.items() if name != event.device}
    if event.part < event.of:
        return whole, {**others, event.device: SealedFile(event.file, parts)}
    return {**whole, event.device: b"".join(parts)}, others
