"""Results of rounds, folded from the raw records by the rules themselves.

Nothing here is the truth: the tables this fills can be emptied and filled again (`reingest`), also by a later version
that understands more. A record that cannot be used is named in the quarantine; the records before it count.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import NamedTuple

from django.db import DataError, IntegrityError, transaction
from msgspec import structs

from appliance import record as rec
from appliance.game.codec import EventError, UnknownEvent
from appliance.game.events import CommandsRedone, CommandsUndone, decode_event
from appliance.game.pointskey import PointsKey
from appliance.game.report import state_name
from appliance.game.results import results as results_of
from appliance.game.round import INITIAL, fold, set_aside
from appliance.game.state import Ledger, Phase
from appliance.game.state import Round as RoundState
from appliance.game.values import is_moment
from league.ingest.models import Quarantine, StreamHead
from league.ingest.store import VenueStore
from league.ingest.text import kept
from league.live import changes
from league.rounds.hearing import venue_said
from league.rounds.keys import key_data
from league.rounds.models import Round
from league.standings import totals
from league.standings.beside import moment, write_acceptances, write_proposals
from league.standings.corrections import Counted, Placed, counted_by, layer_of, standing, voids_of
from league.standings.face import public_clock, public_prizes
from league.standings.models import Acceptance, ExclusionProposal, Result, RoundReport, SeasonTotal
from league.standings.past import restore
from league.standings.placing import Placing, write_results

_DOES_NOT_FOLD = (EventError, ValueError, LookupError, AttributeError, TypeError, ArithmeticError)
"""What a record that fits no state makes the fold raise: it believes its events, and this one was not true."""

_CANNOT_BE_KEPT = (*_DOES_NOT_FOLD, DataError, IntegrityError)
"""What a state that no table can hold makes the database raise, besides."""

_AT_ONCE_BYTES = 1 << 20  # of a stream, which may be longer than memory
_KEPT_FOLDS = 256

_PUBLIC = (
    "state", "starts_at", "reason", "registered", "left", "pool", "key", "key_corrected", "key_unconfirmed",
    "clock", "prizes",
)  # fmt: skip
"""What of a report is on the pages, so that whoever watches is told when it changes."""


class Trouble(NamedTuple):
    """A record that could not be used."""

    epoch: str
    seq: int
    reason: str
    detail: str


class Folded(NamedTuple):
    """A round's stream, folded as far as it goes: ``epoch`` and ``seq`` of its last record that counts.

    ``at`` is the time of that record, UTC ms; ``read``: epoch and seq of the last one that was looked at. ``broken``: a
    record that does not fold counts among the venue's commands, so what follows it is not known either, until it is
    undone.
    """

    ledger: Ledger
    epoch: str = ""
    seq: int = 0
    at: int = 0
    troubles: tuple[Trouble, ...] = ()
    broken: bool = False
    read: tuple[str, int] = ("", 0)


def fold_on(before: Folded, records: Iterator[tuple[str, int, bytes]]) -> Folded:
    """Fold further records, given as (epoch, seq, bytes).

    One that does not fold is set aside with all that follow it, until the venue undoes its command: only
    then is it known again how the round stands. The first of them is named.
    """
    ledger, troubles = before.ledger, list(before.troubles)
    epoch, seq, at, read = before.epoch, before.seq, before.at, before.read
    broken = before.broken
    if broken and ledger.round is None:
        return before  # what does not even begin, nothing after it can mend
    for epoch_here, seq_here, raw in records:
        read = epoch_here, seq_here
        record = rec.decode(raw)
        in_doubt = ledger.in_doubt
        try:
            ledger, unknown = _folded(ledger, record)
            if unknown and not in_doubt:
                troubles.append(Trouble(epoch_here, seq_here, "unknown-type", record.type))
        except _DOES_NOT_FOLD as error:
            if not in_doubt:
                detail = f"{record.type}: {type(error).__name__}: {error}"
                troubles.append(Trouble(epoch_here, seq_here, "does-not-fold", detail))
            ledger = set_aside(ledger, at, record.cause)
            if ledger.round is None:
                broken = True
                break
        broken = ledger.in_doubt
        if not broken:
            epoch, seq = epoch_here, seq_here
            at = max(at, record.at) if is_moment(record.at) else at
    return Folded(ledger, epoch, seq, at, tuple(troubles), broken, read)


def _folded(ledger: Ledger, record: rec.Record) -> tuple[Ledger, bool]:
    """The ledger after a record, and whether it is of a type that this version does not know."""
    if record.type == rec.EPOCH_OPENED:
        return ledger, False
    event = decode_event(record.type, record.data)
    unknown = isinstance(event, UnknownEvent)
    if ledger.in_doubt and not isinstance(event, CommandsUndone | CommandsRedone):
        return set_aside(ledger, record.at, record.cause), unknown
    return fold(ledger, event, record.at, record.cause), unknown


class Results:
    """Keeps the derived tables up with the raw ones. Remembers the rounds under way, so that a batch costs a batch."""

    def __init__(self) -> None:
        self._folds: OrderedDict[str, Folded] = OrderedDict()

    def update(self, stream: str) -> None:
        """Bring one stream's derived rows up to what is stored; streams other than a round's have none.

        Only what the round's venue wrote counts. Another one's, of before the league had planned the round, is named.
        """
        area, _, round_id = stream.partition("/")
        if area != "round":
            return
        heads = list(StreamHead.objects.filter(stream=stream).order_by("epoch_number", "epoch"))
        if not heads:
            return
        with transaction.atomic():
            round = Round.objects.filter(pk=round_id).first()
            own = [head for head in heads if round is None or head.venue == round.venue_id]
            troubles = [_elsewhere(head, round) for head in heads if round is not None and head.venue != round.venue_id]
            if own:
                folded = self._fold(stream, own[-1].venue)
                troubles += _taken(round, folded, own[-1])
            elif round is not None:
                _take_back(round)
            _write_troubles(stream, troubles)
        if own:
            self._remember(stream, folded)

    def catch_up(self) -> int:
        """Update every round whose derived rows are behind its stream; how many there were."""
        folded_to = {
            f"round/{key}": (epoch, seq) for key, epoch, seq in RoundReport.objects.values_list("pk", "epoch", "seq")
        }
        venues = {f"round/{key}": venue for key, venue in Round.objects.values_list("pk", "venue_id")}
        heads: dict[str, tuple[str, int]] = {}
        for head in StreamHead.objects.filter(stream__startswith="round/").order_by("epoch_number", "epoch"):
            if venues.get(head.stream, head.venue) == head.venue:
                heads[head.stream] = (head.epoch, head.seq)
            else:
                heads.setdefault(head.stream, ("", 0))
        behind = [stream for stream, head in heads.items() if folded_to.get(stream) != head]
        for stream in behind:
            self.update(stream)
        return len(behind)

    def rebuild(self) -> int:
        """Empty the derived tables and fill them from the raw records; how many round streams there are."""
        with transaction.atomic():
            self._folds.clear()
            totals.lock()
            RoundReport.objects.all().delete()
            Result.objects.all().delete()
            Acceptance.objects.all().delete()
            ExclusionProposal.objects.all().delete()
            Quarantine.objects.all().delete()
            SeasonTotal.objects.all().delete()
            restore()
            streams = self.catch_up()
            totals.compute_all()
            return streams

    # -- inside ------------------------------------------------------------------------------------------

    def _fold(self, stream: str, venue: str) -> Folded:
        store = VenueStore(venue)
        history = store.history(stream)
        known = self._folds.get(stream)
        if known is None or known.read[0] != history[-1][0]:
            known = Folded(INITIAL)
        return fold_on(known, _records(store, stream, history, known))

    def _remember(self, stream: str, folded: Folded) -> None:
        self._folds[stream] = folded
        self._folds.move_to_end(stream)
        while len(self._folds) > _KEPT_FOLDS:
            self._folds.popitem(last=False)


def folded_anew(round: Round) -> Ledger:
    """A round as its records tell it, folded from the first one; empty where there are none."""
    store = VenueStore(round.venue_id)
    start = Folded(INITIAL)
    return fold_on(start, _records(store, round.stream, store.history(round.stream), start)).ledger


def _records(
    store: VenueStore, stream: str, history: list[tuple[str, int]], known: Folded
) -> Iterator[tuple[str, int, bytes]]:
    """The records after ``known``, along the stream's chain of epochs."""
    segments = history[-1:] if known.read[1] else history
    for epoch, upto in segments:
        after = known.read[1]
        while after < upto:
            rows = store.read(stream, epoch, after, _AT_ONCE_BYTES)[: upto - after]
            if not rows:
                break
            yield from ((epoch, seq, raw) for seq, (raw, _) in enumerate(rows, after + 1))
            after += len(rows)


