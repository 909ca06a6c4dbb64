"""Recorded hands of two tables, from the public PHH data set: played again they end as they did (H-11 to H-14)."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from appliance.game.hand.hand import Hand
from appliance.game.hand.phh import Recorded, Scale, read
from appliance.game.hand.phh_replay import replay, scale_of
from appliance.game.ruleset import PROFILES

SAMPLE = Path(__file__).parents[2] / "data" / "hands-sample.phhs"

NOT_THE_POT = {
    3017243630: "one who is recorded with an ante, p5, had not paid it: the pot was 2.50 less",
    3017246606: "3 of rake",
    3017249004: "the small blind's fold: what the site calls won is with the big blind's own chips nobody called",
    3017249534: "0.75 of rake",
    3017251148: "as 3017249004",
    3017251632: "as 3017249004",
    3017254774: "none recorded",
    3017252372: "none recorded",
}
"""Why the winnings of a hand are not its whole pot. Of all the others they are."""

NOT_AS_IT_ENDED = {
    (3017246606, "3wT3m+GDGtVWU1KR2MWJ1Q"): ("-2.50", "won the pot that lacked an ante, in 3017243630"),
    (3017249344, "/P+7Z0P/b7YiK60FW9dRAQ"): ("-3", "rake of 3017246606"),
    (3017250456, "eXXdS46B0E4apgZgp7gHFw"): ("2.50", "had not paid the ante of 3017243630"),
    (3017251148, "hn0FGuEKamOC4w93lkpQog"): ("-0.75", "rake of 3017249534"),
}
"""Whose stack, in which hand, differs from our end of their last one, by how much and why. No other does."""


def played(profile: str) -> list[tuple[Recorded, Hand, Scale]]:
    hands = read(SAMPLE.read_text("utf-8"))
    scale = scale_of(hands)
    assert len(hands) == 12 and scale == Scale(2)
    results = []
    for recorded in hands:
        result = replay(recorded, PROFILES[profile], scale)
        assert (result.problem, result.action) == (None, None)
        assert isinstance(recorded, Recorded) and result.hand is not None
        results.append((recorded, result.hand, scale))
    return results


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_H_11_recorded_hands_end_and_no_chip_is_lost(profile: str) -> None:
    for recorded, hand, scale in played(profile):
        assert hand.over and not hand.undecided
        assert sum(hand.stacks) == sum(map(scale.chips, recorded.stacks))


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_H_11_awards_are_the_winnings_recorded_where_these_are_the_whole_pot(profile: str) -> None:
    compared = set()
    for recorded, hand, scale in played(profile):
        winnings = [scale.chips(each) for each in recorded.winnings]
        if sum(winnings) != sum(pot.amount for pot in hand.pots()):
            continue
        gain = [0] * len(recorded.stacks)
        for award in hand.awards:
            for position, share in award.shares:
                gain[position] += share
        assert gain == winnings
        compared.add(recorded.name)
    assert compared == {recorded.name for recorded, _, _ in played(profile)} - set(NOT_THE_POT)


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_H_11_the_next_hand_of_a_table_starts_with_our_finishing_stacks(profile: str) -> None:
    had: dict[tuple[str, str], int] = {}
    differences = {}
    compared = 0
    for recorded, hand, scale in played(profile):
        table = recorded.fields["table"]
        stacks = zip(recorded.fields["players"], recorded.stacks, hand.stacks, strict=True)
        for player, started, ended in stacks:
            before = had.get((table, player))
            had[table, player] = ended
            if before is None:
                continue
            compared += 1
            if scale.chips(started) != before:
                differences[recorded.name, player] = scale.chips(started) - before
    assert differences == {key: Scale(2).chips(Decimal(amount)) for key, (amount, _) in NOT_AS_IT_ENDED.items()}
    assert compared == 38
