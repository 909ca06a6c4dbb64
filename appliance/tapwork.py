"""What taps, PINs and the door's knob lead to at one kiosk: who waits, what is asked of the director, what is shown.

For the engine thread. What it needs of the kiosk is `Counter`; what a tap means is `appliance.taps`.
"""

from __future__ import annotations

import time
from typing import NamedTuple, Protocol

import msgspec

from appliance import kinds, taps
from appliance.allowance import Allowances, as_told
from appliance.allowancenotes import AllowanceAsked
from appliance.cards.outcome import Accepted, Refusal, Refused, Tone, Verdict
from appliance.display import prompt as show
from appliance.display.prompt import Prompt
from appliance.game.command import Command
from appliance.game.commands import Deposit
from appliance.game.roster import Roster
from appliance.game.state import Phase, Round
from appliance.hw.panel import Signal
from appliance.link.envelope import Reply
from appliance.link.lan import NO_ANSWER
from appliance.pinwork import PinWork, Typed

PROMPT_S = 8.0
"""How long an answer stays on the screen."""
KNOB_CZK = 10
"""How much a click of the knob is."""

_SIGNALS = {tone: Signal(tone.value) for tone in Tone}


class FloorMenu(Protocol):
    """The kiosk's floor menu."""

    def open(self, who: str, card: str) -> None:
        """A commissioner has shown their rights with this card, and nobody waits for them."""

    def takes(self, card: Verdict) -> bool:
        """Whether a card was said to the menu, which is open."""


class Counter(Protocol):
    """The kiosk, as far as taps need it."""

    @property
    def menu(self) -> FloorMenu: ...

    @property
    def device(self) -> str: ...
    @property
    def table(self) -> int | None: ...
    @property
    def rounds(self) -> tuple[Round, ...]: ...
    @property
    def roster(self) -> Roster: ...

    def now_ms(self) -> int: ...
    def ask_director(self, ask: taps.Ask, meanwhile: Prompt) -> None:
        """Send a command; ``meanwhile`` is shown when the answer takes long."""

    def note(self, note: kinds.Note) -> None:
        """Have it written into the venue's stream, in its time."""

    def say(self, prompt: Prompt | None, seconds: float, expected: Prompt | None = None) -> None:
        """Show a prompt, or take it from the screen."""

    def signal(self, signal: Signal) -> None:
        """Tell the room by light and buzzer."""

    def floor_is_here(self) -> None:
        """A commissioner has shown their rights."""

    def seated(self, prompt: show.YourSeat) -> None:
        """Somebody was told their seat."""


class Seated(NamedTuple):
    """Who was just told their seat, and may raise the deposit by the knob: the round, at most how much, until when."""

    seat: show.YourSeat
    round: str
    left: int
    until: int


