"""What the dealer's keys ask before they do it, and that no key is silent (`appliance.pad`)."""

import pytest

from appliance.game.tablestream.commands import Act, Declare, Show
from appliance.i18n import LANGUAGES, Translator
from tests.test_pad import SEATS, Dealer
from tests.test_pad_words import all_in_at_the_flop


@pytest.mark.parametrize("missed", [("seat-7",), ("7", "seat"), ("seat", "7")])
@pytest.mark.parametrize("key", ["fold", "check-call", "all-in"])
def test_after_a_mistyped_seat_nobody_acts_before_the_key_is_pressed_again(missed, key):
    dealer = Dealer().press(*missed)
    assert dealer.problem == "not-dealt-in" and dealer.pad.problem.detail == {"seat": 7}
    dealer.press(key)
    assert dealer.asked == [] and dealer.problem == "seat-missed" and dealer.pad.problem.detail == {"turn": 5}
    dealer.press(key)
    assert dealer.asked[-1].position == 2 and not getattr(dealer.asked[-1], "out_of_turn", False)


def test_the_amount_that_follows_a_mistyped_seat_does_not_make_it_forgotten():
    dealer = Dealer().press("seat-7", "1", "5", "0", "raise")
    assert dealer.asked == [] and dealer.pad.typed == "150" and dealer.problem == "seat-missed"
    assert dealer.press("raise").hand.bets[2] == 150


@pytest.mark.parametrize("key", ["show", "muck"])
def test_at_the_showdown_a_mistyped_seat_is_asked_about_too(key):
    dealer = Dealer().press(*["check-call"] * 4, *(["next", *["check-call"] * 4] * 3), "seat-7", key)
    assert dealer.problem == "seat-missed" and not dealer.hand.mucked


def test_cards_after_a_mistyped_seat_are_not_the_boards_before_it_was_asked():
    dealer = all_in_at_the_flop().press("seat-7", "cards", *"AsKd2c", "done")
    assert dealer.problem == "seat-missed" and not dealer.hand.board
    assert len(dealer.press("done").hand.board) == 3


@pytest.mark.parametrize("after", [("back",), ("seat-5",), ("seat", "5", "next")])
def test_a_seat_that_is_corrected_or_taken_back_asks_nothing(after):
    assert isinstance(Dealer().press("seat-7", *after, "fold").asked[-1], Act)


def test_H_9_a_third_press_of_the_key_does_not_hit_the_player_on_turn():
    dealer = Dealer().press("seat-9", "fold", "fold", "fold")
    assert len(dealer.asked) == 1 and dealer.problem == "acted-again" and dealer.hand.actor == 2
    assert dealer.press("fold").hand.actor == 0
    assert isinstance(Dealer().press("seat-9", "fold", "fold", "check-call").asked[-1], Act)


@pytest.mark.parametrize(
    "typed", [("1", "1", "0", "raise"), ("1", "1", "0", "push"), ("7", "5", "plus", "1", "push"),
              ("1", "1", "0", "plus", "9", "00", "unclear")],
)  # fmt: skip
def test_H_14_an_amount_that_no_chips_make_is_asked_about(typed):
    dealer = Dealer(profile="tda-2024", unit=25).press(*typed)
    assert dealer.asked == [] and dealer.problem == "chips-odd" and dealer.pad.problem.detail == {"unit": 25}
    assert dealer.press(typed[-1]).asked


def test_H_14_all_in_with_an_odd_chip_is_no_question():
    for key in ("raise", "push"):
        assert Dealer(stacks=(1000, 1000, 110, 1000), profile="tda-2024").press("1", "1", "0", key).asked
    dealer = Dealer(stacks=(1000, 1000, 110, 1000), profile="tda-2024").press("all-in", "1", "1", "0", "push")
    assert len(dealer.asked) == 2, "a call of an odd all-in is one as well"


def test_odd_chips_out_of_turn_are_asked_about_twice():
    dealer = Dealer().press("seat-9", "1", "1", "0", "raise")
    assert dealer.problem == "not-on-turn"
    assert dealer.press("raise").problem == "chips-odd" and dealer.asked == []
    assert isinstance(dealer.press("raise").asked[-1], Declare)


SILENT = [
    (("plus",), "amount-first"),
    (("0",), "key-idle"),
    (("back",), "key-idle"),
    (("done",), "key-idle"),
    (("player-back",), "nobody-absent"),
    (("cards",), "cards-later"),
    (("seat-5", "show"), "cards-later"),
    (("seat-5", "cards"), "cards-later"),
]


@pytest.mark.parametrize(("keys", "code"), SILENT)
def test_no_key_is_silent_while_a_hand_is_played(keys, code):
    assert Dealer().press("check-call", *keys).problem == code


@pytest.mark.parametrize("key", ["drop", "done", "back", "plus", "seat", "cards", "menu", "5", "show", "win", "fold"])
def test_no_key_is_silent_between_hands(key):
    dealer = Dealer().press("fold", "fold", "fold", key)
    assert dealer.problem == "not-followed" and not dealer.pad.typed


def test_back_clears_what_was_said_and_says_nothing_more():
    assert Dealer().press("raise", "back").problem is None


def test_keys_that_are_no_cards_say_what_is_open():
    dealer = Dealer().press("cards", "check-call")
    assert dealer.problem == "cards-open" and dealer.asked == []
    dealer = all_in_at_the_flop().press("win", "win", "raise")
    assert dealer.problem == "winners-open"


def test_cards_that_cannot_be_told_now_leave_no_card_keys_open():
    dealer = Dealer().press("check-call", "seat-9", "cards", *"2d2h")
    assert dealer.pad.typed == "2d2h"
    dealer.press("done")
    assert (dealer.problem, dealer.pad.mode, dealer.pad.typed) == ("cards-later", "play", "")


def test_a_seat_typed_between_two_of_its_keys_is_chosen():
    dealer = Dealer().press("seat", "seat", "9", "seat")
    assert dealer.pad.seat == 9


def test_H_16_after_an_all_in_hands_are_told_one_after_another():
    dealer = Dealer(profile="tda-2024").press("all-in", *["check-call"] * 3, "next", "next", "next", "show")
    order = [dealer.pad.seat]
    for cards in ("AsKd", "AhKh", "QsQd", "2c2d"):
        dealer.press(*cards, "done")
        order.append(dealer.pad.seat)
    assert sum(isinstance(command, Show) for command in dealer.asked) == 4
    assert sorted(order[:4]) == sorted(SEATS) and order[-1] is None
    assert dealer.pad.mode == "play"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    "code", ["not-dealt-in", "seat-missed", "acted-again", "chips-odd", "key-idle", "nobody-absent", "cards-later",
             "cards-open", "winners-open", "not-followed"],
)  # fmt: skip
def test_what_the_keys_ask_is_a_sentence(code, lang):
    for detail in ({}, {"seat": 9, "turn": 5, "unit": 25}):
        said = Translator(lang).refusal(code, detail)
        assert code not in said and said.endswith(".")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_H_3_a_bet_that_is_too_small_says_how_much_it_has_to_be(lang):
    refusal = Dealer().press("7", "5", "raise").pad.problem
    assert "100" in Translator(lang).refusal(refusal.code, refusal.detail)
    refusal = Dealer().press("9", "0", "00", "raise").pad.problem
    assert Translator(lang).number(1000) in Translator(lang).refusal(refusal.code, refusal.detail)
