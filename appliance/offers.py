"""What a table does while no director is there, as its own stream keeps it, and what the director said of it. Pure.

A table offers its commands: each is written down before the table acts on it, goes to the director in that order and
under the same id once there is one, and is answered. What was refused is for the floor.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from appliance.game.state import Table
from appliance.note import Millis, Note, Word

DEALT_OTHERWISE = "dealt-otherwise"
"""The director has carried it out, with another button, other blinds or another level than the table had."""

FOLLOWED_REFUSED = "followed-refused"
"""It went on from something that the director refused, and was not sent any more."""


class Dealt(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a hand was begun: seats of the button and the blinds (None: nobody's), the level, what is posted."""

    hand: int
    level: int
    small_blind: int
    big_blind: int
    ante: int = 0
    button: int | None = None
    sb: int | None = None
    bb: int | None = None

    @classmethod
    def at(cls, table: Table) -> Dealt:
        """The hand in play at a table."""
        return cls(
            table.hand, table.level, table.small_blind, table.big_blind, table.ante, table.button, table.sb, table.bb
        )


class Offered(Note, frozen=True, tag="offered/1", kw_only=True):
    """A command of the table that waits for a director, under the id it will be sent by.

    ``hand``: the one it begins, or the end of which it tells. ``at``: when it was given, by the director's clock as
    far as it was known. ``dealt``: how the hand was begun.
    """

    id: Word
    round: Word
    table: int
    hand: int
    at: Millis
    command: dict[str, Any]
    dealt: Dealt | None = None


class OfferAnswered(Note, frozen=True, tag="offered-answered/1", kw_only=True):
    """What the director said to it. ``code``: why not, or that it was carried out in another way."""

    id: Word
    ok: bool
    code: Word = ""


class Refused(msgspec.Struct, frozen=True):
    """What the floor has to see to: an offer that was refused, with all that went on from it up to hand ``last``."""

    offer: Offered
    code: str
    last: int


class Offers(msgspec.Struct, frozen=True):
    """What waits for a director, in order, and what one has refused since the stream began."""

    pending: tuple[Offered, ...] = ()
    refused: tuple[Refused, ...] = ()


def fold_offers(offers: Offers, note: Note | None) -> Offers:
    """The offers after a note of the table's stream."""
    match note:
        case Offered() if all(note.id != other.id for other in offers.pending):
            return replace(offers, pending=(*offers.pending, note))
        case OfferAnswered(id=number):
            offer = next((each for each in offers.pending if each.id == number), None)
            return offers if offer is None else _answered(offers, offer, note)
        case _:
            return offers


def _answered(offers: Offers, offer: Offered, said: OfferAnswered) -> Offers:
    pending = tuple(each for each in offers.pending if each is not offer)
    refused = offers.refused
    if said.code == FOLLOWED_REFUSED and refused:
        refused = (*refused[:-1], replace(refused[-1], last=max(refused[-1].last, offer.hand)))
    elif said.code:
        refused = (*refused, Refused(offer, said.code, offer.hand))
    return Offers(pending, refused)


class OfflineRefused(Note, frozen=True, tag="offline-refused/1", kw_only=True):
    """Hands of a table that were played without a director, and what it refused of them; not ``open``: the floor has
    seen it.

    ``id``: of the command; ``device``: who tells it; ``by``: the commissioner who has seen it.
    """

    device: Word
    table: int
    round: Word
    hand: int
    last: int
    code: Word
    id: Word
    at: Millis
    open: bool = True
    by: Word = ""


def standing(notes: Mapping[str, Note]) -> tuple[OfflineRefused, ...]:
    """What the floor has not seen yet, by table and hand."""
    found = (note for note in notes.values() if isinstance(note, OfflineRefused) and note.open)
    return tuple(sorted(found, key=lambda note: (note.table, note.hand, note.id)))
