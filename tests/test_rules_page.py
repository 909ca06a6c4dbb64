"""docs/rules.md says what the code and the tests say: written from them, complete, and never behind."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts import rulebook, rules_page, turned

GROUPS = {"LG": 12, "T": 16, "S": 9, "CK": 6, "H": 17, "I": 17, "C": 8}
EVERY_RULE = {f"{group}-{n}" for group, last in GROUPS.items() for n in range(1, last + 1)} | {"P"}


def test_the_page_is_what_its_sources_make_of_it() -> None:
    assert rules_page.PAGE.read_text("utf-8") == rules_page.page(), "docs/rules.md is behind: make rules"


def test_every_link_of_the_page_leads_somewhere() -> None:
    links = set(re.findall(r"\]\(([^)]+)\)", rules_page.page()))
    assert len(links) > 50
    assert [link for link in sorted(links) if not (rules_page.PAGE.parent / link).is_file()] == []


def test_every_rule_is_on_the_page_once() -> None:
    here = [rule.id for rule in rulebook.book().rules()]
    later = [rule for ids, _ in rulebook.book().later for rule in rulebook.ids_in(ids)]
    assert sorted(here + later) == sorted(EVERY_RULE)


def test_code_and_tests_name_no_rule_that_is_not_there() -> None:
    assert set(rulebook.code()) <= EVERY_RULE
    assert {rule for test in rulebook.tests() for rule in test.rules} <= EVERY_RULE


def test_every_switch_of_a_house_belongs_to_a_rule() -> None:
    assert set(rulebook.switches()) - EVERY_RULE == {"cash"}


def test_every_rule_that_is_claimed_has_a_text_that_fits_a_table() -> None:
    for rule in rulebook.book().rules():
        assert rule.text.endswith("."), rule.id
        assert "|" not in rule.text + rule.missing, rule.id


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("Out (T-6, T-7).", {"T-6", "T-7"}),
        ("The end (T-6 to T-8, P).", {"T-6", "T-7", "T-8", "P"}),
        ("Entry: T-1 to 3.", {"T-1", "T-2", "T-3"}),
        ("TDA RP-8, SHA-256, --profile P", set()),
        ("Late entry (T-2,\n    T-11)", {"T-2", "T-11"}),
    ],
)
def test_a_docstring_names_rules(text: str, rules: set[str]) -> None:
    assert rulebook.ids_in(text) == rules


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("test_T_7_larger_stack_ranks_higher", ("T-7",)),
        ("test_S_1_S_9_P_several", ("S-1", "S-9", "P")),
        ("test_CK_1_1_is_a_level", ("CK-1",)),
        ("test_the_T_7_of_others", ()),
        ("test_Prague_is_no_rule", ()),
    ],
)
def test_a_test_carries_the_rules_its_name_begins_with(name: str, rules: tuple[str, ...]) -> None:
    assert rulebook.rules_named(name) == rules


TESTS_OF_HOUSES = """
import pytest
from appliance.game.ruleset import PROFILES

LEAGUE = ["cpl", "cpl-2017"]

@pytest.fixture
def casino():
    return "casino-2012"

def helper():
    return LEAGUE

def test_T_2_says_it():
    assert play("tda-2024")

@pytest.mark.parametrize("profile", LEAGUE)
def test_T_2_has_it_from_a_list(profile): ...

def test_T_2_has_it_from_a_helper():
    helper()

@pytest.mark.parametrize("profile", PROFILES)
def test_T_2_all_of_them(profile): ...

def test_T_2_one_of_them():
    PROFILES["cpl"]

def test_T_2_has_it_from_a_fixture(casino): ...

