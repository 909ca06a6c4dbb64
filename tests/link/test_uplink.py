from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator

import pytest
from msgspec import Raw

from appliance.link import envelope, topics
from appliance.link.broker import Broker, BrokerKind
from appliance.link.client import Inbox
from appliance.link.envelope import Batch, DeviceState, State
from appliance.link.replication import BadSignature
from appliance.link.uplink import UplinkLink
from tests.link.harness import fresh, lose, pump, raw_publisher
from tests.link.mini_league import MiniLeague
from tests.link.stores import MemoryStore, Writer
from tests.link.venue import Evening, hurry, impatient

ROUND = "round/R1"


class Season:
    """An evening, its uplink, and a league; both brokers are one here, as in a small league."""

    def __init__(self, broker: Broker) -> None:
        self.evening = Evening(broker.endpoint, fresh("v"))
        self.venue = self.evening.venue
        self.seen = MemoryStore()  # the director's file as the uplink last saw it
        self.copy = MemoryStore()
        self.raw = MemoryStore()
        self.pen = Writer(self.raw, "league", seed=200)
        keys = self.evening.keys
        keys["league"] = self.pen.public
        self.alerts: list[object] = []
        self.inbox: Inbox = queue.SimpleQueue()
        self.uplink = UplinkLink(
            broker.endpoint, broker.endpoint, self.venue, self.seen, self.copy, lambda stream, by: keys.get(by),
            self.inbox, refresh=self.refresh, clock=lambda: time.monotonic_ns() // 1_000_000, software="t 1",
            alert=self.alerts.append,
        )  # fmt: skip
        hurry(self.uplink.client)
        hurry(self.uplink.lan.client)
        impatient(self.uplink._sender)
        self.uplink.start()
        self.league = MiniLeague(broker.endpoint, self.venue, self.raw, lambda stream, by: keys.get(by))
        self.league.client.start()
        self.evening.roles += [(self.uplink, self.inbox), (self.league, self.league.inbox)]

    def refresh(self) -> None:
        self.seen.lines = self.evening.director.store.copy().lines

    def same(self) -> bool:
        """All three have the same bytes, the uplink the league's stream only."""
        ours = self.evening.director.store.raws()
        return self.raw.raws() == ours and self.copy.raws() == {
            line: raws for line, raws in ours.items() if line[0].startswith("league/")
        }

    def close(self) -> None:
        self.evening.roles = [(r, i) for r, i in self.evening.roles if r not in (self.uplink, self.league)]
        self.uplink.stop()
        self.league.client.stop()
        self.evening.close()


@pytest.fixture
def season(broker: Broker) -> Iterator[Season]:
    season = Season(broker)
    yield season
    season.close()


def test_the_evening_goes_up_and_the_leagues_stream_comes_down_to_every_kiosk(season: Season) -> None:
    league_stream = f"league/{season.venue}"
    season.pen.open(league_stream)
    season.pen.write(league_stream, 40)
    kiosk = season.evening.kiosk("door")
    season.evening.until(lambda: kiosk.store.raws().keys() == {(league_stream, season.raw.epochs(league_stream)[0])})
    season.evening.director.writer.open(ROUND)
    for _ in range(10):
        season.evening.director.writer.write(ROUND, 5)
    season.pen.write(league_stream)
    season.evening.until(season.same, "equal everywhere")
    season.evening.equal(kiosk)
    season.evening.until(lambda: season.uplink.settled and season.uplink.lan.settled and season.league.sender.settled)
    assert season.evening.director.link.devices == ["door", "uplink"]
    assert not season.alerts + season.league.alerts + season.evening.director.alerts


def test_hello_tells_the_league_heads_and_software(season: Season) -> None:
    season.evening.director.writer.open(ROUND)
    season.evening.until(lambda: season.uplink.client.connected and season.league.client.connected)
    lose(season.uplink.client)
    season.evening.until(lambda: season.league.hellos and season.league.hellos[-1].heads)
    hello = season.league.hellos[-1]
    assert (hello.device, hello.software) == ("uplink", "t 1")
    assert hello.heads == tuple(season.evening.director.store.heads())


def test_an_evening_offline_arrives_when_the_league_is_back(season: Season) -> None:
    season.evening.until(lambda: season.league.client.connected)
    season.league.client.stop()
    season.evening.roles.remove((season.league, season.league.inbox))
    season.evening.director.writer.open(ROUND)
    for _ in range(200):
        season.evening.director.writer.write(ROUND, 3)
    season.evening.until(lambda: not season.uplink.settled)
    season.league = MiniLeague(
        season.evening.endpoint, season.venue, season.raw, lambda stream, by: season.evening.keys.get(by)
    )
    season.league.client.start()
    season.evening.roles.append((season.league, season.league.inbox))
    season.evening.until(season.same)
    season.evening.until(lambda: season.uplink.settled)


