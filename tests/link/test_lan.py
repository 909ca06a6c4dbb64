from __future__ import annotations

import time
from collections.abc import Iterator

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Raw

from appliance.link import envelope, topics
from appliance.link.broker import Broker
from appliance.link.director import MAX_WRITTEN
from appliance.link.envelope import (
    Ack,
    Batch,
    CommandMessage,
    DirectorNotice,
    Hello,
    Refusal,
    Reply,
    State,
)
from appliance.link.lan import NO_ANSWER
from appliance.link.notices import signed_notice
from appliance.link.replication import BadSignature, StoreTrouble
from appliance.record import Head
from tests.link.harness import connected, fresh, pump, raw_publisher
from tests.link.stores import Writer
from tests.link.venue import EPOCH, Evening, Kiosk, impatient

ROUND = "round/R1"


@pytest.fixture
def evening(broker: Broker) -> Iterator[Evening]:
    evening = Evening(broker.endpoint, fresh("v"))
    yield evening
    evening.close()


def command(device: str, id_: str = "c1", ttl_ms: int = 20_000) -> CommandMessage:
    return CommandMessage(id_, device, "000101", "R1", ttl_ms, Raw(b'{"do":"start","round":"R1"}'))


def test_every_device_gets_every_stream_and_the_director_knows_who_has_it(evening: Evening) -> None:
    evening.director.writer.open(ROUND)
    one, two = evening.kiosk("door"), evening.kiosk("k9")
    evening.equal(one, two)
    evening.director.writer.open(f"venue/{evening.venue}")
    for _ in range(20):
        evening.director.writer.write(ROUND, 2)
    evening.equal(one, two)
    assert evening.director.link.devices == ["door", "k9"]
    assert sum(count for stream, count in one.received if stream == ROUND) == 41
    assert not (evening.director.alerts or one.alerts or two.alerts)


def test_table_streams_reach_the_others_with_their_writers_signature(evening: Evening) -> None:
    (one, pen_one), (two, pen_two) = evening.table(1), evening.table(2)
    evening.director.writer.open(ROUND)
    for _ in range(10):
        pen_one.write(f"table/{evening.venue}-1", 3)
        pen_two.write(f"table/{evening.venue}-2", 1)
    door = evening.kiosk("door")
    evening.equal(one, two, door)
    evening.until(lambda: one.link.settled and two.link.settled)
    assert not (evening.director.alerts or door.alerts or one.alerts)


def test_a_live_batch_is_sent_once_for_all_and_a_straggler_alone_gets_what_it_missed(evening: Evening) -> None:
    evening.director.writer.open(ROUND)
    early = [evening.kiosk(f"k{n}") for n in range(3)]
    evening.equal(*early)
    with connected(evening.endpoint, (f"ts/1/{evening.venue}/lan/d/#", 1)) as (_, seen):
        for _ in range(5):
            evening.director.writer.write(ROUND)
            evening.equal(*early)
        late = evening.kiosk("late")
        evening.equal(*early, late)
        kinds = []
        while not seen.empty():
            event = seen.get()
            assert event is not None
            kinds.append(topics.parse(event.topic) if hasattr(event, "topic") else None)
    batches = [(t.kind, t.device) for t in kinds if t and t.kind in (topics.Kind.BROADCAST, topics.Kind.REPLY_EV)]
    assert batches == [(topics.Kind.BROADCAST, "")] * 5 + [(topics.Kind.REPLY_EV, "late")]


def test_an_answer_is_shown_only_when_its_events_are_in_the_own_copy(evening: Evening) -> None:
    epoch = evening.director.writer.open(ROUND)
    stopped: list[float] = []
    kiosk = evening.kiosk("door", now=lambda: stopped[0] if stopped else time.monotonic())
    evening.equal(kiosk)  # a hello that got lost is said again only while time passes
    stopped.append(time.monotonic())  # no second passes in which it would be shown as one copy only
    evening.director.answer = lambda c: Reply(c.id, True, ROUND, epoch, 3)
    kiosk.link.command(command("door"))
    evening.until(lambda: evening.director.commands)
    evening.work()
    evening.director.writer.write(ROUND)
    evening.equal(kiosk)
    assert kiosk.replies == []
    evening.director.writer.write(ROUND)
    evening.until(lambda: kiosk.replies)
    assert kiosk.replies == [Reply("c1", True, ROUND, epoch, 3)]
    assert kiosk.store.raws() == evening.director.store.raws()


