"""The house's word on a card: accepted with its holder, or refused with a code (LG-6).

Pure: what was read from the card, what the league told, the highest counter seen come in. A registration number or a
UID says whose card it claims to be, never that it is theirs; how much it proved is the verdict's *tier*.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from appliance.cards.reading import Ntag21xRead, Ntag424Read, PlainRead, Problem, Reading
from appliance.cards.record import SignedRecord, verify
from appliance.cards.uid import BadUid, is_random, normal_uid
from appliance.game.roster import CardPolicy, Roster, RosterEntry


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
    """It was read more often before than it says it ever was: a copy of an earlier state."""
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


@dataclass(frozen=True, slots=True)
class Meaning:
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
    Refusal.COUNTER_BACK: _KEPT,
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
or the reader is why; what makes us wait or could not be read has not been judged at all."""


@dataclass(frozen=True, slots=True)
class Accepted:
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


@dataclass(frozen=True, slots=True)
class Refused:
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

_PROBLEMS = {
    Problem.LATER: Refusal.LATER,
    Problem.LOCKED: Refusal.LOCKED,
    Problem.MALFORMED: Refusal.DAMAGED,
}


def verdict(reading: Reading, roster: Roster, highest: int | None = None, policy: CardPolicy | None = None) -> Verdict:
    """Judge a card. Any reading gets a verdict, none an exception.

    ``highest``: the highest counter that this device has accepted of this card (`Counters`); ``policy``: the roster's
    unless given.
    """
    try:
        uid = normal_uid(reading.uid)
    except BadUid:
        return Refused(Refusal.MALFORMED, reading.uid[:40])
    if is_random(uid):
        return Refused(Refusal.PHONE, uid)
    policy = policy or roster.policy
    holder = roster.by_uid(uid)
    if holder is None:
        return _stranger(reading, uid, roster, policy)
    if holder.state != "active":
        code = Refusal.BLOCKED if holder.state == "blocked" else Refusal.CANCELLED
        return Refused(code, uid, holder.participant)
    found = _proved(reading, uid, holder, policy, highest)
    if isinstance(found, Refusal):
        return Refused(found, uid, holder.participant)
    if not _enough(found, policy):
        return Refused(Refusal.TOO_WEAK, uid, holder.participant)
    counter = reading.counter if isinstance(reading, Ntag424Read) else None
    return Accepted(uid, holder.participant, holder.role, found, counter)


def _stranger(reading: Reading, uid: str, roster: Roster, policy: CardPolicy) -> Refused:
    """A card of nobody here: taken back from somebody, another league's, a forgery, or none of our business."""
    former = roster.revoked_from(uid)
    if former is not None:
        return Refused(Refusal(roster.withdrawn_as(uid)), uid, former.participant)
    if isinstance(reading, PlainRead):
        return Refused(Refusal.UNKNOWN, uid)
    if reading.record is None:
        return Refused(Refusal.NOT_OURS if reading.problem is None else Refusal.UNKNOWN, uid)
    wrong = None if policy.key is None else _misfit(reading.record, uid, policy.league, policy.key)
    return Refused(wrong or Refusal.UNKNOWN, uid)


def _proved(reading: Reading, uid: str, holder: RosterEntry, policy: CardPolicy, highest: int | None) -> Tier | Refusal:
    match reading:
        case Ntag424Read():
            return _ntag424(reading, uid, holder, policy, highest)
        case Ntag21xRead():
            return _ntag21x(reading, uid, holder, policy)
        case PlainRead():
            return Tier.UID


def _ntag424(
    reading: Ntag424Read, uid: str, holder: RosterEntry, policy: CardPolicy, highest: int | None
) -> Tier | Refusal:
    if reading.verified is False:
        return Refusal.FORGED
    if reading.problem is not None:
        return _PROBLEMS[reading.problem]
    tier = _by_record(reading.record, uid, holder, policy)
    if isinstance(tier, Refusal):
        return tier
    if reading.verified:
        return Tier.GENUINE if tier is Tier.WEAK or policy.key is None else Refusal.DAMAGED
    if tier is not Tier.WEAK:
        return tier
    if reading.counter is None:
        return Refusal.DAMAGED
    return Refusal.COUNTER_BACK if highest is not None and reading.counter <= highest else tier


def _ntag21x(reading: Ntag21xRead, uid: str, holder: RosterEntry, policy: CardPolicy) -> Tier | Refusal:
    if reading.problem is not None:
        return _PROBLEMS[reading.problem]
    tier = _by_record(reading.record, uid, holder, policy)
    if tier is not Tier.WEAK:
        return tier
    if reading.original is None:
        return Tier.UID  # the reader cannot ask for the maker's signature, and without it the record may be copied
    return tier if reading.original else Refusal.FORGED


def _by_record(record: SignedRecord | None, uid: str, holder: RosterEntry, policy: CardPolicy) -> Tier | Refusal:
    """What the record alone is worth: `Tier.WEAK` when it is right, `Tier.UID` when there is none to check."""
    if record is None or policy.key is None:
        return Tier.UID
    wrong = _misfit(record, uid, policy.league, policy.key)
    if wrong is not None:
        return wrong
    # signed for somebody who had the card before: a re-issued card is written anew
    return Tier.WEAK if record.participant == holder.participant else Refusal.FORGED


def _misfit(record: SignedRecord, uid: str, league: str, policy_key: str) -> Refusal | None:
    """Why a record is not one of this league for this card."""
    if record.league != league:
        return Refusal.WRONG_LEAGUE
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(policy_key))
    return None if verify(record, key, uid) else Refusal.FORGED


def _enough(tier: Tier, policy: CardPolicy) -> bool:
    match policy.least:
        case "genuine":
            return tier is Tier.GENUINE
        case "signed":
            return tier is not Tier.UID
        case "uid":
            return True
