"""Seats and the waiting list of a cash table (C-1, C-7), absence and coming in (C-2 to C-5)."""

from __future__ import annotations

from msgspec.structs import replace

from appliance.game.cash.commands import (
    Absent,
    Call,
    Change,
    Decline,
    Enter,
    Join,
    Present,
    Sit,
    Unjoin,
)
from appliance.game.cash.dealing import due, is_behind_button, price
from appliance.game.cash.events import (
    AbsentMarked,
    Called,
    EntryChosen,
    Joined,
    ListLeft,
    PresentMarked,
    SatDown,
    SeatChanged,
)
from appliance.game.cash.state import CashTable, Entry, Player, Standing
from appliance.game.event import Event
from appliance.game.refusal import Refusal


def verify_join(table: CashTable, command: Join) -> Refusal | None:
    """Why one cannot wait: they do already, or sit."""
    who = command.participant
    if table.sitting(who) is not None:
        return Refusal("already-seated", {"participant": who})
    if any(waiter.participant == who for waiter in table.waiting):
        return Refusal("already-waiting", {"participant": who})
    return Refusal("list-full", {"most": _LONGEST_LIST}) if len(table.waiting) >= _LONGEST_LIST else None


def do_join(table: CashTable, command: Join) -> tuple[Event, ...]:
    """At the end of the list."""
    return (Joined(participant=command.participant),)


def verify_call(table: CashTable, command: Call) -> Refusal | None:
    """Why nobody is called: nobody waits uncalled, or every free seat is held for one who was."""
    called = sum(waiter.called is not None for waiter in table.waiting)
    if called == len(table.waiting):
        return Refusal("nobody-waits")
    if called >= _free(table):
        return Refusal("table-full", {"free": _free(table), "called": called})
    return None


def do_call(table: CashTable, command: Call) -> tuple[Event, ...]:
    """The first who was not called yet."""
    return (Called(participant=next(w.participant for w in table.waiting if w.called is None)),)


def verify_decline(table: CashTable, command: Decline) -> Refusal | None:
    """Why there is nothing to decline."""
    for waiter in table.waiting:
        if waiter.participant == command.participant:
            return Refusal("not-called", {"participant": command.participant}) if waiter.called is None else None
    return Refusal("not-waiting", {"participant": command.participant})


def do_decline(table: CashTable, command: Decline) -> tuple[Event, ...]:
    """Off the list; who wants to wait on joins at its end (**decided**)."""
    return (ListLeft(participant=command.participant, why="declined"),)


def verify_unjoin(table: CashTable, command: Unjoin) -> Refusal | None:
    """Why one cannot leave the list: they are not on it."""
    if any(waiter.participant == command.participant for waiter in table.waiting):
        return None
    return Refusal("not-waiting", {"participant": command.participant})


def do_unjoin(table: CashTable, command: Unjoin) -> tuple[Event, ...]:
    """Off the list."""
    return (ListLeft(participant=command.participant, why="left"),)


def verify_sit(table: CashTable, command: Sit) -> Refusal | None:
    """Why this seat cannot be taken with this buy-in: taken, no such one, too little or too much, others come first.

    Who is on the list, or not, may sit as long as a free seat is left for each who stands before them (C-7).
    """
    who, settings = command.participant, table.settings
    if table.sitting(who) is not None:
        return Refusal("already-seated", {"participant": who})
    if refusal := _verify_seat(table, command.seat):
        return refusal
    ahead = _ahead(table, who)
    if len(ahead) >= _free(table):
        return Refusal("waiting-list", {"participant": who, "first": ahead[0], "ahead": len(ahead)})
    if command.chips < settings.buy_in_minimum:
        return Refusal("buy-in-minimum", {"minimum": settings.buy_in_minimum})
    if command.chips > settings.buy_in_maximum:
        return Refusal("buy-in-maximum", {"maximum": settings.buy_in_maximum, "left": settings.buy_in_maximum})
    return _verify_entry(table, _newcomer(table, command), command.entry)


def do_sit(table: CashTable, command: Sit) -> tuple[Event, ...]:
    """A newcomer, or one who comes back to a seat given up (`_standing`)."""
    player = _newcomer(table, command)
    return (
        SatDown(
            participant=command.participant,
            seat=command.seat,
            chips=command.chips,
            standing=player.standing,
            entry="big-blind" if player.standing is Standing.IN else command.entry,
        ),
    )


def verify_change(table: CashTable, command: Change) -> Refusal | None:
    """Why one cannot change seats: not there, in the hand, the seat taken or no seat."""
    player = table.sitting(command.participant)
    if player is None:
        return Refusal("not-seated", {"participant": command.participant})
    if table.holds_cards(player):
        return Refusal("holding-cards", {"participant": command.participant})
    if player.seat == command.seat:
        return Refusal("already-there", {"participant": command.participant})
    return _verify_seat(table, command.seat)


