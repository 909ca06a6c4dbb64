"""What pcscd's counter of a reader's insertions and removals says."""

from __future__ import annotations

import pytest

from appliance.hw.pcsc_codes import ABSENT_READER, PRESENT, UNAWARE, Move, agree, moves

EMPTY = 0x10
CAME, LEFT = Move.CAME, Move.LEFT


def state(counter: int, flags: int) -> int:
    return (counter & 0xFFFF) << 16 | flags


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (state(1, EMPTY), state(2, PRESENT), [CAME]),
        (state(2, PRESENT), state(3, EMPTY), [LEFT]),
        (state(3, EMPTY), state(3, EMPTY), []),
        (state(2, PRESENT), state(2, PRESENT), []),
        (state(2, PRESENT), state(4, PRESENT), [LEFT, CAME]),
        (state(3, EMPTY), state(5, EMPTY), [CAME, LEFT]),
        (state(3, EMPTY), state(6, PRESENT), [CAME, LEFT, CAME]),
        (state(2, PRESENT), state(7, EMPTY), [LEFT, CAME, LEFT, CAME, LEFT]),
        (state(0xFFFF, EMPTY), state(0, PRESENT), [CAME]),
        (state(0xFFFE, PRESENT), state(1, EMPTY), [LEFT, CAME, LEFT]),
    ],
)
def test_each_counted_move_is_told(before: int, after: int, expected: list[Move]) -> None:
    assert moves(before, after) == expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (UNAWARE, state(40, PRESENT), [CAME]),
        (UNAWARE, state(41, EMPTY), []),
        (state(7, PRESENT), ABSENT_READER, [LEFT]),
        (state(8, EMPTY), ABSENT_READER, []),
        (ABSENT_READER, state(9, PRESENT), [CAME]),
        (ABSENT_READER, state(9, EMPTY), []),
    ],
)
def test_without_a_counter_to_compare_only_presence_counts(before: int, after: int, expected: list[Move]) -> None:
    assert moves(before, after) == expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (state(1, EMPTY), state(2, PRESENT), True),
        (state(1, EMPTY), state(2, EMPTY), False),
        (state(2, PRESENT), state(3, PRESENT), False),
        (state(2, PRESENT), state(4, PRESENT), True),
        (state(2, PRESENT), state(2, EMPTY), False),
        (state(0xFFFF, EMPTY), state(0, PRESENT), True),
        (UNAWARE, state(9, PRESENT), True),
        (state(2, PRESENT), ABSENT_READER, True),
        (ABSENT_READER, state(5, EMPTY), True),
    ],
)
def test_state_caught_between_count_and_outcome_is_noticed(before: int, after: int, expected: bool) -> None:
    assert agree(before, after) is expected


def test_moves_always_lead_to_the_state_seen() -> None:
    for counted in range(6):
        for before in (EMPTY, PRESENT):
            for after in (EMPTY, PRESENT):
                happened = moves(state(100, before), state(100 + counted, after))
                lies_there = before == PRESENT
                for move in happened:
                    assert lies_there is (move is LEFT)
                    lies_there = move is CAME
                assert lies_there is (after == PRESENT)
