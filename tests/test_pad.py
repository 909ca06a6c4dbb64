"""The dealer's keys: what each of them means in a hand (`appliance.pad`)."""

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from appliance import pad as keys
from appliance.game.commands import NextHand, decode_command
from appliance.game.refusal import Refusal
from appliance.game.round import INITIAL, decide, fold
from appliance.game.ruleset import PROFILES
from appliance.game.tablestream.commands import BeginHand, EndHand
from appliance.game.tablestream.decide import decide_table
from appliance.game.tablestream.events import InHand
from appliance.game.tablestream.fold import INITIAL_TABLE, fold_table
from appliance.pad import KEYS, At, Pad

NOW = 1_800_000_000_000
SEATS = (2, 4, 5, 9)
"""Seats by position: small blind, big blind, under the gun, button."""
NAMED = {
    "amount-first", "amounts-first", "betting-goes-on", "board-first", "board-incomplete", "cards-wanted",
    "no-hand", "not-in-pot", "not-on-turn", "seat-first", "showdown-on", "winner-first",
}  # fmt: skip
"""What the keys say themselves, before anything is asked of the hand."""


def running_round(hand=1):
    """A round in play whose table 1 has begun this hand."""
    announced = {
        "do": "announce", "venue": "brno", "starts_at": "2027-01-15T19:00:00+01:00", "profile": "cpl-2017",
        "deposit": 300, "shares": ["100"], "seats_per_table": 9, "seed": 7,
        "levels": [{"sb": 25, "bb": 50, "ante": 0, "minutes": 15}],
    }  # fmt: skip
    players = [f"{seat:06}" for seat in SEATS]
    commands = [
        announced, {"do": "open"},
        *({"do": "register", "participant": number, "identity_checked": True} for number in players),
        {"do": "start", "seats": {number: [1, seat] for number, seat in zip(players, SEATS, strict=True)}, "button": 9},
        *({"do": "next_hand", "table": 1} for _ in range(hand)),
    ]  # fmt: skip
    ledger = INITIAL
    for n, fields in enumerate(commands):
        events = decide(ledger, decode_command({"round": "R1", **fields}), NOW, str(n))
        assert isinstance(events, tuple), events
        for event in events:
            ledger = fold(ledger, event, NOW, str(n))
    return ledger.round


ROUND = running_round()


class Dealer:
    """Presses keys at a table with one tracked hand and keeps what comes of them."""

    def __init__(self, stacks=(1000, 1000, 1000, 1000), profile="cpl-2017", unit=25, begun=True, absent=()):
        self.hands, self.pad, self.round = INITIAL_TABLE, Pad(), ROUND
        self.asked = []
        self._ids = 0
        if begun:
            players = tuple(
                InHand(f"{seat:06}", seat, stack, absent=seat in absent)
                for seat, stack in zip(SEATS[: len(stacks)], stacks, strict=True)
            )
            self.give(
                BeginHand(
                    round="R1", hand=1, venue="brno", table=1, button=9, players=players, small_blind=25, big_blind=50,
                    unit=unit, rules=PROFILES[profile],
                )
            )  # fmt: skip

    @property
    def at(self):
        return At(self.hands, self.round, 1)

    @property
    def hand(self):
        return self.hands.hand

    def give(self, command):
        self._ids += 1
        events = decide_table(self.hands, command)
        if isinstance(events, Refusal):
            return events
        for event in events:
            self.hands = fold_table(self.hands, event, f"c{self._ids}")
        return None

    def press(self, *names):
        for name in names:
            before = self.pad
            pressed = keys.press(before, name, self.at)
            self.pad = pressed.pad
            if pressed.round_command is not None:
                self.asked.append(pressed.round_command)
            if pressed.table_command is not None:
                self.asked.append(pressed.table_command)
                if refusal := self.give(pressed.table_command):
                    self.pad = keys.refused(before, pressed.table_command, refusal)
        return self

    def type(self, *names):
        """As the keyboard has it."""
        for name in names:
            if key := keys.key_of(self.pad, name):
                self.press(key)
        return self

    @property
    def stacks(self):
        return [self.hands.stacks[f"{seat:06}"] for seat in SEATS if f"{seat:06}" in self.hands.stacks]

    @property
    def problem(self):
        return self.pad.problem.code if self.pad.problem else None

    @property
    def keys(self):
        return keys.keys_of(self.pad, self.at)


