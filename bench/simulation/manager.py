"""The floor manager: runs an evening as floors do, hand by hand, and keeps in mind what lies before each player."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import Any

from appliance.game.event import Event
from appliance.game.events import Busted, Deposited, Registered, Reinstated, Unregistered
from appliance.game.play_events import BonusCardUsed, ChipUpGiven, ColouredUp, Reentered, TakenOut, Voided
from appliance.game.refusal import Refusal
from appliance.game.results import prizes_won
from appliance.game.state import Phase, Round, Status, Table
from bench.simulation import programme
from bench.simulation.book import Book, Turn

BESIDE = ""
"""Chips that the books have and no player: the key of what a wrong entry leaves over."""


CHIP = programme.CHIP_SET[0]
"""Nothing smaller changes hands."""


class TrueBook(Book):
    """A book that knows what lies before each player, whatever the entries say."""

    def tell(self, turns: Iterable[Turn], stacks: Mapping[str, int]) -> Mapping[str, int]:
        """Chips go where the events put them; what an entry says wrongly lies ``BESIDE``."""
        new = dict(stacks)
        for turn in turns:
            _put(new, turn.event, turn.before)
        return new


def _put(stacks: dict[str, int], event: Event, before: Round) -> None:
    match event:
        case Registered(participant=who, chips=chips) | Reentered(participant=who, chips=chips):
            stacks[who] = chips
        case Deposited(participant=who, chips=chips) | BonusCardUsed(participant=who, chips=chips):
            stacks[who] += chips
        case ChipUpGiven(chips=given) | ColouredUp(changes=given):
            for who, chips in given.items():
                stacks[who] = max(0, stacks.get(who, 0) + chips)
        case Unregistered(participant=who):
            del stacks[who]
        case Busted(participant=who):
            stacks[BESIDE] = stacks.get(BESIDE, 0) + stacks.pop(who, 0)
        case TakenOut(participant=who, chips=chips) | Voided(participant=who, chips=chips):
            stacks[BESIDE] = stacks.get(BESIDE, 0) + stacks.pop(who, 0) - chips
        case Reinstated(participant=who, chips=chips):
            stacks[who] = chips
            stacks[BESIDE] = stacks.get(BESIDE, 0) - chips
        case _:
            pass


class Manager:
    """One evening's floor.

    ``careful``: enters every bust with its hand and stack, and at once. ``all_in``: how often who loses a hand was
    all-in, and so how long the evening is.
    """

    def __init__(self, chance: random.Random, book: TrueBook) -> None:
        self.chance = chance
        self.book = book
        self.careful = chance.random() < 0.6
        self.due: dict[int, int] = {}
        self.late: list[dict[str, Any]] = []
        self.pace_ms = chance.choice((60_000, 120_000, 180_000))
        self.all_in = chance.choice((0.6, 0.4, 0.4, 0.15))
        self.fields: dict[str, Any] = {}
        self.next_number = 1

    # -- what is there -----------------------------------------------------------------------------------

    @property
    def round(self) -> Round:
        return self.book.round

    def tables(self) -> list[Table]:
        """Tables with players."""
        return [table for table in self.round.tables.values() if table.seats]

    def playing(self) -> list[str]:
        """Who is in."""
        return [who for who, player in self.round.players.items() if player.status is Status.IN]

    def out(self) -> list[str]:
        """Who went out."""
        return [who for who, player in self.round.players.items() if player.status is Status.OUT]

    def running(self) -> bool:
        return self.round.phase is Phase.RUNNING

    def ask(self, do: str, **fields: Any) -> tuple[Event, ...] | Refusal:
        return self.book.ask(do, **fields)

    def done(self, do: str, **fields: Any) -> bool:
        """Give a command; whether it was accepted."""
        return not isinstance(self.ask(do, **fields), Refusal)

    def wait(self, seconds: int) -> None:
        self.book.at += seconds * 1000

    def stack(self, who: str) -> int:
        return self.book.stacks.get(who, 0)

    def newcomer(self) -> str:
        """The next registration number; not in order of registration."""
        self.next_number += 1
        return f"{self.next_number * 7919 % 9973:06d}"

    # -- before the start --------------------------------------------------------------------------------

    def gather(self, players: int, profile: str | None = None) -> None:
        """Announce, open the door, register."""
        chance = self.chance
        self.fields = programme.announcement(chance, players, profile)
        self.ask("announce", **self.fields)
        if chance.random() < 0.05:
            self.ask("announce", **self.fields)
        if chance.random() < 0.1:
            self.ask("reschedule", starts_at=programme.STARTS_AT, reason="the hall is taken")
        self.ask("open")
        while len(self.round.players) < players:
            self.wait(chance.randint(1, 60))
            self._register_one(min(0.1, 2 / players))

    def _register_one(self, change_of_mind: float) -> None:
        chance, who = self.chance, self.newcomer()
        fields: dict[str, Any] = {"participant": who, "identity_checked": True}
        if chance.random() < 0.05:
            fields["identity_checked"] = False
        if chance.random() < 0.1:
            fields["deposits_24h"] = chance.choice((50, 100, 300, 450))
        if chance.random() < 0.05:
            fields["seat"] = [chance.choice(self.round.table_numbers), chance.randint(1, self.round.seats_per_table)]
        if self.done("register", **fields) and chance.random() < change_of_mind:
            self.ask("unregister", participant=who)

    def start(self) -> None:
        """Draw the seats at the official time, or later."""
        self.book.at = max(self.book.at, programme.SEVEN_PM) + self.chance.choice((0, 0, 300_000))
        fields: dict[str, Any] = {}
        if self.chance.random() < 0.2:
            fields["button"] = self.chance.randint(1, self.round.seats_per_table)
        if self.chance.random() < 0.1:
            who = self.chance.choice(list(self.round.players))
            fields["seats"] = {who: [self.round.table_numbers[0], 1]}
        if not self.done("start", **fields):
            self.ask("start")

    def goes_on(self) -> bool:
        """Whether there is play; a start that was undone, or all before it, is given again."""
        if self.round.phase in (Phase.ANNOUNCED, Phase.MOVED):
            self.ask("open")
        while self.round.phase is Phase.OPEN and len(self.round.players) < self.round.rules.players_minimum:
            self._register_one(0)
        if self.round.phase is Phase.OPEN:
            self.start()
        return self.running()

    # -- play --------------------------------------------------------------------------------------------

    def play_a_hand(self) -> None:
        """The table whose turn it is deals its next hand, and who lost all goes out."""
        tables = self.tables()
        if not tables:
            return
        table = min(tables, key=lambda t: (self.due.get(t.number, 0), t.number)).number
        self.book.at = max(
            self.book.at + self.chance.randint(1, 5000), min(self.due.get(table, 0), self.book.at + 90_000)
        )
        dealt = self.done("next_hand", table=table)
        self.due[table] = self.book.at + self.pace_ms + self.chance.randint(0, self.pace_ms)
        if dealt:
            self.enter(self._showdowns(table))

    def _showdowns(self, number: int) -> list[dict[str, Any]]:
        """Chips change hands at a table; the busts to enter."""
        table = self.round.tables[number]
        dealt = [who for seat, who in table.seats.items() if seat not in table.arrivals]
        if len(dealt) < 2:
            return []
        stacks = dict(self.book.stacks)
        before = dict(stacks)
        winner, *losers = self.chance.sample(dealt, self.chance.randint(2, min(4, len(dealt))))
        for loser in losers:
            covered = min(stacks[loser], before[winner])
            lost = (
                covered if self.chance.random() < self.all_in else self.chance.randint(0, covered // 4) // CHIP * CHIP
            )
            stacks[loser] -= lost
            stacks[winner] += lost
        self.book.stacks = stacks
        gone = [who for who in losers if not stacks[who]]
        return [self._bust(who, table, before[who], winner) for who in gone]

    def _bust(self, who: str, table: Table, stack: int, by: str) -> dict[str, Any]:
        fields: dict[str, Any] = {"participant": who, "table": table.number, "hand": table.hand, "stack": stack or None}
        if not self.careful and self.chance.random() < 0.3:
            fields = {"participant": who}
        elif not self.careful and self.chance.random() < 0.3:
            del fields["stack"]
        if self.chance.random() < 0.2:
            fields["by"] = by
        return {name: value for name, value in fields.items() if value is not None}

    def enter(self, busts: list[dict[str, Any]]) -> None:
        """Enter who went out; some of it only later, when another table's hand has come between."""
        self.late += busts
        if self.late and (self.careful or self.chance.random() < 0.8):
            if self._of_this_hand(self.late) and self.chance.random() < 0.5:
                self.ask("busts", stacks={fields["participant"]: fields["stack"] for fields in self.late})
                self.late = []
            for fields in self.late:
                self.wait(self.chance.randint(0, 20))
                self.ask("bust", **fields)
            self.late = []

    def _of_this_hand(self, busts: list[dict[str, Any]]) -> bool:
        """Whether several went out in the hands that are in play, and their stacks are known."""
        tables = self.round.tables
        now = all("stack" in each and tables[each["table"]].hand == each["hand"] for each in busts if "table" in each)
        return len(busts) > 1 and now and all("table" in each for each in busts)

    def tidy(self) -> None:
        """Break tables, even them out, sit down at the last one, as far as there is need."""
        for _ in range(12):
            tables = self.tables()
            if not self.running() or len(tables) < 2:
                return
            left, seats = self.round.left, self.round.seats_per_table
            if left <= seats and self.chance.random() < 0.8:
                moved = self.done("final_table")
            elif left <= (len(tables) - 1) * seats and self.chance.random() < 0.8:
                moved = self._break_one(tables)
            else:
                sizes = [len(table.seats) for table in tables]
                moved = max(sizes) - min(sizes) > 1 and self.done("balance")
            if not moved:
                return
            self.wait(self.chance.randint(5, 60))

    def mind_the_money(self) -> None:
        """Hand for hand from one before the money on; not for long where that was too soon."""
        paid = len(self.round.shares)
        near = self.round.left == paid + 1 and len(self.tables()) > 1
        if self.round.hand_for_hand is None and near and self.chance.random() < 0.5:
            self.ask("hand_for_hand", on=True)
        elif self.round.hand_for_hand is not None and not near and self.chance.random() < 0.1:
            self.ask("hand_for_hand", on=False)

    def _break_one(self, tables: list[Table]) -> bool:
        numbers = [table.number for table in tables]
        order = [number for number in self.round.breaking if number in numbers]
        number = order[0] if order else self.chance.choice(numbers)
        self.count_table(number)
        return self.done("break_table", table=number)

    def count_table(self, number: int) -> bool:
        """Count what lies at a table."""
        table = self.round.tables.get(number)
        if table is None or not table.seats:
            return False
        return self.done("stacks", table=number, stacks={who: self.stack(who) for who in table.seats.values()})

    def pay_all(self) -> None:
        """Hand over what is won, in parts or whole."""
        for who, prize in prizes_won(self.round).items():
            if prize > 1 and self.chance.random() < 0.3:
                self.ask("pay", participant=who, amount=prize // 2)
                self.ask("pay", participant=who, amount=prize - prize // 2)
            elif prize:
                self.ask("pay", participant=who, amount=prize)
