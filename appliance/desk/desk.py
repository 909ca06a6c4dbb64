"""What the issuing desk does with the card on its reader: issue, wipe, verify. Ledger and card are kept in step.

The ledger has a line before the card is touched and another when it is done. Whatever ends in between, power or the
process, the same again finds the card as it is, does what is left, and writes the line that is missing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import TypeVar

from appliance.cards import layout, record
from appliance.cards.aes import UID_BYTES
from appliance.cards.apdu import CardError, Fault
from appliance.cards.ledgerline import Kind, Reason
from appliance.cards.ntag424 import KEYS, Ntag424
from appliance.cards.originality import NXP_NTAG21X, PublicKey
from appliance.cards.record import BadRecord, SignedRecord
from appliance.desk import pages, targets
from appliance.desk.converge import NotOurs, Say, Target, converge, prove_all
from appliance.desk.keys import FACTORY, DeskKeys
from appliance.desk.ledger import DeskCard, Ledger
from appliance.hw.ports import Channel, NotSupported, Technology

T = TypeVar("T")


class Refused(Exception):
    """The desk does not do it; ``code`` is stable, the text is one line that says why."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.code = code


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a card; ``already``: it was so before."""

    uid: str
    card: DeskCard | None = None
    already: bool = False


_FAULTS = {
    Fault.LATER: "after failed authentications the card makes everybody wait; leave it on the reader and try again",
    Fault.LOCKED: "the card's key is blocked for good after too many failed authentications",
    Fault.NO_SUCH_COMMAND: "this is no NTAG 424 DNA",
    Fault.NO_SUCH_FILE: "this is no NTAG 424 DNA",
}
_FOREIGN = {
    "foreign-key": "key {0} of the card is neither the factory's nor ours",
    "foreign-version": "key {0} of the card is of a version that this key file does not have",
    "another-uid": "the card says another number under encryption than in the open",
    "changing-version": "key {0} of the card says now one version, now another",
}


class Desk:
    """The desk's keys and ledger, for one card at a time."""

    def __init__(
        self,
        keys: DeskKeys,
        ledger: Ledger,
        today: Callable[[], date],
        say: Say = lambda _step, _number: None,
        makers: tuple[PublicKey, ...] = (NXP_NTAG21X,),
    ) -> None:
        """``makers``: whose NTAG21x are originals; simulated cards have a maker of their own."""
        self._keys = keys
        self._ledger = ledger
        self._today = today
        self._say = say
        self._makers = makers

    @property
    def book(self) -> dict[str, DeskCard]:
        """The cards by UID as the ledger knows them now."""
        return self._ledger.book.cards

    def issue(self, channel: Channel, uid: str, participant: str, reason: Reason | None = None) -> Done:
        """Make the card in the field the participant's. ``reason``: their valid card is withdrawn for it (replace).

        Raises `Refused`, and what the channel raises when the card is torn away: then the same again.
        """
        kind = kind_of(channel, uid)
        if kind == "ntag21x" and self._paged(self._forged, channel, bytes.fromhex(uid)):
            raise Refused("not-original", "the maker did not sign this card's number: kiosks would call it forged")
        card = self._wanted(channel, uid, kind, participant)
        other = self._ledger.book.valid_of(participant)
        if other is not None and other.uid != uid:
            if reason is None:
                raise Refused("has-card", f"{participant} has the valid card {other.uid}: replace or revoke it")
            self._ledger.withdraw(other, reason)
        if card.state != "valid" and self.book.get(uid) != card:
            self._write("begun", card)
        signed = self._signed(card)
        if kind == "ntag424":
            self._converge(channel, uid, targets.issued(self._keys, signed))
        else:
            self._paged(pages.write_message, channel, layout.record_message(signed))
        already = self.book.get(uid) == self._issued(card)
        if not already:
            self._write("issued", self._issued(card))
        return Done(uid, self.book[uid], already)

    def wipe(self, channel: Channel, uid: str) -> Done:
        """Make the card blank, and have it prove that it is. Raises as `issue` does."""
        kind, known = kind_of(channel, uid), self.book.get(uid)
        if known is not None and known.state == "valid":
            self._ledger.withdraw(known, "revoked")
        if kind == "ntag424":
            before = self.versions(channel)
            self._converge(channel, uid, targets.BLANK)
            self.prove(channel, uid, FACTORY)
            already = not any(before)
        else:
            already = self._paged(pages.write_message, channel, b"")
        if known is not None and known.state != "wiped":
            self._ledger.write("wiped", uid=uid, participant=known.participant, serial=known.serial, kind=kind)
        return Done(uid, self.book.get(uid), already)

    def enter(self, channel: Channel, uid: str) -> Done | None:
        """Write into the ledger what a finished card says that is not in it; None where nothing is missing.

        Only a card whose record we signed and that proves all its keys: such a one nobody else can have made.
        """
        known = self.book.get(uid)
        if known is not None and known.state != "begun":
            return None
        kind = kind_of(channel, uid)
        signed = self.record_on(channel, uid, kind)
        version = self.versions(channel)[0] if kind == "ntag424" else FACTORY
        if signed is None or (kind == "ntag424" and version == FACTORY):
            return None
        if kind == "ntag424":
            self.prove(channel, uid, version)
        other = self._ledger.book.valid_of(signed.participant)
        if other is not None:
            raise Refused("has-card", f"it is a card of {signed.participant}, whose valid card is {other.uid}")
        card = DeskCard(uid, signed.participant, signed.serial, signed.issued, kind, version, "valid")
        self._write("issued", card)
        return Done(uid, card)

    def record_on(self, channel: Channel, uid: str, kind: Kind) -> SignedRecord | None:
        """The record on the card, if we signed it for this card; None without one, or with somebody else's."""
        try:
            if kind == "ntag424":
                found = self._ask(_record_in_file, channel)
            else:
                found = layout.record_in_message(self._paged(pages.read_message, channel))
        except BadRecord:
            return None
        ours = found is not None and record.verify(found, self._keys.signing.public_key(), uid)
        return found if ours else None

    def versions(self, channel: Channel) -> tuple[int, ...]:
        """The versions of the card's keys, as it says them to anybody. Raises `Refused`."""
        return self._ask(lambda card: tuple(card.get_key_version(number) for number in KEYS), channel)

    def prove(self, channel: Channel, uid: str, version: int) -> None:
        """Have the card prove all its keys in this version, and its UID. Raises `Refused`."""
        self._ask(lambda card: prove_all(card, bytes.fromhex(uid), self._keys, version, self._say), channel)

    # -- inside ------------------------------------------------------------------------------------------

    def _forged(self, channel: Channel, uid: bytes) -> bool:
        return pages.is_original(channel, uid, self._makers) is False

    def _wanted(self, channel: Channel, uid: str, kind: Kind, participant: str) -> DeskCard:
        """What the card is to become, under the serial number it has or a new one. Raises `Refused`."""
        known = self.book.get(uid)
        if known is None or known.state == "wiped" or (known.state == "begun" and known.participant != participant):
            known = self._told_by(channel, uid, kind)
        if known is None:
            serial = self._ledger.book.last_serial + 1
            return DeskCard(uid, participant, serial, self._today(), kind, self._version(kind), "begun")
        if known.state not in ("begun", "valid"):
            raise Refused("withdrawn", f"{uid} was withdrawn ({known.state}): wipe it first")
        if known.participant != participant:
            raise Refused("somebodys", f"{uid} is the valid card of {known.participant}: wipe it first")
        if known.state == "valid" and kind == "ntag424" and self.versions(channel)[0] == FACTORY:
            # what would be written into it would be the real card's keys, for whoever made this one
            raise Refused("not-that-card", f"{uid} was issued, and this card was not: it says that number. Keep it")
        return known

    def _told_by(self, channel: Channel, uid: str, kind: Kind) -> DeskCard | None:
        """A finished card that the ledger does not know, by its own word under our signature."""
        version = self.versions(channel)[0] if kind == "ntag424" else FACTORY
        signed = self.record_on(channel, uid, kind) if kind == "ntag21x" or version != FACTORY else None
        if signed is None:
            return None
        return DeskCard(uid, signed.participant, signed.serial, signed.issued, kind, version, "begun")

    def _issued(self, card: DeskCard) -> DeskCard:
        version = self._version(card.kind)
        return DeskCard(card.uid, card.participant, card.serial, card.issued, card.kind, version, "valid")

    def _version(self, kind: Kind) -> int:
        return self._keys.version if kind == "ntag424" else FACTORY

    def _signed(self, card: DeskCard) -> SignedRecord:
        try:
            return record.sign(
                self._keys.signing, league=self._keys.league, participant=card.participant, uid=card.uid,
                serial=card.serial, issued=card.issued,
            )  # fmt: skip
        except ValueError as error:
            raise Refused("bad-number", str(error)) from None

    def _write(self, what: str, card: DeskCard) -> None:
        self._ledger.write(
            "issued" if what == "issued" else "begun",
            uid=card.uid, participant=card.participant, serial=card.serial, issued=card.issued, kind=card.kind,
            key_version=card.key_version,
        )  # fmt: skip

    def _converge(self, channel: Channel, uid: str, target: Target) -> None:
        self._ask(lambda card: converge(card, bytes.fromhex(uid), self._keys, target, self._say), channel)

    def _ask(self, what: Callable[[Ntag424], T], channel: Channel) -> T:
        """Something of an NTAG 424 DNA, from the selection on. Raises `Refused`."""
        card = Ntag424(channel)
        try:
            card.select()
            return what(card)
        except NotOurs as error:
            raise Refused(error.code, _FOREIGN[error.code].format(error.number)) from None
        except CardError as error:
            raise Refused(error.code.value, _FAULTS.get(error.code, f"the card answers {error}")) from None

    def _paged(self, what: Callable[..., T], channel: Channel, *arguments: bytes) -> T:
        try:
            return what(channel, *arguments)
        except NotSupported:
            raise Refused(
                "reader", "reader or card does not do that: a locked card, or a reader for numbers only"
            ) from None
        except pages.NoRoom as error:
            raise Refused("no-room", str(error)) from None


def kind_of(channel: Channel, uid: str) -> Kind:
    """What kind of card lies there. Raises `Refused` for one that the desk cannot write."""
    if len(uid) != 2 * UID_BYTES:
        raise Refused("no-card", f"{uid}: cards that the desk can write have a number of {UID_BYTES} bytes")
    match channel.technology:
        case Technology.ISO_DEP:
            return "ntag424"
        case Technology.TYPE_2:
            return "ntag21x"
    raise Refused("no-card", "neither an NTAG 424 DNA nor an NTAG21x: nothing can be written into it")


def _record_in_file(card: Ntag424) -> SignedRecord | None:
    try:
        return layout.record_in_file(card.read_data(layout.RECORD_FILE, layout.RECORD_READ))
    except CardError as error:
        if error.code in (Fault.NOT_AUTHENTICATED, Fault.PERMISSION_DENIED):
            return None  # blank, or half way: then the file is not open to everybody
        raise
