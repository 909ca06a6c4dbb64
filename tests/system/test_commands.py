"""Commands as hostile, doubled, late or broken as they come: a stable code, and nothing written twice or at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from appliance.apps.demo_season import BLOCKED, FLOOR, PLAYERS, VENUE
from appliance.link import envelope, topics
from appliance.link.envelope import CommandMessage, Reply
from tests.system.hands import Hand, command, fresh_id
from tests.system.houses import House

REGISTER = {"do": "register", "participant": PLAYERS[0].number, "identity_checked": True}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    house = House(tmp_path_factory.mktemp("commands") / "house", "mosquitto")
    try:
        house.start("director")
        yield house
        house.check()
    finally:
        house.close()


@pytest.fixture(scope="module")
def floor(house: House) -> Iterator[Hand]:
    hand = Hand(house, "floor")
    assert hand.ask(command({"do": "open"})).ok
    yield hand
    hand.close()


def written(house: House) -> list[str | None]:
    """The commands behind the records of the round and of the venue."""
    records = house.stream("director", "round/R1") + house.stream("director", f"venue/{VENUE}")
    return [record["cause"] for record in records]


def code(reply: Reply) -> str:
    assert not reply.ok and reply.refusal is not None
    return reply.refusal.code


def test_the_same_id_again_is_carried_out_once_even_by_a_restarted_director(house: House, floor: Hand) -> None:
    message = command({**REGISTER, "participant": PLAYERS[1].number})
    for _ in range(20):
        floor.send(message)
    first = floor.ask(message)
    house.kill("director")
    house.start("director")
    assert floor.ask(message) == first and first.ok
    assert all(reply == first for reply in floor.replies if reply.id == message.id)
    assert written(house).count(message.id) == 1


def test_a_refusal_stays_a_refusal_under_its_id_whatever_has_changed_since(house: House, floor: Hand) -> None:
    assert floor.ask(command(REGISTER)).ok
    again = command(REGISTER)
    assert code(floor.ask(again)) == "already-registered"
    assert floor.ask(command({"do": "unregister", "participant": PLAYERS[0].number})).ok
    assert code(floor.ask(again)) == "already-registered"
    house.kill("director")
    house.start("director")
    assert code(floor.ask(again)) == "already-registered"
    assert again.id not in written(house)


@pytest.fixture
def playing(open_house: Callable[..., House]) -> Iterator[tuple[House, Hand]]:
    """A venue of its own, in which four play."""
    house = open_house("mosquitto")
    house.start("director")
    hand = Hand(house, "floor")
    asked = [{**REGISTER, "participant": person.number} for person in PLAYERS[:4]]
    for body in ({"do": "open"}, *asked, {"do": "start"}):
        assert hand.ask(command(body)).ok, body
    yield house, hand
    hand.close()


def test_T_3_money_asked_for_again_under_its_id_is_answered_as_it_was(playing: tuple[House, Hand]) -> None:
    """What was taken does not count against itself, and what was refused is not taken when a copy comes late."""
    house, floor = playing
    more = {"do": "deposit", "participant": PLAYERS[0].number}
    taken, refused = command({**more, "amount": 100}), command({**more, "amount": 101})
    first = floor.ask(taken)
    assert first.ok and floor.ask(taken) == first
    told = floor.ask(refused)
    assert code(told) == "deposit-limit" and floor.ask(refused) == told
    assert floor.ask(command({"do": "undo", "of": taken.id})).ok
    assert floor.ask(refused) == told
    house.kill("director")
    house.start("director")
    assert floor.ask(refused) == told
    assert floor.ask(command({**more, "amount": 100})).ok
    assert floor.ask(taken) == first
    assert written(house).count(taken.id) == 1 and refused.id not in written(house)


def test_an_id_names_its_first_command_whatever_body_comes_with_it_later(house: House, floor: Hand) -> None:
    first = command({**REGISTER, "participant": PLAYERS[2].number})
    told = floor.ask(first)
    assert floor.ask(command({**REGISTER, "participant": PLAYERS[3].number}, id=first.id)) == told
    assert PLAYERS[3].number not in house.ledger("director", "R1").round.players


@pytest.mark.parametrize("life", [{"ttl_ms": 0}, {"expires_ms": 1}], ids=["lived-out", "past-its-end"])
def test_a_command_past_its_life_gets_no_answer_and_does_nothing(house: House, floor: Hand, life: dict) -> None:
    late = command({**REGISTER, "participant": PLAYERS[4].number}, **life)
    floor.send(late)
    assert code(floor.ask(command({**REGISTER, "participant": "999999"}, actor="999999"))) == "not-authorised"
    assert late.id not in {reply.id for reply in floor.replies} | set(written(house))
    assert "dropped expired" in house.programs["director"].said()


def test_a_device_that_the_venue_does_not_know_is_refused(house: House, floor: Hand) -> None:
    stranger = Hand(house, "stranger")
    try:
        message = command({**REGISTER, "participant": PLAYERS[5].number}, device="stranger")
        assert code(stranger.ask(message)) == "unknown-device"
        assert message.id not in written(house)
    finally:
        stranger.close()


@pytest.mark.parametrize("actor", [PLAYERS[0].number, BLOCKED.number, "999999", "kiosk", "0000010", "' or 1=1 --"])
def test_who_is_no_commissioner_commands_nothing(house: House, floor: Hand, actor: str) -> None:
    message = command({**REGISTER, "participant": PLAYERS[5].number}, actor=actor)
    assert code(floor.ask(message)) == "not-authorised"
    assert message.id not in written(house)


BROKEN = {
    "no-object": (b"[]", "bad-command"),
    "no-text": (b"17", "bad-command"),
    "unknown-do": ({"do": "win"}, "bad-command"),
    "no-do": ({"participant": "000101"}, "bad-command"),
    "unknown-field": ({**REGISTER, "admin": True}, "bad-command"),
    "long-field": ({**REGISTER, "ž" * 9000: 1}, "bad-command"),
    "long-round": ({"do": "open", "round": "R" * 60_000}, "bad-command"),
    "long-reason": ({"do": "pause", "reason": "ž" * 9000}, "bad-command"),
    "long-participant": ({**REGISTER, "participant": "1" * 60_000}, "bad-command"),
    "missing-field": ({"do": "register"}, "bad-command"),
    "wrong-type": ({**REGISTER, "participant": 101}, "bad-command"),
    "negative": ({"do": "deposit", "participant": "000101", "amount": -5}, "bad-command"),
    "huge": (b'{"do":"deposit","round":"R1","participant":"000101","amount":' + b"9" * 5000 + b"}", "bad-command"),
    "fraction": (b'{"do":"deposit","round":"R1","participant":"000101","amount":1.5}', "bad-command"),
    "twice": (b'{"do":"open","round":"R1","round":"R1"}', "bad-command"),
    "not-utf-8": (b'{"do":"open","round":"R1","\xff":1}', "bad-command"),
    "deep": (b'{"do":"start","round":"R1","seats":' + b"[" * 500 + b"]" * 500 + b"}", "bad-command"),
    "another-round": ({"do": "open", "round": "R2"}, "wrong-round"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_a_malformed_body_is_refused_and_named(house: House, floor: Hand, name: str) -> None:
    body, wanted = BROKEN[name]
    message = command(body)
    assert code(floor.ask(message)) == wanted
    assert message.id not in written(house)
    house.check()


def test_half_a_character_is_dropped_before_it_is_a_command(house: House, floor: Hand) -> None:
    message = command(b'{"do":"cancel","round":"R1","reason":"\\ud800"}')
    floor.send(message)
    floor.ask(command(REGISTER, actor="999999"))
    assert message.id not in {reply.id for reply in floor.replies} | set(written(house))
    assert "dropped bad-json" in house.programs["director"].said()


@pytest.mark.parametrize("id_", ["1", "x" * 64, "0198F0A0-0000-7000-8000-00000000000A", "{0198f0a0}", "\u0000"])
def test_an_id_that_is_none_is_refused(house: House, floor: Hand, id_: str) -> None:
    assert code(floor.ask(command(REGISTER, id=id_))) == "bad-command"


def test_a_round_that_was_never_announced_is_refused(house: House, floor: Hand) -> None:
    message = command({"do": "open", "round": "R2"}, round="R2")
    assert code(floor.ask(message)) == "not-announced"
    assert not house.stream("director", "round/R2")


@pytest.mark.parametrize(
    "note",
    [
        {"type": "card-refused/1", "device": "table-1", "reason": "unknown"},
        {"type": "hand-opened/1", "device": "floor", "round": "R1", "table": 1, "hand": 1},
        {"type": "card-refused/1", "reason": "unknown"},
        {"type": "epoch-opened/1", "after": None, "by": "floor", "why": ""},
        {"type": "card-refused/1", "device": "floor", "reason": "x" * 50_000},
    ],
    ids=["of-another-device", "of-another-kind", "incomplete", "no-note", "long"],
)
def test_a_note_is_believed_of_its_own_device_only(house: House, floor: Hand, note: dict) -> None:
    message = command(json.dumps(note).encode(), round="venue", actor="kiosk")
    assert code(floor.ask(message)) == "bad-command"
    assert message.id not in written(house)


def test_a_device_cannot_speak_on_another_ones_topic(house: House, floor: Hand) -> None:
    forged: CommandMessage = command({**REGISTER, "participant": PLAYERS[6].number})
    floor.publish(topics.device(VENUE, "door", "cmd"), envelope.encode(forged))
    floor.ask(command({**REGISTER, "participant": PLAYERS[7].number}))
    assert forged.id not in written(house)
    assert "dropped wrong-device" in house.programs["director"].said()


def test_a_retained_command_is_a_ghost_and_is_not_obeyed(house: House, floor: Hand) -> None:
    house.kill("director")
    ghost = command({**REGISTER, "participant": PLAYERS[8].number}, id=fresh_id())
    topic = topics.device(VENUE, "floor", "cmd")
    floor.publish(topic, envelope.encode(ghost), retain=True)
    house.start("director")
    floor.ask(command({**REGISTER, "participant": PLAYERS[9].number}))
    floor.publish(topic, b"", retain=True)
    assert ghost.id not in written(house)
    assert "dropped retained" in house.programs["director"].said()
    assert FLOOR.number not in house.ledger("director", "R1").round.players