def test_a_forged_league_stream_is_not_stored(season: Season) -> None:
    league_stream = f"league/{season.venue}"
    forger = Writer(MemoryStore(), "league", seed=201)
    epoch = forger.open(league_stream)
    raw, signature = forger.store.lines[league_stream, epoch][0]
    foreign = Writer(MemoryStore(), "league", seed=200)
    foreign_epoch = foreign.open("league/elsewhere")
    foreign_raw, foreign_signature = foreign.store.lines["league/elsewhere", foreign_epoch][0]
    season.evening.until(lambda: season.uplink.client.connected)
    counts = season.uplink.client.drops.counts
    with raw_publisher(season.evening.endpoint) as rude:
        topic = topics.down(season.venue, "ev")
        rude.publish(topic, envelope.encode(Batch(league_stream, epoch, 1, (Raw(raw),), signature or b"")), qos=1)
        season.evening.until(lambda: season.alerts)
        other = Batch("league/elsewhere", foreign_epoch, 1, (Raw(foreign_raw),), foreign_signature or b"")
        rude.publish(topic, envelope.encode(other), qos=1)
        season.evening.until(lambda: counts["wrong-stream"])
        rude.publish(topic, b"\x00" * 200_000, qos=1)
        rude.publish(topics.down(season.venue, "ack"), b"garbage", qos=1)
        season.evening.until(lambda: counts["bad-zlib"] == 2)
    assert [type(alert) for alert in season.alerts] == [BadSignature]
    season.pen.open(league_stream)
    season.evening.until(season.same)


def test_a_directors_lost_tail_comes_back_from_the_league(season: Season) -> None:
    pen = season.evening.director.writer
    pen.open(f"venue/{season.venue}")
    pen.open(ROUND)
    for _ in range(8):
        pen.write(ROUND, 5)
    season.evening.until(season.same, "the league has it all")
    before = season.evening.director.store.raws()
    season.evening.stop(season.evening.director)
    season.evening.director.store.cut(ROUND, pen.epoch(ROUND), 7)
    director = season.evening.restart_director_after_stop()
    season.refresh()
    lose(season.uplink.client)
    season.evening.until(lambda: director.store.raws() == before, "the tail came back")
    director.writer.write(ROUND, 2)
    season.evening.until(season.same, "and it goes on")
    assert not season.alerts + season.league.alerts + director.alerts


def test_an_empty_director_hears_of_its_venues_streams_from_the_league(season: Season) -> None:
    pen = season.evening.director.writer
    pen.open(ROUND)
    pen.write(ROUND, 5)
    season.evening.until(season.same, "the league has it all")
    before = season.evening.director.store.raws()
    season.evening.stop(season.evening.director)
    season.evening.director.store.lines = {}
    director = season.evening.restart_director_after_stop()
    season.refresh()
    lose(season.uplink.client)
    season.evening.until(lambda: director.store.raws() == before, "all of it came back")


def test_a_director_that_wrote_on_after_a_roll_back_learns_it_from_the_league(season: Season) -> None:
    pen = season.evening.director.writer
    pen.open(ROUND)
    for _ in range(4):
        pen.write(ROUND, 5)
    season.evening.until(season.same, "the league has it all")
    season.evening.stop(season.evening.director)
    season.evening.director.store.cut(ROUND, pen.epoch(ROUND), 11)
    agreed = season.evening.director.store.head(ROUND, pen.epoch(ROUND))
    gone = season.raw.raws()[ROUND, pen.epoch(ROUND)][11:]
    pen.write(ROUND, 40, size=33)
    director = season.evening.restart_director_after_stop()
    forks: list[object] = []
    director.link._on_forked = lambda head: (forks.append(head), director.writer.open(ROUND, after=head))
    season.refresh()
    lose(season.uplink.client)
    season.evening.until(lambda: forks, "it is told")
    assert forks == [agreed]
    assert director.lost == gone
    season.evening.until(lambda: season.raw.heads() == director.store.heads(), "the new epoch goes up")


def test_what_stranded_at_the_venue_reaches_the_league_too(season: Season) -> None:
    pen = season.evening.director.writer
    first = pen.open(ROUND)
    pen.write(ROUND, 5)
    season.evening.until(season.same)
    pen.open(ROUND)
    season.evening.until(season.same)
    late = Writer(MemoryStore(), "d1", seed=1)
    late.store.lines[ROUND, first] = list(season.evening.director.store.lines[ROUND, first])
    late.write(ROUND, 3)
    season.evening.director.store.lines[ROUND, first] = late.store.lines[ROUND, first]
    season.refresh()
    lose(season.uplink.client)
    season.evening.until(season.same, "the stranded ones too")
    assert not season.alerts + season.league.alerts