def test_T_2_says_nothing(): ...
"""


def test_the_profiles_a_test_runs_under_are_read_from_its_text(tmp_path: Path) -> None:
    path = tmp_path / "test_houses.py"
    path.write_text(TESTS_OF_HOUSES, "utf-8")
    found = {name: rulebook.profiles_of(path, node) for name, node in rulebook.test_functions(path)}
    assert found == {
        "test_T_2_says_it": {"tda-2024"},
        "test_T_2_has_it_from_a_list": {"cpl", "cpl-2017"},
        "test_T_2_has_it_from_a_helper": {"cpl", "cpl-2017"},
        "test_T_2_all_of_them": {"cpl-2017", "cpl", "casino-2012", "tda-2024"},
        "test_T_2_one_of_them": {"cpl"},
        "test_T_2_has_it_from_a_fixture": {"casino-2012"},
        "test_T_2_says_nothing": set(),
    }


def test_a_test_that_names_no_profile_runs_under_the_one_of_the_usual_evening() -> None:
    usual = next(test for test in rulebook.tests() if test.name == "test_T_1_the_91st_is_refused")
    assert usual.profiles == {"cpl-2017"}


def cases(monkeypatch: pytest.MonkeyPatch, *profiles: set[str]) -> None:
    """Tests of T-2 and T-6 there are, each under these profiles."""
    found = tuple(
        rulebook.Case(Path("x.py"), f"test_T_2_{n}", ("T-2", "T-6"), frozenset(p)) for n, p in enumerate(profiles)
    )
    monkeypatch.setattr(rulebook, "tests", lambda: found)


def test_a_rule_without_a_test_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    cases(monkeypatch)
    assert rulebook.untested("T-6") == [["cpl-2017", "cpl", "casino-2012", "tda-2024"]]
    assert rulebook.untested("T-2") == [["cpl-2017", "cpl"], ["casino-2012", "tda-2024"]]


def test_where_houses_differ_each_has_a_test_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    cases(monkeypatch, {"cpl"})
    assert rulebook.untested("T-2") == [["casino-2012", "tda-2024"]]
    cases(monkeypatch, {"cpl"}, {"casino-2012"})
    assert rulebook.untested("T-2") == []


def test_where_all_play_alike_one_test_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    cases(monkeypatch, set())
    assert rulebook.untested("T-6") == []


def test_a_switch_stands_beside_its_rule_with_who_has_which() -> None:
    row = next(line for line in rules_page.page().splitlines() if line.startswith("| T-2 |"))
    assert "`late_registration` (never: cpl-2017, cpl; first-break: casino-2012, tda-2024)" in row
    row = next(line for line in rules_page.page().splitlines() if line.startswith("| T-3 |"))
    assert "`deposit_minimum` 50<br>`deposit_limit` 500" in row


def test_code_stands_beside_the_rule_its_docstrings_name() -> None:
    row = next(line for line in rules_page.page().splitlines() if line.startswith("| T-1 |"))
    assert "[game/entry](../appliance/game/entry.py)" in row


def test_every_switch_in_which_houses_differ_is_turned_in_each_of_them() -> None:
    found = [turn for turn in turned.turns() if turn.switch == "chip_up"]
    assert [(turn.rule, turn.profile, turn.giver) for turn in found] == [
        ("T-13", "cpl-2017", "cpl"),
        ("T-13", "cpl-2017", "casino-2012"),
        ("T-13", "cpl", "cpl-2017"),
        ("T-13", "cpl", "casino-2012"),
        ("T-13", "casino-2012", "cpl-2017"),
        ("T-13", "casino-2012", "cpl"),
        ("T-13", "tda-2024", "cpl-2017"),
        ("T-13", "tda-2024", "cpl"),
    ]


def test_a_turned_switch_is_noticed_by_tests_of_its_rule_only() -> None:
    assert turned.noticed(turned.Turn("T-2", "cpl", "late_registration", "tda-2024"))
    assert not turned.noticed(turned.Turn("CK-2", "cpl", "minimum_raise", "tda-2024"))


def test_every_switch_that_a_rule_claims_is_read_by_the_code() -> None:
    claimed = {name for rule in rulebook.book().rules() for name in rulebook.switches().get(rule.id, ())}
    assert claimed <= rulebook.read()


def test_a_switch_that_no_code_reads_is_said_to_decide_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    read = rulebook.read() - {"absent_cards"}
    monkeypatch.setattr(rulebook, "read", lambda: read)
    row = next(line for line in rules_page.page().splitlines() if line.startswith("| S-8 |"))
    assert row.count("*decides nothing yet*") == 1
