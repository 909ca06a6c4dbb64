"""Signing a phone in for the evening, and cutting one off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from appliance.floor.devices import MOST_TABLES
from appliance.floor.forms import Action, Field, Filled, Here, Option
from appliance.floor.said import Said, Several, Small, Text
from appliance.game.refusal import Refusal
from appliance.i18n import N_

PAIR, CUT_OFF = "pair_phone", "cut_off_phone"

ACTIONS: tuple[Action, ...] = (
    Action(
        id=PAIR, label=N_("Sign a phone in"), group="phones", request="pair-phone", confirm=False,
        fields=(Field(name="whose", label=N_("Whose phone?"), kind="choice"),),
        sentence=N_("A phone is signed in for this evening: {whose}."),
    ),
    Action(
        id=CUT_OFF, label=N_("Cut a phone off"), group="phones", request="cut-off-phone", destructive=True,
        fields=(Field(name="phone", label=N_("Phone"), kind="choice"),),
        sentence=N_("This phone can do and see nothing from now on: {phone}."),
    ),
)  # fmt: skip

SIGNED_IN = N_("The phone is signed in until the evening is over.")
REFUSED = N_("That phone was refused.")
_OURS = N_("A commissioner's: everything")
_DEALERS = N_("The dealer's at table {table}")
_COMMISSIONERS = N_("A commissioner's")


class Whose(NamedTuple):
    """What a phone is signed in as."""

    role: Literal["commissioner", "dealer"]
    table: int | None


def options(here: Here, field: Field) -> Iterator[Option]:
    """What can be chosen: as what a phone is signed in, of the tables this one first; or those that are."""
    if field.name == "phone":
        yield from here.phones
        return
    numbers = here.round.table_numbers if here.round is not None else range(1, MOST_TABLES + 1)
    tables = sorted(numbers, key=lambda number: (number != here.table, number))
    yield Option("commissioner", Said(_OURS))
    yield from (Option(f"table-{number}", called("dealer", number)) for number in tables)


def answer(here: Here, field: Field, value: str) -> Text:
    """A phone in words, or as what one is signed in."""
    if field.name == "phone":
        found = (each for each in here.phones if each.value == value)
        return next((Several((each.label, each.detail), " · ") for each in found), value[:4])
    role, table = whose(value)
    return called(role, table)


def whose(value: str) -> Whose:
    """What was chosen."""
    number = value.removeprefix("table-")
    return Whose("dealer", int(number)) if number.isascii() and number.isdigit() else Whose("commissioner", None)


def asked_for(answers: Filled) -> Whose:
    """What the form asks for."""
    return whose(str(answers.get("whose")))


def called(role: str, table: int | None) -> Text:
    """What a phone is here."""
    return Said(_DEALERS, {"table": str(table)}) if role == "dealer" else Said(_COMMISSIONERS)


def why_not(here: Here) -> Refusal | None:
    """Why no phone can be signed in."""
    if not here.director:
        return Refusal("no-answer")
    return Refusal(here.console) if here.console else None


def question(here: Here) -> Text:
    """What is said above the picture, or above the digits of a phone that has come."""
    if here.pairing is None or not here.pairing.code:
        return Said(N_("Read this picture with the phone's camera. It is good for one phone and one minute."))
    return Said(N_("A phone shows {code}: is it yours?"), {"code": here.pairing.code})


def told(here: Here) -> tuple[Text, ...]:
    """What else is to be read there."""
    if here.pairing is None or not here.pairing.code:
        return (Small(Said(N_("The phone has to be in the venue's own network. Then compare four digits here."))),)
    agent: tuple[Text, ...] = (Small(here.pairing.agent),) if here.pairing.agent else ()
    return (*agent, Small(Said(N_("Other digits, or none: refuse it. Who says nothing has refused it."))))
