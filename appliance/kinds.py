"""The kinds of streams and how each is decided and folded (DESIGN §3).

``round/<id>`` is the rules' own; ``league/<venue>`` only the league writes; ``venue/<id>`` and ``table/<venue>-<n>``
hold what is told of devices and hands; the latter the inside of tracked hands and rulings too, and all of a cash table.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args
from uuid import NAMESPACE_OID, uuid5

import msgspec

from appliance.allowancenotes import AllowanceAsked, AllowanceReturned
from appliance.engine import Kind
from appliance.floorwords import FloorWord
from appliance.game.codec import EventError
from appliance.game.command import (
    Command,
)
from appliance.game.events import decode_event, encode_event
from appliance.game.fleet import DeviceName, DeviceRole, KeyHex
from appliance.game.refusal import Refusal
from appliance.game.righttime import RIGHT, Times
from appliance.game.roster import Roster, decode_roster_event, fold_roster
from appliance.game.rosterrun import fold_run
from appliance.game.round import INITIAL, decide, fold, set_aside
from appliance.game.state import Ledger
from appliance.game.tablestream.commands import TableCommand
from appliance.game.tablestream.decide import decide_table
from appliance.game.tablestream.events import TABLE_EVENT_TYPES, decode_table_event, encode_table_event
from appliance.game.tablestream.fold import INITIAL_TABLE, fold_table, set_aside_table
from appliance.game.tablestream.state import TableHands
from appliance.note import Millis, Note, Word
from appliance.offers import OfferAnswered, Offered, Offers, OfflineRefused, fold_offers
from appliance.phonenotes import PhoneCutOff, PhonePaired
from appliance.record import EPOCH_OPENED, Record
from appliance.rosterrecords import readable
from appliance.timenotes import TimeAsked, TimeConfirmed, TimeDoubted, TimeTrusted

if TYPE_CHECKING:
    from appliance.game.cash.commands import CashCommand
    from appliance.game.cash.state import CashLedger

__all__ = ["Note", "OfflineRefused", "TimeConfirmed"]  # beside all that is defined here

_log = logging.getLogger(__name__)


class RoundKind:
    """A round: decided by the rules, folded into a `Ledger`. ``entropy`` draws the seed of a start (S-1)."""

    def __init__(
        self, entropy: Callable[[int], bytes] = os.urandom, times: Callable[[], Times] = lambda: RIGHT
    ) -> None:
        """``times``: what the venue knows of its records' times, for what is decided here."""
        self._entropy = entropy
        self._times = times

    def initial(self) -> Ledger:
        """Before the announcement."""
        return INITIAL

    def decide(
        self, state: Ledger, command: Command, at: int, command_id: str
    ) -> Sequence[tuple[str, bytes]] | Refusal:
        """Ask the rules."""
        seed = int.from_bytes(self._entropy(8), "big") >> 1
        decided = decide(timed(state, self._times()), command, at, command_id, seed=seed)
        return decided if isinstance(decided, Refusal) else [encode_event(event) for event in decided]

    def fold(self, state: Ledger, record: Record) -> Ledger:
        """Fold one event; an epoch's link, and an event that cannot be true, stay in the journal and change nothing."""
        if record.type == EPOCH_OPENED:
            return state
        try:
            return fold(state, decode_event(record.type, record.data), record.at, record.cause)
        except EventError as error:
            _log.error("%s %s %d is not folded: %s", record.stream, record.epoch, record.seq, error)
            return set_aside(state, record.at, record.cause)


def timed(ledger: Ledger, times: Times) -> Ledger:
    """A round with what the venue knows of its records' times, for whoever decides."""
    if not times.spells or ledger.round is None:
        return ledger
    return msgspec.structs.replace(ledger, round=msgspec.structs.replace(ledger.round, times=times))


