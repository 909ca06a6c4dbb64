"""The demo's evening: taps at the door, hands and eliminations at two tables, a final table, a winner."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from appliance.apps.demo_house import CLOCK, TRACKED, DemoFailed, House
from appliance.apps.demo_season import BLOCKED, FLOOR, FORGED_CARD, FORGED_UID, PLAYERS, ROUND, SEATS, SEED
from appliance.apps.send import ask
from appliance.game import clock
from appliance.game.command import (
    Command,
)
from appliance.game.commands import (
    decode_command,
)
from appliance.game.results import results
from appliance.game.state import Phase, Round, Table
from appliance.link.envelope import Reply
from appliance.station import Station

MINUTE = 60_000
BUST_EVERY = 6
HAND_EVERY = 3
DOOR_OPENS = -18
"""Minutes before the start."""


class Evening:
    """Plays the round through the house's real doors; ``say`` takes lines for the person who watches."""

    def __init__(self, house: House, station: Station, starts_at: datetime, say: Callable[[str], None]) -> None:
        self._house = house
        self._station = station
        self._starts_ms = round(starts_at.timestamp() * 1000)
        self._say_line = say
        self._zone = starts_at.tzinfo
        self._chance = random.Random(SEED)
        self._rested = False

    def play(self) -> None:
        """From the announcement to the last hand."""
        self._house.wait_for("the announcement to come down from the league", lambda: self._found_round())
        self._command("open")
        self._say(f"registration is open, {len(PLAYERS)} players are on their way")
        self._door()
        self._start()
        self._hands()
        self._end()

    # -- the stages --------------------------------------------------------------------------------------

    def _door(self) -> None:
        """Every player taps, the commissioner confirms; among them a stranger's, a blocked and a shy card."""
        self._house.wait_for("the door to know the roster and the round", self._door_ready)
        self._house.picture("invitation", "door")
        for number, player in enumerate(PLAYERS):
            self._at(DOOR_OPENS + 0.7 * number)
            if number == 4:
                self._odd_card("forged", f"tap card {FORGED_CARD}", "a forged card is refused and kept")
                self._house.tap("door", f"tap {FORGED_UID}")
                self._say("a stranger's card is refused")
            if number == 8:
                self._odd_card("blocked", f"tap card {BLOCKED.uid}", "a blocked card is refused and kept")
            if number == 12:
                self._odd_card("unreadable", "unreadable gone", "a card drawn away too soon: tap again")
            self._house.tap("door", f"tap card {player.uid}")
            if number == 0:
                self._house.picture("identity-check", "door")
            self._house.tap("door", f"tap card {FLOOR.uid}")
            self._wait(f"{player.number} to be registered", partial(_is_registered, player.number))
        self._house.picture("registered", "door")
        self._say(f"{len(self._round().players)} registered, {self._round().pool} CZK in the pool")

    def _start(self) -> None:
        self._at(0)
        self._command("start")
        self._wait("the start", lambda r: r.phase is Phase.RUNNING)
        self._say("seats are drawn, the clock runs")
        player = PLAYERS[6]
        self._house.tap("door", f"tap card {player.uid}")
        self._house.picture("your-seat", "door")
        self._command("next_hand", table=1)
        self._press("return")
        self._wait("the dealer's key to begin a hand", lambda r: r.tables[2].hand == 1)
        self._house.picture("first-hand", "table-1", "table-2", CLOCK)
        self._tracked_hand()

    def _tracked_hand(self) -> None:
        """The dealer of table 2 keys in a hand: a raise, two calls, a flop, a bet that nobody follows."""
        before = [player.chips for player in self._round().players.values()]
        others = len(self._round().tables[2].seats) - 4
        self._press("1", "5", "0", "r", *["f"] * others, "c", "f", "c", *"kkskd7c", "return")
        self._house.picture("tracked-hand", "table-2")
        self._press("c", "4", "[.]", "r", "f", "f")
        self._wait("the table to tell its stacks", lambda r: [p.chips for p in r.players.values()] != before)
        self._say("a hand keyed in at table 2: its stacks are known")

    def _press(self, *keys: str) -> None:
        """Keys of the dealer at the tracked table."""
        for key in keys:
            self._house.tap(TRACKED, f"key {key}")

    def _hands(self) -> None:
        """A hand at each table every few minutes; somebody goes out now and then."""
        minute = 0
        while self._round().phase is Phase.RUNNING:
            minute += HAND_EVERY
            self._at(minute)
            if clock.face(self._round(), self._station.now_ms()).on_break:
                self._break()
                continue
            for table in self._tables():
                self._command("next_hand", table=table.number)
            if minute == 9:
                self._extras()
            if minute >= 15 and minute % BUST_EVERY == 3:
                self._bust()
            if self._round().phase is Phase.RUNNING and self._round().left == SEATS and len(self._tables()) > 1:
                self._command("final_table")
                self._command("next_hand", table=1)
                self._say("final table")
                self._house.picture("final-table", "table-1")

    def _break(self) -> None:
        """Cards rest; once, the screens of the break are kept."""
        if not self._rested:
            self._rested = True
            self._say("time for a break")
            self._house.picture("break", "table-1", CLOCK)

    def _extras(self) -> None:
        """A top-up, a pause, and a slip of the finger that is undone."""
        self._command("deposit", participant=PLAYERS[3].number, amount=125)
        self._say(f"{PLAYERS[3].number} raises the deposit by 125 CZK")
        self._command("pause")
        self._say("the clock is stopped")
        self._house.picture("paused", "table-2")
        self._command("resume")
        self._say("and goes on")
        self._command("bust", participant=PLAYERS[0].number)
        self._command("undo")
        self._wait("the undo", lambda r: r.left == len(PLAYERS))
        self._say("a bust entered by mistake is undone")

    def _bust(self) -> None:
        """Out of the fuller table goes one; once, two in the same hand (T-7)."""
        table = max(self._tables(), key=lambda t: (len(t.seats), -t.number))
        left = self._round().left
        unlucky = self._chance.sample(sorted(table.seats.values()), 2 if left == 14 else 1)
        for number in unlucky:
            stack = self._chance.randrange(20, 200) * 25
            self._command("bust", participant=number, table=table.number, hand=table.hand, stack=stack)
        self._wait("the bust", lambda r: r.left == left - len(unlucky) or r.phase is Phase.FINISHED)
        self._say(f"out: {', '.join(unlucky)}")
        if self._round().left == 14 - 2:
            self._house.picture("twelve-left", "table-1", "table-2")

    def _end(self) -> None:
        self._wait("the end", lambda r: r.phase is Phase.FINISHED)
        winner = results(self._round())[0]
        self._say(f"winner: {winner.participant}, {winner.prize} CZK")
        self._house.picture("results", "table-1", "door")
        told = self._house.wait_for("the season's standings", lambda: self._station.snapshot.roster.standings, 60.0)
        self._say(f"the league tells how season {told.season} stands")
        self._house.picture("season", CLOCK, "door")

    # -- inside ------------------------------------------------------------------------------------------

    def _odd_card(self, stage: str, line: str, words: str) -> None:
        self._house.tap("door", line)
        self._house.picture(stage, "door")
        self._say(words)

    def _command(self, do: str, **fields: Any) -> Reply:
        command: Command = decode_command({"do": do, "round": ROUND, **fields})
        reply = ask(self._station, command, FLOOR.number)
        if not reply.ok:
            raise DemoFailed(f"{do} {fields}: {reply.refusal.code if reply.refusal else 'no answer'}")
        return reply

    def _at(self, minute: float) -> None:
        """Wait for a minute of the evening, counted from the announced start."""
        due = self._starts_ms + round(minute * MINUTE)
        self._house.wait_for(f"minute {minute}", lambda: self._station.now_ms() >= due, seconds=3600)

    def _wait(self, what: str, holds: Callable[[Round], bool]) -> None:
        self._house.wait_for(what, lambda: holds(self._round()))

    def _round(self) -> Round:
        found = self._found_round()
        if found is None:
            raise DemoFailed("the round is gone from the copy")
        return found

    def _found_round(self) -> Round | None:
        return next((r for r in self._station.snapshot.rounds if r.id == ROUND), None)

    def _tables(self) -> list[Table]:
        tables = self._round().tables.values()
        return [table for table in tables if len(table.seats) > 1]

    def _door_ready(self) -> bool:
        return self._house.reader_is_up("door") and self._house.knows_all("door")

    def _say(self, words: str) -> None:
        now = self._station.now_ms()
        round = self._found_round()
        where = ""
        if round is not None and round.phase is Phase.RUNNING:
            face = clock.face(round, now)
            what = "break" if face.on_break else f"level {face.level} {face.sb}/{face.bb}"
            where = f"{what}, {round.left} of {len(round.players)} left: "
        time = datetime.fromtimestamp(now / 1000, self._zone)
        self._say_line(f"{time:%H:%M}  {where}{words}")


def _is_registered(number: str, round: Round) -> bool:
    return number in round.players
