"""The list of the floor's actions: whole, most used first, and with a form for everything that it asks for."""

from __future__ import annotations

import re
from collections import Counter

from appliance.floor.building import command_of
from appliance.floor.catalogue import ACTIONS, BY_ID, GROUPS, NOT_FLOOR_WORK
from appliance.floor.fields import DEALS, SANCTIONS
from appliance.floor.forms import Value
from appliance.game.commands import AnyCommand, name_of
from appliance.game.ruleset import PROFILES
from appliance.game.sanctions import LADDER
from tests.floor.conftest import Desk
from tests.game.conftest import Evening, number

EVERY_COMMAND = {str(kind.__struct_config__.tag) for kind in AnyCommand.__args__}

ANSWERS: dict[str, Value] = {
    "participant": number(1), "seat": "1.9", "table": "1", "kind": "icm", "reason": "x", "amount": 1, "seconds": 1,
    "minutes": 1, "hand": 1, "holding": "no", "denomination": "25", "to": "100", "ruling": "I-13", "decision": "x",
    "players": ((number(1), 1), (number(2), 1)), "stacks": ((number(1), 1),), "holdings": ((number(1), 1),),
}  # fmt: skip


def sent_by(action_id: str) -> set[str]:
    here = Desk(Evening().seated([1, 2, 3])).here
    command = command_of(here, BY_ID[action_id], ANSWERS)
    return {name_of(command)} if command is not None else set()


def test_every_command_of_a_round_is_floor_work_or_said_not_to_be() -> None:
    sent = {name for action in ACTIONS for name in sent_by(action.id)}
    assert sent.isdisjoint(NOT_FLOOR_WORK)
    assert sent | set(NOT_FLOOR_WORK) == EVERY_COMMAND
    assert all(reason for reason in NOT_FLOOR_WORK.values())


def test_ids_are_there_once_and_every_group_has_a_name() -> None:
    assert [each for each, count in Counter(action.id for action in ACTIONS).items() if count > 1] == []
    assert {action.group for action in ACTIONS} == set(GROUPS)


def test_a_sentence_names_what_was_asked() -> None:
    told = {
        action.id: {field.name for field in action.fields if field.asked and not field.optional}
        - set(re.findall(r"{(\w+)}", action.sentence))
        for action in ACTIONS
    }
    unsaid = {action: names for action, names in told.items() if names}
    code = {"pair1", "pair2", "pair3", "pair4"}  # nobody needs to read it again: it is on the other screen
    moment = {"what", "hour", "minute", "day", "month", "year"}  # together they are the moment that it says
    assert unsaid == {
        "bonus_card": {"holding"}, "deal": {"stacks", "amounts"}, "adopt_device": code, "confirm_time": moment,
    }  # fmt: skip


def test_T_15_penalties_go_from_the_mildest_to_the_hardest_and_T_10_deals_are_those_of_any_house() -> None:
    assert tuple(kind for kind, _ in SANCTIONS) == LADDER
    assert {kind for kind, _ in DEALS} == {kind for rules in PROFILES.values() for kind in rules.deals}


def test_what_is_told_of_each_of_several_players_has_a_name() -> None:
    several = [field for action in ACTIONS for field in action.fields if field.kind == "players"]
    assert len(several) == 6 and all(field.each for field in several)
