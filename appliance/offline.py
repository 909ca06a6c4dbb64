"""A table that goes on while no director is there: what it offers is kept in its own stream (DESIGN §5).

The round of its copy with what it offered folded onto it is what the table shows and plays; the round's own stream is
never written. Once a director is there the offers are sent in order under their ids: whoever has carried one out
already knows it by its id. After a refused count or hand nothing that went on from it is sent any more. All in the
engine thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from appliance import kinds
from appliance.engine import STORAGE, Engine, Order
from appliance.game.command import Command
from appliance.game.commands import Bust, NextHand, decode_command
from appliance.game.provisional import Given, at_its_level, gone_on, provisional
from appliance.game.refusal import Refusal
from appliance.game.state import Ledger, Round
from appliance.link.lan import NO_ANSWER
from appliance.offers import DEALT_OTHERWISE, FOLLOWED_REFUSED, Dealt, OfferAnswered, Offered, Offers
from appliance.tableletters import Letter

NOT_YET = frozenset({NO_ANSWER, STORAGE, "not-authorised", "not-announced", "unknown-device"})
"""Answers of a director that has no disk, or does not know table or round yet: the offer is sent again."""

RETRY_S = 2.0


class Offline:
    """One table's offers. ``now_ms``: the director's time, as far as it is known."""

    def __init__(
        self, engine: Engine, stream: str, number: int, now_ms: Callable[[], int], fresh_id: Callable[[], str]
    ) -> None:
        self._engine, self._stream, self._number = engine, stream, number
        self.now_ms, self.fresh_id = now_ms, fresh_id
        self._made: dict[str, tuple[Ledger, tuple[Offered, ...], Ledger]] = {}

    @property
    def offers(self) -> Offers:
        """What waits, and what was refused."""
        state: kinds.TableState = self._engine.state(self._stream)
        return state.offers

    @property
    def kept(self) -> tuple[int, int] | None:
        """The first and the last hand that wait for a director; None if none does."""
        hands = [offer.hand for offer in self.pending]
        return (min(hands), max(hands)) if hands else None

    @property
    def pending(self) -> tuple[Offered, ...]:
        """What waits for a director's answer, in order."""
        return self.offers.pending

    def ledger(self, round: str) -> Ledger:
        """The round as the table goes on with it: its copy, and what is offered and not in it yet."""
        copy: Ledger = self._engine.state(f"round/{round}")
        pending = tuple(offer for offer in self.pending if offer.round == round)
        if not pending or copy.round is None:
            return copy
        made = self._made.get(round)
        if made is None or made[0] is not copy or made[1] != pending:
            missing = (offer for offer in pending if not self._engine.carried_out(f"round/{round}", offer.id))
            self._made[round] = made = (copy, pending, provisional(copy, map(_given, missing)))
        return made[2]

    def round(self, round: Round) -> Round:
        """The same of a round of the copy."""
        return self.ledger(round.id).round or round

    def keep(self, letters: Iterable[Letter], wish: Letter, *notes: kinds.Note) -> Refusal | None:
        """Offer what a hand's end asks for and the wish for the next one, with ``notes`` beside them; or why the next
        one cannot begin: then nothing is kept."""
        at, round = self.now_ms(), wish.command.round
        ledger, kept = self.ledger(round), []
        for letter in letters:
            given = Given(letter.id, letter.command, at)
            ledger, refusal = gone_on(ledger, given)
            if refusal is None:
                kept.append(self._offer(given, ledger))
        after, refusal = gone_on(ledger, Given(wish.id, wish.command, at))
        if refusal is not None:
            return refusal
        command = wish.command
        if isinstance(command, NextHand):
            command = at_its_level(command, after)
        kept.append(self._offer(Given(wish.id, command, at), after))
        return self._write(*kept, *notes)

    def answered(self, offer: Offered, refusal: Refusal | None) -> Refusal | None:
        """The director has answered for good: what the floor must be told of it."""
        if refusal is None:
            code = DEALT_OTHERWISE if self._was_dealt_otherwise(offer) else ""
            self._write(OfferAnswered(id=offer.id, ok=True, code=code))
            return Refusal(code, {"hand": offer.hand}) if code else None
        said = [OfferAnswered(id=offer.id, ok=False, code=refusal.code)]
        if not isinstance(_command(offer), Bust):
            later = (other for other in self.pending if other.round == offer.round and other.id != offer.id)
            said += [OfferAnswered(id=other.id, ok=False, code=FOLLOWED_REFUSED) for other in later]
        self._write(*said)
        return refusal

    def find(self, number: str) -> Offered | None:
        """The offer that waits under this id."""
        return next((offer for offer in self.pending if offer.id == number), None)

    # -- inside ------------------------------------------------------------------------------------------

    def _offer(self, given: Given, after: Ledger) -> Offered:
        round = after.round
        if round is None:
            raise ValueError(f"{given.id}: no round was announced")
        table = round.tables[self._number]
        return Offered(
            id=given.id,
            round=round.id,
            table=self._number,
            hand=table.hand,
            at=given.at,
            command=msgspec.to_builtins(given.command),
            dealt=Dealt.at(table) if isinstance(given.command, NextHand) else None,
        )

    def _was_dealt_otherwise(self, offer: Offered) -> bool:
        round: Round | None = self._engine.state(f"round/{offer.round}").round
        table = round.tables.get(self._number) if round is not None else None
        if offer.dealt is None or table is None or table.hand != offer.dealt.hand:
            return False
        return Dealt.at(table) != offer.dealt

    def _write(self, *notes: kinds.Note) -> Refusal | None:
        """Write notes in one commit; why the disk would not have them."""
        orders = [Order(self.fresh_id(), self._stream, note) for note in notes]
        answer = self._engine.execute(orders)[-1].answer
        return None if answer.ok else Refusal(answer.code, answer.detail)


def _command(offer: Offered) -> Command:
    return decode_command(offer.command)


def _given(offer: Offered) -> Given:
    return Given(offer.id, _command(offer), offer.at)


def letter_of(offer: Offered) -> Letter:
    """The offer as it goes to the director."""
    return Letter(offer.id, _command(offer))
