"""Events to record types and data, and back: one table of names for one kind of stream."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, TypeVar

import msgspec
from msgspec import Struct

E = TypeVar("E", bound=Struct)


class EventError(ValueError):
    """Bytes that are no event of the type they claim to be, or an event that cannot be true."""


class UnknownEvent(Struct, frozen=True):
    """An event of a type this version does not know: kept as it came, shown, never folded."""

    type: str
    raw: bytes


class Codec(Generic[E]):
    """Encodes and decodes the events of one kind of stream; ``types`` by the names that records carry."""

    def __init__(self, types: Mapping[str, type[E]]) -> None:
        self._names = {kind: name for name, kind in types.items()}
        self._decoders = {name: msgspec.json.Decoder(kind) for name, kind in types.items()}

    def encode(self, event: E) -> tuple[str, bytes]:
        """The record type and the JSON data of an event."""
        return self._names[type(event)], msgspec.json.encode(event)

    def decode(self, name: str, raw: bytes | msgspec.Raw) -> E | UnknownEvent:
        """Read an event; raises `EventError` when a known type has data that do not fit."""
        decoder = self._decoders.get(name)
        if decoder is None:
            return UnknownEvent(name, bytes(raw))
        try:
            return decoder.decode(raw)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise EventError(f"{name}: {error}") from None
