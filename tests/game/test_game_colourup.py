"""Changing up a denomination at a table, and when it is due: CK-5 as commands (the race itself: test_game_chiprace)."""

from __future__ import annotations

from typing import Any

import pytest

EVERY = ["cpl-2017", "cpl", "casino-2012", "tda-2024"]


def level(sb: int, bb: int, ante: int = 0) -> dict[str, int]:
    return {"sb": sb, "bb": bb, "ante": ante, "minutes": 20}


LEVELS = [level(25, 50), level(50, 100), level(100, 200), {"break": 10}, level(200, 400), level(500, 1000)]

HOLDINGS = {
    "000001": {"25": 3, "100": 9, "1000": 3},
    "000002": {"25": 6, "500": 8},
    "000003": {"25": 1, "100": 40},
}
"""Odd chips: 3, 2 and 1, so two chips of 100 are raced for."""

CARDS = {"000001": ["2c", "3c", "4c"], "000002": ["Kd", "5c"], "000003": ["Ks"]}


def race(evening: Any, **changes: Any) -> Any:
    fields = {"table": 1, "denomination": 25, "to": 100, "holdings": HOLDINGS, "cards": CARDS, **changes}
    return evening.do("colour_up", **fields)


def chips(evening: Any) -> list[int]:
    return [player.chips for player in evening.round.players.values()]


@pytest.mark.parametrize("profile", EVERY)
def test_CK_5_the_highest_cards_win_a_chip_and_the_odd_chips_leave(evening, profile: str) -> None:
    race(evening.seated([1, 2, 3], profile=profile))
    assert evening.events[-1].won == ("000003", "000002")
    assert evening.events[-1].changes == {"000001": -75, "000002": 50, "000003": 75}
    assert chips(evening) == [3900, 4200, 4100]


@pytest.mark.parametrize("profile", EVERY)
def test_T_4_CK_5_chips_in_play_follow_the_race(evening, profile: str) -> None:
    race(evening.seated([1, 2, 3], profile=profile))
    assert evening.report()["chips_in_play"] == 12_000 + 50
    assert evening.table(1).chips == 12_200
    assert evening.notices()["chips-differ"] == {"counted": 12_200, "expected": 12_050}
    evening.do("stacks", table=1, stacks={"000001": 3850, "000002": 4100, "000003": 4100})
    assert "chips-differ" not in evening.notices()


def test_CK_5_holdings_that_add_up_raise_no_notice(evening) -> None:
    evening.seated([1, 2, 3])
    holdings = {"000001": {"25": 4, "100": 39}, "000002": {"25": 2, "50": 1, "100": 39}, "000003": {"100": 40}}
    race(evening, holdings=holdings, cards={"000002": ["2c", "3c"]})
    assert (chips(evening), evening.round.chips) == ([4000, 4050, 4000], 12_050)
    assert "chips-differ" not in evening.notices()


def test_CK_5_cards_that_were_not_given_are_drawn_from_the_seed(new_evening) -> None:
    drawn = []
    for _ in range(2):
        evening = race(new_evening().seated([1, 2, 3]), cards={})
        event = evening.events[-1]
        assert {who: len(cards) for who, cards in event.cards.items()} == {"000001": 3, "000002": 2, "000003": 1}
        assert (event.draw, evening.round.draws) == (1, 1)
        drawn.append((event.cards, event.won))
    assert drawn[0] == drawn[1]
    other = race(new_evening().seated([1, 2, 3], seed=8), cards={})
    assert other.events[-1].cards != drawn[0][0]


def test_CK_5_cards_are_dealt_from_seat_1(evening) -> None:
    evening.announce().do("open").register(1, 2, 3)
    evening.do("start", seats={"000003": [1, 1], "000001": [1, 4], "000002": [1, 7]})
    race(evening, cards={})
    assert list(evening.events[-1].cards) == ["000003", "000001", "000002"]


def test_CK_5_without_odd_chips_nothing_is_drawn(evening) -> None:
    evening.seated([1, 2, 3])
    race(evening, holdings={"000001": {"25": 4, "100": 39}}, cards={})
    assert (evening.events[-1].draw, evening.round.draws, evening.round.chips) == (None, 0, 12_000)
    assert evening.table(1).coloured_up == 25


def test_CK_5_nobody_is_raced_out(evening) -> None:
    evening.seated([1, 2, 3])
    holdings = {"000001": {"25": 1}, "000002": {"25": 1, "100": 39}, "000003": {"100": 40}}
    race(evening, holdings=holdings, cards={"000001": ["2c"], "000002": ["3c"]})
    assert (evening.events[-1].won, evening.events[-1].kept) == (("000002",), ("000001",))
    assert chips(evening) == [100, 4000, 4000]


