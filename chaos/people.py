"""Who comes: players with cards, a commissioner, the season file of the league."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

VENUE = "chaos"
ROUND = "R1"


class Person(NamedTuple):
    """A participant: registration number and the UID on the card."""

    number: str
    uid: str


COMMISSIONER = Person("000001", "04000000000001")


def player(place: int) -> Person:
    """The player of a place in the list, from 0."""
    return Person(f"{101 + place:06}", f"04{101 + place:012X}")


def season_file(keys: Mapping[str, str], announced: Mapping[str, Any], players: int, day: str) -> dict[str, Any]:
    """The league's import file; ``keys``: the devices' public keys by name; ``day``: since when all is valid."""
    people = [COMMISSIONER, *map(player, range(players))]
    return {
        "season": {"year": int(day[:4]), "name": f"Ročník {day[:4]}", "least_card": "uid"},
        "venues": [{"id": VENUE, "name": "Klub U Zmatku", "town": "Zmatkov"}],
        "devices": [
            _device(name, key) for name, key in keys.items() if name.startswith(("director", "door", "table-"))
        ],
        "participants": [_participant(person, day) for person in people],
        "rounds": [{"announcement": dict(announced), "name": "1. ligové kolo"}],
    }


def _device(name: str, key: str) -> dict[str, Any]:
    role, _, table = name.partition("-")
    device = {"venue": VENUE, "name": name, "role": role, "public_key": key}
    return {**device, "table": int(table)} if table else device


def _participant(person: Person, day: str) -> dict[str, Any]:
    return {
        "number": person.number,
        "first_name": "Hráč",
        "surname": f"Č. {person.number}",
        "home": VENUE,
        "role": "commissioner" if person is COMMISSIONER else "participant",
        "state": "active",
        "consents": {"processing": day},
        "cards": [{"uid": person.uid, "issued_at": day, "state": "valid"}],
    }
