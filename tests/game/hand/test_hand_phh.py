"""PHH read generously and played again (H-1 to H-5, H-11 to H-14)."""

from __future__ import annotations

from typing import Any

import pytest

from appliance.game.hand.phh import PhhError, Recorded, Scale, Unreadable, read
from appliance.game.hand.phh_replay import Replayed, replay, scale_of
from appliance.game.ruleset import PROFILES

TDA = PROFILES["tda-2024"]


def phh(*actions: str, stacks: object = (1000, 1000, 1000), blinds: object = None, more: str = "") -> str:
    stacks = list(stacks)
    blinds = [50, 100, *[0] * (len(stacks) - 2)] if blinds is None else list(blinds)
    return (
        f"variant = 'NT'\nantes = {[0] * len(stacks)}\nblinds_or_straddles = {blinds}\nmin_bet = 100\n"
        f"starting_stacks = {stacks}\nactions = {list(actions)}\n{more}\n"
    ).replace("'inf'", "inf")


def played(text: str, profile: str = "tda-2024") -> Replayed:
    hands = read(text)
    assert len(hands) == 1
    return replay(hands[0], PROFILES[profile], scale_of(hands))


def done(text: str, profile: str = "tda-2024") -> Any:
    result = played(text, profile)
    assert result.problem is None, (result.problem, result.action)
    return result.hand


def test_H_2_heads_up_the_second_player_is_the_button_and_has_the_small_blind() -> None:
    hand = done(phh(stacks=[1000, 1000]))
    assert (hand.bets, hand.actor) == ((100, 50), 1)


def test_H_2_heads_up_antes_are_listed_the_other_way_round_too() -> None:
    text = phh(stacks=[1000, 1000]).replace("antes = [0, 0]", "antes = [0, 100]")
    assert done(text).stacks == (800, 950)


def test_H_5_a_blind_larger_than_the_stack_is_all_in_and_the_call_stays_the_big_blind() -> None:
    hand = done(phh(stacks=[1000, 60, 1000]))
    assert (hand.bets, hand.legal().call) == ((50, 60, 0), 100)


def test_H_2_a_straddle_acts_last() -> None:
    hand = done(phh(stacks=[1000] * 4, blinds=[50, 100, 200, 0]))
    assert (hand.actor, hand.legal().call) == (3, 200)


@pytest.mark.parametrize("post", [100, -100, -150, 150])
def test_H_2_a_post_is_no_straddle_if_the_one_after_the_big_blind_acts_first(post: int) -> None:
    hand = done(phh("p3 cc", stacks=[1000] * 5, blinds=[50, 100, 0, post, 0]))
    assert (hand.bets[3], hand.actor) == (abs(post), 3)


def test_H_2_a_blind_out_of_place_is_a_straddle_if_the_one_after_it_acts_first() -> None:
    hand = done(phh("p5 cc", stacks=[1000] * 5, blinds=[50, 100, 0, 100, 0]))
    assert (hand.bets, hand.actor) == ((50, 100, 0, 100, 100), 0)


def test_H_2_without_a_small_blind_the_first_has_the_big_one() -> None:
    assert done(phh(stacks=[1000] * 4, blinds=[100, 0, 0, 0])).actor == 1


def test_H_11_a_short_ante_wins_all_the_antes_unless_they_are_trimmed() -> None:
    antes = "antes = [0, 0, 0]", "antes = [100, 100, 100]"
    text = phh(stacks=[60, 1000, 1000]).replace(*antes)
    assert [pot.amount for pot in done(text).pots()] == [260]
    trimmed = done(phh(stacks=[60, 1000, 1000], more="ante_trimming_status = true").replace(*antes))
    assert [pot.amount for pot in trimmed.pots()] == [180, 80]


def test_H_11_an_ante_from_the_big_blind_alone_is_paid_after_the_blind() -> None:
    hand = done(phh(stacks=[1000, 150, 1000]).replace("antes = [0, 0, 0]", "antes = [0, 100, 0]"))
    assert (hand.bets[1], hand.stacks[1], hand.paid.dead) == (100, 0, 50)


