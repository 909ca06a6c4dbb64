"""What a card was found to say while it lay on the reader: facts for `verdict`, which judges them.

Every ``uid`` is as the reader reported it. ``record`` is what stands on the card, its signature not checked yet.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct

from appliance.cards.record import SignedRecord


class Problem(StrEnum):
    """Why a card could not be asked to the end; stable codes."""

    LATER = "later"
    """After failed authentications the card makes everybody wait; it has not been asked for its key."""
    LOCKED = "locked"
    """The card's key is blocked for good: somebody tried to guess it."""
    MALFORMED = "malformed"
    """The card has our files, or says so, and nothing in them that a card of a league has."""


class Ntag424Read(Struct, frozen=True):
    """An NTAG 424 DNA, or what says that it is one.

    ``verified``: whether it proved to have its key, None when that was not asked or not answered;
    ``counter``: how often it was read without a key, where it was read so.
    """

    uid: str
    verified: bool | None = None
    counter: int | None = None
    record: SignedRecord | None = None
    problem: Problem | None = None


class Ntag21xRead(Struct, frozen=True):
    """A card of pages. ``original``: whether the maker's signature is that of its UID, None when it could not be
    asked."""

    uid: str
    original: bool | None = None
    record: SignedRecord | None = None
    problem: Problem | None = None


class PlainRead(Struct, frozen=True):
    """Nothing is known but the number."""

    uid: str


Reading: TypeAlias = Ntag424Read | Ntag21xRead | PlainRead
