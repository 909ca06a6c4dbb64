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
from appliance.game.fleet import CardKeysSent, DeviceKnown, SealedFile, Signed, with_part
from appliance.game.league_event import RosterEvent
from appliance.game.publications import Announcements, Edition, Editions, Word
from appliance.game.quarantine import QuarantineTold
from appliance.game.tokens import Token, TokenId
from appliance.game.values import Count, Moment, Participant, RoundId, Text
from appliance.plaintext import is_blank, plain

CardUid = Annotated[str, Meta(pattern=r"\A([0-9A-F]{2}){1,16}\Z")]
"""A card's UID: hexadecimal, upper case, no separators."""

LeagueId = Annotated[str, Meta(pattern=r"\A([a-z0-9-]{1,16})?\Z")]
"""The league's short name as it stands on its cards; empty for a league that signs none."""

Withdrawn = Literal["lost", "stolen", "damaged", "revoked"]
"""Why a card is no longer its holder's (LG-6)."""

Tier = Literal["genuine", "signed", "uid"]
"""How much a card must prove: itself (NTAG 424 DNA with its key), the league's signature, nothing but its number."""

Language = Literal["cs", "en"]
"""What a person wants to be addressed in, and what screens speak."""

MOST_LINES = 200
"""More lines of the standings are nothing for a screen, and would not fit into a record."""


def _shown(text: str | None) -> str | None:
    """A text as it can be shown; None where nobody would see anything of it."""
    return None if text is None or is_blank(text) else plain(text).strip()


class RosterEntry(RosterEvent, frozen=True, kw_only=True, omit_defaults=True):
    """A participant as the venue knows them; a later entry replaces an earlier one.

    ``name`` only for those expected at the venue; ``home``: the venue is their home venue. ``published``: they consent
    to the publication of their name; whoever does not is shown by number, whatever else is known (LG-7, LG-12).
    ``lang``: the language they asked for.
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
    published: bool = True
    lang: Language | None = None

    @property
    def public_name(self) -> str | None:
        """The name that everybody may see; None: the number stands for them."""
        return _shown(self.name) if self.published else None


class RosterRemoved(RosterEvent, frozen=True, kw_only=True):
    """The venue no longer needs to know this participant."""

    participant: Participant


class RoundOffered(RosterEvent, frozen=True, kw_only=True):
    """The league announces a round for this venue; the director copies it into the round's stream."""

    announcement: Announce


class RoundWithdrawn(RosterEvent, frozen=True, kw_only=True):
    """The offer of a round no longer stands."""

    round: RoundId


class RoundChanged(RosterEvent, frozen=True, kw_only=True, omit_defaults=True):
    """The league cancels a round that it has announced, or moves it to ``starts_at`` (LG-2).

    ``id`` is the command by which the director does so, once, as long as the round has not begun. The latest of a round
    stands.
    """

    id: Annotated[str, Meta(pattern=r"\A[0-9a-f-]{36}\Z")]
    round: RoundId
    do: Literal["cancel", "reschedule"]
    starts_at: Moment | None = None
    reason: Text | None = None


class CardPolicy(RosterEvent, frozen=True, kw_only=True, omit_defaults=True):
    """Which cards the season takes: the league's name on them, the public half of the key that signs them, the least
    that a card must prove. While nothing was heard only signed cards count, and nobody's signature is known."""

    league: LeagueId = ""
    key: Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")] | None = None
    least: Tier = "signed"


class Notice(RosterEvent, frozen=True, kw_only=True, omit_defaults=True):
    """A word of the league for the venue's screens, in both languages.

    It stands until the next, or until ``until`` (UTC ms); one without a text only takes back what stood.
    """

    text_cs: Annotated[str, Meta(max_length=2000)]
    text_en: Annotated[str, Meta(max_length=2000)]
    until: Moment | None = None

    def text(self, lang: Language) -> str:
        """The text in a language, else in the other one; empty where there is none."""
        cs, en = _shown(self.text_cs) or "", _shown(self.text_en) or ""
        return (en or cs) if lang == "en" else (cs or en)


