from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from appliance.link.offset import SAMPLES, Offset

DELAYS = st.lists(st.tuples(st.floats(0, 500), st.floats(0, 500)), min_size=1, max_size=40)


@given(true=st.integers(-10_000_000, 10_000_000), delays=DELAYS)
def test_the_true_offset_is_never_further_off_than_said(true: int, delays: list[tuple[float, float]]) -> None:
    offset = Offset()
    ours = 1000.0
    for there, back in delays:
        offset.add(ours, ours + there + true, ours + there + back)
        assert offset.ms is not None
        assert offset.error_ms is not None
        assert abs(offset.ms - true) <= offset.error_ms + 1e-6
        ours += 10_000
    assert offset.error_ms <= min((there + back) / 2 for there, back in delays[-SAMPLES:]) + 1e-6


def test_the_shortest_round_trip_counts() -> None:
    offset = Offset()
    offset.add(0, 5_050, 100)
    offset.add(1000, 6_001, 1002)
    offset.add(2000, 7_080, 2090)
    assert (offset.ms, offset.error_ms) == (5_000, 1)


def test_a_clock_that_was_set_is_believed_at_once() -> None:
    offset = Offset()
    for n in range(5):
        offset.add(n * 1000, n * 1000 + 5_001, n * 1000 + 2)
    offset.add(6000, 6000 + 65_020, 6040)
    assert offset.ms == 65_000


def test_old_samples_are_forgotten_so_that_drift_is_followed() -> None:
    offset = Offset()
    offset.add(0, 1_000, 0)
    for n in range(1, 40):  # half a millisecond of drift each time, round trips of twenty
        offset.add(n * 1000, n * 1000 + 1_010 + n * 0.5, n * 1000 + 20)
    assert offset.ms is not None
    assert offset.ms > 1_010


def test_before_the_first_answer_and_after_another_machine_nothing_is_known() -> None:
    offset = Offset()
    assert (offset.ms, offset.error_ms) == (None, None)
    offset.add(5, 100, 4)
    assert offset.ms is None, "received before it was sent"
    offset.add(0, 100, 4)
    offset.reset()
    assert offset.ms is None
