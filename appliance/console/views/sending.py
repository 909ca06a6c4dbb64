"""A form that a phone sends: decided as the engine finds it, once, and only as long as it is about what was shown."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Literal, NamedTuple

import msgspec

from appliance.adopt import Adopt
from appliance.console.asked import Answered, Asked, Asks
from appliance.console.views.looking import refused_hands
from appliance.console.views.page import Page
from appliance.console.views.reading import stamp, told, unkept, with_seen
from appliance.floor import devices, rightclock
from appliance.floor.forms import Action, Filled, Here
from appliance.floor.offering import checked
from appliance.floor.said import Text
from appliance.floor.telling import outcome, sentence
from appliance.game.colourup import do_colour_up
from appliance.game.command import Command
from appliance.game.history import steps
from appliance.game.play_commands import ColourUp
from appliance.game.play_events import ColouredUp
from appliance.game.refusal import Refusal
from appliance.kinds import (
    DeviceDropped,
    Note,
    StrandedAccepted,
    StrandedDropped,
    TimeConfirmed,
    adopted,
    given_anew,
)
from appliance.link.envelope import Refusal as Told
from appliance.record import uuid7

MOVED_ON = "moved-on"
"""Refused because the round was no longer as it was when the form was read."""

TRIES = 5
"""So often a form is sent anew where something else of the round has changed, and nothing that it said."""


class Result(NamedTuple):
    """What became of a form: done, refused, or not sent because it says something else by now.

    ``page``: as it is known now. ``said``: what was done; ``told``: what is still to be read; ``race``: how the chip
    race went, whose cards are to be laid out.
    """

    page: Page
    what: Literal["done", "refused", "moved"]
    refusal: Refusal | None = None
    copied: bool = True
    said: Text = ""
    told: tuple[Text, ...] = ()
    race: ColouredUp | None = None


def id_or_new(id: str, asked: Asked) -> str:
    """The id that the phone made; one made here for a phone that made none."""
    return id or uuid7(asked.now_ms, os.urandom(10))


async def send(way: Asks, page: Page, action: Action, answers: Mapping[str, str], filled: Filled, id: str) -> Result:
    """Have it done. What was asked under this id before and is done is not asked again."""
    was = unkept(answers.get("was", ""))
    if _is_done(page, id):
        return Result(page, "done", said=told(page.here, action, was or filled))
    about = answers.get("about", "")
    for _ in range(TRIES):
        here = page.here
        other_round = bool(about) and page.round is not None and about != page.round.id
        if other_round or was is None or _stamp(here, action, was) != answers.get("stamp"):
            return Result(page, "moved")
        if action.request is not None:
            return await _ask(way, page, action, filled, id)
        whole = with_seen(here, action, filled)
        refusal, command = checked(here, action, whole)
        if refusal is not None or command is None:
            return Result(page, "refused", refusal or Refusal("incomplete"))
        said, aloud = sentence(here, action, whole), outcome(here, action, whole)
        revision = page.asked.sight.heads.get(f"round/{command.round}")
        answered = await way.command(page.asked.phone, id, command, revision)
        if answered.ok:
            return Result(page, "done", copied=answered.copied, said=said, told=aloud, race=_race(here, command))
        if answered.refusal is None or answered.refusal.code != MOVED_ON:
            return Result(page, "refused", read(answered.refusal))
        page = Page(await way.newer(page.asked), page.back)
    return Result(page, "moved")


def read(answer: Told | None) -> Refusal:
    """Why not, as it came from the engine."""
    if answer is None:
        return Refusal("no-answer")
    try:
        detail = json.loads(bytes(answer.detail))
    except ValueError:
        detail = {}
    return Refusal(answer.code, detail if isinstance(detail, dict) else {})


def _stamp(here: Here, action: Action, was: Filled) -> str | None:
    """The stamp of the form as it was shown, made anew; None for answers that no form had."""
    try:
        return stamp(here, action, was)
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


def _is_done(page: Page, id: str) -> bool:
    """Whether the command with this id was carried out: only its answer was lost."""
    ledger = page.here.ledger
    if id in page.asked.sight.given:
        return True
    return ledger is not None and any(step.cause == id for step in steps(ledger))


def _race(here: Here, command: Command) -> ColouredUp | None:
    """How the chips were raced for: it follows from the round as it was, to which the command was decided."""
    if not isinstance(command, ColourUp) or here.round is None:
        return None
    (event,) = do_colour_up(here.round, command, here.at_ms)
    return event if isinstance(event, ColouredUp) else None


async def _ask(way: Asks, page: Page, action: Action, filled: Filled, id: str) -> Result:
    """What is asked of the venue or of the director, not of the round."""
    refusal, _ = checked(page.here, action, filled)
    if refusal is not None:
        return Result(page, "refused", refusal)
    said, aloud = sentence(page.here, action, filled), outcome(page.here, action, filled)
    answered = Answered(True)
    for number, note in enumerate(_notes(page, action, filled)):
        answered = await way.note(page.asked.phone, id if not number else uuid7(page.here.at_ms, os.urandom(10)), note)
        if not answered.ok:
            return Result(page, "refused", read(answered.refusal))
    return Result(page, "done", copied=answered.copied, said=said, told=aloud)


def _notes(page: Page, action: Action, filled: Filled) -> list[Note | bytes]:
    """As a kiosk asks for the same."""
    phone, here, sight = page.asked.phone, page.here, page.asked.sight
    match action.request:
        case "confirm-time":
            right = rightclock.right_ms(here, filled)
            return [TimeConfirmed(device=phone.device, by=phone.who, shown=here.at_ms, right=right)]
        case "settle-lone":
            entry = str(filled.get("entry"))
            if filled.get("what") == "accept":
                return [StrandedAccepted(device=phone.device, command=entry, anew=given_anew(entry), by=phone.who)]
            return [StrandedDropped(device=phone.device, command=entry, by=phone.who)]
        case "refused-seen":
            return [
                msgspec.structs.replace(note, device=phone.device, open=False, by=phone.who)
                for note in refused_hands(sight)
            ]
        case "adopt-device":
            asks = devices.let_in(filled)
            name = next((spare.name for spare in sight.spares if spare.key == asks.key), "")
            role, table = asks.role, asks.table
            want = Adopt(device=name, key=asks.key, code=asks.code, role=role, table=table, by=phone.who)  # type: ignore[arg-type]
            return [msgspec.json.encode(want)]
        case "drop-device":
            name = str(filled.get("device"))
            key = next((note.key for note in adopted(sight.notes) if note.device == name), "")
            return [DeviceDropped(device=name, key=key, by=phone.who)]
        case _:
            return []
