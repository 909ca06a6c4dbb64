"""The rules in force, and what the league publishes, as screens tell them (LG-12)."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec


class RulesInForce(msgspec.Struct, frozen=True, kw_only=True):
    """The profile that the round is played by, and what of it players ask for.

    ``version``: the beginning of the profile's content hash, which tells two texts of one name apart. ``late``: the
    round takes registrations after its start (T-2), ``late_now``: it still does. ``reentry``: T-11. ``think_s`` and
    ``count_s``: a call for time (CK-4).
    """

    profile: str
    version: str
    late: bool = False
    late_now: bool = False
    reentry: bool = False
    think_s: int = 0
    count_s: int = 0


class Published(msgspec.Struct, frozen=True, kw_only=True):
    """An edition in force of the rules, the game plan or the price list; ``since`` is the day it came into force.

    ``text``: what screens show of it, paragraphs on lines of their own; ``prices``: what is paid for, and CZK.
    """

    kind: Literal["rules", "plan", "prices"]
    version: int
    since: datetime
    text: str = ""
    prices: tuple[tuple[str, int], ...] = ()
