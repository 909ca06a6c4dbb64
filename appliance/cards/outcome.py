"""What a verdict may be, and what follows from it: light, sound, and whether the commissioner keeps the card (LG-6).

Apart from `verdict`, for whoever shows it: words and lights need nothing that takes its time to load.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, TypeAlias

from msgspec import Struct


class Tier(StrEnum):
    """How much an accepted card proved; stable codes."""

    GENUINE = "genuine"
    """It has the key that only this card has."""
    WEAK = "weak"
    """It bears the league's signature for its number: no forgery, but it may be a copy."""
    UID = "uid"
    """It says a number; anybody can say it."""


class Refusal(StrEnum):
    """Why a card is refused; stable codes, the display has words for them in both languages."""

    UNKNOWN = "unknown"
    """On no participant's entry of this venue's roster."""
    REVOKED = "revoked"
    """The league took the card back."""
    LOST = "lost"
    """Reported lost."""
    STOLEN = "stolen"
    """Reported stolen."""
    DAMAGED = "damaged"
    """Reported damaged, or a card of the roster without what the league writes into its cards."""
    FORGED = "forged"
    """It pretends to be a card of the league and cannot be that card."""
    WRONG_LEAGUE = "wrong-league"
    """Another league's card."""
    COUNTER_BACK = "counter-back"
    """A card of this number was read more often than this one says it ever was: one of the two is a copy, and without
    the key nobody can tell which."""
    LOCKED = "locked"
    """Its key is blocked for good after attempts to guess it: it can no longer be verified."""
    LATER = "later"
    """After failed attempts it makes everybody wait; tap again in a while."""
    NOT_OURS = "not-ours"
    """It can say more than a number, and nothing of it is any league's."""
    PHONE = "phone"
    """A phone, or a card that hides its number: another UID at every tap, so it can be nobody's card."""
    TOO_WEAK = "too-weak"
    """The season asks more of a card than this one, or this reader, can prove."""
    CANCELLED = "cancelled"
    """The registration has ended (LG-5)."""
    BLOCKED = "blocked"
    """The league has blocked the participant."""
    MALFORMED = "malformed"
    """The reader reports a number that no card can have."""
    UNREADABLE = "unreadable"
    """In the field and not read. It may be the reader's fault, so no word against the card (LG-6)."""


class Tone(StrEnum):
    """What light and buzzer tell the room, by the names that the panel's signals have."""

    ACCEPTED = "accepted"
    WEAK = "weak"
    REFUSED = "refused"
    AGAIN = "again"
    """Nothing was decided: hold the card there once more. No red light for what may be the reader's fault."""


class Meaning(Struct, frozen=True):
    """What follows from a refusal: the room's signal, whether the commissioner keeps the card for good, whether the
    venue's stream notes it."""

    tone: Tone
    hand_in: bool
    noted: bool


_KEPT = Meaning(Tone.REFUSED, hand_in=True, noted=True)
_GIVEN_BACK = Meaning(Tone.REFUSED, hand_in=False, noted=True)
_AGAIN = Meaning(Tone.AGAIN, hand_in=False, noted=False)

MEANINGS: dict[Refusal, Meaning] = {
    Refusal.UNKNOWN: _GIVEN_BACK,
    Refusal.REVOKED: _KEPT,
    Refusal.LOST: _KEPT,
    Refusal.STOLEN: _KEPT,
    Refusal.DAMAGED: _KEPT,
    Refusal.FORGED: _KEPT,
    Refusal.WRONG_LEAGUE: _GIVEN_BACK,
    Refusal.COUNTER_BACK: _GIVEN_BACK,
    Refusal.LOCKED: _KEPT,
    Refusal.LATER: Meaning(Tone.AGAIN, hand_in=False, noted=True),
    Refusal.NOT_OURS: _GIVEN_BACK,
    Refusal.PHONE: _GIVEN_BACK,
    Refusal.TOO_WEAK: _GIVEN_BACK,
    Refusal.CANCELLED: _KEPT,
    Refusal.BLOCKED: _KEPT,
    Refusal.MALFORMED: _AGAIN,
    Refusal.UNREADABLE: _AGAIN,
}
"""**Decided** (LG-6: forged and unverifiable cards must be refused, and a refused card is kept): kept is what is the
league's, or pretends to be. By its number alone an unknown card may be anybody's bus pass, another league's card is
that league's, a phone is its owner's, a card that proves too little is as the league issued it and the season's rule
or the reader is why; a counter that went back may be the real card's after a copy pushed it, and the key tells, where
it is here; what makes us wait or could not be read has not been judged at all."""


class Accepted(Struct, frozen=True):
    """An active holder's card. ``counter`` is to be kept: a lower one of this card will be refused."""

    uid: str
    participant: str
    role: Literal["participant", "commissioner"]
    tier: Tier = Tier.UID
    counter: int | None = None

    @property
    def identity_check(self) -> bool:
        """Whether somebody must look who holds the card before anything counts, whatever the rules of the hour."""
        return self.tier is not Tier.GENUINE

    @property
    def rights(self) -> bool:
        """Whether this card alone gives a commissioner's rights; otherwise a PIN must (`appliance.cards.pin`)."""
        return self.role == "commissioner" and self.tier is Tier.GENUINE

    @property
    def tone(self) -> Tone:
        """What light and buzzer say."""
        return Tone.ACCEPTED if self.tier is Tier.GENUINE else Tone.WEAK


class Refused(Struct, frozen=True):
    """``uid`` as far as it is known, ``participant`` when the card is somebody's."""

    code: Refusal
    uid: str | None = None
    participant: str | None = None

    @property
    def hand_in(self) -> bool:
        """Whether the commissioner keeps the card for good (LG-6)."""
        return MEANINGS[self.code].hand_in

    @property
    def tone(self) -> Tone:
        """What light and buzzer say."""
        return MEANINGS[self.code].tone


Verdict: TypeAlias = Accepted | Refused