def test_a_refusal_is_shown_at_once_with_its_detail(evening: Evening) -> None:
    kiosk = evening.kiosk("door")
    evening.director.answer = lambda c: Reply(c.id, False, refusal=Refusal("round-full", Raw(b'{"capacity":90}')))
    kiosk.link.command(command("door"))
    (reply,) = evening.until(lambda: kiosk.replies)
    assert reply.refusal is not None
    assert (reply.refusal.code, bytes(reply.refusal.detail)) == ("round-full", b'{"capacity":90}')
    sent = evening.director.commands[0]
    assert (sent.id, sent.device, sent.actor, sent.round) == ("c1", "door", "000101", "R1")
    assert bytes(sent.body) == b'{"do":"start","round":"R1"}'


def test_a_command_is_sent_again_with_the_same_id_until_its_answer_comes(evening: Evening) -> None:
    kiosk = evening.kiosk("door")
    evening.director.answer = lambda c: Reply(c.id, True) if len(evening.director.commands) == 3 else None
    kiosk.link.command(command("door"))
    kiosk.link.command(command("door"))
    evening.until(lambda: kiosk.replies)
    first, second, third = evening.director.commands
    assert first.id == second.id == third.id
    assert first.ttl_ms > second.ttl_ms > third.ttl_ms
    assert kiosk.replies == [Reply("c1", True)]


def test_a_command_given_while_nobody_directs_waits_and_then_goes(evening: Evening) -> None:
    kiosk = evening.kiosk("door")
    evening.until(lambda: kiosk.link.director)
    evening.stop(evening.director)
    evening.until(lambda: kiosk.link.director is None)
    kiosk.link.command(command("door"))
    director = evening.restart_director_after_stop()
    director.answer = lambda c: Reply(c.id, True)
    evening.until(lambda: kiosk.replies)
    assert [c.id for c in director.commands] == ["c1"]


def test_a_command_whose_life_ends_is_told_as_unanswered(evening: Evening) -> None:
    kiosk = evening.kiosk("door")
    kiosk.link.command(command("door", ttl_ms=50))
    (reply,) = evening.until(lambda: kiosk.replies)
    assert (reply.ok, reply.refusal) == (False, Refusal(NO_ANSWER, reply.refusal.detail if reply.refusal else Raw()))


def test_a_delayed_command_is_dropped_without_an_answer(evening: Evening) -> None:
    kiosk = evening.kiosk("door")
    evening.until(lambda: evening.director.link.devices)
    late = CommandMessage("c9", "door", "a", "R1", 5000, Raw(b"{}"), expires_ms=int(time.monotonic() * 1000) - 1)
    ended = CommandMessage("c9", "door", "a", "R1", 0, Raw(b"{}"))
    for message in (late, ended):
        kiosk.link.client.publish(topics.device(evening.venue, "door", "cmd"), envelope.encode(message), qos=0)
    evening.until(lambda: evening.director.link.client.drops.counts["expired"] == 2)
    assert not evening.director.commands


def test_commands_carry_their_end_on_the_directors_clock(evening: Evening) -> None:
    kiosk = evening.kiosk("door")
    evening.until(lambda: kiosk.link.offset.ms)
    kiosk.link.command(command("door", ttl_ms=20_000))
    (sent,) = evening.until(lambda: evening.director.commands)
    assert sent.expires_ms is not None
    assert 0 < sent.expires_ms - time.monotonic() * 1000 < 21_000


def test_a_device_learns_the_directors_clock_even_an_hour_off(evening: Evening) -> None:
    evening.director.clock_ms -= 3_600_000
    kiosk = evening.kiosk("door")
    offset = evening.until(lambda: kiosk.link.offset.ms)
    error = kiosk.link.offset.error_ms
    assert error is not None
    assert abs(offset - evening.director.clock_ms) <= error + 2
    assert kiosk.link.director_clock() is not None


def test_a_restarted_director_is_greeted_and_goes_on(evening: Evening) -> None:
    table, pen = evening.table(1)
    evening.director.writer.open(ROUND)
    evening.equal(table)
    director = evening.restart_director()
    director.writer.write(ROUND)
    pen.write(f"table/{evening.venue}-1")
    evening.equal(table)
    assert director.link.devices == ["k1"]
    assert not director.alerts


