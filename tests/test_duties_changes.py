"""The league's word on its rounds at the venue: a director cancels or moves them as it is told, once (LG-2)."""

from __future__ import annotations

import os

import pytest

from appliance.duties import Duties
from appliance.engine import Order
from appliance.game.commands import decode_command
from appliance.game.roster import RoundChanged
from appliance.game.state import Phase
from appliance.game.values import parse_time
from appliance.record import uuid7
from tests.test_tokenwork import NOW, Director

LATER = parse_time("2027-01-22T19:00:00+01:00")


@pytest.fixture
def director(tmp_path):
    director = Director(tmp_path)
    yield director
    director.journal.close()


def change(do, **fields):
    return RoundChanged(id=uuid7(NOW, os.urandom(10)), round="R1", do=do, **fields)


def told(director, event):
    director.hears(event)
    director.duties.league_told()
    return director.engine.state("round/R1").round


def gives(director, do, **fields):
    director.executes(Order(director.id(), "round/R1", decode_command({"do": do, "round": "R1", **fields})))


def test_LG_2_a_round_that_the_league_cancels_is_cancelled_at_the_venue_with_its_reason(director):
    gives(director, "register", participant="000101", identity_checked=True)
    round = told(director, change("cancel", reason="Havárie vody"))
    assert (round.phase, round.reason, round.pool) == (Phase.CANCELLED, "Havárie vody", 0)


def test_LG_2_a_round_that_the_league_moves_keeps_its_registrations(director):
    gives(director, "register", participant="000101", identity_checked=True)
    round = told(director, change("reschedule", starts_at=LATER))
    assert (round.phase, round.starts_at, list(round.players)) == (Phase.MOVED, LATER, ["000101"])


def test_LG_2_a_change_is_carried_out_once_whatever_the_venue_does_after_it_and_after_a_restart(director):
    moved = change("reschedule", starts_at=LATER)
    told(director, moved)
    gives(director, "reschedule", starts_at="2027-01-29T19:00:00+01:00")
    gives(director, "open")
    records = director.journal.newest("round/R1").seq
    told(director, moved)
    director.duties = Duties(director.place, director.engine)
    director.duties.settle()
    assert director.journal.newest("round/R1").seq == records


def test_LG_2_a_round_that_has_begun_is_not_touched(director):
    for number in ("000101", "000102", "000103"):
        gives(director, "register", participant=number, identity_checked=True)
    gives(director, "start")
    assert told(director, change("cancel")).phase is Phase.RUNNING


def test_LG_2_a_director_that_was_away_hears_of_it_at_its_start(director):
    director.hears(change("cancel"))
    Duties(director.place, director.engine).settle()
    assert director.engine.state("round/R1").round.phase is Phase.CANCELLED


def test_LG_2_of_a_round_that_never_came_here_nothing_is_made(director):
    director.hears(RoundChanged(id=uuid7(NOW, os.urandom(10)), round="R9", do="cancel"))
    director.duties.league_told()
    assert director.engine.state("round/R9").round is None
    assert director.journal.newest("round/R9") is None
