"""The rules in force as a door's screen tells them (LG-12)."""

from __future__ import annotations

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