def test_a_restarted_kiosk_goes_on_from_its_copy(evening: Evening) -> None:
    evening.director.writer.open(ROUND)
    kiosk = evening.kiosk("door")
    evening.equal(kiosk)
    evening.stop(kiosk)
    evening.until(lambda: evening.director.gone)
    assert evening.director.link.devices == []
    evening.director.writer.write(ROUND, 3)
    again = evening.kiosk("door", kiosk.store)
    evening.equal(again)
    assert again.received == [(ROUND, 3)]


def test_a_device_whose_old_will_comes_late_says_hello_again(evening: Evening) -> None:
    evening.director.writer.open(ROUND)
    kiosk = evening.kiosk("door")
    evening.equal(kiosk)
    with raw_publisher(evening.endpoint) as rude:
        rude.publish(topics.device(evening.venue, "door", "state"), envelope.encode(State("door", False)), qos=1)
        evening.until(lambda: evening.director.gone)
        evening.until(lambda: evening.director.link.devices == ["door"])
    evening.director.writer.write(ROUND)
    evening.equal(kiosk)


def test_a_device_whose_hello_was_lost_says_it_again(evening: Evening) -> None:
    kiosk = evening.kiosk("door")
    evening.until(lambda: evening.director.link.devices)
    evening.director.link._devices.clear()
    kiosk.link.client.publish(topics.device(evening.venue, "door", "ack"), envelope.encode(Ack(ROUND, EPOCH, 0)), qos=0)
    evening.until(lambda: len(evening.director.hellos) == 2)
    assert evening.director.link.devices == ["door"]


def another_director(evening: Evening) -> DirectorNotice:
    """A later director that everybody knows the key of."""
    key = Ed25519PrivateKey.from_private_bytes(b"\xd2" * 32)
    evening.keys["d2"] = key.public_key().public_bytes_raw()
    return signed_notice(evening.venue, "d2", "2-00000000000000d2", key)


def test_a_device_that_says_it_writes_thousands_of_streams_is_answered_for_a_few(evening: Evening) -> None:
    """A hello costs the director as much as its size, and no more; the others' commands wait meanwhile."""
    kiosk = evening.kiosk("door")
    evening.until(lambda: kiosk.link.director)
    writes = tuple(f"table/{evening.venue}-{n}" for n in range(1, 9_000))
    heads = tuple(Head(stream, EPOCH, 1, "") for stream in writes[:4000])
    heard: list[str] = []
    with raw_publisher(evening.endpoint) as other:
        other.on_message = lambda client, data, message: heard.append(message.topic)
        other.subscribe(topics.reply_filter(evening.venue, "liar"), 1)
        said = envelope.encode(Hello("liar", heads, writes))
        other.publish(topics.device(evening.venue, "liar", "hello"), said, qos=1)
        evening.until(lambda: "liar" in evening.director.link.devices)
        evening.work()
        kiosk.link.command(command("door"))
        evening.until(lambda: evening.director.commands)
        acks = [topic for topic in heard if topic == topics.reply(evening.venue, "liar", "ack")]
        assert len(acks) <= 2 * MAX_WRITTEN


def test_a_notice_that_leaps_to_the_end_of_the_numbers_deposes_nobody(evening: Evening) -> None:
    """Nobody could follow that director: an evening, and the venue, would be whoever's who stole one device."""
    kiosk = evening.kiosk("door")
    genuine = evening.until(lambda: kiosk.link.director)
    key = Ed25519PrivateKey.from_private_bytes(b"\xd2" * 32)
    evening.keys["d2"] = key.public_key().public_bytes_raw()
    last = signed_notice(evening.venue, "d2", "999999999-00000000000000d2", key)
    assert not kiosk.link.follows(last) and not kiosk.link.heeds(last)
    with raw_publisher(evening.endpoint) as other:
        other.publish(topics.director(evening.venue), envelope.encode(last), qos=1, retain=True)
        evening.until(lambda: kiosk.link.client.drops.counts["leaping-director"])
        evening.until(lambda: kiosk.link.director == genuine)
    assert not evening.director.fenced and not evening.director.link.fenced


@pytest.mark.parametrize("device", ["d1", "mallory"])
def test_a_notice_that_its_device_did_not_sign_deposes_nobody(evening: Evening, device: str) -> None:
    kiosk = evening.kiosk("door")
    genuine = evening.until(lambda: kiosk.link.director)
    with raw_publisher(evening.endpoint) as other:
        for forged in (
            DirectorNotice(device, "2-00000000000000d2", genuine.key, evening.venue),
            msgspec.structs.replace(genuine, epoch="2-00000000000000d2"),
            signed_notice(evening.venue, device, "3-00000000000000d2", Ed25519PrivateKey.generate()),
        ):
            other.publish(topics.director(evening.venue), envelope.encode(forged), qos=1, retain=True)
        evening.until(lambda: kiosk.link.client.drops.counts["forged-director"] >= 3)
    evening.director.writer.open(ROUND)
    evening.equal(kiosk)
    assert kiosk.link.director == genuine and not evening.director.fenced


