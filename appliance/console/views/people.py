"""Players: the list with its search, one player's sheet with the bust in two taps, the door, the money."""

from __future__ import annotations

from typing import NamedTuple

from appliance.console.views.page import Page
from appliance.console.views.parts import Button, button, of_player, offered, some
from appliance.floor.candidates import seat_name
from appliance.floor.catalogue import BY_ID
from appliance.floor.offering import possible
from appliance.game.entry import counted, deposited
from appliance.game.prizes import prize_pool, prizes_by_place
from appliance.game.results import prizes_won, results
from appliance.game.state import Phase, Player, Round, Status
from appliance.game.values import registration_order
from appliance.i18n import N_

_STATUS = {
    Status.REGISTERED: N_("registered"),
    Status.IN: N_("in play"),
    Status.OUT: N_("out"),
    Status.EXCLUDED: N_("excluded"),
    Status.VOID: N_("void"),
}


class Person(NamedTuple):
    """A player as a line. ``seat`` as table and seat, "1.3"; ``place`` of those who are out."""

    number: str
    name: str
    seat: str
    chips: int
    status: str
    away: bool = False
    locked: bool = False
    warned: int = 0
    place: int | None = None
    deposit: int = 0
    left: int = 0
    more: Button | None = None


def players(page: Page) -> str:
    """All players, those in play first, by their seats; the phone itself searches them as one types."""
    round = page.round
    found = list(round.players.values()) if round is not None else []
    places = {line.participant: line.place for line in results(round)} if round is not None else {}
    lines = sorted(found, key=lambda player: _order(player, places))
    return page.draw(
        "players.html",
        people=[_person(page, round, player, places) for player in lines] if round is not None else [],
        rest=tuple(each for each in offered(page, "players") if not _is_about_one(each.id)),
        door=some(page, "register"),
    )


def _is_about_one(action_id: str) -> bool:
    return any(field.name == "participant" for field in BY_ID[action_id].fields)


def _order(player: Player, places: dict[str, int]) -> tuple[int, int, tuple[int, int], tuple[int, int, str]]:
    rank = {Status.IN: 0, Status.REGISTERED: 0, Status.OUT: 1}.get(player.status, 2)
    seat = player.seat or (10_000, 0)
    out = places.get(player.participant, 0) if rank else 0
    return rank, out, (seat[0], seat[1]), registration_order(player.participant)


def _person(page: Page, round: Round, player: Player, places: dict[str, int]) -> Person:
    return Person(
        number=player.participant,
        name=page.name(player.participant),
        seat=f"{player.seat.table}.{player.seat.seat}" if player.seat else "",
        chips=player.chips,
        status="" if player.status is Status.IN else page.label(_STATUS[player.status]),
        away=player.absent,
        locked=player.locked,
        warned=len(player.penalties),
        place=places.get(player.participant) if player.status is not Status.IN else None,
        deposit=player.deposit,
        left=left_of_limit(page, round, player),
    )


def left_of_limit(page: Page, round: Round, player: Player) -> int:
    """What may still be deposited in 24 hours, as far as it is known here (T-3)."""
    before = counted(deposited(round, player), round.times.right(page.here.at_ms))
    return max(0, round.rules.deposit_limit - before)


def player(page: Page, number: str) -> str | None:
    """One player's sheet; None for somebody who is not there."""
    round = page.round
    found = round.players.get(number) if round is not None else None
    if round is None or found is None:
        return None
    places = {line.participant: line.place for line in results(round)}
    won = prizes_won(round).get(number, 0) if round.phase is not Phase.CANCELLED else 0
    return page.draw(
        "player.html",
        who=_person(page, round, found, places),
        seat=page.say(seat_name(*found.seat)) if found.seat else "",
        state=page.label(_STATUS[found.status]),
        penalties=[_penalty(page, each.kind, each.reason) for each in found.penalties],
        won=won,
        paid=found.paid,
        bust=_bust(page, round, found),
        same_hand=some(page, "busts", **({"table": str(found.seat.table)} if found.seat else {})),
        actions=of_player(page, number, ("bust", "register")),
    )


