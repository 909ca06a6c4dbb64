"""What it takes to verify a card on a PC/SC reader: to a bare exchange of as many APDUs of the same lengths.

A simulated NTAG 424 DNA lies on an event-driven virtual reader of a real pcscd. At each tap the product's dialog and
verdict, and the bare exchange, are timed in the reader's own thread, in turns first. The card takes as long over a
bare answer as over its own: what it thinks is the card's cost, and the same whoever asks.
"""

from __future__ import annotations

import datetime as dt
import queue
import statistics
import time
from collections.abc import Callable, Iterator

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance.cards import layout
from appliance.cards.dialog import CardDialog
from appliance.cards.emulator.ntag424 import ATR, EmulatedNtag424
from appliance.cards.messaging import CommMode
from appliance.cards.ntag424 import FACTORY_KEY, KEYS, Ntag424
from appliance.cards.record import sign
from appliance.cards.secret import Secret
from appliance.cards.verdict import Accepted, Tier, verdict
from appliance.game.roster import CardPolicy, Roster, RosterEntry, fold_roster
from appliance.hw.ports import CardPresented, CardRemoved, Channel, ReaderEvent, ReaderOnline
from bench.ifd.rig import Rig
from bench.measure import Figure, percentile
from tests.contract.virtualcard import GET_UID, OK, process_socket

TAPS = 300
WARM_UP = 20
LIMIT = 3.0
UID = bytes.fromhex("04958CAA5C5E80")
SELECT = 0xA4
BARE = 0x80
"""The class of the bare exchange's commands."""


class House:
    """A league, one card that it issued, and the roster that knows it."""

    def __init__(self) -> None:
        key, master = Ed25519PrivateKey.generate(), Secret.random()
        uid = UID.hex().upper()
        record = sign(key, league="bench", participant="000101", uid=uid, serial=1, issued=dt.date(2027, 1, 15))
        self.card = EmulatedNtag424(UID)
        desk = Ntag424(self.card)
        link = layout.link("https://league.example/card")
        desk.select()
        desk.write_data(layout.NDEF_FILE, link.content)
        desk.authenticate(3, FACTORY_KEY)
        desk.write_data(layout.RECORD_FILE, layout.record_file(record), mode=CommMode.FULL)
        desk.authenticate(0, FACTORY_KEY, first=False)
        desk.change_file_settings(layout.NDEF_FILE, link.settings)
        desk.change_file_settings(layout.RECORD_FILE, layout.RECORD_SETTINGS)
        for number in reversed(KEYS):
            desk.change_key(number, layout.card_key(master, UID, number), 1)
        self.card.power_off()
        self.keys = {uid: layout.card_key(master, UID, layout.VERIFICATION)}
        policy = CardPolicy(league="bench", key=key.public_key().public_bytes_raw().hex(), least="signed")
        entry = RosterEntry(participant="000101", state="active", cards=(uid,))
        self.roster = fold_roster(fold_roster(Roster(), policy), entry)


class Answers:
    """What the card says: the simulated chip's answers, and to bare commands as many bytes as they ask for, as late."""

    def __init__(self, card: EmulatedNtag424) -> None:
        self._card = card
        self.power_off = card.power_off
        self._took: list[int] = []
        """Nanoseconds of the chip's answers since its selection."""

    def __call__(self, apdu: bytes) -> bytes:
        if apdu == GET_UID:
            return UID + OK
        before = time.perf_counter_ns()
        if apdu[0] == BARE:
            while time.perf_counter_ns() - before < self._took[apdu[3]]:
                pass
            return bytes(apdu[2]) + OK
        if apdu[1] == SELECT:
            self._took = []
        answer = self._card.transmit(apdu)
        self._took.append(time.perf_counter_ns() - before)
        return answer


class Lengths:
    """A channel that notes how long commands and answers are."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self.technology = channel.technology
        self.read_pages, self.write_page, self.command = channel.read_pages, channel.write_page, channel.command
        self.seen: list[tuple[int, int]] = []

    def transmit(self, apdu: bytes) -> bytes:
        answer = self._channel.transmit(apdu)
        self.seen.append((len(apdu), len(answer)))
        return answer


class Stopwatch:
    """The dialog that is measured, and the bare one."""

    def __init__(self, house: House, known: bool, tier: Tier) -> None:
        held = house.keys if known else {}
        self._house, self._dialog, self._tier = house, CardDialog(held.get), tier
        self._bare: list[bytes] = []
        self._highest = -1
        self.times: list[tuple[int, int]] = []

    def __call__(self, channel: Channel, uid: str) -> None:
        if not self._bare:
            noted = Lengths(channel)
            self._product(noted, uid)
            self._bare = [_bare(number, sent, got) for number, (sent, got) in enumerate(noted.seen)]
            return
        works: list[Callable[[Channel, str], None]] = [self._product, self._exchange]
        took = {}
        for work in works if len(self.times) % 2 else reversed(works):
            before = time.perf_counter_ns()
            work(channel, uid)
            took[work] = time.perf_counter_ns() - before
        self.times.append((took[works[0]], took[works[1]]))

    def _product(self, channel: Channel, uid: str) -> None:
        reading = self._dialog(channel, uid)
        found = verdict(reading, self._house.roster, self._highest)
        if not isinstance(found, Accepted) or found.tier is not self._tier:
            raise RuntimeError(f"the bench's card is {found}")
        self._highest = found.counter if found.counter is not None else self._highest

    def _exchange(self, channel: Channel, _uid: str) -> None:
        for apdu in self._bare:
            channel.transmit(apdu)


def _bare(number: int, sent: int, got: int) -> bytes:
    """A command of this length whose answer has that length; P1 tells the card the bytes before its status, P2 which
    of its own answers it is to be as late as."""
    body = bytes([sent - 6]) + bytes(sent - 6) if sent > 6 else b""
    return (bytes([BARE, 0x01, got - 2, number]) + body + b"\0")[: max(sent, 5)]


def figures() -> Iterator[Figure]:
    """With the card's key and without."""
    process_socket()
    house = House()
    for name, known, tier in (("by its key", True, Tier.GENUINE), ("by signature and counter", False, Tier.WEAK)):
        times = _taps(Stopwatch(house, known, tier), house)
        ratio = statistics.median(ours / bare for ours, bare in times)
        ours, bare = ([pair[side] / 1e6 for pair in times] for side in (0, 1))
        note = (
            f"{statistics.median(ours):.2f} ms (p99 {percentile(ours, 0.99):.2f}), "
            f"bare APDUs {statistics.median(bare):.2f} ms (p99 {percentile(bare, 0.99):.2f})"
        )
        yield Figure(f"cards: an NTAG 424 DNA verified {name}", ratio, LIMIT, False, note)


def _taps(watch: Stopwatch, house: House) -> list[tuple[int, int]]:
    from appliance.hw.pcsc import PcscReader

    events: queue.SimpleQueue[ReaderEvent] = queue.SimpleQueue()

    def expect(kind: type[ReaderEvent]) -> None:
        while not isinstance(events.get(timeout=10), kind):
            pass

    reader, answers = PcscReader("Tableside Virtual"), Answers(house.card)
    with Rig() as rig:
        reader.start(events.put, watch)
        expect(ReaderOnline)
        for _ in range(TAPS + WARM_UP + 1):
            rig.insert(answers, atr=ATR)
            expect(CardPresented)
            rig.remove()
            expect(CardRemoved)
        reader.stop()
    return watch.times[WARM_UP:]
