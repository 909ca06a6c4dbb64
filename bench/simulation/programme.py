"""Announcements of evenings: any profile, 3 to 90 players, 1 to 10 tables, with everything a house may promise."""

from __future__ import annotations

import random
from typing import Any

PROFILES = ("cpl-2017", "cpl", "casino-2012", "tda-2024")
SEVEN_PM = 1_800_036_000_000
"""The official start, UTC ms: 2027-01-15T18:00:00Z."""

STARTS_AT = "2027-01-15T19:00:00+01:00"
CHIP_SET = (25, 100, 500, 1000, 5000)
SHARES = (["100"], ["70", "30"], ["50", "30", "20"], ["40", "25", "15", "12.5", "7.5"], ["33.33", "33.33", "33.34"])


def field_size(chance: random.Random) -> int:
    """How many come: a table or two as often as a full house."""
    return chance.choice((chance.randint(3, 10), chance.randint(3, 30), chance.randint(20, 60), chance.randint(60, 90)))


def announcement(chance: random.Random, players: int, profile: str | None = None) -> dict[str, Any]:
    """The fields of an announcement for so many players."""
    seats = max(chance.choice((6, 8, 9, 9, 10, 10, chance.randint(2, 10))), -(-players // 10))
    tables = -(-players // seats) + chance.choice((0, 0, 1))
    numbers = sorted(chance.sample(range(1, 21), min(tables, 10))) if chance.random() < 0.2 else None
    fields: dict[str, Any] = {
        "venue": "brno",
        "starts_at": STARTS_AT,
        "profile": profile or chance.choice(PROFILES),
        "deposit": chance.choice((50, 100, 100, 120, 250)),
        "shares": list(chance.choice(SHARES)),
        "seats_per_table": seats,
        "levels": _levels(chance),
        "late_registration": chance.random() < 0.6,
        "reentry": chance.random() < 0.6,
        "chip_set": list(CHIP_SET) if chance.random() < 0.8 else [],
        "ante_by": chance.choice(("player", "bb")),
    }
    optional = {
        "seed": chance.getrandbits(40),
        "guarantee": chance.choice((1000, 5000, 20_000)),
        "chip_up": chance.choice((500, 1000)),
        "bonus_card": chance.choice((1000, 2000)),
        "tables": numbers,
        "breaking": chance.sample(numbers, len(numbers)) if numbers else None,
    }
    fields.update({name: value for name, value in optional.items() if value is not None and chance.random() < 0.5})
    if "tables" not in fields:
        fields.pop("breaking", None)
    return fields


def _levels(chance: random.Random) -> list[dict[str, int]]:
    """Blinds that every profile allows, from the smallest chip on; a break after every few levels."""
    levels: list[dict[str, int]] = []
    minutes = chance.choice((10, 15, 20))
    for number, small in enumerate((25, 50, 100, 200, 300, 500, 1000, 2000, 3000, 5000, 10_000), start=1):
        ante = small // 2 if number > 3 and small % 50 == 0 and chance.random() < 0.5 else 0
        levels.append({"sb": small, "bb": 2 * small, "ante": ante, "minutes": minutes})
        if number % 3 == 0:
            levels.append({"break": chance.choice((5, 10, 15))})
    return levels
