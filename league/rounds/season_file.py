"""The season file: participants, cards, venues, devices and rounds as one JSON object, read strictly.

Every error is found, not only the first, each with its place in the file; nothing here touches the database.
"""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from appliance.game.commands import (
    Announce,
    decode_command,
)
from appliance.game.reading import CommandError
from appliance.game.roster import Tier
from appliance.plaintext import fault
from league.command import read_file
from league.rounds.announcing import faults
from league.rounds.keys import read_key

MAX_FILE_BYTES = 64 * 1024 * 1024

Code = Annotated[str, Meta(pattern=r"\A[a-z0-9-]{1,32}\Z")]
Number = Annotated[str, Meta(pattern=r"\A[0-9]{1,12}\Z")]
Name = Annotated[str, Meta(min_length=1, max_length=80)]
Moment = Annotated[datetime, Meta(tz=True)]
Uid = Annotated[str, Meta(pattern=r"\A([0-9A-F]{2}){4,10}\Z")]
KeyHex = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
ConsentKind = Literal["processing", "publication", "marketing", "media"]


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A part of the file; an unknown field is an error, since a misspelt one would be lost in silence."""


class SeasonEntry(Entry, frozen=True):
    """The season: created, or brought to these values.

    Without ``points_key`` it keeps the key it has, without ``least_card`` what its cards must prove.
    """

    year: Annotated[int, Meta(ge=1990, le=2200)]
    name: Annotated[str, Meta(min_length=1, max_length=120)]
    profile: str = "cpl-2017"
    points_key: dict[str, Any] | UnsetType | None = UNSET
    least_card: Tier | UnsetType = UNSET


class VenueEntry(Entry, frozen=True):
    """A venue by its code."""

    id: Code
    name: Annotated[str, Meta(min_length=1, max_length=120)]
    town: Annotated[str, Meta(max_length=80)] = ""


class DeviceEntry(Entry, frozen=True):
    """A device of a venue, by its name there."""

    venue: Code
    name: Code
    role: Literal["director", "table", "door", "clock", "uplink"]
    public_key: KeyHex
    table: Annotated[int, Meta(ge=1, le=999)] | None = None


class CardEntry(Entry, frozen=True):
    """A card of the participant it stands at; without ``state`` it keeps the one it has, and a new one is valid."""

    uid: Uid
    issued_at: Moment
    state: Literal["valid", "lost", "stolen", "damaged", "revoked", "replaced", "kept"] | UnsetType = UNSET

    @property
    def is_valid(self) -> bool:
        """Whether the file means it to be, as far as it says."""
        return self.state in (UNSET, "valid")


class ParticipantEntry(Entry, frozen=True):
    """A participant by registration number. What is left out stays as it is; a new one takes part."""

    number: Number
    first_name: Name
    surname: Name
    title: Annotated[str, Meta(max_length=40)] | UnsetType = UNSET
    email: Annotated[str, Meta(max_length=254, pattern=r"\A([^@\s]+@[^@\s]+)?\Z")] | UnsetType = UNSET
    state: Literal["active", "cancelled", "refused"] | UnsetType = UNSET
    role: Literal["participant", "commissioner"] | UnsetType = UNSET
    home: Code | UnsetType | None = UNSET
    language: Literal["", "cs", "en"] | UnsetType = UNSET
    registered_at: Moment | None = None
    consents: dict[ConsentKind, Moment] = {}
    cards: tuple[CardEntry, ...] = ()


class RoundEntry(Entry, frozen=True):
    """A round: the announce command of the text interface, and the name the public knows it by."""

    announcement: dict[str, Any]
    name: Annotated[str, Meta(max_length=120)] = ""


class SeasonFile(NamedTuple):
    """The whole file, checked."""

    season: SeasonEntry | None
    venues: tuple[VenueEntry, ...]
    devices: tuple[DeviceEntry, ...]
    participants: tuple[ParticipantEntry, ...]
    rounds: tuple[tuple[RoundEntry, Announce], ...]


class SeasonFileError(ValueError):
    """All that is wrong with a file, each as ``place: reason``."""

    def __init__(self, errors: list[str]) -> None:
        super().__init__("\n".join(errors))
        self.errors = errors


E = TypeVar("E", bound=Entry)
_PARTS = ("season", "venues", "devices", "participants", "rounds")


def read(path: Path) -> SeasonFile:
    """Read and check a file. Raises `SeasonFileError` with every error, places relative to the file."""
    try:
        raw = read_file(path, MAX_FILE_BYTES)
        if len(raw) > MAX_FILE_BYTES:
            raise SeasonFileError([f"more than {MAX_FILE_BYTES} bytes"])
        content = json.loads(raw.decode("utf-8-sig"), parse_constant=_no_constant)
    except OSError as error:
        raise SeasonFileError([error.strerror or str(error)]) from None
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise SeasonFileError([f"line {line}: not UTF-8 (byte {raw[error.start]:#04x})"]) from None
    except json.JSONDecodeError as error:
        raise SeasonFileError([f"line {error.lineno}, column {error.colno}: {error.msg}"]) from None
    except RecursionError:
        raise SeasonFileError(["nested too deeply"]) from None
    except ValueError as error:
        raise SeasonFileError([str(error)]) from None
    return check(content)


def check(content: Any) -> SeasonFile:
    """Check a file's content. Raises `SeasonFileError`."""
    if not isinstance(content, dict):
        raise SeasonFileError(["the file must hold one JSON object"])
    errors = [f"{name}: unknown part, expected one of {', '.join(_PARTS)}" for name in content if name not in _PARTS]
    season = _season(content["season"], errors) if "season" in content else None
    venues = _entries(content, "venues", VenueEntry, errors)
    devices = _entries(content, "devices", DeviceEntry, errors)
    participants = _entries(content, "participants", ParticipantEntry, errors)
    rounds = _rounds(content, errors)
    _unique(((f"venues[{n}].id", v.id) for n, v in venues), errors)
    _unique(((f"devices[{n}].name", f"{d.venue}/{d.name}") for n, d in devices), errors)
    _unique(((f"devices[{n}].public_key", d.public_key) for n, d in devices), errors)
    _unique(((f"participants[{n}].number", p.number) for n, p in participants), errors)
    uids = ((f"participants[{n}].cards[{m}].uid", c.uid) for n, p in participants for m, c in enumerate(p.cards))
    _unique(uids, errors)
    _unique(((f"rounds[{n}].announcement.round", a.round) for n, (_, a) in rounds), errors)
    for n, device in devices:
        if (device.role == "table") != (device.table is not None):
            errors.append(f"devices[{n}].table: a table's device has a table number, and no other device has one")
    for n, person in participants:
        if sum(card.is_valid for card in person.cards) > 1:
            errors.append(f"participants[{n}].cards: more than one valid card")
    if errors:
        raise SeasonFileError(errors)
    return SeasonFile(
        season, tuple(v for _, v in venues), tuple(d for _, d in devices), tuple(p for _, p in participants),
        tuple(r for _, r in rounds),
    )  # fmt: skip


