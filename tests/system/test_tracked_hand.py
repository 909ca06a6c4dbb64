"""A hand played by the dealer's keys at a real kiosk: its stream records it, the round learns its end exactly once."""

from __future__ import annotations

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
BEFORE_THE_END = ("a", "a", "a", "a", "return", "return", "return", "w", "4", "d", "4", "d", "3")
"""All are all-in; the board is dealt unseen; seat 4 wins two pots, seat 3 the last: ``d`` ends it."""


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
