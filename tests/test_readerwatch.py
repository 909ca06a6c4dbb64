"""Which readers work: what they say, and no sign of life."""

from types import SimpleNamespace

from appliance.hw.ports import SILENT_NS, ReaderState
from appliance.link.envelope import ReaderSaid
from appliance.readerwatch import ReaderWatch


def reader(name):
    return SimpleNamespace(name=name, state=ReaderState.ONLINE, alive_ns=10**12)


def test_one_of_two_readers_is_missing_by_its_name():
    watch = ReaderWatch([reader("left"), reader("right")])
    assert watch.works and watch.missing == () and watch.all_work
    watch.told("left", True)
    watch.told("right", False)
    assert watch.works and watch.missing == ("right",) and not watch.all_work
    watch.told("left", False)
    assert not watch.works and watch.missing == ()
    watch.told("left", True)
    watch.told("right", True)
    assert watch.all_work


def test_a_reader_without_a_sign_of_life_counts_as_gone_until_it_gives_one():
    hung = reader("door")
    watch = ReaderWatch([hung])
    watch.told("door", True)
    watch.look(hung.alive_ns + SILENT_NS)
    assert watch.works
    watch.look(hung.alive_ns + SILENT_NS + 1)
    assert not watch.works and not watch.all_work
    hung.alive_ns += SILENT_NS
    watch.look(hung.alive_ns)
    assert watch.works


def test_each_reader_is_told_with_what_ails_it():
    left, right = reader("left"), reader("right")
    watch = ReaderWatch([left, right])
    assert watch.states() == ()
    watch.told("left", False, "no-reader")
    watch.told("right", True)
    right.alive_ns = left.alive_ns + SILENT_NS + 1
    left.alive_ns = right.alive_ns
    assert watch.states() == (ReaderSaid("left", "no-reader"), ReaderSaid("right"))
    watch.look(right.alive_ns + SILENT_NS + 1)
    assert watch.states()[1] == ReaderSaid("right", "no-answer")
