"""The floor's mind: asks the rules for one thing after another, and writes down each step with its answer. Pure."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from appliance.allowance import NONE_GIVEN, Allowances
from appliance.game.command import Command
from appliance.game.commands import decode_command
from appliance.game.event import Event
from appliance.game.refusal import Refusal
from appliance.game.round import INITIAL, decide, fold
from appliance.game.state import Ledger, Phase, Round, Status, Table
from appliance.game.tablestream.state import TableHands
from appliance.record import uuid7
from chaos.limit import too_much
from chaos.people import ROUND
from chaos.tracked import Deal, deal

START_MS = 1_800_036_000_000


class Apart(NamedTuple):
    """A command that only a director hears who is cut off with the floor; ``accept``: it is given anew afterwards."""

    fields: dict[str, Any]
    id: str
    accept: bool


class Step(NamedTuple):
    """One thing that is done, and waited for. ``ask``: a command of the floor's; ``tap``: a card at the door, then the
    commissioner's; ``hands``: the dealer's key at tables; ``ahead``: the same while no director is there, until each
    table is at its hand; ``apart``: somebody takes over while the old director still answers the floor; ``deal``: a
    hand with every action keyed in. ``code``: how it must be refused. ``records``: how many records an accepted
    command leads to.
    """

    kind: Literal["ask", "tap", "hands", "ahead", "apart", "deal"]
    fields: dict[str, Any] = {}
    id: str = ""
    code: str = ""
    records: int = 0
    hands: dict[int, int] = {}
    """By table, the number of the hand that begins; ``ahead``: of the last one."""
    apart: tuple[Apart, ...] = ()
    deal: Deal | None = None
    asks: tuple[int, ...] = ()
    """To how many records each command leads that the end of the hand asks for."""
    stands: dict[str, list[Any]] = {}
    """Of those who were in the hand, how they stand in the round then, and with which chips."""
    swap: int | None = None
    """The stage at which the table's device dies, and a spare one takes its place."""


def ruled(
    ledger: Ledger, command: Command, at: int, number: str, seed: int, given: Allowances
) -> Sequence[Event] | Refusal:
    """What a venue answers: the rules of the round, and what came in elsewhere."""
    return too_much(ledger, command, at, given) or decide(ledger, command, at, number, seed=seed)


