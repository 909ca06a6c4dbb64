"""The demo's league: a venue, its devices, eighteen players and a commissioner, and tonight's round."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

VENUE = "zabreh"
ROUND = "R1"
TABLES = (1, 2)
SEATS = 9
DEPOSIT = 375
COMMISSIONER = "000001"
SEED = 20270115
"""A rehearsal's draw is known beforehand, so that the same evening can be played again (CONTRACT, announce)."""


class Person(NamedTuple):
    """A participant of the demo: number, names, card, and whether the name may be published (LG-7)."""

    number: str
    first_name: str
    surname: str
    uid: str
    published: bool = True


def _people() -> tuple[Person, ...]:
    names = (
        ("Bartoloměj", "Příšerný"), ("Žofie", "Ďurišová"), ("Řehoř", "Švec"), ("Anežka", "Koťátková"),
        ("Ctibor", "Šťastný"), ("Ludmila", "Žáčková"), ("Matěj", "Říha"), ("Dorota", "Hůlková"),
        ("Jáchym", "Čapek"), ("Eliška", "Tůmová"), ("Zdeněk", "Vaňátko"), ("Běla", "Ježková"),
        ("Oldřich", "Křížek"), ("Viktorie", "Němcová"), ("Štěpán", "Dvořák"), ("Květa", "Zajíčková"),
        ("Hynek", "Mařík"), ("Radúza", "Líbalová"),
    )  # fmt: skip
    private = {"Čapek", "Ježková"}
    return tuple(
        Person(f"{number:06}", first, last, f"04{number:04X}5A2D6180", last not in private)
        for number, (first, last) in enumerate(names, 101)
    )


PLAYERS = _people()
FLOOR = Person(COMMISSIONER, "Alžběta", "Komisařová", "0400015A2D6180")
BLOCKED = Person("000199", "Ignác", "Lapka", "0401995A2D6180", published=False)
"""Whom the league has refused; the card is to be kept (LG-6)."""
FORGED_UID = "04DEADBEEF0000"
"""A card that is on nobody's entry."""
FORGED, FORGED_CARD = PLAYERS[4], "forged"
"""Whose card was copied, all but its keys, and where the copy lies in the wallet."""


def announcement(starts_at: datetime) -> dict[str, Any]:
    """Tonight's round, as CONTRACT's announce command."""
    blinds = (25, 50, 100, 150, 200, 300)
    levels: list[dict[str, int]] = [{"sb": sb, "bb": 2 * sb, "ante": 0, "minutes": 12} for sb in blinds]
    later = [{"sb": sb, "bb": 2 * sb, "ante": 0, "minutes": 10} for sb in (400, 600, 1000, 1500, 2500, 4000)]
    return {
        "do": "announce",
        "round": ROUND,
        "venue": VENUE,
        "starts_at": starts_at.isoformat(timespec="seconds"),
        "profile": "cpl-2017",
        "deposit": DEPOSIT,
        "shares": ["50", "30", "20"],
        "seats_per_table": SEATS,
        "levels": [*levels, {"break": 10}, *later],
        "seed": SEED,
        "tables": list(TABLES),
    }


def season_file(keys: Mapping[str, str], starts_at: datetime, least_card: str = "signed") -> dict[str, Any]:
    """The league's import file; ``keys``: the devices' public keys by name; ``least_card``: what cards must prove."""
    day = starts_at.replace(hour=8).isoformat(timespec="seconds")
    return {
        "season": {"year": starts_at.year, "name": f"Ročník {starts_at.year}", "least_card": least_card},
        "venues": [{"id": VENUE, "name": "Klub U Žabáka", "town": "Zábřeh"}],
        "devices": [_device(name, key) for name, key in keys.items() if name.startswith(("director", "table-"))],
        "participants": [_participant(person, day) for person in (*PLAYERS, FLOOR, BLOCKED)],
        "rounds": [{"announcement": announcement(starts_at), "name": "1. ligové kolo"}],
    }


def _device(name: str, key: str) -> dict[str, Any]:
    role, _, table = name.partition("-")
    device = {"venue": VENUE, "name": name, "role": role, "public_key": key}
    return {**device, "table": int(table)} if table else device


def _participant(person: Person, day: str) -> dict[str, Any]:
    consents = {"processing": day} | ({"publication": day} if person.published else {})
    return {
        "number": person.number,
        "first_name": person.first_name,
        "surname": person.surname,
        "home": VENUE,
        "role": "commissioner" if person is FLOOR else "participant",
        "state": "refused" if person is BLOCKED else "active",
        "consents": consents,
        "cards": [{"uid": person.uid, "issued_at": day, "state": "valid"}],
    }
