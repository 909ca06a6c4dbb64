"""What every command has in common, and what several of them take."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from appliance.game.values import Amount, RoundId, parse_time

Elsewhere = Amount | Annotated[tuple[tuple[str, Amount], ...], Meta(max_length=500)]
"""Deposits at other tournaments in the last 24 hours: a sum in CZK, or times with sums."""


def check_times(deposits: Elsewhere) -> None:
    """Raises ValueError for a deposit at a time that is none."""
    if not isinstance(deposits, int):
        for at, _ in deposits:
            parse_time(at)


class Command(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="do"):
    """The part all commands have: the id of the round they are meant for."""

    round: RoundId
