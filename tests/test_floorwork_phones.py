"""Signing a phone in at a kiosk's menu: whose it is, when its picture leaves, and who is asked for what."""

import pytest
from msgspec.structs import replace

from appliance.floor.forms import Pairing
from appliance.floor.said import say
from appliance.floorwork import IDLE_S
from appliance.game.refusal import Refusal
from appliance.game.roster import fold_roster
from appliance.link.envelope import PhoneThere
from tests.test_floorwork import EN, FLOOR, PLAYER, choose, commissioner
from tests.test_floorwork import clock as clock  # noqa: PLC0414
from tests.test_floorwork import kiosk as kiosk  # noqa: PLC0414
from tests.test_floorwork import work as work  # noqa: PLC0414

ADDRESS = "http://192.168.1.5:8090/"
OFFERED = Pairing(picture=f"{ADDRESS}#x.y", address=ADDRESS, left=60)
COME = Pairing(address=ADDRESS, left=60, code="4711")
THERE = PhoneThere("00112233aabbccdd", "dealer", "000001", 1_700_000_000_000, 1_800_000_000_000, table=2, agent="Pixel")


@pytest.fixture
def shown(work, kiosk):
    """The picture of a commissioner's phone is on the glass."""
    choose(work, kiosk, "Phones", "Sign a phone in", "A commissioner's: everything")
    role, table, who, told = kiosk.phonebook.asked.pop()
    assert (role, table, who) == ("commissioner", None, "000001") and kiosk.shown.busy
    kiosk.phonebook.pairing = OFFERED
    told(None)
    assert kiosk.shown.pairing == OFFERED
    return work


def come(work, kiosk):
    kiosk.phonebook.pairing = COME
    work.changed()
    kiosk.read()


def test_the_picture_waits_longer_than_any_page_and_leaves_with_its_time(shown, kiosk, clock):
    assert shown.due is None
    clock[0] += IDLE_S + 25
    shown.tick()
    assert shown.is_open
    kiosk.phonebook.pairing = Pairing(why="phone-late")
    shown.changed()
    assert kiosk.shown.good is False and say(kiosk.shown.hint, EN).startswith("No phone came in time")
    assert kiosk.phonebook.withdrawn == 1 and shown.due == clock[0] + IDLE_S
    clock[0] += IDLE_S
    shown.tick()
    assert not shown.is_open


@pytest.mark.parametrize("yes", [True, False])
def test_a_phone_that_has_come_is_asked_about_and_the_word_goes_to_the_director(shown, kiosk, yes):
    come(shown, kiosk)
    assert say(kiosk.shown.question, EN) == "A phone shows 4711: is it yours?"
    shown.turned(1)
    choose(shown, kiosk, "Yes: sign it in" if yes else "No: refuse it")
    said, told = kiosk.phonebook.asked.pop()
    assert said is yes
    told(None)
    assert kiosk.shown.good is True and kiosk.phonebook.withdrawn == 1


def test_a_yes_that_the_director_does_not_take_is_told(shown, kiosk):
    come(shown, kiosk)
    shown.turned(1)
    choose(shown, kiosk, "Yes: sign it in")
    kiosk.phonebook.asked.pop()[1](Refusal("phone-gone"))
    assert kiosk.shown.good is False and say(kiosk.shown.hint, EN).startswith("This phone is not signed in")


def test_nothing_is_pressed_on_digits_that_have_just_appeared(shown, kiosk):
    kiosk.phonebook.pairing = COME
    shown.changed()
    shown._press(["item:0"], shown.glance.stamp)
    assert kiosk.phonebook.asked == []
    kiosk.read()
    shown._press(["item:0"], shown.glance.stamp - 1)
    assert kiosk.phonebook.asked == [], "the picture was still on the glass"
    shown._press(["item:0"], shown.glance.stamp)
    assert len(kiosk.phonebook.asked) == 1


def test_each_second_is_shown_and_is_no_other_page(shown, kiosk):
    stamp = kiosk.page.stamp
    kiosk.phonebook.pairing = replace(OFFERED, left=41)
    shown.changed()
    assert kiosk.shown.pairing.left == 41 and kiosk.page.stamp == stamp


@pytest.mark.parametrize("card", [FLOOR, PLAYER])
def test_whoever_holds_a_card_there_takes_the_picture_away(shown, kiosk, card):
    shown.takes(card)
    assert not shown.is_open and kiosk.phonebook.withdrawn == 1


def test_a_card_that_is_withdrawn_takes_the_picture_away(shown, kiosk):
    kiosk.roster = fold_roster(kiosk.roster, commissioner(card="04EE"))
    shown.changed()
    assert not shown.is_open and kiosk.phonebook.withdrawn == 1


def test_who_leads_back_takes_the_picture_away(shown, kiosk):
    kiosk.read()
    shown._press(["back"], shown.glance.stamp)
    assert kiosk.shown.pairing is None and kiosk.phonebook.withdrawn == 1 and shown.is_open


def test_a_refused_picture_says_why(work, kiosk):
    choose(work, kiosk, "Phones", "Sign a phone in", "A commissioner's: everything")
    kiosk.phonebook.asked.pop()[3](Refusal("too-many-phones"))
    assert kiosk.shown.good is False and say(kiosk.shown.hint, EN).startswith("Too many phones")


@pytest.mark.parametrize("hindrance", ["no-console", ""])
def test_without_pages_for_phones_the_menu_says_so_in_its_line(work, kiosk, hindrance):
    kiosk.phonebook.hindrance = hindrance
    work.changed()
    choose(work, kiosk, "Phones")
    line = kiosk.shown.lines[0]
    assert line.enabled is not bool(hindrance)
    choose(work, kiosk, "Sign a phone in")
    assert (kiosk.shown.question == "") is bool(hindrance) and kiosk.phonebook.asked == []


def test_a_phone_is_cut_off_by_what_it_is(work, kiosk):
    kiosk.phonebook.signed_in = (THERE,)
    work.changed()
    choose(work, kiosk, "Phones", "Cut a phone off", "The dealer's at table 2", "Yes, do it")
    session, who, told = kiosk.phonebook.asked.pop()
    assert (session, who) == (THERE.session, "000001")
    told(None)
    assert kiosk.shown.good is True
