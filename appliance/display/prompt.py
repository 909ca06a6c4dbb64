"""What a screen says to the person who has just tapped: plain data, made by the tap logic.

A prompt names people by registration number and times in UTC milliseconds; the view looks up the rest.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from appliance.floor.said import Text


class CheckIdentity(msgspec.Struct, frozen=True, tag=True):
    """Before the start: the commissioner checks identity, takes the deposit (CZK) and taps (T-2, T-3).

    ``weak``, here and below: the card could not prove that it is no copy, so somebody must look who holds it.
    """

    participant: str
    deposit: int
    weak: bool = False


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
    weak: bool = False


class YourSeat(msgspec.Struct, frozen=True, tag=True):
    """Play is on: where this participant sits."""

    participant: str
    table: int
    seat: int
    weak: bool = False


class YourResult(msgspec.Struct, frozen=True, tag=True):
    """The participant is out; the prize is in CZK, 0 for none."""

    participant: str
    place: int
    prize: int
    weak: bool = False


class CardRefused(msgspec.Struct, frozen=True, tag=True):
    """A card is refused, by its code (`appliance.cards.verdict.Refusal`); ``hand_in``: it is kept for good (LG-6)."""

    code: str
    hand_in: bool = False


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


class EnterPin(msgspec.Struct, frozen=True, tag=True):
    """A commissioner's card that proves too little: their PIN, of which so many digits were typed, never which.

    ``left``: attempts, after a wrong one. ``turned``: the digit the knob stands at, where there is one. ``confirms``:
    who waits behind it, whose registration, or raise of the deposit by ``amount`` CZK, the right PIN confirms.
    """

    participant: str
    typed: int = 0
    left: int | None = None
    turned: int | None = None
    confirms: str | None = None
    amount: int = 0


class PinRefused(msgspec.Struct, frozen=True, tag=True):
    """No PIN is taken: ``locked`` for so many ``minutes`` after wrong ones, or the league knows ``none``."""

    participant: str
    why: Literal["locked", "none"]
    minutes: int = 0


class TopUp(msgspec.Struct, frozen=True, tag=True):
    """Somebody in play raises the deposit by ``amount`` CZK, for ``chips``; at most ``left`` (T-3, T-4)."""

    participant: str
    amount: int
    chips: int
    left: int


class ToppedUp(msgspec.Struct, frozen=True, tag=True):
    """The deposit was raised by ``amount`` CZK, and ``chips`` lent for it (T-3, T-4)."""

    participant: str
    amount: int
    chips: int


class Done(msgspec.Struct, frozen=True, tag=True):
    """A command was carried out whose page of the floor menu was left before; ``what`` the menu calls it."""

    what: Text


Prompt = (
    CheckIdentity
    | Waiting
    | Registered
    | AlreadyRegistered
    | YourSeat
    | YourResult
    | CardRefused
    | UnreadableCard
    | WrongEvening
    | Refused
    | NoAnswer
    | CommissionerAccepted
    | EnterPin
    | PinRefused
    | TopUp
    | ToppedUp
    | Done
)
