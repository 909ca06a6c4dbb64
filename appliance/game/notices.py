"""Notices: what the commissioner should know about a round as it stands. They never forbid anything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from appliance.game import clock as clocks
from appliance.game import colourup
from appliance.game.balancing import balance_needed, fullest_and_emptiest, gap
from appliance.game.prizes import guarantee_counts
from appliance.game.seating import occupied_tables
from appliance.game.state import Phase, Round, Table


class Notice(Struct, frozen=True):
    """``code`` is stable and kebab-case, ``detail`` its parameters."""

    code: str
    detail: Mapping[str, Any] = {}


def notices(round: Round, at_ms: int) -> list[Notice]:
    """All notices that hold at ``at_ms``, in a fixed order of codes."""
    found = [
        _below_minimum(round),
        _balance(round),
        *_table_short(round),
        *_lone_players(round),
        _chips_differ(round),
        _guarantee_void(round, at_ms),
        _break_started(round, at_ms),
        *_colour_up_due(round, at_ms),
        _key_unconfirmed(round),
    ]
    return [notice for notice in found if notice is not None]


def _tables_in_play(round: Round) -> list[Table]:
    return occupied_tables(round) if round.phase is Phase.RUNNING else []


def _below_minimum(round: Round) -> Notice | None:
    """Fewer than ten registered: the league may cancel or move the round (LG-3)."""
    registered, minimum = len(round.players), round.rules.worthwhile_minimum
    concerned = round.phase in (Phase.OPEN, Phase.RUNNING, Phase.FINISHED)
    if not concerned or registered >= minimum:
        return None
    return Notice("below-minimum", {"registered": registered, "minimum": minimum})


def _balance(round: Round) -> Notice | None:
    if not balance_needed(round):
        return None
    fullest, emptiest = fullest_and_emptiest(round)
    return Notice("balance", {"from": fullest.number, "to": emptiest.number, "gap": gap(round)})


def _table_short(round: Round) -> list[Notice]:
    """Tables so many short of the fullest that play halts there (S-3, TDA 10)."""
    halt = round.rules.halt_when_short
    tables = _tables_in_play(round)
    if halt is None or not tables:
        return []
    most = max(len(table.seats) for table in tables)
    short = [(table.number, most - len(table.seats)) for table in tables]
    return [Notice("table-short", {"table": number, "short": by}) for number, by in short if by >= halt]


def _lone_players(round: Round) -> list[Notice]:
    tables = _tables_in_play(round)
    return [
        Notice("lone-player", {"table": table.number, "participant": next(iter(table.seats.values()))})
        for table in tables
        if len(table.seats) == 1
    ]


def _chips_differ(round: Round) -> Notice | None:
    """The chips that were counted are not those that were lent (T-4); told only where all are known."""
    if round.finish is not None:
        counted = sum(round.finish.stacks.values())
    else:
        known = [table.chips for table in _tables_in_play(round) if table.chips is not None]
        if not known or len(known) < len(_tables_in_play(round)):
            return None
        counted = sum(known)
    if counted == round.chips:
        return None
    return Notice("chips-differ", {"counted": counted, "expected": round.chips})


def _guarantee_void(round: Round, at_ms: int) -> Notice | None:
    """Too few were registered at the official start: the guarantee does not hold (T-9)."""
    if round.guarantee is None or at_ms < round.starts_at or guarantee_counts(round):
        return None
    if round.phase is Phase.CANCELLED:
        return None
    return Notice("guarantee-void", {"guarantee": round.guarantee, "minimum": round.rules.guarantee_minimum})


def _break_started(round: Round, at_ms: int) -> Notice | None:
    if round.phase is not Phase.RUNNING:
        return None
    face = clocks.face(round, at_ms)
    if not face.on_break:
        return None
    return Notice("break-started", {"level": face.level, "minutes": face.level_ms // 60_000})


def _colour_up_due(round: Round, at_ms: int) -> list[Notice]:
    """Denominations that can be changed up, at the tables where that has not been done (CK-5)."""
    if round.phase is not Phase.RUNNING:
        return []
    return [
        Notice("colour-up-due", {"denomination": chip, "to": to, "tables": list(tables)})
        for chip, to, tables in colourup.due(round, at_ms)
    ]


def _key_unconfirmed(round: Round) -> Notice | None:
    """Points are shown by a key the league has not confirmed (P)."""
    shown = bool(round.eliminations or round.finish) and round.phase is not Phase.CANCELLED
    return Notice("key-unconfirmed", {"key": round.key.name}) if shown and not round.key.confirmed else None
