"""Tables whose director is gone: they go on, keep what they do, and tell it once; and kiosks that are killed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec
from msgspec.structs import replace

from appliance import kinds
from appliance.apps.demo_season import PLAYERS, VENUE
from appliance.engine import Engine
from appliance.game.state import Round, Status, Table
from appliance.game.tablestream.state import TableHands
from appliance.offers import standing
from appliance.offline import Offline
from appliance.timebase import wall_anchor
from tests.system.houses import Floor, House

WHO = [person.number for person in PLAYERS[:4]]
STACKS = dict(zip(WHO, (1000, 2000, 3000, 6000), strict=True))
TABLE = f"table/{VENUE}-1"
TWO_OUT = ("a", "a", "a", "a", "return", "return", "return", "w", "3", "d", "4", "d", "4", "d")
"""All are all-in; seat 3 wins the last side pot, seat 4 the others."""


@contextmanager
def play(house: House) -> Iterator[Floor]:
    """Four players at the table, the button at 4."""
    house.start("director", "table-1")
    house.wait_for("the table's keyboard", lambda: house.reader_is_up("table-1"))
    with house.floor() as floor:
        floor.must("open")
        for number in WHO:
            floor.must("register", participant=number, identity_checked=True)
        floor.must("start", seats={number: [1, seat] for seat, number in enumerate(WHO, 1)}, button=4)
        floor.must("stacks", table=1, stacks=STACKS)
        house.wait_for("the table's copy", lambda: house.same_round("table-1"))
        yield floor


def shown(house: House) -> Round:
    """The round as the table's screen shows it, from what its disk has."""
    with house.journal("table-1") as journal:
        engine = Engine(journal, kinds.KINDS, lambda: 0)
        round = Offline(engine, TABLE, 1, lambda: 0, str).ledger("R1").round
    assert round is not None
    return round


def table(house: House) -> Table:
    """Its hand, button, blinds and level."""
    return shown(house).tables[1]


def hands(house: House) -> TableHands:
    """What the table's stream tells of its hands."""
    with house.journal("table-1") as journal:
        state: kinds.TableState = Engine(journal, kinds.KINDS, lambda: 0).state(TABLE)
        return state.hands


def kept_at(house: House) -> int:
    """When the last hand was begun, as the table's stream has it (UTC ms)."""
    return int([r for r in house.stream("table-1", TABLE) if r["type"] == "offered/1"][-1]["data"]["at"])


def facts(house: House) -> object:
    """What was played of the hand in play."""
    now = hands(house).current
    return now and (now.begun.hand, now.facts)


def next_hand(house: House, number: int) -> None:
    """Press the key, once, and wait for the hand."""
    house.press("table-1", "return")
    house.wait_for(f"hand {number}", lambda: table(house).hand == number)


def again(house: House) -> None:
    """kill -9 the table's kiosk, and start it."""
    house.kill("table-1")
    house.start("table-1")
    house.wait_for("the keyboard", lambda: house.reader_is_up("table-1"))


def written(house: House) -> Counter[str]:
    """The director's records of what the table asked for, by type."""
    return Counter(r["type"] for r in house.stream("director", "round/R1") if r["data"].get("actor") == "table")


def test_S_7_a_table_goes_on_without_a_director_is_killed_and_has_its_hand_button_and_blinds(
    open_house: Callable[..., House],
) -> None:
    house = open_house("mosquitto")
    late = wall_anchor()
    anchor = replace(late, utc_ms=late.utc_ms - 3_600_000)
    (house.data("table-1") / "anchor.json").write_bytes(msgspec.json.encode(anchor))  # an hour off
    with play(house) as floor:
        next_hand(house, 1)
        before = table(house)
        again(house)  # while the director is there
        assert table(house) == before
        house.kill("director")
        next_hand(house, 2)
        next_hand(house, 3)
        before = table(house)
        assert before.button != 4 and before.small_blind
        again(house)  # while nobody is
        assert table(house) == before
        next_hand(house, 4)
        before = table(house)
        assert abs(kept_at(house) - late.utc_ms) < 600_000
        house.start("director")
        floor.wait("the hands", lambda round: round.tables[1].hand == 4)
        house.wait_for("the table's copy", lambda: house.same_round("table-1"))
        assert table(house) == before == house.ledger("director", "R1").round.tables[1]  # type: ignore[union-attr]
        assert written(house)["hand-started/1"] == 4
        next_hand(house, 5)


def test_T_7_tracked_hands_go_on_without_a_director_and_their_ends_are_told_once(
    open_house: Callable[..., House],
) -> None:
    house = open_house("mosquitto", tracked=["table-1"])
    with play(house) as floor:
        next_hand(house, 1)
        house.press("table-1", "a", "a")
        house.wait_for("two to act", lambda: (now := hands(house).current) is not None and len(now.facts) > 2)
        house.kill("director")
        house.press("table-1", *TWO_OUT[2:])
        house.wait_for("the hand to end", lambda: hands(house).current is None)
        next_hand(house, 2)
        house.press("table-1", "c")
        house.wait_for("a call", lambda: (now := hands(house).current) is not None and now.begun.hand == 2)
        house.wait_for("it to be written", lambda: len(hands(house).current.facts) > 2)  # type: ignore[union-attr]
        before, played = table(house), facts(house)
        again(house)
        assert (table(house), facts(house)) == (before, played)
        house.start("director")
        floor.wait("the hand", lambda round: round.tables[1].hand == 2)
        house.wait_for("the table's copy", lambda: house.same_round("table-1"))
        assert facts(house) == played
        round = house.ledger("director", "R1").round
        assert round is not None and round.tables[1] == before
        assert {number for number in WHO if round.players[number].status is Status.OUT} == set(WHO[:2])
        assert sum(player.chips for player in round.players.values()) == sum(STACKS.values())
        assert (written(house)["stacks-counted/1"], written(house)["busted/1"]) == (1, 2)


def test_a_hand_that_the_director_refuses_later_is_shown_to_the_floor_by_every_screen(
    open_house: Callable[..., House],
) -> None:
    house = open_house("mosquitto")
    with play(house) as floor:
        next_hand(house, 1)
        house.kill("director")
        next_hand(house, 2)
        next_hand(house, 3)
        house.kill("table-1")
        house.start("director")
        house.wait_for("the director", lambda: floor.station.snapshot.director)
        floor.must("next_hand", table=1)
        house.start("table-1")
        [told] = house.wait_for("the floor's screen", lambda: floor.station.snapshot.refused)
        assert (told.table, told.hand, told.last, told.code) == (1, 2, 3, "stale")
        house.wait_for("the table to be where the round is", lambda: table(house).hand == 2)
        again(house)
        house.wait_for("the keyboard", lambda: house.reader_is_up("table-1"))
        with house.journal("director") as journal:
            notes = Engine(journal, kinds.KINDS, lambda: 0).state(f"venue/{VENUE}")
        assert standing(notes) == (told,)
