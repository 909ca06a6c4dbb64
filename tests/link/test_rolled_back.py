"""A disk that lost its newest records gets them back from whoever has them, and goes on from there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from appliance.link.broker import Broker
from appliance.link.notices import signed_notice
from appliance.link.replication import Forked, PeerAhead
from appliance.record import Epoch, Head
from tests.link.harness import fresh, lose
from tests.link.stores import MemoryStore, Writer
from tests.link.venue import Evening

ROUND = "round/R1"


@pytest.fixture
def evening(broker: Broker) -> Iterator[Evening]:
    evening = Evening(broker.endpoint, fresh("v"))
    yield evening
    evening.close()


def test_a_tables_kiosk_takes_its_own_tail_back_and_writes_on_in_the_same_epoch(evening: Evening) -> None:
    kiosk, writer = evening.table(1)
    stream = f"table/{evening.venue}-1"
    writer.write(stream, 20)
    evening.equal(kiosk)
    before = kiosk.store.raws()
    evening.stop(kiosk)
    kiosk.store.cut(stream, writer.epoch(stream), 7)
    again = evening.kiosk(kiosk.device, kiosk.store, writes={stream})
    evening.until(lambda: again.store.raws() == before, "the tail came back")
    assert again.received == [(stream, 14)]
    writer.write(stream, 3)
    evening.equal(again)
    assert len(again.store.epochs(stream)) == 1
    assert again.alerts == [] and evening.director.alerts == []


def test_a_kiosk_that_lost_a_whole_epoch_of_its_own_takes_back_both(evening: Evening) -> None:
    kiosk, writer = evening.table(1)
    stream = f"table/{evening.venue}-1"
    writer.write(stream, 5)
    first = writer.epoch(stream)
    second = writer.open(stream)
    writer.write(stream, 5)
    evening.equal(kiosk)
    before = kiosk.store.raws()
    evening.stop(kiosk)
    kiosk.store.cut(stream, second, 0)
    kiosk.store.cut(stream, first, 2)
    again = evening.kiosk(kiosk.device, kiosk.store, writes={stream})
    evening.until(lambda: again.store.raws() == before, "both epochs came back")
    assert again.alerts == [] and evening.director.alerts == []


def test_a_directors_own_tail_comes_back_from_a_kiosk_and_goes_on_to_the_others(evening: Evening) -> None:
    pen = evening.director.writer
    pen.open(ROUND)
    pen.write(ROUND, 30)
    door = evening.kiosk("door")
    evening.equal(door)
    before = evening.director.store.raws()
    evening.stop(evening.director)
    evening.director.store.cut(ROUND, pen.epoch(ROUND), 11)
    director = evening.restart_director_after_stop()
    hall = evening.kiosk("hall")
    evening.until(lambda: director.store.raws() == before, "the tail came back")
    evening.equal(door, hall)
    assert director.received == [(ROUND, 20)]
    assert director.alerts == [] and door.alerts == []


def test_what_only_an_old_directors_device_holds_is_fetched_as_stranded(evening: Evening) -> None:
    """The new epoch continues record 5; the old director had 9."""
    pen = evening.director.writer
    first = pen.open(ROUND)
    pen.write(ROUND, 8)
    old = evening.director.store.copy()
    evening.director.store.cut(ROUND, first, 5)
    pen.journal_id = f"{77:016x}"
    second = pen.open(ROUND)
    pen.write(ROUND, 2)
    device = evening.kiosk("d0", old)
    evening.until(lambda: evening.director.store.head(ROUND, first) == old.head(ROUND, first), "the stranded ones")
    evening.until(lambda: device.store.head(ROUND, second) == evening.director.store.head(ROUND, second))
    assert evening.director.alerts == [] and device.alerts == []


def test_a_stranded_epoch_is_named_and_fetched_beside_the_newest(evening: Evening) -> None:
    pen = evening.director.writer
    first = pen.open(ROUND)
    pen.write(ROUND, 3)
    device = evening.kiosk("d0")
    evening.equal(device)
    fork = device.store.head(ROUND, first)
    aside = Writer(device.store, "d1", seed=1)
    aside.journal_id = f"{55:016x}"
    lost = aside.open(ROUND)
    aside.write(ROUND, 2)
    evening.stop(device)
    pen.open(ROUND, after=fork, n=3)
    again = evening.kiosk("d0", device.store)
    evening.until(lambda: evening.director.store.head(ROUND, lost), "an epoch that nobody continues")
    evening.until(lambda: again.store.raws() == evening.director.store.raws())
    lose(again.link.client)
    evening.until(lambda: len(evening.director.hellos) > 2 and not evening.director.link.lacking)
    assert {head.epoch for head in evening.director.hellos[-1].heads if head.stream == ROUND} == {
        lost,
        pen.epoch(ROUND),
    }


def test_a_rolled_back_kiosk_that_wrote_on_learns_where_its_stream_parts(evening: Evening) -> None:
    kiosk, writer = evening.table(1)
    stream = f"table/{evening.venue}-1"
    writer.write(stream, 19)
    evening.equal(kiosk)
    evening.stop(kiosk)
    epoch = writer.epoch(stream)
    kiosk.store.cut(stream, epoch, 8)
    agreed = kiosk.store.head(stream, epoch)
    writer.write(stream, 3, size=50)
    forks: list[Head] = []

    def go_on(head: Head) -> None:
        forks.append(head)
        writer.open(stream, after=head)

    again = evening.kiosk(kiosk.device, kiosk.store, writes={stream}, on_forked=go_on)
    evening.until(lambda: forks, "the fork is found")
    assert forks == [agreed]
    assert Forked in [type(alert) for alert in again.alerts]
    writer.write(stream, 2)
    evening.until(lambda: _same_head(evening, again.store, stream), "the new epoch goes out")


def test_a_rolled_back_kiosk_that_wrote_more_than_it_had_lost_learns_it_too(evening: Evening) -> None:
    kiosk, writer = evening.table(1)
    stream = f"table/{evening.venue}-1"
    writer.write(stream, 19)
    evening.equal(kiosk)
    evening.stop(kiosk)
    kiosk.store.cut(stream, writer.epoch(stream), 8)
    agreed = kiosk.store.head(stream, writer.epoch(stream))
    writer.write(stream, 40, size=50)
    forks: list[Head] = []
    evening.kiosk(kiosk.device, kiosk.store, writes={stream}, on_forked=forks.append)
    evening.until(lambda: forks, "the fork is found")
    assert forks == [agreed]


def test_a_device_proves_to_a_director_that_another_came_later(evening: Evening) -> None:
    stream = f"venue/{evening.venue}"
    old = evening.director
    old.writer.open(stream)
    later: list[Head] = []
    old.link._on_later = later.append
    copy = old.store.copy()
    after = Writer(copy, "k9", seed=9)
    evening.keys["k9"] = after.public
    device = evening.kiosk("door", copy)
    evening.until(lambda: old.link.devices)
    epoch = after.open(stream)
    device.link.greet()
    evening.until(lambda: later, "it is told")
    assert (later[0].stream, later[0].epoch) == (stream, epoch)
    assert old.link.fenced and old.store.epochs(stream) != copy.epochs(stream)


def test_a_device_that_only_says_so_deposes_nobody(evening: Evening) -> None:
    stream = f"venue/{evening.venue}"
    old = evening.director
    old.writer.open(stream)
    copy = old.store.copy()
    device = evening.kiosk("door", copy)
    evening.until(lambda: old.link.devices)
    Writer(copy, "k9", seed=9).open(stream)  # whose key nobody knows
    device.link.greet()
    evening.until(lambda: old.link.lacking, "it named a later epoch")
    evening.work()
    assert not old.link.fenced and old.link.devices == ["door"]


def test_who_gathers_takes_the_longest_copy_and_knows_when_it_has_it(evening: Evening) -> None:
    stream = f"venue/{evening.venue}"
    evening.stop(evening.director)
    pen = evening.director.writer
    pen.open(stream)
    pen.open(ROUND)
    pen.write(ROUND, 3)
    short = evening.director.store.copy()
    for _ in range(40):
        pen.write(ROUND, 10, size=5000)
    longest = evening.director.store.copy()
    evening.director.store.lines = {}
    notice = signed_notice(evening.venue, "d1", str(Epoch(2, "00000000000000d2")), pen.key, gathering=True)
    director = evening.gather(notice)
    caught_up: list[str] = []
    director.link._fetcher._caught_up = caught_up.append
    evening.kiosk("a", short)
    evening.kiosk("b", longest)
    evening.until(lambda: set(caught_up) == {"a", "b"}, "all that they have")
    assert director.store.raws() == longest.raws()
    assert director.link.lacking == {}
    assert PeerAhead not in [type(alert) for alert in director.alerts]


def _same_head(evening: Evening, store: MemoryStore, stream: str) -> bool:
    ours = {head.stream: head for head in store.heads()}[stream]
    return evening.director.store.head(stream, ours.epoch) == ours
