"""The director's part in the participants' allowances (T-3, DESIGN §6): what may be spent, giving back, asking."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from appliance import allowance, kinds
from appliance.allowance import NO_ALLOWANCE, NONE_GIVEN, Allowances
from appliance.allowancenotes import AllowanceAsked, AllowanceReturned
from appliance.engine import Engine
from appliance.game import tokens
from appliance.game.roster import Roster
from appliance.game.state import Round
from appliance.link.envelope import Refusal
from appliance.note import Note
from appliance.timework import TimeWork, league_word
from appliance.workplace import Workplace

ASK_AGAIN_MS = 60_000
"""How long one question for somebody's allowance stands before the next refusal asks again."""


class Standing(NamedTuple):
    """What the venue knows: the league's word, its own notes, its rounds, the epoch its director writes."""

    roster: Roster
    notes: Mapping[str, Note]
    rounds: tuple[Round, ...]
    epoch: str

    @property
    def given_back(self) -> frozenset[str]:
        """The tokens that were given back, as far as newer ones have not been since."""
        return frozenset(note.token for note in self.notes.values() if isinstance(note, AllowanceReturned))


class TokenWork:
    """For the engine thread of a director: asks the tokens before money is taken, and gives them back in time."""

    def __init__(self, place: Workplace, engine: Engine, clock: TimeWork) -> None:
        self._place, self._engine, self._clock = place, engine, clock
        self._asked: dict[str, int] = {}
        self._wanted: dict[str, str] = {}

    def allowances(self) -> Allowances:
        """What may be spent now."""
        if not self._roster.allowances_in_force:
            return NONE_GIVEN
        here, clock = self._standing(), self._clock
        trusted = clock.trusted(league_word(here.roster))
        return allowance.allowances(here.roster, here.epoch, here.given_back, clock.right_ms(), trusted)

    def refused(self, round: str, refusal: Refusal) -> bool:
        """Whether somebody was refused for want of an allowance, so that the league is to be asked, once a while."""
        detail = json.loads(bytes(refusal.detail))
        if refusal.code != "deposit-limit" or detail.get("reason") != NO_ALLOWANCE:
            return False
        who, now = detail["participant"], self._place.now_ms()
        if now - self._asked.get(who, -ASK_AGAIN_MS) >= ASK_AGAIN_MS:
            self._asked[who], self._wanted[who] = now, round
        return who in self._wanted

    def notes(self) -> list[Note]:
        """What is to be written into the venue's stream now: tokens given back, tokens asked for."""
        asked = [AllowanceAsked(participant=who, round=round) for who, round in self._wanted.items()]
        self._wanted.clear()
        if not self._roster.allowances:
            return [*asked]
        return [*returns(self._standing(), self._clock.right_ms()), *asked]

    @property
    def _roster(self) -> Roster:
        roster: Roster = self._engine.state(f"league/{self._place.config.venue.id}")
        return roster

    def _standing(self) -> Standing:
        venue = f"venue/{self._place.config.venue.id}"
        newest = self._engine.journal.newest(venue)
        ledgers = (state for name, state in self._engine.states.items() if name.startswith("round/"))
        times = self._clock.times
        rounds = tuple(timed.round for ledger in ledgers if (timed := kinds.timed(ledger, times)).round is not None)
        return Standing(self._roster, self._engine.state(venue), rounds, newest.epoch if newest else "")


def returns(here: Standing, now: int) -> Iterable[AllowanceReturned]:
    """Each token whose time is up or that the league wants back, with what its participant deposited here."""
    gone = here.given_back
    for participant, token in here.roster.allowances.items():
        if token.token in gone or not (tokens.is_over(token, now) or token.token in here.roster.ended):
            continue
        spent = tokens.to_tell(token, allowance.in_rounds(here.rounds, participant))
        yield AllowanceReturned(participant=participant, token=token.token, spent=spent)
