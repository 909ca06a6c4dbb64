"""One line of the desk's ledger: what was done to which card, for whom, by whom and when.

The league reads the same lines (``tableside league cards FILE``), so they say everything by themselves.
"""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

MAX_LINE_BYTES = 4096

What: TypeAlias = Literal["key", "begun", "issued", "withdrawn", "wiped"]
Kind: TypeAlias = Literal["ntag424", "ntag21x"]
Reason: TypeAlias = Literal["lost", "stolen", "damaged", "revoked", "replaced"]

Moment = Annotated[dt.datetime, Meta(tz=True)]
Text = Annotated[str, Meta(max_length=200)]


class BadEntry(ValueError):
    """A line that is none of a ledger's."""


class Entry(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """``what``:

    - ``key``: whose cards these are: ``league``, and ``key``, the public half of what signs them;
    - ``begun``: a card is about to be written; should it be torn away, the same record is written again;
    - ``issued``: the card ``uid`` is ``participant``'s; again for the same card when its keys were renewed;
    - ``withdrawn``: it is so no longer, for ``reason``;
    - ``wiped``: it is blank again.
    """

    id: Annotated[str, Meta(pattern=r"\A[0-9a-f]{32}\Z")]
    at: Moment
    who: Text
    what: What
    league: Annotated[str, Meta(pattern=r"\A([a-z0-9-]{1,16})?\Z")] = ""
    key: Annotated[str, Meta(pattern=r"\A([0-9a-f]{64})?\Z")] = ""
    uid: Annotated[str, Meta(pattern=r"\A([0-9A-F]{14})?\Z")] = ""
    participant: Annotated[str, Meta(pattern=r"\A([0-9]{1,12})?\Z")] = ""
    serial: Annotated[int, Meta(ge=0, le=0xFFFFFFFF)] = 0
    kind: Kind = "ntag424"
    key_version: Annotated[int, Meta(ge=0, le=255)] = 0
    issued: dt.date | None = None
    reason: Reason | None = None


def encode(entry: Entry) -> bytes:
    """The entry's line, its end included."""
    return msgspec.json.encode(entry) + b"\n"


def decode(line: bytes) -> Entry:
    """Read a line; `BadEntry` says what is wrong with it. Unknown fields are passed over."""
    if len(line) > MAX_LINE_BYTES:
        raise BadEntry(f"longer than {MAX_LINE_BYTES} bytes")
    try:
        entry = msgspec.json.decode(line, type=Entry)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadEntry(str(error)) from None
    for name in _NEEDED[entry.what]:
        if not getattr(entry, name):
            raise BadEntry(f"{entry.what} without {name}")
    return entry


_CARD = ("uid", "participant", "serial", "issued")
_NEEDED: dict[What, tuple[str, ...]] = {
    "key": ("league", "key"),
    "begun": _CARD,
    "issued": _CARD,
    "withdrawn": ("uid", "participant", "reason"),
    "wiped": ("uid",),
}
