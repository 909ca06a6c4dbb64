"""The director's part in the allowances of T-3: it spends, gives back, asks, and after a reboot waits for the time."""

from __future__ import annotations

import json
import os

import msgspec
import pytest

from appliance import kinds, timetrust, tokenwork, trustsources
from appliance.allowancenotes import AllowanceAsked, AllowanceReturned
from appliance.config import Config, Device, Venue
from appliance.duties import Duties
from appliance.engine import Engine, Order
from appliance.game.commands import decode_command
from appliance.game.roster import (
    AllowanceEnded,
    AllowanceGiven,
    AllowancePolicy,
    Roster,
    RosterEntry,
    fold_roster,
)
from appliance.game.tokens import EARLY_MS, Spent, Token
from appliance.intake import Here, order_of
from appliance.intake import refusal as told
from appliance.link.envelope import CommandMessage, Refusal
from appliance.record import uuid7
from appliance.workplace import Workplace

NOW = 1_800_000_000_000
HOUR = 3_600_000
WHO, FLOOR = "000101", "000001"
ANNOUNCED = {
    "do": "announce", "round": "R1", "venue": "brno", "starts_at": "2027-01-15T19:00:00+01:00", "profile": "cpl-2017",
    "deposit": 300, "shares": ["100"], "seats_per_table": 9, "levels": [{"sb": 25, "bb": 50, "minutes": 15}], "seed": 7,
}  # fmt: skip


class Director:
    """A director's engine, duties and word of the league, without a link."""

    def __init__(self, tmp_path):
        device = Device(data=str(tmp_path), name="director")
        self.place = Workplace(msgspec.structs.replace(Config(), device=device, venue=Venue(id="brno")))
        self.place.move_on(NOW)
        self.journal = self.place.journal()
        self.engine = Engine(self.journal, kinds.KINDS, self.place.time.now_ms)
        self.epoch = self.engine.own_epoch("venue/brno", "start")
        self.roster = Roster()
        for number, role in ((WHO, "participant"), (FLOOR, "commissioner")):
            self.hears(RosterEntry(participant=number, state="active", role=role))
        self.duties = Duties(self.place, self.engine)
        self.told = []
        for command in (ANNOUNCED, {"do": "open", "round": "R1"}):
            self.executes(Order(self.id(), "round/R1", decode_command(command)))

    def id(self):
        return uuid7(NOW, os.urandom(10))

    def hears(self, event):
        self.roster = fold_roster(self.roster, event)
        self.engine.states["league/brno"] = self.roster

    def given(self, token="a", until=None, **how):
        now = self.place.time.now_ms()
        ends = now + 5 * HOUR if until is None else until
        made = Token(token=token, participant=WHO, epoch=self.epoch, given=now, until=ends, left=500, **how)
        self.hears(AllowanceGiven(allowance=made))

    def asked(self, do="register", **fields):
        """An order, or why not, as for a command over the link."""
        ledgers = {"R1": self.engine.state("round/R1")}
        here = Here("brno", {"door"}, self.roster, ledgers, {}, self.duties.tokens.allowances())
        body = {"do": do, "round": "R1", **fields}
        if do != "redo":
            body["participant"] = WHO
        if do == "register":
            body["identity_checked"] = True
        raw = msgspec.Raw(json.dumps(body).encode())
        return order_of(CommandMessage(self.id(), "door", FLOOR, "R1", 5000, raw), here, self.place.time.now_ms())

    def executes(self, order):
        assert isinstance(order, Order), order
        [told] = self.engine.execute([order])
        assert told.answer.ok, told

    @property
    def notes(self):
        return self.engine.state("venue/brno")

    def returned(self):
        return self.notes.get(f"allowance-returned/1 {WHO}")


@pytest.fixture
def director(tmp_path):
    director = Director(tmp_path)
    yield director
    director.journal.close()


def refused(found):
    assert isinstance(found, Refusal), found
    return found.code, json.loads(bytes(found.detail))


NONE_HERE = ("deposit-limit", {"limit": 500, "left": None, "reason": "no-allowance", "participant": WHO})


def test_T_3_without_a_word_of_allowances_nobody_needs_one(director):
    assert isinstance(director.asked(), Order)
    director.hears(AllowancePolicy(in_force=True))
    assert refused(director.asked()) == NONE_HERE
    director.hears(AllowancePolicy(in_force=False))
    assert isinstance(director.asked(), Order)


