"""Players who are away (S-8), and the choice to wait for the button (S-5), as commands."""

from __future__ import annotations

from typing import Any

import pytest

from appliance.game.play import Arrival
from appliance.game.ruleset import PROFILES

LEAGUE = ["cpl-2017", "cpl"]
ELSEWHERE = ["casino-2012", "tda-2024"]
EVERY = [*LEAGUE, *ELSEWHERE]
ONE, TWO, THREE, FOUR = "000001", "000002", "000003", "000004"


@pytest.mark.parametrize("profile", EVERY)
def test_S_8_absent_players_are_dealt_in_and_post_their_blinds(evening, new_evening, profile: str) -> None:
    """The hands are those of a table where nobody is away."""
    others = new_evening().seated([1, 2, 3, 4], profile=profile)
    evening.seated([1, 2, 3, 4], profile=profile).do("absent", participant=THREE).do("absent", participant=FOUR)
    for _ in range(9):
        evening.do("next_hand", table=1)
        others.do("next_hand", table=1)
        assert evening.table(1) == others.table(1)
    assert not evening.table(1).arrivals


def test_S_8_the_report_says_who_is_away(evening) -> None:
    evening.seated([1, 2, 3]).do("absent", participant=TWO)
    players = evening.report()["players"]
    assert players[TWO]["absent"] is True
    assert "absent" not in players[ONE]


@pytest.mark.parametrize("profile", ELSEWHERE)
def test_S_8_the_absent_come_back_where_the_house_lets_them(evening, profile: str) -> None:
    evening.seated([1, 2, 3], profile=profile).do("absent", participant=TWO).do("present", participant=TWO)
    assert not evening.player(2).absent
    assert "absent" not in evening.report()["players"][TWO]


@pytest.mark.parametrize("profile", LEAGUE)
@pytest.mark.parametrize("tables", [1, 2, 3, 4])
def test_S_8_at_the_last_two_tables_nobody_comes_back(evening, tables: int, profile: str) -> None:
    evening.seated(*([3 * n + 1, 3 * n + 2, 3 * n + 3] for n in range(tables)), profile=profile)
    evening.do("absent", participant=ONE)
    answer = evening.ask("present", participant=ONE)
    if tables > 2:
        assert isinstance(answer, tuple)
    else:
        assert (answer.code, answer.detail) == ("cannot-return", {"participant": ONE, "tables": tables})
        assert evening.player(1).absent


def test_S_8_a_table_counts_only_while_it_plays(evening) -> None:
    evening.seated([1, 2], [3, 4], [5]).do("absent", participant=ONE)
    evening.do("present", participant=ONE).do("absent", participant=ONE).bust(5)
    assert evening.code("present", participant=ONE) == "cannot-return"


@pytest.mark.parametrize("profile", EVERY)
def test_S_8_only_who_plays_is_away_and_only_who_is_away_comes_back(evening, profile: str) -> None:
    evening.opened(3, profile=profile)
    assert evening.code("absent", participant=ONE) == "not-running"
    assert evening.code("present", participant=ONE) == "not-running"
    evening.do("start").do("absent", participant=ONE)
    assert evening.code("absent", participant=ONE) == "already-absent"
    assert evening.code("present", participant=TWO) == "not-absent"
    assert evening.code("absent", participant="000099") == "not-registered"
    assert evening.code("present", participant="000099") == "not-registered"
    evening.bust(3)
    assert evening.code("absent", participant=THREE) == "not-in-play"
    assert evening.code("present", participant=THREE) == "not-in-play"


def test_S_8_the_absent_can_go_out_and_are_away_no_more_when_it_is_undone(evening) -> None:
    evening.seated([1, 2, 3], profile="tda-2024").do("absent", participant=TWO)
    before = evening.state_bytes()
    evening.bust(2).do("undo")
    assert evening.state_bytes() == before
    assert not evening.do("undo").player(2).absent
    assert evening.do("redo").player(2).absent


