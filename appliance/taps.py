"""What a tap means here: from a card and this kiosk's own copy of the evening to what the screen says.

Pure: time comes in, nothing goes out but the answer. The order of things is DESIGN §4: what the copy can answer is
answered at once; before the start a participant waits for the identity check, and the commissioner's card tapped
next confirms it (T-2).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from appliance.cards.verdict import Accepted, Refused, Verdict
from appliance.cards.verdict import Refusal as CardRefusal
from appliance.display import prompt as show
from appliance.display.prompt import Prompt
from appliance.game.commands import Command, Register
from appliance.game.results import results
from appliance.game.state import Phase, Round, Status

IDENTITY_CHECK_MS = 60_000
"""How long a participant may wait for the commissioner's card."""

_UNREADABLE = frozenset({CardRefusal.UNREADABLE, CardRefusal.MALFORMED})


class Ask(NamedTuple):
    """A command for the director: who asks, and for whom the answer is shown."""

    command: Command
    actor: str
    participant: str


class Waiting(NamedTuple):
    """A participant whose identity is to be checked for a round, until (monotonic ms: people wait in real time)."""

    participant: str
    round: str
    until: int


class Outcome(NamedTuple):
    """What a tap leads to: the screen's words, a command to send, a refused card to note, who waits now."""

    prompt: Prompt
    ask: Ask | None = None
    refused: Refused | None = None
    waiting: Waiting | None = None


def tonight(rounds: Iterable[Round], now: int) -> Round | None:
    """The round a tap is about: the one in play, else the next that takes registrations, else the next announced.

    Without any of those the one that ended last, so that its players can still see their place.
    """
    order = {Phase.RUNNING: 0, Phase.OPEN: 1, Phase.ANNOUNCED: 2, Phase.MOVED: 2, Phase.FINISHED: 3, Phase.CANCELLED: 4}
    return min(rounds, key=lambda r: (order[r.phase], abs(r.starts_at - now)), default=None)


def tap(verdict: Verdict, round: Round | None, waiting: Waiting | None, now: int) -> Outcome:
    """Answer a tap. ``waiting`` is who was left waiting by the tap before; ``now`` in monotonic ms."""
    if isinstance(verdict, Refused):
        return _refused(verdict, waiting)
    if verdict.role == "commissioner":
        return _commissioner(verdict, waiting, now)
    return _participant(verdict.participant, round, now)


def _refused(verdict: Refused, waiting: Waiting | None) -> Outcome:
    if verdict.code in _UNREADABLE:
        # the reader's fault may be no fault of the card (LG-6): whoever waits goes on waiting
        return Outcome(show.UnreadableCard(), waiting=waiting)
    if verdict.hand_in:
        return Outcome(show.BlockedCard(), refused=verdict)
    phone = verdict.code is CardRefusal.PHONE
    return Outcome(show.PhoneCard() if phone else show.UnknownCard(), refused=verdict)


def _commissioner(card: Accepted, waiting: Waiting | None, now: int) -> Outcome:
    if waiting is None or now > waiting.until:
        return Outcome(show.CommissionerAccepted(card.participant))
    command = Register(round=waiting.round, participant=waiting.participant, identity_checked=True)
    return Outcome(show.Waiting(waiting.participant), Ask(command, card.participant, waiting.participant))


def _participant(participant: str, round: Round | None, now: int) -> Outcome:
    if round is None:
        return Outcome(show.WrongEvening())
    player = round.players.get(participant)
    if player is None:
        return _newcomer(participant, round, now)
    if player.status is Status.IN and player.seat is not None:
        return Outcome(show.YourSeat(participant, *player.seat))
    if player.status is Status.REGISTERED:
        return Outcome(show.AlreadyRegistered(participant))
    mine = next((row for row in results(round) if row.participant == participant), None)
    if mine is None:
        return Outcome(show.Refused("not-in-play", participant=participant))
    return Outcome(show.YourResult(participant, mine.place, mine.prize))


def _newcomer(participant: str, round: Round, now: int) -> Outcome:
    match round.phase:
        case Phase.OPEN:
            pass
        case Phase.RUNNING if round.late_registration:
            pass
        case Phase.RUNNING:
            return Outcome(show.Refused("registration-closed", participant=participant))
        case Phase.FINISHED | Phase.CANCELLED:
            return Outcome(show.WrongEvening())
        case _:
            return Outcome(show.WrongEvening(round.starts_at))
    waiting = Waiting(participant, round.id, now + IDENTITY_CHECK_MS)
    return Outcome(show.CheckIdentity(participant, round.deposit), waiting=waiting)
