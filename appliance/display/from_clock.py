"""The tournament clock and the structure → what a screen shows of them. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from appliance.display.scene import Scene
from appliance.display.view import Blinds, Face, LevelRow
from appliance.game import clock as clocks
from appliance.game import state
from appliance.game.clock import ClockFace
from appliance.game.commands import (
    Announce,
)


def blinds_of(sb: int, bb: int, ante: int, round: state.Round) -> Blinds:
    """Blinds as the round has them."""
    return Blinds(sb=sb, bb=bb, ante=ante, ante_from_bb=round.ante_by == "bb")


def clock_face(scene: Scene, round: state.Round) -> Face:
    """The round's clock at the scene's moment."""
    at_ms, at = scene.at_ms, scene.clock_at
    face = clocks.face(round, at_ms)
    next_level = _next_level(round, face)
    to_break = face.next_break_in_ms
    return Face(
        level=face.level,
        blinds=blinds_of(face.sb, face.bb, face.ante, round),
        remaining_s=-(-face.remaining_ms // 1000),
        span_s=face.level_ms // 1000,
        running=face.running,
        on_break=face.on_break,
        next_is_break=face.next_entry is not None and face.next_entry.is_break,
        next_blinds=blinds_of(next_level.sb, next_level.bb, next_level.ante, round) if next_level else None,
        next_break_in_s=-(-to_break // 1000) if to_break is not None else None,
        next_break_at=at(at_ms + to_break) if to_break is not None and face.running else None,
        break_ends_at=at(face.ends_at) if face.on_break and face.ends_at is not None else None,
        resumes_s=-(-face.interrupted_ms // 1000) if face.interrupted_ms is not None else None,
    )


def _next_level(round: state.Round, face: ClockFace) -> state.Entry | None:
    """The level that follows, beyond a break."""
    following = iter(round.structure)
    for entry in following:
        if entry is face.next_entry:
            return entry if not entry.is_break else next((e for e in following if not e.is_break), None)
    return None


def levels_of(round: state.Round) -> tuple[LevelRow, ...]:
    """The announced structure with its breaks (T-16)."""
    return tuple(
        LevelRow(minutes=-(-entry.length_ms // 60_000))
        if entry.is_break
        else LevelRow(
            minutes=-(-entry.length_ms // 60_000),
            level=entry.level,
            blinds=blinds_of(entry.sb, entry.bb, entry.ante, round),
        )
        for entry in round.structure
    )


def offered_levels(offer: Announce) -> tuple[LevelRow, ...]:
    """The structure of a round that the league offers (T-16)."""
    return tuple(_offered(offer))


def _offered(offer: Announce) -> Iterator[LevelRow]:
    level = 0
    for entry in offer.levels:
        if entry.pause is not None:
            yield LevelRow(minutes=entry.pause)
        elif entry.sb is not None and entry.bb is not None and entry.minutes is not None:
            level += 1
            blinds = Blinds(sb=entry.sb, bb=entry.bb, ante=entry.ante, ante_from_bb=offer.ante_by == "bb")
            yield LevelRow(minutes=entry.minutes, level=level, blinds=blinds)


def offered_face(offer: Announce) -> Face | None:
    """The clock of an offered round before its start: the first level, standing."""
    first = next((row for row in _offered(offer) if row.blinds is not None), None)
    if first is None or first.blinds is None:
        return None
    seconds = first.minutes * 60
    return Face(level=1, blinds=first.blinds, remaining_s=seconds, span_s=seconds, running=False)
