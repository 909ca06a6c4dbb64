"""The points key of a season: data, never code (P)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Points = Annotated[int, Meta(ge=0, le=1_000_000)]
FieldSize = Annotated[int, Meta(ge=1, le=1000)]


class PointsKey(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a placing becomes points; whole points, only a shared place can give a half.

    ``registering``: points for everybody registered (LG-8). ``winner``: the winner's points by field size;
    the largest size not above the field counts, below the smallest one the smallest. ``step``: how much less
    each lower place gets. ``scoring``: how many places score: a number, all, or half the field, an odd one
    rounded as ``half`` says. ``ties``: equal places get the mean of their places' points, rounded up to the
    next half point, or each the best of them. ``confirmed``: whether the league stands by the table.
    """

    name: Annotated[str, Meta(min_length=1, max_length=64)]
    winner: Annotated[dict[FieldSize, Points], Meta(min_length=1, max_length=100)]
    registering: Points = 10
    step: Points = 5
    scoring: Literal["half", "all"] | Annotated[int, Meta(ge=1, le=1000)] = "half"
    half: Literal["up", "down"] = "up"
    ties: Literal["mean", "best"] = "mean"
    confirmed: bool = True


CPL_2017 = PointsKey(
    name="cpl-2017",
    winner={size: 120 - 5 * (16 - size) for size in range(16, 2, -1)},
    confirmed=False,
)
"""The default key. The only copy of the league's table is damaged, hence unconfirmed (P)."""
