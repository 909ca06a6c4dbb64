"""A director that was seen on the venue's network: where its broker is, and the notice it showed.

As a line of `tableside find`, JSON; as the TXT record of the service `_tableside._tcp` (RFC 6763), ``key=value`` with
a key for each field of the notice:

    line = to_line(Sighting("10.0.0.5", 8883, notice))
    sighting = from_line(line)              # BadSighting or a Sighting, nothing else
    notice = from_txt(to_txt(notice))       # BadSighting or a DirectorNotice

Anybody may say anything here: a sighting counts once its notice is genuine (`appliance.link.notices`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Meta, Raw, Struct

from appliance.link import envelope
from appliance.link.envelope import BadPayload, DirectorNotice

SERVICE = "_tableside._tcp.local."
"""The service's type, and the domain of multicast DNS (RFC 6762)."""

MAX_LINE_BYTES = 4096
MAX_TXT_BYTES = 255
"""Of an entry, ``key=value`` (RFC 6763, 6.1)."""

_MAX_ENTRIES = 64
_LABEL_BYTES = 63
Host = Annotated[str, Meta(pattern=r"\A[0-9A-Za-z._:%-]{1,253}\Z")]
"""A name or an address as `socket.getaddrinfo` takes it."""


class BadSighting(ValueError):
    """What is no sighting; the text says why."""


class Sighting(Struct, frozen=True):
    """``host`` and ``port`` of the director's broker, and its ``notice``."""

    host: Host
    port: Annotated[int, Meta(ge=1, le=65535)]
    notice: DirectorNotice


class _Line(Struct, frozen=True):
    host: Host
    port: Annotated[int, Meta(ge=1, le=65535)]
    notice: Raw


_lines = msgspec.json.Decoder(_Line)
_DEFAULTS = {
    field.encode_name: msgspec.to_builtins(field.default)
    for field in msgspec.structs.fields(DirectorNotice)
    if not field.required
}


def instance(notice: DirectorNotice) -> str:
    """The name of the service's instance, venue and device; a label of DNS holds all but two letters of the longest."""
    return f"{notice.venue[: _LABEL_BYTES - 1 - len(notice.device)]}-{notice.device}"


def to_line(sighting: Sighting) -> bytes:
    """The sighting as JSON, without the end of the line."""
    return msgspec.json.encode(sighting)


def from_line(line: bytes) -> Sighting:
    """Read a line; fields it does not know are ignored. Raises `BadSighting` and nothing else."""
    if len(line) > MAX_LINE_BYTES:
        raise BadSighting(f"{len(line)} bytes")
    try:
        read = _lines.decode(line)
        return Sighting(read.host, read.port, envelope.decode(DirectorNotice, bytes(read.notice)))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, BadPayload) as error:
        raise BadSighting(str(error)[:200]) from None


def to_txt(notice: DirectorNotice) -> dict[str, str]:
    """The notice as entries of a TXT record; what is at its default is left out."""
    values = msgspec.to_builtins(notice)
    return {name: _txt(value) for name, value in values.items() if _DEFAULTS.get(name) != value}


def from_txt(entries: Mapping[bytes, bytes | None]) -> DirectorNotice:
    """Read a TXT record; keys it does not know are ignored, their case too. Raises `BadSighting` and nothing else."""
    if len(entries) > _MAX_ENTRIES:
        raise BadSighting(f"{len(entries)} entries")
    try:
        texts = {key.decode("ascii").lower(): (value or b"").decode("ascii") for key, value in entries.items()}
        notice = msgspec.convert(texts, DirectorNotice, strict=False)
        return envelope.decode(DirectorNotice, envelope.encode(notice))  # what holds for a message holds here
    except (msgspec.MsgspecError, UnicodeDecodeError, BadPayload) as error:
        raise BadSighting(str(error)[:200]) from None


def _txt(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