def test_the_highest_director_counts_devices_never_go_back_and_the_old_one_falls_silent(evening: Evening) -> None:
    kiosk = evening.kiosk("door")
    evening.until(lambda: kiosk.link.director)
    topic = topics.director(evening.venue)
    with raw_publisher(evening.endpoint) as other:
        later = another_director(evening)
        other.publish(topic, envelope.encode(later), qos=1, retain=True)
        evening.until(lambda: kiosk.link.director == later and evening.director.fenced == [later])
        other.publish(topic, envelope.encode(DirectorNotice("d1", EPOCH, "", evening.venue)), qos=1, retain=True)
        evening.until(lambda: kiosk.link.client.drops.counts["old-director"])
        assert kiosk.link.director == later
        other.publish(topic, b"", qos=1, retain=True)
        evening.until(lambda: kiosk.link.director is None)
    assert kiosk.directors[-2:] == [later, None]
    evening.director.writer.open(ROUND)
    kiosk.link.client.publish(topics.device(evening.venue, "door", "cmd"), envelope.encode(command("door")), qos=0)
    evening.work()
    assert not kiosk.store.lines
    assert not evening.director.commands


def test_another_machines_clock_is_learnt_anew_but_a_silent_ones_still_counts(evening: Evening) -> None:
    kiosk = evening.kiosk("door")
    known = evening.until(lambda: kiosk.link.offset.ms)
    evening.stop(evening.director)
    evening.until(lambda: kiosk.link.director is None)
    assert kiosk.link.offset.ms == known, "screens go on by the last director's clock"
    with raw_publisher(evening.endpoint) as other:
        later = another_director(evening)
        other.publish(topics.director(evening.venue), envelope.encode(later), qos=1)
        evening.until(lambda: kiosk.link.director == later)
    assert kiosk.link.offset.ms is None


def test_the_notice_is_put_back_when_a_predecessors_will_clears_it(evening: Evening) -> None:
    kiosk = evening.kiosk("door")
    evening.until(lambda: kiosk.link.director)
    with raw_publisher(evening.endpoint) as rude:
        rude.publish(topics.director(evening.venue), b"", qos=1, retain=True)
        evening.until(lambda: None in kiosk.directors and kiosk.link.director)
    evening.director.writer.open(ROUND)
    evening.equal(kiosk)


def test_the_notice_is_cleared_when_the_director_goes(evening: Evening) -> None:
    kiosk = evening.kiosk("door")
    evening.until(lambda: kiosk.link.director)
    evening.stop(evening.director)
    evening.until(lambda: kiosk.link.director is None)
    late = evening.kiosk("late")
    evening.until(lambda: late.link.client.connected)
    evening.work()
    assert late.link.director is None


def test_a_full_disk_at_a_kiosk_holds_up_only_that_kiosk(evening: Evening) -> None:
    evening.director.writer.open(ROUND)
    full, fine = evening.kiosk("full"), evening.kiosk("fine")
    evening.equal(full, fine)
    impatient(evening.director.link._devices["full"].sender)
    full.store.broken = "no space left on device"
    evening.director.writer.write(ROUND)
    evening.until(lambda: fine.store.raws() == evening.director.store.raws() and full.alerts)
    assert [type(alert) for alert in full.alerts] == [StoreTrouble]
    full.store.broken = None
    evening.equal(full, fine)


def bad_for_director(evening: Evening) -> list[tuple[str, bytes, bool, str]]:
    venue = evening.venue
    table = topics.device(venue, "k1", "ev")
    foreign = Batch("table/other-1", EPOCH, 1, (Raw(b"{}"),), bytes(64))
    return [
        (topics.device(venue, "k1", "cmd"), b"\xff" * 1000, False, "bad-zlib"),
        (topics.device(venue, "k1", "cmd"), b"{" + b"[" * 50_000, False, "bad-json"),
        (topics.device(venue, "k1", "cmd"), b"x" * 200_000, False, "too-large"),
        (topics.device(venue, "k1", "cmd"), envelope.encode(command("k2")), False, "wrong-device"),
        (topics.device(venue, "k1", "hello"), envelope.encode(Hello("k2", ())), False, "wrong-device"),
        (table, envelope.encode(foreign), False, "wrong-stream"),
        (table, b"x" * 400_000, False, "too-large"),
        (f"ts/1/{venue}/lan/t/K1/ev", b"{}", False, "bad-id"),
        (f"ts/1/{venue}/lan/t/k1/ack", b"{}", False, "bad-json"),
    ]


