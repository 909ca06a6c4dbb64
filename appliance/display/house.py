"""What a house adds to every screen beside its colours and fonts: its pictures, and how the screen itself is."""

from __future__ import annotations

import msgspec

from appliance.display.ops import Source


class House(msgspec.Struct, frozen=True, kw_only=True):
    """A house's pictures, and the screen they are shown on.

    ``sponsors`` take turns, each for ``turns`` of `Board.turn`. ``overscan``: per cent of each side that the display
    cuts off. ``wanders``: the drawing moves a few pixels now and then, so that nothing burns into the screen.
    """

    logo: Source | None = None
    sponsors: tuple[Source, ...] = ()
    turns: int = 1
    overscan: int = 0
    wanders: bool = False


PLAIN = House()
"""No pictures; the whole screen is seen and stands still."""
