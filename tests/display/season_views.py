"""What views show beyond the round, made at random: structure, standings, announcements."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable, Sequence

from appliance.display.view import Blinds, LevelRow
from appliance.display.view_season import Announcement, Standing, Standings


def levels(rng: random.Random, blinds: Callable[[random.Random], Blinds]) -> tuple[LevelRow, ...]:
    """The announced structure, with a break after each fourth level."""
    rows: list[LevelRow] = []
    for level in range(1, rng.choice((0, 1, 20, 38)) + 1):
        rows.append(LevelRow(minutes=rng.choice((20, 120)), level=level, blinds=blinds(rng)))
        rows += [LevelRow(minutes=15)] if level % 4 == 0 else []
    return tuple(rows)


def standings(rng: random.Random, names: Sequence[str]) -> Standings | None:
    if rng.random() < 0.3:
        return None
    rows = tuple(
        Standing(place=max(1, n - n % 2), who=rng.choice(names), points=rng.choice(("12345.5", "97")), rounds=n % 13)
        for n in range(1, rng.choice((0, 1, 10, 64)) + 1)
    )
    season = rng.choice(("2027", "Zimní liga Restaurace U Příšerně žluťoučkého koně 2027/2028"))
    as_of = dt.datetime(2027, 1, 15, 23, 59, tzinfo=dt.UTC) if rng.random() < 0.5 else None
    return Standings(season=season, rows=rows, participants=1200, as_of=as_of, key_confirmed=rng.random() < 0.5)


def announcement(rng: random.Random) -> Announcement | None:
    if rng.random() < 0.8:
        return None
    text = rng.choice(("Kuchyně zavírá ve 22:00.", "Příští kolo se hraje v sobotu. " * 5))
    return Announcement(text=text, by=rng.choice(("league", "floor")), fresh=rng.random() < 0.5)