def test_T_3_a_token_is_spent_with_what_was_deposited_elsewhere(director):
    director.given(deposits=(Spent(NOW - HOUR, 200, "R9"),))
    director.executes(director.asked())
    director.given("b", deposits=(Spent(NOW - HOUR, 201, "R9"),))
    director.executes(director.asked("unregister"))
    assert refused(director.asked()) == ("deposit-limit", {"limit": 500, "left": 299})


def test_T_3_what_the_token_tells_of_the_venues_own_rounds_does_not_count_twice(director):
    director.given(deposits=(Spent(NOW - HOUR, 300, "R1"),))
    director.executes(director.asked())


def test_T_3_what_is_undone_after_its_token_went_back_does_not_come_back(director):
    director.given()
    director.executes(director.asked())
    director.executes(Order(director.id(), "round/R1", decode_command({"do": "undo", "round": "R1"})))
    director.hears(AllowanceEnded(participant=WHO, token="a"))
    director.duties.beat()
    assert refused(director.asked("redo")) == NONE_HERE


def test_T_3_a_token_that_is_wanted_goes_back_once_with_what_was_deposited(director):
    director.given()
    director.executes(director.asked())
    director.duties.beat()
    assert director.returned() is None
    director.hears(AllowanceEnded(participant=WHO, token="a"))
    assert refused(director.asked("deposit", amount=1))[1]["left"] is None
    director.duties.beat()
    note = director.returned()
    assert isinstance(note, AllowanceReturned)
    assert (note.token, [(spent.amount, spent.round) for spent in note.spent]) == ("a", [(300, "R1")])
    head = director.journal.newest("venue/brno").seq
    director.duties.beat()
    assert director.journal.newest("venue/brno").seq == head


def test_T_3_a_token_goes_back_by_itself_ten_minutes_before_its_end(director):
    director.given(until=director.place.time.now_ms() + EARLY_MS)
    assert refused(director.asked()) == NONE_HERE
    director.duties.beat()
    assert director.returned().token == "a"
    director.given("b")
    assert isinstance(director.asked(), Order)


def test_T_3_a_token_is_told_back_only_when_no_command_waits_for_its_commit(director):
    director.given()
    order = director.asked()  # accepted, and not carried out yet
    director.hears(AllowanceEnded(participant=WHO, token="a"))
    director.duties.league_told()
    assert director.returned() is None
    director.executes(order)
    director.duties.carried_out()
    assert [spent.amount for spent in director.returned().spent] == [300]


def test_T_3_a_token_of_another_director_is_not_spent(director):
    director.epoch = "1-ffffffffffffffff"
    director.given()
    assert refused(director.asked()) == NONE_HERE


def test_T_3_a_refusal_for_want_of_a_token_asks_the_league_once_a_while(director, monkeypatch):
    director.hears(AllowancePolicy(in_force=True))
    for _ in range(3):
        director.duties.refused("R1", director.asked())
        director.duties.carried_out()
    assert director.notes["allowance-asked/1"] == AllowanceAsked(participant=WHO, round="R1")
    assert director.journal.newest("venue/brno").seq == 2
    monkeypatch.setattr(tokenwork, "ASK_AGAIN_MS", 0)
    director.duties.refused("R1", director.asked())
    director.duties.refused("R1", told("not-open"))
    director.duties.carried_out()
    assert director.journal.newest("venue/brno").seq == 3


@pytest.fixture
def boot(monkeypatch):
    """The kernel's boot, and whether it was told that its clock is right."""
    now = {"id": "one", "right": False}
    monkeypatch.setattr(timetrust, "boot_id", lambda: now["id"])
    monkeypatch.setattr(trustsources, "kernel_synchronised", lambda library: now["right"])
    return now


def test_T_3_after_a_reboot_nothing_is_spent_before_the_time_is_trusted(boot, director):
    director.given()
    assert isinstance(director.asked(), Order)
    boot["id"] = "two"
    director.duties = Duties(director.place, director.engine)
    assert refused(director.asked()) == NONE_HERE


def test_T_3_a_director_whose_time_is_behind_the_leagues_spends_nothing(director, boot):
    director.given()
    director.roster = msgspec.structs.replace(
        director.roster,
        allowances={
            who: msgspec.structs.replace(token, given=token.given + HOUR)
            for who, token in director.roster.allowances.items()
        },
    )
    director.engine.states["league/brno"] = director.roster
    assert refused(director.asked()) == NONE_HERE
