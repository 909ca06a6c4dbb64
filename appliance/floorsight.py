"""What a kiosk's floor menu has to know of the evening, made anew only when something has changed."""

from __future__ import annotations

from appliance.display.scene import short_name
from appliance.floor.forms import Here
from appliance.floorman import Floorman
from appliance.game.roster import Roster

_MOMENT_MS = 1000


class FloorSight:
    """For the engine thread."""

    def __init__(self, kiosk: Floorman) -> None:
        self._kiosk = kiosk
        self._last: Here | None = None
        self._names: tuple[Roster | None, dict[str, str]] = (None, {})

    def look(self, round: str | None, who: str) -> Here:
        """What is known now; the same one for a moment in which nothing has changed, which saves the menu its work."""
        fresh, before = self._looked(round, who), self._last
        if before is None or not _alike(before, fresh):
            self._last = before = fresh
        return before

    def _looked(self, round: str | None, who: str) -> Here:
        kiosk = self._kiosk
        return Here(
            ledger=kiosk.ledger(round) if round is not None else None,
            at_ms=kiosk.now_ms(),
            place="door" if kiosk.table is None else "table",
            table=kiosk.table,
            names=self._all_names(),
            director=kiosk.has_director,
            directs=kiosk.direction.name,
            can_take_over=kiosk.direction.possible,
            commissioner=who,
            lang=kiosk.lang,
            call=kiosk.called(),
            refused=kiosk.refused_hands(),
        )

    def _all_names(self) -> dict[str, str]:
        """What the roster lets everybody read (LG-7); made anew only with a new roster."""
        roster = self._kiosk.roster
        if self._names[0] is not roster:
            named = ((number, entry.public_name) for number, entry in roster.entries.items())
            self._names = roster, {number: short_name(name) for number, name in named if name}
        return self._names[1]


def _alike(before: Here, after: Here) -> bool:
    facts = [
        (each.director, each.directs, each.can_take_over, each.call, each.commissioner, each.table, each.refused)
        for each in (before, after)
    ]
    return (
        before.ledger is after.ledger
        and before.names is after.names
        and facts[0] == facts[1]
        and 0 <= after.at_ms - before.at_ms < _MOMENT_MS
    )
