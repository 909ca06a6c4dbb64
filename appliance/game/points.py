"""Points for a placing, by the round's key (LG-8, P). Counted in half points, as integers."""

from __future__ import annotations

import msgspec

from appliance.game.pointskey import PointsKey
from appliance.game.reading import CommandError, from_validation, read_object


def scoring_places(key: PointsKey, players: int) -> int:
    """How many places score in a field of so many."""
    if key.scoring == "all":
        return players
    if key.scoring == "half":
        return (players + 1) // 2 if key.half == "up" else players // 2
    return min(key.scoring, players)


def winner_points(key: PointsKey, players: int) -> int:
    """The winner's points: of the largest field size not above this one, or of the smallest there is."""
    sizes = [size for size in key.winner if size <= players]
    return key.winner[max(sizes) if sizes else min(key.winner)]


def place_points(key: PointsKey, players: int, place: int) -> int:
    """Points of one place, without those for registering; never below nothing."""
    if place > scoring_places(key, players):
        return 0
    return max(0, winner_points(key, players) - key.step * (place - 1))


def points_half(key: PointsKey, players: int, place: int, sharing: int = 1) -> int:
    """Half points of one who shares ``sharing`` places from ``place`` on, those for registering included.

    Equal places get the mean of their places' points, rounded up to the next half point.
    """
    if key.ties == "best":
        return 2 * (key.registering + place_points(key, players, place))
    total = sum(place_points(key, players, place + other) for other in range(sharing))
    return 2 * key.registering + -(-2 * total // sharing)


def points_text(half_points: int) -> str:
    """Half points as a decimal string: 195 is "97.5"."""
    return f"{half_points // 2}.5" if half_points % 2 else str(half_points // 2)


def points_table(key: PointsKey, players: int) -> list[tuple[int, str]]:
    """Places with their points, best first, for a field of so many."""
    return [(place, points_text(points_half(key, players, place))) for place in range(1, players + 1)]


def decode_key(text: bytes | str) -> PointsKey:
    """Read a points key from JSON; raises `CommandError` that names the field."""
    try:
        key: PointsKey = msgspec.convert(read_object(text), PointsKey, strict=True, str_keys=True)
    except msgspec.ValidationError as error:
        raise from_validation(str(error)) from None
    except RecursionError:
        raise CommandError("", "nested too deep") from None
    except UnicodeEncodeError:
        raise CommandError("", "half of a surrogate pair is no character") from None
    if not key.name.isprintable():
        raise CommandError("name", "has characters that cannot be shown")
    return key
