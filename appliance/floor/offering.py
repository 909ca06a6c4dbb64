"""What makes sense now, what can be chosen, and why a form cannot be sent: always by the engine's own word."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from appliance.floor import phones
from appliance.floor.building import command_of
from appliance.floor.candidates import candidates
from appliance.floor.catalogue import ACTIONS
from appliance.floor.defaults import complete, fields, missing, players_of
from appliance.floor.forms import Action, Field, Filled, Here, Offer, Option, Place, Value
from appliance.game.command import Command
from appliance.game.commands import decode_command, encode_command
from appliance.game.reading import CommandError
from appliance.game.refusal import Refusal
from appliance.game.round import verify

_NOT_NOW = frozenset(
    {
        "already-absent", "already-locked", "already-open", "already-running", "already-void", "bonus-card-not-allowed",
        "cancelled", "chip-up-automatic", "chip-up-not-allowed", "deal-not-allowed", "finished", "hand-for-hand-off",
        "hand-for-hand-on", "last-table", "no-such-table", "no-time-call", "not-absent", "not-announced",
        "not-at-table", "not-in-play", "not-locked", "not-on-blind", "not-on-break", "not-out", "not-registered",
        "not-running", "nothing-to-redo", "nothing-to-undo", "on-break", "reentry-not-allowed", "registration-closed",
        "sit-out-not-allowed", "time-already-called", "chip-up-used", "incomplete",
    }
)  # fmt: skip
"""Refusals that say that an action has no place here and now: it is left out. With others it is shown, and why not."""

_TOO_SOON = frozenset({"not-open"})
"""The same for tables; at the door they tell what comes next."""

_OPEN = frozenset(
    {"amounts-missing", "bad-denomination", "deal-sum", "ruling-incomplete", "sit-out-length", "too-many-cards"}
)
"""Refusals that a number or text still to be given may mend."""

_OF_ONE = frozenset({"deposit-limit", "incomplete", "prize-exceeded"})
"""Refusals that are about one player without naming them."""

_OF_ITSELF = frozenset({"call-ended", "take-over", "pair-phone", "cut-off-phone"})
"""What a device does with itself: a table takes back its own call, a kiosk becomes the director, or shows a key. Phones
have a page of their own for phones."""

_TYPED = "…"
"""Stands for a text that is still to be typed."""

_STRANGER = "000000000000"
"""Stands for the number of somebody whom the league has not announced here."""


def offers(here: Here) -> tuple[Offer, ...]:
    """The list as it makes sense now, in the catalogue's order; what is refused now with the reason.

    It asks the engine about every action, and a key asks for it several times: it is kept with what it follows from.
    """
    kept = vars(here)
    if "offers" not in kept:
        kept["offers"] = tuple(offer for action in ACTIONS if (offer := _offer(here, action)) is not None)
    found: tuple[Offer, ...] = kept["offers"]
    return found


def options(here: Here, action: Action, field: Field, filled: Filled) -> tuple[Option, ...]:
    """What can be chosen for a field: only what the rules allow, as far as it can be known before the rest is."""
    return tuple(_allowed(here, action, field, filled))


def check(here: Here, action: Action, filled: Filled) -> Refusal | None:
    """Why the form cannot be sent as it is: something is missing or out of bounds, or the rules are against it."""
    refusal, _ = checked(here, action, filled)
    return refusal


def checked(here: Here, action: Action, filled: Filled) -> tuple[Refusal | None, Command | None]:
    """Why not, and the command of the form with its defaults filled in; None for what is asked of the device."""
    if action.request is not None:
        offer = _offer(here, action)
        refusal = Refusal("stale") if offer is None else offer.refusal
        return refusal or _incomplete(here, action, complete(here, action, filled)), None
    if not here.director:
        return Refusal("no-answer"), None
    answers = complete(here, action, filled)
    refusal = _incomplete(here, action, answers)
    if refusal is not None or here.ledger is None or here.round is None:
        return refusal or Refusal("not-announced"), None
    try:
        built = command_of(here, action, answers)
        command = decode_command(encode_command(built)) if built is not None else None
    except (CommandError, KeyError, ValueError):
        return Refusal("incomplete"), None
    if command is None:
        return None, None
    return verify(here.ledger, command, here.at_ms), command


def _offer(here: Here, action: Action) -> Offer | None:
    if not fits(action, here.place):
        return None
    if action.request == "take-over":
        if here.director and not here.can_take_over:
            return None
        hindrance = here.hindrance if here.can_take_over else "cannot-take-over"
        return Offer(action, Refusal(hindrance) if hindrance else None)
    if action.request == "call-ended":
        return Offer(action) if here.call == "time" else None
    if action.request == "settle-lone":
        return Offer(action, None if here.director else Refusal("no-answer")) if here.lone else None
    if action.group == "devices":
        there = here.spares if action.request == "adopt-device" else here.adopted
        return Offer(action, None if here.director else Refusal("no-answer")) if there else None
    if action.id == phones.PAIR:
        return Offer(action, phones.why_not(here))
    if action.id == phones.CUT_OFF:
        return Offer(action, None if here.director else Refusal("no-answer")) if here.phones else None
    if action.request == "confirm-time":
        return Offer(action, None if here.director else Refusal("no-answer")) if here.times.doubted else None
    if action.request == "choose-round":
        return Offer(action) if here.rounds else None
    if action.request == "refused-seen":
        return Offer(action, None if here.director else Refusal("no-answer")) if here.refused else None
    if here.round is None:
        return None
    refusal = possible(here, action, {})
    if refusal is not None and (refusal.code in _NOT_NOW or (refusal.code in _TOO_SOON and action.group == "tables")):
        return None
    if action.id == "ruling":  # its advice needs nobody; only what is to be recorded does
        return Offer(action, refusal)
    return Offer(action, refusal if here.director else Refusal("no-answer"))


def fits(action: Action, place: Place) -> bool:
    """Whether an action belongs to this place; on a phone everything does but what a device does with itself."""
    if place == "phone":
        return action.request not in _OF_ITSELF
    return action.where in ("both", place)


def possible(here: Here, action: Action, filled: Filled) -> Refusal | None:
    """Why an action cannot be done whatever is answered to the open questions; None if it may be."""
    asked = complete(here, action, filled)
    field = missing(here, action, asked)
    if field is None or field.kind not in ("player", "seat", "choice", "table"):
        return _first_try(here, action, asked)
    if field.kind == "player" and _no_seat_left(here, action, asked):
        return Refusal("no-free-seat")
    first: Refusal | None = None
    for option in candidates(here, action, field, asked):
        refusal = _first_try(here, action, {**filled, field.name: option.value})
        if refusal is None or (field.kind == "player" and _whoever_it_is(refusal)):
            return refusal
        if first is None or (first.code in _NOT_NOW and refusal.code not in _NOT_NOW):
            first = refusal
    return first or _first_try(here, action, asked)


def _no_seat_left(here: Here, action: Action, asked: Filled) -> bool:
    """Whether a seat is asked for and there is none."""
    seats = (field for field in fields(here, action, asked) if field.kind == "seat" and not field.optional)
    field = next((field for field in seats if field.name not in asked), None)
    return field is not None and next(candidates(here, action, field, asked), None) is None


def _whoever_it_is(refusal: Refusal) -> bool:
    """Whether a refusal is not about this player: then the others need not be tried."""
    return "participant" not in refusal.detail and refusal.code not in _OF_ONE


def _allowed(here: Here, action: Action, field: Field, filled: Filled) -> Iterator[Option]:
    if field.kind == "text" or action.request is not None:
        yield from candidates(here, action, field, filled)
        return
    for option in candidates(here, action, field, filled):
        if _first_try(here, action, {**filled, field.name: option.value}) is None:
            yield option


def _first_try(here: Here, action: Action, filled: Filled) -> Refusal | None:
    """The engine's word on the form with the open questions answered anyhow: what that may mend is no reason."""
    answers = _anyhow(here, action, filled)
    if here.ledger is None or missing(here, action, answers) is not None:
        return Refusal("incomplete")
    try:
        command = command_of(here, action, answers)
    except (KeyError, ValueError):
        return Refusal("incomplete")
    refusal = verify(here.ledger, command, here.at_ms) if command is not None else None
    return None if refusal is None or refusal.code in _OPEN else refusal


