"""A table's own work: it takes up the hands of the round, tracks them by the dealer's keys, and tells how they ended.

What a tracked hand's end asks of the round (stacks, then busts: T-7) goes to the director one by one, each under an
id that follows from the end itself: told again after a restart or a lost link, it is the same command. A note in the
table's stream says when all of it was answered. All in the engine thread.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from appliance import kinds, pad
from appliance.engine import Engine, Order
from appliance.game.command import Command
from appliance.game.commands import Stacks, name_of
from appliance.game.refusal import Refusal
from appliance.game.state import Phase, Round
from appliance.game.tablestream.commands import BeginHand, TableCommand
from appliance.game.tablestream.counts import other_than_told
from appliance.game.tablestream.proposals import moved_in_hand, proposals, to_reinstate
from appliance.game.tablestream.state import TableHands
from appliance.link.envelope import Reply
from appliance.link.lan import NO_ANSWER
from appliance.offers import Offered
from appliance.offline import NOT_YET, RETRY_S, Offline, letter_of
from appliance.pad import At, Pad
from appliance.tablecount import CountWatch, correction
from appliance.tableletters import NEXT_TTL_MS, TOLD_TTL_MS, Letter, Send, letter_id
from appliance.tabletold import beginning, end_of, giving_up, is_over, is_told, opened, plays_here, told_note

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
        self._send = send
        self._fresh_id = fresh_id
        self._complain = complain
        self._settled = settled
        self._reachable = reachable
        self.offline = Offline(engine, stream, number, now_ms, fresh_id)
        self._again_at: float | None = None
        self._watch = CountWatch()
        self._letters: list[Letter] = []
        self._away: Letter | None = None
        self._asked_for: str | None = None  # the end whose letters were written in this life of the program
        self._again = False
        self._tried: set[str] = set()  # letters of it that were answered
        self._next: Letter | None = None
        self._owed: tuple[str, ...] = ()

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
        self._go_on()

    def round_changed(self, round: Round | None) -> None:
        """The own copy of a round has changed: a hand may have begun, or somebody may be back at the table."""
        round = self._seen(round)
        if round is not None:
            self._take_up(round)
            self._carry_in(round)
            self._settle(round)
        self._go_on()
        if round is not None and self._away is None and self.hands.current is None and self._plays_here(round):
            self._compare(round)

    def _settle(self, round: Round) -> None:
        """Say no longer what is not so any more, and say what has come to be so."""
        if self._owed and self._owed != self._owed_by(round):
            self._asked_for, self._again = None, True
            self._settled("needs-reinstating")
            if self._says("needs-reinstating"):
                self.pad = Pad()
        if round.phase is Phase.RUNNING and self._says("finished", "last-hand-finished", "not-running"):
            self.pad = Pad()

    def _compare(self, round: Round) -> None:
        """Say so where the round has other stacks than the last hand left, as long as the next can still be mended."""
        hand = other_than_told(self.hands, round, self._number) if self.tracks and self._told else None
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

    def press(self, key: str, round: Round | None) -> None:
        """A key was pressed; a hand that the disk would not have as it began is taken up first."""
        round = self._seen(round)
        if round is not None and is_over(self.hands, round):
            return self._refuse(Refusal("last-hand-finished"), None)
        if round is not None:
            self._take_up(round)
        before = self.pad
        pressed = pad.press(before, key, At(self.hands, round, self._number))
        self.pad = pressed.pad
        if round is not None and self._says("no-hand", "not-followed"):
            self._take_up(round)  # says once more why the hand is not tracked
        if pressed.table_command is not None:
            self._next = self._next if self._next is self._away else None  # the hand goes on: no next one yet
            if (refusal := self._execute(pressed.table_command)) is not None:
                self.pad = pad.refused(before, pressed.table_command, refusal)
        elif pressed.round_command is not None:
            self._wish(pressed.round_command, round)
        if round is not None:
            self._carry_in(round)
        self._go_on()

    def reached(self) -> None:
        """A director has come or gone: what waits is sent, or the table goes on without."""
        self._again_at = None
        self._go_on()

    @property
    def due(self) -> float | None:
        """When `tick` has something to do (monotonic seconds)."""
        return self._again_at

    def tick(self) -> None:
        """Send again what the director could not take."""
        if self._again_at is not None and time.monotonic() >= self._again_at:
            self.reached()

    def _seen(self, round: Round | None) -> Round | None:
        """The round as this table goes on with it."""
        return None if round is None else self.offline.round(round)

    def _wish(self, command: Command, round: Round | None) -> None:
        """The dealer wants the next hand: not while somebody is out who has chips, or they would not be dealt in."""
        owed = self._owed_by(round) if round is not None else ()
        if owed:
            self.pad = Pad(problem=Refusal("needs-reinstating", {"participant": owed[0]}))
        elif self._next is None:
            self._next = Letter(self._fresh_id(), command)

    def _execute(self, *commands: Any) -> Refusal | None:
        """Carry out commands of the own stream in one commit; the last one's refusal."""
        orders = [Order(self._fresh_id(), self._stream, command) for command in commands]
        answer = self._engine.execute(orders)[-1].answer
        return None if answer.ok else Refusal(answer.code, answer.detail)

    # -- what the round is told --------------------------------------------------------------------------

    @property
    def _state(self) -> kinds.TableState:
        state: kinds.TableState = self._engine.state(self._stream)
        return state

    @property
    def _end(self) -> kinds.Ending | None:
        return end_of(self._state)

    @property
    def _told(self) -> bool:
        return is_told(self._state, self._number)

    def _go_on(self) -> None:
        """Send what is next, one letter at a time; what somebody took back meanwhile is not sent."""
        if self._next is not None and not self._reachable():
            self._play_on(self._next)
        if self._away is not None or self._is_kept():
            return
        end = self._end
        cause = end.cause if end else None
        self._letters = [letter for letter in self._letters if letter.end == cause]
        if end is not None and self._asked_for != cause:
            self._letters = self._written(end)
            self._asked_for, self._again = cause, False
        if self._letters:
            self._post(self._letters.pop(0), TOLD_TTL_MS)
        elif end is not None and not self._told:
            self._execute(told_note(end, self._number))
        if self._away is None and self._next is not None:
            self._post(self._next, NEXT_TTL_MS)

    def _play_on(self, wish: Letter) -> None:
        """Begin the next hand without a director: what the last one asks for and the wish are kept until one is there.

        A letter that is on its way may have arrived: it is kept under its id, and so is the same one.
        """
        self._next, end = None, self._end
        self._away = None if self._away is wish else self._away
        if self._engine.carried_out(f"round/{wish.command.round}", wish.id):
            return
        letters = self._written(end) if end is not None else []
        told = () if end is None or self._told else (told_note(end, self._number),)
        refusal = self.offline.keep(letters, wish, *told)
        if refusal is not None:
            self._refuse(refusal, None)
            return
        if any(letter.id == self._away.id for letter in letters if self._away is not None):
            self._away = None
        for letter in letters:
            if isinstance(letter.command, Stacks):
                self._watch.sent(letter.command.stacks)
        self._letters, self._asked_for, self._again = [], end.cause if end is not None else None, False
        self._look_again(wish.command.round)

    def _is_kept(self) -> bool:
        """Whether something that was kept has to be answered first; it is sent if that can be."""
        pending = self.offline.pending
        if pending and self._reachable() and self._again_at is None:
            self._post(letter_of(pending[0]), NEXT_TTL_MS)
        return bool(pending)

    def _look_again(self, number: str) -> None:
        """The round as this table goes on with it has changed."""
        round = self._round(number)
        if round is not None:
            self._take_up(round)
            self._carry_in(round)

    def _written(self, end: kinds.Ending) -> list[Letter]:
        round = self._round(end.round)
        if round is None:
            return []
        moment = replace(self.hands.now, current=None, hand=None)  # the next hand may have begun already
        over = replace(self.hands, now=moment)
        self._remind(round)
        if self._told and not self._again:
            return []
        for participant, chips in moved_in_hand(over, round).items():
            self._refuse(Refusal("moved-in-hand", {"participant": participant, "chips": chips}), participant)
        asked = (replace(p, hand=end.hand) if isinstance(p, Stacks) else p for p in proposals(over, round))
        letters = [Letter(letter_id(end.cause, each), each, end.cause) for each in asked]
        return [letter for letter in letters if letter.id not in self._tried]

    def _post(self, letter: Letter, ttl_ms: int) -> None:
        self._away = letter
        if isinstance(letter.command, Stacks):
            self._watch.sent(letter.command.stacks)
        self._send(letter.id, letter.command, ttl_ms, self._answered)

    def _answered(self, reply: Reply) -> None:
        code = "" if reply.ok else reply.refusal.code if reply.refusal else NO_ANSWER
        letter, away = self._away, self._away is not None and self._away.id == reply.id
        self._away = None if away else letter
        offer = self.offline.find(reply.id)
        if offer is not None:
            self._offer_answered(offer, Refusal(code, _detail(reply)) if code else None)
        if offer is not None or letter is None or not away:
            return
        if letter is self._next:
            self._next = None
        elif code == NO_ANSWER:
            self._letters.insert(0, letter)
            code = ""
        else:
            self._tried.add(letter.id)
        if code:
            detail = _detail(reply)
            _log.warning("%s was refused: %s %s", name_of(letter.command), code, detail)
            self._refuse(Refusal(code, detail), getattr(letter.command, "participant", None))
        if code and letter.end:  # the round is not what the table thought: it may still ask for the rest
            self._asked_for, self._again = None, True
        self._go_on()

    def _offer_answered(self, offer: Offered, refusal: Refusal | None) -> None:
        """What was kept is answered, or has to be sent again."""
        if refusal is not None and refusal.code in NOT_YET:
            if refusal.code != NO_ANSWER:
                self._again_at = time.monotonic() + RETRY_S
            self._go_on()
            return
        told = self.offline.answered(offer, refusal)
        if told is not None:
            _log.warning("hand %d was played without a director and refused: %s", offer.hand, told)
            self._refuse(told, told.detail.get("participant"))
        self._look_again(offer.round)
        self._go_on()

    def _refuse(self, refusal: Refusal, participant: str | None) -> None:
        self.pad = replace(self.pad, problem=refusal)
        self._complain(refusal, participant)

    def _remind(self, round: Round) -> None:
        """Say who went out in the hand as it ended before, and is not out as it ends now."""
        self._owed = self._owed_by(round)
        for participant in self._owed:
            self._refuse(Refusal("needs-reinstating", {"participant": participant}), participant)

    def _owed_by(self, round: Round) -> tuple[str, ...]:
        return to_reinstate(self.hands, round, self._number, self._watch.out)

    def _round(self, number: str) -> Round | None:
        return self.offline.ledger(number).round


def _detail(reply: Reply) -> dict[str, Any]:
    return msgspec.json.decode(reply.refusal.detail, type=dict[str, Any]) if reply.refusal else {}
