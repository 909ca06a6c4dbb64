"""The Association's tables (I-1 to I-17), which also hold where another house is silent.

A mistake in the deal is a misdeal only until there is substantial action (35-D, 36).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from appliance.game.rulings.facts import NO, YES
from appliance.game.rulings.model import Compound, Outcome, Row, Span, Table
from appliance.game.rulings.tda_players import KEPT_BY_DEALER, LOST_CARDS, MUCKED, PENALTY, STAYS_DOWN, STILL_LIVE
from appliance.game.rulings.tda_procedures import (
    BET_BY_SITUATION,
    BY_LOT,
    CHANGE_CARD,
    COMPLETE_FLOP,
    DEAD_HAND,
    FLOOR_DECIDES,
    FLOP_STAYS,
    FLOP_TOO_SOON,
    FOUND_FACE_UP,
    FOUND_TOO_LATE,
    FOUR_CARDS,
    MISDEAL,
    NO_MISDEAL,
    PUT_RIGHT,
    REPLACE,
    RIVER_TOO_SOON,
    TURN_TOO_SOON,
)


def _unless_substantial(outcome: Outcome, after: Outcome = NO_MISDEAL) -> Table:
    """This procedure until there is substantial action, from then on the other."""
    return Table(("substantial",), (Row({"substantial": NO}, outcome), Row({"substantial": YES}, after)))


def _always(outcome: Outcome) -> Table:
    """This procedure, whatever else happened."""
    return Table((), (Row({}, outcome),))


TABLES: Mapping[str, Table | Compound] = MappingProxyType(
    {
        "I-1": _unless_substantial(MISDEAL),
        "I-2": _always(REPLACE),
        "I-3": _unless_substantial(MISDEAL),
        "I-4": _unless_substantial(MISDEAL, DEAD_HAND),
        "I-5": Table(
            ("error", "cards", "any_action"),
            (
                Row({"error": "too-many", "cards": Span(4, 4)}, FOUR_CARDS),
                Row({"error": "too-many", "cards": Span(5, 10)}, BY_LOT),
                Row({"error": "too-soon"}, FLOP_TOO_SOON),
                Row({"error": "no-burn", "any_action": NO}, COMPLETE_FLOP),
                Row({"error": "no-burn", "any_action": YES}, FLOP_STAYS),
                Row({"error": "more-burns"}, BY_LOT),
            ),
        ),
        "I-6": _always(TURN_TOO_SOON),
        "I-7": _always(RIVER_TOO_SOON),
        "I-8": Table(
            ("boxed", "during", "substantial"),
            (
                Row({"boxed": Span(1, 1)}, FOUND_FACE_UP),
                Row({"boxed": Span(2, 10), "during": "deal", "substantial": NO}, MISDEAL),
                Row({"boxed": Span(2, 10), "during": "deal", "substantial": YES}, FOUND_TOO_LATE),
                Row({"boxed": Span(2, 10), "during": "later"}, FOUND_FACE_UP),
            ),
        ),
        "I-9": Table(
            ("actions", "chips"),
            (
                Row({"actions": Span(0, 1)}, PUT_RIGHT),
                Row({"actions": Span(2, 2), "chips": NO}, PUT_RIGHT),
                Row({"actions": Span(2, 2), "chips": YES}, NO_MISDEAL),
                Row({"actions": Span(3, 20)}, NO_MISDEAL),
            ),
        ),
        "I-10": _always(CHANGE_CARD),
        "I-11": Table(
            ("card", "substantial"),
            (
                Row({"card": Span(1, 2), "substantial": NO}, MISDEAL),
                Row({"card": Span(1, 2), "substantial": YES}, NO_MISDEAL),
                Row({"card": Span(3, 20)}, REPLACE),
            ),
        ),
        "I-12": Table(
            ("street",),
            (
                Row({"street": "flop"}, FLOP_TOO_SOON),
                Row({"street": "turn"}, TURN_TOO_SOON),
                Row({"street": "river"}, RIVER_TOO_SOON),
            ),
        ),
        "I-13": _always(FLOOR_DECIDES),
        "I-14": _always(BET_BY_SITUATION),
        "I-15": Table(
            ("moment", "thought_won", "identifiable"),
            (
                Row({"moment": "betting", "thought_won": NO}, STAYS_DOWN),
                Row({"moment": "betting", "thought_won": YES, "identifiable": YES}, KEPT_BY_DEALER),
                Row({"moment": "betting", "thought_won": YES, "identifiable": NO}, LOST_CARDS),
                Row({"moment": "showdown", "identifiable": YES}, STILL_LIVE),
                Row({"moment": "showdown", "identifiable": NO}, MUCKED),
            ),
        ),
        "I-16": _always(PENALTY),
        "I-17": Compound(
            "what",
            MappingProxyType(
                {
                    "exposed-card": "I-11",
                    "exposed-cards": "I-3",
                    "irregular-flop": "I-5",
                    "premature-card": "I-12",
                    "action-since": "I-9",
                }
            ),
        ),
    }
)
"""By id, all of them."""
