"""A hand played by the dealer's keys at a real kiosk: its stream records it, the round learns its end exactly once."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from appliance import kinds
from appliance.apps.demo_season import PLAYERS, VENUE
from appliance.engine import Engine
from appliance.game.places import places
from appliance.game.state import Status
from appliance.game.tablestream.state import TableHands
from tests.system.houses import Floor, House

WHO = [person.number for person in PLAYERS[:4]]
STACKS = dict(zip(WHO, (1000, 2000, 3000, 6000), strict=True))
TABLE = f"table/{VENUE}-1"
BEFORE_THE_END = ("a", "a", "a", "a", "return", "return", "return", "w", "3", "d", "4", "d", "4")
"""All are all-in; the board is dealt unseen; seat 3 wins the last side pot, seat 4 the others: ``d`` ends it."""


@pytest.fixture
def house(open_house: Callable[..., House]) -> House:
    """A venue with one table, at which every action is tracked."""
    house = open_house("mosquitto", tracked=["table-1"])
    house.start("director", "table-1")
    house.wait_for("the table's keyboard", lambda: house.reader_is_up("table-1"))
    return house


@pytest.fixture
def floor(house: House) -> Iterator[Floor]:
    """Its commissioner, with four players at the table: seats 1 to 4, the button at 4."""
    with house.floor() as floor:
        floor.must("open")
        for number in WHO:
            floor.must("register", participant=number, identity_checked=True)
        floor.must("start", seats={number: [1, seat] for seat, number in enumerate(WHO, 1)}, button=4)
        floor.must("stacks", table=1, stacks=STACKS)
        house.wait_for("the table's copy", lambda: house.same_round("table-1"))
        yield floor


def hands(house: House) -> TableHands:
    """The table's hands as its kiosk's own stream tells them."""
    with house.journal("table-1") as journal:
        state: kinds.TableState = Engine(journal, kinds.KINDS, lambda: 0).state(TABLE)
        return state.hands


def begin_hand(house: House, number: int) -> None:
    """Ask for the next hand by a key, until the table tracks it."""
    house.press("table-1", "return")
    house.wait_for(f"hand {number}", lambda: (now := hands(house).current) is not None and now.begun.hand == number)


def told(house: House) -> Counter[str]:
    """The director's records of the table's doing, by type."""
    stream = house.stream("director", "round/R1")
    return Counter(record["type"] for record in stream if record["data"].get("actor") == "table")


def settled(house: House) -> bool:
    """Whether the table has noted that all was answered."""
    return any(record["type"] == "hand-told/1" for record in house.stream("table-1", TABLE))


def check_the_end(house: House, floor: Floor) -> None:
    """Two are out in one hand and rank by their stacks (T-7); the round has everybody's chips; all of it once."""
    house.wait_for("the end to be told", lambda: settled(house))
    round = floor.wait("two busts", lambda r: [p.status for p in r.players.values()].count(Status.OUT) == 2)
    assert {number: round.players[number].chips for number in WHO[2:]} == {WHO[2]: 2000, WHO[3]: 10_000}
    assert [place.participants for place in places(round)] == [(WHO[1],), (WHO[0],)]
    assert [(e.participant, e.table, e.hand, e.stack) for e in round.eliminations] == [
        (WHO[0], 1, 1, 1000), (WHO[1], 1, 1, 2000),
    ]  # fmt: skip
    assert (told(house)["stacks-counted/1"], told(house)["busted/1"]) == (1, 2)
    assert [record["type"] for record in house.stream("table-1", TABLE)].count("hand-ended/1") == 1


def test_T_7_a_hand_keyed_in_busts_two_who_rank_by_their_stacks(house: House, floor: Floor) -> None:
    begin_hand(house, 1)
    house.press("table-1", *BEFORE_THE_END, "d")
    check_the_end(house, floor)


def test_a_kiosk_killed_in_mid_hand_is_back_at_the_same_hand(house: House, floor: Floor) -> None:
    begin_hand(house, 1)
    house.press("table-1", "a", "a")
    house.wait_for(
        "two to be all-in", lambda: (hand := hands(house).hand) is not None and hand.bets[2:] == (3000, 3000)
    )
    house.kill("table-1")
    house.start("table-1")
    house.wait_for("the keyboard", lambda: house.reader_is_up("table-1"))
    house.press("table-1", *BEFORE_THE_END[2:], "d")
    check_the_end(house, floor)


