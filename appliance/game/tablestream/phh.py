"""The hands of a table in PHH, with venue, table, seats and the players' registration numbers."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from appliance.game.hand.phh_write import write
from appliance.game.hand.posting import antes_of, blinds_of
from appliance.game.tablestream.replay import as_listed, hand_of, replayed
from appliance.game.tablestream.state import Tracked


def phh_of(told: Tracked, at_ms: int | None = None) -> str | None:
    """The hand as the text of a ``.phh`` file; None where this version cannot play what was told of it.

    ``at_ms``: when it began (UTC ms). Where a person counted the stacks they stand there without winnings. A hand that
    was followed no further, so that nothing says how it went on, is marked ``_dropped``.
    """
    begun = told.begun
    hand = replayed(hand_of(begun), told.facts[len(begun.facts) :])
    if hand is None:
        return None
    owed = begun.live or blinds_of(len(begun.players), begun.small_blind, begun.big_blind)
    antes = antes_of(begun.ante, begun.ante_by, owed)
    fields: dict[str, Any] = {
        "venue": begun.venue,
        "event": begun.round,
        "table": begun.table,
        "hand": begun.hand,
        "seats": [player.seat for player in begun.players],
        "players": [player.participant for player in begun.players],
    }
    if told.ended is not None and told.ended.counted:
        fields["finishing_stacks"] = [told.ended.stacks[player.participant] for player in begun.players]
    if told.ended is None:
        fields["_dropped"] = True
    if at_ms is not None:
        at = datetime.fromtimestamp(at_ms // 1000, UTC)
        fields |= {"time": at.time(), "time_zone": "UTC", "day": at.day, "month": at.month, "year": at.year}
    return write(
        hand,
        blinds=as_listed(owed),
        antes=[ante + dead for ante, dead in zip(antes, begun.dead or [0] * len(antes), strict=True)],
        trims_antes=begun.ante_by == "player" and not any(begun.dead),
        fields=fields,
    )