class SeasonLine(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line of the standings: half points over so many rounds. Equal totals share the place (LG-8).

    ``name`` only where its publication is agreed to (LG-7).
    """

    place: Annotated[int, Meta(ge=1, le=1_000_000)]
    participant: Participant
    points_half: Annotated[int, Meta(ge=0, lt=1 << 53)]
    rounds: Count = 0
    name: Annotated[str, Meta(max_length=200)] | None = None


class SeasonStandings(RosterEvent, frozen=True, kw_only=True, omit_defaults=True):
    """The season's standings over the rounds that are over, whole each time: the best of so many ``participants``.

    ``season`` is its year; ``as_of`` (UTC ms) is when the league computed them. ``key_confirmed``: it stands by every
    points key they follow (P). Without lines there are none any more.
    """

    season: Annotated[str, Meta(max_length=120)]
    as_of: Moment
    participants: Count
    rows: Annotated[tuple[SeasonLine, ...], Meta(max_length=MOST_LINES)]
    key_confirmed: bool = True


class AllowancePolicy(RosterEvent, frozen=True, kw_only=True):
    """Whether deposits need an allowance of the league here (T-3). Where it was never said, and none was ever given,
    the venue counts its own rounds and what commands tell it."""

    in_force: bool


class AllowanceGiven(RosterEvent, frozen=True, kw_only=True):
    """A participant's allowance is here now, in place of one that was; with the first of them they are in force."""

    allowance: Token


class AllowanceEnded(RosterEvent, frozen=True, kw_only=True):
    """An allowance is wanted back or has been taken back: nothing is spent of it any more."""

    participant: Participant
    token: TokenId


class TimeQuestion(Struct, frozen=True):
    """How a venue's note asks for the league's time."""

    ask: Annotated[str, Meta(max_length=64)]


class TimeTold(RosterEvent, frozen=True, kw_only=True):
    """The league's time (UTC ms) when it answered a director's question ``ask`` (`appliance.timenotes.TimeAsked`)."""

    ask: Annotated[str, Meta(max_length=64)]
    at: Moment


ROSTER_TYPES: dict[str, type[RosterEvent]] = {
    "roster-entry/1": RosterEntry,
    "roster-removed/1": RosterRemoved,
    "round-offered/1": RoundOffered,
    "round-withdrawn/1": RoundWithdrawn,
    "round-changed/1": RoundChanged,
    "notice/1": Notice,
    "card-policy/1": CardPolicy,
    "standings/1": SeasonStandings,
    "device/1": DeviceKnown,
    "card-keys/1": CardKeysSent,
    "allowances/1": AllowancePolicy,
    "allowance/1": AllowanceGiven,
    "allowance-ended/1": AllowanceEnded,
    "quarantine/1": QuarantineTold,
    "time-told/1": TimeTold,
    "announcements/1": Announcements,
    "editions/1": Editions,
}
"""The types of the league's stream, as records name them."""

_CODEC: Codec[RosterEvent] = Codec(ROSTER_TYPES)
encode_roster_event = _CODEC.encode
decode_roster_event = _CODEC.decode


class Roster(Struct, frozen=True):
    """What the league has told this venue so far. ``notice_at``: when it wrote the notice (UTC ms).

    ``allowances``: each participant's latest here, spent, ended and given back or not; ``ended``: those among them that
    the league wants back.
    """

    entries: Mapping[str, RosterEntry] = {}
    cards: Mapping[str, str] = {}
    revoked: Mapping[str, str] = {}
    policy: CardPolicy = CardPolicy()
    offers: Mapping[str, Announce] = {}
    changes: Mapping[str, RoundChanged] = {}
    notice: Notice | None = None
    notice_at: int = 0
    time_told: TimeTold | None = None
    standings: SeasonStandings | None = None
    devices: Mapping[str, DeviceKnown] = {}
    revoked_keys: frozenset[str] = frozenset()
    signed: Mapping[tuple[str, str], Signed] = {}
    card_keys: Mapping[str, bytes] = {}
    card_keys_coming: Mapping[str, SealedFile] = {}
    allowances_in_force: bool = False
    allowances: Mapping[str, Token] = {}
    ended: frozenset[str] = frozenset()
    quarantine: QuarantineTold | None = None
    words: tuple[Word, ...] = ()
    editions: tuple[Edition, ...] = ()

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


def fold_roster(roster: Roster, event: RosterEvent | UnknownEvent, at: int = 0) -> Roster:
    """The roster after an event, written at ``at`` (UTC ms).

    At most one participant holds a card: the latest entry that names it (LG-6).
    """
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
        case RoundChanged():
            return replace(roster, changes={**roster.changes, event.round: event})
        case Notice():
            return replace(roster, notice=event if event.text("cs") else None, notice_at=at)
        case SeasonStandings():
            return replace(roster, standings=event if event.rows else None)
        case CardPolicy():
            return replace(roster, policy=event)
        case TimeTold():
            return replace(roster, time_told=event)
        case QuarantineTold():
            return replace(roster, quarantine=event if event.total else None)
        case Announcements():
            return replace(roster, words=event.words)
        case Editions():
            return replace(roster, editions=event.editions)
        case DeviceKnown(revoked=True):
            devices = {name: known for name, known in roster.devices.items() if known.key != event.key}
            signed = {(head.stream, head.epoch): Signed(event.key, head.seq, head.hash) for head in event.signed}
            return replace(
                roster, devices=devices, revoked_keys=roster.revoked_keys | {event.key},
                signed={**roster.signed, **signed},
            )  # fmt: skip
        case DeviceKnown():
            return replace(roster, devices={**roster.devices, event.device: event})
        case CardKeysSent():
            whole, coming = with_part(roster.card_keys, roster.card_keys_coming, event)
            return replace(roster, card_keys=whole, card_keys_coming=coming)
        case AllowancePolicy():
            return replace(roster, allowances_in_force=event.in_force)
        case AllowanceGiven() | AllowanceEnded():
            return _with_allowance(roster, event)
        case _:
            return roster


def _with_allowance(roster: Roster, event: AllowanceGiven | AllowanceEnded) -> Roster:
    if isinstance(event, AllowanceGiven):
        given = event.allowance
        last = roster.allowances.get(given.participant)
        ended = roster.ended - {last.token} if last else roster.ended
        allowances = {**roster.allowances, given.participant: given}
        return replace(roster, allowances_in_force=True, allowances=allowances, ended=ended)
    last = roster.allowances.get(event.participant)
    if last is None or last.token != event.token:
        return roster
    return replace(roster, ended=roster.ended | {event.token})


def _without(roster: Roster, participant: str) -> Roster:
    if participant not in roster.entries:
        return roster
    cards = {uid: owner for uid, owner in roster.cards.items() if owner != participant}
    revoked = {uid: owner for uid, owner in roster.revoked.items() if owner != participant}
    entries = {number: entry for number, entry in roster.entries.items() if number != participant}
    return replace(roster, entries=entries, cards=cards, revoked=revoked)
