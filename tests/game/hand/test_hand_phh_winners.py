"""Who won pots that no cards decide, found from what a record says everybody took (H-11, H-13, H-14)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from appliance.game.hand.phh import Recorded, read
from appliance.game.hand.phh_replay import Replayed, replay, scale_of
from appliance.game.ruleset import PROFILES
from appliance.game.tablestream.phh import phh_of
from tests.game.hand.table_stream import Stream

THREE_POTS = """
variant = 'NT'
antes = [0, 0, 0, 0]
blinds_or_straddles = [50, 100, 0, 0]
min_bet = 100
starting_stacks = [700, 2000, 325, 1500]
actions = ['p3 cbr 325', 'p4 cc', 'p1 cbr 700', 'p2 cbr 2000', 'p4 cc', 'd db ??????', 'd db ??', 'd db ??']
"""
"""Pots of 1300 (all), 1125 (all but p3) and 1600 (p2, p4); 500 go back to p2."""


def replayed(text: str, profile: str = "tda-2024") -> Replayed:
    hands = read(text)
    assert isinstance(hands[0], Recorded)
    return replay(hands[0], PROFILES[profile], scale_of(hands))


def awards(played: Replayed) -> list[dict[int, int]]:
    assert played.hand is not None
    return [dict(award.shares) for award in played.hand.awards]


@pytest.mark.parametrize("said", ["finishing_stacks = [1125, 2100, 1300, 0]", "winnings = [1125, 1600, 1300, 0]"])
def test_H_11_the_one_way_to_share_the_pots_is_found(said: str) -> None:
    played = replayed(THREE_POTS + said)
    assert awards(played) == [{2: 1300}, {0: 1125}, {1: 1600}]
    assert (played.undecided, played.in_doubt) == ((), ())
    assert played.hand is not None
    assert played.hand.stacks == (1125, 2100, 1300, 0)


def test_H_14_a_split_pot_is_one_of_the_ways() -> None:
    assert awards(replayed(THREE_POTS + "finishing_stacks = [1775, 2100, 650, 0]")) == [
        {0: 650, 2: 650},
        {0: 1125},
        {1: 1600},
    ]


def test_the_winners_may_be_told_before_a_board_was_written() -> None:
    text = THREE_POTS.replace(", 'd db ??????', 'd db ??', 'd db ??'", "")
    assert awards(replayed(text + "winnings = [1125, 1600, 1300, 0]")) == [{2: 1300}, {0: 1125}, {1: 1600}]
    unfinished = replayed(text)
    assert unfinished.hand is not None
    assert (unfinished.hand.over, unfinished.undecided, unfinished.in_doubt) == (False, (0, 1, 2), (0, 1, 2, 3))


def test_where_there_are_several_ways_the_stacks_are_those_recorded_and_the_pots_stay_undecided() -> None:
    text = """
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [200, 500, 500]
actions = ['p3 cbr 500', 'p1 cc', 'p2 cc', 'd db ??????', 'd db ??', 'd db ??']
finishing_stacks = [0, 600, 600]
"""  # 600 for three, 600 for two: one each, the other way about, or both split
    played = replayed(text)
    assert awards(played) == [{}, {}]
    assert (played.undecided, played.in_doubt) == ((0, 1), ())
    assert played.hand is not None
    assert played.hand.stacks == (0, 600, 600)


@pytest.mark.parametrize("said", ["", "finishing_stacks = [4025, 500, 0, 0]", "winnings = [1, 2, 3, 4]"])
def test_where_nothing_or_nonsense_is_recorded_nobody_is_given_a_stack(said: str) -> None:
    played = replayed(THREE_POTS + said)
    assert awards(played) == [{}, {}, {}]
    assert played.undecided == (0, 1, 2)
    assert set(played.in_doubt) == {0, 1, 2, 3}


def test_a_great_many_ways_end_in_undecided_not_in_waiting() -> None:
    stacks = [100 * n for n in range(1, 11)]
    raises = [f"p{n} cbr {100 * n}" for n in range(3, 10)]
    took = [7 * n for n in range(1, 10)]  # seven of nothing that any pot could be split into
    text = f"""
variant = 'NT'
antes = {[0] * 10}
blinds_or_straddles = {[1, 2] + [0] * 8}
min_bet = 2
starting_stacks = {stacks}
actions = {[*raises, "p10 cc", "p1 cc", "p2 cc", "d db ??????", "d db ??", "d db ??"]}
winnings = {[*took, sum(stacks) - 100 - sum(took)]}
"""
    played = replayed(text)
    assert played.problem is None
    assert played.undecided == tuple(range(9))
    assert played.in_doubt == ()


@pytest.mark.parametrize("seed", range(60))
def test_what_a_dealer_told_is_found_again_in_the_export_or_said_to_be_undecided(seed: int) -> None:
    chance = random.Random(seed)
    stacks = [chance.randint(4, 40) * 25 for _ in range(chance.randint(2, 5))]
    stream = Stream().begin(*stacks, small_blind=25, big_blind=50, unit=25)
    hand = stream.state.hand
    while hand is not None and hand.phase in ("deal-hole", "betting"):
        actor = hand.actor if hand.phase == "betting" else (1 if len(stacks) == 2 else 2 % len(stacks))
        legal: Any = hand.legal()
        short = legal is not None and (legal.raise_max is None)
        stream.act(actor or 0, "check" if legal and legal.check and short else "call" if short else "all-in")
        hand = stream.state.hand
    if hand is None:
        return
    for _ in range(3):
        stream.do("deal_board")
    assert stream.state.hand is not None
    pots = stream.state.hand.pots()
    stream.do("award", winners=[chance.sample(pot.eligible, chance.randint(1, len(pot.eligible))) for pot in pots])
    told = stream.state.log[-1]
    text = phh_of(told)
    assert text is not None
    played = replayed(text)
    assert played.hand is not None
    assert told.ended is not None
    assert list(played.hand.stacks) == [told.ended.stacks[player.participant] for player in told.begun.players]
    assert (played.in_doubt, played.contradicted) == ((), ())
    if not played.undecided:
        assert played.hand.awards == tuple(fact for fact in told.facts if type(fact).__name__ == "Awarded")