def _elsewhere(head: StreamHead, round: Round) -> Trouble:
    detail = f"written by {head.venue}, and the round is at {round.venue_id}"
    return Trouble(head.epoch, head.seq, "another-round", detail)


def _taken(round: Round | None, folded: Folded, head: StreamHead) -> list[Trouble]:
    """Write what a venue's stream says of a round, as far as it is one; what could not be used of it."""
    troubles, state = list(folded.troubles), folded.ledger.round
    if round is None:
        troubles.append(Trouble(head.epoch, head.seq, "unknown-round", f"sent by {head.venue}"))
    elif state is not None and (state.id, state.venue) != (round.pk, round.venue_id):
        troubles.append(Trouble(head.epoch, head.seq, "another-round", f"{state.id} at {state.venue}"))
    elif state is not None:
        troubles += _write(round, folded, state)
    return troubles


def _take_back(round: Round) -> None:
    """Forget what the venue had said that the round was planned at before."""
    if RoundReport.objects.filter(pk=round.pk).exclude(epoch="").delete()[0]:
        totals.add(totals.lock_season_of(round), totals.parts_of(round.pk), {})
        for kind in (Result, Acceptance, ExclusionProposal):
            kind._default_manager.filter(round=round).delete()
        Round.objects.filter(pk=round.pk).update(heard_starts_at=None, heard_cancelled=False)
        restore([round.pk])
        changes.bump(round.pk)


