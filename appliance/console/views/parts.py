"""What a form's fields are on a phone, and the buttons that lead to forms or send them at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple

import msgspec

from appliance.console.views.page import Page, form_url
from appliance.console.views.reading import kept, stamp
from appliance.floor.candidates import opens_a_table, player_option
from appliance.floor.catalogue import BY_ID
from appliance.floor.defaults import complete, default, fields, players_of
from appliance.floor.forms import Action, Field, Filled, Offer, Option, Value
from appliance.floor.offering import offers, options, possible
from appliance.floor.pages import NUMBERS
from appliance.floor.ruling import FACT
from appliance.game.refusal import Refusal
from appliance.i18n import duration

Widget = Literal["chips", "select", "person", "text", "number", "time", "players"]

_FEW = 4
"""So few choices lie beside each other; more are a list to choose from."""

_OF_MONEY = ("deposit-limit", "registration-closed")
"""Why somebody may pay no more, which they want to hear."""

_SHORT = 26
"""Letters that a choice beside others has at most."""


class Choice(NamedTuple):
    """Something that can be chosen, in words."""

    value: str
    label: str
    detail: str = ""
    on: bool = False


class Row(NamedTuple):
    """A player of a field that takes several, with their number as it is typed."""

    name: str
    who: str
    detail: str
    value: str


class Drawn(NamedTuple):
    """A field as a template draws it. ``value``: what a number or a text is; ``none``: what it is called left open;
    ``leads_on``: what else is asked hangs on it."""

    name: str
    label: str
    widget: Widget
    value: str = ""
    choices: tuple[Choice, ...] = ()
    rows: tuple[Row, ...] = ()
    above: tuple[str, ...] = ()
    none: str = ""
    optional: bool = False
    unit: str = ""
    each: str = ""
    rare: bool = False
    leads_on: bool = False


def drawn(page: Page, action: Action, filled: Filled) -> Iterator[Drawn]:
    """The fields of a form, each with what it is by now and what can be chosen."""
    for field in fields(page.here, action, filled):
        yield _drawn(page, action, field, filled)


def _drawn(page: Page, action: Action, field: Field, filled: Filled) -> Drawn:
    before = complete(page.here, action, _without_later(page, action, field, filled), field.name)
    value = filled.get(field.name)
    if value is None:
        value = default(page.here, action, field, before)
    base = Drawn(
        name=field.name, label=page.label(field.label), widget="text", value="" if value is None else str(value),
        above=tuple(map(page.say, field.above)), none=page.label(field.none) if field.none else "",
        optional=field.optional, unit=field.kind, rare=not field.asked, leads_on=field.name.startswith(FACT),
    )  # fmt: skip
    if field.kind == "players":
        return base._replace(
            widget="players", value="", unit=field.unit, each=page.label(field.each) if field.each else "",
            rows=tuple(_rows(page, action, field, before, value)),
        )  # fmt: skip
    if field.kind == "time":
        return base._replace(widget="time", value=duration(value) if isinstance(value, int) else base.value)
    if field.kind in NUMBERS:
        return base._replace(widget="number")
    found = tuple(_choices(page, _theirs(page, field, options(page.here, action, field, before)), value))
    if field.kind == "text":
        typed = "" if any(choice.on for choice in found) else base.value
        return base._replace(choices=found, value=typed)
    if action.id == "register" and field.kind == "player":  # somebody whom the league has not announced here as well
        return base._replace(widget="person", choices=found)
    if field.kind == "player":
        found = tuple(choice._replace(detail=_where(page, choice)) for choice in found)
    short = len(found) <= _FEW and all(len(choice.label) <= _SHORT and not choice.detail for choice in found)
    return base._replace(widget="chips" if short and found else "select", choices=found)


def _theirs(page: Page, field: Field, found: Iterable[Option]) -> Iterator[Option]:
    """Of what can be chosen that which is a dealer's own table's."""
    phone, round = page.asked.phone, page.round
    for option in found:
        if phone.role == "dealer" and round is not None:
            player = round.players.get(option.value)
            at = player.seat.table if player is not None and player.seat is not None else None
            table = at if field.kind == "player" else option.value.partition(".")[0]
            if field.kind in ("player", "table", "seat") and str(table) != str(phone.table):
                continue
        yield option


def _where(page: Page, choice: Choice) -> str:
    """Where a player sits, and the number, as short as a list to choose from needs it."""
    player = page.round.players.get(choice.value) if page.round is not None else None
    seat = f"{player.seat.table}.{player.seat.seat}" if player is not None and player.seat is not None else ""
    return " · ".join(part for part in (seat, choice.value if choice.value != choice.label else "") if part)


def _without_later(page: Page, action: Action, field: Field, filled: Filled) -> dict[str, Value]:
    """What the choices of a field may hang on: the answers before it, and those that are no field's at all."""
    names = [each.name for each in fields(page.here, action, filled)]
    later = names[names.index(field.name) :] if field.name in names else []
    return {name: value for name, value in filled.items() if name not in later}