class LeagueKind:
    """The league's word to a venue: roster and offers. Only the league writes it."""

    def initial(self) -> Roster:
        """Nothing heard yet."""
        return Roster()

    def decide(self, state: Roster, command: Any, at: int, command_id: str) -> Refusal:
        """Nothing can be decided here."""
        return Refusal("not-yours", {})

    def fold(self, state: Roster, record: Record) -> Roster:
        """Fold one event of the league's stream; what cannot be read changes nothing."""
        try:
            return fold_roster(state, decode_roster_event(record.type, record.data), record.at)
        except EventError:
            return state

    def fold_run(self, state: Roster, records: Sequence[Record]) -> Roster:
        """Fold many: a venue that begins, or that was away, is told of everybody in the league."""
        return fold_run(state, readable(records))


VENUE_NOTES = "venue"
"""What a message, or a stranded entry, names as its round when it is of the venue's stream."""


class CardRefused(Note, frozen=True, tag="card-refused/1", kw_only=True):
    """A kiosk refused a card (LG-6): which device, the card's number as far as it was read, and why."""

    device: Word
    reason: Word
    uid: Word | None = None
    participant: Word | None = None


class CardAccepted(Note, frozen=True, tag="card-accepted/1", kw_only=True):
    """A kiosk took a card for its holder's; ``tier``: how much it proved (`appliance.cards.outcome.Tier`)."""

    device: Word
    uid: Word
    participant: Word
    tier: Word


class PinChecked(Note, frozen=True, tag="pin-checked/1", kw_only=True):
    """A commissioner whose card proved too little typed a PIN: right, wrong, locked or none. Never which."""

    device: Word
    participant: Word
    answer: Word


class FloorCall(Note, frozen=True, tag="floor-call/1", kw_only=True):
    """A table calls the floor, or asks it to start somebody's time (CK-4); not ``open``: it is over.

    ``at`` is UTC milliseconds by the kiosk's clock.
    """

    device: Word
    table: Annotated[int, msgspec.Meta(ge=1, le=99)]
    about: Literal["floor", "time"]
    open: bool
    at: Millis


class HandOpened(Note, frozen=True, tag="hand-opened/1", kw_only=True):
    """The table takes up this hand of the round; what follows in its stream happened inside it."""

    round: Word
    table: int
    hand: int


class HandTold(Note, frozen=True, tag="hand-told/1", kw_only=True):
    """What the end of a tracked hand asks of its round was told, and answered; ``end``: the command that ended it."""

    round: Word
    table: int
    hand: int
    end: Word


class Takeover(Note, frozen=True, tag="takeover/1", kw_only=True, rename={"heard": "from"}):
    """``device`` writes the venue's streams from here on: a commissioner (``by``) had it take over.

    ``heard``: the devices whose copies were asked for before, in the order in which they answered; ``unheard``: those
    that were there a moment before, and did not answer; ``wish``: which takeover it is of those wanted there.
    """

    by: Word
    device: Word
    why: Word
    heard: tuple[Word, ...] = ()
    unheard: tuple[Word, ...] = ()
    wish: Word = ""


class DeviceAdopted(Note, frozen=True, tag="device-adopted/1", kw_only=True):
    """A commissioner (``by``) let a new device in on the spot. Keys in hex, the certificate's DER in base64."""

    device: DeviceName
    key: KeyHex
    opening: Annotated[str, msgspec.Meta(pattern=r"\A([0-9a-f]{64})?\Z")] = ""
    certificate: Annotated[str, msgspec.Meta(max_length=4000)] = ""
    role: DeviceRole
    table: Annotated[int, msgspec.Meta(ge=1, le=99)] | None = None
    by: Word


class DeviceDropped(Note, frozen=True, tag="device-dropped/1", kw_only=True):
    """What was adopted under this name belongs here no more; ``key``: whoever still names this key."""

    device: Word
    key: Annotated[str, msgspec.Meta(pattern=r"\A([0-9a-f]{64})?\Z")] = ""
    by: Word


class StrandedFound(Note, frozen=True, tag="stranded-found/1", kw_only=True):
    """Only an old director had what this ``command`` of ``actor`` did to the round, ``first`` of all a record of this
    type: somebody has to decide whether it is given anew. ``body``: the command, as far as its record tells.
    """

    command: Word
    round: Word
    at: Millis
    actor: Word
    device: Word
    first: Word
    body: msgspec.Raw = msgspec.Raw(b"{}")


