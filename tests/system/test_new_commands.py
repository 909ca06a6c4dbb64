"""Commands of play as hostile as they come, in every phase, across kills: a stable code, and all of it once."""

from __future__ import annotations

import json
import os
import random
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from appliance import audit
from appliance.apps.demo_season import PLAYERS, announcement
from appliance.game.state import Ledger
from appliance.i18n import Translator
from appliance.link.envelope import CommandMessage, Reply
from tests.system.hands import Hand, command
from tests.system.houses import House
from tests.system.leagues import EVENING, make_league

WHO = [person.number for person in PLAYERS]
HUGE = {f"{n}": n for n in range(4000)}
WRONG: tuple[Any, ...] = (
    None, True, "", "x", "２０", "1٣", "\x00", -1, 0, 1, 7.5, 10**12, 10**12 + 1, 2**63, 2**64, 10**19, 10**30, [],
    [[]], {}, {"": 1}, "000999", "1" * 13, [1, 1], [1], [0, 0], [999, 99], ["1", "1"], [WHO[0], WHO[0]], HUGE,
    {WHO[0]: -1}, {WHO[0]: 10**12 + 1}, {WHO[0]: {"25": 2**63}}, {WHO[0]: {"٢٥": 1}}, {WHO[0]: {"0": 1}},
    {WHO[0]: [1, 1], WHO[1]: [1, 1]}, {WHO[0]: ["Ks"] * 600},
)  # fmt: skip
"""What may stand in any field."""


def bodies(who: list[str]) -> list[dict[str, Any]]:
    """Each command of play, in a form that could be right for a round of these players at tables 1 and 2."""
    stacks = dict.fromkeys(who, 2000)
    one, two = who[0], who[1]
    return [
        {"do": "balance"},
        {"do": "break_table", "table": 2},
        {"do": "move", "participant": one, "seat": [2, 9]},
        {"do": "final_table"},
        {"do": "lock", "participant": one, "on": True, "reason": "x"},
        {"do": "lock", "seat": [1, 9], "on": True},
        {"do": "sit_out", "participant": one},
        {"do": "absent", "participant": one},
        {"do": "present", "participant": one},
        {"do": "hand_for_hand", "on": True, "minutes": 2},
        {"do": "hand_for_hand", "on": False},
        {"do": "chip_up", "participant": one},
        {"do": "bonus_card", "participant": one, "holding": False},
        {"do": "reenter", "participant": two, "deposits_24h": [["2027-01-15T12:00:00+01:00", 5]]},
        {"do": "sanction", "participant": one, "kind": "sit-out", "reason": "x", "hands": 2, "league": False},
        {"do": "colour_up", "table": 1, "denomination": 25, "to": 100, "holdings": {one: {"25": 3, "100": 1}},
         "cards": {one: ["Ks", "Kd", "Kc"]}},
        {"do": "deal", "kind": "icm", "consents": who, "stacks": stacks},
        {"do": "deal", "kind": "manual", "consents": who, "stacks": stacks, "amounts": stacks},
        {"do": "void", "participant": two, "reason": "x"},
        {"do": "time_call", "table": 1, "participant": one},
        {"do": "time_end", "table": 1, "outcome": "acted"},
        {"do": "next_hand", "table": 1},
        {"do": "stacks", "table": 1, "stacks": {one: 5}},
        {"do": "bust", "participant": two, "table": 1, "hand": 1, "stack": 5, "by": one},
        {"do": "reinstate", "participant": two},
        {"do": "undo", "n": 1, "of": "x"},
        {"do": "redo", "n": 1, "of": "x"},
        {**announced("R1", "tda-2024"), "breaking": [2, 1], "chip_set": [25, 100]},
    ]  # fmt: skip


def announced(round: str, profile: str) -> dict[str, Any]:
    more = {"deposit": 50, "reentry": True, "late_registration": True, "chip_up": 500, "bonus_card": 500}
    return {**announcement(EVENING), "round": round, "profile": profile, **more}


PHASES = {
    "announced": "cpl-2017", "open": "cpl", "running": "casino-2012", "paused": "tda-2024", "break": "cpl-2017",
    "hand-for-hand": "tda-2024", "dealt": "casino-2012", "finished": "cpl", "cancelled": "cpl-2017",
}  # fmt: skip
"""A round in each, and its profile."""