def test_an_end_that_was_never_answered_is_told_once_after_kills_of_all(house: House, floor: Floor) -> None:
    begin_hand(house, 1)
    house.press("table-1", *BEFORE_THE_END)
    house.kill("director")
    house.press("table-1", "d")
    house.wait_for("the hand to end", lambda: hands(house).current is None)
    house.kill("table-1")
    assert not settled(house)
    for _ in range(2):
        house.start("table-1")
        house.wait_for("the keyboard", lambda: house.reader_is_up("table-1"))
        house.kill("table-1")
    house.start("director", "table-1")
    check_the_end(house, floor)


def test_kills_at_any_moment_of_an_evening_of_hands_lose_and_double_nothing(house: House, floor: Floor) -> None:
    chance = random.Random(7)
    for number in range(1, 7):
        begin_hand(house, number)
        house.press("table-1", "f", "f")
        victims = chance.choice([["table-1"], ["director"], ["director", "table-1"], []])
        if chance.random() < 0.5:
            house.press("table-1", "f")
        house.kill(*victims)
        house.start(*victims)
        house.wait_for("the keyboard", lambda: house.reader_is_up("table-1"))
        fold_to_the_end(house)
        house.wait_for(f"hand {number} to be told", lambda n=number: last_told(house) == n)  # type: ignore[misc]
    stacks = dict(hands(house).stacks)
    floor.wait("the same stacks", lambda r: {number: r.players[number].chips for number in WHO} == stacks)
    assert sum(hands(house).stacks.values()) == sum(STACKS.values())
    assert told(house)["stacks-counted/1"] == 6
    assert [record["type"] for record in house.stream("table-1", TABLE)].count("hand-ended/1") == 6


def fold_to_the_end(house: House) -> None:
    """Press what is still missing: a key that no record tells of died with the program."""
    while now := hands(house).current:
        told_before = now.facts
        house.press("table-1", "f")
        house.wait_for("the key to act", lambda facts=told_before: facts_now(house) != facts)  # type: ignore[misc]


def facts_now(house: House) -> object:
    """What the stream tells of the hand in play."""
    current = hands(house).current
    return current.facts if current else None


def last_told(house: House) -> int:
    """The last hand of which all was answered."""
    notes = (record for record in house.stream("table-1", TABLE) if record["type"] == "hand-told/1")
    return max((note["data"]["hand"] for note in notes), default=0)


def test_CK_2_a_table_that_only_counts_advances_its_hands_by_the_same_key(open_house: Callable[..., House]) -> None:
    house = open_house("mosquitto")
    house.start("director", "table-1")
    house.wait_for("the keyboard", lambda: house.reader_is_up("table-1"))
    with house.floor() as floor:
        floor.must("open")
        for number in WHO:
            floor.must("register", participant=number, identity_checked=True)
        floor.must("start", seats={number: [1, seat] for seat, number in enumerate(WHO, 1)}, button=4)
        house.wait_for("the table's copy", lambda: house.same_round("table-1"))
        for hand in (1, 2):
            house.press("table-1", "f", "f5", "enter")
            floor.wait(f"hand {hand}", lambda r, n=hand: r.tables[1].hand == n)  # type: ignore[misc]
            house.wait_for("the table to take it up", lambda n=hand: taken_up(house) == n)  # type: ignore[misc]
    assert hands(house).log == () and hands(house).current is None


def test_a_kiosk_that_comes_without_its_disk_is_the_table_at_once(open_house: Callable[..., House]) -> None:
    house = open_house("mosquitto", speed=60)  # a kiosk is not replaced within seconds
    house.start("director", "table-1")
    house.wait_for("the keyboard", lambda: house.reader_is_up("table-1"))
    with house.floor() as floor:
        floor.must("open")
        for number in WHO:
            floor.must("register", participant=number, identity_checked=True)
        floor.must("start", seats={number: [1, seat] for seat, number in enumerate(WHO, 1)}, button=4)
        for hand in range(1, 6):
            house.kill("table-1")
            for file in house.data("table-1").glob("journal*"):
                file.unlink()
            house.start("table-1")
            house.wait_for("the keyboard", lambda: house.reader_is_up("table-1"))
            house.wait_for("the table's copy", lambda: house.same_round("table-1"))
            house.wait_for("the table's record", lambda: house.same_stream(TABLE, "table-1"))
            house.press("table-1", "enter")
            floor.wait(f"hand {hand}", lambda r, n=hand: r.tables[1].hand == n)  # type: ignore[misc]


def taken_up(house: House) -> int:
    """The hand that the table has taken up."""
    notes = [r["data"]["hand"] for r in house.stream("table-1", TABLE) if r["type"] == "hand-opened/1"]
    return notes[-1] if notes else 0
