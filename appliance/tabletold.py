"""What a table's stream tells of its work: which hand was taken up, how the last one ended, what was answered. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from appliance import kinds
from appliance.game.refusal import Refusal
from appliance.game.state import Phase, Round
from appliance.game.tablestream.commands import BeginHand, DropHand, TableCommand
from appliance.game.tablestream.counts import unfollowed
from appliance.game.tablestream.proposals import begin_of
from appliance.game.tablestream.state import TableHands


def opened(state: kinds.TableState, round: Round) -> int:
    """The hand of this round that was taken up last; 0 if none was."""
    note = state.notes.get("hand-opened/1")
    return note.hand if isinstance(note, kinds.HandOpened) and note.round == round.id else 0


def end_of(state: kinds.TableState) -> kinds.Ending | None:
    """The end of the last hand, if there is one and it was not taken back."""
    end, last = state.ending, state.hands.last
    if end is None or last is None or last.ended is None:
        return None
    return end if (end.round, end.hand) == (last.begun.round, last.begun.hand) else None


def told_note(end: kinds.Ending, number: int) -> kinds.HandTold:
    """What says that all was answered which this end asks for."""
    return kinds.HandTold(round=end.round, table=number, hand=end.hand, end=end.cause)


def is_told(state: kinds.TableState, number: int) -> bool:
    """Whether all that the last hand asks for was answered; true where it asks for nothing."""
    end = end_of(state)
    return end is None or state.notes.get("hand-told/1") == told_note(end, number)


def is_over(hands: TableHands, round: Round) -> bool:
    """Whether the hands of this round are over for good: its results are shown, and no key may change them."""
    told = hands.current or hands.last
    return round.phase is Phase.FINISHED and told is not None and told.begun.round == round.id


def plays_here(rounds: Iterable[Round], round: Round, number: int) -> bool:
    """Whether the round is in play at this table, and no later one is: somebody may have forgotten to end it."""
    here = (r for r in rounds if r.phase is Phase.RUNNING and number in r.tables)
    return max(((r.starts_at, r.id) for r in here), default=None) == (round.starts_at, round.id)


def beginning(state: kinds.TableState, round: Round, number: int) -> BeginHand | Refusal:
    """How the round's hand begins, or why it cannot be tracked: somebody's chips, or everybody's, are not known."""
    untold = _untold_stacks(state, round, number)
    hand = None if untold else unfollowed(_with_given_up(state.hands), round, number)
    if hand is not None:
        return Refusal("hand-unfollowed", {"hand": hand})
    begin = begin_of(round, number, untold)
    return replace(begin, again=True) if isinstance(begin, BeginHand) else begin


def giving_up(hands: TableHands, round: str = "", above: int = 0) -> Sequence[TableCommand]:
    """The command that stops to track the hand in play; not one of this ``round`` that is not ``above`` a hand."""
    current = hands.current
    if current is None or (current.begun.round == round and current.begun.hand <= above):
        return ()
    return (DropHand(round=current.begun.round, hand=current.begun.hand),)


def _with_given_up(hands: TableHands) -> TableHands:
    """The hands as they are once the one in play is given up for the round's."""
    current, now = hands.current, hands.now
    if current is None:
        return hands
    return replace(hands, now=replace(now, current=None, hand=None, log=(*now.log, current)))


def _untold_stacks(state: kinds.TableState, round: Round, number: int) -> dict[str, int]:
    """The stacks that the round has not been told yet: the hand that follows begins with them."""
    last = state.hands.last
    if is_told(state, number) or last is None or last.ended is None or last.begun.round != round.id:
        return {}
    seats = set(round.tables[number].seats.values())
    return {who: chips for who, chips in last.ended.stacks.items() if who in seats}
