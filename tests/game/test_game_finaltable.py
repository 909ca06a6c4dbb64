"""The final table: S-6."""

from __future__ import annotations

import pytest

from appliance.game.draw import highest, strength


def number(n: int) -> str:
    return f"{n:06d}"


@pytest.mark.parametrize("profile", ["cpl-2017", "cpl"])
def test_S_6_the_highest_card_deals_and_the_rest_sit_in_order(evening, profile: str) -> None:
    evening.seated([1, 2, 3, 4], [5, 6, 7, 8], profile=profile).do("final_table")
    drawn = evening.events[-1]
    assert set(drawn.cards) == set(drawn.seats.values())
    order = [strength(drawn.cards[drawn.seats[seat]]) for seat in range(1, 9)]
    assert order == sorted(order, reverse=True)
    assert evening.table(1).button == 1


@pytest.mark.parametrize("profile", ["casino-2012", "tda-2024"])
def test_S_6_seats_and_button_by_lot(evening, profile: str) -> None:
    evening.seated([1, 2, 3, 4], [5, 6, 7, 8], profile=profile).do("final_table")
    drawn = evening.events[-1]
    assert len(drawn.seats) == 8
    by_seat = {seat: drawn.cards[player] for seat, player in drawn.seats.items()}
    assert evening.table(1).button == highest(by_seat)


def test_S_6_the_final_table_is_table_1_and_its_hand_numbers_go_on(evening) -> None:
    evening.seated([1, 2, 3], [4, 5, 6])
    for _ in range(4):
        evening.do("next_hand", table=1)
    evening.do("next_hand", table=2).do("final_table")
    assert list(evening.report()["tables"]) == ["1"]
    assert {player.seat.table for player in evening.round.players.values()} == {1}
    assert evening.code("next_hand", table=2) == "no-such-table"
    assert evening.do("next_hand", table=1).table(1).hand == 5
    assert evening.table(1).button == 1


def test_S_6_refused_while_more_remain_than_seats(evening) -> None:
    evening.started(11)
    refusal = evening.refusal("final_table")
    assert (refusal.code, refusal.detail) == ("too-many", {"left": 11, "seats": 9})
    evening.bust(1).bust(2).do("final_table")


def test_S_6_allowed_when_all_sit_together_already(evening) -> None:
    evening.seated([1, 2, 3, 4]).do("final_table")
    assert len(evening.table(1).seats) == 4


def test_S_6_a_second_draw_is_another_one(evening) -> None:
    evening.seated([1, 2, 3, 4, 5, 6, 7, 8, 9]).do("final_table")
    first = evening.events[-1]
    evening.do("final_table")
    assert (first.draw, evening.events[-1].draw) == (1, 2)
    assert first.cards != evening.events[-1].cards


@pytest.mark.parametrize("profile", ["cpl-2017", "cpl", "casino-2012", "tda-2024"])
def test_S_6_S_7_the_first_hand_of_the_final_table_follows_from_its_button(evening, profile: str) -> None:
    evening.seated([1, 2, 3], [4, 5, 6], profile=profile)
    for _ in range(4):
        evening.do("next_hand", table=1)
    evening.do("final_table")
    order = sorted(evening.table(1).seats, key=lambda seat: (seat <= evening.table(1).button, seat))
    assert order[-1] == evening.table(1).button
    evening.do("next_hand", table=1)
    assert evening.blinds(1) == (order[-1], order[0], order[1])
    assert evening.table(1).hand == 5
    assert evening.events[-1].waiting == {}


def test_S_6_the_final_table_is_the_lowest_that_was_announced(evening) -> None:
    evening.opened(6, tables=[7, 3, 5], seats_per_table=6)
    evening.do("start", seats={"000001": [7, 1], "000002": [5, 1]}).do("final_table")
    assert list(evening.report()["tables"]) == ["3"]


def test_S_6_everybody_is_told_their_new_seat(evening) -> None:
    evening.seated([1, 2], [3, 4]).do("final_table")
    told = evening.round.instructions
    assert set(told) == {f"{n:06d}" for n in range(1, 5)}
    assert {instruction.why for instruction in told.values()} == {"final"}
    assert told["000003"].source == (2, 1)
    assert all(evening.round.players[who].seat == instruction.target for who, instruction in told.items())


@pytest.mark.parametrize("profile", ["cpl-2017", "casino-2012"])
def test_S_6_the_final_draw_is_undone_whole(evening, profile: str) -> None:
    evening.seated([1, 2, 3], [4, 5, 6], profile=profile).do("next_hand", table=2)
    before = evening.state_bytes()
    after = evening.do("final_table").state_bytes()
    assert evening.do("undo").state_bytes() == before
    assert evening.do("redo").state_bytes() == after
    assert evening.replayed().round == evening.round


@pytest.mark.parametrize("profile", ["cpl-2017", "cpl"])
def test_S_8_who_is_away_when_the_tables_become_one_is_out_with_the_chips(profile: str, evening) -> None:
    evening.seated([1, 2, 3], [4, 5, 6], profile=profile)
    for n in (2, 5):
        evening.do("absent", participant=number(n))
    evening.do("stacks", table=1, stacks={number(1): 5000, number(2): 1000, number(3): 6000})
    evening.do("final_table")
    assert evening.round.left == 4
    assert evening.places() == [(5, 5), (6, 2)]
    assert evening.round.chips == 6 * 4000 - 1000 - 4000
    evening.do("undo")
    assert evening.round.left == 6


@pytest.mark.parametrize("profile", ["casino-2012", "tda-2024"])
def test_S_8_who_is_away_when_the_tables_become_one_has_a_seat_there(profile: str, evening) -> None:
    evening.seated([1, 2, 3], [4, 5, 6], profile=profile).do("absent", participant=number(2)).do("final_table")
    assert evening.round.left == 6
    assert evening.player(2).absent


def test_S_8_at_one_table_a_redraw_takes_nobody_out(evening) -> None:
    evening.seated([1, 2, 3]).do("absent", participant=number(2)).do("final_table")
    assert evening.round.left == 3


def test_S_8_with_everybody_away_somebody_still_wins(evening) -> None:
    evening.seated([1, 2], [3, 4])
    for n in (1, 2, 3, 4):
        evening.do("absent", participant=number(n))
    assert evening.do("final_table").round.left == 4
