"""A dealer who keys in a whole hand at a table whose device may die, freeze or be replaced meanwhile.

What the hand is at, the table's own disk says: a key is pressed again if it has led to nothing, and taken back if it
came twice. Where the table's device is gone for good, the floor tells the end of the hand in its place.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from appliance import kinds
from appliance.game.tablestream.state import TableHands
from appliance.journal import JournalError
from chaos.copies import state_of
from chaos.house import House
from chaos.mind import Step
from chaos.partings import Broken
from chaos.people import VENUE
from chaos.sparing import Sparing
from chaos.tracked import Deal

if TYPE_CHECKING:
    from chaos.play import Play

_PATIENCE_S = 180.0
_KEY_S = 5.0
"""A key that has led to nothing for so long is pressed again."""
_CLEAR = ("key escape",) * 12
"""What was half typed is no part of what is typed again."""


class Dealer:
    """That of one evening's tables."""

    def __init__(self, play: Play, house: House, sparing: Sparing) -> None:
        self._play, self._house, self._sparing = play, house, sparing
        self.dealt: list[Deal] = []
        """The hands that were keyed in to their end."""

    def deal(self, step: Step) -> None:
        """Key in a hand that the round has begun, and see it told. Raises `Broken`."""
        dealt = step.deal
        assert dealt is not None
        kiosk = f"table-{dealt.table}"
        if kiosk in self._house.gone:
            self._by_the_floor(step, dealt)
        else:
            self._play.must(f"{kiosk} to have power", lambda: kiosk not in self._house.off)
            self._key_in(step, dealt, kiosk)
            self.dealt.append(dealt)
        self._play.must(
            f"the end of hand {dealt.hand} at {kiosk}",
            lambda: (seen := self._play.sees("stands")) and all(seen.get(who) == at for who, at in step.stands.items()),
        )

    def hands(self, table: int) -> TableHands | None:
        """What a table's own disk tells."""
        try:
            state: kinds.TableState = state_of(self._house.data(f"table-{table}"), f"table/{VENUE}-{table}")
        except (OSError, JournalError):
            return None
        return state.hands

    def _key_in(self, step: Step, dealt: Deal, kiosk: str) -> None:
        swap, until, tries = step.swap, time.monotonic() + _PATIENCE_S, 0
        while (hands := self.hands(dealt.table)) is None or not dealt.is_over(hands):
            if time.monotonic() > until:
                raise Broken(
                    f"{kiosk}: hand {dealt.hand} went on no more, at {hands and (hands.current or hands.last)}"
                )
            keys = dealt.keys(hands) if hands is not None else ()
            if not keys or hands is None:
                self._house.wait_for(lambda: False, 0.2)
                continue
            if swap is not None and (dealt.stage(hands) or 0) >= swap:
                swap, until = None, time.monotonic() + _PATIENCE_S
                self._sparing.replace(dealt.table)
                continue
            self._press(kiosk, keys, tries)
            tries += 1
            if self._house.wait_for(lambda was=hands: self._moved(dealt.table, was), _KEY_S, 0.05):  # type: ignore[misc]
                tries, until = 0, time.monotonic() + _PATIENCE_S

    def _press(self, kiosk: str, keys: tuple[str, ...], tries: int) -> None:
        """Press them, as long as somebody is there to hear."""
        self._play.counts["keys of hands"] += len(keys)
        self._play.counts["keys of hands again"] += len(keys) if tries else 0
        for line in (*(_CLEAR if tries else ()), *(f"key {key}" for key in keys)):
            if not self._house.reader(kiosk, line):
                return

    def _moved(self, table: int, before: TableHands) -> bool:
        now = self.hands(table)
        return now is not None and (now.current, now.last) != (before.current, before.last)

    def _by_the_floor(self, step: Step, dealt: Deal) -> None:
        for fields, records in zip(dealt.asks, step.asks, strict=True):
            self._play.told_by_the_floor(fields, records)
