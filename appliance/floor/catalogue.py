"""The list: everything a floor manager does in an evening, by group, most used first."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from appliance.floor import catalogue_game as game
from appliance.floor import catalogue_people as people
from appliance.floor import devices, phones, rightclock
from appliance.floor.forms import Action, GroupId
from appliance.i18n import N_

ACTIONS: tuple[Action, ...] = (
    *people.DOOR, *people.PLAYERS, *game.CLOCK, *game.TABLES, *people.MONEY, *game.ROUND, *game.OTHER,
    *devices.ACTIONS, *phones.ACTIONS, *rightclock.ACTIONS,
)  # fmt: skip

BY_ID: Mapping[str, Action] = MappingProxyType({action.id: action for action in ACTIONS})

GROUPS: Mapping[GroupId, str] = MappingProxyType(
    {
        "players": N_("Players"),
        "clock": N_("Hands and clock"),
        "undo": N_("Undo and redo"),
        "ruling": N_("Ruling helper"),
        "tables": N_("Tables"),
        "money": N_("Money"),
        "door": N_("Door"),
        "round": N_("Round"),
        "phones": N_("Phones"),
        "takeover": N_("Takeover"),
        "lone": N_("Entries of the old director"),
        "devices": N_("Devices"),
        "time": N_("Confirm the time"),
    }
)
"""What groups are called, in the order in which a table shows them; at the door its own comes first."""

NOT_FLOOR_WORK: Mapping[str, str] = MappingProxyType(
    {
        "announce": "the league announces a round",
        "reschedule": "another evening is agreed with the league, which then offers the round with its new date",
    }
)
"""Commands of a round that nobody gives on the floor, and why."""
