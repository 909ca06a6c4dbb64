"""The dealer's keys where a person may err: whose turn it is, what is missing, what has to be confirmed."""

import pytest

from appliance.game.tablestream.commands import Act, Award, Declare, PlayerBack
from appliance.i18n import LANGUAGES, Translator
from tests.test_pad import NAMED, Dealer


def all_in_at_the_flop():
    return Dealer().press("all-in", "check-call", "fold", "fold")


@pytest.mark.parametrize("key", ["fold", "check-call", "all-in"])
def test_H_9_a_chosen_seat_that_is_not_on_turn_acts_only_when_the_key_is_pressed_again(key):
    dealer = Dealer().press("seat-9", key)
    assert dealer.problem == "not-on-turn" and dealer.pad.problem.detail == {"seat": 9, "turn": 5}
    assert dealer.asked == [] and dealer.pad.seat == 9
    dealer.press(key)
    [command] = dealer.asked
    assert isinstance(command, Declare) and command.out_of_turn and command.position == 3
    assert dealer.problem is None


def test_H_9_a_fold_out_of_turn_binds_at_once_and_nobody_else_folds():
    dealer = Dealer(profile="tda-2024").press("seat-9", "fold", "fold")
    assert dealer.hand.live == (0, 1, 2)


def test_H_9_a_raise_out_of_turn_waits_for_its_turn():
    dealer = Dealer(profile="tda-2024").press("seat-9", "2", "00", "raise", "raise")
    assert dealer.asked[-1].amount == 200 and dealer.hand.bets[3] == 0
    assert [each.to for each in dealer.hands.now.early] == [200]
    assert dealer.pad.reading.reason == "out-of-turn-waits" and dealer.pad.reading.waits


def test_another_key_between_confirms_nothing():
    dealer = Dealer().press("seat-9", "fold", "back", "seat-9", "fold")
    assert dealer.problem == "not-on-turn" and dealer.asked == []


def test_the_chosen_seat_that_is_on_turn_acts():
    dealer = Dealer().press("seat-5", "fold")
    assert isinstance(dealer.asked[-1], Act)


@pytest.mark.parametrize("typed", [("2", "seat"), ("seat", "2"), ("seat", "2", "next"), ("seat-2",)])
def test_a_seat_is_typed_before_its_key_or_after_it(typed):
    dealer = Dealer().press(*typed)
    assert (dealer.pad.seat, dealer.pad.typed) == (2, "")


def test_an_amount_after_a_seat_that_was_named_is_an_amount():
    dealer = Dealer().press("seat", "5", "next", "1", "5", "0", "raise")
    assert dealer.hand.bets[2] == 150
    assert Dealer().press("seat", "5", "1", "5", "0", "raise").hand.bets[2] == 150


def test_a_seat_that_nobody_sits_in_is_refused_after_its_key_too():
    dealer = Dealer().press("seat", "7")
    assert dealer.problem == "not-dealt-in" and dealer.press("4").pad.seat == 4


@pytest.mark.parametrize(
    ("keys", "code"),
    [
        (("raise",), "amount-first"),
        (("push",), "amount-first"),
        (("win",), "betting-goes-on"),
        (("next",), "betting-goes-on"),
        (("show",), "betting-goes-on"),
        (("check-call", "muck"), "betting-goes-on"),
        (("dead",), "seat-first"),
        (("cards", "A", "s", "K", "d", "done"), "seat-first"),
        (("check-call", "cards", "A", "s", "done"), "cards-later"),
        (("fold", "fold", "fold", "fold"), "not-followed"),
    ],
)
def test_a_key_that_does_nothing_says_what_the_hand_waits_for(keys, code):
    assert Dealer().press(*keys).problem == code


@pytest.mark.parametrize(
    ("keys", "code"),
    [
        (("fold",), "board-first"),
        (("cards", "A", "s", "K", "d", "done"), "cards-wanted"),
        (("win",), "board-incomplete"),
        (("win", "win", "done"), "winner-first"),
        (("win", "win", "9", "back", "2"), "not-in-pot"),
        (("win", "win", "7"), "not-dealt-in"),
        (("next", "next", "next", "fold"), "showdown-on"),
    ],
)
def test_after_the_betting_a_key_that_does_nothing_says_why(keys, code):
    assert all_in_at_the_flop().press(*keys).problem == code


