"""What a tap means here: from a card and this kiosk's own copy of the evening to what the screen says.

Pure: time comes in, nothing goes out but the answer. The order of things is DESIGN §4: what the copy can answer is
answered at once; before the start a participant waits for the identity check, and the commissioner's card tapped
next confirms it (T-2).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from appliance import allowance, evening
from appliance.allowance import NO_ALLOWANCE, NONE_GIVEN, Allowances, registration
from appliance.cards.outcome import Accepted, Refused, Verdict
from appliance.cards.outcome import Refusal as CardRefusal
from appliance.display import prompt as show
from appliance.display.prompt import Prompt
from appliance.game.command import (
    Command,
)
from appliance.game.commands import (
    Deposit,
    Register,
)
from appliance.game.results import results
from appliance.game.round import verify
from appliance.game.state import Ledger, Phase, Round, Status

IDENTITY_CHECK_MS = 60_000
"""How long a participant may wait for the commissioner's card."""

PIN_MS = 30_000
"""How long a commissioner may take to type a PIN."""

_UNREADABLE = frozenset({CardRefusal.UNREADABLE, CardRefusal.MALFORMED})


class Ask(NamedTuple):
    """A command for the director: who asks, and for whom the answer is shown."""

    command: Command
    actor: str
    participant: str


class Waiting(NamedTuple):
    """A participant who waits for the commissioner, until (monotonic ms: people wait in real time).

    For the identity check and to be registered, or with an ``amount`` (CZK) to raise the deposit by it.
    """

    participant: str
    round: str
    until: int
    amount: int = 0


class Now(NamedTuple):
    """This moment: UTC ms by the director's clock for what the rules ask, monotonic ms for how long people wait."""

    utc_ms: int
    mono_ms: int


class Outcome(NamedTuple):
    """What a tap leads to: the screen's words, a command to send, a refused card to note, who waits now.

    ``pin``: the commissioner whose PIN is asked for, because the card proves too little. ``wanted``: the participant's
    allowance is somewhere else (T-3), and wanted for this round.
    """

    prompt: Prompt
    ask: Ask | None = None
    refused: Refused | None = None
    waiting: Waiting | None = None
    pin: str | None = None
    wanted: str | None = None


def tap(
    verdict: Verdict,
    rounds: Sequence[Round],
    waiting: Waiting | None,
    now: Now,
    table: int | None = None,
    given: Allowances = NONE_GIVEN,
) -> Outcome:
    """Answer a tap from what is known here. ``waiting`` is who the screen says is waiting; ``table`` if it is one's."""
    if isinstance(verdict, Refused):
        return _refused(verdict)
    if verdict.role == "commissioner":
        if not verdict.rights:
            return _pin(verdict.participant, waiting, now)
        return commissioner(verdict.participant, waiting, now)
    return _participant(verdict, rounds, now, table, given)


def _refused(verdict: Refused) -> Outcome:
    """Nobody goes on waiting unseen: what the screen does not say, the commissioner's card must not confirm."""
    if verdict.code in _UNREADABLE:
        return Outcome(show.UnreadableCard())  # the reader's fault may be no fault of the card (LG-6): no note of it
    return Outcome(show.CardRefused(verdict.code.value, verdict.hand_in), refused=verdict)


def _pin(participant: str, waiting: Waiting | None, now: Now) -> Outcome:
    """Who waits goes on waiting while the PIN is typed."""
    if waiting is not None:
        lives = now.mono_ms <= waiting.until
        waiting = waiting._replace(until=max(waiting.until, now.mono_ms + PIN_MS)) if lives else None
    return Outcome(show.EnterPin(participant), waiting=waiting, pin=participant)


def before(waiting: Waiting | None, said: Prompt | None) -> Prompt | None:
    """What is said, and where it asks for a PIN whom the right one confirms."""
    if not isinstance(said, show.EnterPin) or waiting is None:
        return said
    return replace(said, confirms=waiting.participant, amount=waiting.amount)


def commissioner(participant: str, waiting: Waiting | None, now: Now) -> Outcome:
    """A commissioner has shown their rights: they confirm whoever waits."""
    if waiting is None or now.mono_ms > waiting.until:
        return Outcome(show.CommissionerAccepted(participant))
    command: Command = _register(waiting.round, waiting.participant)
    if waiting.amount:
        command = Deposit(round=waiting.round, participant=waiting.participant, amount=waiting.amount)
    return Outcome(show.Waiting(waiting.participant), Ask(command, participant, waiting.participant))


def top_up_left(
    participant: str, rounds: Sequence[Round], now: Now, given: Allowances = NONE_GIVEN
) -> tuple[str, int] | None:
    """By how many crowns somebody in play may raise the deposit, and in which round; None: not at all (T-3)."""
    round = evening.of_participant(rounds, participant, now.utc_ms)
    if round is None:
        return None
    refusal = verify(Ledger(round), Deposit(round=round.id, participant=participant, amount=1), now.utc_ms)
    if refusal is None:
        refusal = allowance.top_up(round, rounds, participant, round.rules.deposit_limit + 1, now.utc_ms, given)
        left = int(refusal.detail["left"] or 0) if refusal else 0
        return (round.id, left) if left else None
    return None


def _participant(card: Accepted, rounds: Sequence[Round], now: Now, table: int | None, given: Allowances) -> Outcome:
    participant, weak = card.participant, card.identity_check
    round = evening.of_participant(rounds, participant, now.utc_ms, table)
    if round is None:
        return Outcome(show.WrongEvening())
    player = round.players.get(participant)
    if player is None:
        return _newcomer(card, round, rounds, now, given)
    if player.status is Status.IN and player.seat is not None and round.phase is not Phase.FINISHED:
        return Outcome(show.YourSeat(participant, *player.seat, weak=weak))
    if player.status is Status.REGISTERED:
        return Outcome(show.AlreadyRegistered(participant, weak))
    mine = next((row for row in results(round) if row.participant == participant), None)
    if mine is None:
        code = "already-void" if player.status is Status.VOID else "not-in-play"
        return Outcome(show.Refused(code, participant=participant))
    return Outcome(show.YourResult(participant, mine.place, mine.prize, weak))


def _newcomer(card: Accepted, round: Round, rounds: Sequence[Round], now: Now, given: Allowances) -> Outcome:
    """Ask for identity and deposit only where the rules would take them: nobody hands over money to be refused."""
    if round.phase in (Phase.FINISHED, Phase.CANCELLED):
        return Outcome(show.WrongEvening())
    if round.phase in (Phase.ANNOUNCED, Phase.MOVED):
        return Outcome(show.WrongEvening(round.starts_at))
    participant = card.participant
    command = _register(round.id, participant)
    refusal = verify(Ledger(round), command, now.utc_ms) or registration(round, rounds, command, now.utc_ms, given)
    if refusal is not None:
        wanted = round.id if refusal.detail.get("reason") == NO_ALLOWANCE else None
        return Outcome(show.Refused(refusal.code, dict(refusal.detail), participant), wanted=wanted)
    waiting = Waiting(participant, round.id, now.mono_ms + IDENTITY_CHECK_MS)
    return Outcome(show.CheckIdentity(participant, round.deposit, card.identity_check), waiting=waiting)


def _register(round: str, participant: str) -> Register:
    return Register(round=round, participant=participant, identity_checked=True)
