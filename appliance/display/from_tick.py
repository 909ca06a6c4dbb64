"""How long a screen stays what it is but for its clock's seconds. Pure."""

from __future__ import annotations

from typing import NamedTuple

from appliance.display.from_season import crowded, next_turn_ms, next_word_ms, turns
from appliance.display.scene import Scene
from appliance.display.view import ClockView, DoorView, FloorView, TableView
from appliance.game import clock as clocks
from appliance.game.state import Phase

_MINUTE_MS = 60_000


class Ticking(NamedTuple):
    """From ``since_ms`` until before ``until_ms`` (UTC) only seconds pass of a clock that would be at 0 at ``zero_ms``.

    A new level, and all that is told in minutes, is no such thing: a minute is the longest.
    """

    since_ms: int
    until_ms: int
    zero_ms: int

    def second(self, at_ms: int) -> int | None:
        """Seconds left at a moment; None for one outside."""
        return -(-(self.zero_ms - at_ms) // 1000) if self.since_ms <= at_ms < self.until_ms else None

    @property
    def last(self) -> int:
        """The second that is left when it ends."""
        return -(-(self.zero_ms - self.until_ms + 1) // 1000)

    def change_ms(self, at_ms: int) -> int:
        """In how many milliseconds something looks different."""
        return min(self.until_ms - at_ms, (self.zero_ms - at_ms - 1) % 1000 + 1)


def ticking(scene: Scene, view: TableView | ClockView | DoorView | FloorView) -> Ticking | None:
    """What passes of a scene's view; None where a clock stands, and where more than a clock counts seconds."""
    round, at_ms = scene.round, scene.at_ms
    if round is None or round.phase is not Phase.RUNNING or scene.prompt is not None or isinstance(view, FloorView):
        return None
    if isinstance(view, TableView) and (view.call is not None or view.tracked is not None):
        return None
    face = clocks.face(round, at_ms)
    if not face.running or not face.remaining_ms:
        return None
    minutes = [face.remaining_ms, face.next_break_in_ms]
    changes = [
        _MINUTE_MS - scene.right_ms % _MINUTE_MS,
        *((left - 1) % _MINUTE_MS + 1 for left in minutes if left),
        next_turn_ms(scene) if turns(view.board, scene) or crowded(view) else None,
        next_word_ms(scene),
    ]
    soonest = min(change for change in changes if change is not None)
    return Ticking(at_ms, at_ms + soonest, at_ms + face.remaining_ms)
