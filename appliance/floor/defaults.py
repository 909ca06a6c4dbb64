"""What a form's fields are: those that are asked now, and what each of them is unless said otherwise."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from appliance.floor import lone, rightclock, ruling, takeover
from appliance.floor.building import hand_of, pairs, remaining
from appliance.floor.forms import Action, Field, Filled, Here, Value
from appliance.game import clock as clocks
from appliance.game import colourup
from appliance.game.breaking import next_to_break
from appliance.game.deal import at_stake
from appliance.game.entry import deposited, over_limit
from appliance.game.icm import chop
from appliance.game.results import prizes_won
from appliance.game.state import Round
from appliance.game.timekeeping import current


def fields(here: Here, action: Action, filled: Filled) -> tuple[Field, ...]:
    """The form as it is with these answers. At a table its own number need not be asked, unless it is to be broken."""
    if action.id == "ruling":
        return ruling.fields(here, filled)
    if action.id == "take_over":
        return takeover.fields(here)
    if action.id == "settle_lone":
        return lone.fields(here, action, filled)
    if action.id == "confirm_time":
        return rightclock.fields(here, action, filled)
    found = (field for field in action.fields if field.when is None or filled.get(field.when[0]) in field.when[1])
    known = action.id != "break_table" and here.round is not None and _table(here, here.round) is not None
    return tuple(replace(field, asked=False) if field.kind == "table" and known else field for field in found)


def complete(here: Here, action: Action, filled: Filled, before: str | None = None) -> dict[str, Value]:
    """The answers, and for what was not answered its default; what has none is left out.

    ``before`` a field: only those that come before it, which its own choices may hang on.
    """
    answers = dict(filled)
    for field in fields(here, action, filled):
        if field.name == before:
            break
        if field.name not in answers and (value := default(here, action, field, answers)) is not None:
            answers[field.name] = value
    return answers


def missing(here: Here, action: Action, filled: Filled) -> Field | None:
    """The first field that has to be there and is not."""
    return next(
        (field for field in fields(here, action, filled) if not field.optional and field.name not in filled), None
    )


def default(here: Here, action: Action, field: Field, filled: Filled) -> Value | None:
    """What a field is unless somebody says otherwise; None: nothing, or it has to be said."""
    round = here.round
    if field.default is not None or round is None:
        return field.default
    match action.id, field.name:
        case "break_table", "table":
            number = next_to_break(round) or _table(here, round)
            return None if number is None else str(number)
        case _, "table":
            number = _table(here, round)
            return None if number is None else str(number)
        case _, "hand":
            return hand_of(round, str(filled.get("participant")))
        case "set_remaining", "seconds":
            return _time_left(round, here.at_ms)
        case "deposit", "amount":
            return _top_up(round, str(filled.get("participant")), here.at_ms)
        case "pay", "amount":
            return _unpaid(round, str(filled.get("participant")))
        case "colour_up", "denomination" | "to":
            return _chip(round, field.name, filled, here.at_ms)
        case _:
            return _numbers(here, action, field, filled, round)


def players_of(here: Here, action: Action, field: Field, filled: Filled) -> list[str]:
    """Whom a field of several players may name, in the order of their seats: of one table, or all who are in."""
    round = here.round
    if round is None:
        return []
    number = filled.get("table") or (here.table if action.id == "busts" else None)
    table = round.tables.get(int(number)) if isinstance(number, int | str) and str(number).isdigit() else None
    if table is not None and (table.seats or action.id != "busts"):
        return [who for _, who in sorted(table.seats.items())]
    seated = ((round.players[who].seat or (0, 0), who) for who in remaining(round))
    return [who for _, who in sorted(seated)]


def _numbers(here: Here, action: Action, field: Field, filled: Filled, round: Round) -> Value | None:
    if field.kind != "players" or action.id == "busts":
        return None
    who = players_of(here, action, field, filled)
    if field.name == "amounts":
        return tuple(_agreed(round, pairs(filled.get("stacks"))).items())
    if field.unit == "chips":
        return tuple((one, round.players[one].chips) for one in who)
    return tuple((one, 0) for one in who)


def _agreed(round: Round, stacks: Mapping[str, int]) -> dict[str, int]:
    """A chip chop to begin with: it adds up."""
    everybody = remaining(round)
    if set(stacks) != set(everybody):
        return dict.fromkeys(everybody, 0)
    return chop(stacks, at_stake(round))


def _table(here: Here, round: Round) -> int | None:
    """The table this is about: where the menu is, or the only one."""
    playing = [table.number for table in round.tables.values() if table.seats]
    if here.table in playing:
        return here.table
    return playing[0] if len(playing) == 1 else None


def _time_left(round: Round, at_ms: int) -> int:
    """Seconds, as the clock shows them."""
    return -(-max(0, clocks.remaining_ms(current(round, at_ms), at_ms)) // 1000)


def _top_up(round: Round, participant: str, at_ms: int) -> int:
    """The announced deposit once more, or what the limit leaves of it."""
    player = round.players.get(participant)
    if player is None:
        return max(1, round.deposit)
    refusal = over_limit(round, deposited(round, player), round.deposit, at_ms)
    return max(1, refusal.detail["left"] if refusal else round.deposit)


def _unpaid(round: Round, participant: str) -> int:
    player = round.players.get(participant)
    return max(1, prizes_won(round).get(participant, 0) - (player.paid if player else 0))


def _chip(round: Round, name: str, filled: Filled, at_ms: int) -> str | None:
    """The chip that is due to leave, or the smallest still there; and the next one it can be changed to."""
    chips = colourup.usual_chips(round)
    if name == "to":
        small = str(filled.get("denomination"))
        larger = [chip for chip in chips if small.isdigit() and chip > int(small) and not chip % int(small)]
        return str(larger[0]) if larger else None
    number = filled.get("table")
    table = round.tables.get(int(number)) if isinstance(number, str) and number.isdigit() else None
    gone = table.coloured_up if table else 0
    due = [chip for chip, _, tables in colourup.due(round, at_ms) if table is None or table.number in tables]
    left = [chip for chip in chips[:-1] if chip > gone]
    return str((due or left)[0]) if due or left else None
