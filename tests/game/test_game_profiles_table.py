"""Seats, button, clock and points under every profile: S-1, S-2, S-6, S-9, CK-1 to CK-3, T-16, P."""

from __future__ import annotations

from typing import Any

import pytest

from appliance.game.draw import highest, strength
from appliance.game.reading import CommandError

EVERY = ["cpl-2017", "cpl", "casino-2012", "tda-2024"]
LEAGUE = ["cpl-2017", "cpl"]
ELSEWHERE = ["casino-2012", "tda-2024"]


def level(sb: int, bb: int, **fields: int) -> dict[str, int]:
    return {"sb": sb, "bb": bb, "minutes": 20, **fields}


def announced_with(evening: Any, profile: str, *levels: dict[str, int]) -> str | None:
    """The code with which this structure is refused, None if it is announced."""
    answer = evening.ask(
        "announce",
        venue="brno",
        starts_at="2027-01-15T19:00:00+01:00",
        profile=profile,
        deposit=100,
        shares=["100"],
        seats_per_table=9,
        levels=levels,
    )
    return None if isinstance(answer, tuple) else str(answer.code)


@pytest.mark.parametrize("profile", LEAGUE)
@pytest.mark.parametrize(
    ("sb", "bb", "code"),
    [(50, 100, None), (1, 2, None), (49, 100, "small-blind"), (51, 100, "small-blind"), (100, 100, "small-blind"),
     (0, 100, "small-blind"), (1, 3, "small-blind"), (150, 100, "small-blind")],
)  # fmt: skip
def test_CK_1_in_the_league_the_small_blind_is_half(evening, sb: int, bb: int, code: str | None, profile: str) -> None:
    assert announced_with(evening, profile, level(25, 50), level(sb, bb)) == code


@pytest.mark.parametrize("profile", ELSEWHERE)
@pytest.mark.parametrize(
    ("sb", "bb", "code"), [(50, 100, None), (1, 3, None), (100, 100, None), (0, 100, None), (101, 100, "small-blind")]
)
def test_CK_1_elsewhere_it_is_no_more_than_the_big_blind(
    evening, sb: int, bb: int, code: str | None, profile: str
) -> None:
    assert announced_with(evening, profile, level(25, 50), level(sb, bb)) == code


