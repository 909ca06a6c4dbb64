"""Which phones are signed in at the director, and how they come to be and cease to be.

It follows from the venue's notes, the roster and the keys that are here, and is looked up anew each time: whoever is
cut off, or is no commissioner any more, may nothing from the commit on that says so.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Container, Mapping
from typing import NamedTuple

import msgspec
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from appliance import intake, kinds, phonenotes
from appliance.console.gate import Standing
from appliance.console.pairing import GONE, MANY, TOLD_S, Pairing
from appliance.console.way import Claimed, Way
from appliance.engine import STORAGE, Order
from appliance.game.roster import Roster
from appliance.link.envelope import CommandMessage, PhoneThere, PhoneWaits, Refusal
from appliance.phone import Phone
from appliance.phonekey import BadBox, unseal
from appliance.phonenotes import ConfirmPhone, CutOffPhone, PairPhone, PhoneCutOff, PhonePaired, PhoneWish

EVENING_MS = 14 * 3_600_000
"""So long a phone is signed in."""

MOST_PHONES = 100

SEEN_S = 10.0
"""Between looks at when phones were heard of last."""

NO_CONSOLE = "no-console"
_SEEN_MS = 60_000
_KEPT = 50
_log = logging.getLogger(__name__)

Answer = Order | Refusal | None
"""What becomes of a wish: an order; a refusal; None: it is done."""


class Records(NamedTuple):
    """What the director's streams say. ``answered``: whether the command with an id was answered for good before."""

    venue: str
    members: Callable[[], Container[str]]
    roster: Callable[[], Roster]
    notes: Callable[[], Mapping[str, kinds.Note]]
    answered: Callable[[str], bool]
    now_ms: Callable[[], int]


