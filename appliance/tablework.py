"""A table's own work: it takes up the hands of the round, tracks them by the dealer's keys, and tells how they ended
(`appliance.tabletelling`). All in the engine thread.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from appliance import kinds, pad
from appliance.engine import Engine, Order
from appliance.game.command import Command
from appliance.game.refusal import Refusal
from appliance.game.state import Phase, Round
from appliance.game.tablestream.commands import BeginHand, TableCommand
from appliance.game.tablestream.counts import other_than_told
from appliance.game.tablestream.state import TableHands
from appliance.offline import Offline
from appliance.pad import At, Pad
from appliance.phone import Phone
from appliance.phonerights import presser
from appliance.tablecount import CountWatch, correction
from appliance.tableletters import Letter, Send
from appliance.tabletelling import Telling
from appliance.tabletold import beginning, giving_up, is_over, opened, plays_here

_log = logging.getLogger(__name__)


class TableWork:
    """One table's. ``tracks``: every action of its hands; else only that they began.

    ``fresh_id`` makes ids of commands; ``complain(refusal, participant)`` tells the floor what was refused, ``settled``
    that it is so no longer; ``reachable``: whether a director is there. While none is, the table goes on by itself
    (`appliance.offline`): ``now_ms`` is the director's time, as far as it is known.
    """

    def __init__(
        self,
        engine: Engine,
        stream: str,
        number: int,
        tracks: bool,
        send: Send,
        fresh_id: Callable[[], str],
        complain: Callable[[Refusal, str | None], None],
        settled: Callable[[str], None] = lambda code: None,
        reachable: Callable[[], bool] = lambda: True,
        now_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    ) -> None:
        self.pad = Pad()
        self._engine = engine
        self._stream = stream
        self._number = number
        self.tracks = tracks
        self._fresh_id = fresh_id
        self._complain = complain
        self._settled = settled
        self.offline = Offline(engine, stream, number, now_ms, fresh_id)
        self._watch = CountWatch()
        self.telling = Telling(engine, stream, number, send, reachable, self.offline, self._watch, self)

    @property
    def hands(self) -> TableHands:
        """The table's hands, as its stream tells them."""
        return self._state.hands

    def keys(self, round: Round | None) -> tuple[str, ...]:
        """The keys that make sense now."""
        round = self._seen(round)
        if round is not None and is_over(self.hands, round):
            return ()
        return pad.keys_of(self.pad, At(self.hands, round, self._number))

    def start(self, rounds: Iterable[Round]) -> None:
        """Go on where the program was stopped: it may owe a round's hand, or an answer to what its last hand asks."""
        for round in map(self.offline.round, rounds):
            self._take_up(round)
            self._watch.look(self.hands, round, self._number)
        self.telling.go_on()

    def copied(self, stream: str, rounds: Iterable[Round]) -> None:
        """Records have come: of a round, or what this disk had lost of the table's own stream."""
        if stream.startswith("round/"):
            self.round_changed(self._engine.state(stream).round)
        elif stream == self._stream:
            self.start(rounds)

    def round_changed(self, round: Round | None) -> None:
        """The own copy of a round has changed: a hand may have begun, or somebody may be back at the table."""
        round = self._seen(round)
        if round is not None:
            self._take_up(round)
            self._carry_in(round)
            self._settle(round)
        self.telling.go_on()
        if round is not None and self.telling.idle and self.hands.current is None and self._plays_here(round):
            self._compare(round)

    def _settle(self, round: Round) -> None:
        """Say no longer what is not so any more, and say what has come to be so."""
        if self.telling.owed and self.telling.owed != self.telling.owed_by(round):
            self.telling.ask_again()
            self._settled("needs-reinstating")
            if self._says("needs-reinstating"):
                self.pad = Pad()
        if round.phase is Phase.RUNNING and self._says("finished", "last-hand-finished", "not-running"):
            self.pad = Pad()

    def _compare(self, round: Round) -> None:
        """Say so where the round has other stacks than the last hand left, as long as the next can still be mended."""
        hand = other_than_told(self.hands, round, self._number) if self.tracks and self.telling.told else None
        if hand is not None and self.pad.problem is None:
            self._refuse_on_pad(Refusal("stacks-differ", {"hand": hand}))
        elif hand is None and self._says("stacks-differ"):
            self.pad = Pad()

    def _carry_in(self, round: Round) -> None:
        """Somebody has counted during the hand, and is believed: it goes on with that, or is given up."""
        counted = self._watch.look(self.hands, round, self._number)
        if not counted:
            return
        hand = {"hand": round.tables[self._number].hand}
        correct = correction(self.hands, round, self._number, counted)
        if correct is not None and self._execute(correct) is None:
            self._refuse_on_pad(Refusal("count-carried", hand))
        elif self._execute(*giving_up(self.hands)) is None:
            self.pad = Pad(problem=Refusal("count-too-late", hand))

    def _refuse_on_pad(self, refusal: Refusal) -> None:
        self.pad = replace(self.pad, problem=refusal)

    def _says(self, *codes: str) -> bool:
        return self.pad.problem is not None and self.pad.problem.code in codes

    # -- hands of the round ------------------------------------------------------------------------------

    def _take_up(self, round: Round) -> None:
        """Take up the hand that the round has begun at this table, once; give up what it has taken back."""
        table = round.tables.get(self._number)
        if table is None or not self._plays_here(round):
            return
        note = kinds.HandOpened(round=round.id, table=self._number, hand=table.hand)
        before = opened(self._state, round)
        if table.hand == before:
            return self._begin_late(round)
        self.pad = Pad()
        if table.hand < before:
            begin = giving_up(self.hands, round.id, table.hand)
        else:
            self._compare(round)
            begin = self._begin(round) if self.tracks else ()
        refusal = self._execute(note, *begin)
        if refusal is not None and refusal.code != "hand-begun":
            self.pad = Pad(problem=refusal)

    def _begin_late(self, round: Round) -> None:
        """Track the hand that could not be begun, once nothing is missing any more: somebody has told the stacks."""
        told, hand = self.hands.current or self.hands.last, round.tables[self._number].hand
        if (
            not self.tracks
            or not hand
            or (told is not None and told.begun.round == round.id and told.begun.hand >= hand)
        ):
            return
        begin = beginning(self._state, round, self._number)
        if isinstance(begin, BeginHand) and self._execute(begin) is None:
            self.pad = Pad()
        elif isinstance(begin, Refusal) and self._says("no-hand", "not-followed"):
            self._refuse_on_pad(begin)

    def _plays_here(self, round: Round) -> bool:
        ledgers = (state for stream, state in self._engine.states.items() if stream.startswith("round/"))
        rounds = (ledger.round for ledger in ledgers if ledger.round is not None)
        return plays_here(rounds, round, self._number)

    def _begin(self, round: Round) -> Sequence[TableCommand]:
        """The commands that begin to track the hand; where that cannot be, it is only counted."""
        begin = beginning(self._state, round, self._number)
        if isinstance(begin, BeginHand):
            return (begin,)
        self.pad = Pad(problem=begin)
        return giving_up(self.hands)

    # -- keys --------------------------------------------------------------------------------------------

    def press(self, key: str, round: Round | None, phone: Phone | None = None) -> None:
        """A key was pressed here, or on a ``phone``; a hand that the disk would not have as it began is begun first."""
        round = self._seen(round)
        if round is not None and is_over(self.hands, round):
            return self.refused(Refusal("last-hand-finished"), None)
        if round is not None:
            self._take_up(round)
        before = self.pad
        pressed = pad.press(before, key, At(self.hands, round, self._number))
        self.pad = pressed.pad
        if round is not None and self._says("no-hand", "not-followed"):
            self._take_up(round)  # says once more why the hand is not tracked
        if pressed.table_command is not None:
            self.telling.hand_goes_on()
            if (refusal := self._execute(pressed.table_command, phone=phone)) is not None:
                self.pad = pad.refused(before, pressed.table_command, refusal)
        elif pressed.round_command is not None:
            self._wish(pressed.round_command, round)
        if round is not None:
            self._carry_in(round)
        self.telling.go_on()

    @property
    def due(self) -> float | None:
        """When `tick` has something to do (monotonic seconds)."""
        return self.telling.due

    def tick(self) -> None:
        """Send again what the director could not take."""
        self.telling.tick()

    def reached(self) -> None:
        """A director has come or gone."""
        self.telling.reached()

    @property
    def kept(self) -> tuple[int, int] | None:
        """The first and the last hand that wait for a director, or that this one cannot take yet."""
        return None if self.telling.sending else self.offline.kept

    def _seen(self, round: Round | None) -> Round | None:
        """The round as this table goes on with it."""
        return None if round is None else self.offline.round(round)

    def _wish(self, command: Command, round: Round | None) -> None:
        """The dealer wants the next hand: not while somebody is out who has chips, or they would not be dealt in."""
        owed = self.telling.owed_by(round) if round is not None else ()
        if owed:
            self.pad = Pad(problem=Refusal("needs-reinstating", {"participant": owed[0]}))
        else:
            self.telling.wish(Letter(self._fresh_id(), command))

    def _execute(self, *commands: Any, phone: Phone | None = None) -> Refusal | None:
        """Carry out commands of the own stream in one commit; the last one's refusal. Whose ``phone`` gave them stands
        in their records."""
        who, device = ("", "") if phone is None else (presser(phone), phone.device)
        orders = [Order(self._fresh_id(), self._stream, command, who, device) for command in commands]
        answer = self._engine.execute(orders)[-1].answer
        return None if answer.ok else Refusal(answer.code, answer.detail)

    # -- what `Telling` needs (`appliance.tabletelling.Dealer`) ---------------------------------------------

    def refused(self, refusal: Refusal, participant: str | None) -> None:
        """Say so on the pad and to the floor."""
        self.pad = replace(self.pad, problem=refusal)
        self._complain(refusal, participant)

    def look_again(self, round: Round) -> None:
        """The round as this table goes on with it has changed."""
        self._take_up(round)
        self._carry_in(round)

    @property
    def _state(self) -> kinds.TableState:
        state: kinds.TableState = self._engine.state(self._stream)
        return state
