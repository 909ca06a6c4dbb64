"""The floor menu where an evening has several rounds (LG-1): which one it is about, how the others are reached."""

import pytest

from appliance.floor.catalogue import BY_ID, GROUPS
from appliance.floor.said import say
from appliance.floorwork import FloorWork
from appliance.game.commands import decode_command
from appliance.game.history import steps
from appliance.game.round import INITIAL, decide, fold
from tests.test_floorwork import EN, Kiosk, choose, clock, push
from tests.test_taps import ANNOUNCE, EVENING, NOW, registered

__all__ = ["clock"]

OUT = [{"do": "bust", "participant": number} for number in ("000101", "000102")]


def played(name, *commands):
    ledger = INITIAL
    for n, fields in enumerate([ANNOUNCE, *commands]):
        events = decide(ledger, decode_command({**fields, "round": name}), NOW, f"{name}-{n}")
        assert isinstance(events, tuple), events
        for event in events:
            ledger = fold(ledger, event, NOW, f"{name}-{n}")
    return ledger


class Two(Kiosk):
    """A table where the first round is over and the second takes registrations."""

    def __init__(self):
        super().__init__()
        self.copies = {"R1": played("R1", *EVENING, *OUT), "R2": played("R2", {"do": "open"}, registered("000105"))}
        self.rounds = tuple(copy.round for copy in self.copies.values())

    def ledger(self, round):
        return self.copies[round]

    @property
    def title(self):
        return say(self.shown.title, EN)

    @property
    def question(self):
        return say(self.shown.question, EN)


@pytest.fixture
def kiosk(clock):
    kiosk = Two()
    kiosk.clock = clock
    return kiosk


@pytest.fixture
def work(kiosk):
    work = FloorWork(kiosk)
    work.open("000001", "04FF")
    return work


def to_round(work, kiosk, which):
    choose(work, kiosk, GROUPS["round"], BY_ID["choose_round"].label, f"Round {which}")


def test_T_5_prizes_of_the_finished_round_are_paid_while_the_next_one_takes_registrations(work, kiosk):
    assert kiosk.title == "Floor · Round R1" and GROUPS["money"] in kiosk.lines()
    choose(work, kiosk, GROUPS["money"], BY_ID["pay"].label)
    push(work, kiosk)
    push(work, kiosk)
    choose(work, kiosk, next(line for line in kiosk.lines() if line.startswith("OK")))
    assert kiosk.question.startswith("Round R1: 000103 was paid")
    push(work, kiosk)
    assert kiosk.sent[-1][1].round == "R1"


@pytest.mark.parametrize(("which", "told"), [("R1", "000102 went out"), ("R2", "000105 was registered")])
def test_an_undo_says_which_round_it_acts_on(work, kiosk, which, told):
    if which == "R2":
        to_round(work, kiosk, "R2")
        assert kiosk.title == "Floor · Round R2"
    choose(work, kiosk, GROUPS["undo"])
    assert kiosk.question == f"Round {which}: Taken back: {told}."
    push(work, kiosk)
    assert (kiosk.sent[-1][1].round, kiosk.sent[-1][1].of) == (which, next(steps(kiosk.copies[which])).cause)


def test_the_menu_at_a_door_begins_with_the_round_that_takes_registrations_and_reaches_the_other(kiosk):
    kiosk.table = None
    work = FloorWork(kiosk)
    work.open("000001", "04FF")
    assert kiosk.title == "Floor · Round R2"
    choose(work, kiosk, GROUPS["round"], BY_ID["choose_round"].label)
    assert [say(line.detail, EN) for line in kiosk.shown.lines[:2]] == ["takes registrations", "finished"]
    choose(work, kiosk, "Round R1")
    assert kiosk.title == "Floor · Round R1" and GROUPS["money"] in kiosk.lines()


def test_rounds_are_chosen_without_a_director_too(work, kiosk):
    kiosk.has_director = False
    work.changed()
    to_round(work, kiosk, "R2")
    assert kiosk.title == "Floor · Round R2"


def test_what_the_screen_under_the_menu_does_not_show_is_said_to_be_done(kiosk, clock):
    """The screen shows the clock of its own round, not of the other one."""
    kiosk.copies["R1"] = played("R1", *EVENING)
    kiosk.copies["R2"] = played("R2", *EVENING)
    kiosk.rounds = tuple(copy.round for copy in kiosk.copies.values())
    work = FloorWork(kiosk)
    for which, stays in (("R1", False), ("R2", True)):
        work.open("000001", "04FF")
        if stays:
            to_round(work, kiosk, which)
        choose(work, kiosk, GROUPS["clock"], BY_ID["pause"].label)
        kiosk.answer()
        assert work.is_open is stays


def test_one_round_alone_is_not_named(kiosk):
    kiosk.rounds = kiosk.rounds[:1]
    work = FloorWork(kiosk)
    work.open("000001", "04FF")
    assert kiosk.title == "Floor" and GROUPS["round"] not in kiosk.lines()
