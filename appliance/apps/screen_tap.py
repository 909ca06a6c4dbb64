"""Cards held to the reader of a picture: ``tableside screen --tap CARD,CARD`` (CONTRACT)."""

from __future__ import annotations

import re
from typing import NamedTuple

from appliance.cards.outcome import MEANINGS, Accepted, Refused, Tier, Verdict
from appliance.cards.outcome import Refusal as CardRefusal
from appliance.display import prompt as p
from appliance.game.refusal import Refusal
from appliance.game.roster import Roster
from appliance.game.round import decide, fold
from appliance.game.state import Ledger
from appliance.link.commands import NO_ANSWER
from appliance.taps import Ask, Now, Waiting, before, tap
from appliance.tapwork import registered

ANSWER = "answer"
_CARD = re.compile(r"(weak:)?([0-9]{1,12})")
_SEED = 0


class TapError(ValueError):
    """Cards that no reader would take for any; the text says which and why."""


class Tapped(NamedTuple):
    """What is said after the last card, and the round after what was asked of the director."""

    prompt: p.Prompt
    ledger: Ledger


def tapped(ledger: Ledger, roster: Roster, at_ms: int, cards: str, table: int | None) -> Tapped:
    """Hold cards to the reader one after the other. Raises `TapError`."""
    said: p.Prompt = p.Waiting()
    waiting: Waiting | None = None
    ask: Ask | None = None
    for card in cards.split(","):
        if card in (ANSWER, NO_ANSWER):
            if ask is None:
                raise TapError(f"--tap {card}: nothing was asked of the director")
            said, ledger = _answer(ledger, ask, at_ms) if card == ANSWER else (p.NoAnswer(ask.participant), ledger)
            ask = waiting = None
            continue
        rounds = [ledger.round] if ledger.round else []
        outcome = tap(_verdict(card, roster), rounds, waiting, Now(at_ms, 0), table)
        waiting, ask = outcome.waiting, outcome.ask
        said = before(waiting, outcome.prompt) or outcome.prompt
    return Tapped(said, ledger)


def _verdict(card: str, roster: Roster) -> Verdict:
    """What the reader makes of a card: a commissioner's is one whom the roster calls so."""
    kind, _, code = card.partition(":")
    codes = [refusal.value for refusal in MEANINGS]
    if kind == "refused" and code in codes:
        return Refused(CardRefusal(code))
    found = _CARD.fullmatch(card)
    if not found:
        raise TapError(
            f"--tap {card[:30]}: a registration number, digits only, weak:NUMBER, {ANSWER}, {NO_ANSWER}"
            f" or refused:CODE with {', '.join(codes)}"
        )
    entry = roster.by_number(found[2])
    return Accepted("", found[2], entry.role if entry else "participant", Tier.WEAK if found[1] else Tier.GENUINE)


def _answer(ledger: Ledger, ask: Ask, at_ms: int) -> tuple[p.Prompt, Ledger]:
    """The director carries it out, or the rules refuse it."""
    events = decide(ledger, ask.command, at_ms, "tap", seed=_SEED)
    if isinstance(events, Refusal):
        return p.Refused(events.code, dict(events.detail), ask.participant), ledger
    for event in events:
        ledger = fold(ledger, event, at_ms, "tap")
    if ledger.round is None:
        return p.NoAnswer(ask.participant), ledger
    player = ledger.round.players[ask.participant]
    if player.seat is not None:
        return p.YourSeat(ask.participant, *player.seat), ledger
    return registered(ask.participant, ledger.round), ledger