def test_bad_input_is_counted_and_the_evening_goes_on(evening: Evening) -> None:
    evening.director.writer.open(ROUND)
    kiosk = evening.kiosk("door")
    evening.equal(kiosk)
    counts = evening.director.link.client.drops.counts
    with raw_publisher(evening.endpoint) as rude:
        for topic, payload, retain, code in bad_for_director(evening):
            before = counts[code]
            rude.publish(topic, payload, qos=1, retain=retain)
            evening.until(lambda code=code, before=before: counts[code] > before, code)
        for payload in (b"junk", b"", b"\x78\x9c" + b"\x00" * 500):
            before = sum(kiosk.link.client.drops.counts.values())
            rude.publish(topics.broadcast(evening.venue, ROUND), payload, qos=1)
            evening.until(lambda before=before: sum(kiosk.link.client.drops.counts.values()) > before)
    evening.director.writer.write(ROUND)
    evening.equal(kiosk)
    assert not evening.director.commands


def test_a_retained_command_is_a_ghost(evening: Evening) -> None:
    ghost = envelope.encode(command("door", "ghost"))
    topic = topics.device(evening.venue, "door", "cmd")
    evening.stop(evening.director)
    with raw_publisher(evening.endpoint) as rude:
        rude.publish(topic, ghost, qos=1, retain=True).wait_for_publish(5)
        director = evening.restart_director_after_stop()
        kiosk = evening.kiosk("door")
        kiosk.link.command(command("door", "real"))
        evening.until(lambda: director.commands)
        rude.publish(topic, b"", qos=1, retain=True).wait_for_publish(5)
    assert {c.id for c in director.commands} == {"real"}


def test_a_forged_batch_stops_nothing(evening: Evening) -> None:
    epoch = evening.director.writer.open(ROUND)
    kiosk = evening.kiosk("door")
    evening.equal(kiosk)
    before = kiosk.store.raws()
    evening.director.writer.write(ROUND)
    raw, _ = evening.director.store.lines[ROUND, epoch][-1]
    forged = envelope.encode(Batch(ROUND, epoch, 2, (Raw(raw),), bytes(64)))
    other = Evening(evening.endpoint, fresh("v"))  # another venue hears nothing of it
    with raw_publisher(evening.endpoint) as rude:
        rude.publish(topics.broadcast(evening.venue, ROUND), forged, qos=1)
        pump([(kiosk.link, kiosk.inbox)], lambda: kiosk.alerts)
    assert [type(alert) for alert in kiosk.alerts] == [BadSignature]
    assert kiosk.store.raws() == before
    evening.equal(kiosk)
    assert not other.director.hellos
    other.close()


def test_replayed_batches_change_nothing(evening: Evening) -> None:
    evening.director.writer.open(ROUND)
    kiosk = evening.kiosk("door")
    evening.equal(kiosk)
    with connected(evening.endpoint, (topics.broadcast_filter(evening.venue), 1)) as (_, seen):
        evening.director.writer.write(ROUND, 2)
        evening.equal(kiosk)
        batch = seen.get(timeout=10)
    assert hasattr(batch, "payload")
    received = list(kiosk.received)
    with raw_publisher(evening.endpoint) as rude:
        for _ in range(20):
            rude.publish(topics.broadcast(evening.venue, ROUND), batch.payload, qos=1)
        copied = len(evening.director.copied)
        evening.until(lambda: len(evening.director.copied) >= copied + 20)
    assert kiosk.received == received
    assert evening.director.copied[-1] == ("door", Ack(ROUND, evening.director.store.epochs(ROUND)[0], 3))


def test_a_device_may_not_write_what_is_not_its_own(evening: Evening) -> None:
    kiosk: Kiosk = evening.kiosk("door", writes={f"venue/{evening.venue}"})
    Writer(kiosk.store, "door", seed=40).open(f"venue/{evening.venue}")
    evening.until(lambda: evening.director.link.client.drops.counts["wrong-stream"])
    assert not evening.director.store.lines