class StrandedAccepted(Note, frozen=True, tag="stranded-accepted/1", kw_only=True):
    """What only an old director had under this command's id was decided anew, as the command ``anew``."""

    device: Word
    command: Word
    anew: Word
    by: Word


def given_anew(command: str) -> str:
    """The id under which such a command is decided anew, whoever asks for that and however often: it follows from its
    own, so that it is carried out once.
    """
    return str(uuid5(NAMESPACE_OID, f"{command} 0"))


class StrandedDropped(Note, frozen=True, tag="stranded-dropped/1", kw_only=True):
    """What only an old director had under this command's id is void."""

    device: Word
    command: Word
    by: Word


AnyNote = (
    CardRefused | CardAccepted | PinChecked | FloorCall | HandOpened | HandTold
    | Takeover | DeviceAdopted | DeviceDropped | StrandedFound | StrandedAccepted | StrandedDropped
    | Offered | OfferAnswered | OfflineRefused | AllowanceReturned | AllowanceAsked
    | TimeTrusted | TimeDoubted | TimeConfirmed | TimeAsked | PhonePaired | PhoneCutOff
    | FloorWord
)  # fmt: skip
_notes = msgspec.json.Decoder(AnyNote)
_NOTE_TYPES = frozenset(str(note.__struct_config__.tag) for note in get_args(AnyNote))

KioskNote = (
    CardRefused | CardAccepted | PinChecked | FloorCall | OfflineRefused
    | AllowanceAsked | StrandedAccepted | StrandedDropped | TimeConfirmed
)  # fmt: skip
"""What a kiosk may have noted in the venue's stream, of itself."""


class NoteKind:
    """A venue's or a table's stream: notes, each a fact by itself; some are of a table, a device or a command each."""

    def initial(self) -> Mapping[str, Note]:
        """No note yet."""
        return {}

    def decide(
        self, state: Mapping[str, Note], command: Note, at: int, command_id: str
    ) -> list[tuple[str, bytes]] | Refusal:
        """Every note is written; of what only an old director had, only the first word of what becomes of it."""
        settles = isinstance(command, StrandedAccepted | StrandedDropped)
        if settles and isinstance(state.get(_about(command, "")), StrandedAccepted | StrandedDropped):
            return Refusal("stale")
        return [(str(command.__struct_config__.tag), msgspec.json.encode(command))]

    def fold(self, state: Mapping[str, Note], record: Record) -> Mapping[str, Note]:
        """Keep the latest note of each type, and of what it is about; other types are for later versions."""
        try:
            note = _notes.decode(record.data)
        except msgspec.MsgspecError:
            return state
        if isinstance(note, PhonePaired):  # those of former evenings are of no use, and there would be ever more
            state = {name: each for name, each in state.items() if not _is_past(each, note)}
        return {**state, _about(note, record.type): note}


def _about(note: Note, of: str) -> str:
    """Under which name a note takes the place of the one before."""
    match note:
        case FloorCall():
            return f"{of} {note.table}"
        case OfflineRefused():
            return f"{of} {note.id}"
        case TimeTrusted() | TimeDoubted():
            return f"time {note.since}"
        case AllowanceReturned():
            return f"{of} {note.participant}"
        case DeviceAdopted() | DeviceDropped():
            return f"device {note.device}"
        case StrandedFound() | StrandedAccepted() | StrandedDropped():
            return f"stranded {note.command}"
        case PhonePaired() | PhoneCutOff():
            return f"phone {note.session}"
        case _:
            return of


def _is_past(note: Note, paired: PhonePaired) -> bool:
    """Whether a phone was signed in for an evening that was over when another one was."""
    return isinstance(note, PhonePaired) and note.until <= paired.since


def adopted(notes: Mapping[str, Note]) -> list[DeviceAdopted]:
    """The devices that were let in on the spot, and still belong here."""
    return [note for note in notes.values() if isinstance(note, DeviceAdopted)]


