"""State is a fold over events. It takes outcomes from them and consults no rule."""

from __future__ import annotations

from appliance.game import fold_play, fold_round
from appliance.game.codec import EventError, UnknownEvent
from appliance.game.event import Event
from appliance.game.events import MOST_NAMED, Announced, CommandsRedone, CommandsUndone
from appliance.game.history import redo, remember, set_aside, undo
from appliance.game.state import Ledger, Round
from appliance.game.values import is_moment

__all__ = ["INITIAL", "announced", "apply", "fold", "set_aside"]

INITIAL = Ledger()
"""The ledger of a stream without events."""

_FOLDS = {**fold_round.FOLDS, **fold_play.FOLDS}


def apply(event: Event, round: Round, at_ms: int) -> Round:
    """The round after an event that is no undo; raises TypeError for one that has no meaning here."""
    fold = _FOLDS.get(type(event))
    if fold is None:
        raise TypeError(f"{type(event).__name__} changes no round")
    return fold(event, round, at_ms)


def fold(ledger: Ledger, event: Event | UnknownEvent, at_ms: int, cause: str | None) -> Ledger:
    """The ledger after an event of its stream; ``cause`` is the id of the command that led to it.

    Events of one command follow each other and are undone together. What this version does not know changes
    nothing, but counts as its command's, so that an undo takes back the same commands everywhere. Raises
    `EventError` for an event that cannot follow: events are believed, and this one is not true.
    """
    if isinstance(event, UnknownEvent):
        return ledger if ledger.round is None or cause is None else remember(ledger, ledger.round, at_ms, cause)
    if not is_moment(at_ms):
        raise EventError(f"{type(event).__name__} at {str(at_ms)[:40]}: no time that can be shown")
    round, change = ledger.round, _FOLDS.get(type(event))
    try:
        if change is None or round is None:
            return _fold_rare(ledger, event, at_ms)
        return remember(ledger, change(event, round, at_ms), at_ms, cause)
    except EventError:
        raise
    except (LookupError, TypeError, AttributeError, ArithmeticError, ValueError) as error:
        raise EventError(f"{type(event).__name__} cannot follow: {type(error).__name__} {error}") from error


def _fold_rare(ledger: Ledger, event: Event, at_ms: int) -> Ledger:
    """The ledger after the announcement, an undo or a redo: what else there is needs an announced round."""
    if isinstance(event, Announced):
        if ledger.round is not None:
            raise EventError("Announced cannot follow: the round is announced")
        return Ledger(announced(event))
    if ledger.round is None:
        raise EventError(f"{type(event).__name__} cannot come first: nothing is announced")
    match event:
        case CommandsUndone() | CommandsRedone() if len(event.commands) not in (event.n, min(event.n, MOST_NAMED)):
            raise EventError(f"{type(event).__name__} cannot follow: {event.n} said, {len(event.commands)} named")
        case CommandsUndone():
            return undo(ledger, event.n, at_ms)
        case CommandsRedone():
            return redo(ledger, event.n, at_ms)
        case _:
            raise TypeError("it changes no round")


def announced(event: Announced) -> Round:
    """The round as announced."""
    return Round(
        id=event.round,
        venue=event.venue,
        starts_at=event.starts_at,
        profile=event.profile,
        rules=event.rules,
        rules_hash=event.rules_hash,
        structure=event.structure,
        shares=event.shares,
        key=event.key,
        deposit=event.deposit,
        seats_per_table=event.seats_per_table,
        capacity=event.capacity,
        table_numbers=event.tables,
        late_registration=event.late_registration,
        reentry=event.reentry,
        guarantee=event.guarantee,
        chip_up=event.chip_up,
        bonus_card=event.bonus_card,
        ante_by=event.ante_by,
        seed=event.seed,
        breaking=event.breaking,
        chip_set=event.chip_set,
    )
