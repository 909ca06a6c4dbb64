"""What a command did, told from the round before and after it: for whoever is about to take it back."""

from __future__ import annotations

from collections.abc import Callable

from appliance.floor.candidates import seat_name
from appliance.floor.forms import Here
from appliance.floor.said import Amount, Said, Text
from appliance.game.state import Phase, Player, Round, Status
from appliance.i18n import N_

_PHASES = {
    Phase.OPEN: N_("the door was opened"),
    Phase.RUNNING: N_("the round was started"),
    Phase.FINISHED: N_("the round was ended"),
    Phase.CANCELLED: N_("the round was cancelled"),
    Phase.MOVED: N_("the round was moved to another date"),
}


def changed(here: Here, before: Round, after: Round) -> Text:
    """The first thing that is different, by what matters most to those who play."""
    for look in _LOOKS:
        if (found := look(here, before, after)) is not None:
            return found
    return Said(N_("the last entry"))


def _phase(_here: Here, before: Round, after: Round) -> Text | None:
    if before.phase is after.phase or after.phase not in _PHASES:
        return None
    gone = [who for who, player in after.players.items() if _went_out(before.players.get(who), player)]
    if after.phase is Phase.FINISHED and len(gone) == 1:
        return None  # the last bust ends the round: it is the bust that is told
    return Said(_PHASES[after.phase])


def _went_out(was: Player | None, player: Player) -> bool:
    return was is not None and was.status is Status.IN and player.status in (Status.OUT, Status.EXCLUDED, Status.VOID)


def _players(here: Here, before: Round, after: Round) -> Text | None:
    for who in before.players.keys() - after.players.keys():
        return Said(N_("{player} was taken off the list"), {"player": here.name(who)})
    for who, player in after.players.items():
        was = before.players.get(who)
        if was is player:
            continue
        if (told := _of_player(here.name(who), was, player)) is not None:
            return told
    return None


def _of_player(name: str, was: Player | None, player: Player) -> Text | None:
    told: dict[str, Text] = {"player": name}
    if was is None:
        return Said(N_("{player} was registered"), told)
    if was.status is not player.status and player.status is Status.VOID:
        return Said(N_("the participation of {player} was made void"), told)
    if _went_out(was, player):
        return Said(N_("{player} went out"), told)
    if was.status is Status.OUT and player.status is Status.IN:
        return Said(N_("{player} came back into the round"), told)
    return _of_money(told, was, player) or _of_seat(told, was, player)


def _of_money(told: dict[str, Text], was: Player, player: Player) -> Text | None:
    if len(player.deposits) > len(was.deposits):
        return Said(N_("{player} paid {amount} more"), {**told, "amount": Amount(player.deposits[-1].amount, "crowns")})
    if player.paid != was.paid:
        return Said(N_("{player} was paid {amount}"), {**told, "amount": Amount(player.paid - was.paid, "crowns")})
    if player.bonus_card != was.bonus_card:
        return Said(N_("{player} used the bonus card"), told)
    return None


def _of_seat(told: dict[str, Text], was: Player, player: Player) -> Text | None:
    if player.penalties != was.penalties:
        return Said(N_("{player} was given a penalty"), told)
    if player.absent is not was.absent:
        return Said(N_("{player} was marked as away") if player.absent else N_("{player} was back"), told)
    if player.locked is not was.locked:
        return Said(N_("the seat of {player} was fixed or released"), told)
    if player.seat is not None and was.seat is not None and player.seat != was.seat:
        return Said(N_("{player} moved: {seat}"), {**told, "seat": seat_name(*player.seat)})
    return None


def _several_moved(_here: Here, before: Round, after: Round) -> Text | None:
    """A table was broken, or the final table drawn: more than one player moved."""
    moved = [
        who
        for who, player in after.players.items()
        if (was := before.players.get(who)) is not None and player.seat and was.seat and player.seat != was.seat
    ]
    return Said(N_("new seats: {n} players"), {"n": Amount(len(moved))}) if len(moved) > 1 else None


def _chips(_here: Here, before: Round, after: Round) -> Text | None:
    if after.chip_up_given and not before.chip_up_given:
        return Said(N_("the bonus stack was given"))
    if after.deal is not None and before.deal is None:
        return Said(N_("a deal was made"))
    if len(after.rulings) > len(before.rulings):
        return Said(N_("a ruling was recorded"))
    return None


def _tables(_here: Here, before: Round, after: Round) -> Text | None:
    for number, table in after.tables.items():
        was = before.tables.get(number)
        if was is None or was is table:
            continue
        told: dict[str, Text] = {"table": str(number), "hand": Amount(table.hand)}
        if table.hand != was.hand:
            return Said(N_("hand {hand} began at table {table}"), told)
        if table.coloured_up != was.coloured_up:
            return Said(N_("chips were coloured up at table {table}"), told)
        if table.time_call != was.time_call:
            called = table.time_call is not None
            return Said(
                N_("time was called at table {table}") if called else N_("the time at table {table} ended"), told
            )
        if table.chips != was.chips or any(
            after.players[who].chips != before.players[who].chips
            for who in table.seats.values()
            if who in before.players
        ):
            return Said(N_("chips were counted at table {table}"), told)
    return None


def _play(_here: Here, before: Round, after: Round) -> Text | None:
    if (before.hand_for_hand is None) is not (after.hand_for_hand is None):
        on = after.hand_for_hand is not None
        return Said(N_("hand for hand began") if on else N_("hand for hand ended"))
    if before.locked_seats != after.locked_seats:
        return Said(N_("a seat was locked or released"))
    return Said(N_("the clock was set")) if before.clock != after.clock else None


_LOOKS: tuple[Callable[[Here, Round, Round], Text | None], ...] = (
    _phase, _several_moved, _players, _chips, _tables, _play,
)  # fmt: skip
