"""The league's tables (I-1 to I-10, I-13 to I-15; I-11 and I-12 by the same procedures).

Once two or more players have acted properly the hand plays on (I-9). What is not here is as the Association has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from appliance.game.rulings.cpl_procedures import (
    BET_BY_SITUATION,
    BET_FORFEITED,
    CHANGE_CARD,
    DEAL_AGAIN,
    EXTRA_CARD,
    EXTRA_STAYED,
    FAIR_PLAY,
    FLOP_BURN,
    FLOP_STANDS,
    FLOP_TOO_MANY,
    FLOP_TOO_SOON,
    FOUND_FACE_UP,
    PLAY_ON,
    PUT_RIGHT,
    REPLACE,
    RIVER_TOO_SOON,
    STAYS_DOWN,
    TURN_TOO_SOON,
)
from appliance.game.rulings.facts import NO, YES
from appliance.game.rulings.model import Compound, Outcome, Row, Span, Table

_FEW = Span(0, 1)
_MANY = Span(2, 10)


def _unless_acted(outcome: Outcome) -> Table:
    """This procedure, or I-9 if two or more have acted."""
    return Table(("acted",), (Row({"acted": _FEW}, outcome), Row({"acted": _MANY}, PLAY_ON)))


TABLES: Mapping[str, Table | Compound] = MappingProxyType(
    {
        "I-1": _unless_acted(DEAL_AGAIN),
        "I-2": _unless_acted(REPLACE),
        "I-3": _unless_acted(DEAL_AGAIN),
        "I-4": Table(
            ("extra", "acted"),
            (
                Row({"extra": Span(1, 1), "acted": _FEW}, EXTRA_CARD),
                Row({"extra": Span(2, 10), "acted": _FEW}, DEAL_AGAIN),
                Row({"acted": _MANY}, EXTRA_STAYED),
            ),
        ),
        "I-5": Table(
            ("error", "acted"),
            (
                Row({"error": "too-many", "acted": _FEW}, FLOP_TOO_MANY),
                Row({"error": "too-many", "acted": _MANY}, FLOP_STANDS),
                Row({"error": "too-soon", "acted": _FEW}, FLOP_TOO_SOON),
                Row({"error": "too-soon", "acted": _MANY}, PLAY_ON),
                Row({"error": "no-burn", "acted": _FEW}, FLOP_BURN),
                Row({"error": "no-burn", "acted": _MANY}, PLAY_ON),
                Row({"error": "more-burns", "acted": _FEW}, FLOP_BURN),
                Row({"error": "more-burns", "acted": _MANY}, PLAY_ON),
            ),
        ),
        "I-6": _unless_acted(TURN_TOO_SOON),
        "I-7": _unless_acted(RIVER_TOO_SOON),
        "I-8": Table((), (Row({}, FOUND_FACE_UP),)),
        "I-9": _unless_acted(PUT_RIGHT),
        "I-10": Table((), (Row({}, CHANGE_CARD),)),
        "I-11": Table(
            ("card", "acted"),
            (
                Row({"card": Span(1, 2), "acted": _FEW}, DEAL_AGAIN),
                Row({"card": Span(3, 20), "acted": _FEW}, REPLACE),
                Row({"acted": _MANY}, PLAY_ON),
            ),
        ),
        "I-12": Table(
            ("street", "acted"),
            (
                Row({"street": "flop", "acted": _FEW}, FLOP_TOO_SOON),
                Row({"street": "turn", "acted": _FEW}, TURN_TOO_SOON),
                Row({"street": "river", "acted": _FEW}, RIVER_TOO_SOON),
                Row({"acted": _MANY}, PLAY_ON),
            ),
        ),
        "I-13": Table((), (Row({}, FAIR_PLAY),)),
        "I-14": Table(("clear",), (Row({"clear": YES}, BET_BY_SITUATION), Row({"clear": NO}, BET_FORFEITED))),
        "I-15": Table((), (Row({}, STAYS_DOWN),)),
    }
)
"""By id; what is not here is as the Association has it."""
