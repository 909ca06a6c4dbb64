"""The demo's issuing office: keys of its own, simulated NTAG 424 DNA made as the desk makes them, kiosks' keys."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from pathlib import Path

from appliance.apps.cards_keys import key_of, note_key
from appliance.cards import seal
from appliance.cards.emulator.ntag21x import EmulatedNtag21x
from appliance.cards.emulator.ntag424 import EmulatedNtag424
from appliance.cards.emulator.wallet import Wallet
from appliance.cardwork import OPENING_KEY
from appliance.desk import ledger, simulated
from appliance.desk.desk import Desk
from appliance.desk.keys import new_keys
from appliance.identity import load_or_make_opening

LEAGUE = "demo"
LINK = "https://liga.invalid/prukaz"


class CardOffice:
    """Issues simulated cards into a wallet; its master keys end with this process."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.wallet = Wallet(folder)
        self._keys = new_keys(LEAGUE, LINK)
        self._ledger = folder / "ledger.jsonl"
        with ledger.opened(self._ledger, "demo") as book:
            note_key(book, self._keys)

    @property
    def public(self) -> str:
        """The key that the cards' records are signed with, in hex."""
        return self._keys.public

    def issue(self, cards: Iterable[tuple[str, str]]) -> None:
        """Make an NTAG 424 DNA for each UID and participant; it lies in the wallet under its UID."""
        with ledger.opened(self._ledger, "demo") as book:
            desk = Desk(self._keys, book, dt.date.today, makers=(simulated.maker(),))
            for uid, participant in cards:
                self.keep(self._made(desk, EmulatedNtag424(bytes.fromhex(uid)), uid, participant))

    def issue_signed(self, card: EmulatedNtag21x, participant: str) -> None:
        """The same for a card that bears the league's signature and cannot prove more."""
        with ledger.opened(self._ledger, "demo") as book:
            desk = Desk(self._keys, book, dt.date.today, makers=(simulated.maker(),))
            self.keep(self._made(desk, card, card.uid.hex().upper(), participant))

    def keep(self, card: simulated.AnyCard, name: str = "") -> None:
        """Put a card into the wallet, under its UID or another name."""
        card.power_off()
        self.wallet.keep(name or card.uid.hex().upper(), card)

    def clone(self, uid: str) -> EmulatedNtag424:
        """A forgery: the number of an issued card and all that can be read of it, but not its keys."""
        card = EmulatedNtag424(bytes.fromhex(uid))
        card.memory.files.update(EmulatedNtag424.load(self.path(uid)).memory.files)
        return card

    def path(self, name: str) -> Path:
        """The file of a card."""
        return self.folder / f"{name}.json"

    def seal_for(self, device: str, folder: Path, uids: Iterable[str], until_ms: int) -> Path:
        """Seal cards' verification keys to a device whose data lie in ``folder``; returns the file there."""
        public = load_or_make_opening(folder / OPENING_KEY).public_key()
        version = self._keys.version
        sealed = [seal.seal(key_of(self._keys, uid, version), device, public, uid, until_ms) for uid in uids]
        file = folder / "card-keys.json"
        seal.write(file, seal.encode(sealed, device, self._keys.signing))
        return file

    def _made(self, desk: Desk, card: simulated.AnyCard, uid: str, participant: str) -> simulated.AnyCard:
        desk.issue(simulated.channel(card), uid, participant)
        return card
