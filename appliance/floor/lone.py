"""What only an old director had, as somebody has to decide of it: each command in words, by whom, when and where."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
from msgspec import Struct

from appliance.floor.forms import Here, Lone, Option
from appliance.floor.said import Amount, Said, Several, Text
from appliance.game.commands import decode_command
from appliance.game.reading import CommandError
from appliance.i18n import N_


class _Told(Struct, frozen=True):
    """What a command says of itself: which one it is, and whom and what it is about."""

    do: str
    participant: str | None = None
    table: int | None = None
    seat: int | None = None
    amount: int | None = None


def words(body: bytes, first: str, label: Callable[[str], str | None], name: Callable[[str], str]) -> Text:
    """A command in words: what the menu calls it, and whom and what it was about. ``first``: the type of its first
    record, where the command is not known.
    """
    try:
        decode_command(body)
        told = msgspec.json.decode(body, type=_Told)
    except (CommandError, msgspec.MsgspecError):
        return first.partition("/")[0]
    called = label(told.do)
    parts: list[Text] = [Said(called) if called else told.do]
    if told.participant is not None:
        parts.append(name(told.participant))
    if told.table is not None:
        parts.append(Said(N_("Table {table}"), {"table": str(told.table)}))
    if told.seat is not None:
        parts.append(Said(N_("Seat {seat}"), {"seat": str(told.seat)}))
    if told.amount is not None:
        parts.append(Amount(told.amount, "crowns"))
    return Several(tuple(parts), " · ")


def entries(here: Here) -> Iterator[Option]:
    """The entries to choose from."""
    return (Option(each.command, each.what, each.given) for each in here.lone)


def entry(here: Here, command: object) -> Lone | None:
    """The entry that was chosen, as long as nobody else has decided of it."""
    return next((each for each in here.lone if each.command == command), None)


def sentence(here: Here, command: object, what: object) -> Text:
    """What will happen."""
    chosen = entry(here, command)
    if chosen is None:
        return Said(N_("Somebody else has decided of this entry."))
    told: dict[str, Text] = {"what": chosen.what}
    if what == "accept":
        return Said(N_("{what}: given anew, in your name, if the rules still allow it."), told)
    return Said(N_("{what}: void. Nobody is asked about it again."), told)
