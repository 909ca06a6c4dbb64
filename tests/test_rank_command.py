"""``tableside rank`` names the best hand, and who of several wins."""

from __future__ import annotations

import json

import pytest

from appliance.cli import main

FULL_HOUSE = {
    "category": "full-house",
    "cards": ["Ks", "Kd", "Kh", "7c", "7d"],
    "cs": "full house, králové na sedmách",
    "en": "full house, kings over sevens",
}


def rank(capsys, *cards: str) -> dict:
    assert main(["rank", *cards]) == 0
    out, err = capsys.readouterr()
    assert err == "" and out.count("\n") == 1
    return json.loads(out)


@pytest.mark.parametrize(
    "cards",
    [["KsKdKh7c7d"], ["Ks", "Kd", "Kh", "7c", "7d"], ["ks KD", "kH7C", "7d2c"], ["2c3c", "Ks7cKdKh7d"]],
)
def test_H_15_the_best_hand_is_one_json_object_however_the_cards_are_given(capsys, cards: list[str]) -> None:
    assert rank(capsys, *cards) == FULL_HOUSE


def test_H_15_the_object_is_written_as_the_interface_says(capsys) -> None:
    assert main(["rank", "KsKdKh7c7d"]) == 0
    assert capsys.readouterr().out == (
        '{"category":"full-house","cards":["Ks","Kd","Kh","7c","7d"],'
        '"cs":"full house, králové na sedmách","en":"full house, kings over sevens"}\n'
    )


def test_H_15_of_several_hands_the_best_one_is_told_and_which_it_is(capsys) -> None:
    answer = rank(capsys, "AsAd", "KsKd7c7d2h", "/", "KhQh", "KsKd7c7d2h")
    assert answer["winners"] == [1]
    assert {key: answer[key] for key in ("category", "cs", "en")} == {
        key: FULL_HOUSE[key] for key in ("category", "cs", "en")
    }
    assert answer["cards"] == ["Kh", "Ks", "Kd", "7c", "7d"]
    assert [hand["category"] for hand in answer["hands"]] == ["two-pair", "full-house"]
    assert answer["hands"][1] == {key: answer[key] for key in FULL_HOUSE}
    assert answer["hands"][0] == {
        "category": "two-pair",
        "cards": ["As", "Ad", "Ks", "Kd", "7c"],
        "cs": "dva páry, esa a králové",
        "en": "two pair, aces and kings",
    }


@pytest.mark.parametrize("cards", ["3s2s{0}/9h8h{0}/Kh9d{0}", "3s2s{0} /9h8h{0}/ Kh9d{0}"])
def test_H_14_H_15_hands_that_split_all_win(capsys, cards: str) -> None:
    answer = rank(capsys, cards.format("AdQdJcTsKd"))
    assert answer["winners"] == [0, 1, 2]
    assert answer["cs"] == "postupka do esa"
    board = rank(capsys, cards.format("4d5d6c4sKd"))
    assert (board["winners"], board["category"]) == ([0], "straight")


@pytest.mark.parametrize(
    ("cards", "reason"),
    [
        (["KsKdKh7c"], "a hand is ranked of 5 to 7 cards, not of 4"),
        (["KsKdKh7c7d2c3c4c"], "a hand is ranked of 5 to 7 cards, not of 8"),
        (["KsKdKh7cKS"], "Ks is there twice"),
        (["KsKdKh7c1d"], "'1d' is no card such as Ks, K♠ or 10h"),
        (["KsKdKh7c??"], "'??' is no card such as Ks, K♠ or 10h"),
        (["Ks\x1b[2JKh"], "'\\x1b[' is no card such as Ks, K♠ or 10h"),
        (["KsKdKh7c7d", "/"], "hand 2: a hand is ranked of 5 to 7 cards, not of 0"),
        (["KsKdKh7c7d/KsKdKh7c7c"], "hand 2: 7c is there twice"),
        (["/"], "hand 1: a hand is ranked of 5 to 7 cards, not of 0"),
    ],
)
def test_H_15_bad_cards_are_one_line_and_exit_2(capsys, cards: list[str], reason: str) -> None:
    assert main(["rank", *cards]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"tableside rank: {reason}\n")


def test_H_15_no_cards_at_all_are_bad_input(capsys) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["rank"])
    assert capsys.readouterr().err.count("\n") == 1


def test_json_may_be_asked_for_though_it_is_json_anyway(capsys) -> None:
    assert rank(capsys, "KsKdKh7c7d", "--json") == FULL_HOUSE
    assert rank(capsys, "--json", "KsKdKh7c7d") == FULL_HOUSE


@pytest.mark.parametrize("cards", ["K♠K♦K♥7♣7♦", "K♤ K♢ K♡ 7♧ 7♢", "K♠️ K♦️ K♥️ 7♣️ 7♦️", "Ks K♦kh7♣7d"])
def test_H_15_suits_may_be_written_by_their_signs(capsys, cards: str) -> None:
    assert rank(capsys, cards) == FULL_HOUSE
    assert rank(capsys, "10♠ 9♠ 8♠ 7♠ 6♠")["category"] == "straight-flush"


@pytest.mark.parametrize("card", ["K♪", "♠K", "K♠♠", "1♠"])
def test_H_15_what_is_no_card_names_a_card_by_both_spellings(capsys, card: str) -> None:
    assert main(["rank", f"{card} KdKh7c7d"]) == 2
    assert "no card such as Ks, K♠ or 10h" in capsys.readouterr().err


BOARD = "2c3c4c5d9h"


@pytest.mark.parametrize(
    "hands",
    [
        f"AsKd{BOARD} / AsQd{BOARD}",
        f"AsKd{BOARD} / QhQd{BOARD} / {BOARD}Ks As",
        f"AsKd{BOARD} / AsKd{BOARD}",
        f"AsKd{BOARD} / JhQd{BOARD} / AdKs2c3c4c / JhTh{BOARD}",
    ],
)
def test_H_15_two_players_do_not_hold_the_same_card(capsys, hands: str) -> None:
    assert main(["rank", hands]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and "held twice" in err


@pytest.mark.parametrize(
    "hands", [f"AsKd{BOARD} / QhQd{BOARD} / AdKs{BOARD}", "AsKd2c3c4c / AsQd2c3c4c", "2c3c4c5d6h / 2c3c4c5d6h"]
)
def test_H_15_where_nobody_can_tell_what_is_the_board_hands_are_ranked(capsys, hands: str) -> None:
    assert "winners" in rank(capsys, hands)