def _choices(page: Page, found: Iterable[Option], value: Value | None) -> Iterator[Choice]:
    for option in found:
        yield Choice(option.value, page.say(option.label), page.say(option.detail), option.value == value)


def _rows(page: Page, action: Action, field: Field, filled: Filled, value: Value | None) -> Iterator[Row]:
    numbers = dict(value) if isinstance(value, tuple) else {}
    round = page.round
    for who in players_of(page.here, action, field, filled):
        option = player_option(page.here, round, who) if round is not None else Option(who, page.name(who))
        number = numbers.get(who)
        typed = "" if number is None else str(number)
        yield Row(f"{field.name}:{who}", page.say(option.label), page.say(option.detail), typed)


class Button(NamedTuple):
    """What leads to a form, or with ``vals`` sends it at once. ``why``: it cannot be done now."""

    id: str
    label: str
    url: str
    vals: str = ""
    tone: Literal["plain", "go", "danger"] = "plain"
    why: str = ""


def button(
    page: Page,
    action_id: str,
    filled: Mapping[str, Value] | None = None,
    *,
    label: str = "",
    why: Refusal | None = None,
    at_once: bool = False,
) -> Button:
    """The button of an action. It is sent at once where the catalogue asks for no confirmation and nothing is to be
    asked, or where the page itself is the question (``at_once``)."""
    action, known = BY_ID[action_id], dict(filled or {})
    tone: Literal["plain", "danger"] = "danger" if action.destructive else "plain"
    text = label or page.label(action.label)
    if why is not None:
        return Button(action_id, text, "", tone=tone, why=page.say(why))
    if at_once or not _asks(page, action, known):
        shown = complete(page.here, action, known)
        return Button(action_id, text, f"/form/{action_id}", vals_of(page, action, shown), tone)
    flat = {name: str(value) for name, value in known.items()}
    return Button(action_id, text, form_url(action_id, flat, page.back), tone=tone)


def _asks(page: Page, action: Action, filled: Filled) -> bool:
    """Whether a person has to say something before it is done."""
    answers = complete(page.here, action, filled)
    if action.confirm or action.throws_away(answers) or opens_a_table(page.here, answers):
        return True
    return any(field.asked and field.name not in filled for field in fields(page.here, action, answers))


def vals_of(page: Page, action: Action, shown: Filled) -> str:
    """What a button sends beside itself."""
    sent: dict[str, Any] = {name: str(value) for name, value in shown.items() if not isinstance(value, tuple)}
    sent |= {"do": "send", "was": kept(shown), "stamp": stamp(page.here, action, shown), "back": page.back}
    if page.round is not None:
        sent["about"] = page.round.id
    return msgspec.json.encode(sent).decode()


def offered(page: Page, group: str, leave_out: Iterable[str] = ()) -> tuple[Button, ...]:
    """The buttons of a group as it makes sense now, but for those that the page has already."""
    out = frozenset(leave_out)
    found = (offer for offer in offers(page.here) if offer.action.group == group and offer.action.id not in out)
    return tuple(button(page, offer.action.id, why=offer.refusal) for offer in found)


def offer(page: Page, action_id: str) -> Offer | None:
    """An action as it makes sense now; None where it does not."""
    return next((each for each in offers(page.here) if each.action.id == action_id), None)


def some(page: Page, *ids: str, **filled: Value) -> tuple[Button, ...]:
    """The buttons of those of these actions that make sense now, in this order."""
    found = (offer(page, each) for each in ids)
    return tuple(button(page, each.action.id, filled, why=each.refusal) for each in found if each is not None)


def about_player(action: Action) -> bool:
    """Whether an action is about one player, whose page it stands on."""
    return any(field.name == "participant" for field in action.fields)


def of_player(page: Page, participant: str, leave_out: Iterable[str] = ()) -> tuple[Button, ...]:
    """The buttons of all that can be done with a player now; of money also why not."""
    out, filled = frozenset(leave_out), {"participant": participant}
    found: list[Button] = []
    for each in offers(page.here):
        if not about_player(each.action) or each.action.id in out:
            continue
        why = possible(page.here, each.action, filled)
        if why is None or (each.action.id == "deposit" and why.code in _OF_MONEY):
            found.append(button(page, each.action.id, filled, why=why))
    return tuple(found)
