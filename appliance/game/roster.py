"""The league's stream ``league/<venue>``: who may play here, which rounds are offered, what it has to say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from appliance.game.codec import Codec, UnknownEvent
from appliance.game.commands import (
    Announce,
)
from appliance.game.values import Participant, RoundId

CardUid = Annotated[str, Meta(pattern=r"\A([0-9A-F]{2}){1,16}\Z")]
"""A card's UID: hexadecimal, upper case, no separators."""

LeagueId = Annotated[str, Meta(pattern=r"\A([a-z0-9-]{1,16})?\Z")]
"""The league's short name as it stands on its cards; empty for a league that signs none."""

Withdrawn = Literal["lost", "stolen", "damaged", "revoked"]
"""Why a card is no longer its holder's (LG-6)."""

Tier = Literal["genuine", "signed", "uid"]
"""How much a card must prove: itself (NTAG 424 DNA with its key), the league's signature, nothing but its number."""


class RosterEvent(Struct, frozen=True, kw_only=True):
    """Something the league tells a venue."""


class RosterEntry(RosterEvent, frozen=True, kw_only=True, omit_defaults=True):
    """A participant as the venue knows them; a later entry replaces an earlier one.

    ``name`` only for those expected at the venue; ``home``: the venue is their home venue.
    ``revoked``: cards that were theirs and are lost, stolen or withdrawn: whoever shows one hands it in (LG-6);
    ``withdrawn``: the same with the reason. ``pin``: of commissioners, the argon2id hash of what they may type when
    their card cannot prove itself.
    """

    participant: Participant
    state: Literal["active", "blocked", "cancelled"]
    cards: tuple[CardUid, ...] = ()
    role: Literal["participant", "commissioner"] = "participant"
    name: Annotated[str, Meta(max_length=200)] | None = None
    home: bool = False
    revoked: tuple[CardUid, ...] = ()
    withdrawn: dict[CardUid, Withdrawn] = {}
    pin: Annotated[str, Meta(pattern=r"\A\$argon2id\$[!-~]{1,200}\Z")] | None = None


class RosterRemoved(RosterEvent, frozen=True, kw_only=True):
    """The venue no longer needs to know this participant."""

    participant: Participant


class RoundOffered(RosterEvent, frozen=True, kw_only=True):
    """The league announces a round for this venue; the director copies it into the round's stream."""

    announcement: Announce


class RoundWithdrawn(RosterEvent, frozen=True, kw_only=True):
    """The offer of a round no longer stands."""

    round: RoundId


class CardPolicy(RosterEvent, frozen=True, kw_only=True, omit_defaults=True):
    """Which cards the season takes: the league's name on them, the public half of the key that signs them, the least
    that a card must prove. While nothing was heard only signed cards count, and nobody's signature is known."""

    league: LeagueId = ""
    key: Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")] | None = None
    least: Tier = "signed"


class Notice(RosterEvent, frozen=True, kw_only=True):
    """A word of the league for the venue's screens, in both languages."""

    text_cs: Annotated[str, Meta(max_length=2000)]
    text_en: Annotated[str, Meta(max_length=2000)]


ROSTER_TYPES: dict[str, type[RosterEvent]] = {
    "roster-entry/1": RosterEntry,
    "roster-removed/1": RosterRemoved,
    "round-offered/1": RoundOffered,
    "round-withdrawn/1": RoundWithdrawn,
    "notice/1": Notice,
    "card-policy/1": CardPolicy,
}
"""The types of the league's stream, as records name them."""

_CODEC: Codec[RosterEvent] = Codec(ROSTER_TYPES)
encode_roster_event = _CODEC.encode
decode_roster_event = _CODEC.decode


class Roster(Struct, frozen=True):
    """What the league has told this venue so far."""

    entries: Mapping[str, RosterEntry] = {}
    cards: Mapping[str, str] = {}
    revoked: Mapping[str, str] = {}
    policy: CardPolicy = CardPolicy()
    offers: Mapping[str, Announce] = {}
    notice: Notice | None = None

    def by_uid(self, uid: str) -> RosterEntry | None:
        """The participant a card belongs to, by its UID in upper-case hex; None: no such card here."""
        participant = self.cards.get(uid)
        return None if participant is None else self.entries[participant]

    def revoked_from(self, uid: str) -> RosterEntry | None:
        """The participant from whom a card was revoked; None if it never was, or is somebody's now."""
        participant = None if uid in self.cards else self.revoked.get(uid)
        return None if participant is None else self.entries[participant]

    def withdrawn_as(self, uid: str) -> Withdrawn:
        """Why a card of `revoked_from` was taken back."""
        former = self.revoked_from(uid)
        return "revoked" if former is None else former.withdrawn.get(uid, "revoked")

    def by_number(self, participant: str) -> RosterEntry | None:
        """The participant with this registration number."""
        return self.entries.get(participant)


def fold_roster(roster: Roster, event: RosterEvent | UnknownEvent) -> Roster:
    """The roster after an event. At most one participant holds a card: the latest entry that names it (LG-6)."""
    match event:
        case RosterEntry():
            without = _without(roster, event.participant)
            cards = {**without.cards, **dict.fromkeys(event.cards, event.participant)}
            revoked = {**without.revoked, **dict.fromkeys((*event.revoked, *event.withdrawn), event.participant)}
            entries = {**without.entries, event.participant: event}
            return replace(without, entries=entries, cards=cards, revoked=revoked)
        case RosterRemoved():
            return _without(roster, event.participant)
        case RoundOffered():
            offer = event.announcement
            return replace(roster, offers={**roster.offers, offer.round: offer})
        case RoundWithdrawn():
            offers = {key: offer for key, offer in roster.offers.items() if key != event.round}
            return replace(roster, offers=offers)
        case Notice():
            return replace(roster, notice=event)
        case CardPolicy():
            return replace(roster, policy=event)
        case _:
            return roster


def _without(roster: Roster, participant: str) -> Roster:
    if participant not in roster.entries:
        return roster
    cards = {uid: owner for uid, owner in roster.cards.items() if owner != participant}
    revoked = {uid: owner for uid, owner in roster.revoked.items() if owner != participant}
    entries = {number: entry for number, entry in roster.entries.items() if number != participant}
    return replace(roster, entries=entries, cards=cards, revoked=revoked)