class TapWork:
    """One kiosk's taps."""

    def __init__(self, counter: Counter, pin: PinWork | None = None) -> None:
        self._counter = counter
        self._pin = pin or PinWork()
        self._seated: Seated | None = None
        self._card = ""
        self.waiting: taps.Waiting | None = None

    # -- cards -------------------------------------------------------------------------------------------

    def tap(self, card: Verdict) -> None:
        """A card was judged."""
        counter = self._counter
        if self.asks_pin:  # else its time may be up, and with it that of who waited behind it
            self._pin.end()
        self._seated = None
        if isinstance(card, Refused) and card.code is Refusal.UNKNOWN and not counter.roster.entries:
            self.tell(show.NoAnswer())  # the league's word is not here yet: no fault of the card, and no note of it
            counter.signal(Signal.AGAIN)
            return
        self._card = card.uid or ""
        refused = outcome = None
        if not counter.menu.takes(card):
            outcome = taps.tap(card, counter.rounds, self.waiting, self._now(), counter.table, self._given)
            self._follow(outcome)
            refused = outcome.refused
        counter.signal(_SIGNALS[card.tone])
        if isinstance(card, Accepted):
            counter.note(
                kinds.CardAccepted(
                    device=counter.device, uid=card.uid, participant=card.participant, tier=card.tier.value
                )
            )
            if card.rights:
                counter.floor_is_here()
            if outcome is not None and outcome.wanted is not None:
                asked = AllowanceAsked(device=counter.device, participant=card.participant, round=outcome.wanted)
                counter.note(asked)
        elif refused is not None:
            code, uid, who = card.code.value, card.uid, card.participant
            counter.note(kinds.CardRefused(device=counter.device, reason=code, uid=uid, participant=who))

    def _follow(self, outcome: taps.Outcome) -> None:
        self.waiting = outcome.waiting
        if outcome.pin is not None:
            self._ask_pin(outcome.pin)
        elif outcome.ask is not None:
            self._counter.ask_director(outcome.ask, outcome.prompt)
        elif outcome.waiting is not None:
            self._counter.say(outcome.prompt, taps.IDENTITY_CHECK_MS / 1000, self._expected(outcome.waiting))
        elif isinstance(outcome.prompt, show.CommissionerAccepted):
            self._counter.say(None, 0)
            self._counter.menu.open(outcome.prompt.participant, self._card)
        else:
            self._counter.say(outcome.prompt, PROMPT_S)
            if isinstance(outcome.prompt, show.YourSeat):
                self._has_seat(outcome.prompt)

    def _now(self) -> taps.Now:
        return taps.Now(self._counter.now_ms(), _mono_ms())

    def _expected(self, waiting: taps.Waiting) -> Prompt | None:
        """What will be said if nobody objects, so that it can be made ready; after the start it depends on the draw."""
        round = self._round(waiting.round)
        if round is None or round.phase is not Phase.OPEN:
            return None
        return registered(waiting.participant, round)

    # -- a commissioner's PIN ----------------------------------------------------------------------------

    def _ask_pin(self, who: str) -> None:
        entry = self._counter.roster.by_number(who)
        said = self._pin.begin(who, entry.pin if entry else None, _mono_ms())
        if isinstance(said, show.PinRefused):
            self.waiting = None
            self._note_pin(who, said.why)
        seconds = PROMPT_S if isinstance(said, show.PinRefused) else taps.PIN_MS / 1000
        self._counter.say(taps.before(self.waiting, said), seconds)

    @property
    def asks_pin(self) -> bool:
        """Whether keys are a PIN's now."""
        if self._pin.who is not None and _mono_ms() > self._pin.until:
            self._pin.end()
            self.waiting = None  # the screen shows nobody any more
        return self._pin.who is not None

    def key(self, name: str) -> None:
        """A key of the PIN."""
        self._typed(self._pin.press(name, _mono_ms()))

    def _typed(self, typed: Typed) -> None:
        if typed.right is not None:
            self._note_pin(typed.right, "right")
            self._counter.signal(Signal.ACCEPTED)
            self._follow(taps.commissioner(typed.right, self.waiting, self._now()))
            self._counter.floor_is_here()
            return
        if typed.found is not None and typed.say is not None:
            self._note_pin(typed.say.participant, typed.found.value)
            self._counter.signal(Signal.REFUSED)
        if typed.over:
            self.waiting = None
        seconds = PROMPT_S if typed.over else (self._pin.until - _mono_ms()) / 1000
        self._counter.say(taps.before(self.waiting, typed.say), seconds)

    def _note_pin(self, who: str, answer: str) -> None:
        self._counter.note(kinds.PinChecked(device=self._counter.device, participant=who, answer=answer))

    @property
    def _given(self) -> Allowances:
        return as_told(self._counter.roster, self._counter.now_ms())

    # -- the door's knob ---------------------------------------------------------------------------------

    def _has_seat(self, seat: show.YourSeat) -> None:
        self._counter.seated(seat)
        if self._counter.table is None and (
            left := taps.top_up_left(seat.participant, self._counter.rounds, self._now(), self._given)
        ):
            self._seated = Seated(seat, *left, _mono_ms() + round(PROMPT_S * 1000))

    def turned(self, steps: int) -> None:
        """The knob was turned: a PIN's digit, or by how much somebody in play raises the deposit (T-3)."""
        if self.asks_pin:
            self._typed(self._pin.turn(steps))
            return
        seated = self._seated
        if seated is None or _mono_ms() > seated.until:
            return
        until = _mono_ms() + taps.IDENTITY_CHECK_MS
        amount = self.waiting.amount if self.waiting else 0
        amount = min(max(_stepped(amount, steps), 0), seated.left)
        self._seated = seated._replace(until=until)
        if not amount:
            self.waiting = None
            self._counter.say(seated.seat, PROMPT_S)
            return
        who = seated.seat.participant
        self.waiting = taps.Waiting(who, seated.round, until, amount)
        self._counter.say(
            show.TopUp(who, amount, self._chips(seated.round, amount), seated.left), taps.IDENTITY_CHECK_MS / 1000
        )

    def pushed(self, held: bool) -> None:
        """The knob was pushed: takes a PIN's digit, or sets the amount back."""
        if self.asks_pin:
            self._typed(self._pin.push(held, _mono_ms()))
        elif self._seated is not None and self.waiting is not None and self.waiting.amount:
            self.turned(-self._seated.left)

    def _chips(self, number: str, amount: int) -> int:
        round = self._round(number)
        return amount * round.rules.chips_per_crown if round else 0

    # -- answers -----------------------------------------------------------------------------------------

    def answered(self, asked: taps.Ask, reply: Reply, one_copy: bool = False) -> None:
        """The director's answer, once its events are in the own copy; ``one_copy``: accepted, and they are not yet."""
        if one_copy:
            self._answered_from_one_disk(asked)
        else:
            self.tell(self._answer(asked, reply))

    def _answered_from_one_disk(self, asked: taps.Ask) -> None:
        """Accepted, and so far only the director's disk says so (DESIGN §3)."""
        round = self._round(asked.command.round)
        if round is None:
            return
        if isinstance(asked.command, Deposit):
            amount = asked.command.amount
            self.tell(show.ToppedUp(asked.participant, amount, self._chips(round.id, amount)))
        else:
            self.tell(registered(asked.participant, round, one_copy=True))

    def tell(self, answer: Prompt) -> None:
        """Show an answer that has come; the commissioner's card confirms nobody whom the screen does not show.

        If the next one waits there already, good news gives way to them; bad news does not, and they must tap again.
        """
        if self.waiting is not None and isinstance(answer, show.Registered | show.YourSeat | show.ToppedUp):
            return
        self.waiting = None
        self._pin.end()
        self._counter.say(answer, PROMPT_S)
        if isinstance(answer, show.YourSeat):
            self._has_seat(answer)

    def _answer(self, asked: taps.Ask, reply: Reply) -> Prompt:
        """The words for the one who waits; what was registered is read from the own copy."""
        if not reply.ok:
            code = reply.refusal.code if reply.refusal else NO_ANSWER
            if code == NO_ANSWER:
                return show.NoAnswer(asked.participant)
            detail = msgspec.json.decode(reply.refusal.detail) if reply.refusal else {}
            return show.Refused(code, detail, asked.participant)
        round = self._round(asked.command.round)
        player = round.players.get(asked.participant) if round else None
        if player is None or round is None:
            return show.NoAnswer(asked.participant)
        command: Command = asked.command
        if isinstance(command, Deposit):
            return show.ToppedUp(asked.participant, command.amount, self._chips(round.id, command.amount))
        if player.seat is not None:
            return show.YourSeat(asked.participant, *player.seat)
        return show.Registered(asked.participant, player.deposit, player.chips)

    def _round(self, number: str) -> Round | None:
        return next((round for round in self._counter.rounds if round.id == number), None)


def registered(participant: str, round: Round, *, one_copy: bool = False) -> show.Registered:
    """What is said of a registration with the announced deposit (T-4)."""
    chips = round.deposit * round.rules.chips_per_crown
    return show.Registered(participant, round.deposit, chips, one_copy=one_copy)


def _stepped(amount: int, steps: int) -> int:
    """So many clicks further, on whole steps of the knob."""
    if amount % KNOB_CZK and steps < 0:
        return (amount // KNOB_CZK + 1 + steps) * KNOB_CZK
    return (amount // KNOB_CZK + steps) * KNOB_CZK


def _mono_ms() -> int:
    return time.monotonic_ns() // 1_000_000