def test_a_league_that_was_restored_takes_its_own_tail_back(season: Season) -> None:
    league_stream = f"league/{season.venue}"
    season.pen.open(league_stream)
    for _ in range(10):
        season.pen.write(league_stream, 3)
    season.evening.until(season.same, "the venue has it all")
    before = season.raw.raws()
    season.raw.cut(league_stream, season.raw.epochs(league_stream)[0], 4)
    lose(season.uplink.client)
    season.evening.until(lambda: season.raw.raws() == before, "the tail came back")
    season.pen.write(league_stream, 2)
    season.evening.until(season.same, "and it goes on")


def test_the_state_says_whether_the_uplink_is_there(season: Season) -> None:
    def online() -> bool | None:
        states = season.league.states
        return envelope.decode(envelope.State, states[-1]).online if states else None

    season.evening.until(lambda: season.uplink.client.connected and season.league.client.connected)
    lose(season.uplink.client)  # a birth while the league subscribes may be missed on NATS
    season.evening.until(lambda: online() is True)
    season.evening.roles = [(r, i) for r, i in season.evening.roles if r is not season.uplink]
    season.uplink.stop()
    season.evening.until(lambda: online() is False)


def test_the_league_hears_what_time_it_is_at_the_venue_and_anew_on_every_connect(season: Season) -> None:
    def told() -> list[int]:
        states = [envelope.decode(State, payload) for payload in season.league.states if payload]
        return [state.at for state in states if state.at is not None]

    def here() -> int | None:
        return season.uplink.lan.director_clock()

    season.evening.until(lambda: here() is not None and season.league.client.connected)
    lose(season.uplink.client)  # a birth while the league subscribes may be missed on NATS
    season.evening.until(lambda: told() and season.uplink.client.connected, "it is told")
    now = here()
    assert now is not None and 0 <= now - told()[-1] < 5000
    assert envelope.decode(State, season.uplink._standing.birth).at is None
    many = len(told())
    lose(season.uplink.client)
    season.evening.until(lambda: len(told()) > many, "it is told again")
    assert told() == sorted(told()), "none that was"


def test_the_league_hears_of_kiosks_and_director_through_the_uplink(
    season: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("appliance.link.standing.HURRY_S", 0.1)
    table, _ = season.evening.table(1)
    season.uplink._director = lambda name: DeviceState(name, role="director", power="undervoltage", waiting=7)
    directs = season.evening.director.link._own_notice.device
    season.evening.until(lambda: table.link.offset.ms is not None and season.uplink.lan.client.connected)
    table.link._standing._look_at = 0.0

    def heard() -> dict[str, DeviceState]:
        season.uplink._standing.hurry()
        states = [envelope.decode(State, payload) for payload in season.league.states if payload]
        return {device.device: device for state in states[-1:] for device in state.devices}

    def all_told() -> bool:
        found = heard()
        director = DeviceState(directs, role="director", power="undervoltage", waiting=7)
        if found.keys() != {directs, "k1"} or found[directs] != director:
            return False
        return found["k1"].offset_ms is not None and found["k1"].waiting == 0

    season.evening.until(all_told, "it is told")
    season.evening.stop(table)
    season.evening.until(lambda: "k1" in (found := heard()) and not found["k1"].online, "its going is told")


def test_the_uplink_works_with_the_league_alone(kind: BrokerKind, start: Callable[..., Broker]) -> None:
    """No venue broker (it is being restarted): what is in the file goes up all the same."""
    broker, absent = start(kind), start(kind)
    absent.kill()
    store, raw = MemoryStore(), MemoryStore()
    writer = Writer(store, "d1")
    writer.open(ROUND)
    inbox: Inbox = queue.SimpleQueue()
    uplink = UplinkLink(
        broker.endpoint, absent.endpoint, "brno", store, MemoryStore(), lambda stream, by: writer.public, inbox,
        refresh=lambda: None, clock=lambda: 0,
    )  # fmt: skip
    league = MiniLeague(broker.endpoint, "brno", raw, lambda stream, by: writer.public)
    uplink.start()
    league.client.start()
    try:
        pump([(uplink, inbox), (league, league.inbox)], lambda: raw.raws() == store.raws() and uplink.settled)
    finally:
        uplink.stop()
        league.client.stop()
