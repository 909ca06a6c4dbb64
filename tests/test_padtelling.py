"""A table's pad as phones see it, and their keys: the same as the keyboard's, and void on a page that is no more."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from appliance.link.envelope import PadKeys, PadShown, decode, encode
from appliance.pad import KEYS, Pad
from appliance.padtelling import PadSeen, PadTelling
from appliance.phone import Phone
from appliance.phonerights import may_press
from tests.test_tablework import TABLE, Room

PHONE = Phone(session="00112233aabbccdd", role="dealer", table=1, who="000001", by="door")
EVERY_KEY = (*KEYS, *(f"seat-{number}" for number in range(1, 11)))


class Dealer:
    """A dealer's phone at the table of a room, and what its kiosk tells."""

    def __init__(self, room: Room) -> None:
        self.room, self.told, self.asked = room, list[PadShown](), 0
        self.pads = PadTelling(1, lambda shown: self.told.append(decode(PadShown, encode(shown))))
        self.look()

    def seen(self) -> PadSeen:
        room = self.room
        keys = room.work.keys(room.round)
        return PadSeen(room.work.pad, keys, room.journal.newest(TABLE), room.round)

    def look(self, **how: Any) -> None:
        self.pads.look(self.seen(), **how)

    def key(self, key: str) -> PadSeen:
        self.room.work.press(key, self.room.round, PHONE)
        self.room.post()
        return self.seen()

    def press(self, keys: str, seen: str = "", id: str = "") -> PadShown:
        self.asked += 1
        asked = PadKeys(id or f"id-{self.asked}", 1, PHONE.device, keys, seen or self.told[-1].stamp)
        self.pads.press(asked, self.seen(), self.key)
        before = len(self.told)
        self.look()
        assert len(self.told) == before + 1, "it is answered once, and told nothing besides"
        return self.told[-1]


@pytest.fixture
def phone(tmp_path: Path) -> Dealer:
    return Dealer(Room(tmp_path / "journal"))


def test_the_pad_is_told_on_change_alone(phone: Dealer) -> None:
    (first,) = phone.told
    assert (first.table, first.keys, first.id, first.taken) == (1, ("next",), "", True)
    phone.look()
    assert len(phone.told) == 1
    phone.room.press("next")
    phone.look()
    assert len(phone.told) == 2 and phone.told[1].stamp != first.stamp and "fold" in phone.told[1].keys
    phone.pads.again()
    phone.look()
    assert phone.told[2] == phone.told[1], "who has come anew is told the same"


def test_nobody_is_told_who_does_not_want_to_know(phone: Dealer) -> None:
    phone.room.press("next")
    phone.look(wanted=False)
    assert len(phone.told) == 1
    phone.look()
    assert len(phone.told) == 2


def test_what_the_pad_shows_is_told_whole(phone: Dealer) -> None:
    phone.room.press("next", "6", "4")
    phone.look()
    assert msgspec.json.decode(phone.told[-1].pad, type=Pad) == phone.room.work.pad
    assert phone.room.work.pad.typed == "64"


def test_a_key_is_taken_on_the_page_that_was_seen_and_answered_with_the_next(phone: Dealer) -> None:
    begun = phone.press("next")
    assert begun.taken and begun.id == "id-1" and phone.room.round.tables[1].hand == 1
    folded = phone.press("fold")
    assert folded.taken and folded.stamp != begun.stamp


def test_a_key_of_a_page_that_is_no_more_is_not_taken_and_the_new_page_is_the_answer(phone: Dealer) -> None:
    old = phone.press("next").stamp
    phone.press("fold")
    live, head = phone.room.work.hands.hand.live, phone.room.journal.newest(TABLE)
    for seen in (old, "-", "0" * 16):
        answer = phone.press("fold", seen)
        assert not answer.taken and answer.stamp not in (old, seen)
    assert phone.room.work.hands.hand.live == live and phone.room.journal.newest(TABLE) == head


def test_the_keyboard_and_the_phone_at_once_do_it_once(phone: Dealer) -> None:
    stamp = phone.press("next").stamp
    phone.room.press("fold")
    assert not phone.press("fold", stamp).taken
    assert len(phone.room.work.hands.hand.live) == 3


