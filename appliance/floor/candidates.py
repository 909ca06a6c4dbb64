"""What could be chosen for a field, whether the rules allow it now or not."""

from __future__ import annotations

from collections.abc import Iterator

from appliance.floor import devices, lone, phones
from appliance.floor.forms import Action, Field, Filled, Here, Label, Option
from appliance.floor.said import Amount, Said, Several, Text, worded
from appliance.game import colourup
from appliance.game.results import prizes_won
from appliance.game.seating import verify_seat
from appliance.game.state import Player, Round, Status
from appliance.game.values import Seat, registration_order
from appliance.i18n import N_

_STATUS = {
    Status.REGISTERED: N_("registered"),
    Status.OUT: N_("out"),
    Status.EXCLUDED: N_("excluded"),
    Status.VOID: N_("void"),
}


def candidates(here: Here, action: Action, field: Field, filled: Filled) -> Iterator[Option]:
    """Values with what they are called, the likeliest first."""
    round = here.round
    if field.choices:
        yield from (Option(value, worded(label)) for value, label in _choices(field, action, round))
    elif action.group == "devices":
        yield from devices.options(here, action, field)
    elif action.group == "phones":
        yield from phones.options(here, field)
    elif action.id == "settle_lone":
        yield from lone.entries(here)
    elif action.id == "choose_round":
        yield from here.rounds
    elif round is None:
        return
    elif field.kind == "player":
        yield from _players(here, round, action, field, filled)
    elif field.kind == "table":
        tables = sorted((table for table in round.tables.values() if table.seats), key=lambda table: table.number)
        yield from (
            Option(str(table.number), table_name(table.number), _players_at(len(table.seats))) for table in tables
        )
    elif field.kind == "seat":
        yield from _seats(here, round, action)
    elif field.kind == "choice":
        yield from _chips(round, field, filled)


def table_name(number: int) -> Text:
    """What a table is called."""
    return Said(N_("Table {table}"), {"table": str(number)})


def seat_name(table: int, seat: int) -> Text:
    """What a seat is called."""
    return Said(N_("Table {table}, seat {seat}"), {"table": str(table), "seat": str(seat)})


def player_option(here: Here, round: Round, participant: str) -> Option:
    """A player with what tells them from others: the number where a name is shown, seat and chips."""
    player, name = round.players.get(participant), here.name(participant)
    parts: list[Text] = [participant] if name != participant else []
    if player is not None:
        parts += _where(here, player)
    return Option(participant, name, Several(tuple(parts), " · "), seat_here(here, participant))


def seat_here(here: Here, participant: str) -> int | None:
    """Where a player sits at this table; None for everybody else."""
    player = here.round.players.get(participant) if here.round is not None else None
    return player.seat.seat if player and player.seat and player.seat.table == here.table else None


def _where(here: Here, player: Player) -> Iterator[Text]:
    if player.seat is not None:
        if player.seat.table != here.table:
            yield seat_name(*player.seat)
        yield Amount(player.chips, "chips")
    elif player.status in _STATUS:
        yield Said(_STATUS[player.status])


def _choices(field: Field, action: Action, round: Round | None) -> tuple[tuple[str, Label], ...]:
    """Fixed choices; of deals those that the house knows."""
    if action.id == "deal" and field.name == "kind" and round is not None:
        return tuple(choice for choice in field.choices if choice[0] in round.rules.deals)
    return field.choices


def _players(here: Here, round: Round, action: Action, field: Field, filled: Filled) -> Iterator[Option]:
    if action.id == "register":
        expected = sorted((who for who in here.names if who not in round.players), key=registration_order)
        yield from (player_option(here, round, who) for who in expected if who.isdigit())
        return
    about = filled.get("participant") if field.name == "by" else None
    at = round.players[about].seat if isinstance(about, str) and about in round.players else None
    first = at.table if at else here.table
    won = prizes_won(round) if action.id == "pay" else round.players
    there = (player for player in round.players.values() if player.participant in won)
    order = sorted(there, key=lambda player: _likely(player, first))
    yield from (player_option(here, round, player.participant) for player in order)


def _likely(player: Player, first: int | None) -> tuple[bool, tuple[int, int], tuple[int, int, str]]:
    """Those of this table first, then by tables and seats, then those who sit nowhere."""
    seat = player.seat or (10_000, 0)
    return seat[0] != first, (seat[0], seat[1]), registration_order(player.participant)


def _players_at(count: int) -> Text:
    return Said(N_("players: {n}"), {"n": Amount(count)})


def _seats(here: Here, round: Round, action: Action) -> Iterator[Option]:
    """Free seats of tables in play, this one's first, and of one more that could be opened; locked ones to release."""
    if action.id == "unlock_seat":
        yield from (Option(f"{table}.{seat}", seat_name(table, seat)) for table, seat in sorted(round.locked_seats))
        return
    playing = [number for number in round.table_numbers if (table := round.tables.get(number)) and table.seats]
    idle = [number for number in round.table_numbers if number not in playing]
    tables = sorted(playing, key=lambda number: (number != here.table, number)) + (idle[:1] if playing else idle)
    for number in tables:
        note: Text = Said(N_("nobody plays there")) if playing and number in idle else ""
        for seat in range(1, round.seats_per_table + 1):
            if verify_seat(round, Seat(number, seat)) is None:
                yield Option(f"{number}.{seat}", seat_name(number, seat), note)


def opens_a_table(here: Here, filled: Filled) -> bool:
    """Whether a player of the form is sent to a table nobody plays at."""
    seat, who = filled.get("seat"), filled.get("participant")
    if here.round is None or not isinstance(seat, str) or who not in here.round.players:
        return False
    table = here.round.tables.get(int(number)) if (number := seat.partition(".")[0]).isdigit() else None
    return any(each.seats for each in here.round.tables.values()) and (table is None or not table.seats)


def _chips(round: Round, field: Field, filled: Filled) -> Iterator[Option]:
    """Denominations: those that can leave, and the larger ones that take their place."""
    chips = colourup.usual_chips(round)
    small = str(filled.get("denomination", ""))
    for chip in chips:
        if field.name == "to" and not (small.isdigit() and chip > int(small) and chip % int(small) == 0):
            continue
        yield Option(str(chip), Amount(chip, "chips"))
