"""What the specification of PHH allows, and what its public records hold, spelled every way it may be (H-1 to H-16)."""

from __future__ import annotations

import pytest

from appliance.game.hand.phh import UNKNOWN_STACK, Recorded, Scale, Unreadable, read
from appliance.game.hand.phh_replay import Replayed, replay, scale_of
from appliance.game.ruleset import PROFILES
from tests.game.hand.test_hand_phh import RIVER, code, done, phh, played

TDA = PROFILES["tda-2024"]
ALL_IN = ("d dh p1 AsAd", "d dh p2 KsKd", "d dh p3 ????", "p3 f", "p1 cbr 1000", "p2 cc")


def test_H_1_cards_may_be_dealt_one_by_one() -> None:
    deal = ("d dh p1 As", "d dh p2 Ks", "d dh p3 ??", "d dh p1 Ad", "d dh p2 Kd", "d dh p3 ??")
    flop = ("d db 2c", "# a card of another back", "d db 7d", "d db 9h # the last")
    rest = [*RIVER[:3], *flop, *RIVER[4:]]
    hand = done(phh(*deal, *rest))
    assert (hand.over, len(hand.board), hand.stacks) == (True, 5, (1200, 800, 1000))
    two = ("d db 2c7d", "d db 9h")
    assert done(phh(*deal, *RIVER[:3], *two, *RIVER[4:])).board == hand.board


def test_H_1_a_flop_of_two_cards_is_refused_and_a_record_may_end_within_one() -> None:
    assert code(phh(*RIVER[:3], "d db 2c7d", "p1 cc")) == ("bad-notation", 4)
    assert done(phh(*RIVER[:3], "d db 2c7d")).board == ()


@pytest.mark.parametrize("board", [["2c7d9hJs3s"], ["2c7d9h", "Js3s"], ["2c 7d 9h Js", "3s"], ["2c7d9h", "Js", "3s"]])
def test_H_1_the_rest_of_the_board_may_be_dealt_at_once_when_all_are_all_in(board: list[str]) -> None:
    hand = done(phh(*ALL_IN, *(f"d db {cards}" for cards in board)))
    assert (hand.over, hand.stacks) == (True, (2000, 0, 1000))


def test_H_1_more_than_a_street_at_once_is_refused_while_there_is_betting() -> None:
    assert code(phh(*RIVER[:3], "d db 2c7d9hJs")) == ("bad-notation", 4)


def test_H_2_of_equal_blinds_the_second_is_the_big_one() -> None:
    hand = done(phh("p3 cc", "p1 cc", "p2 cc", "d db 2c3c4c", blinds=[100, 100, 0]))
    assert (hand.street, hand.actor) == (1, 0)
    assert done(phh(stacks=[1000, 1000], blinds=[100, 100])).actor == 1


@pytest.mark.parametrize("blinds", [[50, 100, 0, -50, -100], [0, 100, 0, -100, 0], [50, 100, -25, 0, 0]])
def test_H_2_posts_as_online_records_have_them_leave_the_order_as_it_is(blinds: list[int]) -> None:
    hand = done(phh("p3 cc", "p4 cc", "p5 cbr 300", "p1 f", "p2 f", stacks=[1000] * 5, blinds=blinds))
    assert (hand.actor, hand.legal().call) == (2, 200)


def test_H_2_antes_alone_make_a_pot_and_the_first_left_of_the_button_begins() -> None:
    text = phh("p1 cc", "p2 cc", "p3 cc", "d db 2c3c4c", "p1 cbr 100", blinds=[0, 0, 0])
    hand = done(text.replace("antes = [0, 0, 0]", "antes = [100, 100, 100]"))
    assert (hand.actor, sum(pot.amount for pot in hand.pots())) == (1, 300)


def test_H_5_a_big_blind_recorded_as_the_chips_that_were_left_is_the_least_to_call() -> None:
    deal = ["d dh p1 ????", "d dh p2 ????", "d dh p3 ????"]
    text = phh(*deal, "p3 cc", "p1 cc", "d db 2c3c4c", stacks=[1000, 35, 1000], blinds=[50, 35, 0])
    hand = done(text.replace("min_bet = 100", "min_bet = 50"))
    assert [pot.amount for pot in hand.pots()] == [105, 30]