def test_CK_2_between_hands_one_key_asks_the_round_for_the_next():
    dealer = Dealer(begun=False)
    assert dealer.keys == ("next",)
    assert dealer.press("next").asked == [NextHand(round="R1", table=1, seen=1)], "or another begins it first"


def test_without_a_round_in_play_no_key_does_anything():
    dealer = Dealer(begun=False)
    dealer.round = None
    dealer.press(*KEYS)
    assert dealer.keys == () and dealer.asked == []


def test_H_2_all_fold_to_the_big_blind_who_takes_the_blinds():
    dealer = Dealer().press("fold", "fold", "fold")
    assert dealer.hands.current is None
    assert dealer.stacks == [975, 1025, 1000, 1000]


def test_H_3_a_raise_is_typed_as_its_total():
    dealer = Dealer().press("1", "5", "0", "raise")
    assert dealer.hand.bets[2] == 150 and dealer.pad == Pad()


def test_H_3_a_raise_that_is_too_small_is_said_and_can_be_corrected():
    dealer = Dealer().press("7", "5", "raise")
    assert (dealer.problem, dealer.pad.typed) == ("raise-too-small", "75")
    dealer.press("back", "back", "2", "00", "raise")
    assert dealer.hand.bets[2] == 200 and dealer.problem is None


def test_a_raise_without_a_number_says_so():
    assert Dealer().press("raise").problem == "amount-first"


@pytest.mark.parametrize(("profile", "bet"), [("cpl-2017", 50), ("tda-2024", 200)])
def test_H_6_chips_pushed_in_silence_are_read_by_the_house(profile, bet):
    dealer = Dealer(profile=profile).press("1", "00", "plus", "1", "00", "push")
    assert dealer.hand.bets[2] == bet


def test_H_6_one_chip_pushed_in_silence_is_a_call():
    assert Dealer().press("5", "00", "push").hand.bets[2] == 50


def test_H_4_all_in_where_nobody_can_follow_a_raise_is_a_call():
    dealer = Dealer(stacks=(1000, 2000, 3000, 6000)).press("all-in", "all-in")
    assert dealer.problem is None and dealer.hand.bets == (25, 50, 3000, 3000)


def test_all_in_and_calls_lead_to_a_board_that_next_deals_unseen():
    dealer = Dealer().press("all-in", "check-call", "fold", "fold")
    assert dealer.hand.phase == "deal-board" and dealer.hand.board == ()
    dealer.press("next", "next", "next")
    assert len(dealer.hand.board) == 5 and dealer.hand.phase == "showdown"


def test_H_14_who_wins_a_showdown_nobody_keyed_in_is_asked_pot_by_pot():
    dealer = Dealer(stacks=(100, 500, 1000, 1000)).press("all-in", "check-call", "check-call", "check-call")
    dealer.press("next", "next", "next", "win")
    assert dealer.pad.mode == "winners"
    dealer.press("5", "9", "done")  # the last side pot is split
    dealer.press("4", "done")  # the first one to seat 4
    assert dealer.press("9").problem is None
    dealer.press("done")  # the main pot to seat 9
    assert dealer.hands.current is None
    # the button's 400 of the main pot; 400 x 3 to seat 4; 2 x 500 shared
    assert dealer.stacks == [0, 1200, 500, 900]


def test_H_14_the_odd_chip_goes_to_the_first_left_of_the_button():
    dealer = Dealer().press("check-call", "check-call", "check-call", "check-call")
    for _ in range(3):
        dealer.press("next", "check-call", "check-call", "check-call", "check-call")
    dealer.press("win", "9", "5", "4", "done")  # 200 in chips of 25 among three
    assert dealer.stacks == [950, 1025, 1025, 1000]


