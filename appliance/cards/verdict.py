"""The house's word on a card: accepted with its holder, or refused with a code (LG-6).

Pure: what was read from the card, what the league told, the highest counter seen come in. A registration number or a
UID says whose card it claims to be, never that it is theirs; how much it proved is the verdict's *tier*.
"""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from appliance.cards.outcome import Accepted, Refusal, Refused, Tier, Verdict
from appliance.cards.reading import Ntag21xRead, Ntag424Read, PlainRead, Problem, Reading
from appliance.cards.record import SignedRecord, verify
from appliance.cards.uid import LENGTHS, SAID, BadUid, is_random, normal_uid
from appliance.game.roster import CardPolicy, Roster, RosterEntry

__all__ = ["Accepted", "Refusal", "Refused", "Tier", "Verdict", "verdict"]

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
        uid = normal_uid(reading.uid, SAID if isinstance(reading, PlainRead) else LENGTHS)
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
    # what a key proves needs no counter, and where nothing proves the serial number a counter is anybody's word
    counter = reading.counter if isinstance(reading, Ntag424Read) and found is Tier.WEAK else None
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