def test_H_11_a_short_big_blinds_ante_may_have_been_paid_before_the_blind() -> None:
    ante = "antes = [0, 0, 0]", "antes = [0, 100, 0]"
    first = phh("p3 cc", "p1 cc", "p2 cbr 120", stacks=[1000, 150, 1000]).replace(*ante)
    assert code(first) == ("not-your-turn", 3)
    ante_first = done(phh("p3 cc", "p1 cc", "d db 2c3c4c", stacks=[1000, 150, 1000]).replace(*ante))
    assert ante_first.paid.bets == (100, 100, 100)
    said = phh("p3 cbr 300", "p1 f", "d db 2c3c4c", stacks=[1000, 150, 1000], blinds=[0, 100, 0]).replace(*ante)
    assert done(said).paid.dead == 50
    heads_up = phh("d db 2c3c4c", stacks=[130, 1000]).replace("antes = [0, 0]", "antes = [0, 100]")
    assert (done(heads_up).paid.bets, done(heads_up).paid.dead) == ((30, 30), 100)


def test_H_13_one_card_of_a_hand_may_be_told_at_the_showdown() -> None:
    hand = done(phh("d dh p1 AsAd", "d dh p2 KsKd", *RIVER, "p1 sm As", "p2 sm KsKd"))
    assert (hand.mucked, hand.stacks) == ((0,), (800, 1200, 1000))


UNSEEN = (*RIVER, "p1 sm ????", "p2 sm ????")


def test_H_13_a_pot_no_cards_decide_goes_as_the_finishing_stacks_say() -> None:
    said = done(phh(*UNSEEN, more="finishing_stacks = [800, 1200, 1000]"))
    assert (said.undecided, said.stacks) == (False, (800, 1200, 1000))
    shared = done(phh(*UNSEEN, more="finishing_stacks = [1000, 1000, 1000]\nwinnings = [0, 0, 0]"))
    assert (shared.undecided, shared.stacks) == (False, (1000, 1000, 1000))
    for wrong in ("[800, 1190, 1000]", "[800, 1200]", "[800, 800, 1400]", "[400, 1600, 1000]", "[inf, 1, 1]", "'x'"):
        assert done(phh(*UNSEEN, more=f"finishing_stacks = {wrong}")).undecided


def test_H_13_several_pots_no_cards_decide_go_the_one_way_that_was_recorded() -> None:
    actions = ("p3 cbr 1000", "p1 cc", "p2 cc", "d db 2c7d9h", "d db Js", "d db 3s")
    unseen = done(phh(*actions, stacks=[300, 1000, 1000]))
    assert (unseen.undecided, len(unseen.awards)) == (True, 2)
    said = done(phh(*actions, stacks=[300, 1000, 1000], more="winnings = [0, 2300, 0]"))
    assert (said.undecided, said.stacks) == (False, (0, 2300, 0))
    assert done(phh(*actions, stacks=[300, 1000, 1000], more="winnings = [2300, 0, 0]")).undecided
    parted = done(phh(*actions, stacks=[300, 1000, 1000], more="winnings = [900, 1400, 0]"))
    assert [award.shares for award in parted.awards] == [((0, 900),), ((1, 1400),)]


@pytest.mark.parametrize("winnings", ["[0, 0]", "[0, -5, 0]", "'none'", "[nan, 0, 0]", "[true, 0, 0]", "[1e400, 0, 0]"])
def test_winnings_that_cannot_be_read_are_no_reason_not_to_play_the_hand(winnings: str) -> None:
    assert done(phh("p3 f", "p1 f", more=f"winnings = {winnings}")).stacks == (950, 1050, 1000)


def test_H_14_amounts_of_any_precision_stay_exact() -> None:
    stacks = "starting_stacks = [1000, 1000, 1000]"
    text = phh("p3 cbr 1e3", "p1 f", "p2 f").replace(stacks, "starting_stacks = [133.333333333333336, 1_000, 1.0E+3]")
    hands = read(text)
    scale = scale_of(hands)
    (hand,) = (replay(each, TDA, scale).hand for each in hands)
    assert scale == Scale(15) and hand is not None
    assert [str(scale.amount(each)) for each in hand.stacks] == ["83.333333333333336", "900", "1150"]
    largest = read(phh().replace("1000, 1000, 1000", "999999999999999.00000000000000000001, inf, 1000"))
    scale = scale_of(largest)
    assert isinstance(largest[0], Recorded) and scale.chips(largest[0].stacks[0]) == 99999999999999900000000000000000001
    assert str(scale.amount(99999999999999900000000000000000001)) == "999999999999999.00000000000000000001"
    assert UNKNOWN_STACK // 2 > 22 * 10**15 * 10**20


