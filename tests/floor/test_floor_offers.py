"""What the floor menu offers: what makes sense now, and with the engine's own reason what does not."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from appliance.floor.catalogue import ACTIONS, BY_ID
from appliance.floor.defaults import fields
from appliance.floor.offering import check, options
from appliance.game.round import INITIAL
from appliance.game.state import Ledger
from tests.floor.conftest import Desk
from tests.game.conftest import Evening, number


def test_before_the_door_opens_there_is_little_to_do() -> None:
    offered = Desk(Evening().announce(), place="door", table=None).offered()
    assert offered == {"register": "not-open", "open": None, "start": "not-open", "cancel": None, "pair_phone": None}


def test_T_1_too_few_to_start_is_said_with_the_reason() -> None:
    desk = Desk(Evening().opened(2), place="door", table=None)
    assert desk.offered()["start"] == "too-few"
    assert desk.offered()["unregister"] is None


def test_a_table_registers_nobody_and_a_door_does() -> None:
    evening = Evening().opened(4)
    assert "register" not in Desk(evening).offered()
    assert Desk(evening, place="door", table=None).offered()["register"] is None
    assert Desk(evening, place="phone", table=None).offered()["register"] is None


def test_T_2_nobody_registers_after_the_start() -> None:
    assert "register" not in Desk(Evening().started(4), place="door", table=None).offered()


def test_CK_3_only_one_of_stop_and_start_and_of_begin_and_end_is_there() -> None:
    desk = Desk(Evening().seated([1, 2, 3]))
    assert {"pause", "begin_break"} < set(desk.offered()) and desk.offered().keys().isdisjoint({"resume", "end_break"})
    desk.choose("pause").choose("begin_break").turn_to("accept").yes()
    assert {"resume", "end_break"} < set(desk.offered()) and desk.offered().keys().isdisjoint({"pause", "begin_break"})


def test_what_the_house_does_not_have_is_not_there() -> None:
    league, tda = (Desk(Evening().seated([1, 2, 3], profile=profile)).offered() for profile in ("cpl-2017", "tda-2024"))
    assert "deal" not in league and "deal" in tda
    assert league.keys().isdisjoint({"bonus_card", "chip_up", "reenter"})


def test_after_the_end_prizes_are_paid_and_what_happened_can_be_taken_back() -> None:
    evening = Evening().seated([1, 2, 3]).bust(1).bust(2)
    offered = Desk(evening).offered()
    assert {"pay", "undo", "void", "sanction", "ruling"} <= set(offered)
    assert offered.keys().isdisjoint({"bust", "next_hand", "pause", "move", "end_early", "stacks"})


def test_players_of_this_table_come_first() -> None:
    desk = Desk(Evening().seated([1, 2, 3], [4, 5, 6])).at(table=2)
    (field, *_) = BY_ID["bust"].fields
    order = [option.value for option in options(desk.here, BY_ID["bust"], field, {})]
    assert order == [number(n) for n in (4, 5, 6, 1, 2, 3)]


def test_only_those_are_offered_whom_the_rules_allow() -> None:
    evening = Evening().seated([1, 2, 3], [4, 5, 6], profile="tda-2024").bust(2)
    evening.do("absent", participant=number(3))
    desk = Desk(evening)
    found = {}
    for action_id in ("bust", "absent", "present", "reinstate"):
        (field, *_) = BY_ID[action_id].fields
        found[action_id] = sorted(int(o.value) for o in options(desk.here, BY_ID[action_id], field, {}))
    assert found == {"bust": [1, 3, 4, 5, 6], "absent": [1, 4, 5, 6], "present": [3], "reinstate": [2]}


def test_seats_to_move_to_are_free_ones_of_this_table_first() -> None:
    desk = Desk(Evening().seated([1, 2, 3], [4, 5, 6]))
    field = fields(desk.here, BY_ID["move"], {})[1]
    seats = [option.value for option in options(desk.here, BY_ID["move"], field, {"participant": number(1)})]
    assert seats[:6] == ["1.4", "1.5", "1.6", "1.7", "1.8", "1.9"] and "2.1" not in seats and "2.4" in seats


def test_without_the_director_only_taking_over_can_be_done_and_only_where_it_can() -> None:
    desk = Desk(Evening().seated([1, 2, 3]), director=False, can_take_over=True)
    offered = desk.offered()
    assert offered.pop("take_over") is None
    assert offered.pop("ruling") is None, "the advice; recording it is refused"
    assert set(offered.values()) == {"no-answer"}
    assert desk.at(can_take_over=False).offered()["take_over"] == "cannot-take-over"
    assert "take_over" not in desk.at(director=True).offered()


def test_a_device_without_a_round_offers_nothing_of_it() -> None:
    desk = Desk(Evening())
    assert desk.evening.ledger is INITIAL and desk.offered() == {"pair_phone": None}
    assert desk.at(director=False).offered() == {"take_over": "cannot-take-over", "pair_phone": "no-answer"}
    assert desk.begin().keys() == ["action:take_over", "group:phones", "leave"]


def test_CK_4_a_call_for_time_can_be_refused_where_it_was_made() -> None:
    evening = Evening().seated([1, 2, 3])
    assert "time_refuse" not in Desk(evening).offered()
    desk = Desk(evening, call="time").begin()
    assert desk.keys()[desk.open.cursor] == "group:clock"
    desk.turn_to("group:clock").turn_to("action:time_refuse")
    assert desk.requests == ["call-ended"] and desk.sent == []


@pytest.mark.parametrize("players", [3, 90])
def test_no_offer_without_a_reason_is_a_dead_end(players: int) -> None:
    """Whoever chooses an action that is not greyed out finds something to choose."""
    desk = Desk(Evening().started(players))
    dead = []
    for action in ACTIONS:
        if desk.offered().get(action.id, "left out") is not None:
            continue
        for field in fields(desk.here, action, {}):
            if field.kind in ("player", "seat", "choice", "table") and not field.optional:
                if not options(desk.here, action, field, {}):
                    dead.append((action.id, field.name))
                break
    assert dead == []


def test_what_is_missing_or_out_of_bounds_is_refused_before_it_is_sent() -> None:
    desk = Desk(Evening().seated([1, 2, 3]))
    here = desk.here
    assert check(here, BY_ID["bust"], {}) is not None
    refusal = check(here, BY_ID["begin_break"], {"minutes": 1441})
    assert refusal is not None and (refusal.code, refusal.detail) == ("out-of-bounds", {"least": 1, "most": 1440})
    codes = {
        str(filled): refusal.code
        for filled in (
            {"participant": "x"}, {"participant": number(1), "seat": "1"}, {"participant": number(1), "seat": 3},
            {"participant": number(1), "seat": "-1.-1"}, {"participant": ((number(1), 3),), "seat": "1.4"},
        )
        if (refusal := check(here, BY_ID["move"], filled)) is not None
    }  # fmt: skip
    assert set(codes.values()) == {"incomplete"} and len(codes) == 5


def test_check_is_the_engines_word() -> None:
    desk = Desk(Evening().seated([1, 2, 3]))
    refusal = check(desk.here, BY_ID["bust"], {"participant": number(9)})
    assert refusal is not None and refusal.code == "not-registered"
    assert check(replace(desk.here, ledger=Ledger()), BY_ID["pause"], {}) is not None
