"""What a screen says to the person who has just tapped: plain data, made by the tap logic.

A prompt names people by registration number and times in UTC milliseconds; the view looks up the rest.
"""

from __future__ import annotations

import msgspec


class CheckIdentity(msgspec.Struct, frozen=True, tag=True):
    """Before the start: the commissioner checks identity, takes the deposit (CZK) and taps (T-2, T-3)."""

    participant: str
    deposit: int


class Waiting(msgspec.Struct, frozen=True, tag=True):
    """Asked the director; no answer yet."""

    participant: str | None = None


class Registered(msgspec.Struct, frozen=True, tag=True):
    """Registered: deposit in CZK, chips lent for it (T-4). ``one_copy``: the answer is on one disk only."""

    participant: str
    deposit: int
    chips: int
    one_copy: bool = False


class AlreadyRegistered(msgspec.Struct, frozen=True, tag=True):
    """The participant is registered for tonight already; before the start there is no seat yet."""

    participant: str


class YourSeat(msgspec.Struct, frozen=True, tag=True):
    """Play is on: where this participant sits."""

    participant: str
    table: int
    seat: int


class YourResult(msgspec.Struct, frozen=True, tag=True):
    """The participant is out; the prize is in CZK, 0 for none."""

    participant: str
    place: int
    prize: int


class UnknownCard(msgspec.Struct, frozen=True, tag=True):
    """The card is on no roster."""


class PhoneCard(msgspec.Struct, frozen=True, tag=True):
    """A phone, or a card that hides its number: another UID at every tap, so it can be nobody's card."""


class BlockedCard(msgspec.Struct, frozen=True, tag=True):
    """The card or its holder is blocked; the commissioner keeps the card (LG-6)."""


class UnreadableCard(msgspec.Struct, frozen=True, tag=True):
    """The card left the reader too soon: tap again."""


class WrongEvening(msgspec.Struct, frozen=True, tag=True):
    """Nothing to register for now; ``starts_at`` (UTC ms) is the next round here, if one is known."""

    starts_at: int | None = None


class Refused(msgspec.Struct, frozen=True, tag=True):
    """The rules say no: a refusal code of the text interface and its numbers."""

    code: str
    detail: dict[str, object] = msgspec.field(default_factory=dict)
    participant: str | None = None


class NoAnswer(msgspec.Struct, frozen=True, tag=True):
    """The director did not answer in time; nothing was registered as far as this screen knows."""

    participant: str | None = None


class CommissionerAccepted(msgspec.Struct, frozen=True, tag=True):
    """A commissioner's card was accepted, with nobody waiting for an identity check."""

    participant: str


Prompt = (
    CheckIdentity
    | Waiting
    | Registered
    | AlreadyRegistered
    | YourSeat
    | YourResult
    | UnknownCard
    | PhoneCard
    | BlockedCard
    | UnreadableCard
    | WrongEvening
    | Refused
    | NoAnswer
    | CommissionerAccepted
)