def _anyhow(here: Here, action: Action, filled: Filled) -> dict[str, Value]:
    """The answers, and to the open questions some that might be given."""
    answers = complete(here, action, filled)
    while (field := missing(here, action, answers)) is not None:
        value = _any_value(here, action, field, answers)
        if value is None:
            break
        answers = complete(here, action, {**answers, field.name: value})
    return answers


def _any_value(here: Here, action: Action, field: Field, filled: Filled) -> Value | None:
    match field.kind:
        case "text":
            return _TYPED
        case "players":
            named = islice(players_of(here, action, field, filled), field.at_least)
            found = tuple((who, max(1, field.least)) for who in named)
            return found if len(found) == field.at_least else None
        case "player" | "seat" | "choice" | "table":
            option = next(candidates(here, action, field, filled), None)
            return option.value if option else _STRANGER if action.id == "register" else None
        case _:
            return min(max(1, field.least), field.most)


def _incomplete(here: Here, action: Action, answers: Filled) -> Refusal | None:
    """What is missing, or is no answer to its question."""
    if missing(here, action, answers) is not None:
        return Refusal("incomplete")
    for field in fields(here, action, answers):
        if field.name in answers and (refusal := verify_value(field, answers[field.name])):
            return refusal
    return None


def verify_value(field: Field, value: Value) -> Refusal | None:
    """Why this is no answer to the field's question."""
    numbers = [value] if isinstance(value, int) else [number for _, number in value] if isinstance(value, tuple) else []
    if any(not field.least <= number <= field.most for number in numbers):
        return Refusal("out-of-bounds", {"least": field.least, "most": field.most})
    several = field.kind == "players"
    wrong = several is not isinstance(value, tuple) or (several and len(numbers) < field.at_least)
    numeric = field.kind in ("number", "chips", "crowns", "minutes", "time")
    if wrong or numeric is not isinstance(value, int):
        return Refusal("incomplete")
    return Refusal("incomplete") if value == "" else None
