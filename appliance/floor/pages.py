"""What can be chosen on each page of the menu, from the first line to the last. Every page ends with a way back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from appliance.floor.candidates import player_option, seat_here
from appliance.floor.catalogue import ACTIONS, BY_ID, GROUPS
from appliance.floor.defaults import fields, players_of
from appliance.floor.forms import Action, Field, GroupId, Here, Offer, Option
from appliance.floor.offering import fits, offers, options, possible
from appliance.floor.ruling import FACT
from appliance.floor.said import Amount, Said, Text, worded
from appliance.floor.state import Menu, action_of, entered, field_of, given
from appliance.floor.takeover import INSTEAD
from appliance.floor.telling import NOTHING, answer
from appliance.game.refusal import Refusal
from appliance.i18n import N_

NUMBERS = ("number", "chips", "crowns", "minutes", "time")
"""Kinds of fields that hold one number."""


_DIRECT: tuple[GroupId, ...] = ("ruling", "undo", "takeover", "lone", "time", "door")
"""Groups that need no page of their own for a single line. The others keep their place whatever is in them."""


class Item(Struct, frozen=True):
    """Something that can be chosen: what it does, what it says, and why it cannot be chosen now.

    ``digit``: the key that chooses it, always the same one whatever else is in the list; 0 what is asked for. ``seat``:
    of a player of this table.
    """

    key: str
    text: Text
    detail: Text = ""
    refusal: Refusal | None = None
    tone: Literal["plain", "danger", "back", "text"] = "plain"
    digit: str = ""
    seat: int | None = None


BACK = Item("back", Said(N_("Back")), tone="back")
LEAVE = Item("leave", Said(N_("Close the menu")), tone="back")
AGAIN = Item("again", Said(N_("To the menu")))
RETRY = Item("retry", Said(N_("Try again")))
STOP = Item("back", Said(N_("Stop: sign no phone in")), tone="back")
YES = Item("yes", Said(N_("Yes: sign it in")))
NO = Item("no", Said(N_("No: refuse it")), tone="danger")


def items(menu: Menu, here: Here) -> tuple[Item, ...]:
    """The lines that can be chosen, in order."""
    match menu.page:
        case "groups":
            return (*_groups(here), LEAVE)
        case "actions":
            return (*_actions(menu, here), BACK)
        case "field":
            return (*_field(menu, here), BACK)
        case "player":
            return (*_number(menu, here), BACK)
        case "confirm":
            return (*_confirm(menu, here), BACK)
        case "waiting":
            return (LEAVE,)
        case "pairing":
            return (YES, NO) if here.pairing is not None and here.pairing.code else (STOP,)
        case "done":
            return (LEAVE, AGAIN)
        case _:
            return (*_refused(menu), AGAIN, LEAVE)


def groups(here: Here) -> dict[GroupId, list[Offer]]:
    """The offers by group, the door's first at the door."""
    found: dict[GroupId, list[Offer]] = {group: [] for group in _ordered(here)}
    for offer in offers(here):
        found[offer.action.group].append(offer)
    return {group: those for group, those in found.items() if those}


def _ordered(here: Here) -> list[GroupId]:
    return sorted(GROUPS, key=lambda group: here.place != "door" or group != "door")


def offered_for(menu: Menu, here: Here) -> list[Offer]:
    """The actions of the page: of a group, or those that a player whose card was tapped can be subject of."""
    if menu.player is None:
        return groups(here).get(menu.group, []) if menu.group else []
    return [offer for offer in offers(here) if _about_player(offer.action) and _fits(here, offer, menu.player)]


def _about_player(action: Action) -> bool:
    return any(field.name == "participant" for field in action.fields)


def _fits(here: Here, offer: Offer, player: str) -> bool:
    return offer.refusal is not None or possible(here, offer.action, {"participant": player}) is None


def _groups(here: Here) -> Iterator[Item]:
    found = groups(here)
    # who takes over is in a hurry, and knows its digit: of phones, which are not, there is none
    digits: dict[GroupId, str] = {"phones": ""}
    digits |= {
        group: digit_at(place) for place, group in enumerate(each for each in _ordered(here) if each != "phones")
    }
    waiting = [group for group in _waiting(here) if group in found]
    zero = next((group for group in waiting if not digits[group]), None)
    for group in (*waiting, *(group for group in found if group not in waiting)):
        digit, those = "0" if group == zero else digits[group], found[group]
        if len(those) == 1 and group in _DIRECT:
            yield _offer(those[0], digit, GROUPS[group])
        else:
            yield Item(f"group:{group}", Said(GROUPS[group]), digit=digit)


def _waiting(here: Here) -> tuple[GroupId, ...]:
    """What ribbons ask a commissioner for, or a device that stands there: it comes first, the most pressing before."""
    asked: tuple[tuple[GroupId, bool], ...] = (
        ("takeover", not here.director),
        ("lone", bool(here.lone)),
        ("time", here.times.doubted),
        ("devices", bool(here.spares)),
    )
    return tuple(group for group, waits in asked if waits)


def _actions(menu: Menu, here: Here) -> Iterator[Item]:
    """Each has its digit by its place among all that may ever be there: none moves when another comes or goes."""
    places = [
        action.id
        for action in ACTIONS
        if fits(action, here.place) and (_about_player(action) if menu.player else action.group == menu.group)
    ]
    for offer in offered_for(menu, here):
        yield _offer(offer, digit_at(places.index(offer.action.id)))