class Mind:
    """The floor's mind: what it asks next hangs on the seed and on what was answered alone."""

    def __init__(self, seed: int, announced: dict[str, Any], given: Allowances = NONE_GIVEN) -> None:
        self.given = given
        self.chance = random.Random(f"script {seed}")
        self.at = START_MS
        self.steps: list[Step] = []
        self.ledger: Ledger = INITIAL
        self._hands: dict[int, TableHands] = {}
        self._together: set[str] = set()
        self._asked: set[str] = set()
        self._decide({**announced, "round": ROUND}, self._id())

    @property
    def round(self) -> Round:
        assert self.ledger.round is not None
        return self.ledger.round

    def ask(self, do: str, **fields: Any) -> bool:
        """Ask for something; whether the rules have it."""
        step = self._step("ask", do, fields)
        self.steps.append(step)
        self._asked.add(step.id)
        return not step.code

    def may(self, do: str, **fields: Any) -> bool:
        """Ask for something that may not fit, if it does."""
        return self.fits(do, **fields) and self.ask(do, **fields)

    def fits(self, do: str, **fields: Any) -> bool:
        """Whether the rules would have it now."""
        command = decode_command({"do": do, "round": ROUND, **fields})
        return not isinstance(ruled(self.ledger, command, self.at, self._id(), 1, self.given), Refusal)

    def undo(self) -> bool:
        """Take the last command back, unless it is of those given together: which of them came last is nobody's to say.

        Where its id is the script's own, the undo names it.
        """
        last = self.ledger.done.cause if self.ledger.done else None
        if last is None or last in self._together:
            return False
        named = self.chance.random() < 0.5 and last in self._asked
        return self.may("undo", **({"of": last} if named else {}))

    def tap(self, who: str) -> None:
        """Somebody comes in by the door."""
        step = self._step("tap", "register", {"participant": who, "identity_checked": True})
        assert not step.code, step
        self.steps.append(step)

    def hands(self, tables: list[Table]) -> None:
        """A hand begins at each of these tables."""
        begun = {}
        for table in tables:
            step = self._step("ask", "next_hand", {"table": table.number})
            self._together.add(step.id)
            if not step.code:
                begun[table.number] = self.round.tables[table.number].hand
        if begun:
            self.steps.append(Step("hands", hands=begun, records=len(begun)))

    def deal(self, table: int, most_out: int, swap: bool) -> bool:
        """A hand is keyed in at this table, if no more than so many go out in it; ``swap``: by two devices."""
        before, at, hands = self.ledger, self.at, self._hands.get(table, TableHands())
        begin = self._step("ask", "next_hand", {"table": table})
        played = None if begin.code else deal(self.round, table, hands, self.chance)
        if played is None or sum(ask["do"] == "bust" for ask in played[0].asks) > most_out:
            self.ledger, self.at = before, at
            return False
        dealt, self._hands[table] = played
        told = [self._step("ask", fields["do"], fields) for fields in dealt.asks]
        assert not any(step.code for step in told), told
        self._together |= {begin.id, *(step.id for step in told)}
        at_stage = self.chance.randrange(len(dealt.stages)) if swap else None
        asks, there = tuple(step.records for step in told), {who: self.round.players[who] for who in dealt.stacks}
        stands: dict[str, list[Any]] = {who: [player.status.value, player.chips] for who, player in there.items()}
        self.steps.append(Step("deal", hands={table: dealt.hand}, deal=dealt, asks=asks, stands=stands, swap=at_stage))
        return True

    def ahead(self, tables: list[Table]) -> None:
        """These tables go on by themselves: some hands each."""
        begun: dict[int, int] = {}
        for table in tables:
            for _ in range(self.chance.randint(1, 4)):
                step = self._step("ask", "next_hand", {"table": table.number})
                self._together.add(step.id)
                if step.code:
                    break
                begun[table.number] = self.round.tables[table.number].hand
        if begun:
            self.steps.append(Step("ahead", hands=begun))

    def apart(self, people: list[str]) -> None:
        """Warnings and deposits that an old director alone hears of; what the floor accepts of them afterwards counts
        from then.
        """
        given = [self._apart(who) for who in people]
        self.steps.append(Step("apart", apart=tuple(given)))
        for each in given:
            if each.accept:
                assert not isinstance(self._decide(each.fields, self._id()), str), each

    # -- what is there -----------------------------------------------------------------------------------

    @property
    def running(self) -> bool:
        return self.round.phase is Phase.RUNNING

    def tables(self) -> list[Table]:
        """Tables with a game."""
        return [table for table in self.round.tables.values() if len(table.seats) > 1]

    def playing(self) -> list[str]:
        """Who is in."""
        return [who for who, player in self.round.players.items() if player.status is Status.IN]

    def stacks(self) -> dict[str, int]:
        """A count of all who are in, as good as any."""
        left = self.playing()
        each = self.round.chips // len(left)
        spread = dict.fromkeys(left, each - each % 25)
        return spread | {left[0]: self.round.chips - sum(spread.values()) + spread[left[0]]}

    # -- inside ------------------------------------------------------------------------------------------

    def _step(self, kind: Literal["ask", "tap"], do: str, fields: dict[str, Any]) -> Step:
        number, body = self._id(), {"do": do, "round": ROUND, **fields}
        made = self._decide(body, number)
        if isinstance(made, str):
            return Step(kind, body, number, code=made)
        return Step(kind, body, number, records=made)

    def _apart(self, who: str) -> Apart:
        fields: dict[str, Any] = {"participant": who, "kind": "warning", "reason": "ruší při hře"}
        do = "sanction"
        if self.chance.random() < 0.4 and self.fits("deposit", participant=who, amount=50):
            do, fields = "deposit", {"participant": who, "amount": 50}
        return Apart({"do": do, "round": ROUND, **fields}, self._id(), self.chance.random() < 0.5)

    def _decide(self, body: dict[str, Any], number: str) -> int | str:
        self.at += 1000
        answer = ruled(self.ledger, decode_command(body), self.at, number, 1, self.given)
        if isinstance(answer, Refusal):
            return answer.code
        for event in answer:
            self.ledger = fold(self.ledger, event, self.at, number)
        return len(answer)

    def _id(self) -> str:
        return uuid7(self.at, self.chance.randbytes(10))
