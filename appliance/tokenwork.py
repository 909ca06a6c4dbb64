"""The director's part in the participants' allowances (T-3, DESIGN §6): what may be spent, giving back, asking."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from appliance import allowance
from appliance.allowance import Allowances
from appliance.allowancenotes import AllowanceAsked, AllowanceReturned
from appliance.game import tokens
from appliance.game.roster import Roster
from appliance.game.state import Round
from appliance.note import Note
from appliance.timebase import Timebase, synchronised

ASK_AGAIN_MS = 60_000
"""How long one question for somebody's allowance stands before the next tap asks again."""

NEAR_MS = 60_000
"""So far a trusted wall clock and the time that goes on by the monotonic clock may be apart."""


class Standing(NamedTuple):
    """What the venue knows: the league's word, its own notes, its rounds, the epoch its director writes."""

    roster: Roster
    notes: Mapping[str, Note]
    rounds: tuple[Round, ...]
    epoch: str

    @property
    def given_back(self) -> frozenset[str]:
        """The tokens that were given back, as far as a newer one has not taken their place."""
        return frozenset(note.token for note in self.notes.values() if isinstance(note, AllowanceReturned))


class TokenWork:
    """Asks the tokens before money is taken, and gives them back in time. No thread and no journal of its own."""

    def __init__(self) -> None:
        self._asked: dict[str, int] = {}
        self._wanted: dict[str, str] = {}

    def allowances(self, here: Standing, now: int, trusted: bool) -> Allowances:
        """What may be spent now (UTC ms)."""
        return allowance.allowances(here.roster, here.epoch, here.given_back, now, trusted)

    def refused(self, participant: str, round: str, now: int) -> None:
        """Somebody had no allowance here: the league is asked for it, once a while."""
        if now - self._asked.get(participant, -ASK_AGAIN_MS) >= ASK_AGAIN_MS:
            self._asked[participant] = now
            self._wanted[participant] = round

    def notes(self, here: Standing, now: int) -> list[Note]:
        """What is to be written into the venue's stream: tokens given back, tokens asked for."""
        back = list(returns(here, now))
        asked = [AllowanceAsked(participant=who, round=round) for who, round in self._wanted.items()]
        self._wanted.clear()
        return [*back, *asked]


def returns(here: Standing, now: int) -> Iterable[AllowanceReturned]:
    """Each token whose time is up or that the league wants back, with what its participant deposited here."""
    if not here.roster.allowances:
        return
    gone = here.given_back
    for participant, token in here.roster.allowances.items():
        if token.token in gone or not (tokens.is_over(token, now) or token.token in here.roster.ended):
            continue
        spent = tokens.to_tell(allowance.in_rounds(here.rounds, participant), now)
        yield AllowanceReturned(participant=participant, token=token.token, spent=spent)


def is_trusted(time_here: Timebase, rebooted: bool) -> bool:
    """Whether the time here ends a token when it should.

    It goes on by the monotonic clock, so it does until a reboot; then somebody else has to say that it is right again:
    the kernel, which is told by NTP.
    """
    if not rebooted:
        return True
    return synchronised() and abs(time_here.now_ms() - time.time_ns() // 1_000_000) < NEAR_MS