def dropped(notes: Mapping[str, Note]) -> list[str]:
    """The keys of devices that were let in on the spot, and dropped again."""
    return [note.key for note in notes.values() if isinstance(note, DeviceDropped) and note.key]


def settled(notes: Mapping[str, Note]) -> frozenset[str]:
    """The commands of old directors that somebody has decided about."""
    return frozenset(note.command for note in notes.values() if isinstance(note, StrandedAccepted | StrandedDropped))


class Ending(msgspec.Struct, frozen=True):
    """The last end of a tracked hand: whose it is, and the id of the command that led to it."""

    round: str
    hand: int
    cause: str


class TableState(msgspec.Struct, frozen=True):
    """What a table's stream tells: the latest note of each type, its hands, and its cash sessions, once there are any.

    ``ending``: how the last hand came to its end, as it was told; it may have been taken back since. ``offers``: what
    the table did without a director.
    """

    notes: Mapping[str, Note] = {}
    hands: TableHands = INITIAL_TABLE
    offers: Offers = Offers()
    ending: Ending | None = None
    cash: CashLedger | None = None


class TableKind:
    """A table's stream: which hand was taken up, tracked hands and rulings; at a cash table its sessions (C-1 to C-8).

    ``entropy`` draws the seed of an opening.
    """

    def __init__(self, entropy: Callable[[int], bytes] = os.urandom) -> None:
        self._entropy = entropy
        self._notes = NoteKind()

    def initial(self) -> TableState:
        """Nothing told yet."""
        return TableState()

    def decide(
        self, state: TableState, command: Note | TableCommand | CashCommand, at: int, command_id: str
    ) -> Sequence[tuple[str, bytes]] | Refusal:
        """Ask the rules of the hand or of the cash table; every note is written."""
        if isinstance(command, Note):
            return self._notes.decide(state.notes, command, at, command_id)
        if isinstance(command, TableCommand):
            played = decide_table(state.hands, command)
            return played if isinstance(played, Refusal) else [encode_table_event(event) for event in played]
        seed = int.from_bytes(self._entropy(8), "big") >> 1
        from appliance import cashfold

        return cashfold.decide(state.cash, command, seed, state.hands)

    def fold(self, state: TableState, record: Record) -> TableState:
        """Fold one event; one that cannot be true stays in the journal and changes nothing but what may follow it."""
        if record.type in _NOTE_TYPES or record.type == EPOCH_OPENED:
            notes = self._notes.fold(state.notes, record)
            fresh = notes.get(record.type) if notes is not state.notes else None
            return msgspec.structs.replace(state, notes=notes, offers=fold_offers(state.offers, fresh))
        if record.type.startswith("cash-"):  # else its rules are not loaded: most tables play no cash
            from appliance import cashfold

            if cashfold.is_known(record):
                return msgspec.structs.replace(state, cash=cashfold.fold(state.cash, record))
        hands = _fold_hands(state.hands, record)
        return msgspec.structs.replace(state, hands=hands, ending=_ending(state, hands, record))


def _ending(state: TableState, hands: TableHands, record: Record) -> Ending | None:
    last = hands.last
    if record.cause is None or last is None or last.ended is None or len(hands.log) <= len(state.hands.log):
        return state.ending
    return Ending(last.begun.round, last.begun.hand, record.cause)


def _fold_hands(hands: TableHands, record: Record) -> TableHands:
    """What a later version's command did here leaves the hand in doubt; what no command caused changes nothing."""
    if record.type not in TABLE_EVENT_TYPES and record.cause is None:
        return hands
    try:
        return fold_table(hands, decode_table_event(record.type, record.data), record.cause)
    except EventError as error:
        _log.error("%s %s %d is not folded: %s", record.stream, record.epoch, record.seq, error)
        return set_aside_table(hands, record.cause)


def decode_note(raw: bytes) -> Note:
    """Read a note that came in a message; raises msgspec.MsgspecError."""
    return _notes.decode(raw)


KINDS: dict[str, Kind] = {"round": RoundKind(), "league": LeagueKind(), "venue": NoteKind(), "table": TableKind()}
"""By the first part of a stream's name."""
