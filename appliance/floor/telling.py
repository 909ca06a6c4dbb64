"""What a form says: each answer by itself, and the sentence that tells what will happen."""

from __future__ import annotations

from collections.abc import Mapping

from appliance.floor import devices, lone, money, phones, rightclock, rounds, ruling, takeover
from appliance.floor.building import command_of, read_seat
from appliance.floor.candidates import opens_a_table, seat_name
from appliance.floor.changes import changed
from appliance.floor.defaults import complete, fields
from appliance.floor.fields import OFFERED, REASONS
from appliance.floor.forms import Action, Field, Filled, Here, Value
from appliance.floor.said import Amount, Said, Several, Text, worded
from appliance.game import play_commands as pc
from appliance.game.announcement import MINUTE_MS
from appliance.game.balancing import proposal
from appliance.game.deal import do_deal, verify_deal
from appliance.game.play_events import PlayerMoved
from appliance.game.state import Round
from appliance.game.timekeeping import next_entry, previous_entry
from appliance.i18n import N_

NOTHING = "–"


def sentence(here: Here, action: Action, filled: Filled) -> Text:
    """What will happen if the form is sent, word for word."""
    if action.id == "take_over":
        return takeover.sentence(here, action)
    if action.id == "settle_lone":
        return lone.sentence(here, filled.get("entry"), filled.get("what"))
    answers = complete(here, action, filled)
    told: dict[str, Text] = {
        field.name: answer(here, field, answers.get(field.name)) for field in fields(here, action, answers)
    }
    values = {**_round_told(here, answers), **told, **_told(here, action, answers)}
    said: Text = Said(action.sentence, values)
    if action.id == "move" and opens_a_table(here, answers):
        said = Several((said, Said(N_("Nobody plays at table {table}. Really there?"), values)), " ")
    return rounds.told(said, here) if action.request is None else said


def details(here: Here, action: Action, filled: Filled) -> tuple[Text, ...]:
    """What is to be read beside the sentence: the procedure of a ruling, what is left of the limit on deposits."""
    if action.id == "ruling":
        return tuple(ruling.procedure(here, filled))
    if action.id == "take_over":
        return takeover.details(here)
    if action.group == "devices":
        return devices.details(action)
    if action.group == "phones":
        return ()
    return money.left(here, action, complete(here, action, filled))


def outcome(here: Here, action: Action, filled: Filled) -> tuple[Text, ...]:
    """What is still to be read when it is done: the procedure of a ruling, chips to hand out."""
    if action.id == "take_over":
        return takeover.outcome(here)
    if action.group == "devices":
        return devices.outcome(action)
    if action.group == "phones":
        return ()
    answers = complete(here, action, filled)
    return (*money.to_hand_out(here, action, answers), *details(here, action, filled))


def answer(here: Here, field: Field, value: Value | None) -> Text:
    """An answer as it is read; its own word for none, or a dash."""
    if value is None:
        return worded(field.none) if field.none else NOTHING
    if isinstance(value, tuple):
        return Several(tuple(Several((here.name(who), Amount(n, field.unit)), " ") for who, n in value))
    if isinstance(value, int):
        return _number(field, value)
    for choice, label in field.choices:
        if choice == value:
            return worded(label)
    if field.name in ("device", "becomes"):
        return devices.answer(here, field, value)
    if field.name in ("whose", "phone"):
        return phones.answer(here, field, value)
    if field.name == "entry":
        chosen = lone.entry(here, value)
        return chosen.what if chosen else NOTHING
    match field.kind:
        case "player":
            return here.name(value)
        case "seat":
            return _seat(value)
        case "text" if value.startswith(OFFERED):
            return _offered(value)
        case "choice" if value.isdigit():
            return Amount(int(value), "chips")
        case _:
            return value


def _number(field: Field, value: int) -> Text:
    match field.kind:
        case "chips" | "crowns" | "minutes" | "time":
            return Amount(value, field.kind)
        case _:
            return Amount(value)


