"""Proposed structures: levels that the chips can pay, breaks and colour-ups (CK-1, CK-5, T-16)."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.game.chiprace import ChipRace, race
from appliance.game.chipset import handed_out, in_play_from_the_start, leaves, starting_stack
from appliance.game.ladder import Blinds, Span, doublings, ladder
from appliance.game.ruleset import PROFILES
from appliance.game.structure import Structure, Wish, WishError, propose

TOURNAMENTS = [name for name, rules in PROFILES.items() if rules.tournament]
T25 = dict.fromkeys((25, 100, 500, 1000, 5000))


def wish(**changes) -> Wish:
    """Eighteen players with 4000 chips for four hours, under the rule of the league."""
    usual = {"players": 18, "stack": 4000, "chips": T25, "minutes": 240, "small_blind": "half"}
    return Wish(**{**usual, **changes})


def blinds(structure: Structure) -> list[tuple[int, int]]:
    return [(entry.sb, entry.bb) for entry in structure.levels if entry.pause is None]


def levels(structure: Structure) -> list:
    return [entry for entry in structure.levels if entry.pause is None]


@st.composite
def wishes(draw):
    """Wishes as a floor manager may have them; some cannot be met."""
    usual = st.sampled_from([(25, 100, 500, 1000, 5000), (100, 500, 1000, 5000), (5, 25, 100, 500), (1, 5, 25, 100)])
    odd = st.lists(st.integers(1, 120), min_size=1, max_size=5, unique=True)
    chips = draw(st.one_of(usual, usual, odd))
    count = st.one_of(st.none(), st.none(), st.integers(20, 2000))
    return Wish(
        players=draw(st.integers(3, 90)),
        stack=draw(st.one_of(st.sampled_from([2000, 4000, 20_000, 1500]), st.integers(1, 40).map(lambda n: 500 * n))),
        chips={chip: draw(count) for chip in draw(st.permutations(list(chips)))},
        minutes=draw(st.one_of(st.integers(90, 480), st.integers(5, 1440))),
        small_blind=draw(st.sampled_from(["half", "at-most-big"])),
        level_minutes=draw(st.one_of(st.none(), st.none(), st.sampled_from([8, 10, 15, 20, 30]))),
        ante=draw(st.sampled_from(["none", "player", "bb"])),
        break_every=draw(st.sampled_from([0, 1, 3, 4, 6])),
        break_unit="levels",
        break_minutes=draw(st.sampled_from([5, 10, 15, 20])),
    )


def proposed(asked: Wish) -> Structure | None:
    try:
        return propose(asked)
    except WishError:
        return None


@settings(max_examples=250, deadline=None)
@given(asked=wishes())
def test_CK_1_blinds_grow_by_a_fifth_to_double_and_keep_the_rule_of_the_profile(asked: Wish) -> None:
    found = proposed(asked)
    if found is None:
        return
    for (_, bb), (_, higher) in pairwise(blinds(found)):
        assert Fraction(6, 5) <= Fraction(higher, bb) <= 2
    for sb, bb in blinds(found):
        assert 0 < sb <= bb
        if asked.small_blind == "half":
            assert 2 * sb == bb


@settings(max_examples=250, deadline=None)
@given(asked=wishes())
def test_CK_5_every_level_can_be_paid_with_the_chips_still_in_play(asked: Wish) -> None:
    found = proposed(asked)
    if found is None:
        return
    in_play = {chip for chip in asked.chips if chip >= min(found.starting_stack)}
    leaving = list(found.colour_ups)
    for number, level in enumerate(levels(found), 1):
        while leaving and leaving[0].before_level == number:
            change = leaving.pop(0)
            assert change.denomination == min(in_play)
            in_play.remove(change.denomination)
            assert change.to in in_play
            assert isinstance(race(change.denomination, change.to, {}, [], {}), ChipRace)
        for amount in (level.sb, level.bb, level.ante):
            assert amount % min(in_play) == 0
    assert not leaving


@settings(max_examples=150, deadline=None)
@given(asked=wishes())
def test_CK_5_colour_ups_are_in_the_breaks_and_as_early_as_the_later_levels_allow(asked: Wish) -> None:
    found = proposed(asked)
    if found is None:
        return
    breaks = [number for number, entry in enumerate(found.levels, 1) if entry.pause is not None]
    for change in found.colour_ups:
        if not breaks:
            assert change.entry is None
            continue
        assert change.entry in breaks
        before = [entry for entry in found.levels[: change.entry] if entry.pause is None]
        assert change.before_level == len(before) + 1
    if any(count is not None for count in asked.chips.values()) or not breaks:
        return
    # what was not proposed in the last break is needed after it, or has nothing it could be changed to
    last = found.levels[breaks[-1] :]
    left = sorted({chip for chip in asked.chips if chip >= min(found.starting_stack)})
    left = left[len(found.colour_ups) :]
    if len(left) > 1 and any(chip % left[0] == 0 for chip in left[1:]):
        assert any(amount % left[1] for entry in last for amount in (entry.sb, entry.bb, entry.ante))


@settings(max_examples=250, deadline=None)
@given(asked=wishes())
def test_T_16_the_whole_is_within_one_level_of_the_wish(asked: Wish) -> None:
    found = proposed(asked)
    if found is None:
        return
    length = found.levels[0].minutes
    assert all(level.minutes == length for level in levels(found))
    assert length == asked.level_minutes or asked.level_minutes is None
    assert found.minutes == sum(entry.minutes or entry.pause for entry in found.levels)
    assert abs(found.minutes - asked.minutes) <= length
    assert found.levels[-1].pause is None


@settings(max_examples=150, deadline=None)
@given(asked=wishes())
def test_CK_1_a_starting_stack_is_made_of_the_chips_there_are_and_worth_fifty_big_blinds(asked: Wish) -> None:
    found = proposed(asked)
    if found is None:
        return
    assert sum(chip * count for chip, count in found.starting_stack.items()) == asked.stack
    for chip, count in found.starting_stack.items():
        assert count > 0 and (asked.chips[chip] is None or asked.players * count <= asked.chips[chip])
    first = blinds(found)[0][1]
    lowest = min(found.starting_stack) * (2 if asked.small_blind == "half" else 1)
    assert 50 * first <= asked.stack or first == lowest


@settings(max_examples=100, deadline=None)
@given(asked=wishes(), data=st.data())
def test_T_16_the_same_wish_gives_the_same_structure(asked: Wish, data) -> None:
    other = dict(data.draw(st.permutations(list(asked.chips.items()))))
    assert proposed(msgspec.structs.replace(asked, chips=other)) == proposed(asked)


@settings(max_examples=100, deadline=None)
@given(asked=wishes())
def test_CK_1_antes_begin_after_a_third_and_never_fall(asked: Wish) -> None:
    found = proposed(asked)
    if found is None:
        return
    rows = levels(found)
    antes = [level.ante for level in rows]
    assert antes == sorted(antes)
    assert not any(antes[: max(1, len(rows) // 3)])
    if asked.ante == "none":
        assert not any(antes)
    elif asked.ante == "bb":
        assert all(level.ante in (0, level.bb) for level in rows) and (len(rows) < 2 or antes[-1])
    else:
        assert all(6 * level.ante <= level.bb for level in rows)


@pytest.mark.parametrize("profile", TOURNAMENTS)
@pytest.mark.parametrize("ante", ["none", "player", "bb"])
@settings(max_examples=12, deadline=None)
@given(asked=wishes())
def test_CK_1_what_is_proposed_can_be_announced(new_evening, profile: str, ante: str, asked: Wish) -> None:
    rule = PROFILES[profile].small_blind
    found = proposed(msgspec.structs.replace(asked, small_blind=rule, ante=ante))
    if found is None:
        return
    entries = msgspec.to_builtins(found.levels)
    named = {} if ante == "none" else {"ante_by": ante}
    evening = new_evening().announce(profile=profile, levels=list(entries), **named)
    structure = evening.round.structure
    assert sum(entry.length_ms for entry in structure) == found.minutes * 60_000
    assert [(entry.sb, entry.bb) for entry in structure if not entry.is_break] == blinds(found)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "25/50 50/100 75/150 100/200 150/300 200/400 300/600 500/1000 800/1600 1200/2400 2000/4000"),
        (
            {"players": 9, "minutes": 180, "level_minutes": 20},
            "25/50 50/100 75/150 100/200 200/400 300/600 500/1000 800/1600",
        ),
        (
            {"players": 9, "stack": 10_000, "minutes": 180, "level_minutes": 20},
            "50/100 75/150 150/300 300/600 500/1000 800/1600 1500/3000 2500/5000",  # not 250/500, though it is as even
        ),
        (
            {"players": 90, "level_minutes": 15},
            "25/50 50/100 75/150 100/200 150/300 200/400 300/600 500/1000 800/1600 1000/2000 1500/3000 2500/5000 "
            "4000/8000 6000/12000 10000/20000",
        ),
        (
            {"players": 9, "stack": 4000, "chips": dict.fromkeys((100, 500, 1000)), "small_blind": "at-most-big"},
            "100/100 100/200 200/300 200/400 300/500 300/600 400/800 600/1200 800/1600",
        ),
        (
            {"players": 9, "stack": 4000, "chips": dict.fromkeys((100, 500, 1000))},
            "100/200 200/400 300/600 400/800 500/1000 600/1200 800/1600",
        ),
    ],
)
def test_CK_1_the_numbers_are_those_of_the_field(changes: dict, expected: str) -> None:
    assert " ".join(f"{sb}/{bb}" for sb, bb in blinds(propose(wish(**changes)))) == expected


@pytest.mark.parametrize("players", [9, 18, 27, 45, 90])
@pytest.mark.parametrize("stack", [2000, 4000, 20_000])
@pytest.mark.parametrize("minutes", [180, 240, 300, 360])
def test_T_16_at_the_wished_end_all_chips_are_worth_about_twenty_big_blinds(players, stack, minutes) -> None:
    found = propose(wish(players=players, stack=stack, minutes=minutes))
    assert 14 <= found.end_big_blinds <= 28


def test_CK_5_a_denomination_is_changed_up_in_the_first_break_after_which_nothing_needs_it() -> None:
    found = propose(wish(level_minutes=15, break_every=4, break_unit="levels"))
    assert [entry.pause is not None for entry in found.levels].index(True) == 4
    first = found.colour_ups[0]
    assert (first.denomination, first.to) == (25, 100)
    assert all(sb % 100 == 0 for sb, _ in blinds(found)[first.before_level - 1 :])
    assert found.levels[first.entry - 1].pause == 10


def test_CK_5_without_breaks_a_colour_up_comes_before_the_level_that_allows_it() -> None:
    found = propose(wish(break_every=0))
    assert all(entry.pause is None for entry in found.levels)
    first = found.colour_ups[0]
    assert (first.denomination, first.to, first.entry) == (25, 100, None)
    assert blinds(found)[first.before_level - 2][0] % 100 != 0


def test_CK_5_there_is_no_colour_up_without_enough_larger_chips() -> None:
    many = propose(wish(chips={25: 500, 100: 2000}))
    few = propose(wish(chips={25: 3000, 100: 719}))
    assert [change.denomination for change in many.colour_ups] == [25]
    assert few.colour_ups == () and blinds(few) == blinds(many)


def test_CK_5_chips_that_no_level_needs_are_not_handed_out() -> None:
    found = propose(wish(stack=10_000, chips=dict.fromkeys((5, 25, 100, 500, 1000))))
    assert min(found.starting_stack) == 25
    assert 5 not in {change.denomination for change in found.colour_ups}
    needed = propose(wish(stack=10_005, chips=dict.fromkeys((5, 25, 100, 500, 1000))))
    assert needed.starting_stack[5] % 5 == 1


def test_T_16_breaks_come_after_levels_or_after_about_so_many_minutes() -> None:
    def places(found: Structure) -> list[int]:
        return [number for number, entry in enumerate(found.levels) if entry.pause is not None]

    assert places(propose(wish(level_minutes=20, break_every=3, break_unit="levels"))) == [3, 7, 11]
    assert places(propose(wish(level_minutes=20, break_every=60, break_unit="minutes"))) == [3, 7, 11]
    assert places(propose(wish(level_minutes=20, break_every=75, break_unit="minutes"))) == [4, 9]
    assert places(propose(wish(level_minutes=60, break_every=10, break_unit="minutes"))) == [1, 3, 5]


def test_T_16_the_last_break_gives_way_when_the_wish_could_not_be_met_with_it() -> None:
    kept = propose(wish(minutes=70, level_minutes=10, break_every=3, break_unit="levels", break_minutes=20))
    assert [entry.pause for entry in kept.levels].count(20) == 1
    left_out = propose(wish(minutes=22, level_minutes=10, break_every=1, break_unit="levels", break_minutes=20))
    assert abs(left_out.minutes - 22) <= 10


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"players": 2}, "players"),
        ({"players": 91}, "players"),
        ({"stack": 0}, "stack"),
        ({"stack": 50, "players": 3, "chips": {25: None}}, "stack"),
        ({"minutes": 4}, "minutes"),
        ({"minutes": 1441}, "minutes"),
        ({"level_minutes": 0}, "level_minutes"),
        ({"level_minutes": 1, "break_every": 0}, "level_minutes"),
        ({"level_minutes": 10, "minutes": 480, "players": 3}, "level_minutes"),
        ({"break_every": -1}, "break_every"),
        ({"break_minutes": 0}, "break_minutes"),
        ({"break_minutes": 31, "level_minutes": 15}, "break_minutes"),
        ({"break_minutes": 700}, "break_minutes"),
        ({"chips": {}}, "chips"),
        ({"chips": {0: None}}, "chips"),
        ({"chips": {25: 0}}, "chips"),
        ({"chips": dict.fromkeys(range(1, 14))}, "chips"),
        ({"chips": {100: None}, "stack": 4050}, "chips"),
        ({"chips": {25: 100, 100: 500}}, "chips"),
    ],
)
def test_T_16_a_wish_that_cannot_be_met_names_its_field(changes: dict, field: str) -> None:
    with pytest.raises(WishError) as error:
        propose(wish(**changes))
    assert error.value.field == field and error.value.reason


def test_CK_5_a_starting_stack_has_small_change_and_then_large_chips() -> None:
    assert starting_stack(4000, 18, T25) == {25: 8, 100: 8, 500: 2, 1000: 2}
    assert starting_stack(4000, 10, {25: 80, 100: 40, 500: None}) == {25: 8, 100: 3, 500: 7}
    assert starting_stack(4000, 10, {25: 40, 100: 80, 500: None}) == {25: 4, 100: 4, 500: 7}
    assert starting_stack(4000, 10, {25: 30, 100: 80, 500: None}) is None  # three chips of 25 each are no 100
    assert handed_out(4000, 10, {25: 30, 100: 80, 500: None}) == {100: 80, 500: None}
    assert handed_out(4025, 10, {25: 9, 100: 80, 500: None}) is None


def test_CK_5_a_starting_stack_is_found_wherever_there_is_one() -> None:
    assert starting_stack(60, 1, {20: None, 50: None}) == {20: 3}
    assert starting_stack(110, 1, {20: None, 50: None}) == {20: 3, 50: 1}
    assert starting_stack(30, 1, {20: None, 50: None}) is None
    assert starting_stack(100, 3, {25: 11, 50: None}) == {25: 2, 50: 1}
    assert starting_stack(100, 3, {25: 11}) is None


@settings(max_examples=200, deadline=None)
@given(
    amount=st.integers(1, 60),
    chips=st.dictionaries(st.integers(1, 12), st.one_of(st.none(), st.integers(1, 12)), min_size=1, max_size=4),
    players=st.integers(1, 3),
)
def test_CK_5_a_starting_stack_agrees_with_trying_everything(amount, chips, players) -> None:
    sums = {0}
    for chip, count in chips.items():
        least = 1 if chip == min(chips) else 0
        most = amount // chip if count is None else count // players
        sums = {total + chip * n for total in sums for n in range(least, most + 1) if total + chip * n <= amount}
    found = starting_stack(amount, players, chips)
    assert (found is not None) == (amount in sums)
    if found is not None:
        assert sum(chip * count for chip, count in found.items()) == amount
        assert all(chips[chip] is None or players * count <= chips[chip] for chip, count in found.items())


def test_CK_5_what_may_leave_is_the_smallest_chip_that_nothing_needs() -> None:
    assert leaves(T25, {100, 200}, 72_000, 18) == 100
    assert leaves(T25, {100, 250}, 72_000, 18) is None
    assert leaves({20: None, 50: None, 100: None}, {50, 150}, 1000, 9) == 100  # fifty is no multiple of twenty
    assert leaves({20: None, 50: None}, {50, 150}, 1000, 9) is None
    assert leaves({25: None}, {100}, 1000, 9) is None
    assert leaves({25: None, 100: 21}, {100}, 2000, 10) == 100  # one more than all there is, for the race
    assert leaves({25: None, 100: 20}, {100}, 2000, 10) is None
    assert leaves({25: None, 100: 21}, {100}, 2000, 11) is None  # two tables
    assert in_play_from_the_start(1000, 9, {5: None, 25: None}, [50, 100]) == {25: None}
    assert in_play_from_the_start(1005, 9, {5: None, 25: None}, [50, 100]) == {5: None, 25: None}
    assert in_play_from_the_start(1000, 9, {5: None, 25: None}, [50, 55]) == {5: None, 25: None}


def test_CK_1_doublings_are_hundredths_of_a_binary_logarithm() -> None:
    assert [doublings(amount) for amount in (1, 2, 3, 4, 1024)] == [0, 100, 158, 200, 1000]


def test_CK_1_unusual_chips_give_multiples_of_themselves() -> None:
    rows = ladder(Span(6, 700, 400), [7], "half")
    assert all(row.sb % 7 == 0 for row in rows) and len(rows) == 6
    assert ladder(Span(1, 10, 5), [25], "half") == [Blinds(25, 50)]
    assert ladder(Span(1, 10, 5), [25], "at-most-big") == [Blinds(25, 25)]
