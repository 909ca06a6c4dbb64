"""What the player on turn may do."""

from __future__ import annotations

from msgspec import Struct


class Legal(Struct, frozen=True, gc=False):
    """The choices of the player on turn.

    ``call``: the chips to add; None when there is nothing to call. ``raise_min`` and ``raise_max``: what a bet or raise
    may be *to* on this street, equal when the stack is short; None when none is allowed.
    """

    actor: int
    fold: bool
    check: bool
    call: int | None
    raise_min: int | None
    raise_max: int | None