def test_somebody_who_folded_cannot_win():
    dealer = Dealer().press("fold", "fold", "check-call", "check-call")
    for _ in range(3):
        dealer.press("next", "check-call", "check-call")
    dealer.press("win", "9")
    assert dealer.problem == "not-in-pot" and dealer.hands.current is not None
    assert dealer.press("4", "done").stacks == [950, 1050, 1000, 1000]


def test_next_at_a_showdown_asks_who_wins_where_cards_are_not_known():
    dealer = Dealer().press("all-in", "check-call", "fold", "fold", "next", "next", "next", "next")
    assert dealer.pad.mode == "winners"


def test_H_12_known_cards_settle_by_themselves():
    dealer = Dealer()
    for seat, cards in zip(("2", "4", "5", "9"), ("AsAh", "KsKh", "QsQh", "JsJh"), strict=True):
        dealer.press(seat, "seat", "cards", *cards, "done")
    dealer.press("all-in", "fold", "fold", "check-call")
    dealer.press("cards", *"2c3d4s", "done", "cards", *"7h", "done", "cards", *"9d", "done")
    dealer.press("next")
    assert dealer.hands.current is None and dealer.stacks == [975, 2025, 0, 1000]


def test_H_13_shown_cards_beat_mucked_ones():
    dealer = Dealer().press("fold", "fold", "check-call", "check-call")
    for cards in ("2c3d4s", "7h", "9d"):
        dealer.press("cards", *cards, "done", "check-call", "check-call")
    dealer.press("show")
    assert dealer.pad.mode == "cards" and dealer.pad.seat == 2
    dealer.press(*"AsAh", "done", "muck")
    assert dealer.stacks == [1050, 950, 1000, 1000]


def test_S_8_a_hand_declared_dead_needs_its_seat():
    assert Dealer().press("dead").hand.live == (0, 1, 2, 3)
    assert Dealer().press("9", "seat", "dead").hand.live == (0, 1, 2)
    assert Dealer().press("seat-9", "dead").hand.live == (0, 1, 2)


def test_a_seat_nobody_of_the_hand_sits_in_is_refused():
    assert Dealer().press("7", "seat").problem == "not-dealt-in"


def test_undo_takes_back_the_last_step_and_never_somebody_elses():
    dealer = Dealer().press("fold", "1", "undo")
    assert dealer.hand.actor is None and dealer.pad.typed == ""
    assert dealer.problem is None and "undo" not in dealer.keys
    assert dealer.press("undo").problem == "nothing-to-undo" and dealer.hands.current is not None


def test_the_end_of_a_hand_is_undone_only_while_the_round_is_at_that_hand():
    dealer = Dealer().press("fold", "fold", "fold")
    dealer.round = running_round(hand=2)
    assert dealer.press("undo").problem == "nothing-to-undo" and "undo" not in dealer.keys
    dealer.round = ROUND
    assert "undo" in dealer.keys
    assert dealer.press("undo").hands.current is not None


def test_a_hand_can_be_dropped_and_taken_up_again():
    dealer = Dealer().press("fold", "drop")
    assert dealer.hands.current is None
    assert dealer.press("undo").hand.actor == 3


def test_H_10_a_choice_that_the_rules_leave_is_made_with_the_next_key():
    dealer = Dealer(profile="cpl-2017").press("4", "00", "raise", "1", "00", "push")
    assert dealer.problem == "choice-open"
    dealer.press("check-call")
    assert dealer.problem is None and dealer.hand.bets[3] == 400


def test_letters_mean_cards_only_where_cards_are_typed():
    dealer = Dealer().type("2", "n", "k", "a", "s", "k", "d", "return")
    assert dealer.hands.current is not None and dealer.pad == Pad()
    assert dealer.hand.holes[0] != () and dealer.type("f").hand.actor == 3


@pytest.mark.parametrize("name", ["f1", "f5", "f12", "left ctrl", "", "unknown key"])
def test_keys_of_the_commissioner_are_not_the_dealers(name):
    assert keys.key_of(Pad(), name) is None and keys.key_of(Pad(mode="cards"), name) is None


def test_every_keyboard_key_has_a_meaning():
    assert set(keys.KEYBOARD.values()) <= set(KEYS)