SPELLED = """\
# a comment of TOML
"variant" = \"\"\"NT\"\"\"
antes=[ 0,0 , 0, ]   # none
blinds_or_straddles = [
  0.50,   # small
  1,
  0.0,
]
min_bet = 1
starting_stacks = [100, 1_00.0, +1e2]
actions = ["d dh p1 ????", 'd dh p2 ????', '''d dh p3 ????''', "p3\\tcbr  3.50   # an open", "p1 f", " p2 f ", "",
  '# the end',
]
_mine.deep = {x = [1, {y = 2}]}
time = 07:32:00
currency = "USD"
"""


@pytest.mark.parametrize("changed", [("", ""), ("\n", "\r\n")])
def test_a_record_may_be_spelled_in_any_way_of_toml(changed: tuple[str, str]) -> None:
    hand = done(SPELLED.replace(*changed) if changed[0] else SPELLED)
    assert hand.stacks == (9950, 9900, 10150)


def test_what_may_be_left_out_is_left_out() -> None:
    (least,) = read("variant = 'NT'\nblinds_or_straddles = [1, 2, 0]\nstarting_stacks = [9, 9, 9]")
    assert isinstance(least, Recorded) and replay(least, TDA, Scale()).hand is not None
    assert (least.min_bet, least.antes, least.actions) == (2, (0, 0, 0), ())


def test_the_hands_of_a_file_may_have_any_names_and_lie_in_tables() -> None:
    hand = phh("p3 f", "p1 f")
    hands = read(
        f"title = 'evening'\n[_mine]\nvariant = 'x'\n['table 5 / 1']\n{hand}\n[day.1]\n{hand}\n[day.2]\n{hand}\n"
        f"[[x]]\n{hand}\n[[x]]\n{hand}"
    )
    assert [each.name for each in hands] == ["table 5 / 1", "day.1", "day.2", "x", "x.1"]
    assert all(replay(each, TDA, Scale()).problem is None for each in hands)


VARIANTS = ("FT", "NS", "PO", "FO/8", "F7S", "F7S/8", "FR", "N2L1D", "F2L3D", "FB")


def test_other_variants_are_named_and_the_rest_of_the_file_is_played() -> None:
    other = "blinds_or_straddles = [1, 2]\nsmall_bet = 2\nbig_bet = 4\nstarting_stacks = [9, 9]\nactions = ['p1 sd']\n"
    text = "".join(f"['{name}']\nvariant = '{name}'\n{other}" for name in VARIANTS)
    hands = read(f"[1]\n{phh('p3 f')}\n{text}\n[2]\n{phh('p3 f')}")
    results: list[Replayed] = [replay(each, TDA, scale_of(hands)) for each in hands]
    assert results[0].problem is None and results[-1].problem is None
    for name, result, hand in zip(VARIANTS, results[1:-1], hands[1:-1], strict=True):
        assert isinstance(hand, Unreadable) and result.hand is None and result.problem is not None
        assert (result.problem.code, result.problem.detail) == ("bad-notation", {"field": "variant", "reason": name})


def test_H_4_a_record_is_not_read_more_kindly_than_the_rules_are() -> None:
    ante = "antes = [0, 0, 0]", "antes = [0, 100, 0]"
    for actions, expected in (
        (["p3 cbr 150"], ("raise-too-small", 1)),
        (["p3 cbr 1001"], ("not-enough-chips", 1)),
        (["p1 f"], ("not-your-turn", 1)),
    ):
        for stacks in ([1000] * 3, [1000, 150, 1000]):
            assert code(phh(*actions, stacks=stacks).replace(*ante)) == expected
    assert played(phh("p3 cbr 150").replace(*ante)).hand is not None


