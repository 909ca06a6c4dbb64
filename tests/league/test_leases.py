"""Who takes which shards: all that live share them fairly, and what one leaves the others have within seconds."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import timedelta

import pytest

from appliance.link import topics
from league.ingest import leases
from league.ingest.leases import LEASE_S, LINGER_S, LOOK_S, SHARDS, Leases
from league.ingest.models import IngestWorker, ShardLease
from league.ingest.worker import ALL, subscriptions

pytestmark = pytest.mark.usefixtures("db")


class Clock:
    """Moves the monotonic clock of processes, and the database's."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.time = 0.0
        began = leases.database_now()
        monkeypatch.setattr(leases, "database_now", lambda: began + timedelta(seconds=self.time))

    def worker(self, name: str) -> Leases:
        return Leases(name, lambda: self.time)

    def pass_(self, seconds: float, *workers: Leases) -> None:
        until = self.time + seconds
        while self.time < until:
            self.time += 0.5
            for worker in workers:
                worker.turn()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def test_one_process_alone_owns_all_shards_at_its_first_look(clock: Clock) -> None:
    one = clock.worker("one")
    assert one.turn()
    assert (one.held.shards, one.held.tells, subscriptions(one.held)) == (frozenset(SHARDS), True, ALL)
    assert one.owns("zabreh")
    assert not one.turn()  # not looked at again yet
    clock.pass_(20, one)
    assert len(one.held.shards) == 64 and one.held.new == frozenset()


@pytest.mark.parametrize("many", [2, 3, 5])
def test_those_who_live_share_the_shards_fairly_and_one_tells_the_venues(clock: Clock, many: int) -> None:
    workers = [clock.worker(f"w{n}") for n in range(many)]
    clock.pass_(4 * LOOK_S, *workers)
    shares = [len(worker.held.shards) for worker in workers]
    assert sum(shares) == 64 and max(shares) <= -(-64 // many)
    assert frozenset.union(*(worker.held.shards for worker in workers)) == frozenset(SHARDS)
    assert [worker.held.tells for worker in workers].count(True) == 1
    before = [worker.held.shards for worker in workers]
    clock.pass_(5 * LOOK_S, *workers)
    assert [worker.held.shards for worker in workers] == before  # and nothing goes to and fro


def test_what_a_killed_process_had_others_have_within_ten_seconds(clock: Clock) -> None:
    one, other = clock.worker("one"), clock.worker("other")
    clock.pass_(10, one, other)
    lost = one.held.shards
    clock.pass_(LEASE_S + LOOK_S, other)
    assert LEASE_S + LOOK_S < 10
    assert len(other.held.shards) == 64 and other.held.tells
    assert IngestWorker.objects.get().pk == "other"
    clock.pass_(LOOK_S, one, other)  # it was only slow: it takes its part again
    clock.pass_(3 * LOOK_S, one, other)
    assert len(one.held.shards) == len(other.held.shards) == 32 and lost


def test_who_stops_leaves_its_shards_to_the_next_look_of_the_others(clock: Clock) -> None:
    one, other = clock.worker("one"), clock.worker("other")
    clock.pass_(10, one, other)
    one.give_up()
    assert not one.owns("zabreh") and one.held == leases.NOTHING
    clock.pass_(LOOK_S, other)
    assert len(other.held.shards) == 64 and other.held.tells


def test_a_shard_that_was_given_up_is_heard_until_its_next_owner_hears_it(clock: Clock) -> None:
    one, other = clock.worker("one"), clock.worker("other")
    one.turn()
    other.turn()
    assert other.held.shards == frozenset()
    clock.pass_(LOOK_S, one, other)
    assert len(one.held.shards) == 32 and len(one.held.hears) == 64
    clock.pass_(LOOK_S, one, other)
    assert other.held.shards == one.held.hears - one.held.shards
    clock.pass_(LINGER_S, one, other)
    assert one.held.hears == one.held.shards
    assert subscriptions(one.held) == [(f"ts/1/+/up/{shard}/#", 1) for shard in sorted(one.held.shards)]
    assert one.owns("zabreh") is (topics.shard("zabreh") in one.held.shards) is not other.owns("zabreh")


def test_what_an_ended_process_of_this_machine_had_is_free_at_once(clock: Clock) -> None:
    ended = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    machine = ":".join(leases.own_name().split(":")[:2])
    before = clock.worker(f"{machine}:{int(ended.stdout)}:00aa")
    living = clock.worker(f"{machine}:{os.getppid()}:00aa")
    before.turn()
    successor = clock.worker(leases.own_name())
    successor.turn()
    assert len(successor.held.shards) == 64 and successor.held.tells
    living.turn()
    clock.pass_(LOOK_S, successor)
    assert len(successor.held.shards) == 32


def test_a_process_that_has_the_number_of_an_ended_one_waits_for_nothing(clock: Clock) -> None:
    """As in a container, whose first process is always number 1."""
    before = clock.worker(leases.own_name())
    before.turn()
    after = clock.worker(leases.own_name())
    after.turn()
    assert len(after.held.shards) == 64


def test_an_ended_process_that_nobody_has_asked_for_yet_holds_nothing(clock: Clock) -> None:
    machine = ":".join(leases.own_name().split(":")[:2])
    with subprocess.Popen([sys.executable, "-c", ""]) as child:
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        before = clock.worker(f"{machine}:{child.pid}:00aa")
        before.turn()
        after = clock.worker(leases.own_name())
        after.turn()
        assert len(after.held.shards) == 64


def test_leases_that_end_in_a_far_future_after_a_clock_was_set_back_hold_nobody(clock: Clock) -> None:
    one = clock.worker("one")
    one.turn()
    clock.time -= 3600
    other = clock.worker("other")
    other.turn()
    assert len(other.held.shards) == 64
    assert ShardLease.objects.filter(owner="other").count() == 65