def test_keys_offered_are_keys_or_seats():
    dealer = Dealer()
    for name in ("menu", "cards", "back"):
        assert all(key in KEYS or key.startswith("seat-") or key in "23456789" for key in dealer.press(name).keys)


PRESSED = st.lists(
    st.sampled_from([*KEYS, *(f"seat-{n}" for n in range(12)), "seat-x", "F1", "", "[", *(["next", "check-call"] * 6)]),
    max_size=80,
)
ANY_PROFILE = st.sampled_from(sorted(PROFILES))


@settings(max_examples=150, deadline=None)
@given(PRESSED, ANY_PROFILE, st.lists(st.integers(1, 4000), min_size=2, max_size=4))
def test_whatever_is_pressed_chips_stay_and_the_hand_can_be_ended(pressed, profile, stacks):
    dealer = Dealer(stacks=stacks, profile=profile)
    whole = sum(stacks)
    for name in pressed:
        dealer.press(name)
        assert whole == sum(dealer.stacks)
        if dealer.hand is not None and not dealer.hand.over:
            assert whole == sum(dealer.hand.stacks) + sum(dealer.hand.bets) + dealer.hand.paid.total
        assert dealer.keys == tuple(dict.fromkeys(dealer.keys))
    ended = end(dealer)
    assert ended.hands.current is None and sum(ended.stacks) == whole


@pytest.mark.parametrize("after", ["raise", "push", "seat", "all-in", "show", "menu"])
@pytest.mark.parametrize("typed", [("cards", "6", "h"), ("cards", "A"), ("cards", "K", "s", "seat-4")])
def test_cards_that_were_begun_are_no_amount_once_something_else_is_chosen(typed, after):
    dealer = Dealer().press(*typed, "menu")
    assert (dealer.pad.mode, dealer.pad.typed) == ("menu", "")
    assert dealer.press(after, "5", "0", "check-call").hand.facts


@settings(max_examples=60, deadline=None)
@given(PRESSED)
def test_a_tracked_hand_that_is_played_on_is_ended_with_winners(pressed):
    dealer = Dealer().press(*[key for key in pressed if key not in ("drop", "undo")])
    assert not any(isinstance(command, EndHand) and sum(command.stacks.values()) != 4000 for command in dealer.asked)
    while dealer.hands.current is not None:
        known = (dealer.hands.hand.facts, dealer.pad)
        dealer.pad = dealer.pad if dealer.pad.mode == "winners" else Pad()
        choice = next((key for key in dealer.keys if key.startswith("seat-")), "next")
        asks = dealer.pad.mode == "winners"
        dealer.press(
            *([choice, "done"] if asks and not dealer.pad.winners[-1] else ["done"] if asks else _go_on(dealer))
        )
        assert dealer.hands.current is None or known != (dealer.hands.hand.facts, dealer.pad), dealer.problem
    assert sum(dealer.stacks) == 4000


def _go_on(dealer) -> Iterable[str]:
    return ["check-call"] if "check-call" in dealer.keys else ["next"]


def end(dealer):
    """Leave whatever is asked and stop tracking."""
    return dealer.press("drop") if dealer.hands.current else dealer


def test_a_hand_in_doubt_can_be_dropped_or_taken_back():
    dealer = Dealer().press("fold")
    dealer.hands = replace(dealer.hands, now=replace(dealer.hands.now, hand=None))
    assert dealer.keys == ("undo", "drop")
    assert dealer.press("check-call").problem == "hand-in-doubt"
    assert dealer.press("undo").hand is not None


@pytest.mark.parametrize("profile", ["cpl-2017", "tda-2024"])
def test_S_8_the_first_key_is_of_the_first_player_who_is_there(profile):
    dealer = Dealer(begun=False)
    players = tuple(InHand(f"{seat:06}", seat, 1000, absent=seat == 5) for seat in SEATS)
    dealer.give(
        BeginHand(
            round="R1", hand=1, venue="brno", table=1, button=9, players=players, small_blind=25, big_blind=50,
            rules=PROFILES[profile],
        )
    )  # fmt: skip
    dealer.press("check-call")
    assert dealer.problem is None
    assert dealer.hand.bets == (25, 50, 0, 50)
    assert dealer.hand.live == (0, 1, 3)
