"""``tableside cards --rehearse``: the desk's whole day without hardware, with keys that are thrown away at its end."""

from __future__ import annotations

import datetime as dt
import secrets
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from appliance.apps.cards_keys import note_key, shown
from appliance.cards.emulator.ntag424 import EmulatedNtag424
from appliance.cards.ledgerline import Reason
from appliance.cards.ntag424 import KEYS
from appliance.desk import checking, keyfile, ledger, simulated
from appliance.desk.checking import Report
from appliance.desk.desk import Desk, Refused
from appliance.desk.keys import DeskKeys, new_keys
from appliance.hw.ports import CardLost, Channel

T = TypeVar("T")
PARTICIPANT = "000101"
_COST = 1 << 14


def rehearse() -> int:
    """Go through it and print every step; 0 when all went as it must, 1 otherwise."""
    with tempfile.TemporaryDirectory(prefix="tableside-cards-") as folder:
        return _Rehearsal(Path(folder)).run()


class _Rehearsal:
    """A desk of its own. Every step says what is done and checks what came of it."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "rehearsal.keys"
        self._phrase = keyfile.passphrase(secrets.token_urlsafe(16))
        self._failed = 0

    def run(self) -> int:
        print("rehearsal: simulated cards; the keys end with it")
        self._make_keys()
        first, second = EmulatedNtag424(), EmulatedNtag424()
        self._step("a blank card is blank", lambda: self._verify(first).fault is not None)
        self._step("a card torn away while it is issued is no valid card", lambda: self._tear(first))
        self._step("the same again: issued", lambda: self._issue(first, None))
        self._step("a kiosk takes it as genuine", lambda: self._genuine(first))
        self._step("it is lost: a second card replaces it", lambda: self._issue(second, "lost"))
        self._step("a kiosk takes the second", lambda: self._genuine(second))
        self._step("a kiosk refuses the first, found again", lambda: not self._genuine(first))
        self._step("the first can be wiped, with proof", lambda: self._wipe(first))
        self._step("a key may have leaked: new keys", self._renew)
        self._step("the second gets them by issuing it again", lambda: self._issue(second, None))
        self._step("and a kiosk takes it", lambda: self._genuine(second))
        print("rehearsal: " + ("all as it must be" if not self._failed else f"{self._failed} steps went wrong"))
        return 1 if self._failed else 0

    def _step(self, what: str, done: Callable[[], bool]) -> None:
        went = done()
        self._failed += not went
        print(f"  {what}: {'yes' if went else 'NO'}")

    def _make_keys(self) -> None:
        keys = new_keys("rehearsal", "https://rehearsal.invalid/card")
        keyfile.create(self._file, keys, self._phrase, _COST)
        with ledger.opened(ledger.beside(self._file), "rehearsal") as book:
            note_key(book, keys)
        print("\n".join(f"  {line}" for line in shown(self._keys())))

    def _keys(self) -> DeskKeys:
        return keyfile.load(self._file, self._phrase)

    def _renew(self) -> bool:
        keyfile.rewrite(self._file, self._keys().renewed(), self._phrase, _COST)
        return self._keys().version == 2

    def _at(self, card: EmulatedNtag424, job: Callable[[Desk, Channel, str], T]) -> T:
        with ledger.opened(ledger.beside(self._file), "rehearsal") as book:
            desk = Desk(self._keys(), book, dt.date.today, makers=(simulated.maker(),))
            return job(desk, simulated.channel(card), card.uid.hex().upper())

    def _tear(self, card: EmulatedNtag424) -> bool:
        card.tear(after=24, done=True)
        try:
            self._at(card, lambda desk, channel, uid: desk.issue(channel, uid, PARTICIPANT))
        except CardLost:
            card.power_off()
            return not self._genuine(card)
        return False

    def _issue(self, card: EmulatedNtag424, reason: Reason | None) -> bool:
        done = self._at(card, lambda desk, channel, uid: desk.issue(channel, uid, PARTICIPANT, reason))
        return done.card is not None and done.card.state == "valid"

    def _verify(self, card: EmulatedNtag424) -> Report:
        card.power_off()
        keys = self._keys()
        with ledger.opened(ledger.beside(self._file), "rehearsal") as book:
            desk = Desk(keys, book, dt.date.today, makers=(simulated.maker(),))
            return checking.verify(desk, keys, book.book, simulated.channel(card), card.uid.hex().upper())

    def _genuine(self, card: EmulatedNtag424) -> bool:
        try:
            return self._verify(card).fault is None
        except Refused:
            return False

    def _wipe(self, card: EmulatedNtag424) -> bool:
        self._at(card, lambda desk, channel, uid: desk.wipe(channel, uid))
        return all(card.memory.keys[number].value == EmulatedNtag424().memory.keys[number].value for number in KEYS)
