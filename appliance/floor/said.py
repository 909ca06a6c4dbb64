"""Texts that are put into words where they are shown: a message id with its values, or a pair of both languages."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from appliance.game.refusal import Refusal
from appliance.game.rulings.words import Lang, Words
from appliance.i18n import Translator, duration


class Amount(Struct, frozen=True):
    """A number with its unit: chips and plain numbers, Czech crowns, minutes, seconds as a countdown shows them."""

    value: int
    unit: Literal["number", "chips", "crowns", "minutes", "time"] = "number"


class Said(Struct, frozen=True):
    """A message of the catalogues, marked with ``N_``, and what is put in for its ``{names}``."""

    message: str
    values: Mapping[str, Text] = {}


class Several(Struct, frozen=True):
    """Texts one after another, with ``between`` them."""

    parts: tuple[Text, ...]
    between: str = ", "


class Small(Struct, frozen=True):
    """What stands below a text that is read out: where it is written, and what is to be known of that."""

    text: Text


class Moment(Struct, frozen=True):
    """A time of day with its date, to the minute. ``runs``: it goes on by itself, so many ms ahead of this device's
    clock; None: it stands still.
    """

    at: datetime
    runs: int | None = None


Text: TypeAlias = "str | Words | Said | Several | Amount | Small | Moment | Refusal"
"""What can be said. A plain ``str`` is shown as it is: a name, or what somebody typed."""


def worded(label: str | Words) -> Text:
    """What a label says: a message id, or the same in both languages."""
    return Said(label) if isinstance(label, str) else label


def say(text: Text, c: Translator) -> str:
    """The text in the translator's language."""
    match text:
        case Words():
            lang: Lang = "cs" if c.lang == "cs" else "en"
            return text.say(lang)
        case Said():
            return c.gettext(text.message, **{name: say(value, c) for name, value in text.values.items()})
        case Several():
            return text.between.join(say(part, c) for part in text.parts)
        case Small():
            return say(text.text, c)
        case Amount():
            return _amount(text, c)
        case Moment(at=at):
            return f"{c.clock(at)}, {c.date(at)} {at.year}"
        case Refusal():
            return c.refusal(text.code, text.detail)
        case _:
            return text


def still(text: Text) -> Text:
    """What of a text is chosen with its page: all but how far a clock has gone on by itself meanwhile."""
    match text:
        case Moment(runs=int(ahead)):
            return Amount(ahead)
        case Said(values=values) if values:
            return replace(text, values={name: still(value) for name, value in values.items()})
        case Several(parts=parts):
            return replace(text, parts=tuple(map(still, parts)))
        case Small(text=inner):
            return Small(still(inner))
        case _:
            return text


def _amount(amount: Amount, c: Translator) -> str:
    match amount.unit:
        case "crowns":
            return c.crowns(amount.value)
        case "time":
            return duration(amount.value)
        case "minutes":
            return c.gettext("{n} min", n=c.number(amount.value))
        case _:
            return c.number(amount.value)
