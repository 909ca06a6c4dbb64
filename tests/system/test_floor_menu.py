"""The floor menu at a real kiosk, with the director and the broker as they are."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from appliance.apps.demo_season import BLOCKED, FLOOR, PLAYERS, VENUE
from appliance.floor.catalogue import BY_ID, GROUPS
from appliance.floor.said import say
from appliance.floorglance import DEAD_S, LEFT_S
from appliance.game.state import Status
from appliance.hw.panel import Button, Turned
from appliance.i18n import Translator
from tests.system.houses import Floor, House
from tests.system.test_buttons import Kiosk, begun, kiosks

CS = Translator("cs")
LEAGUE = f"league/{VENUE}"


@pytest.fixture
def house(open_house: Callable[..., House]) -> House:
    house = open_house("mosquitto")
    house.start("director")
    return house


@pytest.fixture
def floor(house: House) -> Iterator[Floor]:
    """Four players at table 1, and a hand begun."""
    with house.floor() as floor:
        begun(floor)
        floor.must("next_hand", table=1)
        yield floor


@pytest.fixture
def kiosk(house: House) -> Iterator[Callable[[str], Kiosk]]:
    with kiosks(house) as start:
        yield start


def lines(kiosk: Kiosk) -> list[str]:
    """The lines to choose from, as they read."""
    menu = kiosk.station.snapshot.menu
    return [say(line.text, CS) for line in menu.page.lines if line.item is not None] if menu else []


def open_menu(house: House, kiosk: Kiosk) -> None:
    kiosk.tap(FLOOR.uid, house.folder / "cards")
    house.wait_for("the menu", lambda: lines(kiosk))


def press_in_turn(house: House, *keys: str) -> None:
    """Keys of the first table's keyboard, each when what the one before it led to has been seen."""
    for key in keys:
        time.sleep(2 * DEAD_S)
        house.press("table-1", key)


def choose(house: House, kiosk: Kiosk, *texts: str) -> None:
    """Turn down to each line and push, as on a device that has nothing but a knob."""
    for text in texts:
        _choose(house, kiosk, text)


def _choose(house: House, kiosk: Kiosk, text: str) -> None:
    found = house.wait_for(f"the line {text}", lambda: text in lines(kiosk) and lines(kiosk))
    house.wait_for("it to be seen", lambda: not kiosk.station.menu.glance.is_new(time.monotonic()))
    menu = kiosk.station.snapshot.menu
    assert menu is not None
    chosen = next(line.item or 0 for line in menu.page.lines if line.selected)
    kiosk.station.inbox.put(Turned("knob", found.index(text) - chosen, time.monotonic_ns()))
    kiosk.press(Button.SELECT)
    house.wait_for("the next page", lambda: (now := kiosk.station.snapshot.menu) is None or now.page != menu.page)


def given(house: House) -> list[dict[str, Any]]:
    """What the director's journal holds of the commissioner's doing, from this table."""
    records = house.stream("director", "round/R1")
    return [record for record in records if record["data"].get("device") == "table-1"]


def good(kiosk: Kiosk) -> bool | None:
    menu = kiosk.station.snapshot.menu
    return menu.page.good if menu else None


def test_a_player_is_put_out_at_a_table_by_card_and_three_keys(house: House, floor: Floor) -> None:
    house.start("table-1")
    house.wait_for("the table's reader", lambda: house.is_ready("table-1"))
    house.wait_for("its copy", lambda: house.same_round("table-1") and house.same_stream(LEAGUE, "table-1"))
    house.tap("table-1", FLOOR.uid)
    accepted = "card-accepted/1"
    house.wait_for(
        "the card", lambda: any(note["type"] == accepted for note in house.stream("director", f"venue/{VENUE}"))
    )
    # players, the first of its actions, the second player; and yes
    press_in_turn(house, "return", "return", "down", "return", "return")
    round = floor.wait("a bust", lambda r: len(r.eliminations) == 1)
    assert [player.status for player in round.players.values()].count(Status.OUT) == 1
    (record,) = [each for each in given(house) if each["type"] == "busted/1"]
    assert record["data"]["actor"] == FLOOR.number
    press_in_turn(house, "escape")
    time.sleep(LEFT_S)
    press_in_turn(house, "return")
    hand = floor.wait("the key to be the dealer's again", lambda r: r.tables[1].hand == 2)
    assert len(hand.eliminations) == 1


def test_the_menu_opens_at_a_door_where_nobody_waits_and_leaves_by_itself(
    house: House, floor: Floor, kiosk: Callable[[str], Kiosk]
) -> None:
    door = kiosk("door")
    door.station.menu.idle_s = 0.5
    open_menu(house, door)
    house.wait_for("the menu to leave", lambda: door.station.snapshot.menu is None)
    door.tap(PLAYERS[0].uid)
    house.wait_for("the seat", lambda: door.station.snapshot.prompt is not None)


def test_no_other_card_opens_it(house: House, floor: Floor, kiosk: Callable[[str], Kiosk]) -> None:
    table = kiosk("table-1")
    for uid in (PLAYERS[0].uid, BLOCKED.uid, FLOOR.uid, "04DEADBEEF0000"):
        before = table.station.snapshot.prompt
        table.tap(uid)  # a bare number, that proves nothing
        house.wait_for("an answer", lambda before=before: table.station.snapshot.prompt is not before)
        assert table.station.snapshot.menu is None
    assert not [record for record in given(house) if record["data"].get("actor") != "table"]


@pytest.mark.parametrize("killed", [False, True])
def test_a_command_without_an_answer_is_said_so_and_done_once_when_given_again(
    house: House, floor: Floor, kiosk: Callable[[str], Kiosk], killed: bool
) -> None:
    table = kiosk("table-1")
    begin = (CS.gettext(GROUPS["clock"]), CS.gettext(BY_ID["next_hand"].label))
    open_menu(house, table)
    choose(house, table, begin[0])
    house.programs["director"].signal(signal.SIGSTOP)
    choose(house, table, begin[1])
    house.wait_for("the answer that does not come", lambda: good(table) is False)
    if killed:
        house.kill("director")
        house.start("director")
    else:
        house.programs["director"].signal(signal.SIGCONT)
    house.wait_for("the director", lambda: table.station.snapshot.director)
    choose(house, table, CS.gettext("To the menu"), *begin)
    house.wait_for("the answer", lambda: table.station.snapshot.menu is None or good(table))
    assert floor.wait("the hand", lambda r: r.tables[1].hand >= 2).tables[1].hand == 2
    assert [record["data"]["actor"] for record in given(house)] == [FLOOR.number]


def test_without_a_director_the_menu_says_so_and_asks_nothing(
    house: House, floor: Floor, kiosk: Callable[[str], Kiosk]
) -> None:
    table = kiosk("table-1")
    open_menu(house, table)
    choose(house, table, CS.gettext(GROUPS["clock"]))
    house.kill("director")
    house.wait_for("the loss", lambda: not table.station.snapshot.director)
    choose(house, table, CS.gettext(BY_ID["next_hand"].label))
    menu = table.station.snapshot.menu
    assert menu is not None and say(menu.page.hint, CS) == CS.refusal("no-answer") and not menu.page.busy