@pytest.mark.parametrize("profile", EVERY)
def test_CK_1_levels_breaks_and_the_end_of_the_list_in_every_house(evening, profile: str) -> None:
    evening.started(3, profile=profile, levels=[level(25, 50), {"break": 10}, level(50, 100, ante=10)])
    shown = []
    for minutes in (0, 20, 10, 20, 100):
        face = evening.after(minutes=minutes).face()
        shown.append((face.level, face.bb, face.ante, face.on_break, face.remaining_ms // 1000))
    assert shown == [
        (1, 50, 0, False, 1200),
        (1, 50, 0, True, 600),
        (2, 100, 10, False, 1200),
        *[(2, 100, 10, False, 0)] * 2,
    ]


@pytest.mark.parametrize("profile", EVERY)
@pytest.mark.parametrize("ante_by", ["player", "bb"])
def test_CK_1_an_ante_is_every_players_or_the_big_blinds_in_every_house(evening, ante_by: str, profile: str) -> None:
    evening.started(3, profile=profile, ante_by=ante_by, levels=[level(50, 100, ante=100)])
    assert evening.round.ante_by == ante_by
    assert evening.do("next_hand", table=1).table(1).ante == 100


@pytest.mark.parametrize("profile", EVERY)
def test_CK_2_a_level_counts_from_the_next_hand_in_every_house(evening, profile: str) -> None:
    evening.started(3, profile=profile).do("next_hand", table=1).after(minutes=20)
    assert (evening.face().level, evening.table(1).level) == (2, 1)
    assert evening.do("next_hand", table=1).table(1).level == 2


@pytest.mark.parametrize("profile", EVERY)
def test_CK_3_the_commissioner_rules_the_clock_and_undoes_it_in_every_house(evening, profile: str) -> None:
    evening.started(3, profile=profile).after(minutes=5)
    commands: list[tuple[str, dict[str, int]]] = [
        ("pause", {}),
        ("set_remaining", {"seconds": 90}),
        ("next_level", {}),
        ("begin_break", {"minutes": 7}),
        ("end_break", {}),
        ("previous_level", {}),
        ("resume", {}),
    ]
    faces = [evening.face()]
    for do, fields in commands:
        faces.append(evening.do(do, **fields).face())
        assert faces[-1] != faces[-2]
    for face in faces[-2::-1]:
        assert evening.do("undo").face() == face


@pytest.mark.parametrize("profile", EVERY)
def test_T_16_the_whole_structure_is_there_before_the_start_in_every_house(evening, profile: str) -> None:
    evening.announce(profile=profile, levels=[level(25, 50), {"break": 10}, level(50, 100, ante=10)])
    entries = [(e.level, e.sb, e.bb, e.ante, e.length_ms // 60_000, e.is_break) for e in evening.round.structure]
    assert entries == [(1, 25, 50, 0, 20, False), (1, 25, 50, 0, 10, True), (2, 50, 100, 10, 20, False)]
    face = evening.face()
    assert (face.level, face.bb, face.running, face.remaining_ms) == (1, 50, False, 1_200_000)


@pytest.mark.parametrize("profile", EVERY)
def test_S_1_S_9_the_draw_is_the_same_even_one_in_every_house(new_evening, profile: str) -> None:
    def seats(evening: Any) -> dict[str, Any]:
        return {player.participant: player.seat for player in evening.round.players.values()}

    evening = new_evening().started(21, profile=profile, seats_per_table=10)
    assert sorted(len(table.seats) for table in evening.round.tables.values()) == [7, 7, 7]
    assert seats(evening) == seats(new_evening().started(21, profile="tda-2024", seats_per_table=10))


@pytest.mark.parametrize("profile", EVERY)
def test_S_9_eleven_at_tables_of_ten_leave_nobody_alone(evening, profile: str) -> None:
    evening.started(11, profile=profile, seats_per_table=10)
    assert sorted(len(table.seats) for table in evening.round.tables.values()) == [5, 6]


@pytest.mark.parametrize("profile", EVERY)
def test_S_2_the_high_card_has_the_first_button_in_every_house(evening, profile: str) -> None:
    evening.started(20, profile=profile, seats_per_table=10)
    cards = evening.events[-1].cards
    assert set(cards) == set(evening.table(1).seats)
    button = max(cards, key=lambda seat: strength(cards[seat]))
    assert highest(cards) == evening.table(1).button == button
    other = evening.table(2)
    expected = next(seat % 10 + 1 for seat in range(button - 1, button + 9) if seat % 10 + 1 in other.seats)
    assert other.button == expected


def final_tables(new_evening: Any, profile: str) -> list[Any]:
    """What six players drew for the final table, in ten rounds."""
    rounds = [new_evening().started(6, profile=profile, seed=seed).do("final_table") for seed in range(10)]
    return [evening.events[-1] for evening in rounds]


@pytest.mark.parametrize("profile", LEAGUE)
def test_S_6_by_cards_everybody_sits_from_seat_1_on_in_their_order(new_evening, profile: str) -> None:
    for drawn in final_tables(new_evening, profile):
        assert (list(drawn.seats), drawn.button) == ([1, 2, 3, 4, 5, 6], 1)
        order = [strength(drawn.cards[drawn.seats[seat]]) for seat in drawn.seats]
        assert order == sorted(order, reverse=True)


@pytest.mark.parametrize("profile", ELSEWHERE)
def test_S_6_by_lot_any_seat_may_be_drawn_and_any_may_have_the_button(new_evening, profile: str) -> None:
    tables = final_tables(new_evening, profile)
    assert {seat for drawn in tables for seat in drawn.seats} == set(range(1, 10))
    assert len({drawn.button for drawn in tables}) > 3
    for drawn in tables:
        assert len(set(drawn.seats.values())) == 6
        assert drawn.button == highest({seat: drawn.cards[player] for seat, player in drawn.seats.items()})


def test_S_9_a_table_has_no_more_than_ten_seats(evening) -> None:
    with pytest.raises(CommandError, match="seats_per_table"):
        evening.announce(seats_per_table=11)
    assert evening.announce(seats_per_table=10).round.seats_per_table == 10


@pytest.mark.parametrize("profile", EVERY)
def test_P_a_round_is_scored_by_its_key_in_every_house(new_evening, profile: str) -> None:
    usual = new_evening().started(9, profile=profile)
    own = new_evening().started(9, profile=profile, points_key={"name": "jaro", "winner": {"3": 30}, "step": 10})
    for evening in (usual, own):
        for n in range(9, 1, -1):
            evening.bust(n)
    assert [r["points"] for r in usual.report()["results"]] == ["95", "90", "85", "80", "75", *["10"] * 4]
    assert [r["points"] for r in own.report()["results"]] == ["40", "30", "20", "10", "10", *["10"] * 4]
    assert ("key-unconfirmed" in usual.notices(), "key-unconfirmed" in own.notices()) == (True, False)
