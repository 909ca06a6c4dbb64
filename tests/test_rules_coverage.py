"""Every rule of a tournament has a test that carries its id, under each profile where the profiles differ."""

from __future__ import annotations

import pytest

from scripts import rulebook

TOURNAMENT = [rule.id for rule in rulebook.book().rules() if not rule.id.startswith("LG")]


@pytest.mark.parametrize("rule", TOURNAMENT)
def test_every_rule_has_a_test_under_each_profile_that_differs(rule: str) -> None:
    assert rulebook.untested(rule) == []


@pytest.mark.parametrize("rule", TOURNAMENT)
def test_every_rule_has_code_that_names_it(rule: str) -> None:
    assert rulebook.code().get(rule)
