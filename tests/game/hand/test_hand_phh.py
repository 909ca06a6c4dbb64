"""PHH read generously and played again (H-1 to H-5, H-11 to H-14)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from appliance.game.hand.phh import Recorded, Scale, read
from appliance.game.hand.phh_replay import Replayed, replay, scale_of
from appliance.game.ruleset import PROFILES

SAMPLE = Path(__file__).parents[2] / "data" / "hands-sample.phhs"
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


def sample() -> list[Recorded]:
    hands = read(SAMPLE.read_text("utf-8"))
    assert len(hands) == 12 and all(isinstance(hand, Recorded) for hand in hands)
    return hands  # type: ignore[return-value]


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_H_11_recorded_hands_replay_without_an_error_and_no_chip_is_lost(profile: str) -> None:
    hands = sample()
    scale = scale_of(hands)
    assert scale == Scale(2)
    for recorded in hands:
        result = replay(recorded, PROFILES[profile], scale)
        assert (result.problem, result.action) == (None, None)
        assert result.hand is not None and result.hand.over and not result.hand.undecided
        assert sum(result.hand.stacks) == sum(map(scale.chips, recorded.stacks))


def test_H_11_awards_are_the_winnings_recorded_where_these_are_the_whole_pot() -> None:
    hands = sample()
    scale = scale_of(hands)
    compared = 0
    for recorded in hands:
        hand = replay(recorded, TDA, scale).hand
        assert hand is not None
        if [scale.chips(each) for each in recorded.winnings] and sum(map(scale.chips, recorded.winnings)) == sum(
            pot.amount for pot in hand.pots()
        ):
            gain = [0] * len(recorded.stacks)
            for award in hand.awards:
                for position, share in award.shares:
                    gain[position] += share
            assert gain == [scale.chips(each) for each in recorded.winnings]
            compared += 1
    assert compared == 4


def test_H_11_the_next_hand_of_a_table_starts_with_our_finishing_stacks() -> None:
    hands = sample()
    scale = scale_of(hands)
    had: dict[tuple[str, str], int] = {}
    compared = 0
    for recorded in hands:
        table = recorded.fields["table"]
        players = [(table, player) for player in recorded.fields["players"]]
        same = [
            had[player] == scale.chips(stack)
            for player, stack in zip(players, recorded.stacks, strict=True)
            if player in had
        ]
        compared += sum(same)
        hand = replay(recorded, TDA, scale).hand
        assert hand is not None
        had |= dict(zip(players, hand.stacks, strict=True))
    assert compared > 30
