"""From one view to the next: what is to be heard of it. Pure.

A sound says that something happens *now*. What happened while nobody looked (a restart, a director that was away), what
was taken back, and what a paused clock shows is not heard.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import msgspec

from appliance.display.view import Call, ClockView, DoorView, Face, FloorView, TableView
from appliance.sounds.cue import Cue

RoundView = TableView | ClockView | DoorView | FloorView

LAST_S = 60
"""When so much is left of a level or a break, it is told."""
SLACK_S = 2
"""How late a screen may see a level begin."""
SETTLE_S = 3.0
"""How long a kiosk only looks: after its start, and after the director has come back, copies fill up first."""
LONGEST_LOOK = timedelta(seconds=90)
"""Two views further apart (of the evening's time; a rehearsal's runs fast) tell nothing of what happened between."""


def cues(before: RoundView, after: RoundView) -> Iterator[Cue]:
    """What the clock did between two views of the same screen that followed each other closely."""
    looked = after.board.now - before.board.now
    if not timedelta(0) <= looked <= LONGEST_LOOK:
        return
    elapsed_s = int(looked.total_seconds()) + SLACK_S
    was, now = before.board.face, after.board.face
    if was is None or now is None or after.board.phase != "running" or not now.running:
        return
    if before.board.phase in ("announced", "open"):
        if _just_begun(now, elapsed_s):
            yield Cue.LEVEL
    elif before.board.phase == "running" and was.running:
        yield from _ran_on(was, now, elapsed_s)


def _ran_on(was: Face, now: Face, elapsed_s: int) -> Iterator[Cue]:
    if now.on_break and not was.on_break:
        if _just_begun(now, elapsed_s):
            yield Cue.BREAK
    elif was.on_break and not now.on_break:
        if now.level == was.level or _just_begun(now, elapsed_s):  # a break within a level: it goes on where it was
            yield Cue.BREAK_OVER
    elif now.level == was.level + 1:
        if _just_begun(now, elapsed_s):
            yield Cue.LEVEL
    elif now.level == was.level and was.remaining_s > LAST_S >= now.remaining_s >= was.remaining_s - elapsed_s:
        yield Cue.MINUTE  # it ran down to it and was not set


def _just_begun(face: Face, elapsed_s: int) -> bool:
    """A level that was taken back, or begun long ago, is not at its full length."""
    return face.span_s - elapsed_s <= face.remaining_s <= face.span_s


def call_cues(was: Call | None, now: Call | None) -> Iterator[Cue]:
    """What happened to a table's call for time (CK-4)."""
    if now is None:
        return
    if now.phase == "thinking":
        if was is None or not _same_call(was, now, SLACK_S):
            yield Cue.TIME_CALL
    elif was is None or was.phase == "over":
        return
    elif now.phase == "over":
        yield Cue.TIME_OVER
    elif (was.phase, was.remaining_s) != (now.phase, now.remaining_s):
        yield Cue.COUNT


def _same_call(was: Call, now: Call, slack_s: int = 0) -> bool:
    """A call that is still thought about, or was taken up again where it stood."""
    alike = (was.who, was.seat, was.phase) == (now.who, now.seat, now.phase)
    return alike and now.remaining_s <= was.remaining_s + slack_s


class Ear(msgspec.Struct):
    """What one screen's views tell one after another; ``at_s`` is the monotonic clock."""

    seen: RoundView | None = None
    deaf_until: float = 0.0
    told: tuple[int, bool] | None = None
    """The level or break whose last minute was told."""
    call: Call | None = None
    """The table's call for time; while the floor menu covers it, that of before."""
    called: Call | None = None
    """The last one there was."""

    def follow(self, view: RoundView, at_s: float) -> list[Cue]:
        """The cues of this view, which follows the one before."""
        before, self.seen = self.seen, view
        was = self.call
        if isinstance(view, TableView):
            self.called, self.call = was or self.called, view.call
        if before is None or (view.board.status.director and not before.board.status.director):
            self.deaf_until = at_s + SETTLE_S
        if before is None or before is view or at_s < self.deaf_until:
            return []
        heard = (*cues(before, view), *call_cues(was, self.call))
        return [cue for cue in heard if self._is_new(cue, view)]

    def _is_new(self, cue: Cue, view: RoundView) -> bool:
        match cue:
            case Cue.MINUTE:
                return self._first_minute(view)
            case Cue.TIME_CALL:
                return not self._taken_up_again()
        return True

    def _taken_up_again(self) -> bool:
        """Ending a call was undone: it goes on where it was."""
        return self.call is not None and self.called is not None and _same_call(self.called, self.call)

    def _first_minute(self, view: RoundView) -> bool:
        """Once a level, though time be added to it."""
        face = view.board.face
        entry = (face.level, face.on_break) if face else None
        first, self.told = entry != self.told, entry
        return first
