from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from appliance.link.offset import DRIFT, SAMPLES, Offset

DELAYS = st.lists(st.tuples(st.floats(0, 500), st.floats(0, 500)), min_size=1, max_size=40)


@given(true=st.integers(-10_000_000, 10_000_000), delays=DELAYS)
def test_the_true_offset_is_never_further_off_than_said(true: int, delays: list[tuple[float, float]]) -> None:
    offset = Offset()
    ours, sampled = 1000.0, []
    for there, back in delays:
        sampled.append((ours + there + back, (there + back) / 2))
        offset.add(ours, ours + there + true, ours + there + back)
        assert offset.ms is not None
        assert offset.error_ms is not None
        assert abs(offset.ms - true) <= offset.error_ms + 1e-6
        ours += 10_000
    last = sampled[-1][0]
    assert offset.error_ms <= min(error + DRIFT * (last - at) for at, error in sampled[-SAMPLES:]) + 1e-6


def test_the_shortest_round_trip_counts() -> None:
    offset = Offset()
    offset.add(0, 5_050, 100)
    offset.add(1000, 6_001, 1002)
    offset.add(2000, 7_080, 2090)
    assert offset.ms == 5_000
    assert offset.error_ms is not None and 1 <= offset.error_ms < 1.2


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


def test_CK_1_a_good_sample_outlasts_minutes_in_which_the_machines_are_busy() -> None:
    offset = Offset()
    offset.add(0, 1_001, 2)
    for n in range(1, SAMPLES):  # answers that wait before they are taken
        offset.add(n * 10_000, n * 10_000 + 1_005, n * 10_000 + 150)
        assert offset.ms is not None and abs(offset.ms - 1_000) <= 2
    for n in range(SAMPLES, 3 * SAMPLES):  # for ever it does not
        offset.add(n * 10_000, n * 10_000 + 1_005, n * 10_000 + 150)
    assert offset.ms is not None and offset.ms < 1_000 - 60