def test_CK_5_small_chips_alone_are_taken_for_a_part_of_the_stack(evening) -> None:
    """Who has more than was named is not raced out, and keeps what is known of the rest."""
    evening.seated([1, 2, 3]).do("stacks", table=1, stacks={"000001": 25, "000002": 7975, "000003": 4000})
    holdings = {"000001": {"25": 1}, "000002": {"25": 3}, "000003": {"25": 1}}
    race(evening, holdings=holdings, cards={"000001": ["2c"], "000002": ["As", "3c", "4c"], "000003": ["5c"]})
    assert evening.events[-1].won == ("000002", "000003")
    assert evening.events[-1].kept == ("000001",)
    assert chips(evening) == [100, 8000, 4075]
    assert evening.round.chips == evening.table(1).chips == 12_175


def test_CK_5_who_is_not_named_has_none_of_it(evening) -> None:
    evening.seated([1, 2, 3])
    race(evening, holdings={"000002": {"25": 6, "500": 8}}, cards={"000002": ["Kd", "5c"]})
    assert chips(evening) == [4000, 4200, 4000]
    assert evening.table(1).chips == evening.round.chips == 12_050


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"to": 25}, "bad-denomination"),
        ({"to": 110}, "bad-denomination"),
        ({"holdings": {"000004": {"25": 1}}}, "not-at-table"),
        ({"cards": {"000001": ["2c"]}}, "cards-count"),
        ({"cards": {**CARDS, "000003": ["Xx"]}}, "not-a-card"),
        ({"cards": {**CARDS, "000003": ["2c"]}}, "card-repeated"),
        ({"table": 3}, "no-such-table"),
    ],
)
def test_CK_5_what_cannot_be_is_refused(evening, changes: dict[str, Any], code: str) -> None:
    evening.seated([1, 2, 3], [4, 5, 6])
    fields = {"table": 1, "denomination": 25, "to": 100, "holdings": HOLDINGS, "cards": CARDS, **changes}
    before = evening.state_bytes()
    assert evening.code("colour_up", **fields) == code
    assert evening.state_bytes() == before


def test_CK_5_one_race_a_table_and_denomination(evening) -> None:
    race(evening.seated([1, 2, 3], [4, 5, 6]))
    again = {"table": 1, "denomination": 25, "to": 100, "holdings": {}}
    refusal = evening.refusal("colour_up", **again)
    assert (refusal.code, refusal.detail) == ("already-coloured-up", {"table": 1, "denomination": 25})
    evening.do("colour_up", **{**again, "table": 2}).do("colour_up", **{**again, "denomination": 100, "to": 500})
    assert (evening.table(1).coloured_up, evening.table(2).coloured_up) == (100, 25)
    assert evening.code("colour_up", **again) == "already-coloured-up"


def test_CK_5_a_final_table_where_some_still_had_the_chip_can_race_it_off(evening) -> None:
    race(evening.seated([1, 2, 3], [4, 5, 6])).do("final_table")
    assert evening.table(1).coloured_up == 0
    evening.do("colour_up", table=1, denomination=25, to=100, holdings={})


def test_CK_5_the_commissioner_is_believed_that_it_is_time(evening) -> None:
    race(evening.seated([1, 2, 3], levels=[level(25, 50)]))
    assert evening.table(1).coloured_up == 25


def test_CK_5_only_while_the_round_runs(evening) -> None:
    evening.opened(3)
    fields = {"table": 1, "denomination": 25, "to": 100, "holdings": {}}
    assert evening.code("colour_up", **fields) == "not-running"
    evening.do("start").bust(1).bust(2)
    assert evening.code("colour_up", **fields) == "finished"


@pytest.mark.parametrize("cards", [CARDS, {}])
def test_CK_5_undo_and_redo(evening, cards: dict[str, Any]) -> None:
    evening.seated([1, 2, 3])
    before = evening.state_bytes()
    after = race(evening, cards=cards).state_bytes()
    assert evening.do("undo").state_bytes() == before
    assert evening.do("redo").state_bytes() == after
    assert evening.replayed().round == evening.round


# When it is due


def due(evening: Any) -> list[dict[str, Any]]:
    return [notice["detail"] for notice in evening.report()["notices"] if notice["code"] == "colour-up-due"]