def _write(round: Round, folded: Folded, state: RoundState) -> list[Trouble]:
    """Write a round's derived rows; names the record after which no report can be made, if that is so."""
    try:
        with transaction.atomic():
            _write_rows(round, folded, state)
    except _CANNOT_BE_KEPT as error:
        return [Trouble(folded.epoch, folded.seq, "no-report", f"{type(error).__name__}: {error}")]
    return []


def _write_rows(round: Round, folded: Folded, state: RoundState) -> None:
    """Write the round as its stream has it now, whatever it said before, and the points that count.

    The season is locked, so that a correction of its key or a void participation sees these rows or is seen by them.
    """
    season = totals.lock_season_of(round)
    layer = layer_of(standing(season))
    corrected = layer.key if layer and layer.covers(round) else None
    values = {
        "epoch": folded.epoch,
        "seq": folded.seq,
        "state": state_name(state),
        "starts_at": moment(state.starts_at),
        "at": moment(folded.at),
        "reason": kept(state.reason or "", 500),
        "registered": len(state.players),
        "left": state.left,
        "pool": state.pool,
        "key": key_data(structs.replace(state.key, name=kept(state.key.name, 64))),
        "key_corrected": corrected is not None,
        "key_unconfirmed": not (corrected or state.key).confirmed,
        "unknown_records": sum(trouble.reason == "unknown-type" for trouble in folded.troubles),
        "clock": public_clock(state),
        "prizes": public_prizes(state, folded.at),
    }
    before = RoundReport.objects.filter(pk=round.pk).values(*_PUBLIC).first()
    RoundReport.objects.update_or_create(pk=round.pk, defaults=values)
    venue_said(round, state_name(state), moment(state.starts_at), kept(state.reason or "", 500))
    moved = write_results(season, round, _results(round, state, corrected))
    write_acceptances(round, state)
    write_proposals(round, state)
    if moved or before != {name: values[name] for name in _PUBLIC}:
        changes.bump(round.pk)


def _results(round: Round, state: RoundState, corrected: PointsKey | None) -> list[Placing]:
    found = results_of(state)
    voids = voids_of([round]).get(round.pk, frozenset())
    counted = {result.participant: Counted(result.points_half) for result in found}
    if corrected is not None or voids:
        places = (Placed(result.participant, result.place) for result in found)
        counted = counted_by(corrected or state.key, len(state.players), places, voids)
    provisional = state.phase is not Phase.FINISHED
    return [
        Placing(one.participant, one.place, one.prize, one.points_half, *counted[one.participant], provisional)
        for one in found
    ]


def _write_troubles(stream: str, troubles: list[Trouble]) -> None:
    rows = {(t.epoch, t.seq, t.reason, kept(t.detail, 300)) for t in troubles}
    fields = ("epoch", "seq", "reason", "detail")
    before = set(Quarantine.objects.filter(stream=stream).values_list(*fields))
    if rows == before:
        return
    for epoch, seq, reason, _ in before - rows:
        Quarantine.objects.filter(stream=stream, epoch=epoch, seq=seq, reason=reason).delete()
    Quarantine.objects.bulk_create(
        Quarantine(stream=stream, epoch=epoch, seq=seq, reason=reason, detail=detail)
        for epoch, seq, reason, detail in rows - before
    )
