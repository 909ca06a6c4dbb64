"""Whatever is lost, doubled, reordered or invented: what somebody has and we lack comes, and nothing else does."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from msgspec import Raw

from appliance.forks import stranded_heads
from appliance.gathering import GATHER_S
from appliance.link.envelope import Batch, Fetch
from appliance.link.fetching import ANSWERS_A_SECOND, ELSE_S, OPEN_FETCHES, REST_S, STALL_S, TRIES, Answerer, Fetcher
from appliance.link.replication import Alert, Forked, PeerAhead, Receiver
from appliance.record import Head
from tests.link.stores import MemoryStore, Writer

STREAMS = st.sampled_from(["round/R1", "venue/brno", "table/brno-1"])
PICK = st.integers(min_value=0, max_value=10_000)
ROUND = "round/R1"
EPOCH = "1-00000000000000aa"


class FetchSchedule(RuleBasedStateMachine):
    """Two peers with copies of one truth, of different times; a third that lost its disk asks both."""

    def __init__(self) -> None:
        super().__init__()
        self.truth, self.store = MemoryStore(), MemoryStore()
        self.writer = Writer(self.truth)
        self.peers = {"a": MemoryStore(), "b": MemoryStore()}
        self.now = 0.0
        self.fetches: list[tuple[str, Fetch]] = []
        self.batches: list[tuple[str, Batch]] = []
        self.alerts: list[Alert] = []
        self.restart()

    @rule()
    def restart(self) -> None:
        receiver = Receiver(self.store, lambda stream, by: self.writer.public)
        self.receiver, self.fetcher = receiver, Fetcher(self.store, receiver, self.alerts.append)
        self.answerers = {name: Answerer(store, batch_bytes=4000) for name, store in self.peers.items()}

    # -- what there is -----------------------------------------------------------------------------------

    @rule(stream=STREAMS, count=st.integers(1, 6))
    def write(self, stream: str, count: int) -> None:
        if not self.truth.epochs(stream):
            self.writer.open(stream)
        self.writer.write(stream, count)

    @rule(stream=STREAMS, back=st.integers(0, 5))
    def part(self, stream: str, back: int) -> None:
        """A new epoch that continues an older record: what is between strands."""
        epochs = self.truth.epochs(stream)
        if not epochs:
            return
        shorter = self.truth.copy()
        seq = len(self.truth.lines[stream, epochs[-1]])
        shorter.cut(stream, epochs[-1], max(1, seq - back))
        self.writer.open(stream, after=shorter.head(stream, epochs[-1]))

    @rule(name=st.sampled_from(["a", "b"]))
    def copy(self, name: str) -> None:
        self.peers[name].lines = self.truth.copy().lines

    @rule(pick=PICK, left=st.integers(0, 8))
    @precondition(lambda self: self.store.lines)
    def lose_the_newest(self, pick: int, left: int) -> None:
        stream = sorted({stream for stream, _ in self.store.lines})[pick % len({s for s, _ in self.store.lines})]
        self.store.cut(stream, self.store.epochs(stream)[-1], left)
        self.restart()

    # -- the network -------------------------------------------------------------------------------------

    @rule(name=st.sampled_from(["a", "b"]))
    def say_hello(self, name: str) -> None:
        self.fetcher.heard(name, self.heads(name), self.now)

    @rule(name=st.sampled_from(["a", "b"]), stream=STREAMS, seq=st.integers(1, 50))
    def lie(self, name: str, stream: str, seq: int) -> None:
        self.fetcher.heard(name, [Head(stream, EPOCH, seq, ""), *self.heads(name)], self.now)

    @rule(seconds=st.sampled_from([0.0, 0.5, 3.0, 10.0]))
    def poll(self, seconds: float) -> None:
        self.now += seconds
        fresh = self.fetcher.poll(self.now)
        assert len(fresh) <= OPEN_FETCHES and len({fetch.stream for _, fetch in fresh}) == len(fresh)
        self.fetches += fresh

    @rule(pick=PICK, keep=st.booleans())
    @precondition(lambda self: self.fetches)
    def answer(self, pick: int, keep: bool) -> None:
        place = pick % len(self.fetches)
        name, fetch = self.fetches[place] if keep else self.fetches.pop(place)
        self.batches += [(name, batch) for batch in self.answerers[name].answer("us", fetch, self.now)]

    @rule(pick=PICK, keep=st.booleans())
    @precondition(lambda self: self.batches)
    def deliver(self, pick: int, keep: bool) -> None:
        place = pick % len(self.batches)
        self.take(*(self.batches[place] if keep else self.batches.pop(place)))

    @rule(pick=PICK, place=PICK, flip=st.integers(1, 255))
    @precondition(lambda self: self.batches)
    def deliver_tampered(self, pick: int, place: int, flip: int) -> None:
        name, batch = self.batches[pick % len(self.batches)]
        raws = [bytearray(raw) for raw in batch.records]
        raws[place % len(raws)][place % len(raws[place % len(raws)])] ^= flip
        self.take(name, msgspec.structs.replace(batch, records=tuple(Raw(bytes(raw)) for raw in raws)))

    @rule(name=st.sampled_from(["a", "b"]))
    def vanish(self, name: str) -> None:
        self.fetcher.gone(name)

    @rule()
    def lose_everything_in_flight(self) -> None:
        self.fetches, self.batches = [], []

    # -- what always holds -------------------------------------------------------------------------------

    def heads(self, name: str) -> list[Head]:
        return [*stranded_heads(self.peers[name]), *self.peers[name].heads()]

    def take(self, name: str, batch: Batch) -> None:
        if self.fetcher.expects(name, batch.stream):
            self.fetcher.took(name, batch, self.receiver.take(batch), self.now)

    @invariant()
    def every_line_is_a_prefix_of_the_truth(self) -> None:
        truth = self.truth.raws()
        assert all(truth[line][: len(raws)] == raws for line, raws in self.store.raws().items())

    def teardown(self) -> None:
        """From here on the network is kind, and nobody lies: all that the peers have must come."""
        self.fetches, self.batches = [], []
        self.now += REST_S
        self.restart()
        for name in self.peers:
            self.fetcher.heard(name, self.heads(name), self.now)
        for _ in range(400):
            if not self.fetcher.lacking:
                break
            for name, fetch in self.fetcher.poll(self.now):
                for batch in self.answerers[name].answer("us", fetch, self.now):
                    self.take(name, batch)
            self.now += 0.1
        assert not self.fetcher.lacking
        held = self.store.raws()
        for name in self.peers:
            newest = {head.stream: head.epoch for head in self.peers[name].heads()}
            for (stream, epoch), raws in self.peers[name].raws().items():
                counts = [head for head in self.heads(name) if head[:2] == (stream, epoch)]
                assert not counts or held[stream, epoch][: len(raws)] == raws, newest


TestFetchSchedule = FetchSchedule.TestCase
TestFetchSchedule.settings = settings(max_examples=200, stateful_step_count=40, deadline=None)


class Asking:
    """A fetcher over an empty store."""

    def __init__(self) -> None:
        self.store, self.alerts = MemoryStore(), list[Alert]()
        self.caught_up: list[str] = []
        self.fetcher = Fetcher(
            self.store, Receiver(self.store, lambda stream, by: None), self.alerts.append,
            caught_up=self.caught_up.append,
        )  # fmt: skip


@pytest.fixture
def asking() -> Asking:
    return Asking()


def test_who_names_what_it_does_not_give_is_asked_a_few_times_and_then_left_alone(asking: Asking) -> None:
    liar = [Head(ROUND, EPOCH, 9, "")]
    asked, now = 0, 0.0
    while now < REST_S:
        asking.fetcher.heard("liar", liar, now)
        for _ in range(TRIES + 2):
            asked += len(asking.fetcher.poll(now))
            now += STALL_S
    assert asked <= 2 * TRIES
    assert {type(alert) for alert in asking.alerts} == {PeerAhead}
    assert not asking.fetcher.lacking and asking.caught_up


def test_a_hello_of_inventions_opens_few_fetches_and_is_forgotten(asking: Asking) -> None:
    asking.fetcher.heard("liar", [Head(f"round/R{n}", EPOCH, 9, "") for n in range(20_000)], 0)
    assert len(asking.fetcher.poll(0)) == OPEN_FETCHES
    assert sum(len(heads) for heads in asking.fetcher.lacking.values()) <= 1000


def test_one_fetch_a_stream_is_open_however_many_have_it(asking: Asking) -> None:
    for n in range(10):
        asking.fetcher.heard(f"k{n}", [Head(ROUND, EPOCH, 9 + n, "")], 0)
    assert asking.fetcher.poll(0) == [("k9", Fetch(ROUND, EPOCH, 0))]
    assert asking.fetcher.poll(ELSE_S / 2) == []
    assert asking.fetcher.poll(ELSE_S) == [("k8", Fetch(ROUND, EPOCH, 0))]


def test_whoever_alone_has_a_stream_is_given_time(asking: Asking) -> None:
    asking.fetcher.heard("k1", [Head(ROUND, EPOCH, 9, "")], 0)
    assert asking.fetcher.poll(0) and asking.fetcher.due == STALL_S
    assert asking.fetcher.poll(STALL_S - 0.1) == []
    assert asking.fetcher.poll(STALL_S) == [("k1", Fetch(ROUND, EPOCH, 0))]


def test_within_a_takeover_s_time_everybody_who_has_it_is_asked_for_what_a_dead_device_named(asking: Asking) -> None:
    """A device says hello and its cable is pulled: what another has, too, comes from there before the epoch opens."""
    asking.fetcher.heard("dead", [Head(ROUND, EPOCH, 9, "")], 0)
    asking.fetcher.heard("k1", [Head(ROUND, EPOCH, 9, "")], 0)
    asked: list[str] = []
    now = 0.0
    while now < GATHER_S / 2:
        asked += [peer for peer, _ in asking.fetcher.poll(now)]
        now = asking.fetcher.due or now
    assert sorted(asked[:2]) == ["dead", "k1"]


def test_who_says_hello_again_and_again_and_gives_nothing_is_asked_after_the_others(asking: Asking) -> None:
    asking.fetcher.heard("k1", [Head(ROUND, EPOCH, 9, "")], 0)
    asked: list[str] = []
    for n in range(20):
        asking.fetcher.heard("liar", [Head(ROUND, EPOCH, 100 + n, "")], n / 10)
        asked += [peer for peer, _ in asking.fetcher.poll(n / 10)]
    assert "k1" in asked[:3]


def test_who_names_ever_more_of_what_is_written_here_holds_nothing_up_for_long() -> None:
    """Commands wait for our own records to come back; whoever invents some must not stop an evening."""
    store = MemoryStore()
    fetcher = Fetcher(store, Receiver(store, lambda stream, by: None), print, writes=lambda stream, epoch: True)
    held_up = []
    for tenth in range(3000):
        now = tenth / 10
        if tenth % 7 == 0:
            fetcher.heard("liar", [Head(ROUND, EPOCH, 100 + tenth, "")], now)
        if tenth % 11 == 0:
            fetcher.mends("liar", PeerAhead(ROUND, EPOCH, 10_000 + tenth, ""), now)
        if tenth % 50 == 0:
            fetcher.heard("liar", [], now)
        fetcher.poll(now)
        held_up.append(fetcher.hopes(now))
    assert any(held_up[:20]) and not any(held_up[int(10 * STALL_S) :])


def test_our_own_records_are_waited_for_as_long_as_they_come() -> None:
    peer, store = MemoryStore(), MemoryStore()
    writer = Writer(peer)
    epoch = writer.open(ROUND)
    for _ in range(60):
        writer.write(ROUND, 1)
    receiver = Receiver(store, lambda stream, by: writer.public)
    fetcher = Fetcher(store, receiver, print, writes=lambda stream, epoch: True)
    answerer, now = Answerer(peer, batch_bytes=600), 0.0
    fetcher.heard("k1", peer.heads(), now)
    while store.heads() != peer.heads():
        assert fetcher.hopes(now)
        for name, fetch in fetcher.poll(now):
            for batch in answerer.give(fetch):
                now += STALL_S / 2
                fetcher.took(name, batch, receiver.take(batch), now)
    assert now > 3 * STALL_S and epoch and not fetcher.hopes(now)


@pytest.mark.parametrize("seq", [1, 2, 5, 9, 10])
@pytest.mark.parametrize("batch_bytes", [300, 1 << 16])
def test_whoever_only_says_that_it_has_other_records_of_ours_parts_no_stream(seq: int, batch_bytes: int) -> None:
    """A forged hash leads to a question; records that are our own, told again, are no answer that proves anything."""
    store = MemoryStore()
    writer = Writer(store)
    epoch = writer.open(ROUND)
    for _ in range(9):
        writer.write(ROUND, 1)
    parted: list[Head] = []
    alerts: list[Alert] = []
    receiver = Receiver(store, lambda stream, by: writer.public)
    fetcher = Fetcher(
        store, receiver, alerts.append, writes=lambda stream, epoch: True, forked=lambda head, _: parted.append(head)
    )
    answerer, now, asked = Answerer(store.copy(), batch_bytes=batch_bytes), 0.0, 0
    fetcher.mends("liar", Forked(ROUND, epoch, seq, "another record there"), now)
    while (due := fetcher.due) is not None:
        now = max(now, due)
        for name, fetch in fetcher.poll(now):
            asked += 1
            for batch in answerer.give(fetch):
                fetcher.took(name, batch, receiver.take(batch), now)
    assert 1 <= asked <= 2 * TRIES and parted == []
    assert {type(alert) for alert in alerts} == {Forked}, "a person is told of it"


def test_a_peer_that_has_nothing_for_us_is_caught_up_at_once(asking: Asking) -> None:
    asking.fetcher.heard("k1", [], 0)
    assert asking.caught_up == ["k1"] and asking.fetcher.due is None


def test_what_nobody_asked_for_is_no_answer(asking: Asking) -> None:
    assert not asking.fetcher.expects("k1", ROUND)
    asking.fetcher.heard("k1", [Head(ROUND, EPOCH, 9, "")], 0)
    asking.fetcher.poll(0)
    assert asking.fetcher.expects("k1", ROUND) and not asking.fetcher.expects("k2", ROUND)


def test_the_same_fetch_and_too_many_are_not_answered_again_and_again() -> None:
    store = MemoryStore()
    writer = Writer(store)
    epoch = writer.open(ROUND)
    writer.write(ROUND, 5)
    answerer = Answerer(store)
    assert len(answerer.answer("k1", Fetch(ROUND, epoch, 0), 0.0)) == 1
    assert answerer.answer("k1", Fetch(ROUND, epoch, 0), 1.0) == []
    assert len(answerer.answer("k1", Fetch(ROUND, epoch, 0), 3.0)) == 1
    given = [answerer.answer("k2", Fetch(ROUND, epoch, n % 2), 5.0) for n in range(3 * ANSWERS_A_SECOND)]
    assert sum(map(bool, given)) == ANSWERS_A_SECOND


@pytest.mark.parametrize("fetch", [Fetch(ROUND, EPOCH, 0), Fetch("round/R9", EPOCH, 2**53), Fetch(ROUND, EPOCH, 2**53)])
def test_a_fetch_of_what_is_not_held_is_answered_with_nothing(fetch: Fetch) -> None:
    store = MemoryStore()
    Writer(store).open(ROUND)
    assert Answerer(store).answer("k1", fetch, 0.0) == []
