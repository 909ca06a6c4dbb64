"""What a cash session looks like, as plain data: the ``--json`` of ``tableside cash``, and what screens are made of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from appliance.game.cash.state import CashLedger, CashTable, Movement, Player, Standing
from appliance.game.values import time_text

SOUTH_MS = 60 * 60_000
"""For so long chips that were taken away are expected back with their player."""


def report(ledger: CashLedger) -> dict[str, Any]:
    """The session as it stands; amounts in chips, ``*_czk`` in crowns."""
    table = ledger.table
    if table is None:
        return {"state": "not-opened"}
    settings = table.settings
    return {
        "state": "open" if table.closed_at is None else "closed",
        "opened_at": time_text(table.opened_at),
        "profile": table.profile,
        "blinds": [settings.small_blind, settings.big_blind],
        "buy_in": [settings.buy_in_minimum, settings.buy_in_maximum],
        "chip_value": settings.chip_value,
        "button": table.button,
        "sb": table.sb,
        "bb": table.bb,
        "number": table.number,
        "hand": _hand(table),
        "seats": {str(seat): player.participant for seat, player in table.seated().items()},
        "players": {who: _player(table, player) for who, player in sorted(table.players.items())},
        "waiting": [
            {"participant": waiter.participant, "called": waiter.called is not None} for waiter in table.waiting
        ],
        "money": _money(table),
        "notices": list(notices(table)),
    }


def notices(table: CashTable) -> Iterator[dict[str, Any]]:
    """What the house should know; never forbids anything.

    ``returned-with-less``: who left came back within `SOUTH_MS` with fewer chips than they took away. No document of
    the house speaks of it (**decided**: a notice).
    ``result-differs``: the result of a hand is not what was followed of it (C-8).
    """
    gone: dict[str, Movement] = {}
    for movement in table.movements:
        who = movement.participant
        if movement.kind == "cash-out":
            gone[who] = movement
        elif movement.kind == "buy-in":
            left = gone.pop(who, None)
            if left is not None and movement.chips < left.chips and movement.at - left.at < SOUTH_MS:
                detail = {"participant": who, "left_with": left.chips, "chips": movement.chips}
                yield {"code": "returned-with-less", "at": time_text(movement.at), "detail": detail}
    for each in table.differing:
        found = {"hand": each.hand, "told": dict(each.told), "given": dict(each.given)}
        yield {"code": "result-differs", "at": time_text(each.at), "detail": found}


def log(table: CashTable) -> Iterator[dict[str, Any]]:
    """Every movement of chips, in order; what the house takes of a hand is not among them."""
    for movement in table.movements:
        yield {
            "at": time_text(movement.at),
            "participant": movement.participant,
            "kind": movement.kind,
            "chips": movement.chips,
            "czk": movement.chips * table.settings.chip_value,
        }


def _hand(table: CashTable) -> dict[str, Any] | None:
    """The hand in play: its seats from the small blind on, and who puts in what before the cards."""
    if table.hand is None:
        return None
    seated = table.seated()
    return {
        "order": list(table.hand.order),
        "posts": [
            {
                "seat": post.seat,
                "participant": seated[post.seat].participant,
                "kind": post.kind,
                "live": post.live,
                "dead": post.dead,
            }
            for post in table.hand.posts
        ],
    }


def _player(table: CashTable, player: Player) -> dict[str, Any]:
    """A player; what is at its default is left out."""
    value = table.settings.chip_value
    found: dict[str, Any] = {"seat": player.seat, "stack": player.stack, "in": player.bought, "out": player.cashed}
    found |= {"result": player.result, "result_czk": player.result * value}
    if player.seat is not None:
        if player.standing is not Standing.IN:
            found |= {"standing": player.standing.value, "entry": player.entry}
        if player.absent:
            found["absent"] = True
    return found


def _money(table: CashTable) -> dict[str, Any]:
    """All chips: what came in is what went out, tips among it, what the house took, and what is on the table."""
    value = table.settings.chip_value
    tips = sum(movement.chips for movement in table.movements if movement.kind == "tip")
    amounts = {"in": table.chips_in, "out": table.chips_out, "tips": tips, "rake": table.rake, "on_table": table.chips}
    return {**amounts, **{f"{name}_czk": chips * value for name, chips in amounts.items()}, "log": list(log(table))}
