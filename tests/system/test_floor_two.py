"""Two commissioners at two kiosks, and the league's word while a menu is open: nothing twice, nothing to another."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator, Sequence

import msgspec
import pytest

from appliance.apps.demo_cards import CardOffice
from appliance.apps.demo_season import FLOOR, Person
from appliance.cards.pin import hash_pin
from appliance.display import prompt as show
from appliance.floor.catalogue import BY_ID, GROUPS
from appliance.floor.said import say
from appliance.game.roster import RosterEntry, encode_roster_event
from appliance.hw.panel import Button
from appliance.journal import Draft, Journal
from tests.system.houses import Floor, House
from tests.system.leagues import entry
from tests.system.test_buttons import Kiosk, begun, kiosks
from tests.system.test_floor_menu import CS, LEAGUE, choose, given, good, lines, open_menu

PIN = "4829157"
SECOND = Person("000002", "Bořivoj", "Druhý", "0400025A2D6180")


def issue(office: CardOffice) -> tuple[Sequence[RosterEntry], Sequence[str]]:
    """A second commissioner, whose card is no more than a number here: the PIN is asked for."""
    office.issue([(SECOND.uid, SECOND.number)])
    second = RosterEntry(
        participant=SECOND.number, state="active", cards=(SECOND.uid,), role="commissioner", pin=hash_pin(PIN)
    )
    return (second,), []


@pytest.fixture
def house(open_house: Callable[..., House]) -> House:
    house = open_house("mosquitto", least="signed", cards=issue)
    house.start("director")
    return house


@pytest.fixture
def floor(house: House) -> Iterator[Floor]:
    with house.floor() as floor:
        begun(floor)
        floor.must("next_hand", table=1)
        yield floor


@pytest.fixture
def kiosk(house: House) -> Iterator[Callable[[str], Kiosk]]:
    with kiosks(house) as start:
        yield start


def selected(kiosk: Kiosk) -> str | None:
    menu = kiosk.station.snapshot.menu
    return next((say(line.text, CS) for line in menu.page.lines if line.selected), None) if menu else None


def seen(house: House, kiosk: Kiosk) -> None:
    """A page that came by itself is read before anything is pressed."""
    house.wait_for("it to be seen", lambda: not kiosk.station.menu.glance.is_new(time.monotonic()))


def league_says(house: House, entry: RosterEntry) -> None:
    """A word of the league's comes while the director is not running, as after an outage."""
    house.kill("director")
    with Journal(house.folder / "league.journal", device="league", key=house.league_key) as league:
        epoch = league.epochs(LEAGUE)[-1]
        with league.begin() as transaction:
            name, data = encode_roster_event(entry)
            transaction.append(LEAGUE, epoch, [Draft(name, msgspec.Raw(data))], 1)
            transaction.commit()
        with house.workplace("director").journal() as journal:
            known = journal.newest(LEAGUE)
            journal.absorb(LEAGUE, epoch, league.read(LEAGUE, epoch, known.seq if known else 0))
    house.start("director")


def test_CK_1_two_commissioners_at_the_next_level_go_on_by_one(
    house: House, floor: Floor, kiosk: Callable[[str], Kiosk]
) -> None:
    both = (kiosk("table-1"), kiosk("door"))
    for each in both:
        open_menu(house, each)
        choose(house, each, CS.gettext(GROUPS["clock"]), CS.gettext(BY_ID["next_level"].label))
    house.programs["director"].signal(signal.SIGSTOP)
    for each in both:
        seen(house, each)
        each.press(Button.SELECT)
        house.wait_for("the question", lambda each=each: (m := each.station.snapshot.menu) and m.page.busy)
    house.programs["director"].signal(signal.SIGCONT)
    for each in both:
        house.wait_for("the answer", lambda each=each: (m := each.station.snapshot.menu) is None or not m.page.busy)
    assert [good(each) for each in both].count(False) == 1
    round = floor.wait("the level", lambda r: r.clock is not None and r.clock.entry >= 1)
    assert round.clock is not None and round.clock.entry == 1


def test_a_bust_elsewhere_moves_the_choice_to_nobody_else(
    house: House, floor: Floor, kiosk: Callable[[str], Kiosk]
) -> None:
    table = kiosk("table-1")
    open_menu(house, table)
    choose(house, table, CS.gettext(GROUPS["players"]), CS.gettext(BY_ID["absent"].label))
    table.station.type("down")
    table.station.type("down")
    first = lines(table)[0]
    stood = house.wait_for("the third player", lambda: (who := selected(table)) == lines(table)[2] and who)
    round = floor.wait("the hand", lambda r: r.tables[1].hand == 1)
    out = min(round.tables[1].seats.items())[1]
    floor.must("bust", participant=out)
    house.wait_for("the shorter list", lambda: first not in lines(table))
    assert selected(table) == stood
    seen(house, table)
    table.station.type("return")
    house.wait_for("the command", lambda: given(house))
    (record,) = given(house)
    who = record["data"]["participant"]
    assert (
        record["type"] == "absent-marked/1"
        and who != out
        and (table.station.roster.entries[who].name or who).split()[0] in stood
    )


def test_LG_6_a_commissioner_who_is_withdrawn_loses_the_open_menu(
    house: House, floor: Floor, kiosk: Callable[[str], Kiosk]
) -> None:
    table = kiosk("table-1")
    open_menu(house, table)
    choose(house, table, CS.gettext(GROUPS["players"]), CS.gettext(BY_ID["bust"].label))
    league_says(house, msgspec.structs.replace(entry(FLOOR), state="blocked"))
    house.wait_for("the menu to leave", lambda: table.station.snapshot.menu is None)
    table.station.type("return")
    table.tap(FLOOR.uid, house.folder / "cards")
    prompt = house.wait_for("the refusal", lambda: table.station.snapshot.prompt)
    assert isinstance(prompt, show.CardRefused | show.Refused) and table.station.snapshot.menu is None
    assert given(house) == [], "nothing was done in the name of somebody who has no rights"


def test_a_second_commissioner_takes_the_kiosk_over_by_card_and_pin_and_no_key_of_it_is_the_menus(
    house: House, floor: Floor, kiosk: Callable[[str], Kiosk]
) -> None:
    table = kiosk("table-1")
    open_menu(house, table)
    choose(house, table, CS.gettext(GROUPS["players"]))
    table.tap(SECOND.uid, house.folder / "cards")
    house.wait_for("the question for the PIN", lambda: table.station.taps.asks_pin)
    assert table.station.snapshot.menu is None
    for key in (*PIN, "return", "return"):
        table.station.type(key)
    menu = house.wait_for("the menu", lambda: table.station.snapshot.menu)
    assert SECOND.number in menu.who or SECOND.first_name in menu.who
    time.sleep(0.2)
    assert table.station.snapshot.menu is not None and table.station.snapshot.menu.top, "the second Enter was the PIN's"
    assert given(house) == []
