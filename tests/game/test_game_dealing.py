"""Worked hands, drawn seat by seat: the dead button (S-7), newcomers at every seat (S-5), two left and three again.

A row is a hand, a column a seat, clockwise from seat 1::

    .   nobody                 D   the button is here      +   came since the hand before, and plays
    o   a player               s   posts the small blind   !   the same, moved to even out tables
    w   waits for the button   b   posts the big blind     z   came, and chose to sit out until the button

The first row is the first hand. Who is in one row and not in the next went in between; where a mark of the second
column stands over a player of the row before, that player went and the seat was taken. These are the cases floors
argue about: TDA 32 (dead button), 34 (button of two), 11 (lone big blind), and rooms' sheets for who comes between the
blinds.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from appliance.game.events import HandStarted
from appliance.game.fold import fold
from appliance.game.play import Arrival, Why
from appliance.game.play_events import PlayerMoved
from appliance.game.values import Seat
from tests.game.conftest import Evening

LEAGUE = ("cpl-2017", "cpl")
CASINO = ("casino-2012",)
TDA = ("tda-2024",)
EVERY = (*LEAGUE, *CASINO, *TDA)

Case = tuple[str, tuple[str, ...], list[str]]

LEAVING: list[Case] = [
    ("nobody leaves", EVERY, [
        "oD os ob o  o  o ",
        "o  oD os ob o  o ",
        "o  o  oD os ob o "]),
    ("round the corner", EVERY, [
        "os ob o  o  o  oD",
        "oD os ob o  o  o "]),
    ("big blind out: the small blind is dead, then the button", EVERY, [
        "oD os ob o  o  o ",
        "o  oD .  ob o  o ",
        "o  o  .D os ob o ",
        "o  o  .  oD os ob"]),
    ("small blind out: the button is dead", EVERY, [
        "oD os ob o  o  o ",
        "o  .D os ob o  o ",
        "o  .  oD os ob o "]),
    ("both blinds out: small blind and button dead, and the button once more", EVERY, [
        "oD os ob o  o  o ",
        "o  .D .  ob o  o ",
        "o  .  .D os ob o ",
        "o  .  .  oD os ob"]),
    ("next big blind out: the player after has it", EVERY, [
        "oD os ob o  o  o ",
        "o  oD os .  ob o ",
        "o  o  oD .  os ob"]),
    ("next two big blinds out", EVERY, [
        "oD os ob o  o  o ",
        "o  oD os .  .  ob",
        "ob o  oD .  .  os"]),
    ("dealer out: nothing is dead", EVERY, [
        "oD os ob o  o  o ",
        ".  oD os ob o  o "]),
    ("dealer and small blind out", EVERY, [
        "oD os ob o  o  o ",
        ".  .D os ob o  o ",
        ".  .  oD os ob o "]),
    ("small blind and next big blind out", EVERY, [
        "oD os ob o  o  o ",
        "o  .D os .  ob o ",
        "o  .  oD .  os ob"]),
    ("big blind and next big blind out", EVERY, [
        "oD os ob o  o  o ",
        "o  oD .  .  ob o ",
        "o  o  .D .  os ob"]),
    ("three in a row out", EVERY, [
        "oD os ob o  o  o ",
        "o  .D .  .  ob o ",
        "o  .  .D .  os ob"]),
    ("the one who is due goes out, hand after hand", EVERY, [
        "oD os ob o  o  o ",
        "o  oD .  ob o  o ",
        "o  o  .D .  ob o ",
        "o  o  .  .D os ob"]),
]  # fmt: skip

TWO_LEFT: list[Case] = [
    ("of two the button has the small blind", EVERY, [
        "oDs ob",
        "ob oDs",
        "oDs ob"]),
    ("dealer out of three", EVERY, [
        "oD os ob ",
        ".  ob oDs"]),
    ("small blind out of three: the last big blind has the button", EVERY, [
        "oD os ob ",
        "ob .  oDs",
        "oDs . ob "]),
    ("big blind out of three: the small blind has the button", EVERY, [
        "oD  os  ob",
        "ob  oDs .  ",
        "oDs ob  . "]),
    ("two out of four at once", EVERY, [
        "oD os ob  o ",
        ".  ob oDs . ",
        ".  oDs ob . "]),
    ("both blinds out of four", EVERY, [
        "oD  os ob o ",
        "oDs .  .  ob",
        "ob  .  .  oDs"]),
    ("a third after the big blind has it next", EVERY, [
        "oDs .  .  ob .  . ",
        "oD  .  .  os +b . ",
        "ob  .  .  oD os . "]),
    ("a third before the big blind has the button: neither of the two has the big blind again", EVERY, [
        "oDs .  .  ob .  . ",
        "ob  .  +D os .  . ",
        "os  .  ob oD .  . "]),
    ("a third and a fourth, one of them before the blinds", EVERY, [
        "oDs .  .  ob .  . ",
        "oD  .  w  os +b . ",
        "ob  .  o  oD os . "]),
    ("two play on, a third between the blinds waits and has the big blind when they are through", EVERY, [
        "oD os .  ob o ",
        ".  .  w  oDs ob",
        ".  .  ob oD os"]),
    ("one of two gives way to another", EVERY, [
        "oDs .  .  ob .  . ",
        ".   +b .  oDs .  . "]),
    ("alone, nobody posts; who comes has the big blind if the other had it last", EVERY, [
        "oD os ob .  . ",
        ".D .  o  .  . ",
        ".  .  oDs .  +b"]),
    ("alone, and next after the last big blind's seat: the one who was there has it", EVERY, [
        "oD os ob .  . ",
        "oD .  .  .  . ",
        "ob +Ds .  .  . "]),
    ("all who knew the blinds have gone", EVERY, [
        "oD os .  ob .  .  . ",
        ".  .  +Ds .  .  +b . "]),
]  # fmt: skip

NEWCOMERS: list[Case] = [
    ("after the big blind: has it next", EVERY, [
        "oD os ob .  o  o ",
        "o  oD os +b o  o ",
        "o  o  oD os ob o "]),
    ("on the seat of the next big blind", EVERY, [
        "oD os ob o  o  o ",
        "o  oD os +b o  o "]),
    ("under the gun and later: nothing to pay yet", EVERY, [
        "oD os ob o  .  o ",
        "o  oD os ob +  o "]),
    ("on the seat the button leaves", EVERY, [
        "oD os ob o  o  o ",
        "+  oD os ob o  o "]),
    ("on the button's next seat", (*LEAGUE, *TDA), [
        "oD os ob o  o  o ",
        "o  +D os ob o  o "]),
    ("between small and big blind: waits one hand, then plays before the button", EVERY, [
        "oD os .  ob o  o ",
        "o  oD w  os ob o ",
        "o  o  o  oD os ob"]),
    ("two between the blinds", EVERY, [
        "oD os .  .  ob o  o ",
        "o  oD w  w  os ob o ",
        "o  o  o  o  oD os ob"]),
    ("on the big blind's seat: the small blind", (*LEAGUE, *TDA), [
        "oD os ob o  o  o ",
        "o  oD +s ob o  o ",
        "o  o  oD os ob o "]),
    ("between the blinds, the big blind out", (*LEAGUE, *TDA), [
        "oD os .  ob o  o ",
        "o  oD w  .  ob o ",
        "o  o  o  .D os ob"]),
    ("between the blinds and on the big blind", (*LEAGUE, *TDA), [
        "oD os .  ob o  o ",
        "o  oD w  +s ob o ",
        "o  o  o  oD os ob"]),
    ("a lone big blind by the seat alone: beyond a dead small blind", EVERY, [
        "oD os ob .  o  o ",
        "o  oD .  +b o  o ",
        "o  o  .D os ob o "]),
    ("on the button with both blinds out", (*LEAGUE, *TDA), [
        "oD os ob o  o  o ",
        "o  +D .  ob o  o ",
        "o  o  .D os ob o "]),
    ("one settled player left: newcomers play at once, wherever they sit", EVERY, [
        "oD os ob o  .  . ",
        "+  .D +s ob .  . ",
        "ob .  oD os .  . "]),
    ("the newcomer goes at once: the seat is empty as if nobody had come", EVERY, [
        "oD os ob .  o  o ",
        "o  oD os +b o  o ",
        "o  o  oD .  ob o "]),
    ("one waits, and the big blind ahead of them goes", EVERY, [
        "oD os .  ob o  o ",
        "o  oD w  os ob o ",
        "o  o  o  .D os ob"]),
]  # fmt: skip

THE_HOUSE_S_WAY: list[Case] = [
    ("C: a lone big blind on the seat of a dead small blind; the button waits a hand", CASINO, [
        "oD os ob o  o  o ",
        "o  oD +b o  o  o ",
        "o  oD os ob o  o ",
        "o  o  oD os ob o "]),
    ("C: the same behind a dead button, which lies there twice", CASINO, [
        "oD os ob o  o  o ",
        "o  .D +b o  o  o ",
        "o  .D os ob o  o "]),
    ("C: the same between button and dead small blind", CASINO, [
        "oD os .  ob o  o ",
        "o  oD +b .  o  o ",
        "o  oD os .  ob o ",
        "o  o  oD .  os ob"]),
    ("C: of two the first has it, the other the next one", CASINO, [
        "oD os .  ob o  o ",
        "o  oD +b +  o  o ",
        "o  oD os ob o  o ",
        "o  o  oD os ob o "]),
    ("C: who comes on the button has it, for the one before had it", CASINO, [
        "oD os ob o  o  o ",
        "o  +D os ob o  o "]),
    ("C: not if that one has gone too: it lies dead a hand", CASINO, [
        "oD os ob o  o  o ",
        ".  wD os ob o  o ",
        ".  o  oD os ob o "]),
    ("C: after a dead button the player before it dealt again", CASINO, [
        "oD os ob o  o  o ",
        "o  .D os ob o  o ",
        "o  .  +D os ob o "]),
    ("C: not past one who waited for it", CASINO, [
        "oD os .  ob o  o ",
        "o  oD w  os ob o ",
        "o  o  o  wD os ob",
        "ob o  o  o  oD os"]),
    ("C: nor where the button was dead before: who waited comes after the one who dealt again", CASINO, [
        "oD os .  ob o  o ",
        "o  .D w  os ob o ",
        "o  .  o  wD os ob"]),
    ("C: waits once only, though a lone big blind keeps the button there", CASINO, [
        "oD os ob o  o  o ",
        ".  wD +b o  o  o ",
        "+  oD os ob o  o ",
        "o  o  oD os ob o "]),
    ("elsewhere past them as well", TDA, [
        "oD os .  ob o  o ",
        "o  oD w  os ob o ",
        "o  o  o  +D os ob"]),
    ("TDA 11: moved to even out tables, the same seat has the big blind again", (*CASINO, *TDA), [
        "oD os ob o  o  o ",
        "o  oD !b o  o  o ",
        "o  oD os ob o  o "]),
    ("TDA 11: who came by another's word before that seat waits, the button has not passed them", TDA, [
        "oD os .  ob o  o  o ",
        "o  oD w  !b o  o  o ",
        "o  oD w  os ob o  o ",
        "o  o  o  oD os ob o "]),
    ("A, B: no lone big blind", LEAGUE, [
        "oD os ob o  o  o ",
        "o  oD !s ob o  o "]),
    ("A, B: sits the small blind out and is dealt in as the dealer", LEAGUE, [
        "oD os ob o  o  o ",
        "o  oD z  ob o  o ",
        "o  o  oD os ob o "]),
    ("A, B: sits the big blind out and is dealt in once the button has passed", LEAGUE, [
        "oD os ob .  o  o ",
        "o  oD os z  ob o ",
        "o  o  oD z  os ob",
        "ob o  o  o  oD os"]),
    ("A, B: two sit out", LEAGUE, [
        "oD os ob .  o  o ",
        "o  oD z  z  ob o ",
        "o  o  oD z  os ob",
        "ob o  o  o  oD os"]),
    ("A, B: sits out between two who have the blinds in turn", LEAGUE, [
        "oDs .  ob .  . ",
        "ob  .  oDs z  . ",
        "os  .  ob oD . "]),
]  # fmt: skip

CASES = [*LEAVING, *TWO_LEFT, *NEWCOMERS, *THE_HOUSE_S_WAY]


class Rows:
    """Plays the rows of a case: who goes and comes between two of them, and what the next hand looks like."""

    def __init__(self, profile: str, first: str) -> None:
        cells = first.split()
        here = [seat for seat, cell in enumerate(cells, start=1) if cell[0] == "o"]
        self.evening = Evening()
        self.evening.announce(profile=profile, seats_per_table=9).do("open").register(*here, *range(10, 19))
        seats = {f"{seat:06d}": [1, seat] for seat in here}
        seats.update({f"{n:06d}": [2, n - 9] for n in range(10, 19)})
        self.evening.at += 3_600_000
        self.evening.do("start", seats=seats, button=next(i for i, c in enumerate(cells, start=1) if "D" in c))
        self.new: dict[int, str] = {}

    def come_and_go(self, row: str) -> None:
        before = self.evening.table(1)
        wanted = dict(enumerate((cell[0] for cell in row.split()), start=1))
        self.new = {}
        for seat, cell in wanted.items():
            waits = cell in "wz" and before.arrivals.get(seat) not in (Arrival.WAITS, Arrival.SITS_OUT)
            if cell in "+!" or waits:
                self.new[seat] = cell
        self.come(seat for seat in self.new if seat not in before.seats)
        for seat, who in before.seats.items():
            if wanted[seat] == "." or seat in self.new:
                self.move(who, self.elsewhere(), "asked")
        self.come(seat for seat in self.new if seat in before.seats)
        for seat, cell in self.new.items():
            if cell == "z":
                self.evening.do("sit_out", participant=self.evening.table(1).seats[seat])

    def come(self, seats: Iterable[int]) -> None:
        for seat in seats:
            other = next(p for p in self.evening.round.players.values() if p.seat and p.seat.table == 2)
            self.move(other.participant, Seat(1, seat), "balance" if self.new[seat] == "!" else "asked")

    def elsewhere(self) -> Seat:
        table = self.evening.round.tables.get(7)
        return next(Seat(7, seat) for seat in range(1, 10) if table is None or seat not in table.seats)

    def move(self, who: str, target: Seat, why: Why) -> None:
        event = PlayerMoved(participant=who, source=self.evening.round.players[who].seat, target=target, why=why)
        self.evening.count += 1
        self.evening.ledger = fold(self.evening.ledger, event, self.evening.at, f"c{self.evening.count}")

    def next_hand(self) -> str:
        (event,) = self.evening.ask("next_hand", table=1)
        assert isinstance(event, HandStarted)
        table = self.evening.table(1)
        drawn = []
        for seat in range(1, 10):
            cell = "." if seat not in table.seats else "o"
            if seat in self.new:
                cell = "!" if self.new[seat] == "!" else "+"
            if seat in event.waiting:
                cell = {Arrival.WAITS: "w", Arrival.SITS_OUT: "z"}[event.waiting[seat]]
            marks = (("D", event.button), ("s", event.sb), ("b", event.bb))
            drawn.append(cell + "".join(mark for mark, at in marks if at == seat))
        return " ".join(drawn)


@pytest.mark.parametrize(
    ("profile", "rows"), [pytest.param(house, rows, id=f"{what}-{house}") for what, own, rows in CASES for house in own]
)
def test_S_5_S_7_worked_hands(profile: str, rows: list[str]) -> None:
    played = Rows(profile, rows[0])
    for n, row in enumerate(rows):
        if n:
            played.come_and_go(row)
        wanted = [*row.split(), *["."] * 9][:9]
        assert played.next_hand() == " ".join(wanted), f"row {n + 1}"
