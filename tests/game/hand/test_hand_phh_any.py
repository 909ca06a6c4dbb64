"""PHH that nobody thought of: records changed at random, and records another program wrote."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pokerkit

from appliance.game.hand.phh import Recorded, Scale, read
from appliance.game.hand.phh_replay import replay, scale_of
from appliance.game.ruleset import PROFILES

SAMPLE = Path(__file__).parents[2] / "data" / "hands-sample.phhs"
TDA = PROFILES["tda-2024"]
AUTOMATIC = (
    pokerkit.Automation.ANTE_POSTING,
    pokerkit.Automation.BET_COLLECTION,
    pokerkit.Automation.BLIND_OR_STRADDLE_POSTING,
    pokerkit.Automation.CARD_BURNING,
    pokerkit.Automation.HAND_KILLING,
    pokerkit.Automation.CHIPS_PUSHING,
    pokerkit.Automation.CHIPS_PULLING,
)


ODD = (
    "p1",
    "p9",
    "cc",
    "f",
    "cbr",
    "sm",
    "????",
    "AhAc",
    "Ah??",
    "-",
    "inf",
    "9.99",
    "2000",
    "d",
    "dh",
    "db",
    "7c8c9c",
)


def test_H_11_whatever_is_done_to_a_record_it_is_played_or_refused_and_no_chip_is_lost() -> None:
    chance = random.Random(11)
    hands = [each for each in read(SAMPLE.read_text("utf-8")) if isinstance(each, Recorded)]
    ends = set()
    for _ in range(600):
        recorded = chance.choice(hands)
        actions = list(recorded.actions)
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(len(actions))
            words = [*actions[at].split(), ""]
            words[chance.randrange(len(words))] = chance.choice(ODD)
            changed = chance.choice([[], [" ".join(words)], [actions[at], chance.choice(actions)]])
            actions[at : at + 1] = changed or [""]
        changed_hand = msgspec.structs.replace(recorded, actions=tuple(actions))
        scale = scale_of([changed_hand])
        result = replay(changed_hand, TDA, scale)
        hand = result.hand
        assert hand is not None
        pots = 0 if hand.over and not hand.undecided else sum(pot.amount for pot in hand.pots())
        in_play = 0 if hand.over else sum(hand.bets)
        assert sum(hand.stacks) + pots + in_play == sum(map(scale.chips, recorded.stacks))
        ends.add(result.problem.code if result.problem else None)
    assert ends >= {None, "bad-notation", "not-your-turn", "hand-over"}


def test_H_11_what_pokerkit_writes_is_read_and_ends_with_its_stacks() -> None:
    chance = random.Random(0)
    variety = set()
    for _ in range(60):
        state, text = written_by_pokerkit(chance)
        (recorded,) = read(text)
        hand = replay(recorded, TDA, Scale()).hand
        assert hand is not None and hand.over
        odd = sum(len(award.shares) for award in hand.awards)
        assert all(abs(ours - theirs) < max(odd, 1) for ours, theirs in zip(hand.stacks, state.stacks, strict=True)), (
            text
        )
        variety.add((len(hand.holes), hand.street))
    assert len(variety) > 12


def written_by_pokerkit(chance: random.Random) -> tuple[pokerkit.State, str]:
    """A hand of deep stacks: of short all-ins pokerkit holds with other rules."""
    count = chance.randint(2, 6)
    blinds = [50, 100, *[0] * (count - 2)]
    if count > 3:
        blinds[chance.choice([2, -1])] = chance.choice([0, 200, -100])
    antes = chance.choice([[0] * count, [10] * count, [0, 100, *[0] * (count - 2)]])
    game = pokerkit.NoLimitTexasHoldem(AUTOMATIC, False, antes, blinds, 100)
    state = game([chance.randint(10_000, 40_000) for _ in range(count)], count)
    while state.status:
        if state.can_deal_hole():
            state.deal_hole()
        elif state.can_deal_board():
            state.deal_board()
        elif state.can_show_or_muck_hole_cards():
            state.show_or_muck_hole_cards()
        elif chance.random() < 0.2 and state.checking_or_calling_amount:
            state.fold()
        elif chance.random() < 0.3 and state.can_complete_bet_or_raise_to():
            state.complete_bet_or_raise_to(state.min_completion_betting_or_raising_to_amount)
        else:
            state.check_or_call()
    return state, pokerkit.HandHistory.from_game_state(game, state).dumps()