@pytest.mark.parametrize(
    ("profile", "cards", "returns"),
    [
        ("cpl-2017", "folded-on-turn", 2),
        ("cpl", "folded-on-turn", 2),
        ("casino-2012", "killed-after-deal", 0),
        ("tda-2024", "killed-after-deal", 0),
    ],
)
def test_S_8_what_becomes_of_their_cards_is_a_switch(profile: str, cards: str, returns: int) -> None:
    assert PROFILES[profile].absent_cards == cards
    assert PROFILES[profile].absent_returns_above_tables == returns


def moved_to(evening: Any, seat: int, **changes: Any) -> Any:
    """Table 1 with seats 1, 2, 3, 5, 6 after its first hand (button 1, blinds 2 and 3); player 9 comes to ``seat``."""
    evening.seated([1, 2, 3, 4, 5, 6], [7, 8, 9, 10], **changes).do("next_hand", table=1)
    evening.do("move", participant=FOUR, seat=[2, 9])
    if seat in evening.table(1).seats:
        evening.do("move", participant=evening.table(1).seats[seat], seat=[2, 8])
    return evening.do("move", participant="000009", seat=[1, seat])


@pytest.mark.parametrize("profile", LEAGUE)
@pytest.mark.parametrize(("seat", "hands"), [(3, 1), (4, 2)])
def test_S_5_who_comes_to_a_blind_may_sit_out_until_the_button(evening, seat: int, hands: int, profile: str) -> None:
    moved_to(evening, seat, profile=profile).do("sit_out", participant="000009")
    for _ in range(hands):
        evening.do("next_hand", table=1)
        assert evening.report()["tables"]["1"]["waiting"] == {str(seat): "sits-out"}
        assert seat not in evening.blinds()
    evening.do("next_hand", table=1)
    assert "waiting" not in evening.report()["tables"]["1"]
    assert (evening.table(1).button == seat) == (seat == 3), "as the dealer, or just passed"


@pytest.mark.parametrize("profile", LEAGUE)
def test_S_5_the_choice_can_be_taken_back_before_the_hand_and_later(evening, profile: str) -> None:
    moved_to(evening, 4, profile=profile).do("sit_out", participant="000009").do("present", participant="000009")
    assert evening.table(1).arrivals == {4: Arrival.NEW}
    evening.do("next_hand", table=1)
    assert evening.blinds() == (2, 3, 4)
    assert evening.code("present", participant="000009") == "not-absent"


@pytest.mark.parametrize("profile", LEAGUE)
def test_S_5_taken_back_a_hand_later_it_is_too_late_for_the_big_blind(evening, profile: str) -> None:
    """The button is before the seat, the small blind after it: whoever comes there waits."""
    moved_to(evening, 4, profile=profile).do("sit_out", participant="000009").do("next_hand", table=1)
    evening.do("present", participant="000009").do("next_hand", table=1)
    assert evening.report()["tables"]["1"]["waiting"] == {"4": "waits"}
    assert not evening.do("next_hand", table=1).table(1).arrivals


@pytest.mark.parametrize("profile", ELSEWHERE)
@pytest.mark.parametrize("seat", [3, 4])
def test_S_5_elsewhere_nobody_may_sit_out(evening, seat: int, profile: str) -> None:
    refusal = moved_to(evening, seat, profile=profile).refusal("sit_out", participant="000009")
    assert (refusal.code, refusal.detail) == ("sit-out-not-allowed", {"profile": profile})


@pytest.mark.parametrize("profile", LEAGUE)
def test_S_5_only_a_newcomer_on_a_blind_may_sit_out(evening, profile: str) -> None:
    moved_to(evening, 4, profile=profile)
    refusal = evening.refusal("sit_out", participant="000005")
    assert refusal.code == "not-on-blind"
    assert refusal.detail == {"participant": "000005", "table": 1, "seat": 5, "sb": 3, "bb": 4}
    assert evening.code("sit_out", participant=THREE) == "not-on-blind", "settled players pay"
    assert evening.code("sit_out", participant="000099") == "not-registered"
    evening.do("sit_out", participant="000009")
    assert evening.code("sit_out", participant="000009") == "not-on-blind", "the choice is made"
    evening.do("move", participant="000010", seat=[1, 9])
    assert evening.code("sit_out", participant="000010") == "not-on-blind"