def _offer(offer: Offer, digit: str, label: str = "") -> Item:
    return Item(f"action:{offer.action.id}", Said(label or offer.action.label), refusal=offer.refusal, digit=digit)


def digit_at(place: int) -> str:
    """The key of a line by its place, from 0; later ones than the ninth have none."""
    return str(place + 1) if place < 9 else ""


def _field(menu: Menu, here: Here) -> Iterator[Item]:
    action, field = action_of(menu), field_of(menu, here)
    if action is None or field is None:
        return
    if field.kind in NUMBERS:
        yield from _number(menu, here)
    elif field.kind == "players":
        yield from _several(menu, here, action, field)
    elif field.kind == "text":
        yield from _text(menu, here, action, field)
    else:
        yield from _options(menu, here, action, field)


def _options(menu: Menu, here: Here, action: Action, field: Field) -> Iterator[Item]:
    known = {option.value: option for option in options(here, action, field, given(menu, here))}
    found = [known[value] for value in narrowed(menu, here, field, list(known))]
    if action.id == "register" and field.kind == "player" and menu.typed and menu.typed not in _values(found):
        yield Item(f"option:{menu.typed}", menu.typed)
    for place, option in enumerate(found):
        digit = digit_at(place) if field.kind == "choice" else ""
        yield Item(f"option:{option.value}", option.label, option.detail, digit=digit, seat=option.seat)
    if field.optional:
        yield Item("skip", Said(N_("Leave it open")))


def _values(found: list[Option]) -> list[str]:
    return [option.value for option in found]


def narrowed(menu: Menu, here: Here, field: Field, values: list[str]) -> list[str]:
    """The values that the digits mean: of players first those of a seat at this table, then by their numbers."""
    begun = [value for value in values if _typed(menu, value)]
    if not by_seat(menu, here, field):
        return begun
    seats = {value: str(seat_here(here, value) or "") for value in values}
    there = [value for value in values if seats[value].startswith(menu.typed)]
    there.sort(key=lambda value: seats[value] != menu.typed)
    return [*there, *(value for value in begun if value not in there)]


def by_seat(menu: Menu, here: Here, field: Field) -> bool:
    """Whether the digits may be a seat's at this table."""
    short = 0 < len(menu.typed) <= 2 and not menu.typed.startswith("0")
    return short and here.table is not None and field.kind in ("player", "players")


def _typed(menu: Menu, value: str) -> bool:
    """Whether a value begins as the digits that were typed, leading zeros aside; a seat without its point."""
    return value.replace(".", "").lstrip("0").startswith(menu.typed.lstrip("0"))


def _text(menu: Menu, here: Here, action: Action, field: Field) -> Iterator[Item]:
    if menu.typed.strip():
        yield Item("typed", menu.typed, tone="text")
    for option in options(here, action, field, given(menu, here)):
        yield Item(f"option:{option.value}", option.label)
    if field.optional:
        yield Item("skip", Said(N_("Leave it open")))


def _several(menu: Menu, here: Here, action: Action, field: Field) -> Iterator[Item]:
    round, draft = here.round, dict(menu.draft)
    if round is None:
        return
    if not menu.typed:
        yield Item("finish", Said(N_("All entered: go on")))
    for who in narrowed(menu, here, field, players_of(here, action, field, given(menu, here))):
        number: Text = Amount(draft[who], field.unit) if who in draft else NOTHING
        yield Item(f"who:{who}", player_option(here, round, who).label, number, seat=seat_here(here, who))


def _number(menu: Menu, here: Here) -> Iterator[Item]:
    field = field_of(menu, here)
    if field is None:
        return
    value = entered(menu, field)
    one = replace_kind(field)
    yield Item("accept", Said(N_("OK: {value}"), {"value": answer(here, one, value)}))
    yield Item("edit", Said(N_("Change the number")))
    if menu.page == "player" and field.least and menu.who in dict(menu.draft):
        yield Item("remove", Said(N_("Take off the list")))
    elif menu.page == "field" and field.optional:
        yield Item("skip", Said(N_("Leave it open")))


def replace_kind(field: Field) -> Field:
    """The field as one number: what is told of each of several players."""
    return Field(name=field.name, label=field.label, kind=field.unit) if field.kind == "players" else field


def _confirm(menu: Menu, here: Here) -> Iterator[Item]:
    action = action_of(menu)
    if action is None:
        return
    tone: Literal["plain", "danger"] = "danger" if action.destructive else "plain"
    away = Refusal("no-answer") if not here.director and action.request is None else None
    yield Item("confirm", Said(N_("Yes, do it")), refusal=away, tone=tone)
    for field in fields(here, action, menu.answers):
        if field.name.startswith(FACT) or field.name == INSTEAD:  # whole questions: one goes back to them
            continue
        yield Item(f"field:{field.name}", worded(field.label), answer(here, field, menu.answers.get(field.name)))


def _refused(menu: Menu) -> Iterator[Item]:
    if menu.unanswered is not None:
        yield RETRY
    if menu.action is not None and (menu.action == "ruling" or BY_ID[menu.action].fields):
        yield Item("form", Said(N_("Change the answers")))
