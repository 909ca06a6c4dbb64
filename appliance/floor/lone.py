"""What only an old director had, as somebody has to decide of it: each command in words, by whom, when and where."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from appliance.floor import devices
from appliance.floor.fields import LONGEST_TEXT
from appliance.floor.forms import Action, Field, Filled, Here, Lone, Option
from appliance.floor.said import Amount, Said, Several, Text, worded
from appliance.game.commands import decode_command
from appliance.game.reading import CommandError
from appliance.game.refusal import Refusal
from appliance.i18n import N_

_SWITCHES = {
    ("lock", True): "lock", ("lock", False): "unlock",
    ("hand_for_hand", True): "hand_for_hand", ("hand_for_hand", False): "hand_for_hand_off",
}  # fmt: skip
_ENDS = {"acted": "time_acted", "ran-out": "time_ran_out"}
_OF_DEVICES = {"device-adopted": "adopt_device", "device-dropped": "drop_device"}


class _Told(Struct, frozen=True):
    """What a command says of itself: which one it is, and whom and what it is about."""

    do: str
    participant: str | None = None
    kind: str | None = None
    table: int | None = None
    seat: tuple[int, int] | None = None
    hand: int | None = None
    amount: int | None = None
    hands: int | None = None
    minutes: int | None = None
    seconds: int | None = None
    on: bool | None = None
    outcome: str | None = None
    holding: bool | None = None
    league: bool = False
    reason: str | None = None


class _Device(Struct, frozen=True):
    """What a note says of a device."""

    device: str
    role: str = ""
    table: int | None = None


def words(body: bytes, first: str, action: Callable[[str], Action | None], name: Callable[[str], str]) -> Text:
    """A command in words: what the menu calls it, and all that it was about. ``first``: the type of its first record,
    where the command is not known.
    """
    kind = first.partition("/")[0]
    try:
        if kind in _OF_DEVICES:
            return _of_device(msgspec.json.decode(body, type=_Device), action(_OF_DEVICES[kind]))
        decode_command(body)
        told = msgspec.json.decode(body, type=_Told)
    except (CommandError, msgspec.MsgspecError):
        return kind
    called = action(_menus_name(told))
    parts: list[Text] = [Said(called.label) if called else told.do]
    if told.participant is not None:
        parts.append(name(told.participant))
    return Several((*parts, *_facts(told, called)), " · ")


def _menus_name(told: _Told) -> str:
    """Under which id the menu has the command."""
    if told.do == "time_end":
        return _ENDS.get(told.outcome or "", told.do)
    called = _SWITCHES.get((told.do, told.on is not False), told.do)
    if told.do == "lock" and told.participant is None:
        return f"{called}_seat"
    return "chip_up_one" if told.do == "chip_up" and told.participant is not None else called


def _facts(told: _Told, called: Action | None) -> Iterator[Text]:
    if told.kind is not None:
        yield _choice(called, "kind", told.kind)
    if told.table is not None:
        yield Said(N_("Table {table}"), {"table": str(told.table)})
    if told.seat is not None:
        yield Said(N_("Table {table}, seat {seat}"), {"table": str(told.seat[0]), "seat": str(told.seat[1])})
    if told.hand is not None:
        yield Said(N_("Hand {n}"), {"n": Amount(told.hand)})
    if told.holding is not None:
        yield _choice(called, "holding", "yes" if told.holding else "no")
    if told.hands is not None:
        yield Said(N_("Hands to sit out: {n}"), {"n": Amount(told.hands)})
    if told.minutes is not None:
        yield Amount(told.minutes, "minutes")
    if told.seconds is not None:
        yield Amount(told.seconds, "time")
    if told.amount is not None:
        yield Amount(told.amount, "crowns")
    if told.league:
        yield Said(N_("Propose exclusion from the league"))
    if told.reason:
        yield told.reason[:LONGEST_TEXT]


def _choice(called: Action | None, field: str, value: str) -> Text:
    asked = next((each for each in called.fields if each.name == field), None) if called else None
    return next((worded(label) for name, label in asked.choices if name == value), value) if asked else value


def _of_device(told: _Device, called: Action | None) -> Text:
    parts: list[Text] = [Said(called.label)] if called else []
    parts.append(told.device)
    if told.role:
        parts.append(devices.called(told.role, told.table))
    return Several(tuple(parts), " · ")


def entries(here: Here) -> Iterator[Option]:
    """The entries to choose from."""
    return (Option(each.command, each.what, each.given) for each in here.lone)


def entry(here: Here, command: object) -> Lone | None:
    """The entry that was chosen, as long as nobody else has decided of it."""
    return next((each for each in here.lone if each.command == command), None)


def fields(here: Here, action: Action, filled: Filled) -> tuple[Field, ...]:
    """The form: whether it counts is asked below what was entered, and why it cannot be given anew, if it cannot."""
    chosen = entry(here, filled.get("entry"))
    if chosen is None:
        return action.fields
    above: list[Text] = [chosen.what, chosen.given]
    if chosen.refusal is not None:
        above.append(Said(N_("Given anew it is refused: {why}"), {"why": chosen.refusal}))
    default = None if chosen.refusal is None else "drop"
    which, what = action.fields
    return which, replace(what, above=tuple(above), default=default)


def sentence(here: Here, command: object, what: object) -> Text:
    """What will happen."""
    chosen = entry(here, command)
    if chosen is None:
        return Said(N_("Somebody else has decided of this entry."))
    told: dict[str, Text] = {"what": chosen.what}
    if what == "accept":
        return Said(N_("{what}: given anew, in your name, if the rules still allow it."), told)
    return Said(N_("{what}: void. Nobody is asked about it again."), told)


def asked_again(refusal: Refusal) -> tuple[str, ...]:
    """What is asked again once it was refused: whether it counts, for as it was answered it does not."""
    return () if refusal.code in ("no-answer", "storage") else ("what",)