def test_a_pad_that_looks_the_same_for_another_player_is_another_page(phone: Dealer) -> None:
    phone.press("next")
    one = phone.press("check-call")
    two = phone.press("check-call")
    assert one.pad == two.pad and one.stamp != two.stamp


def test_asked_again_it_is_answered_again_and_done_once(phone: Dealer) -> None:
    stamp = phone.press("next").stamp
    first = phone.press("fold", stamp, id="same")
    assert phone.press("fold", stamp, id="same") == first and first.taken
    assert len(phone.room.work.hands.hand.live) == 3


def test_several_keys_go_one_after_another_until_one_leads_to_nothing(phone: Dealer) -> None:
    phone.press("next")
    typed = phone.press("2 0 0 raise")
    assert typed.taken and msgspec.json.decode(typed.pad, type=Pad).problem is None
    head = phone.room.journal.newest(TABLE)
    stuck = phone.press("1 raise fold")
    problem = msgspec.json.decode(stuck.pad, type=Pad).problem
    assert problem is not None and phone.room.journal.newest(TABLE) == head, "nobody folds after a raise that failed"


def test_without_a_table_of_ones_own_there_is_no_pad(phone: Dealer) -> None:
    asked = PadKeys("id-9", 1, PHONE.device, "next", phone.told[-1].stamp)
    phone.pads.press(asked, None, lambda key: None)
    phone.pads.look(None)
    assert [(each.id, each.taken, each.keys) for each in phone.told[1:]] == [("id-9", False, ())]


def test_the_hands_record_says_which_phone_it_came_from(phone: Dealer) -> None:
    phone.press("next")
    phone.press("fold")
    phone.room.press("fold")
    head = phone.room.journal.newest(TABLE)
    rows = [msgspec.json.decode(raw) for raw, _ in phone.room.journal.read(TABLE, head.epoch)]
    origins = [(row["data"].get("actor"), row["data"].get("device")) for row in rows[-2:]]
    assert origins == [("dealer", PHONE.device), (None, None)]
    before = facts(phone.room)
    phone.room.kill()
    assert facts(phone.room) == before, "it is read back as any other"


def test_a_commissioners_phone_presses_in_their_name(phone: Dealer) -> None:
    mine = msgspec.structs.replace(PHONE, role="commissioner", table=None)
    phone.press("next")
    phone.room.work.press("fold", phone.room.round, mine)
    head = phone.room.journal.newest(TABLE)
    row = msgspec.json.decode(phone.room.journal.read(TABLE, head.epoch)[-1][0])
    assert (row["data"]["actor"], row["data"]["device"]) == ("000001", PHONE.device)


def test_whoever_may_not_press_is_told_the_pad_and_presses_nothing(phone: Dealer) -> None:
    asked = PadKeys("id-9", 1, "phone-ffffffffffff", "next", phone.told[-1].stamp)
    phone.pads.press(asked, phone.seen(), None)
    phone.look()
    assert not phone.told[-1].taken and phone.room.round.tables[1].hand == 0
    assert may_press(PHONE, 1) and not may_press(PHONE, 2)
    assert may_press(msgspec.structs.replace(PHONE, role="commissioner", table=None), 2)


@pytest.mark.parametrize("seed", range(6))
def test_a_key_of_a_phone_does_what_the_keyboards_does(tmp_path: Path, seed: int) -> None:
    """Two tables with the same cards and chips: at one keys are pressed, at the other by a phone."""
    one, other = Room(tmp_path / "one"), Room(tmp_path / "other")
    phone, chance = Dealer(other), random.Random(seed)
    for _ in range(120):
        sensible = [key for key in one.work.keys(one.round) if key != "drop"]
        key = chance.choice(sensible if sensible and chance.random() < 0.85 else EVERY_KEY)
        one.press(key)
        shown = phone.press(key)
        assert shown.taken
        assert msgspec.json.decode(shown.pad, type=Pad) == one.work.pad
        assert shown.keys == one.work.keys(one.round)
        assert facts(one) == facts(other)


def facts(room: Room) -> tuple[object, ...]:
    """The hand and the round, without whose phone it was and which id a step had."""
    hands = room.work.hands
    hand = hands.current or hands.last
    return (
        hand.begun if hand else None, hand.facts if hand else None, room.chips, room.out, room.round.tables[1].hand,
        room.complaints,
    )  # fmt: skip
