"""I-13: what the commissioner ruled stands in the round's record, with decision and reason."""

from __future__ import annotations

from typing import Any

from appliance.game.report import report


def test_I_13_a_ruling_is_recorded_with_what_followed(evening: Any) -> None:
    evening.seated([1, 2, 3]).do("next_hand", table=1)
    evening.do("ruling", ruling="I-13", decision="Bank se dělí.", reason="Dealer smíchal karty.", table=1, hand=1)
    told = report(evening.ledger, evening.at)["rulings"]
    assert [(one["ruling"], one["outcome"], one["decision"], one["table"], one["hand"]) for one in told] == [
        ("I-13", "commissioner-decides", "Bank se dělí.", 1, 1)
    ]


def test_I_13_without_decision_reason_or_a_fact_nothing_is_recorded(evening: Any) -> None:
    evening.seated([1, 2, 3])
    assert evening.code("ruling", ruling="I-13", decision="split") == "ruling-incomplete"
    assert evening.code("ruling", ruling="I-5", facts={"error": "no-burn"}) == "ruling-incomplete"
    assert evening.code("ruling", ruling="I-99") == "no-such-ruling"
    assert evening.code("ruling", ruling="I-5", facts={"weather": "bad"}) == "fact-not-asked"
    assert evening.code("ruling", ruling="I-5", facts={"error": "wind"}) == "no-such-answer"
    assert evening.code("ruling", ruling="I-10", table=7) == "no-such-table"
    evening.do("ruling", ruling="I-5", facts={"error": "no-burn", "acted": 0})
    assert [ruling.outcome for ruling in evening.round.rulings] == ["reshuffle-flop"]


def test_I_13_a_ruling_is_taken_back_and_given_again_like_any_command(evening: Any) -> None:
    evening.seated([1, 2, 3]).do("ruling", ruling="I-13", decision="a", reason="b").do("undo")
    assert evening.round.rulings == ()
    evening.do("redo")
    assert len(evening.round.rulings) == 1


def test_I_13_nobody_rules_before_play(evening: Any) -> None:
    assert evening.opened(3).code("ruling", ruling="I-13", decision="a", reason="b") == "not-running"
