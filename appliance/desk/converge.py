"""Brings an NTAG 424 DNA from whatever state of ours it is in to another: issued, re-issued, or blank again.

One road for all of it, so that a card torn away anywhere needs nothing but the same again:

1. keys 1 to 4 that say they are done prove it, and all that are ours while key 0 is the factory's;
2. key 0 is proved, in the version that the card says it has;
3. files: content, then settings;
4. keys 1 to 4 that are not done are changed; each needs its old value, which its version names;
5. key 0 is changed, last, so that whatever happened before can be done again; and proved.

Each step looks first and does nothing where nothing is to do. A key's value and its version change together in the
card, so its version always says which of our keys it is; a key that is none of them is tried once and never guessed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from msgspec.structs import replace

from appliance.cards.apdu import CardError, Fault
from appliance.cards.messaging import CommMode
from appliance.cards.ntag424 import KEYS, Ntag424
from appliance.cards.settings import FREE, AccessRights, FileSettings
from appliance.desk.keys import FACTORY, DeskKeys, NoSuchVersion

OTHERS = KEYS[1:]
"""All keys but the one that changes them."""


class Step(StrEnum):
    """What is about to be done to the card; told only where something is."""

    PROVE = "prove"
    FILE = "file"
    SETTINGS = "settings"
    KEY = "key"
    LAST_KEY = "last-key"


Say = Callable[[Step, int], None]
"""Told each step with the number of the file or key it is about."""


class NotOurs(Exception):
    """The card is neither blank nor one of ours; ``code`` says what it was found by."""

    def __init__(self, code: str, number: int | None = None) -> None:
        super().__init__(code if number is None else f"{code} {number}")
        self.code = code
        self.number = number


@dataclass(frozen=True, slots=True)
class FileTarget:
    """What a file is to hold, from its first byte on, and under which settings (their ``size`` aside)."""

    number: int
    content: bytes
    settings: FileSettings


@dataclass(frozen=True, slots=True)
class Target:
    """What the card is to become: its files, and the version of its keys (0: the factory's)."""

    files: tuple[FileTarget, ...]
    version: int


_WORKING = FileSettings(CommMode.FULL, AccessRights(0, 0, 0, 0))
"""While a file is being written that key 0 must not write before or afterwards."""


def converge(card: Ntag424, uid: bytes, keys: DeskKeys, target: Target, say: Say) -> None:
    """Do all that is left to do. ``card`` has its application selected and no session.

    Raises `NotOurs`, `CardError`, and what the card's transmit raises when it is torn away: then do it again.
    """
    versions = [card.get_key_version(number) for number in KEYS]
    for number in OTHERS:
        # somebody else may have set a version byte while the last key is not done; and under the factory's key, which
        # everybody knows, a change tells the difference to the old key, which the card must have had before
        done, open_to_all = versions[number] == target.version, versions[0] == FACTORY != versions[number]
        if (versions[0] != target.version and done) or open_to_all:
            _prove(card, uid, keys, number, versions[number])
    _prove(card, uid, keys, 0, versions[0])
    if card.get_card_uid() != uid:
        raise NotOurs("another-uid")
    for file in target.files:
        _bring_file(card, file, say)
    for number in OTHERS:
        version = card.get_key_version(number)
        if version != versions[number]:
            raise NotOurs("changing-version", number)
        if version != target.version:
            _change(card, uid, keys, number, version, target.version, say)
    version = card.get_key_version(0)
    if version != target.version:
        say(Step.LAST_KEY, 0)
        card.change_key(0, keys.card_key(uid, 0, target.version), target.version)
        _prove(card, uid, keys, 0, target.version)


def prove_all(card: Ntag424, uid: bytes, keys: DeskKeys, version: int, say: Say) -> None:
    """Have the card prove each of its keys, key 0 last, and its UID. Raises `NotOurs` and `CardError`."""
    for number in (*OTHERS, 0):
        say(Step.PROVE, number)
        _prove(card, uid, keys, number, version)
    if card.get_card_uid() != uid:
        raise NotOurs("another-uid")


def _prove(card: Ntag424, uid: bytes, keys: DeskKeys, number: int, version: int) -> None:
    """One authentication with the key that the card says it has."""
    try:
        card.authenticate(number, keys.card_key(uid, number, version))
    except NoSuchVersion:
        raise NotOurs("foreign-version", number) from None
    except CardError as error:
        if error.code in (Fault.WRONG_KEY, Fault.FORGED):
            raise NotOurs("foreign-key", number) from None
        raise


def _change(card: Ntag424, uid: bytes, keys: DeskKeys, number: int, old: int, new: int, say: Say) -> None:
    say(Step.KEY, number)
    try:
        card.change_key(number, keys.card_key(uid, number, new), new, keys.card_key(uid, number, old))
    except NoSuchVersion:
        raise NotOurs("foreign-version", number) from None
    except CardError as error:
        if error.code is Fault.INTEGRITY:  # the old key is not what its version says
            raise NotOurs("foreign-key", number) from None
        raise


def _bring_file(card: Ntag424, file: FileTarget, say: Say) -> None:
    settings = _settings(card, file.number)
    if settings == file.settings and _mode(settings, settings.rights.read) is None:
        return  # key 0 cannot look into it, and these settings are only ever set over the right content
    if not _reachable(settings):
        say(Step.SETTINGS, file.number)
        card.change_file_settings(file.number, _WORKING)
        settings = _WORKING
    length, reading = len(file.content), _mode(settings, settings.rights.read) or CommMode.PLAIN
    if card.read_data(file.number, length, mode=reading) != file.content:
        say(Step.FILE, file.number)
        card.write_data(file.number, file.content, mode=_mode(settings, settings.rights.write) or CommMode.PLAIN)
        if card.read_data(file.number, length, mode=reading) != file.content:
            raise CardError(Fault.MEMORY)
    if settings != file.settings:
        say(Step.SETTINGS, file.number)
        card.change_file_settings(file.number, file.settings)
        if _settings(card, file.number) != file.settings:
            raise CardError(Fault.MEMORY)


def _settings(card: Ntag424, number: int) -> FileSettings:
    return replace(card.get_file_settings(number), size=0)


def _reachable(settings: FileSettings) -> bool:
    rights = settings.rights
    return _mode(settings, rights.read) is not None and _mode(settings, rights.write) is not None


def _mode(settings: FileSettings, right: int) -> CommMode | None:
    """How key 0's session uses a file for reading or writing (``right``: that right); None: not at all."""
    if 0 in (right, settings.rights.read_write):
        return settings.mode
    return CommMode.PLAIN if FREE in (right, settings.rights.read_write) else None
