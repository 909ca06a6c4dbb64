"""The clock, and what the round is: its first page."""

from __future__ import annotations

from appliance.console.views.attention import wants
from appliance.console.views.page import Page
from appliance.console.views.parts import offered, some
from appliance.game import clock as clocks
from appliance.game.bonus import settled
from appliance.game.report import state_name
from appliance.game.state import Entry, Phase, Round
from appliance.i18n import N_, duration

PHASES = {
    "announced": N_("announced"),
    "open": N_("takes registrations"),
    "running": N_("in play"),
    "paused": N_("the clock stands"),
    "finished": N_("finished"),
    "cancelled": N_("cancelled"),
    "moved": N_("moved to another date"),
}
_FIRST = ("resume", "pause", "end_break")
_LEVELS = ("previous_level", "next_level")
_START = ("open", "start")


def clock(page: Page) -> str:
    """Time left, blinds and what the clock can be made to do; above it what wants attention."""
    round = page.round
    if round is None:
        return page.draw("clock.html", face=None, wants=wants(page), rest=())
    at = page.here.at_ms
    shown = settled(round, at)
    face = clocks.face(shown, at)
    running = shown.phase is Phase.RUNNING
    return page.draw(
        "clock.html",
        face=face,
        running=running,
        state=page.label(PHASES[state_name(shown)]),
        left=duration(-(-face.remaining_ms // 1000)),
        blinds=_blinds(page, face.sb, face.bb, face.ante),
        next=_next(page, face.next_entry) if running else "",
        to_break=duration(-(-face.next_break_in_ms // 1000)) if running and face.next_break_in_ms else "",
        starts=page.clock(shown.starts_at),
        average=shown.chips // shown.left if running and shown.left else 0,
        wants=wants(page),
        main=some(page, *_START) if not running else some(page, *_FIRST),
        levels=some(page, *_LEVELS) if running else (),
        rest=offered(page, "clock", (*_FIRST, *_LEVELS)),
        rounds=page.here.rounds,
    )


def _blinds(page: Page, sb: int, bb: int, ante: int) -> str:
    num = page.tr.number
    said = f"{num(sb)} / {num(bb)}"
    return f"{said} ({num(ante)})" if ante else said


def _next(page: Page, entry: Entry | None) -> str:
    if entry is None:
        return ""
    if entry.is_break:
        return page.tr.gettext("Next: a break of {n} min", n=entry.length_ms // 60_000)
    return page.tr.gettext("Next: {blinds}", blinds=_blinds(page, entry.sb, entry.bb, entry.ante))


def structure(page: Page, round: Round) -> list[tuple[str, str, str, bool]]:
    """The levels and breaks: name, blinds, length, whether it is the one that is on."""
    at = page.here.at_ms
    now = clocks.settle(round.structure, round.clock, at).entry if round.clock else -1
    return [
        (
            page.tr.gettext("Break") if entry.is_break else page.tr.gettext("Level {level}", level=entry.level),
            "" if entry.is_break else _blinds(page, entry.sb, entry.bb, entry.ante),
            page.tr.gettext("{n} min", n=entry.length_ms // 60_000),
            number == now,
        )
        for number, entry in enumerate(round.structure)
    ]
