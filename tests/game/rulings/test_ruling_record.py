"""A ruling that is recorded (I-13): what happened, what followed, who decided why."""

from __future__ import annotations

import msgspec
import pytest

from appliance.game.ruleset import PROFILES
from appliance.game.rulings.book import TITLES, table
from appliance.game.rulings.evaluate import RulingError
from appliance.game.rulings.events import RulingMade, made


@pytest.mark.parametrize("profile", PROFILES)
def test_I_13_decision_and_reason_are_recorded(profile: str) -> None:
    rules = PROFILES[profile]
    found = made("I-13", {}, rules, decision="Bank se dělí.", reason="Dealer smíchal karty.", hand=17)
    assert found.outcome == "commissioner-decides"
    assert msgspec.json.decode(msgspec.json.encode(found), type=RulingMade) == found
    assert msgspec.json.decode(msgspec.json.encode(found)) == {
        "ruling": "I-13",
        "facts": {},
        "outcome": "commissioner-decides",
        "decision": "Bank se dělí.",
        "reason": "Dealer smíchal karty.",
        "hand": 17,
    }


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    ("decision", "reason", "field"),
    [(None, "why", "decision"), ("what", None, "reason"), ("what", "  ", "reason"), (None, None, "decision")],
)
def test_I_13_without_decision_or_reason_nothing_is_recorded(
    profile: str, decision: str | None, reason: str | None, field: str
) -> None:
    with pytest.raises(RulingError) as error:
        made("I-13", {}, PROFILES[profile], decision=decision, reason=reason)
    assert error.value.field == field


@pytest.mark.parametrize("field", ["decision", "reason"])
def test_I_13_a_text_too_long_to_be_read_back_is_not_recorded(field: str) -> None:
    texts = {"decision": "a", "reason": "b", field: "ř" * 501}
    with pytest.raises(RulingError) as error:
        made("I-13", {}, PROFILES["cpl"], **texts)
    assert error.value.field == field
    found = made("I-13", {}, PROFILES["cpl"], **{**texts, field: "ř" * 500})
    assert msgspec.json.decode(msgspec.json.encode(found), type=RulingMade) == found


def test_I_2_a_ruling_that_the_rules_decide_needs_no_reason() -> None:
    found = made("I-2", {"acted": 1}, PROFILES["cpl"], hand=3)
    assert found == RulingMade(ruling="I-2", facts={"acted": 1}, outcome="replace-card", hand=3)


@pytest.mark.parametrize(
    ("ruling", "facts", "field"),
    [
        ("I-18", {}, "I-18"),
        ("I-2", {}, "acted"),
        ("I-2", {"acted": 11}, "acted"),
        ("I-2", {"acted": "few"}, "acted"),
        ("I-2", {"acted": -1}, "acted"),
        ("I-2", {"chips": "none"}, "chips"),
        ("I-8", {"acted": 1}, "acted"),
        ("I-5", {"error": "none"}, "error"),
        ("I-5", {"error": 1}, "error"),
    ],
)
def test_a_ruling_that_is_not_decided_is_not_recorded(ruling: str, facts: dict[str, str | int], field: str) -> None:
    with pytest.raises(RulingError) as error:
        made(ruling, facts, PROFILES["cpl-2017"])
    assert error.value.field == field


@pytest.mark.parametrize("profile", PROFILES)
def test_every_outcome_of_every_row_can_be_recorded_and_read_back(profile: str) -> None:
    for ruling in TITLES:
        for row in table(ruling, PROFILES[profile]).rows:
            facts = {
                name: condition if isinstance(condition, str) else condition.low for name, condition in row.when.items()
            }
            found = made(ruling, facts, PROFILES[profile], decision="a", reason="b")
            assert found.outcome == row.then.code
            assert msgspec.json.decode(msgspec.json.encode(found), type=RulingMade) == found
