"""Profiles are data, and a round keeps the one it was announced under."""

from __future__ import annotations

import msgspec
import pytest

from appliance.game.ruleset import PROFILES, RuleSet, content_hash

SWITCHES = {
    "cpl-2017": {"late_registration": "never", "deals": (), "chip_up": "commissioner", "minimum_raise": "double"},
    "cpl": {"late_registration": "never", "deals": (), "chip_up": "automatic", "minimum_raise": "big-blind"},
    "casino-2012": {"late_registration": "first-break", "chip_up": "never", "final_table": "lot", "time_call_s": 60},
    "cash-2012": {"tournament": False, "straddle": "double", "rabbit_hunting": "by-consent", "time_call_s": 60},
    "tda-2024": {"round_of_hands": "shared", "halt_when_short": 3, "time_call_s": 25, "rulings": "tda"},
}


@pytest.mark.parametrize("profile", SWITCHES)
def test_a_profile_has_the_switches_of_its_source(profile: str) -> None:
    rules = PROFILES[profile]
    assert {name: getattr(rules, name) for name in SWITCHES[profile]} == SWITCHES[profile]


@pytest.mark.parametrize("profile", PROFILES)
def test_T_1_T_3_T_4_the_money_rules_are_the_laws_in_every_profile(profile: str) -> None:
    rules = PROFILES[profile]
    assert (rules.players_minimum, rules.players_maximum) == (3, 90)
    assert (rules.deposit_minimum, rules.deposit_limit, rules.chips_per_crown) == (50, 500, 40)


def test_the_content_hash_tells_profiles_apart_and_leaves_out_defaults() -> None:
    assert len({content_hash(rules) for rules in PROFILES.values()}) == 5
    assert content_hash(RuleSet(time_call_s=25)) == content_hash(RuleSet())
    written = msgspec.json.decode(msgspec.json.encode(PROFILES["cpl"]))
    assert written["chip_up"] == "automatic"
    assert "players_maximum" not in written


def test_a_round_keeps_profile_structure_key_and_shares_as_announced(evening) -> None:
    evening.announce(profile="tda-2024", shares=["100"])
    round = evening.replayed().round
    assert round.rules == PROFILES["tda-2024"]
    assert round.rules_hash == content_hash(PROFILES["tda-2024"])
    assert (round.shares, round.key.name, len(round.structure)) == (("100",), "cpl-2017", 11)


def test_an_unknown_profile_is_refused(evening) -> None:
    refusal = evening.refusal("announce", **announcement(profile="cpl-2016"))
    assert refusal.code == "unknown-profile"
    assert refusal.detail["known"] == sorted(PROFILES)


def test_a_cash_profile_is_no_tournaments(evening) -> None:
    assert evening.code("announce", **announcement(profile="cash-2012")) == "not-a-tournament"


def announcement(**changes: object) -> dict[str, object]:
    return {
        "venue": "brno",
        "starts_at": "2027-01-15T19:00:00+01:00",
        "deposit": 100,
        "shares": ["100"],
        "seats_per_table": 9,
        "levels": [{"sb": 50, "bb": 100, "minutes": 20}],
        **changes,
    }


def test_S_3_a_table_three_short_halts_under_tda_only(new_evening) -> None:
    short = new_evening().seated([1, 2, 3, 4, 5], [6, 7], profile="tda-2024")
    assert short.notices()["table-short"] == {"table": 2, "short": 3}
    for profile in ("cpl-2017", "cpl", "casino-2012"):
        assert "table-short" not in new_evening().seated([1, 2, 3, 4, 5], [6, 7], profile=profile).notices()


@pytest.mark.parametrize("profile", ["cpl-2017", "cpl", "casino-2012", "tda-2024"])
def test_S_3_two_more_at_the_fullest_table_need_balancing_in_every_profile(new_evening, profile: str) -> None:
    evening = new_evening().seated([1, 2, 3, 4], [5, 6, 7], profile=profile)
    assert evening.report()["balance_needed"] is False
    assert evening.bust(5).report()["balance_needed"] is True
    assert evening.notices()["balance"] == {"from": 1, "to": 2, "gap": 2}