_PENALTIES = {
    "warning": N_("Warning"),
    "dead-hand": N_("Dead hand"),
    "sit-out": N_("Sits out"),
    "exclusion": N_("Exclusion from the round"),
}


def _penalty(page: Page, kind: str, reason: str | None) -> str:
    said = page.label(_PENALTIES[kind]) if kind in _PENALTIES else kind
    return f"{said}: {reason}" if reason else said


def _bust(page: Page, round: Round, found: Player) -> tuple[Button, ...]:
    """Who may have knocked the player out: a tap on one of them and it is done; nobody, where a table was left."""
    filled = {"participant": found.participant}
    if found.status is not Status.IN or possible(page.here, BY_ID["bust"], filled) is not None:
        return ()
    table = round.tables.get(found.seat.table) if found.seat else None
    others = [who for _, who in sorted(table.seats.items()) if who != found.participant] if table else []
    by = [
        button(page, "bust", {**filled, "by": who}, label=f"{_seat_of(round, who)} · {page.name(who)}", at_once=True)
        for who in others
    ]
    nobody = page.tr.gettext("Nobody: the time ran out, or the seat was given up")
    return (*by, button(page, "bust", filled, label=nobody, at_once=True))


def _seat_of(round: Round, who: str) -> str:
    seat = round.players[who].seat
    return str(seat.seat) if seat else ""


def door(page: Page) -> str:
    """Who is registered, with which deposit and what the limit leaves; registering and depositing."""
    round = page.round
    found = sorted(round.players.values(), key=lambda each: -each.registered_at) if round is not None else []
    return page.draw(
        "door.html",
        people=[
            _person(page, round, each, {})._replace(more=_deposit(page, each)) for each in found
        ] if round is not None else [],
        main=some(page, "open", "register"),
        rest=offered(page, "door", ("register",)),
        capacity=round.capacity if round is not None else 0,
        limit=round.rules.deposit_limit if round is not None else 0,
    )  # fmt: skip


def _deposit(page: Page, player: Player) -> Button | None:
    filled = {"participant": player.participant}
    if possible(page.here, BY_ID["deposit"], filled) is not None:
        return None
    return button(page, "deposit", filled, label=page.tr.gettext("Raise"))


class Payout(NamedTuple):
    """What somebody won, and what of it was handed over."""

    place: int
    number: str
    name: str
    won: int
    paid: int
    pay: Button | None


def money(page: Page) -> str:
    """The pool, the prizes, who gets what, and what was paid of it."""
    round = page.round
    if round is None or round.phase is Phase.CANCELLED:
        return page.draw(
            "money.html", pool=0, prizes=[], payouts=[], paid=0, deal=None, rest=offered(page, "money"), main=()
        )
    won, places = prizes_won(round), {line.participant: line.place for line in results(round)}
    mine = [who for who, amount in won.items() if amount]
    payouts = [
        Payout(
            places.get(who, 0), who, page.name(who), won[who], round.players[who].paid,
            _pay(page, who) if won[who] > round.players[who].paid else None,
        )
        for who in sorted(mine, key=lambda who: (places.get(who, 0), -won[who]))
    ]  # fmt: skip
    return page.draw(
        "money.html",
        pool=prize_pool(round),
        prizes=[(place, amount) for place, amount in enumerate(prizes_by_place(round), 1) if amount],
        payouts=payouts,
        paid=round.paid,
        deal=_deal(page, round),
        main=some(page, "deal"),
        rest=offered(page, "money", ("deal",) if payouts else ("deal", "pay")),
    )


def _pay(page: Page, who: str) -> Button | None:
    if possible(page.here, BY_ID["pay"], {"participant": who}) is not None:
        return None
    return button(page, "pay", {"participant": who}, label=page.tr.gettext("Pay"))


def _deal(page: Page, round: Round) -> list[tuple[str, int]] | None:
    """What a deal gave to whom."""
    if round.deal is None:
        return None
    return sorted(((page.name(who), amount) for who, amount in round.deal.amounts.items()), key=lambda each: -each[1])