@pytest.mark.parametrize("profile", LEAGUE)
def test_S_5_who_waited_already_has_no_choice_left(evening, profile: str) -> None:
    """Two play on while a third waits, and then it is their turn."""
    evening.seated([1, 2, 3, 4, 5], [6, 7, 8], profile=profile).do("move", participant=THREE, seat=[2, 9])
    evening.do("next_hand", table=1).bust(1).bust(2).do("move", participant=THREE, seat=[1, 3])
    evening.do("next_hand", table=1)
    assert evening.table(1).arrivals == {3: Arrival.WAITS}
    assert evening.code("sit_out", participant=THREE) == "not-on-blind"
    assert evening.do("next_hand", table=1).blinds() == (4, 5, 3)


@pytest.mark.parametrize("profile", LEAGUE)
def test_S_5_nobody_sits_out_where_the_other_would_be_alone(evening, profile: str) -> None:
    evening.seated([1, 2, 3], [4, 5, 6], profile=profile).do("next_hand", table=1)
    evening.do("move", participant=FOUR, seat=[1, 4]).do("move", participant="000005", seat=[1, 5])
    evening.do("sit_out", participant=FOUR).bust(1).bust(2).do("move", participant="000005", seat=[2, 5])
    assert evening.do("next_hand", table=1).blinds() == (3, 3, 4)
    assert not evening.table(1).arrivals


@pytest.mark.parametrize("profile", LEAGUE)
def test_S_5_before_a_table_s_first_hand_there_is_nothing_to_sit_out(evening, profile: str) -> None:
    """The first hand has everybody in; a table opened later has no button before it is drawn."""
    evening.seated([1, 2, 3], [4, 5, 6], profile=profile).do("move", participant=FOUR, seat=[1, 4])
    assert evening.code("sit_out", participant=FOUR) == "not-on-blind"
    evening.do("move", participant="000005", seat=[3, 1]).do("move", participant="000006", seat=[3, 2])
    refusal = evening.refusal("sit_out", participant="000006")
    assert (refusal.code, refusal.detail) == ("not-on-blind", {"participant": "000006", "table": 3, "seat": 2})
    assert evening.do("next_hand", table=3).table(3).arrivals == {}


@pytest.mark.parametrize("profile", LEAGUE)
def test_S_5_one_who_had_the_big_blind_and_changes_seats_pays_the_small_blind(evening, profile: str) -> None:
    """Nobody gets out of a blind by moving a chair."""
    evening.seated([1, 2, 3], [4, 5, 6], profile=profile).do("next_hand", table=1)
    evening.do("move", participant=THREE, seat=[1, 5])
    assert evening.code("sit_out", participant=THREE) == "not-on-blind"
    assert evening.do("next_hand", table=1).blinds() == (2, 5, 1)


@pytest.mark.parametrize("profile", LEAGUE)
def test_S_5_absent_and_sitting_out_end_together(evening, profile: str) -> None:
    """Both is possible at three tables; one who cannot come back to the last two stays as they are."""
    moved_to(evening, 4, profile=profile).do("sit_out", participant="000009").do("absent", participant="000009")
    assert evening.code("present", participant="000009") == "cannot-return"
    evening.do("move", participant="000010", seat=[3, 1]).do("present", participant="000009")
    assert not evening.player(9).absent
    assert evening.table(1).arrivals == {4: Arrival.NEW}


def test_S_5_sitting_out_is_undone_and_given_again(evening) -> None:
    moved_to(evening, 3)
    before = evening.state_bytes()
    after = evening.do("sit_out", participant="000009").do("next_hand", table=1).state_bytes()
    assert evening.do("undo", n=2).state_bytes() == before
    assert evening.do("redo", n=2).state_bytes() == after
    assert evening.replayed().round == evening.round
