"""What a kiosk would say of the card on the desk, and what only the desk can find out: every key, one by one."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from appliance.cards import layout
from appliance.cards.dialog import CardDialog
from appliance.cards.ledgerline import Kind
from appliance.cards.originality import NXP_NTAG21X, PublicKey
from appliance.cards.outcome import Accepted, Verdict
from appliance.cards.reading import Reading
from appliance.cards.secret import Secret
from appliance.cards.verdict import verdict
from appliance.desk.desk import Desk, Refused, kind_of
from appliance.desk.keys import FACTORY, DeskKeys
from appliance.desk.ledger import Book, DeskCard
from appliance.game.roster import CardPolicy, Roster, RosterEntry, Withdrawn, fold_roster
from appliance.hw.ports import Channel


@dataclass(frozen=True, slots=True)
class Report:
    """A card that was looked at. ``fault``: why it is none that the desk would hand out, None when it is."""

    uid: str
    kind: Kind
    verdict: Verdict
    card: DeskCard | None
    versions: tuple[int, ...]
    entered: bool
    fault: str | None

    @property
    def lines(self) -> list[str]:
        """All of it in words, a fact a line."""
        said = self.verdict
        kiosk = f"accepted, {said.tier}" if isinstance(said, Accepted) else f"refused, {said.code}"
        told = [f"card {self.uid}, {self.kind}"]
        if self.versions:
            told.append(
                "keys 0 to 4: " + (" ".join(map(str, self.versions)) if any(self.versions) else "the factory's")
            )
        if self.card is None:
            told.append("ledger: unknown")
        else:
            told.append(f"ledger: {self.card.participant}, serial {self.card.serial}, {self.card.state}")
        if self.entered:
            told.append("it was finished and not in the ledger: entered now")
        told.append(f"a kiosk says: {kiosk}")
        return told


def verify(
    desk: Desk, keys: DeskKeys, book: Book, channel: Channel, uid: str, maker: PublicKey = NXP_NTAG21X
) -> Report:
    """Ask the card on the reader everything. Raises `Refused`, and what the channel raises when it is torn away."""
    kind = kind_of(channel, uid)
    entered = desk.enter(channel, uid) is not None
    versions = desk.versions(channel) if kind == "ntag424" else ()
    reading, key = _as_a_kiosk(channel, uid, keys, versions, maker)
    fault = None
    if versions and not entered:
        try:
            desk.prove(channel, uid, versions[0])
        except Refused as refused:
            fault = str(refused)
    card = book.cards.get(uid)
    said = verdict(reading, roster(book, keys))
    if fault is None and not (isinstance(said, Accepted) and (key is None) == (kind == "ntag21x")):
        fault = f"a kiosk refuses it: {said.code}" if not isinstance(said, Accepted) else "its key is not known here"
    return Report(uid, kind, said, card, versions, entered, fault)


def _as_a_kiosk(
    channel: Channel, uid: str, keys: DeskKeys, versions: tuple[int, ...], maker: PublicKey
) -> tuple[Reading, Secret | None]:
    """What a kiosk with this card's key finds, and that key."""
    version = versions[layout.VERIFICATION] if versions else FACTORY
    key = keys.card_key(bytes.fromhex(uid), layout.VERIFICATION, version) if version in keys.masters else None
    return CardDialog(lambda _uid: key, maker)(channel, uid), key


def roster(book: Book, keys: DeskKeys) -> Roster:
    """What the ledger's cards look like at a venue."""
    valid: dict[str, list[str]] = defaultdict(list)
    withdrawn: dict[str, dict[str, Withdrawn]] = defaultdict(dict)
    for card in book.cards.values():
        if card.state == "valid":
            valid[card.participant].append(card.uid)
    for uid, (participant, reason) in book.taken_back.items():
        withdrawn[participant][uid] = "revoked" if reason == "replaced" else reason
    told = fold_roster(Roster(), CardPolicy(league=keys.league, key=keys.public))
    for participant in sorted(valid.keys() | withdrawn.keys()):
        entry = RosterEntry(
            participant=participant, state="active", cards=tuple(valid[participant]), withdrawn=withdrawn[participant]
        )
        told = fold_roster(told, entry)
    return told
