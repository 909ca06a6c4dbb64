"""The house's word on a card: accepted with its holder, or refused with a code.

Cards are judged by UID here: enough to say whose card it claims to be, never proof of who holds it. That is
why the commissioner checks identity before a registration counts (T-2).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias

from appliance.cards.uid import BadUid, is_random, normal_uid
from appliance.game.roster import Roster


class Refusal(StrEnum):
    """Why a card is refused; stable codes, the display has words for them in both languages."""

    UNKNOWN = "unknown"
    """On no participant's entry of this venue's roster."""
    BLOCKED = "blocked"
    """The league has blocked the participant or the card: lost, stolen, revoked (LG-6)."""
    CANCELLED = "cancelled"
    """The registration has ended (LG-5)."""
    PHONE = "phone"
    """A phone, or a card that hides its number: another UID at every tap, so it can be nobody's card."""
    MALFORMED = "malformed"
    """The reader reports a number that no card can have."""
    UNREADABLE = "unreadable"
    """In the field and not read. It may be the reader's fault, so no word against the card (LG-6)."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """An active holder's card."""

    uid: str
    participant: str
    role: Literal["participant", "commissioner"]


@dataclass(frozen=True, slots=True)
class Refused:
    """``uid`` as far as it is known, ``participant`` when the card is somebody's."""

    code: Refusal
    uid: str | None = None
    participant: str | None = None

    @property
    def hand_in(self) -> bool:
        """Whether the commissioner keeps the card for good (LG-6).

        **Decided:** only cards that are known to be the league's. By UID alone an unknown card may be
        anybody's bus pass, and an unreadable one may be the reader's fault.
        """
        return self.code in (Refusal.BLOCKED, Refusal.CANCELLED)


Verdict: TypeAlias = Accepted | Refused


def verdict(uid: str, roster: Roster) -> Verdict:
    """Judge a card by the UID a reader reported. Pure; any text gets a verdict, none an exception."""
    try:
        uid = normal_uid(uid)
    except BadUid:
        return Refused(Refusal.MALFORMED, uid[:40])
    if is_random(uid):
        return Refused(Refusal.PHONE, uid)
    holder = roster.by_uid(uid)
    if holder is None:
        former = roster.revoked_from(uid)
        return Refused(Refusal.BLOCKED, uid, former.participant) if former else Refused(Refusal.UNKNOWN, uid)
    match holder.state:
        case "active":
            return Accepted(uid, holder.participant, holder.role)
        case "blocked":
            return Refused(Refusal.BLOCKED, uid, holder.participant)
        case "cancelled":
            return Refused(Refusal.CANCELLED, uid, holder.participant)