def _season(value: Any, errors: list[str]) -> SeasonEntry | None:
    season = _entry(value, SeasonEntry, "season", errors)
    if season is not None and season.points_key is not UNSET:
        try:
            read_key(season.points_key)
        except CommandError as error:
            errors.append(f"season.points_key{'.' if error.field else ': '}{error}")
    return season


def _rounds(content: dict[str, Any], errors: list[str]) -> list[tuple[int, tuple[RoundEntry, Announce]]]:
    checked: list[tuple[int, tuple[RoundEntry, Announce]]] = []
    for n, entry in _entries(content, "rounds", RoundEntry, errors):
        try:
            command = decode_command(entry.announcement)
        except CommandError as error:
            errors.append(f"rounds[{n}].announcement: {error}")
            continue
        if not isinstance(command, Announce):
            errors.append(f"rounds[{n}].announcement.do: must be announce")
            continue
        errors += (f"rounds[{n}].announcement.{found}" for found in faults(command))
        checked.append((n, (entry, command)))
    return checked


def _entries(content: dict[str, Any], part: str, kind: type[E], errors: list[str]) -> list[tuple[int, E]]:
    found = content.get(part, [])
    if not isinstance(found, list):
        errors.append(f"{part}: must be a list")
        return []
    entries = ((n, _entry(item, kind, f"{part}[{n}]", errors)) for n, item in enumerate(found))
    return [(n, entry) for n, entry in entries if entry is not None]


def _entry(value: Any, kind: type[E], place: str, errors: list[str]) -> E | None:
    try:
        entry = msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `$")
        errors.append(f"{place}{path.rstrip('`')}: {reason}")
        return None
    texts = ((name, getattr(entry, name)) for name in kind.__struct_fields__)
    unseen = [f"{place}.{name}: {why}" for name, text in texts if isinstance(text, str) and (why := _unfit(text))]
    errors += unseen
    return None if unseen else entry


def _unfit(text: str) -> str | None:
    """Why a text cannot stand in a row of a screen, a page or a calendar; None: it can."""
    if (why := fault(text)) is None and set("\n\r\u2028\u2029") & set(text):
        return "it has more than one line"
    return why


def _unique(values: Any, errors: list[str]) -> None:
    seen: dict[str, str] = {}
    for place, value in values:
        if value in seen:
            errors.append(f"{place}: {value!r} is already at {seen[value]}")
        seen.setdefault(value, place)


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON number")
