"""Letting a device in that stands there with a code on its screen, and dropping one again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from appliance.floor.forms import Action, Field, Filled, Here, Option
from appliance.floor.said import Said, Small, Text
from appliance.game.refusal import Refusal
from appliance.i18n import N_

MOST_TABLES = 10
"""Offered where no round says how many there are."""

_PAIRS = ("pair1", "pair2", "pair3", "pair4")
_LABELS = (
    N_("Code on its screen: the first two digits"), N_("Code on its screen: the second two digits"),
    N_("Code on its screen: the third two digits"), N_("Code on its screen: the last two digits"),
)  # fmt: skip
_DEVICE = Field(name="device", label=N_("Device"), kind="choice")

ACTIONS: tuple[Action, ...] = (
    Action(
        id="adopt_device", label=N_("Let a device in"), group="devices", request="adopt-device",
        fields=(
            _DEVICE,
            Field(name="becomes", label=N_("What it becomes"), kind="choice"),
            *(
                Field(name=name, label=label, kind="number", least=10, most=99)
                for name, label in zip(_PAIRS, _LABELS, strict=True)
            ),
        ),
        sentence=N_("{device} belongs to this venue from now on: {becomes}."),
    ),
    Action(
        id="drop_device", label=N_("Drop a device"), group="devices", request="drop-device", destructive=True,
        ends=True,
        fields=(_DEVICE,), sentence=N_("{device} belongs to this venue no more, and is let in by a new code only."),
    ),
)  # fmt: skip

_AGAIN = {"wrong-code": _PAIRS, "device-silent": _PAIRS, "codes-used-up": _PAIRS, "table-taken": ("becomes",)}
_ROLES = {"door": N_("The door"), "clock": N_("The clock on the wall")}


class LetIn(NamedTuple):
    """What an answered form asks for."""

    key: str
    code: str
    role: str
    table: int | None


def options(here: Here, action: Action, field: Field) -> Iterator[Option]:
    """What can be chosen: the devices that ask, or those that were let in; what one can become."""
    if field.name == "device":
        yield from here.spares if action.id == "adopt_device" else here.adopted
    elif field.name == "becomes":
        numbers = here.round.table_numbers if here.round is not None else range(1, MOST_TABLES + 1)
        yield from (Option(f"table-{n}", _table(n)) for n in numbers if n not in here.taken)
        yield from (Option(role, Said(label)) for role, label in _ROLES.items())


def answer(here: Here, field: Field, value: str) -> Text:
    """A device by its name; what it becomes in words."""
    if field.name == "device":
        return next((each.label for each in (*here.spares, *here.adopted) if each.value == value), value[:8])
    role, _, number = value.partition("-")
    return called(role if role == "table" else value, int(number) if number.isdigit() else None)


def called(role: str, table: int | None) -> Text:
    """What a device is here."""
    return _table(table) if role == "table" and table is not None else Said(_ROLES.get(role, role))


def asked_again(refusal: Refusal) -> tuple[str, ...]:
    """What is asked again once it was refused: a code counts for one try, and another device may be the table."""
    return _AGAIN.get(refusal.code, ())


def details(action: Action) -> tuple[Text, ...]:
    """What is to be read before it is done."""
    if action.id == "drop_device":
        return ()
    return (Small(Said(N_("A table that was another device's goes on at the same hand; that device writes no more."))),)


def outcome(action: Action) -> tuple[Text, ...]:
    """What is still to be read when it is done."""
    return (Said(N_("The device starts by itself as what it is now.")),) if action.id == "adopt_device" else ()


def let_in(answers: Filled) -> LetIn:
    """What the form asks for."""
    role, _, number = str(answers.get("becomes")).partition("-")
    code = "".join(str(answers.get(name)) for name in _PAIRS)
    return LetIn(str(answers.get("device")), code, role, int(number) if number.isdigit() else None)


def _table(number: int) -> Text:
    return Said(N_("Table {table}"), {"table": str(number)})