class SignedIn:
    """For the engine thread."""

    def __init__(self, way: Way, records: Records) -> None:
        self._way, self._records = way, records
        self._pairing = Pairing()
        self._sealing = X25519PrivateKey.generate()
        self._answers: dict[str, Answer] = {}
        self._leaving: set[str] = set()
        self._told: frozenset[str] = frozenset()
        self._gone: dict[str, float] = {}
        self._seen: Mapping[str, int] = {}
        self._seen_at = 0.0
        self.phones: tuple[Phone, ...] = ()
        self.look()

    @property
    def seal(self) -> str:
        """The key that phones' keys are sealed to, as long as this program runs, in hex."""
        return self._sealing.public_key().public_bytes_raw().hex()

    @property
    def due(self) -> float | None:
        """When `look` finds something that time alone has changed."""
        return self._pairing.due

    def phone(self, session: str) -> Phone | None:
        """The phone, if it may ask for something now."""
        found = next((phone for phone in self.phones if phone.here and phone.session == session), None)
        return None if session in self._leaving else found

    def look(self) -> None:
        """Who is signed in by now, and whose keys are still of use."""
        way, roster, notes, now = self._way, self._records.roster(), self._records.notes(), time.monotonic()
        self._pairing.tick(now)
        told = phonenotes.phones(notes, self._records.now_ms())
        signed_in = {phone.session for phone in told}
        self._gone |= dict.fromkeys(self._told - signed_in, now + TOLD_S)
        self._gone = {session: until for session, until in self._gone.items() if now < until}
        self._told = frozenset(signed_in)
        standings = self._pairing.standing()
        about_to_be = {s for s, standing in standings.items() if standing == "confirmed" and f"phone {s}" not in notes}
        way.kept.retain(signed_in | about_to_be, signed_in | standings.keys() | self._gone.keys())
        self.phones = tuple(
            msgspec.structs.replace(phone, here=way.kept.has(phone.session))
            for phone in told
            if intake.is_commissioner(roster, phone.who) and phone.session not in self._leaving
        )
        admitted = {phone.session: phone for phone in self.phones if phone.here}
        way.admit(admitted, self._standings(standings, about_to_be, admitted))

    def claim(self, claimed: Claimed) -> str | None:
        """A phone has come with the key that it was offered: its code, None if it may not."""
        agent = "".join(each for each in claimed.agent if each.isprintable())[:64]
        code = self._pairing.claim(claimed.session, claimed.nonce, agent, time.monotonic())
        self.look()
        return code

    def waiting(self) -> tuple[PhoneWaits, ...]:
        """The phones that have come and wait for a person."""
        return self._pairing.waiting()

    def there(self) -> tuple[PhoneThere, ...]:
        """The phones that are signed in, as kiosks list them."""
        now = time.monotonic()
        if now >= self._seen_at:  # many phones are seen all the time, and each list goes to all kiosks
            self._seen, self._seen_at = dict(self._way.seen), now + SEEN_S
        seen = self._seen
        return tuple(
            PhoneThere(
                phone.session, phone.role, phone.who, phone.since_ms, phone.until_ms,
                seen.get(phone.session, 0) // _SEEN_MS * _SEEN_MS, phone.table, phone.agent,
            )
            for phone in self.phones[-MOST_PHONES:]
        )  # fmt: skip

    # -- what kiosks ask, and phones of each other ---------------------------------------------------------

    def answer(self, message: CommandMessage, want: PhoneWish, phone: Phone | None) -> Answer:
        """What becomes of a wish of a kiosk's, or of a ``phone``; of one that comes again the same as before."""
        if message.id not in self._answers:
            while len(self._answers) >= _KEPT:
                del self._answers[next(iter(self._answers))]
            self._answers[message.id] = self._carry_out(message, want, phone)
            self.look()
        answer = self._answers[message.id]
        if isinstance(answer, Refusal) and answer.code == STORAGE:
            del self._answers[message.id]
        return answer

    def refused(self, order: Order) -> None:
        """The disk would not have it: a phone that was to be signed in is not, one that was to be cut off is there."""
        match order.command:
            case PhonePaired(session=session):
                self._pairing.give_up(session, time.monotonic())
            case PhoneCutOff(session=session):
                self._leaving.discard(session)
            case _:
                return
        self._answers.pop(order.id, None)

    def _carry_out(self, message: CommandMessage, want: PhoneWish, phone: Phone | None) -> Answer:
        if not intake.is_uuid(message.id):
            return intake.refusal("bad-command", field="id")
        if not self._may(message, want, phone):
            if phone is None and message.device not in self._records.members():
                return intake.refusal("unknown-device", device=message.device)
            return intake.refusal("not-authorised", actor=want.by)
        if self._records.answered(message.id):  # before this program began
            return self._order(message, want)
        match want:
            case PairPhone():
                return self._pair(message, want)
            case ConfirmPhone():
                return self._confirm(message, want)
            case CutOffPhone():
                return self._cut_off(message, want)

    def _may(self, message: CommandMessage, want: PhoneWish, phone: Phone | None) -> bool:
        """A commissioner may, at any kiosk; at a phone they cut others off. Every phone signs itself out."""
        if want.by != message.actor:
            return False
        if phone is not None:
            rules = phone.role == "commissioner" and want.by == phone.who
            return isinstance(want, CutOffPhone) and (rules or want.session == phone.session)
        return message.device in self._records.members() and intake.is_commissioner(self._records.roster(), want.by)

    def _pair(self, message: CommandMessage, want: PairPhone) -> Answer:
        if (want.role == "dealer") is not (want.table is not None):
            return intake.refusal("bad-command", field="table")
        if len(self.phones) >= MOST_PHONES:
            return Refusal(MANY)
        if f"phone {want.session}" in self._records.notes():
            return Refusal(GONE)
        try:
            key = unseal(want.box, want.session, self._sealing)
        except BadBox:  # it was sealed to the director before
            return Refusal("stale")
        why_not = self._pairing.offer(want, key, message.device, time.monotonic())
        if why_not is not None:
            return Refusal(why_not)
        self._way.kept.hold(want.session, key)
        return None

    def _confirm(self, message: CommandMessage, want: ConfirmPhone) -> Answer:
        now = time.monotonic()
        offer = self._pairing.confirm(want.session, message.device, want.by, now, yes=want.yes)
        if offer is None:
            return Refusal(GONE)
        if not want.yes:
            return None
        try:
            self._way.kept.keep(want.session)
        except OSError as error:
            _log.error("a phone is not signed in: %s", error)
            self._pairing.give_up(want.session, now)
            return Refusal(STORAGE)
        since = self._records.now_ms()
        note = PhonePaired(
            session=want.session, role=offer.want.role, table=offer.want.table, by=want.by, device=message.device,
            since=since, until=since + EVENING_MS, agent=offer.agent,
        )  # fmt: skip
        return self._order(message, note)

    def _cut_off(self, message: CommandMessage, want: CutOffPhone) -> Answer:
        if not isinstance(self._records.notes().get(f"phone {want.session}"), PhonePaired):
            return Refusal(GONE)
        self._leaving.add(want.session)  # what it asks for from here on is too late, even in the same commit
        return self._order(message, PhoneCutOff(session=want.session, by=want.by, device=message.device))

    def _standings(
        self, pairing: Mapping[str, Standing], about_to_be: Collection[str], admitted: Collection[str]
    ) -> dict[str, Standing]:
        """How it stands with all phones that are known; nobody hears that they are signed in before it is written."""
        standings: dict[str, Standing] = dict(pairing)
        for note in self._records.notes().values():
            if isinstance(note, PhonePaired):
                standings[note.session] = "expired"
            elif isinstance(note, PhoneCutOff):
                standings[note.session] = "cut-off"
        for session in about_to_be:
            standings[session] = "claimed"
        for session in self._leaving:
            standings[session] = "cut-off"
        for session in admitted:
            standings[session] = "confirmed"
        return standings

    def _order(self, message: CommandMessage, command: object) -> Order:
        return Order(message.id, f"venue/{self._records.venue}", command)