def test_H_11_an_unknown_stack_can_play_any_bet() -> None:
    hand = done(phh("p1 cbr 90000", stacks=["inf", "inf", 1000], blinds=[0, 0, 0]))
    assert hand.bets == (90000, 0, 0)
    text = phh("p3 f", "p1 cc", stacks=[1000, "inf", 1000])
    assert done(text).legal().raise_min == 200


def test_H_1_comments_and_blanks_are_no_actions() -> None:
    hand = done(phh("", "   ", "# shuffle", " d  dh p1  AsKd # seen", "d dh p2 ????", "p3  cbr 300 # big"))
    assert (hand.bets[2], hand.holes[0], hand.holes[2]) == (300, (51, 24), (-1, -1))


def test_H_1_cards_may_be_missing_altogether() -> None:
    hand = done(phh("p3 cc", "p1 cc", "p2 cc", "p1 cbr 100"))
    assert (hand.street, hand.board, hand.actor) == (1, (-1, -1, -1), 1)


def test_H_1_a_board_dealt_before_all_have_acted_is_refused() -> None:
    result = played(phh("p3 cc", "p1 cc", "d db 2c3c4c"))
    assert result.problem is not None
    assert (result.problem.code, result.action) == ("not-your-turn", 3)


def test_H_1_a_street_that_was_left_out_of_a_record_with_a_board_is_refused() -> None:
    result = played(phh("p3 cc", "p1 cc", "p2 cc", "d db 2c3c4c", "p1 cc", "p2 cc", "p3 cc", "p1 cc"))
    assert result.problem is not None
    assert (result.problem.code, result.action) == ("not-your-turn", 8)


RIVER = (
    "p3 f",
    "p1 cc",
    "p2 cc",
    "d db 2c7d9h",
    "p1 cc",
    "p2 cc",
    "d db Js",
    "p1 cc",
    "p2 cc",
    "d db 3s",
    "p1 cbr 100",
    "p2 cc",
)


def test_H_12_a_showdown_that_was_not_written_down_is_settled_by_known_cards() -> None:
    hand = done(phh("d dh p1 AsAd", "d dh p2 KsKd", "d dh p3 ????", *RIVER))
    assert (hand.over, hand.stacks, hand.show_order) == (True, (1200, 800, 1000), (0, 1))


def test_H_13_who_shows_unknown_cards_cannot_win_against_who_shows() -> None:
    hand = done(phh(*RIVER, "p1 sm ????", "p2 sm KsKd"))
    assert hand.stacks == (800, 1200, 1000)


def test_H_13_cards_dealt_are_shown_by_a_dash() -> None:
    hand = done(phh("d dh p1 AsAd", "d dh p2 KsKd", *RIVER, "p1 sm -", "p2 sm"))
    assert (hand.shown, hand.mucked, hand.stacks) == ((0,), (1,), (1200, 800, 1000))


def test_H_13_one_card_shown_is_no_claim() -> None:
    hand = done(phh("d dh p1 AsAd", "d dh p2 KsKd", *RIVER, "p1 sm As??", "p2 sm KsKd"))
    assert (hand.mucked, hand.stacks) == ((0,), (800, 1200, 1000))


def test_H_13_a_pot_no_cards_decide_goes_as_the_winnings_say() -> None:
    unsaid = done(phh(*RIVER, "p1 sm ????", "p2 sm ????"))
    assert (unsaid.undecided, unsaid.stacks) == (True, (800, 800, 1000))
    said = done(phh(*RIVER, "p1 sm ????", "p2 sm ????", more="winnings = [0, 400, 0]"))
    assert (said.undecided, said.stacks) == (False, (800, 1200, 1000))
    raked = done(phh(*RIVER, "p1 sm ????", "p2 sm ????", more="winnings = [0, 390, 0]"))
    assert raked.undecided


def test_H_16_all_in_unknown_cards_are_shown_again_on_every_street_until_they_are_known() -> None:
    unseen = ("p1 sm ????", "p3 sm ????")
    text = phh(
        "p3 cbr 1000", "p1 cc", "p2 f", *unseen, "d db QsJs9s", *unseen, "d db 5d", *unseen, "d db 2h",
        "p3 sm AhAd", "p1 sm 8d3d",
    )  # fmt: skip
    hand = done(text)
    assert (hand.over, hand.stacks) == (True, (0, 900, 2100))


