"""What a table tells the round that is played there: how its hands ended, that the next one begins (DESIGN §5).

What a tracked hand's end asks of the round (stacks, then busts: T-7) goes to the director one by one, each under an
id that follows from the end itself: told again after a restart or a lost link, it is the same command. A note in the
table's stream says when all of it was answered. While no director is there it is kept instead (`appliance.offline`).
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any, Protocol

import msgspec
from msgspec.structs import replace

from appliance import kinds
from appliance.engine import Engine, Order
from appliance.game.command import Command
from appliance.game.commands import Bust, Stacks, name_of
from appliance.game.refusal import Refusal
from appliance.game.state import Round
from appliance.game.tablestream.proposals import moved_in_hand, proposals, to_reinstate
from appliance.game.tablestream.state import TableHands
from appliance.link.envelope import Reply
from appliance.link.lan import NO_ANSWER
from appliance.offers import Offered
from appliance.offline import NOT_YET, RETRY_S, Offline, letter_of
from appliance.tablecount import CountWatch
from appliance.tableletters import NEXT_TTL_MS, TOLD_TTL_MS, Letter, Send, letter_id
from appliance.tabletold import end_of, is_told, told_note

_log = logging.getLogger(__name__)


class Dealer(Protocol):
    """The table's own work, as far as what is told concerns it."""

    def refused(self, refusal: Refusal, participant: str | None) -> None:
        """Something was refused, or is for a person to see to."""

    def look_again(self, round: Round) -> None:
        """The round as this table goes on with it has changed."""


