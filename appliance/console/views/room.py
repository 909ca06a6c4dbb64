"""Tables from above: who sits where, moving in two taps, evening out, breaking; one table's own page."""

from __future__ import annotations

from typing import NamedTuple

from appliance.console.views.attention import vals
from appliance.console.views.looking import calls
from appliance.console.views.page import Page
from appliance.console.views.parts import Button, button, offered, some
from appliance.display.from_notices import table_notices
from appliance.display.messages import notice_text
from appliance.floor.catalogue import BY_ID
from appliance.floor.fields import SEAT
from appliance.floor.offering import possible
from appliance.floor.telling import sentence
from appliance.game.breaking import next_to_break
from appliance.game.play import Arrival
from appliance.game.state import Round, Table
from appliance.game.values import Seat

_PROPOSALS = ("balance", "break_table", "final_table")


class Place(NamedTuple):
    """A seat, at ``x`` and ``y`` per cent of the table; ``lock``: keep it free, or release it."""

    number: int
    x: float = 0
    y: float = 0
    who: str = ""
    name: str = ""
    chips: int = 0
    marks: tuple[str, ...] = ()
    away: bool = False
    waits: bool = False
    fixed: bool = False
    lock: Button | None = None


class Felt(NamedTuple):
    """A table with its seats."""

    number: int
    seats: tuple[Place, ...]
    hand: int = 0
    level: str = ""
    players: int = 0


def tables(page: Page) -> str:
    """All tables with their seats; what the rules propose."""
    round = page.round
    if round is None:
        return page.draw("tables.html", felts=[], proposals=[], rest=())
    numbers = sorted({table.number for table in round.tables.values() if table.seats})
    proposals = _proposals(page, round)
    return page.draw(
        "tables.html",
        felts=[felt(page, round, number) for number in numbers],
        proposals=proposals,
        rest=offered(page, "tables", [each.id for _, each in proposals]),
    )


def _proposals(page: Page, round: Round) -> list[tuple[str, Button]]:
    """What the rules propose, in words, to accept."""
    found: list[tuple[str, Button]] = []
    for each in some(page, *_PROPOSALS):
        filled: dict[str, str] = {}
        if each.id == "break_table":
            number = next_to_break(round)
            filled = {} if number is None else {"table": str(number)}
            if not filled or possible(page.here, BY_ID["break_table"], filled) is not None:
                continue
        if not each.why:
            found.append((page.say(sentence(page.here, BY_ID[each.id], filled)), button(page, each.id, filled)))
    return found


def felt(page: Page, round: Round, number: int) -> Felt:
    """A table as it is drawn."""
    table, num = round.tables[number], page.tr.number
    most = max([round.seats_per_table, *table.seats])
    spots = spots_of(most)
    seats = tuple(_place(page, round, table, seat, spots[seat - 1]) for seat in range(1, most + 1))
    return Felt(number, seats, table.hand, f"{num(table.small_blind)} / {num(table.big_blind)}", len(table.seats))


def _place(page: Page, round: Round, table: Table, seat: int, spot: tuple[float, float]) -> Place:
    who = table.seats.get(seat)
    kept_free = Seat(table.number, seat) in round.locked_seats
    base = Place(seat, *spot, marks=marks_of(table, seat), fixed=kept_free)
    if who is None:
        return base
    player = round.players[who]
    return base._replace(
        who=who, name=page.name(who), chips=player.chips, away=player.absent, fixed=player.locked,
        waits=table.arrivals.get(seat) in (Arrival.WAITS, Arrival.SITS_OUT),
    )  # fmt: skip


def marks_of(table: Table, seat: int) -> tuple[str, ...]:
    """The button and the blinds that lie before a seat in the hand in play."""
    there = (("D", table.button), ("SB", table.sb), ("BB", table.bb)) if table.hand else ()
    return tuple(mark for mark, at in there if at == seat)


def spots_of(count: int) -> list[tuple[float, float]]:
    """Where seats stand round an upright table, in per cent, clockwise from the bottom: two below, one or two above."""
    above = 0 if count < 3 else 2 - count % 2
    side, other = -(-(count - 2 - above) // 2), (count - 2 - above) // 2
    top = [(27.0, 5.0), (73.0, 5.0)] if above == 2 else [(50.0, 5.0)] * above
    left = [(18.0, _between(n, max(0, side))) for n in range(max(0, side))]
    right = [(82.0, 100 - _between(n, max(0, other))) for n in range(max(0, other))]
    return [(27.0, 95.0), *left, *top, *right, (73.0, 95.0)][:count]


def _between(number: int, of: int) -> float:
    """From below to above, evenly between the rows at both ends."""
    return round_to(77.5 - 55 * number / (of - 1)) if of > 1 else 50.0


def round_to(part: float) -> float:
    """Per cent, to a tenth."""
    return round(part, 1)


def table(page: Page, number: int) -> str | None:
    """One table: its seats, what it is told, its hand, its stacks, its seats kept free."""
    round = page.round
    if round is None or number not in round.tables:
        return None
    filled = {"table": str(number)}
    there = felt(page, round, number)
    return page.draw(
        "table.html",
        felt=there._replace(seats=tuple(_with_lock(page, number, place) for place in there.seats)),
        told=[notice_text(notice, page.tr) for notice in table_notices(round, page.here.at_ms, number)],
        called=next((call for call in calls(page.asked) if call.table == number), None),
        seen=Button("call-ended", page.tr.gettext("Seen to"), "/form/call-ended",
                    vals({"table": str(number)}), "go"),
        main=_of_table(page, ("next_hand", "time_acted", "time_ran_out"), filled),
        rest=_of_table(page, ("stacks", "colour_up", "break_table"), filled),
        time=round.tables[number].time_call,
    )  # fmt: skip


def _of_table(page: Page, ids: tuple[str, ...], filled: dict[str, str]) -> tuple[Button, ...]:
    return tuple(button(page, each, filled) for each in ids if possible(page.here, BY_ID[each], filled) is None)


def _with_lock(page: Page, number: int, place: Place) -> Place:
    """A free seat with what keeps it free, or releases it."""
    if place.who:
        return place
    filled = {SEAT.name: f"{number}.{place.number}"}
    for action in ("unlock_seat", "lock_seat"):
        if possible(page.here, BY_ID[action], filled) is None:
            return place._replace(lock=button(page, action, filled))
    return place