KNOWN = ("d dh p1 AsAd", "d dh p2 KsKd", *RIVER)


def test_H_13_hands_dealt_and_then_shown_as_unknown_are_decided_by_their_cards() -> None:
    """As of a site whose logs deal the cards and tell no showdown."""
    assert done(phh(*KNOWN, "p1 sm ????", "p2 sm ????")).stacks == (1200, 800, 1000)
    assert done(phh(*KNOWN, "p2 sm ????", "p1 sm ????")).stacks == (1200, 800, 1000)
    unlike = done(phh("d dh p2 KsKd", *RIVER, "p1 sm ????", "p2 sm ????"))
    assert (unlike.stacks, unlike.shown) == ((800, 1200, 1000), (1,))


def test_H_13_who_keeps_known_cards_from_one_who_shows_gives_up_the_claim() -> None:
    for show in (("p1 sm ????", "p2 sm KsKd"), ("p2 sm KsKd", "p1 sm ????")):
        assert done(phh(*KNOWN, *show)).stacks == (800, 1200, 1000)


def test_H_13_an_unknown_hand_that_won_by_the_record_won() -> None:
    shown = (*RIVER, "p1 sm AsAd", "p2 sm ????")
    assert done(phh(*shown)).stacks == (1200, 800, 1000)
    assert done(phh(*shown, more="winnings = [0, 400, 0]")).stacks == (800, 1200, 1000)
    assert done(phh(*shown, more="finishing_stacks = [1000, 1000, 1000]")).stacks == (1000, 1000, 1000)
    for nothing in ("[0, 0, 0]", "[380, 0, 0]", "[0, 380, 0]", "[400, 0, 0]", "[0, 0, 400]"):
        assert done(phh(*shown, more=f"winnings = {nothing}")).stacks == (1200, 800, 1000)


def test_H_13_known_cards_and_mucked_hands_are_not_overruled_by_the_record() -> None:
    shown = (*RIVER, "p1 sm AsAd", "p2 sm KsKd")
    assert done(phh(*shown, more="winnings = [0, 400, 0]")).stacks == (1200, 800, 1000)
    assert done(phh(*RIVER, "p1 sm AsAd", "p2 sm", more="winnings = [0, 400, 0]")).stacks == (1200, 800, 1000)
    assert done(phh("p3 f", "p1 f", more="winnings = [150, 0, 0]")).stacks == (950, 1050, 1000)


def test_H_2_heads_up_blinds_listed_the_other_way_round_are_posted_so() -> None:
    """As of a log whose button is not where it should be: the first player has the small blind, and begins."""
    hand = done(phh("p1 f", stacks=[1000, 1000], blinds=[100, 50]))
    assert hand.stacks == (950, 1050)


def test_H_8_a_post_above_the_big_blind_is_what_there_is_to_call() -> None:
    """As of a log that writes a live and a dead post as one."""
    actions = ("p3 cc", "p4 cc", "p5 cbr 250", "p1 f", "p2 f", "p3 cc", "p4 f", "d db 2c3c4c", "p3 cbr 100", "p5 f")
    hand = done(phh(*actions, stacks=["inf"] * 5, blinds=[50, 100, -150, 0, 0]))
    assert [(award.amount, award.shares) for award in hand.awards] == [(800, ((2, 800),))]


def test_H_1_a_record_without_stacks_may_end_before_the_last_bets() -> None:
    hand = done(phh("d dh p1 AsAd", "d dh p2 KsKd", *RIVER[:10], stacks=["inf"] * 3))
    assert (hand.street, hand.over, [pot.amount for pot in hand.pots()]) == (3, False, [200])


def test_H_5_who_covers_a_short_big_blind_already_need_not_be_told_to_call() -> None:
    short = {"stacks": [1000, 40, 1000]}
    for called in ((), ("p1 cc",)):
        hand = done(phh("p3 f", *called, "d db 2c3c4c", **short))
        assert (hand.stacks, [pot.amount for pot in hand.pots()]) == ((960, 0, 1000), [80])
    assert done(phh("p3 f", "p1 f", **short)).stacks == (950, 90, 1000)
    assert code(phh("p3 f", "d db 2c3c4c", stacks=[1000, 60, 1000])) == ("not-your-turn", 2)
