"""Results beside those reckoned by hand from the rules: T-5 to T-8, T-10, CK-6, LG-10, P."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import pytest

PROFILES = ("cpl-2017", "cpl", "casino-2012", "tda-2024")
ROOMS = ("casino-2012", "tda-2024")

SHARES = (
    ["50", "30", "20"],
    ["33.33", "33.33", "33.34"],
    ["100"],
    ["40", "25", "15", "10", "6", "4"],
    ["12.5"] * 8,
    ["37.25", "22.5", "15.125", "10.125", "8", "7"],
)

Out = tuple[int, int | None]
"""A player and the stack at the start of the hand, None where nobody knows it."""


def number(n: int) -> str:
    """Registration number n."""
    return f"{n:06d}"


def prizes(pool: int, shares: Sequence[str], ranked: int) -> list[int]:
    """T-5 word for word: floor, then the left-over crowns to the largest remainders, ties to the better place."""
    paid = [Fraction(share) for share in shares[:ranked]]
    exact = [pool * share / sum(paid) for share in paid]
    whole = [math.floor(amount) for amount in exact]
    for place in sorted(range(len(paid)), key=lambda place: (whole[place] - exact[place], place))[: pool - sum(whole)]:
        whole[place] += 1
    return whole + [0] * (ranked - len(whole))


def points(field: int, place: int) -> int:
    """The key of RULES §6: 120 less 5 for each player under 16, 5 less a place, the better half, and 10 for all."""
    winner = 120 - 5 * max(0, 16 - field)
    return 10 + (max(0, winner - 5 * (place - 1)) if 2 * place <= field + 1 else 0)


def in_groups(out: Iterable[Out], *, shared: bool = False) -> list[list[int]]:
    """Those out in one hand from the lowest place up (T-7): by stack, but all share if one is not known."""
    out = list(out)
    if shared or any(stack is None for _, stack in out):
        return [[player for player, _ in out]] if out else []
    return [[p for p, stack in out if stack == worth] for worth in sorted({stack for _, stack in out if stack})]


def table_of(groups: Iterable[Sequence[int]], pool: int, shares: Sequence[str], field: int) -> set[Any]:
    """(place, participant, prize, points) of groups that share, from the lowest place up."""
    groups = [sorted(group) for group in groups if group]
    last = sum(len(group) for group in groups)
    by_place, rows = prizes(pool, shares, last), set()
    for group in groups:
        places = range(last - len(group) + 1, last + 1)
        each, left_over = divmod(sum(by_place[place - 1] for place in places), len(group))
        mean = Fraction(sum(points(field, place) for place in places), len(group))
        halves = math.ceil(2 * mean)
        shown = f"{halves // 2}.5" if halves % 2 else str(halves // 2)
        rows |= {(places[0], number(p), each + (turn < left_over), shown) for turn, p in enumerate(group)}
        last -= len(group)
    return rows


def told(evening: Any) -> set[Any]:
    return {(r["place"], r["participant"], r["prize"], r["points"]) for r in evening.report()["results"]}


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("seed", range(12))
def test_T_5_T_6_T_7_T_8_LG_10_P_results_are_those_reckoned_by_hand(new_evening, profile: str, seed: int) -> None:
    """Hands told late, stacks unknown or equal, deposits raised, void participations and early ends among them."""
    rng = random.Random(f"{profile} {seed}")
    field, shares, deposit = rng.randint(3, 10), rng.choice(SHARES), rng.randint(50, 130)
    evening = new_evening().seated(
        range(1, field + 1), profile=profile, shares=shares, deposit=deposit, seats_per_table=10
    )
    left, pool, hand = set(range(1, field + 1)), field * deposit, 5
    out: dict[int, list[Out]] = {}
    while len(left) > rng.choice([1, 1, 2]):
        hand += rng.randint(1, 3)
        played = hand - rng.choice([0, 0, 0, 4])
        for player in rng.sample(sorted(left), min(rng.choice([1, 1, 2, 3]), len(left) - 1)):
            stack = rng.choice([None, 100, 200, 200, 300])
            evening.bust(player, table=1, hand=played, **({} if stack is None else {"stack": stack}))
            out.setdefault(played, []).append((player, stack))
            left.discard(player)
        if len(left) > 1 and rng.random() < 0.3:
            raised = rng.randint(1, 60)
            evening.do("deposit", participant=number(min(left)), amount=raised)
            pool += raised
    stacks = {player: rng.choice([1000, 2000, 3000]) for player in sorted(left)}
    if len(left) > 1:
        evening.do("end_early", reason="late", stacks={number(p): chips for p, chips in stacks.items()})
    void = set(rng.sample(range(1, field + 1), rng.choice([0, 0, 1, 2])))
    for player in sorted(void):
        evening.do("void", participant=number(player), reason="another's card")
    hands = [[one for one in out[played] if one[0] not in void] for played in sorted(out)]
    groups = [group for together in hands for group in in_groups(together)]
    groups += in_groups((player, chips) for player, chips in stacks.items() if player not in void)
    assert told(evening) == table_of(groups, pool, shares, field)
    assert (evening.report()["state"], evening.report()["pool"]) == ("finished", pool)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("seed", range(6))
def test_T_7_CK_6_rounds_of_hands_rank_as_one_hand_whatever_the_order_of_entry(
    new_evening, profile: str, seed: int
) -> None:
    rng = random.Random(f"{profile} {seed}")
    at = {table: list(range(6 * table - 5, 6 * table + 1)) for table in (1, 2, 3)}
    evening = new_evening().seated(*(tuple(seats) for seats in at.values()), profile=profile)
    hand = dict.fromkeys(at, 0)

    def deal() -> None:
        for table in rng.sample(sorted(at), len(at)):
            hand[table] += 1
            evening.do("next_hand", table=table)

    deal()
    evening.do("hand_for_hand", on=True)
    rounds: list[list[Out]] = []
    late: list[dict[str, Any]] = []
    for nth in range(3):
        if nth or profile != "tda-2024":  # there the hand in play is the first round
            deal()
        rounds.append([])
        for table, seats in at.items():
            for player in rng.sample(seats, rng.choice([0, 1, 1]) if len(seats) > 3 else 0):
                seats.remove(player)
                stack = rng.choice([100, 200, 200, None])
                rounds[-1].append((player, stack))
                late.append({"n": player, "table": table, "hand": hand[table], "stack": stack})
        rng.shuffle(late)
        while late and (nth == 2 or rng.random() < 0.5):
            evening.bust(**{key: value for key, value in late.pop().items() if value is not None})
    groups = [group for out in rounds for group in in_groups(out, shared=profile == "tda-2024")]
    last, expected = 18, set()
    for group in groups:
        expected |= {(last - len(group) + 1, player) for player in group}
        last -= len(group)
    assert set(evening.places()) == expected


@pytest.mark.parametrize("profile", ROOMS)
def test_T_10_the_report_tells_what_a_deal_gives_before_anybody_else_is_out(evening, profile: str) -> None:
    """Otherwise the offer and the agreement could be seen only once the places are known."""
    stacks = {number(1): 20_000, number(2): 10_000, number(3): 10_000}
    evening.started(10, profile=profile)
    for n in range(10, 3, -1):
        evening.bust(n)
    assert "deal" not in evening.report()
    evening.do("deal", kind="icm", consents=list(stacks), stacks=stacks)
    amounts = {number(1): 384, number(2): 308, number(3): 308}
    assert evening.report()["deal"] == {"kind": "icm", "amounts": amounts}
    evening.bust(1).do("void", participant=number(2), reason="another's card")
    # two of them are left to the prizes of the first two places, 800 CZK, in proportion to 384 and 308
    assert evening.report()["deal"] == {"kind": "icm", "amounts": {number(1): 444, number(3): 356}}
    assert sum(row["prize"] for row in evening.report()["results"]) == 1000
    assert "deal" not in evening.do("undo", n=3).report()
