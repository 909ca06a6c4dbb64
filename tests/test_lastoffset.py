"""A kiosk started anew while nobody directs goes on by the director's time as it was known."""

import pytest

from appliance import lastoffset
from appliance.lastoffset import NOTED_MS, WORTH_MS, LastOffset

AT = 1_800_000_000_000


@pytest.fixture(autouse=True)
def boot(monkeypatch):
    now = ["boot-1"]
    monkeypatch.setattr(lastoffset, "boot_id", lambda: now[0])
    return now


def test_CK_1_the_offset_outlives_the_program_and_not_the_boot(tmp_path, boot):
    LastOffset(tmp_path).keep(-3_600_123, AT)
    assert LastOffset(tmp_path).recall() == -3_600_123
    boot[0] = "boot-2"
    assert LastOffset(tmp_path).recall() == 0


def test_where_a_boot_cannot_be_told_from_another_nothing_is_believed(tmp_path, boot):
    boot[0] = ""
    LastOffset(tmp_path).keep(500, AT)
    assert LastOffset(tmp_path).recall() == 0


def test_a_jitter_is_not_written_and_a_drift_is(tmp_path):
    last = LastOffset(tmp_path)
    last.keep(1000, AT)
    for step in range(1, WORTH_MS):
        last.keep(1000 + step, AT + step)
    assert LastOffset(tmp_path).recall() == 1000
    last.keep(1000 + WORTH_MS, AT)
    assert LastOffset(tmp_path).recall() == 1000 + WORTH_MS


@pytest.mark.parametrize("garbage", [b"", b"{", b'{"boot":"boot-1"}', b'{"boot":"boot-1","offset_ms":"x"}', b"\xff"])
def test_a_spoilt_note_counts_as_none(tmp_path, garbage):
    (tmp_path / "offset.json").write_bytes(garbage)
    assert LastOffset(tmp_path).recall() == 0


def test_a_disk_that_refuses_ends_nothing(tmp_path):
    LastOffset(tmp_path / "missing").keep(5, AT)


def test_how_far_the_evening_was_is_noted_while_a_round_is_played_and_outlives_the_boot(tmp_path, boot):
    last = LastOffset(tmp_path)
    last.keep(1000, AT)
    last.keep(1000, AT + 2 * NOTED_MS)
    assert LastOffset(tmp_path).noted_at == AT, "no round is played"
    last.keep(1000, AT + 2 * NOTED_MS, played=True)
    last.keep(1000, AT + 3 * NOTED_MS - 1, played=True)
    boot[0] = "boot-2"
    assert (LastOffset(tmp_path).noted_at, LastOffset(tmp_path).known) == (AT + 2 * NOTED_MS, False)


def test_what_an_earlier_version_noted_says_nothing_of_the_evening(tmp_path, boot):
    (tmp_path / "offset.json").write_bytes(b'{"boot":"boot-1","offset_ms":7}')
    assert (LastOffset(tmp_path).recall(), LastOffset(tmp_path).noted_at) == (7, 0)
