"""A table's device that dies in the middle of the evening, and a spare one that a commissioner lets in in its place."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from chaos import spare
from chaos.house import House
from chaos.partings import Broken

if TYPE_CHECKING:
    from chaos.play import Play

_PATIENCE_S = 180.0
_ANSWER_S = 25.0
"""How long the answer to a code may take: both sides derive keys."""


class Sparing:
    """The one spare device of an evening."""

    def __init__(self, play: Play, house: House, say: Callable[[str], None]) -> None:
        self._play, self._house, self._say = play, house, say

    def replace(self, table: int) -> None:
        """Let the spare device in as this table, whose own dies; not where it is still needed, or nobody can come.

        Raises `Broken`.
        """
        kiosk = f"table-{table}"
        if not self._house.lan.roams or self._house.stand_in or kiosk in (self._house.directs, *self._house.off):
            return
        begun = time.monotonic()
        self._house.bring_spare(kiosk)
        tries, until = 0, begun + _PATIENCE_S
        while not self._house.spare_is_in():
            if time.monotonic() > until:
                raise Broken(f"the spare device was not let in within {_PATIENCE_S:.0f} s")
            view = spare.shown(self._house.plan.spare_screen)
            if view.code and any(venue.shown for venue in view.venues):
                tries += 1
                asked = {"adopt": view.device, "code": view.code, "table": table}
                told = self._play.floor(asked, _ANSWER_S)
                self._say(f"{view.device} as {kiosk}: {told}")
            self._house.wait_for(self._house.spare_is_in, 1.0, 0.1)
        self._house.take_in_spare(kiosk)
        self._play.must("the spare device's reader", lambda: self._house.reader(kiosk, "key escape"))
        self._play.counts["spare devices"] += 1
        self._say(f"{kiosk} is another device after {time.monotonic() - begun:.1f} s and {tries} tries")