@pytest.mark.parametrize("profile", ["tda-2024", "cash-2012"])
def test_H_16_known_hands_all_in_are_open_and_may_be_written_so_or_not(profile: str) -> None:
    deal = ("d dh p1 AsAd", "d dh p2 KsKd", "d dh p3 QsQd", "p3 cbr 1000", "p1 cc", "p2 f")
    board = ("d db 2c7d9h", "d db 3s", "d db 4s")
    for show in ((), ("p3 sm QsQd", "p1 sm AsAd"), ("p3 sm -", "p1 sm AsAd")):
        assert done(phh(*deal, *show, *board), profile).stacks == (2100, 900, 0)
        assert done(phh(*deal, *board, *show), profile).stacks == (2100, 900, 0)


def test_H_13_a_pot_won_already_may_be_followed_by_the_winners_cards() -> None:
    won = ("p3 f", "p1 f")
    assert done(phh(*won, "p2 sm AsAd")).stacks == (950, 1050, 1000)
    assert done(phh(*won, "p2 sm")).stacks == (950, 1050, 1000)
    assert code(phh("d dh p1 AsKs", *won, "p2 sm AsAd")) == ("card-repeated", 4)
    assert code(phh("d dh p2 QsKs", *won, "p2 sm AsAd")) == ("bad-notation", 4)
    assert code(phh(*won, "p1 sm AsAd")) == ("hand-over", 3)


def code(text: str, profile: str = "tda-2024") -> tuple[str, int | None]:
    result = played(text, profile)
    assert result.problem is not None
    return result.problem.code, result.action


@pytest.mark.parametrize(
    ("actions", "expected"),
    [
        (["p1 cc"], ("not-your-turn", 1)),
        (["p3 cbr 150"], ("raise-too-small", 1)),
        (["# first", "p3 cbr 1001"], ("not-enough-chips", 2)),
        (["p3 cbr 300", "p1 f", "p2 f", "p3 cc"], ("hand-over", 4)),
        (["d dh p1 AsAs"], ("card-repeated", 1)),
        (["d dh p1 AsKs", "d dh p2 AsQs"], ("card-repeated", 2)),
        (["d dh p1 AsKs", "p3 cc", "p1 cc", "p2 cc", "d db As2c3c"], ("card-repeated", 5)),
        ([*RIVER, "p1 sm 2c2d"], ("card-repeated", 13)),
        (["p3 cbr 250", "p1 cbr 1000", "p2 f", "p3 cbr 2000"], ("not-enough-chips", 4)),
        *[
            ([action], ("bad-notation", 1))
            for action in (
                "p3", "p3 x", "p0 f", "p4 f", "p99 f", "p f", "pq f", "x", "d", "d db", "d dh", "d dh p4 AsKs",
                "d dh q As", "d dh p1 1s2s", "d dh p1 AsKsQs", "d dh p1 A", "p3 cbr", "p3 cbr x", "p3 cbr nan",
                "p3 cbr inf", "p3 cbr 1e99999", "p3 cbr 1 2", "p3 f f",
                "p3 cc 100", "p3 pb", "p3 sd AsKs", "p٣ f", "p3 cbr ٣٠٠", "P3 f",
            )
        ],
    ],
)  # fmt: skip
def test_H_3_an_action_that_is_not_allowed_is_named_by_its_number_and_a_code(
    actions: list[str], expected: tuple[str, int]
) -> None:
    assert code(phh(*actions)) == expected


@pytest.mark.parametrize("profile", ["cpl-2017", "cpl", "casino-2012", "tda-2024"])
def test_H_4_a_short_all_in_is_capped_or_does_not_reopen_as_the_house_has_it(profile: str) -> None:
    text = phh("p3 cbr 200", "p1 cbr 250", "p2 cc", "p3 cbr 900", stacks=[250, 1000, 1000])
    expected = ("raise-capped", 4) if profile.startswith("cpl") else ("raise-not-reopened", 4)
    assert code(text, profile) == expected


