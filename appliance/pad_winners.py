"""Asking pot by pot who wins, where nobody keyed in the cards (H-11, H-14). Pure; see `appliance.pad`."""

from __future__ import annotations

from msgspec.structs import replace

from appliance.game.tablestream.commands import Award
from appliance.pad_state import Here, Pad, Pressed, refuse, touched

Winners = tuple[tuple[int, ...], ...]


def ask_winners(here: Here) -> Pressed:
    """Begin to ask; pots that only one can win ask nobody."""
    return _go_on((), here)


def asked(pad: Pad, here: Here) -> tuple[int, ...]:
    """Who may win the pot that is asked for, by position; nobody where nothing is to be asked."""
    pots = here.pots() if here.contested else []
    return pots[-len(pad.winners)].eligible if 0 < len(pad.winners) <= len(pots) else ()


def winners(pad: Pad, key: str, here: Here) -> Pressed:
    """A key while winners are asked for: seats are typed or touched, several split; ``done`` goes to the next pot."""
    eligible = asked(pad, here)
    if not eligible:
        return Pressed(Pad())
    chosen = pad.winners[-1]
    if key == "back":
        return Pressed(replace(pad, winners=(*pad.winners[:-1], ())) if chosen else Pad())
    if key in ("done", "next", "win"):
        return _go_on(pad.winners, here) if chosen else refuse(pad, "winner-first")
    seat = touched(key) or ((int(key) or 10) if len(key) == 1 and key.isdecimal() else None)
    if seat is None:
        return refuse(pad, "winners-open")
    position = here.position(seat)
    if position is None:
        return refuse(pad, "not-dealt-in", seat=seat)
    if position not in eligible:
        return refuse(pad, "not-in-pot", seat=seat)
    others = tuple(each for each in chosen if each != position)
    return Pressed(replace(pad, winners=(*pad.winners[:-1], others if position in chosen else (*chosen, position))))


def _go_on(told: Winners, here: Here) -> Pressed:
    """Ask for the next pot that several may win, from the last side pot to the main one, as they are pushed."""
    pots = here.pots()[::-1]
    while len(told) < len(pots) and len(pots[len(told)].eligible) == 1:
        told = (*told, pots[len(told)].eligible)
    if len(told) < len(pots):
        return Pressed(Pad(mode="winners", winners=(*told, ())))
    return Pressed(Pad(), Award(round=here.round, hand=here.number, winners=told[::-1]))
