"""The draw, seats and moves by hand: S-1, S-2, S-5, S-9."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.game.draw import DECK, Draw, highest, strength


def seats_of(evening: Any) -> dict[str, tuple[int, int]]:
    return {p.participant: tuple(p.seat) for p in evening.round.players.values() if p.seat}


def test_S_1_the_draw_is_reproducible_from_its_recorded_seed(new_evening) -> None:
    first = new_evening().started(18, seed=None)
    again = new_evening().started(18, seed=None)
    assert first.round.seed == 11
    assert seats_of(first) == seats_of(again)
    other = new_evening().started(18, seed=12)
    assert seats_of(other) != seats_of(first)


def test_S_1_a_seed_in_the_announcement_wins(evening) -> None:
    assert evening.started(9, seed=20270115).round.seed == 20270115


def test_S_1_a_start_without_any_seed_is_the_callers_mistake(evening) -> None:
    evening.opened(3, seed=None)
    with pytest.raises(ValueError, match="seed"):
        evening.ask("start", drawn=None)


def test_S_1_the_documented_algorithm_never_changes() -> None:
    draw = Draw(20270115, "seats")
    assert [draw.below(1000) for _ in range(6)] == [259, 336, 254, 116, 142, 834]
    assert Draw(1, "button").shuffled(DECK)[:5] == ["Qs", "5h", "2h", "Kh", "Jd"]


def test_S_1_every_player_gets_every_seat_equally_often() -> None:
    counts: Counter[tuple[int, int]] = Counter()
    for seed in range(3000):
        for place, item in enumerate(Draw(seed, "seats").shuffled(range(5))):
            counts[place, item] += 1
    assert all(500 < count < 700 for count in counts.values())


@settings(max_examples=60, deadline=None)
@given(players=st.integers(3, 90), seats=st.integers(2, 10), seed=st.integers(0, 2**63 - 1))
def test_S_1_S_9_tables_are_filled_evenly_and_nobody_sits_twice(players, seats, seed, new_evening) -> None:
    evening = new_evening().started(players, seats_per_table=seats, seed=seed)
    sizes = [len(table.seats) for table in evening.round.tables.values()]
    assert len(set(seats_of(evening).values())) == players == sum(sizes)
    assert len(sizes) == -(-players // seats)
    assert max(sizes) - min(sizes) <= 1
    if players >= 2 * len(sizes):
        assert min(sizes) >= 2
    for table in evening.round.tables.values():
        assert table.button in table.seats


def test_S_1_uses_the_announced_tables(evening) -> None:
    assert set(evening.started(11, tables=[7, 3, 5]).round.tables) == {7, 3}


def test_S_1_seats_given_at_the_start_are_kept_and_the_rest_is_drawn(evening) -> None:
    evening.opened(12).do("start", seats={"000001": [2, 3], "000002": [2, 4]})
    assert seats_of(evening)["000001"] == (2, 3)
    assert seats_of(evening)["000002"] == (2, 4)
    assert sorted(len(table.seats) for table in evening.round.tables.values()) == [6, 6]


def test_S_1_a_seat_reserved_at_registration_is_kept(evening) -> None:
    evening.opened(5).do("register", participant="000006", identity_checked=True, seat=[1, 9])
    code = evening.code("register", participant="000007", identity_checked=True, seat=[1, 9])
    assert code == "seat-taken"
    assert evening.do("start").player(6).seat == (1, 9)


def test_S_1_the_start_may_give_a_reserved_player_another_seat(evening) -> None:
    evening.opened(5).do("register", participant="000006", identity_checked=True, seat=[1, 9])
    evening.do("start", seats={"000006": [1, 2], "000001": [1, 9]})
    assert (evening.player(6).seat, evening.player(1).seat) == ((1, 2), (1, 9))


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"seats": {"000001": [1, 1], "000002": [1, 1]}}, "seat-taken"),
        ({"seats": {"000001": [1, 10]}}, "no-such-seat"),
        ({"seats": {"000001": [46, 1]}}, "no-such-table"),
        ({"seats": {"000099": [1, 1]}}, "not-registered"),
        ({"button": 10}, "no-such-seat"),
    ],
)
def test_S_1_seats_that_cannot_be_are_refused(evening, fields: dict[str, Any], code: str) -> None:
    evening.opened(4)
    assert evening.code("start", **fields) == code


@pytest.mark.parametrize(("seat", "code"), [([1, 10], "no-such-seat"), ([99, 1], "no-such-table"), ([1, 1], None)])
def test_S_1_a_reserved_seat_must_exist(evening, seat: list[int], code: str | None) -> None:
    evening.opened(4)
    fields = {"participant": "000005", "identity_checked": True, "seat": seat}
    if code:
        assert evening.code("register", **fields) == code
    else:
        evening.do("register", **fields)


def test_S_1_uneven_given_seats_are_believed_with_a_notice(evening) -> None:
    evening.seated([1, 2, 3, 4, 5], [6])
    found = evening.report()
    assert found["balance_needed"] is True
    assert evening.notices()["balance"] == {"from": 1, "to": 2, "gap": 4}
    assert evening.notices()["lone-player"] == {"table": 2, "participant": "000006"}


def test_S_2_the_highest_card_of_the_first_table_takes_the_button(evening) -> None:
    evening.started(18)
    cards = evening.events[-1].cards
    assert set(cards) == set(evening.table(1).seats)
    assert evening.table(1).button == max(cards, key=lambda seat: strength(cards[seat]))


def test_S_2_ties_go_by_suit_spades_hearts_diamonds_clubs() -> None:
    assert highest({1: "Kd", 2: "Kh", 3: "Qs", 4: "Kc"}) == 2
    assert highest({1: "Ah", 2: "As"}) == 2
    assert [card for card in DECK if card[0] == "7"] == ["7c", "7d", "7h", "7s"]
    assert DECK[-1] == "As"


def test_S_2_the_same_position_holds_at_all_tables(evening) -> None:
    evening.opened(5)
    seats = {"000001": [1, 1], "000002": [1, 4], "000003": [2, 2], "000004": [2, 6], "000005": [1, 6]}
    evening.do("start", seats=seats, button=4)
    assert (evening.table(1).button, evening.table(2).button) == (4, 6)


def test_S_2_where_the_position_is_empty_the_next_seat_clockwise_has_it(evening) -> None:
    evening.opened(4)
    seats = {"000001": [1, 1], "000002": [1, 8], "000003": [2, 2], "000004": [2, 6]}
    evening.do("start", seats=seats, button=8)
    assert (evening.table(1).button, evening.table(2).button) == (8, 2)


def test_a_player_is_moved_to_a_free_seat_only(evening) -> None:
    evening.seated([1, 2, 3], [4, 5, 6])
    assert evening.code("move", participant="000001", seat=[2, 1]) == "seat-taken"
    assert evening.code("move", participant="000001", seat=[2, 10]) == "no-such-seat"
    assert evening.code("move", participant="000001", seat=[77, 1]) == "no-such-table"
    assert evening.code("move", participant="000009", seat=[2, 9]) == "not-registered"
    evening.do("move", participant="000001", seat=[2, 9])
    assert evening.player(1).seat == (2, 9)
    assert evening.table(1).seats == {2: "000002", 3: "000003"}
    evening.bust(1)
    assert evening.code("move", participant="000001", seat=[1, 9]) == "not-in-play"


def test_a_table_opened_by_a_move_draws_its_button_at_its_first_hand(evening) -> None:
    evening.seated([1, 2, 3, 4, 5, 6])
    for n, seat in ((4, 2), (5, 5), (6, 8)):
        evening.do("move", participant=f"00000{n}", seat=[3, seat])
    assert evening.table(3).button is None
    evening.do("next_hand", table=3)
    cards = evening.events[-1].cards
    assert set(cards) == {2, 5, 8}
    assert evening.table(3).button == highest(cards)


def test_moving_the_last_player_away_closes_the_table(evening) -> None:
    evening.seated([1, 2, 3], [4]).do("next_hand", table=2).do("move", participant="000004", seat=[1, 9])
    assert list(evening.report()["tables"]) == ["1"]
    evening.do("move", participant="000004", seat=[2, 1])
    assert evening.do("next_hand", table=2).table(2).hand == 2


def test_S_1_every_player_is_as_likely_on_every_seat_of_the_room(new_evening) -> None:
    """Twelve players on two tables of seven, by 420 seeds: chi-square of 14 seats a player, and of the seats taken.

    The bounds are what pure chance exceeds once in ten thousand; the seeds are fixed, so the result is too.
    """
    seats: dict[str, Counter[tuple[int, int]]] = {f"{n:06d}": Counter() for n in range(1, 13)}
    opened = new_evening().opened(12, seats_per_table=7, seed=None).ledger
    for seed in range(420):
        evening = new_evening()
        evening.ledger = opened
        evening.do("start", drawn=seed)
        for who, seat in seats_of(evening).items():
            seats[who][seat] += 1
    expected = 420 / 14
    for seen in seats.values():
        assert len(seen) == 14
        assert sum((count - expected) ** 2 / expected for count in seen.values()) < 40.9  # 13 degrees of freedom
    taken = sum(seats.values(), Counter[tuple[int, int]]())
    assert all(300 < count < 420 for count in taken.values())  # 360 each if all are as likely


@pytest.mark.parametrize("tables", range(1, 11))
def test_S_1_any_number_of_tables_is_drawn_evenly(tables: int, new_evening) -> None:
    evening = new_evening().started(tables * 9 - 1 if tables > 1 else 8)
    sizes = sorted(len(table.seats) for table in evening.round.tables.values())
    assert sizes == [8] + [9] * (tables - 1)
    assert seats_of(evening) == seats_of(new_evening().started(tables * 9 - 1 if tables > 1 else 8))


def test_S_1_the_draw_of_a_seed_never_changes(evening) -> None:
    evening.started(5, seats_per_table=3, seed=20270115)
    assert seats_of(evening) == {
        "000001": (2, 2), "000002": (1, 3), "000003": (1, 1), "000004": (2, 1), "000005": (1, 2)
    }  # fmt: skip


def test_who_sits_there_already_is_not_moved(evening) -> None:
    evening.seated([1, 2, 3])
    refusal = evening.refusal("move", participant="000002", seat=[1, 2])
    assert (refusal.code, refusal.detail) == ("already-there", {"table": 1, "seat": 2})


@pytest.mark.parametrize("profile", ["cpl-2017", "cpl", "casino-2012", "tda-2024"])
def test_S_5_a_move_says_when_the_player_is_dealt_in(evening, profile: str) -> None:
    evening.opened(6, profile=profile)
    seats = {"000001": [1, 1], "000002": [1, 3], "000003": [1, 6], "000004": [1, 8], "000005": [2, 1], "000006": [2, 2]}
    evening.do("start", seats=seats, button=1).do("next_hand", table=1)
    assert evening.blinds(1) == (1, 3, 6)
    evening.do("move", participant="000005", seat=[1, 7])
    assert evening.events[-1].deals_in == "next-hand"
    evening.do("move", participant="000006", seat=[1, 4])
    assert evening.events[-1].deals_in == "after-button"
    assert evening.round.instructions["000006"].deals_in == "after-button"


def test_S_5_a_newcomer_to_a_lone_big_blind_is_told_so(evening) -> None:
    evening.seated([1, 2, 3, 4, 5], [6, 7], profile="casino-2012").do("next_hand", table=1).bust(3)
    evening.do("move", participant="000007", seat=[1, 3])
    assert evening.events[-1].deals_in == "big-blind"
    evening.do("next_hand", table=1)
    assert evening.blinds(1)[1:] == (None, 3)


def test_S_5_the_next_hand_of_the_new_table_ends_the_instruction(evening) -> None:
    evening.seated([1, 2, 3, 4], [5, 6]).do("next_hand", table=1).do("move", participant="000001", seat=[2, 9])
    told = evening.round.instructions["000001"]
    assert (told.source, told.target, told.why) == ((1, 1), (2, 9), "asked")
    evening.do("next_hand", table=1)
    assert "000001" in evening.round.instructions
    evening.do("next_hand", table=2)
    assert evening.round.instructions == {}
