"""This device's word on cards: the verification keys it holds, what it asks a card, how it judges the answer.

Keys come from a file that is sealed to this device and signed with the key that signs the cards, or from the league's
stream in the same form. The file is looked at again whenever a card is asked and it has changed, in the reader's
thread; keys live in memory only (DESIGN §7).
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import get_args

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from appliance.cards import seal
from appliance.cards.counters import Counters, CountersError
from appliance.cards.dialog import CardDialog
from appliance.cards.keys import CardKeys
from appliance.cards.originality import NXP_NTAG21X, PublicKey
from appliance.cards.outcome import Accepted, Refusal, Refused, Verdict
from appliance.cards.reading import PlainRead, Reading
from appliance.cards.seal import SealedKey, SealError
from appliance.cards.secret import Secret
from appliance.cards.verdict import verdict
from appliance.game.roster import CardPolicy, Roster
from appliance.hw.ports import CardPresented
from appliance.identity import IdentityError, load_or_make_opening, public_key

OPENING_KEY = "opening.key"
"""The device's key that opens what is sealed to it, in its data folder."""

_STREAM = "the league's stream"
_READINGS = get_args(Reading)
_Seen = tuple[int, int, int] | None
_log = logging.getLogger(__name__)


class SealedKeys:
    """The keys of one file, and those that the league sent, loaded anew when they change.

    ``now_ms`` is UTC; any thread may ask.
    """

    def __init__(self, file: Path, folder: Path, device: str, now_ms: Callable[[], int]) -> None:
        self._file, self._folder, self._device, self._now_ms = file, folder, device, now_ms
        self._keys = CardKeys()
        self._lock = threading.Lock()
        self._league: str | None = None
        self._heard: bytes | None = None
        self._tried: tuple[_Seen, str | None, bytes | None] = (None, None, None)
        self._ended_by: int | None = None
        self._private: X25519PrivateKey | None = None

    def __call__(self, uid: str) -> Secret | None:
        """The key of the card with this UID, if it is here and good."""
        self.refresh()
        return self._keys(uid)

    def __len__(self) -> int:
        return len(self._keys)

    def believe(self, league: str | None) -> None:
        """The public key, in hex, that signs cards and key files; None: nobody's is known."""
        self._league = league
        self.refresh()

    def hear(self, sealed: bytes | None) -> None:
        """Keys for this device that the league has sent, sealed as the file's are; of a card the later end counts."""
        self._heard = sealed
        self.refresh()

    def refresh(self) -> None:
        """Load the keys if they, or whose signature counts, changed; or the clock that called some ended went back.

        A device that starts without a battery and without anybody to ask does not know what day it is.
        """
        with self._lock:
            state = (_seen(self._file), self._league, self._heard)
            if state != self._tried or (self._ended_by is not None and self._now_ms() < self._ended_by):
                self._tried = state
                self._load(*state)

    def _load(self, seen: _Seen, league: str | None, heard: bytes | None) -> None:
        self._keys.forget()
        self._ended_by = None
        if league is None:
            return
        sources: list[tuple[str, tuple[SealedKey, ...]]] = []
        with _told(str(self._file)):
            if seen is not None:
                sources.append((str(self._file), seal.read(self._file, self._device, public_key(league))))
        with _told(_STREAM):
            if heard is not None:
                sources.append((_STREAM, seal.decode(heard, self._device, public_key(league))))
        # of a card the keys that were sealed last are to stand
        for source, sealed in sorted(sources, key=lambda each: max((one.until for one in each[1]), default=0)):
            with _told(source):
                self._take(source, sealed)

    def _take(self, source: str, sealed: tuple[SealedKey, ...]) -> None:
        if self._private is None:
            self._private = load_or_make_opening(self._folder / OPENING_KEY)
        now = self._now_ms()
        taken = self._keys.load(sealed, self._device, self._private, now)
        if taken < len(sealed):
            self._ended_by = now
        _log.info("keys of %d cards, of %d sealed in %s", taken, len(sealed), source)


@contextlib.contextmanager
def _told(source: str) -> Iterator[None]:
    """One source of keys that cannot serve takes nothing from the other."""
    try:
        yield
    except (SealError, IdentityError, OSError, ValueError) as error:
        _log.error("no keys of cards from %s: %s", source, error)


class CardWork:
    """What a kiosk's readers ask of cards, and what the engine makes of it. `judge` is the engine thread's alone."""

    def __init__(self, keys: SealedKeys, counters: Path) -> None:
        self.keys = keys
        self._path = counters
        self._counters: Counters | None = None

    def dialog(self, maker: PublicKey = NXP_NTAG21X) -> CardDialog:
        """What a reader's thread goes through with each card; ``maker`` is whose NTAG21x are originals."""
        return CardDialog(self.keys, maker)

    def follow(self, policy: CardPolicy) -> None:
        """The league's word on its cards has come or changed."""
        self.keys.believe(policy.key)

    def hear(self, sealed: bytes | None) -> None:
        """The league's stream holds these sealed keys for this device; None: none."""
        self.keys.hear(sealed)

    def judge(self, event: CardPresented, roster: Roster) -> Verdict:
        """The verdict on a card, whose counter is kept once it is believed.

        Without the counters nobody is believed on a signature alone (`CountersError`).
        """
        reading = event.reading if isinstance(event.reading, _READINGS) else PlainRead(event.uid)
        try:
            counters, serial = self._open(), _serial(reading)
            found = verdict(reading, roster, counters.highest(reading.uid, serial))
            if not isinstance(found, Accepted) or found.counter is None:
                return found
            rose = counters.rise(found.uid, found.counter, serial)
            return found if rose else Refused(Refusal.COUNTER_BACK, found.uid, found.participant)
        except CountersError as error:
            _log.error("counters of cards: %s", error)
            self.close()
            found = verdict(reading, roster)
            if isinstance(found, Accepted) and found.counter is not None:
                return Refused(Refusal.TOO_WEAK, found.uid, found.participant)
            return found

    def wrong_pins(self, participant: str) -> int:
        """How many wrong PINs were typed here for somebody, before this run too. Raises `CountersError`."""
        with self._kept() as counters:
            return counters.wrong_pins(participant)

    def keep_wrong_pins(self, participant: str, wrong: int) -> None:
        """Keep it. Raises `CountersError`."""
        with self._kept() as counters:
            counters.keep_wrong_pins(participant, wrong)

    @contextlib.contextmanager
    def _kept(self) -> Iterator[Counters]:
        try:
            yield self._open()
        except CountersError as error:
            _log.error("wrong PINs: %s", error)
            self.close()
            raise

    def close(self) -> None:
        """Let go of the counters' file; the next verdict opens it again."""
        if self._counters is not None:
            self._counters.close()
            self._counters = None

    def _open(self) -> Counters:
        if self._counters is None:
            self._counters = Counters(self._path)
        return self._counters


def _serial(reading: Reading) -> int:
    """The serial number that the card's record states; `verdict` sees to it that it is true."""
    record = None if isinstance(reading, PlainRead) else reading.record
    return 0 if record is None else record.serial


def _seen(file: Path) -> _Seen:
    try:
        stat = file.stat()
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size, stat.st_ino