def round_of(phase: str) -> str:
    return f"in-{phase}"


def players_of(phase: str) -> list[str]:
    """Five of the eighteen, none of them in more than three rounds: nobody's money is in the way (T-3)."""
    first = 2 * list(PHASES).index(phase)
    return [WHO[(first + n) % len(WHO)] for n in range(5)]


def way_to(phase: str) -> list[dict[str, Any]]:
    """The commands by which a round gets there."""
    who = players_of(phase)
    seats = {one: [1 + n % 2, 1 + n // 2] for n, one in enumerate(who)}
    play = [
        {"do": "open"},
        *({"do": "register", "participant": one, "identity_checked": True} for one in who),
        {"do": "start", "seats": seats, "button": 1},
        {"do": "next_hand", "table": 1},
    ]
    deal = {"kind": "icm", "consents": who, "stacks": dict.fromkeys(who, 2000)}
    return {
        "announced": [],
        "open": play[:-2],
        "running": play,
        "paused": [*play, {"do": "pause"}],
        "break": [*play, {"do": "begin_break", "minutes": 60}],
        "hand-for-hand": [*play, {"do": "hand_for_hand", "on": True}],
        "dealt": [*play, *({"do": "next_level"} for _ in range(7)), {"do": "deal", **deal}],
        "finished": [*play, {"do": "end_early", "reason": "x", "stacks": dict.fromkeys(who, 2000)}],
        "cancelled": [*play[:3], {"do": "cancel"}],
    }[phase]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("new-commands")
    make_league(folder / "league", [announced(round_of(phase), profile) for phase, profile in PHASES.items()])
    house = House(folder / "house", "mosquitto", league=folder / "league", one_broker=True)
    try:
        house.start("ingest", "director", "uplink", "table-1")
        yield house
        house.check()
    finally:
        house.close()


@pytest.fixture(scope="module")
def hand(house: House) -> Iterator[Hand]:
    hand = Hand(house, "floor")
    hand.ping()
    house.wait_for("the announcements", lambda: all(state(house, phase).round for phase in PHASES))
    for phase in PHASES:
        for body in way_to(phase):
            reply = hand.ask(order(phase, body))
            assert reply.ok, (phase, body, reply)
    yield hand
    hand.close()


def order(phase: str, body: dict[str, Any]) -> CommandMessage:
    fields = {**body, "round": round_of(phase)}
    return command(json.dumps(fields).encode(), round=round_of(phase))


def state(house: House, phase: str) -> Ledger:
    return house.ledger("director", round_of(phase))


def image(ledger: Ledger) -> bytes:
    return msgspec.json.encode((ledger.round, ledger.undoable, ledger.redoable, ledger.in_doubt))


def broken(body: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """The same with one thing wrong."""
    field = chance.choice([name for name in body if name != "do"] or ["do"])
    match chance.random():
        case rare if rare < 0.1:
            return {name: value for name, value in body.items() if name != field}
        case rare if rare < 0.15:
            return {**body, chance.choice(("admin", "", "\u0000", "round_", "šum")): 1}
        case _:
            return {**body, field: chance.choice(WRONG)}


def once(house: House, answers: dict[str, Reply], phase: str) -> None:
    """What was answered with yes stands in the round's stream, each in one piece; what was refused does not."""
    causes = [record["cause"] for record in house.stream("director", f"round/{round_of(phase)}")]
    pieces = Counter(cause for cause, before in zip(causes, [None, *causes], strict=False) if cause != before)
    assert {cause for cause, count in pieces.items() if count > 1} == set()
    assert {id for id, reply in answers.items() if reply.ok} <= set(causes)
    assert {id for id, reply in answers.items() if not reply.ok} & set(causes) == set()


@pytest.mark.parametrize("phase", PHASES)
def test_whatever_stands_in_a_command_gets_one_stable_answer(house: House, hand: Hand, phase: str) -> None:
    chance = random.Random(phase)
    right = bodies(players_of(phase))
    sent = [order(phase, broken(chance.choice(right), chance)) for _ in range(250)]
    sent += [order(phase, body) for body in chance.sample(right, 12)]
    chance.shuffle(sent)
    answers = ask_all(hand, sent)
    words = Translator("en")
    for reply in answers.values():
        if reply.refusal is not None:
            code = reply.refusal.code
            assert re.fullmatch("[a-z][a-z0-9-]+", code)
            said = words.refusal(code, json.loads(bytes(reply.refusal.detail)))
            assert code == "bad-command" or f"({code})" not in said, code
    house.check()
    once(house, answers, phase)
    assert not state(house, phase).in_doubt
    before = image(state(house, phase))
    house.kill("director")
    house.start("director")
    again = {message.id: hand.ask(message) for message in chance.sample(sent, 40)}
    assert again == {id: answers[id] for id in again}
    assert image(state(house, phase)) == before


def ask_all(hand: Hand, sent: list[CommandMessage]) -> dict[str, Reply]:
    """Send many at once, so that they share commits, then whatever is not yet answered again."""
    for first in range(0, len(sent), 60):
        for message in sent[first : first + 60]:
            hand.send(message)
        hand.ping()
    answers = {reply.id: reply for reply in hand.replies}
    return {message.id: answers.get(message.id) or hand.ask(message) for message in sent}


@pytest.mark.parametrize("phase", ["running", "paused", "break", "hand-for-hand"])
def test_a_director_killed_among_commands_that_share_a_commit_has_each_once(
    house: House, hand: Hand, phase: str
) -> None:
    seed = int(os.environ.get("TABLESIDE_SEED") or random.randrange(1 << 32))
    print(f"TABLESIDE_SEED={seed}")
    chance = random.Random(seed)
    right = bodies(players_of(phase))
    given: list[CommandMessage] = []
    for _ in range(4):
        sent = [order(phase, body) for body in chance.choices(right, k=60)]
        for message in sent[: chance.randint(0, 60)]:
            hand.send(message)
        if chance.random() < 0.5:
            hand.ask(sent[0])
        house.kill("director")
        house.start("director")
        given += sent
    answers = ask_all(hand, given)
    once(house, answers, phase)
    before = image(state(house, phase))
    house.kill("director")
    house.start("director")
    assert ask_all(hand, given) == answers
    assert image(state(house, phase)) == before and not state(house, phase).in_doubt


def test_T_3_nobody_gets_more_than_500_crowns_in_however_the_rounds_are_asked_at_once(house: House, hand: Hand) -> None:
    chance = random.Random(3)
    playing = ["running", "paused", "break", "hand-for-hand"]
    asked = []
    for who in WHO:
        for phase in playing:
            asked.append(order(phase, {"do": "deposit", "participant": who, "amount": chance.choice((50, 150, 300))}))
            asked.append(order(phase, {"do": "reenter", "participant": who}))
            asked.append(order(phase, {"do": "register", "participant": who, "identity_checked": True}))
            asked.append(order(phase, {"do": chance.choice(("undo", "redo"))}))
    chance.shuffle(asked)
    answers = ask_all(hand, asked)
    assert sum(reply.ok for reply in answers.values()) > 10
    assert any(reply.refusal and reply.refusal.code == "deposit-limit" for reply in answers.values())
    total: Counter[str] = Counter()
    for phase in PHASES:
        for player in state(house, phase).round.players.values():
            total[player.participant] += player.deposit
    assert max(total.values()) <= 500


def test_the_league_and_the_kiosk_have_each_record_once(house: House, hand: Hand) -> None:
    house.wait_for("everything at the league", lambda: house.league_records() == house.records("director"))
    house.wait_for("everything at the kiosk", lambda: house.records("table-1") == house.records("director"))
    with house.journal("director") as journal:
        assert [finding for finding in audit.verify(journal) if finding.fault] == []
    assert house.league_rows("SELECT stream, reason, detail FROM ingest_quarantine") == []
    for phase in PHASES:
        round = state(house, phase).round
        [(registered, left, pool)] = house.league_rows(
            f"SELECT registered, \"left\", pool FROM standings_roundreport WHERE round_id = '{round_of(phase)}'"
        )
        assert (registered, left, pool) == (len(round.players), round.left, round.pool)