class Telling:
    """One table's. ``reachable``: whether a director is there."""

    def __init__(
        self,
        engine: Engine,
        stream: str,
        number: int,
        send: Send,
        reachable: Callable[[], bool],
        offline: Offline,
        watch: CountWatch,
        dealer: Dealer,
    ) -> None:
        self._engine, self._stream, self._number = engine, stream, number
        self._send, self._reachable = send, reachable
        self._offline, self._watch, self._dealer = offline, watch, dealer
        self._again_at: float | None = None
        self._letters: list[Letter] = []
        self._away: Letter | None = None
        self._asked_for: str | None = None  # the end whose letters were written in this life of the program
        self._again = False
        self._tried: set[str] = set()  # letters of it that were answered
        self._next: Letter | None = None
        self.owed: tuple[str, ...] = ()

    @property
    def hands(self) -> TableHands:
        """The table's hands, as its stream tells them."""
        return self._state.hands

    @property
    def told(self) -> bool:
        """Whether all that the last hand asks for was answered."""
        return is_told(self._state, self._number)

    @property
    def idle(self) -> bool:
        """Whether nothing is on its way."""
        return self._away is None

    @property
    def sending(self) -> bool:
        """Whether what was kept is being told to a director who takes it."""
        return self._reachable() and self._again_at is None

    @property
    def due(self) -> float | None:
        """When `tick` has something to do (monotonic seconds)."""
        return self._again_at

    def tick(self) -> None:
        """Send again what the director could not take."""
        if self._again_at is not None and time.monotonic() >= self._again_at:
            self.reached()

    def reached(self) -> None:
        """A director has come or gone: what waits is sent, or the table goes on without."""
        self._again_at = None
        self.go_on()

    def wish(self, letter: Letter) -> None:
        """The dealer wants the next hand; wished for twice, it is one."""
        if self._next is None:
            self._next = letter

    def hand_goes_on(self) -> None:
        """No next hand yet; one that is on its way may come all the same."""
        self._next = self._next if self._next is self._away else None

    def ask_again(self) -> None:
        """The round is not what the table thought: it may still ask for the rest."""
        self._asked_for, self._again = None, True

    def owed_by(self, round: Round) -> tuple[str, ...]:
        """Who went out in the hand as it ended before, and is not out as it ends now."""
        return to_reinstate(self.hands, round, self._number, self._watch.out)

    def go_on(self) -> None:
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
        elif end is not None and not self.told:
            self._note(told_note(end, self._number))
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
        told = () if end is None or self.told else (told_note(end, self._number),)
        refusal = self._offline.keep(letters, wish, *told)
        if refusal is not None:
            self._dealer.refused(refusal, None)
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
        pending = self._offline.pending
        if pending and self._reachable() and self._again_at is None:
            self._post(letter_of(pending[0]), NEXT_TTL_MS)
        return bool(pending)

    def _written(self, end: kinds.Ending) -> list[Letter]:
        round = self._round(end.round)
        if round is None:
            return []
        moment = replace(self.hands.now, current=None, hand=None)  # the next hand may have begun already
        over = replace(self.hands, now=moment)
        self._remind(round)
        if self.told and not self._again:
            return []
        for participant, chips in moved_in_hand(over, round).items():
            self._dealer.refused(Refusal("moved-in-hand", {"participant": participant, "chips": chips}), participant)
        asked = [self._dated(each, end) for each in proposals(over, round)]
        letters = [Letter(letter_id(end.cause, each), each, end.cause) for each in asked]
        return [letter for letter in letters if letter.id not in self._tried]

    def _dated(self, command: Command, end: kinds.Ending) -> Command:
        """With the hand that it is about, and when it happened if it will be told later (T-7)."""
        if isinstance(command, Stacks):
            return replace(command, hand=end.hand)
        if isinstance(command, Bust) and not self._reachable():
            return replace(command, happened=self._offline.now_ms())
        return command

    def _post(self, letter: Letter, ttl_ms: int) -> None:
        self._away = letter
        if isinstance(letter.command, Stacks):
            self._watch.sent(letter.command.stacks)
        self._send(letter.id, letter.command, ttl_ms, self._answered)

    def _answered(self, reply: Reply) -> None:
        code = "" if reply.ok else reply.refusal.code if reply.refusal else NO_ANSWER
        letter, away = self._away, self._away is not None and self._away.id == reply.id
        self._away = None if away else letter
        offer = self._offline.find(reply.id)
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
            self._dealer.refused(Refusal(code, detail), getattr(letter.command, "participant", None))
        if code and letter.end:  # the round is not what the table thought: it may still ask for the rest
            self.ask_again()
        self.go_on()

    def _offer_answered(self, offer: Offered, refusal: Refusal | None) -> None:
        """What was kept is answered, or has to be sent again."""
        if refusal is not None and refusal.code in NOT_YET:
            if refusal.code != NO_ANSWER:
                self._again_at = time.monotonic() + RETRY_S
            self.go_on()
            return
        told = self._offline.answered(offer, refusal)
        if told is not None:
            _log.warning("hand %d was played without a director and refused: %s", offer.hand, told)
            self._dealer.refused(told, told.detail.get("participant"))
        self._look_again(offer.round)
        self.go_on()

    def _look_again(self, number: str) -> None:
        round = self._round(number)
        if round is not None:
            self._dealer.look_again(round)

    def _remind(self, round: Round) -> None:
        """Say who went out in the hand as it ended before, and is not out as it ends now."""
        self.owed = self.owed_by(round)
        for participant in self.owed:
            self._dealer.refused(Refusal("needs-reinstating", {"participant": participant}), participant)

    @property
    def _state(self) -> kinds.TableState:
        state: kinds.TableState = self._engine.state(self._stream)
        return state

    @property
    def _end(self) -> kinds.Ending | None:
        return end_of(self._state)

    def _note(self, note: kinds.Note) -> None:
        self._engine.execute([Order(self._offline.fresh_id(), self._stream, note)])

    def _round(self, number: str) -> Round | None:
        return self._offline.ledger(number).round


def _detail(reply: Reply) -> dict[str, Any]:
    return msgspec.json.decode(reply.refusal.detail, type=dict[str, Any]) if reply.refusal else {}