@pytest.mark.parametrize("profile", EVERY)
def test_CK_5_it_is_due_with_the_level_that_needs_the_chip_no_longer(evening, profile: str) -> None:
    evening.seated([1, 2, 3], [4, 5, 6], profile=profile, levels=LEVELS)
    evening.after(minutes=40, ms=-1)
    assert due(evening) == []
    evening.after(ms=1)
    assert due(evening) == [{"denomination": 25, "to": 100, "tables": [1, 2]}]


def test_CK_5_it_is_due_in_the_break_before_that_level(evening) -> None:
    levels = [level(25, 50), {"break": 10}, level(100, 200)]
    evening.seated([1, 2, 3], levels=levels).after(minutes=20)
    assert due(evening) == [{"denomination": 25, "to": 100, "tables": [1]}]


def test_CK_5_not_in_a_break_that_interrupts_the_last_level_that_needs_it(evening) -> None:
    evening.seated([1, 2, 3], levels=LEVELS).after(minutes=25).do("begin_break", minutes=5)
    assert due(evening) == []
    evening.after(minutes=20)
    assert len(due(evening)) == 1


def test_CK_5_it_is_due_at_each_table_until_done_there(evening) -> None:
    evening.seated([1, 2, 3], [4, 5, 6], levels=LEVELS).after(minutes=45)
    race(evening)
    assert due(evening) == [{"denomination": 25, "to": 100, "tables": [2]}]
    evening.do("colour_up", table=2, denomination=25, to=100, holdings={})
    assert due(evening) == []
    evening.do("undo")
    assert len(due(evening)) == 1


def test_CK_5_several_can_be_due_smallest_first(evening) -> None:
    evening.seated([1, 2, 3], levels=LEVELS).after(minutes=90)
    assert due(evening) == [
        {"denomination": 25, "to": 100, "tables": [1]},
        {"denomination": 100, "to": 500, "tables": [1]},
    ]


def test_CK_5_an_ante_needs_the_chip_as_well(evening) -> None:
    evening.seated([1, 2, 3], levels=[level(25, 50), level(100, 200, ante=25), level(100, 200, ante=100)])
    evening.after(minutes=30)
    assert due(evening) == []
    assert len(due(evening.after(minutes=10))) == 1


def test_CK_5_a_later_level_needs_the_chip_as_well(evening) -> None:
    evening.seated([1, 2, 3], levels=[level(25, 50), level(100, 200), level(150, 300), level(200, 400)])
    evening.after(minutes=59)
    assert due(evening) == []
    assert len(due(evening.after(minutes=1))) == 1


def test_CK_5_the_announced_set_counts(evening) -> None:
    levels = [level(10, 20), level(50, 100), level(200, 400)]
    evening.seated([1, 2, 3], levels=levels, chip_set=[10, 50, 200]).after(minutes=20)
    assert due(evening) == [{"denomination": 10, "to": 50, "tables": [1]}]
    evening.after(minutes=20)
    assert [(found["denomination"], found["to"]) for found in due(evening)] == [(10, 50), (50, 200)]


def test_CK_5_the_larger_chip_is_one_it_can_be_changed_to(evening) -> None:
    evening.seated([1, 2, 3], levels=[level(20, 40), level(100, 200)], chip_set=[20, 50, 100]).after(minutes=20)
    assert [(found["denomination"], found["to"]) for found in due(evening)] == [(20, 100), (50, 100)]


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        ([level(5, 10), level(25, 50)], [5]),
        ([level(30, 60), level(100, 200)], [5, 25]),
        ([level(1, 2), level(100, 200)], []),
        ([level(100, 200), level(500, 1000)], [100]),
    ],
)
def test_CK_5_without_a_set_the_usual_one_is_assumed_where_it_pays_every_level(
    evening, levels: list[dict[str, int]], expected: list[int]
) -> None:
    evening.seated([1, 2, 3], levels=levels)
    assert due(evening) == []
    assert [found["denomination"] for found in due(evening.after(minutes=20))] == expected


def test_CK_5_a_break_at_the_end_makes_nothing_due(evening) -> None:
    evening.seated([1, 2, 3], levels=[level(25, 50), {"break": 10}]).after(minutes=25)
    assert due(evening) == []


def test_CK_5_nothing_is_due_before_the_start_and_after_the_end(evening) -> None:
    evening.opened(3, levels=[level(100, 200), level(500, 1000)])
    assert due(evening) == []
    evening.do("start").do("next_level").bust(1)
    assert len(due(evening)) == 1
    assert due(evening.bust(2)) == []
