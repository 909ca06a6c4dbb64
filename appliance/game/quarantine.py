"""What the league tells a venue of the venue's own records that it could not use."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from appliance.game.league_event import RosterEvent
from appliance.game.values import Count

MOST_TOLD = 12
"""So many records are named; of more only the number is told."""


class Unused(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A record that was stored and could not be used, or the stream that stopped there; ``seq`` 0: all of it.

    ``reason``: the league's code, such as ``does-not-fold`` or ``unknown-round``; ``detail`` is for who looks into it.
    """

    stream: Annotated[str, Meta(max_length=80)]
    reason: Annotated[str, Meta(pattern=r"\A[a-z0-9-]{1,40}\Z")]
    epoch: Annotated[str, Meta(max_length=30)] = ""
    seq: Annotated[int, Meta(ge=0, lt=1 << 53)] = 0
    detail: Annotated[str, Meta(max_length=200)] = ""


class QuarantineTold(RosterEvent, frozen=True, kw_only=True, omit_defaults=True):
    """The venue's records in quarantine, whole each time: the first of ``total``. Without any there are none left."""

    total: Count
    records: Annotated[tuple[Unused, ...], Meta(max_length=MOST_TOLD)] = ()
