"""What is asked of a card while it lies on the reader: as little as says whose it is and how sure that is (DESIGN §7).

A card whose key is here is asked to prove it, once; no key is ever guessed, for a card locks after too many. Without
its key it is asked for the league's record and its read counter. Nothing is believed here: `verdict` judges.
"""

from __future__ import annotations

from collections.abc import Callable

from appliance.cards import layout, ndef
from appliance.cards.apdu import CardError, Fault
from appliance.cards.ndef import BadNdef
from appliance.cards.ntag424 import Ntag424
from appliance.cards.originality import NXP_NTAG21X, PublicKey, verify
from appliance.cards.reading import Ntag21xRead, Ntag424Read, PlainRead, Problem, Reading
from appliance.cards.record import BadRecord, SignedRecord
from appliance.cards.secret import Secret
from appliance.hw.ports import CardLost, Channel, NotSupported, Technology, Unreadable

_READ_SIG = b"\x3c\0"
_FAST_READ = 0x3A
_FIRST_PAGE = 4
_PAGE, _READ_BYTES = 4, 16
_PART = 60
"""Bytes of one FAST_READ: readers' buffers hold 64 with the checksum."""
_SMALLEST_AREA = 144

_PROBLEMS = {Fault.LATER: Problem.LATER, Fault.LOCKED: Problem.LOCKED}
_ANOTHER_CARD = frozenset(
    {
        Fault.WRONG_KEY,
        Fault.FORGED,
        Fault.NO_SUCH_KEY,
        Fault.NO_SUCH_COMMAND,
        Fault.NO_SUCH_FILE,
        Fault.NOT_AUTHENTICATED,
    }
)
"""Answers to being asked for a key that the card with this UID has: it is not that card."""

_NOT_FREE = frozenset({Fault.NOT_AUTHENTICATED, Fault.PERMISSION_DENIED, Fault.NO_SUCH_FILE, Fault.BOUNDARY})
"""Answers of a card whose record is not there for everybody to read, as the issuing office would have left it."""


class CardDialog:
    """A `Dialog`: asks the card in the field and returns a `Reading`.

    ``keys`` gives a card's verification key K2 by its UID, where it is here; ``maker`` is whose signature makes an
    NTAG21x original. Lets `CardLost` through and raises nothing else.
    """

    def __init__(self, keys: Callable[[str], Secret | None], maker: PublicKey = NXP_NTAG21X) -> None:
        self._keys = keys
        self._maker = maker

    def __call__(self, channel: Channel, uid: str) -> Reading:
        if channel.technology is Technology.NONE:
            return PlainRead(uid)
        key = self._keys(uid)
        try:
            if channel.technology is Technology.ISO_DEP:
                return _unverified(channel, uid) if key is None else _verified(channel, uid, key)
            # with a key there is a card of another kind that has this UID
            return self._type_2(channel, uid) if key is None else Ntag424Read(uid, verified=False)
        except NotSupported:
            return PlainRead(uid)

    def _type_2(self, channel: Channel, uid: str) -> Reading:
        record, problem = _record_of(_data_area(channel))
        if record is None:
            return Ntag21xRead(uid, problem=problem)
        return Ntag21xRead(uid, self._original(channel, uid), record)

    def _original(self, channel: Channel, uid: str) -> bool | None:
        """Whether the maker signed this UID: no for a card that has no such command, None where readers have none.

        Asked last, for a card that does not know the command falls asleep.
        """
        try:
            answer = channel.command(_READ_SIG)
        except NotSupported:
            return None
        return verify(self._maker, bytes.fromhex(uid), answer)


def _verified(channel: Channel, uid: str, key: Secret) -> Reading:
    """The one authentication of a tap, and the record: four APDUs."""
    card = Ntag424(channel)
    try:
        card.select()
        card.authenticate(layout.VERIFICATION, key)
    except CardError as error:
        if error.code in _PROBLEMS:
            return Ntag424Read(uid, problem=_PROBLEMS[error.code])
        if error.code in _ANOTHER_CARD:
            return Ntag424Read(uid, verified=False)
        raise CardLost(Unreadable.MUTE) from None  # a talk that went wrong is no word against the card (LG-6)
    record, problem, failed = _signed_record(card)
    if failed is not None and failed not in _NOT_FREE:
        raise CardLost(Unreadable.MUTE)
    return Ntag424Read(uid, True, record=record, problem=problem)


def _unverified(channel: Channel, uid: str) -> Reading:
    card = Ntag424(channel)
    try:
        card.select()
    except CardError:
        return PlainRead(uid)
    record, problem, _ = _signed_record(card)
    if record is None:
        return Ntag424Read(uid, problem=problem)
    return Ntag424Read(uid, counter=_read_counter(card, uid), record=record)


def _signed_record(card: Ntag424) -> tuple[SignedRecord | None, Problem | None, Fault | None]:
    """The record of file 3, or why there is none; a fault where the card did not let it be read: it is not
    personalised, or no NTAG 424 DNA at all."""
    try:
        return layout.record_in_file(card.read_data(layout.RECORD_FILE, layout.RECORD_READ)), None, None
    except BadRecord:
        return None, Problem.MALFORMED, None
    except CardError as error:
        return None, None, error.code


def _read_counter(card: Ntag424, uid: str) -> int | None:
    try:
        found = layout.read_counter(card.read_data(layout.NDEF_FILE, layout.LINK_READ))
    except CardError:
        return None
    return found[1] if found is not None and found[0] == uid else None


def _record_of(area: bytes) -> tuple[SignedRecord | None, Problem | None]:
    try:
        return layout.record_in_message(ndef.message_of(area)), None
    except BadNdef:
        return None, None
    except BadRecord:
        return None, Problem.MALFORMED


def _data_area(channel: Channel) -> bytes:
    """The data area up to the end of its message, at most what the smallest card has; our messages fit that."""
    area = channel.read_pages(_FIRST_PAGE)
    end = ndef.needed(area)
    if end is None or end > _SMALLEST_AREA:
        return area
    fast = True
    while len(area) < end:
        page, wanted = _FIRST_PAGE + len(area) // _PAGE, min(_PART, -(-(end - len(area)) // _PAGE) * _PAGE)
        more = _fast_read(channel, page, wanted) if fast and wanted > _READ_BYTES else b""
        fast = bool(more) or wanted <= _READ_BYTES
        area += more or channel.read_pages(page)
    return area


def _fast_read(channel: Channel, page: int, length: int) -> bytes:
    """``length`` bytes in one command; empty where reader or card cannot do that."""
    try:
        answer = channel.command(bytes([_FAST_READ, page, page + length // _PAGE - 1]))
    except NotSupported:
        return b""
    return answer if len(answer) == length else b""
