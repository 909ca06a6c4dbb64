"""The menu's pages that sign a phone in, and cut one off."""

from __future__ import annotations

import pytest

from appliance.floor.forms import Option, Pairing
from appliance.floor.menu import answered, followed, lines_of
from appliance.floor.offering import fits, offers
from appliance.floor.phones import ACTIONS, asked_for
from appliance.floor.said import say
from appliance.floor.state import NOWHERE
from appliance.game.refusal import Refusal
from appliance.i18n import Translator
from tests.floor.conftest import ENGLISH, Desk
from tests.game.conftest import Evening

ADDRESS = "http://192.168.1.5:8090/"
OFFERED = Pairing(picture=f"{ADDRESS}#x.y", address=ADDRESS, left=60)
COME = Pairing(address=ADDRESS, left=60, code="4711", agent="Pixel")
PHONE = Option("00112233aabbccdd", "The dealer's at table 2", "Jana D. · 18:04")


def desk(**place: object) -> Desk:
    return Desk(Evening().seated([1, 2, 3]), **place)


def pairing(there: Desk) -> Desk:
    """The picture of a commissioner's phone is shown."""
    there.choose("pair_phone").take("commissioner")
    there.menu = answered(there.open, None)
    return there.at(pairing=OFFERED)


def come(there: Desk) -> Desk:
    """A phone has read it."""
    lines = lines_of(there.open, there.here)
    there.at(pairing=COME)
    there.menu = followed(there.open, lines, there.here)
    return there


def test_phones_are_there_always_and_say_why_none_can_be_signed_in() -> None:
    assert desk().offered()["pair_phone"] is None
    assert desk(director=False).offered()["pair_phone"] == "no-answer"
    assert desk(console="no-console").offered()["pair_phone"] == "no-console"
    there = desk(console="no-console").begin().turn_to("group:phones")
    assert say(there.shown.lines[0].reason, ENGLISH).startswith("No phone can come")
    assert "nenabízí" in say(there.shown.lines[0].reason, Translator("cs"))


def test_one_is_cut_off_only_where_one_is_signed_in() -> None:
    assert "cut_off_phone" not in desk().offered()
    assert desk(phones=(PHONE,)).offered()["cut_off_phone"] is None
    assert desk(phones=(PHONE,), director=False).offered()["cut_off_phone"] == "no-answer"


def test_phones_sign_no_phones_in_by_this_list_and_kiosks_do() -> None:
    assert not any(fits(action, "phone") for action in ACTIONS)
    assert all(fits(action, "table") and fits(action, "door") for action in ACTIONS)
    assert not [offer for offer in offers(desk(place="phone").here) if offer.action.group == "phones"]


def test_a_commissioners_comes_first_and_of_dealers_this_tables() -> None:
    there = desk(table=3).choose("pair_phone")
    said = [say(line.text, ENGLISH) for line in there.shown.lines]
    assert said[:4] == [
        "A commissioner's: everything", "The dealer's at table 3", "The dealer's at table 1", "The dealer's at table 2",
    ]  # fmt: skip
    assert not any("table 3" in each for each in said[2:])


@pytest.mark.parametrize(
    ("chosen", "role", "table"), [("commissioner", "commissioner", None), ("table-2", "dealer", 2)]
)
def test_what_is_chosen_is_asked_for_at_once(chosen: str, role: str, table: int | None) -> None:
    there = desk().choose("pair_phone").take(chosen)
    assert there.requests == ["pair-phone"] and there.open.page == "waiting"
    assert asked_for(there.open.answers) == (role, table)


def test_tables_can_be_chosen_without_a_round() -> None:
    there = Desk(Evening(), table=None, place="door").choose("pair_phone")
    assert {f"option:table-{number}" for number in range(1, 11)} < set(there.keys())


def test_every_choice_is_reached_by_the_knob() -> None:
    for value in ["commissioner", *(f"table-{number}" for number in desk().here.round.table_numbers)]:  # type: ignore[union-attr]
        assert desk().choose("pair_phone").take(value).requests == ["pair-phone"]


def test_the_picture_is_shown_once_the_director_knows_its_key_and_no_enter_takes_it_away() -> None:
    there = pairing(desk())
    assert there.shown.pairing == OFFERED and there.open.page == "pairing"
    assert there.open.cursor == NOWHERE and there.press("enter").open.page == "pairing"
    assert there.keys() == ["back"]


def test_who_stops_comes_back_to_the_question() -> None:
    there = pairing(desk()).press("down").turn_to("back")
    assert there.open.page == "field" and there.requests == ["pair-phone"]


def test_a_phone_that_has_come_is_confirmed_or_refused_by_up_down_and_enter() -> None:
    for key, request, said in (
        ("yes", "confirm-phone", "The phone is signed in until the evening is over."),
        ("no", "refuse-phone", "That phone was refused."),
    ):
        there = come(pairing(desk()))
        assert there.reads() == "A phone shows 4711: is it yours?" and there.keys() == ["yes", "no"]
        assert there.open.cursor == NOWHERE and there.press("enter").requests == ["pair-phone"]
        there.press("down").turn_to(key)
        assert there.requests == ["pair-phone", request] and there.open.page == "waiting"
        there.menu = answered(there.open, None)
        assert there.open.page == "done" and said in [say(line.text, ENGLISH) for line in there.shown.lines]


def test_touch_confirms_or_refuses_too() -> None:
    assert come(pairing(desk())).press("item:0").requests[-1] == "confirm-phone"
    assert come(pairing(desk())).press("item:1").requests[-1] == "refuse-phone"


def test_who_goes_back_from_a_phone_that_has_come_refuses_it() -> None:
    assert come(pairing(desk())).press("back").requests[-1] == "refuse-phone"


@pytest.mark.parametrize("why", ["phone-late", "no-answer"])
def test_when_it_is_over_the_page_says_why_and_asks_whose_phone_anew(why: str) -> None:
    for there in (pairing(desk()), come(pairing(desk()))):
        there.at(pairing=Pairing(why=why))
        there.menu = followed(there.open, lines_of(there.open, there.here), there.here)
        assert there.open.page == "refused" and there.open.refusal == Refusal(why)
        there.at(pairing=None).turn_to("form")
        assert there.open.page == "field" and there.open.field == "whose" and there.requests == ["pair-phone"]


def test_a_key_that_was_meant_for_a_picture_that_is_gone_does_nothing() -> None:
    there = pairing(desk()).at(pairing=None)
    there.press("item:0")
    assert there.open.page == "refused" and there.requests == ["pair-phone"]


def test_what_is_cut_off_is_asked_for_with_all_that_tells_it_from_others() -> None:
    there = desk(phones=(PHONE,)).choose("cut_off_phone").take(PHONE.value)
    assert there.reads().endswith("The dealer's at table 2 · Jana D. · 18:04.")
    assert there.yes().requests == ["cut-off-phone"] and there.open.answers["phone"] == PHONE.value


def test_the_time_that_is_left_changes_no_choice() -> None:
    there = come(pairing(desk()))
    there.press("down")
    before, cursor = lines_of(there.open, there.here), there.open.cursor
    there.at(pairing=Pairing(address=ADDRESS, left=12, code="4711", agent="Pixel"))
    there.menu = followed(there.open, before, there.here)
    assert there.open.cursor == cursor and there.shown.pairing is not None and there.shown.pairing.left == 12