@pytest.mark.parametrize(
    "text", ["x = [", "", "x = 1", "x = " + "[" * 9000, "x = " + "9" * 5000, "[1]\n[1]", "x = 25:00:00"]
)
def test_a_file_that_is_no_hand_history_is_refused_with_one_line(text: str) -> None:
    with pytest.raises(PhhError) as refused:
        read(text)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("field", "changed"),
    [
        ("variant", "variant = 'FT'"),
        ("variant", "variant = 5"),
        ("antes", "antes = [0, 0]"),
        ("antes", "antes = [-1, 0, 0]"),
        ("antes", "antes = 5"),
        ("blinds_or_straddles", "blinds_or_straddles = [inf, 0, 0]"),
        ("min_bet", "min_bet = 0"),
        ("min_bet", "min_bet = inf"),
        ("min_bet", "min_bet = 'x'"),
        ("min_bet", "min_bet = 1e999999"),
        ("min_bet", "min_bet = 0.000000000000000000001"),
        ("starting_stacks", "starting_stacks = [1000, 0, 1000]"),
        ("starting_stacks", "starting_stacks = [1000, nan, 1000]"),
        ("starting_stacks", "starting_stacks = [1000, true, 1000]"),
        ("starting_stacks", "starting_stacks = [1000, [], 1000]"),
        ("starting_stacks", "starting_stacks = [10000000000000000000, 1, 1000]"),
        ("actions", "actions = [1]"),
        ("actions", "actions = 'p1 f'"),
        ("_unit", "_unit = 0"),
    ],
)
def test_a_hand_with_a_bad_field_names_it_and_the_others_of_its_file_are_played(field: str, changed: str) -> None:
    text = "\n".join(changed if line.startswith(f"{field} =") else line for line in phh().splitlines())
    text += "" if changed in text else f"\n{changed}"
    bad, good = read(f"[1]\n{text}\n[2]\n{phh('p3 f')}")
    assert isinstance(bad, Unreadable) and bad.problem.code == "bad-notation"
    assert bad.problem.detail["field"] == field
    assert replay(bad, TDA, Scale()) == Replayed(None, bad.problem)
    assert replay(good, TDA, Scale()).problem is None


def test_a_hand_is_named_by_its_number_else_by_its_table() -> None:
    hands = read(f"[7]\n{phh()}\n[final]\n{phh()}\n[8]\n{phh(more='hand = 99')}\n[9]\n{phh(more='hand = true')}")
    assert [hand.name for hand in hands] == [7, "final", 99, 9]
    assert [hand.name for hand in read(phh())] == [1]


def test_too_many_players_for_a_deck_are_a_bad_hand() -> None:
    assert code(phh(stacks=[1000] * 30)) == ("bad-notation", None)


def test_H_14_the_smallest_unit_of_the_file_is_the_odd_chip() -> None:
    split = ("d dh p1 AsKd", "d dh p2 AdKs", "p3 cbr 125", "p1 cc", "p2 cc", "d db QsJcTh", "p1 cc", "p2 cc", "p3 f",
             "d db 2c", "p1 cc", "p2 cc", "d db 2d", "p1 cc", "p2 cc")  # fmt: skip
    whole = phh(*(each.replace("125", "225") for each in split))
    assert done(whole).stacks == (1000 - 225 + 338, 1000 - 225 + 337, 775)
    (first, second) = hands = read(f"[1]\n{whole}\n[2]\n{phh('p3 cbr 300.50')}")
    hand = replay(first, TDA, scale_of(hands)).hand
    assert hand is not None and hand.stacks == (111250, 111250, 77500)
    assert isinstance(second, Recorded)


@pytest.mark.parametrize(("chips", "amount"), [(4750, "47.50"), (4700, "47"), (-50, "-0.50"), (-100, "-1"), (0, "0")])
def test_amounts_come_back_with_the_places_of_the_file_or_whole(chips: int, amount: str) -> None:
    assert str(Scale(2).amount(chips)) == amount