def _seat(value: str) -> Text:
    try:
        return seat_name(*read_seat(value))
    except ValueError:
        return value


def _offered(value: str) -> Text:
    place = value.removeprefix(OFFERED)
    return Said(REASONS[int(place)]) if place.isdigit() and int(place) < len(REASONS) else value


def _round_told(here: Here, answers: Filled) -> Mapping[str, Text]:
    """What the announcement says, and what the player of the form has paid."""
    round = here.round
    if round is None:
        return {}
    player = round.players.get(str(answers.get("participant")))
    return {
        "price": Amount(round.deposit, "crowns"),
        "bonus": Amount(round.bonus_card or 0, "chips"),
        "chip_up": Amount(round.chip_up or 0, "chips"),
        "deposit": Amount(player.deposit if player else 0, "crowns"),
        "chips": Amount(money.chips(round, answers), "chips"),
        "players": Amount(len(round.players)),
    }


def _told(here: Here, action: Action, answers: Filled) -> Mapping[str, Text]:
    """What only this action has to say."""
    if action.id == "confirm_time":
        return rightclock.told(here, answers)
    ledger, round = here.ledger, here.round
    if ledger is None or round is None:
        return {}
    match action.id:
        case "move":
            return _moved(round, answers)
        case "next_level" | "previous_level":
            lead = next_entry if action.id == "next_level" else previous_entry
            return {"entry": _entry(round, lead(round, here.at_ms))}
        case "balance":
            return {"proposal": _proposed(here, round)}
        case "deal":
            return {"prizes": _dealt(here, round, action, answers)}
        case "ruling":
            return {"ruling": ruling.title(answers)}
        case "undo" if ledger.done is not None:
            return {"what": changed(here, ledger.done.before, round)}
        case "redo" if ledger.undone is not None:
            return {"what": changed(here, round, ledger.undone.after)}
        case "undo" | "redo":
            return {"what": NOTHING}
        case _:
            return {}


def _entry(round: Round, place: int | None) -> Text:
    """A level with its blinds, or a break, as an entry of the structure."""
    if place is None:
        return NOTHING
    entry = round.structure[place]
    if entry.is_break:
        return Said(N_("a break of {minutes}"), {"minutes": Amount(entry.length_ms // MINUTE_MS, "minutes")})
    blinds = Several((Amount(entry.sb, "chips"), Amount(entry.bb, "chips")), " / ")
    return Said(N_("level {n}: {blinds}"), {"n": Amount(entry.level), "blinds": blinds})


def _moved(round: Round, answers: Filled) -> Mapping[str, Text]:
    """From where to where, in words that a sentence can hold."""
    player = round.players.get(str(answers.get("participant")))
    source = player.seat if player else None
    try:
        target = read_seat(str(answers.get("seat")))
    except ValueError:
        return {}
    return {
        "from_table": str(source.table) if source else NOTHING,
        "from_seat": str(source.seat) if source else NOTHING,
        "table": str(target.table),
        "seat": str(target.seat),
    }


def _proposed(here: Here, round: Round) -> Text:
    found = proposal(round)
    if not isinstance(found, PlayerMoved):
        return NOTHING
    return Several((here.name(found.participant), seat_name(*found.target)))


def _dealt(here: Here, round: Round, action: Action, answers: Filled) -> Text:
    """What each gets, best first; a dash as long as it cannot be said."""
    try:
        command = command_of(here, action, answers)
    except (KeyError, ValueError):
        return NOTHING
    if not isinstance(command, pc.Deal) or verify_deal(round, command, here.at_ms) is not None:
        return NOTHING
    (event,) = do_deal(round, command, here.at_ms)
    amounts = sorted(getattr(event, "amounts", {}).items(), key=lambda each: -each[1])
    return Several(tuple(Several((here.name(who), Amount(amount, "crowns")), " ") for who, amount in amounts))
