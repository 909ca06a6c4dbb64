"""From what a phone sends to a form's answers, and back to what a form shows and its stamp is made of. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256

import msgspec

from appliance.floor.building import seen
from appliance.floor.candidates import seat_name
from appliance.floor.defaults import complete, fields, missing, players_of
from appliance.floor.fields import LONGEST_TEXT
from appliance.floor.forms import Action, Field, Filled, Here, Value
from appliance.floor.pages import NUMBERS
from appliance.floor.said import Several, Text, say, still, worded
from appliance.floor.telling import answer, details, sentence
from appliance.game.history import undone_steps
from appliance.i18n import Translator

_MOST_ASKED = 40
"""No form asks so much; a ruling asks one fact after another."""

_DIGITS = 13
_LONGEST_VALUE = 64
_GROUPED = re.compile(r"\d{1,3}(,\d{3})*|\d+")
_IN_ENGLISH = Translator("en")
_shown = msgspec.json.Decoder(dict[str, int | str | tuple[tuple[str, int], ...]])


def read(here: Here, action: Action, answers: Mapping[str, str]) -> dict[str, Value]:
    """The answers to the fields of the form, as far as they can be read; what a field was is no answer to another."""
    filled: dict[str, Value] = carried(action, answers)
    for _ in range(_MOST_ASKED):
        found = {
            field.name: value
            for field in fields(here, action, filled)
            if field.name not in filled and (value := _value(here, action, field, answers, filled)) is not None
        }
        if not found:
            break
        filled |= found
    return filled


def carried(action: Action, answers: Mapping[str, str]) -> dict[str, Value]:
    """What a form knows without a field for it: of which table those are who go out in one hand."""
    table = answers.get("table", "")
    known = action.id == "busts" and table.isascii() and table.isdigit() and len(table) < 3
    return {"table": table} if known else {}


def with_seen(here: Here, action: Action, filled: Filled) -> dict[str, Value]:
    """The answers with what somebody who sends them goes on from: the command an undo takes back, what was paid."""
    answers = dict(filled)
    before = seen(here, action.id, complete(here, action, answers))
    if before is not None:
        answers["seen"] = before
    if (of := _of(here, action)) is not None:
        answers["of"] = of
    return answers


def _of(here: Here, action: Action) -> str | None:
    ledger = here.ledger
    if ledger is None or action.id not in ("undo", "redo"):
        return None
    if action.id == "undo":
        return ledger.done.cause if ledger.done else None
    return next((step.cause for step in undone_steps(ledger)), None)


def _value(here: Here, action: Action, field: Field, answers: Mapping[str, str], filled: Filled) -> Value | None:
    if field.kind == "players":
        return _several(here, action, field, answers, filled)
    raw = answers.get(field.name, "").strip()
    if field.kind == "text":
        raw = answers.get(f"{field.name}.typed", "").strip() or raw
        return raw[:LONGEST_TEXT] or None
    if not raw or (field.kind not in NUMBERS and not raw.isascii()):  # no value of an option has other letters
        return None
    if field.kind in NUMBERS:
        number = read_time(raw) if field.kind == "time" else read_number(raw)
        return raw[:_LONGEST_VALUE] if number is None else number  # what is no number is refused, not left out
    if action.id == "register" and field.kind == "player":
        return _meant(here, raw[:_LONGEST_VALUE])
    return raw[:_LONGEST_VALUE]


def _meant(here: Here, number: str) -> str:
    """A registration number that was typed: of somebody expected here, its leading zeros need not be."""
    if number in here.names or not number.isascii() or not number.isdigit():
        return number
    bare = number.lstrip("0")
    return next((known for known in here.names if known.lstrip("0") == bare), number)


def _several(
    here: Here, action: Action, field: Field, answers: Mapping[str, str], filled: Filled
) -> tuple[tuple[str, int], ...] | None:
    """Those who have a number, in the order of their seats; None where the form was not sent yet."""
    prefix = f"{field.name}:"
    if not any(name.startswith(prefix) for name in answers):
        return None
    who = players_of(here, action, field, complete(here, action, filled, field.name))
    numbers = ((one, read_number(answers.get(prefix + one, ""))) for one in who)
    return tuple((one, number) for one, number in numbers if number is not None)


def read_number(text: str) -> int | None:
    """A whole number, as people write it."""
    digits = "".join(text.split())
    if not digits.isascii() or len(digits) > _DIGITS or not _GROUPED.fullmatch(digits):
        return None
    return int(digits.replace(",", ""))


def read_time(text: str) -> int | None:
    """Seconds: minutes and seconds with a colon between them, also hours before; minutes alone."""
    parts = text.split(":")
    if not 1 <= len(parts) <= 3 or not all(part.isascii() and part.isdigit() and len(part) <= 5 for part in parts):
        return None
    if len(parts) == 1:
        return int(parts[0]) * 60
    seconds = 0
    for part in parts:
        seconds = seconds * 60 + int(part)
    return seconds


def kept(filled: Filled) -> str:
    """Answers as a form keeps them, to be stamped once more."""
    return msgspec.json.encode(dict(filled)).decode()


def unkept(text: str) -> dict[str, Value] | None:
    """What `kept` has made; None for anything else."""
    try:
        return dict(_shown.decode(text.encode()))
    except (msgspec.MsgspecError, UnicodeEncodeError):
        return None


def stamp(here: Here, action: Action, filled: Filled) -> str:
    """Of all that a form says of the state: another one as soon as anything of it is another."""
    shown = "\0".join(say(still(text), _IN_ENGLISH) for text in _said(here, action, filled))
    round = here.round.id if here.round is not None else ""
    return sha256(f"{action.id}\0{round}\0{shown}".encode()).hexdigest()[:32]


def _said(here: Here, action: Action, filled: Filled) -> Iterator[Text]:
    answers = with_seen(here, action, filled)
    yield told(here, action, answers)
    yield from details(here, action, answers)
    for field in fields(here, action, answers):
        yield field.name
        yield worded(field.label)
        yield from field.above
        value = answers.get(field.name)
        yield chosen(here, field, value)
    yield str(answers.get("seen", ""))
    yield str(answers.get("of", ""))


def told(here: Here, action: Action, answers: Filled) -> Text:
    """What will happen; nothing as long as the form is not complete."""
    whole = complete(here, action, answers)
    return "" if missing(here, action, whole) is not None else sentence(here, action, answers)


def chosen(here: Here, field: Field, value: Value | None) -> Text:
    """An answer, of a player also where they sit."""
    said = answer(here, field, value)
    if field.kind != "player" or here.round is None or not isinstance(value, str):
        return said
    player = here.round.players.get(value)
    if player is None:
        return said
    where: tuple[Text, ...] = (seat_name(*player.seat),) if player.seat else ()
    return Several((said, value, player.status.value, *where), " · ")