def do_change(table: CashTable, command: Change) -> tuple[Event, ...]:
    """On another seat one is a newcomer, or owes what was missed already (**decided**: turns belong to seats)."""
    player = table.players[command.participant]
    standing = _elsewhere(table, player.standing)
    return (SeatChanged(participant=command.participant, seat=command.seat, standing=standing),)


def verify_absent(table: CashTable, command: Absent) -> Refusal | None:
    """Why one cannot be marked as away."""
    player = table.sitting(command.participant)
    if player is None:
        return Refusal("not-seated", {"participant": command.participant})
    return Refusal("already-absent", {"participant": command.participant}) if player.absent else None


def do_absent(table: CashTable, command: Absent) -> tuple[Event, ...]:
    """Away; dealt in until the big blind would be theirs (C-4)."""
    return (AbsentMarked(participant=command.participant),)


def verify_present(table: CashTable, command: Present) -> Refusal | None:
    """Why one cannot be back."""
    player = table.sitting(command.participant)
    if player is None:
        return Refusal("not-seated", {"participant": command.participant})
    return None if player.absent else Refusal("not-absent", {"participant": command.participant})


def do_present(table: CashTable, command: Present) -> tuple[Event, ...]:
    """Back; what was missed is owed (C-3, C-4)."""
    return (PresentMarked(participant=command.participant),)


def verify_enter(table: CashTable, command: Enter) -> Refusal | None:
    """Why one cannot come in so."""
    player = table.sitting(command.participant)
    if player is None:
        return Refusal("not-seated", {"participant": command.participant})
    if player.standing in (Standing.IN, Standing.OWES_SMALL):
        return Refusal("already-in", {"participant": command.participant, "standing": player.standing.value})
    return _verify_entry(table, player, command.entry)


def do_enter(table: CashTable, command: Enter) -> tuple[Event, ...]:
    """The way in with the next hand in which it is open."""
    return (EntryChosen(participant=command.participant, entry=command.entry),)


_LONGEST_LIST = 100


def _free(table: CashTable) -> int:
    return table.settings.seats - len(table.seated())


def _ahead(table: CashTable, participant: str) -> list[str]:
    """Who stands before this one on the list; all of it for one who is not on it."""
    names = [waiter.participant for waiter in table.waiting]
    return names[: names.index(participant)] if participant in names else names


def _verify_seat(table: CashTable, seat: int) -> Refusal | None:
    if seat > table.settings.seats:
        return Refusal("no-such-seat", {"seat": seat, "seats": table.settings.seats})
    taken = table.seated().get(seat)
    return Refusal("seat-taken", {"seat": seat, "participant": taken.participant}) if taken else None


def _verify_entry(table: CashTable, player: Player, entry: Entry) -> Refusal | None:
    """Why this way in is closed: the button is not to be bought from there, was bought, or costs too much."""
    if entry == "big-blind" or player.standing in (Standing.IN, Standing.OWES_SMALL):
        return None
    if entry == "button":
        if not table.rules.button_buying:
            return Refusal("button-not-sold", {"profile": table.profile})
        found = due(_with(table, player))
        if player.seat is None or not is_behind_button(found, player.seat):
            return Refusal("button-out-of-reach", {"seat": player.seat})
        for seat, other in table.seated().items():
            if other.entry == "button" and seat != player.seat and is_behind_button(found, seat):
                return Refusal("button-bought", {"participant": other.participant})
    cost = price(table, player, entry)
    return Refusal("not-enough-chips", {"needed": cost, "stack": player.stack}) if player.stack < cost else None


def _with(table: CashTable, player: Player) -> CashTable:
    return replace(table, players={**table.players, player.participant: player})


def _newcomer(table: CashTable, command: Sit) -> Player:
    standing = _standing(table, command)
    return Player(command.participant, command.seat, command.chips, standing, command.entry)


def _standing(table: CashTable, command: Sit) -> Standing:
    """What one who sits down owes (C-2, C-3).

    Who comes back to the seat given up owes what passed it meanwhile: the big blind makes a newcomer of them, the
    small blind alone is paid dead, and if none passed they go on. **Decided:** on another seat they are a newcomer;
    a *missed blind* marker stays with who left with it.
    """
    before = table.players.get(command.participant)
    if before is None:
        return _elsewhere(table, Standing.NEW)
    if before.last_seat == command.seat:
        return before.standing if table.rules.newcomers_post else Standing.IN
    return _elsewhere(table, before.standing)


def _elsewhere(table: CashTable, standing: Standing) -> Standing:
    """What one with this standing owes on a seat that is new to them; nothing where newcomers do not post."""
    if not table.rules.newcomers_post:
        return Standing.IN
    return Standing.MISSED if standing is Standing.MISSED else Standing.NEW
