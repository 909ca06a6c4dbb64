"""Time goes on by the monotonic clock alone."""

import ctypes

from appliance.timebase import Anchor, Timebase, moved_on, restore, wall_anchor
from appliance.trustsources import kernel_synchronised


def test_a_wall_clock_set_back_does_not_move_the_evening():
    mono = [0]
    base = Timebase(Anchor("boot", 0, 1_000_000), lambda: mono[0])
    mono[0] = 5_000_000_000
    assert base.now_ms() == 1_005_000


def test_a_rehearsal_runs_at_its_rate():
    base = Timebase(Anchor("boot", 0, 0, 60), lambda: 1_000_000_000)
    assert base.now_ms() == 60_000


def test_a_restart_in_the_same_boot_goes_on_as_if_never_away(tmp_path):
    file = tmp_path / "anchor.json"
    restore(file, Anchor("boot-1", 100, 5_000))
    again = restore(file, Anchor("boot-1", 900, 1))
    assert again.anchor == Anchor("boot-1", 100, 5_000)


def test_after_a_reboot_or_with_an_unreadable_file_the_wall_clock_counts(tmp_path):
    file = tmp_path / "anchor.json"
    for _ in range(2):
        fresh = Anchor("boot-2", 900, 7_000)
        assert restore(file, fresh).anchor == fresh
        file.write_bytes(b"\xff garbage")
    restore(file, Anchor("boot-1", 100, 5_000))
    assert restore(file, Anchor("boot-2", 1, 9)).anchor.utc_ms == 9
    assert restore(file, Anchor("", 1, 8)).anchor.utc_ms == 8


def test_a_clock_that_came_up_in_the_past_is_set_forward_and_stays_so(tmp_path):
    file = tmp_path / "anchor.json"
    base = restore(file, Anchor("boot", 100, 5_000))
    assert moved_on(file, base, 5_000).anchor == base.anchor
    ahead = moved_on(file, Timebase(base.anchor, lambda: 100), 9_000_000)
    assert ahead.anchor == Anchor("boot", 100, 9_000_000)
    assert restore(file, Anchor("boot", 200, 1)).anchor == ahead.anchor


def test_a_rehearsal_starts_where_it_is_told():
    assert wall_anchor(60, 42).utc_ms == 42


def test_the_kernel_says_whether_its_clock_was_set_right(monkeypatch):
    class Kernel:
        def __init__(self, state):
            self.ntp_adjtime = lambda buffer: state

    assert kernel_synchronised() in (True, False)  # the real one answers
    for state, right in ((0, True), (1, True), (5, False), (-1, False)):
        monkeypatch.setattr(ctypes, "CDLL", lambda name, state=state: Kernel(state))
        assert kernel_synchronised() is right
    monkeypatch.setattr(ctypes, "CDLL", lambda name: object())
    assert not kernel_synchronised()