def test_cards_that_are_too_few_can_be_corrected():
    dealer = all_in_at_the_flop().press("cards", *"AsKd", "done")
    assert dealer.pad.problem.detail == {"wanted": 3} and dealer.pad.typed == "AsKd"
    assert len(dealer.press(*"2c", "done").hand.board) == 3


def test_H_14_pots_are_asked_for_from_the_last_side_pot_to_the_main_one():
    dealer = Dealer(stacks=(100, 500, 1000, 1000)).press("all-in", *["check-call"] * 3, *["next"] * 3, "win")
    asked = []
    for _ in range(3):
        asked.append({key for key in dealer.keys if key.startswith("seat-")})
        dealer.press("9", "done")
    assert asked == [{"seat-5", "seat-9"}, {"seat-4", "seat-5", "seat-9"}, {"seat-2", "seat-4", "seat-5", "seat-9"}]
    assert dealer.hands.current is None


def test_who_won_which_pot_is_kept_in_the_stream():
    dealer = Dealer(stacks=(100, 500, 1000, 1000)).press("all-in", *["check-call"] * 3, *["next"] * 3, "win")
    dealer.press("5", "9", "done", "4", "done", "9", "done")
    award = dealer.asked[-1]
    assert isinstance(award, Award) and [list(pot) for pot in award.winners] == [[3], [1], [2, 3]]
    assert dealer.stacks == [0, 1200, 500, 900]


def test_H_6_what_a_push_was_read_as_stays_until_the_next_action():
    dealer = Dealer(profile="tda-2024").press("1", "00", "plus", "1", "00", "push")
    reading = dealer.pad.reading
    assert (reading.seat, reading.action, reading.amount) == (5, "raise", 200)
    assert reading.reason == "several-chips-raise"
    assert dealer.press("5").pad.reading == reading
    assert dealer.press("back", "fold").pad.reading is None


def test_H_10_while_a_choice_is_open_only_it_is_offered():
    dealer = Dealer(profile="cpl-2017").press("4", "00", "raise", "1", "00", "push")
    assert dealer.keys == ("fold", "check-call", "back", "undo")
    assert dealer.press("back").pad.declared is None


def test_H_5_an_amount_with_several_meanings_is_read_by_the_rules():
    dealer = Dealer(profile="tda-2024").press("1", "00", "plus", "9", "00", "menu", "unclear")
    assert dealer.asked[-1].meanings == (100, 900) and dealer.problem is None
    assert dealer.hand.bets[2] == dealer.pad.reading.amount == 100
    assert Dealer(profile="tda-2024").press("1", "00", "unclear").problem == "amounts-first"


def test_I_14_chips_that_nobody_can_count_leave_the_choice_to_the_next_key():
    dealer = Dealer(profile="cpl-2017").press("2", "00", "menu", "uncounted")
    assert dealer.problem == "choice-open" and dealer.keys[:2] == ("fold", "check-call")
    assert dealer.press("check-call").hand.bets[2] == 50
    assert Dealer(profile="tda-2024").press("uncounted").problem == "uncounted-bet"


def test_S_8_who_comes_back_keeps_the_cards():
    dealer = Dealer(absent=(9,))
    assert "player-back" in dealer.keys
    dealer.press("player-back")
    assert isinstance(dealer.asked[-1], PlayerBack) and "player-back" not in dealer.keys
    dealer.press("fold", "fold")
    assert dealer.hands.current is not None and dealer.problem is None


def test_S_8_of_several_absent_players_the_seat_has_to_be_chosen():
    dealer = Dealer(absent=(5, 9)).press("player-back")
    assert dealer.problem == "seat-first"
    assert dealer.press("seat-9", "player-back").problem is None


def test_H_16_nobody_is_offered_to_muck_after_an_all_in():
    assert "muck" not in Dealer(profile="tda-2024").press("all-in", *["check-call"] * 3, *["next"] * 3).keys
    dealer = Dealer(profile="tda-2024").press(*["check-call"] * 4, *(["next", *["check-call"] * 4] * 3))
    assert "muck" in dealer.keys


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("code", sorted(NAMED))
def test_every_reason_of_the_keys_is_a_sentence(code, lang):
    said = Translator(lang).refusal(code, {"seat": 9, "turn": 5, "wanted": 3})
    assert code not in said and said.endswith(".")
