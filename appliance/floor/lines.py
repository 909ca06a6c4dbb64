"""What is to be seen of the menu: a title, lines and a hint, for any screen or page; `said.say` puts it in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Literal

from msgspec import Struct

from appliance.floor import phones, rounds
from appliance.floor.catalogue import GROUPS
from appliance.floor.forms import Action, Field, Here, Pairing
from appliance.floor.pages import BACK, NUMBERS, Item, by_seat, items, replace_kind
from appliance.floor.said import Said, Several, Small, Text, worded
from appliance.floor.state import Menu, action_of, entered, field_of
from appliance.floor.takeover import unheard
from appliance.floor.telling import answer, details, sentence
from appliance.i18n import N_

_PLACES: Mapping[str, Literal["accept", "edit"]] = MappingProxyType({"accept": "accept", "edit": "edit"})


class Line(Struct, frozen=True):
    """A line. ``item``: its number for the key ``item:<n>``; None: only to be read.

    ``detail``: what stands behind it in smaller letters. ``reason``: why it cannot be chosen now (``enabled`` False).
    ``tone``: the confirming line of something destructive is "danger"; "back" leads back; "text" was typed. ``digit``:
    the key that chooses it. ``seat``: where a player of this table sits. ``place``: what of a page for a number it is;
    "accept" takes the number, "edit" goes on changing it. ``small``: it stands below what is read out.
    """

    text: Text
    item: int | None = None
    detail: Text = ""
    enabled: bool = True
    reason: Text = ""
    selected: bool = False
    tone: Literal["plain", "danger", "back", "text"] = "plain"
    digit: str = ""
    seat: int | None = None
    place: Literal["", "accept", "edit"] = ""
    small: bool = False


class Shown(Struct, frozen=True):
    """A page. ``number``: the number or digits being entered as they stand, "" when none are; to be drawn large.

    ``digits``: digit keys make sense now; ``letters``: so do letters; ``editing``: up and down change ``number``.
    ``busy``: an answer is awaited. ``good``: it was, or was not, done. ``aloud``: the lines that are only read are what
    the page is for, read out to a table. ``warned``: the hint is about what went wrong. ``pairing``: the phone that is
    being signed in.
    """

    title: Text
    lines: tuple[Line, ...]
    question: Text = ""
    hint: Text = ""
    number: Text = ""
    digits: bool = False
    letters: bool = False
    editing: bool = False
    busy: bool = False
    good: bool | None = None
    aloud: bool = False
    warned: bool = False
    pairing: Pairing | None = None


def shown(menu: Menu, here: Here) -> Shown:
    """The page as it stands."""
    action, field = action_of(menu), field_of(menu, here)
    in_field = menu.page in ("field", "player") and field is not None
    number = menu.page == "player" or (menu.page == "field" and field is not None and field.kind in NUMBERS)
    wrong: Text = (menu.late if menu.page != "refused" else "") or menu.refusal or ""
    read = tuple(Line(text, small=isinstance(text, Small)) for text in _to_read(menu, here, action, field))
    return Shown(
        title=_title(menu, here, action),
        question=_question(menu, here, action, field),
        lines=(*read, *_lines(menu, here)),
        hint=wrong or _hint(menu, here, field),
        number=_number(menu, here, field, number) if in_field and field is not None else "",
        digits=in_field and field is not None and field.kind not in ("choice", "text"),
        letters=in_field and field is not None and field.kind == "text",
        editing=menu.editing,
        busy=menu.page == "waiting",
        good=True if menu.page == "done" else False if menu.page == "refused" else None,
        aloud=bool(read) and (menu.action == "ruling" or _names_unheard(menu, here)),
        warned=bool(wrong),
        pairing=here.pairing if menu.page == "pairing" else None,
    )


def _names_unheard(menu: Menu, here: Here) -> bool:
    """Whether it names devices that did not answer a takeover: nobody is to miss that."""
    return menu.page == "done" and menu.action == "take_over" and bool(here.unheard)


def _title(menu: Menu, here: Here, action: Action | None) -> Text:
    if action is not None:
        label: Text = Said(action.label)
        who = menu.answers.get("participant")
        return Several((label, here.name(who)), " · ") if isinstance(who, str) else label
    if menu.player is not None:
        return rounds.titled(here.name(menu.player), here)
    return rounds.titled(Said(GROUPS[menu.group]) if menu.group else Said(N_("Floor")), here)


def _question(menu: Menu, here: Here, action: Action | None, field: Field | None) -> Text:
    match menu.page:
        case "field" if field is not None:
            return worded(field.label)
        case "player" if field is not None and menu.who is not None:
            return Several((here.name(menu.who), worded(field.each)), ": ")
        case "confirm" if action is not None:
            return sentence(here, action, menu.answers)
        case "waiting" if action is not None and action.request == "take-over":
            return Said(N_("Taking over… The other tables are being asked."))
        case "waiting" if action is not None and action.request == "adopt-device":
            return Said(N_("Waiting for the device…"))
        case "waiting":
            return Said(N_("Waiting for the director…"))
        case "pairing":
            return phones.question(here)
        case "done":
            return Said(N_("Done."))
        case "refused":
            return Said(N_("Not done."))
        case _:
            return ""


def _to_read(menu: Menu, here: Here, action: Action | None, field: Field | None) -> tuple[Text, ...]:
    if menu.page == "field" and field is not None:
        return field.above
    if menu.page == "done":
        return menu.told + (unheard(here) if _names_unheard(menu, here) else ())
    if menu.page == "pairing":
        return phones.told(here)
    if menu.page == "refused" and menu.late:
        return (menu.late,)
    return details(here, action, menu.answers) if menu.page == "confirm" and action is not None else ()


def _lines(menu: Menu, here: Here) -> Iterator[Line]:
    """The lines to choose from; where others have made the list shorter than the cursor was far, the last is chosen."""
    found = items(menu, here)
    cursor = min(menu.cursor, len(found) - 1)
    for number, item in enumerate(found):
        yield _line(number, item, number == cursor and not menu.editing)


def _line(number: int, item: Item, selected: bool) -> Line:
    return Line(
        text=item.text,
        item=number,
        detail=item.detail,
        enabled=item.refusal is None,
        reason=item.refusal or "",
        selected=selected,
        tone=item.tone,
        digit=item.digit,
        seat=item.seat,
        place=_PLACES.get(item.key, ""),
    )


def _hint(menu: Menu, here: Here, field: Field | None) -> Text:
    if menu.page != "field" or field is None:
        return ""
    if menu.typed and items(menu, here) == (BACK,):
        return Said(N_("Nothing in this list begins like that. Delete the digits."))
    if field.kind in ("player", "players"):
        if here.table is not None:
            return Said(N_("Choose, type the seat or the number, or tap the player's card."))
        return Said(N_("Choose, type the number, or tap the player's card."))
    return Said(N_("Choose, or type a text.")) if field.kind == "text" else ""


def _number(menu: Menu, here: Here, field: Field, number: bool) -> Text:
    if not number:
        return _digits(menu, here, field) if menu.typed else ""
    return answer(here, replace_kind(field), entered(menu, field))


def _digits(menu: Menu, here: Here, field: Field) -> Text:
    """The digits as they are read: of a seat or of a registration number."""
    typed: dict[str, Text] = {"typed": menu.typed}
    if by_seat(menu, here, field):
        return Said(N_("seat {typed}, or number {typed}…"), typed)
    return Said(N_("number {typed}…"), typed) if field.kind in ("player", "players") else menu.typed
