"""Who is dealt in next at a cash table, where the button is, and who puts in what (C-1 to C-6).

Positions move as in a tournament (S-7, `button`): the big blind to the first player after its last seat who is there
to pay it. Who waits is not there: neither button nor blinds count them, until the big blind reaches their seat.

**Decided** where the house rules are silent:

- Who comes in on the big blind owes nothing more, whatever was missed before.
- Nobody comes in between button and small blind but by buying the button: a post waits until the button has passed.
- While the button is bought the blinds stand still: nobody misses one, and who waits for the big blind waits on.
- Where fewer than two could be dealt in, the game begins anew among all who are there: the button is drawn, newcomers
  owe nothing. A missed blind, small or big, is owed still; on the big blind nothing more is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from appliance.game.button import Positions, between, clockwise, first_hand, next_hand
from appliance.game.cash.state import CashTable, Entry, Player, Post, Standing
from appliance.game.draw import Draw, deal_one_each, highest

_UNMARKED = (Standing.IN, Standing.OWES_SMALL)


class Deal(NamedTuple):
    """A hand to be dealt: positions, seats from the small blind on (the button last), posts by seat in that order.

    ``standings``: of those who miss a blind by it. ``draw``: the number of the draw for the button, if it is placed
    anew, and ``cards`` that were drawn.
    """

    positions: Positions
    order: tuple[int, ...]
    posts: tuple[Post, ...]
    standings: Mapping[str, Standing] = {}
    cards: Mapping[int, str] = {}
    draw: int | None = None


class Due(NamedTuple):
    """Who is in without paying to come in, and their positions; the one on the big blind may be coming in there."""

    seats: frozenset[int]
    positions: Positions


def able(player: Player) -> bool:
    """Whether the player is at the table and has chips: could take a blind."""
    return player.stack > 0 and not player.absent


def owes_missed(player: Player) -> bool:
    """Whether a blind was missed, which no game that begins anew forgives (C-3, C-4)."""
    return player.standing in (Standing.OWES_SMALL, Standing.MISSED)


def due(table: CashTable) -> Due | None:
    """The next hand without those who pay to come in; None where the game begins anew."""
    seated = table.seated()
    there = [seat for seat, player in seated.items() if able(player)]
    if table.button is None or table.sb_seat is None or table.bb_seat is None or not there:
        return None
    last = table.bb_seat
    big = clockwise(there, last)[0]
    playing = {
        seat
        for seat, player in seated.items()
        if player.standing is Standing.IN and player.stack and not (player.absent and between(last, seat, big))
    }
    playing.add(big)
    if len(playing) < 2:
        return None
    return Due(frozenset(playing), next_hand(playing, table.button, table.sb_seat, last))


def is_behind_button(found: Due | None, seat: int) -> bool:
    """Whether the seat lies between the button and the small blind of the next hand."""
    if found is None or seat in found.seats or found.positions.sb_seat is None:
        return False
    button, small = found.positions.button, found.positions.sb_seat
    return button != small and between(button, seat, small)


def next_deal(table: CashTable, button: int | None = None) -> Deal | None:
    """The table's next hand without straddles; None where fewer than two can be dealt in.

    ``button``: its seat, where it would be drawn.
    """
    found = due(table)
    if found is None:
        return _anew(table, button)
    seated = table.seated()
    behind = {seat for seat in seated if is_behind_button(found, seat)}
    coming = {s for s, p in seated.items() if _pays(table, p) and s not in found.seats and s not in behind}
    buyers = [s for s in behind if seated[s].entry == "button" and able(seated[s]) and can_pay(table, seated[s])]
    if buyers:
        return _bought(table, seated, coming, clockwise(buyers, found.positions.button)[0], found)
    playing = found.seats | coming
    assert table.button is not None and table.sb_seat is not None and table.bb_seat is not None
    positions = next_hand(playing, table.button, table.sb_seat, table.bb_seat)
    return Deal(
        positions,
        tuple(clockwise(playing, positions.button)),
        _posts(table, positions, seated, playing),
        _missed(table, positions, playing),
    )


def price(table: CashTable, player: Player, entry: Entry) -> int:
    """Chips to put in for being dealt in at once (C-2 to C-5)."""
    small, big = table.settings.small_blind, table.settings.big_blind
    if player.standing is Standing.OWES_SMALL:
        return small
    return small + big if entry == "button" or player.standing is Standing.MISSED else big


def can_pay(table: CashTable, player: Player) -> bool:
    """Whether the stack is enough for the way in that was chosen."""
    return player.stack >= price(table, player, player.entry)


def _pays(table: CashTable, player: Player) -> bool:
    """Whether the player comes in by paying; who owes a small blind does so at once (C-3)."""
    if not able(player) or not can_pay(table, player):
        return False
    if player.standing is Standing.OWES_SMALL:
        return True
    return player.standing is not Standing.IN and player.entry == "post"


def _anew(table: CashTable, button: int | None) -> Deal | None:
    """The first hand, and that of a game which begins anew: the button by draw (C-1), nobody has missed anything."""
    seated = table.seated()
    playing = {s for s, p in seated.items() if able(p) and (not owes_missed(p) or _pays(table, p))}
    if len(playing) < 2:
        return None
    number, cards = table.draws + 1, {}
    if button is None:
        cards = deal_one_each(Draw(table.seed, f"cash/{number}"), sorted(playing))
        button = highest(cards)
    positions = first_hand(playing, button)
    owing = {seat: player for seat, player in seated.items() if owes_missed(player)}
    posts = _posts(table, positions, owing, playing)
    gone = {who: Standing.NEW for who, p in table.players.items() if p.seat is None and p.standing in _UNMARKED}
    return Deal(positions, tuple(clockwise(playing, positions.button)), posts, gone, cards, number)


def _bought(table: CashTable, seated: Mapping[int, Player], coming: set[int], buyer: int, found: Due) -> Deal:
    """A hand whose button is bought (C-5): the buyer alone pays the blinds, before those who were due.

    The blinds' seats are kept such that in the next hand the button is the buyer's, and those who were due post.
    """
    playing = {seat for seat, player in seated.items() if player.standing is Standing.IN and player.stack}
    playing |= coming | {buyer}
    positions = Positions(found.positions.button, None, buyer, buyer, table.bb_seat)
    small, big = table.settings.small_blind, table.settings.big_blind
    order = tuple(clockwise(playing, positions.button))
    posts = [Post(buyer, "button", big, small)]
    posts += [post for seat in order if seat in coming for post in _coming_in(table, seat, seated[seat])]
    return Deal(positions, order, tuple(posts))


def _posts(
    table: CashTable, positions: Positions, seated: Mapping[int, Player], playing: Collection[int]
) -> tuple[Post, ...]:
    """Blinds and what those pay who come in; nobody puts in two. ``seated``: those who may owe something."""
    posts: list[Post] = []
    for seat in clockwise(playing, positions.button):
        player = seated.get(seat)
        if seat == positions.bb:
            posts.append(Post(seat, "big", table.settings.big_blind))
        elif seat == positions.sb and player is not None and player.standing is Standing.OWES_SMALL:
            posts.append(Post(seat, "small", table.settings.small_blind, table.settings.small_blind))
        elif player is not None and player.standing is not Standing.IN:
            posts += _coming_in(table, seat, player)
        elif seat == positions.sb:
            posts.append(Post(seat, "small", table.settings.small_blind))
    return tuple(posts)


def _coming_in(table: CashTable, seat: int, player: Player) -> list[Post]:
    small, big = table.settings.small_blind, table.settings.big_blind
    match player.standing:
        case Standing.OWES_SMALL:
            return [Post(seat, "dead", 0, small)]
        case Standing.MISSED:
            return [Post(seat, "post", big, small)]
        case _:
            return [Post(seat, "post", big)]


def _missed(table: CashTable, positions: Positions, playing: Collection[int]) -> dict[str, Standing]:
    """What those owe whose seat, kept or given up, a blind passes while they are not dealt in (C-3, C-4)."""
    assert table.bb_seat is not None and positions.bb is not None
    found: dict[str, Standing] = {}
    for who, player in table.players.items():
        seat = player.last_seat if player.seat is None else player.seat
        if player.standing not in _UNMARKED or seat is None:
            continue
        if player.seat is not None and seat in playing:
            continue
        if between(table.bb_seat, seat, positions.bb) or (player.seat is None and seat == positions.bb):
            found[who] = Standing.NEW if player.seat is None else Standing.MISSED
        elif seat == table.bb_seat:
            found[who] = Standing.OWES_SMALL
    return found
