"""A league with its keys, cards that it issued, and readers' channels to them; no reader, no desk."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance.cards import layout, ndef, originality
from appliance.cards.dialog import CardDialog
from appliance.cards.emulator.ntag21x import EmulatedNtag21x
from appliance.cards.emulator.ntag21x_models import Model
from appliance.cards.emulator.ntag424 import EmulatedNtag424, NoPower
from appliance.cards.messaging import CommMode
from appliance.cards.ntag424 import KEYS, Ntag424
from appliance.cards.reading import Reading
from appliance.cards.record import SignedRecord, sign
from appliance.cards.secret import Secret
from appliance.cards.verdict import Verdict, verdict
from appliance.game.roster import CardPolicy, Roster, RosterEntry, Tier, fold_roster
from appliance.hw.ports import CardLost, NotSupported, Technology

UID = bytes.fromhex("04958CAA5C5E80")
OTHER_UID = bytes.fromhex("04DE5F1EACC040")
MAKER = 0x1234567890ABCDEF1234567890ABCDEF
"""A simulated maker's private key."""
PLAYER, OTHER = "000101", "000102"


def text(uid: bytes) -> str:
    return uid.hex().upper()


@dataclass
class League:
    """Its signing key, its master key, its name."""

    name: str = "cpl"
    key: Ed25519PrivateKey = field(default_factory=lambda: Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
    master: Secret = field(default_factory=lambda: Secret(bytes(range(16))))

    def record(self, uid: bytes = UID, participant: str = PLAYER) -> SignedRecord:
        issued = dt.date(2027, 1, 15)
        return sign(self.key, league=self.name, participant=participant, uid=text(uid), serial=7, issued=issued)

    def k2(self, uid: bytes = UID) -> Secret:
        return layout.card_key(self.master, uid, layout.VERIFICATION)

    def policy(self, least: Tier = "signed") -> CardPolicy:
        return CardPolicy(league=self.name, key=self.key.public_key().public_bytes_raw().hex(), least=least)

    def ntag424(
        self, uid: bytes = UID, record: SignedRecord | None = None, random: Callable[[int], bytes] | None = None
    ) -> EmulatedNtag424:
        """A card as it leaves the issuing office."""
        card = EmulatedNtag424(uid, random) if random else EmulatedNtag424(uid)
        desk = Ntag424(card)
        desk.select()
        link = layout.link("https://league.example/card")
        desk.authenticate(3, Secret(bytes(16)))
        desk.write_data(3, layout.record_file(record or self.record(uid)), mode=CommMode.FULL)
        desk.select()
        desk.write_data(2, link.content)
        desk.authenticate(0, Secret(bytes(16)))
        desk.change_file_settings(2, link.settings)
        desk.change_file_settings(3, layout.RECORD_SETTINGS)
        for number in reversed(KEYS):
            desk.change_key(number, layout.card_key(self.master, uid, number), 1)
        card.power_off()
        return card

    def ntag21x(
        self,
        uid: bytes = UID,
        record: SignedRecord | None = None,
        model: Model = Model.NTAG213,
        maker: int | None = MAKER,
        signature: bytes = bytes(32),
    ) -> EmulatedNtag21x:
        """The same of the second tier."""
        card = EmulatedNtag21x(model, uid, maker, signature)
        message = layout.record_message(record or self.record(uid))
        area = ndef.area_with(message, model.value.user_bytes, keep=card.area)
        for number in range(-(-len(area) // 4)):
            page = area[4 * number : 4 * number + 4].ljust(4, b"\0")
            assert card.command(bytes([0xA2, 4 + number]) + page) == b"\x0a"
        return card


LEAGUE = League()


@dataclass
class Apdus:
    """A reader's channel to an emulated card of APDUs; ``change(number, answer)`` is somebody in between."""

    card: EmulatedNtag424
    change: Callable[[int, bytes], bytes] = lambda _, answer: answer
    sent: list[bytes] = field(default_factory=list)
    technology = Technology.ISO_DEP

    def transmit(self, apdu: bytes) -> bytes:
        self.sent.append(apdu)
        try:
            return self.change(len(self.sent) - 1, self.card.transmit(apdu))
        except NoPower:
            raise CardLost from None

    def read_pages(self, page: int) -> bytes:
        raise NotSupported

    def write_page(self, page: int, data: bytes) -> None:
        raise NotSupported

    def command(self, raw: bytes) -> bytes:
        raise NotSupported


@dataclass
class Pages:
    """The same to a card of pages. ``raw``: whether the reader can send raw commands."""

    card: EmulatedNtag21x
    change: Callable[[int, bytes], bytes] = lambda _, answer: answer
    raw: bool = True
    sent: list[bytes] = field(default_factory=list)
    denied: list[bytes] = field(default_factory=list)
    technology = Technology.TYPE_2

    def transmit(self, apdu: bytes) -> bytes:
        raise NotSupported

    def read_pages(self, page: int) -> bytes:
        answer = self._send(bytes([0x30, page]))
        if len(answer) != 16:
            raise NotSupported
        return answer

    def write_page(self, page: int, data: bytes) -> None:
        if self._send(bytes([0xA2, page]) + data) != b"\x0a":
            raise NotSupported

    def command(self, raw: bytes) -> bytes:
        if not self.raw:
            self.denied.append(raw)
            raise NotSupported
        return self._send(raw)

    def _send(self, raw: bytes) -> bytes:
        self.sent.append(raw)
        try:
            return self.change(len(self.sent) - 1, self.card.command(raw))
        except NoPower:
            raise CardLost from None


class OnlyUid:
    """A reader that passes on nothing but the number."""

    technology = Technology.NONE

    def transmit(self, apdu: bytes) -> bytes:
        raise NotSupported

    def read_pages(self, page: int) -> bytes:
        raise NotSupported

    def write_page(self, page: int, data: bytes) -> None:
        raise NotSupported

    def command(self, raw: bytes) -> bytes:
        raise NotSupported


def keys(league: League = LEAGUE, *uids: bytes) -> Callable[[str], Secret | None]:
    """The verification keys of these cards, of `UID` where none is named."""
    held = {text(uid): league.k2(uid) for uid in uids or (UID,)}
    return held.get


def no_keys(_uid: str) -> None:
    return None


def ask(channel: Apdus | Pages | OnlyUid, uid: bytes = UID, known: Callable[[str], Secret | None] = no_keys) -> Reading:
    """One tap's dialog with a card of simulated make."""
    return CardDialog(known, originality.public_key(MAKER))(channel, text(uid))


def roster(least: Tier = "signed", league: League = LEAGUE, *more: RosterEntry) -> Roster:
    """A venue that knows the holder of `UID`, and one of `OTHER_UID`."""
    folded = Roster()
    for event in (
        league.policy(least),
        RosterEntry(participant=PLAYER, state="active", cards=(text(UID),)),
        RosterEntry(participant=OTHER, state="active", cards=(text(OTHER_UID),), role="commissioner"),
        *more,
    ):
        folded = fold_roster(folded, event)
    return folded


def judge(reading: Reading, least: Tier = "signed", highest: int | None = None) -> Verdict:
    return verdict(reading, roster(least), highest)
