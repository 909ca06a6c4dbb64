"""What else a round's stream tells the league: who accepted which rules, whom a commissioner would exclude."""

from __future__ import annotations

from datetime import UTC, datetime

from appliance.game.state import Round as RoundState
from league.ingest.text import kept
from league.people.models import Participant
from league.rounds.models import Round
from league.standings.models import Acceptance, ExclusionProposal


def write_acceptances(round: Round, state: RoundState) -> None:
    """Which rules whoever is registered has accepted (LG-12)."""
    rows = {
        (player.participant, accepted.kind): (accepted.version, accepted.hash)
        for player in state.players.values()
        for accepted in player.accepted
    }
    known = Acceptance.objects.filter(round=round)
    if rows != {row[:2]: row[2:] for row in known.values_list("number", "kind", "version", "hash")}:
        known.delete()
        Acceptance.objects.bulk_create(
            Acceptance(round=round, number=number, kind=kind, version=version, hash=hash)
            for (number, kind), (version, hash) in rows.items()
        )


def write_proposals(round: Round, state: RoundState) -> None:
    """Whom the venue's commissioner would have the league exclude (T-15): the latest proposal of each."""
    rows = {
        player.participant: (kept(penalty.reason, 500), moment(penalty.at))
        for player in state.players.values()
        for penalty in player.penalties
        if penalty.league
    }
    gone = Participant.objects.filter(number__in=list(rows), erased_at__isnull=False)
    for number in gone.values_list("number", flat=True):
        rows[number] = ("", rows[number][1])  # erased: what was written of them is read no more
    known = ExclusionProposal.objects.filter(round=round)
    if rows != {row[0]: row[1:] for row in known.values_list("number", "reason", "at")}:
        known.delete()
        ExclusionProposal.objects.bulk_create(
            ExclusionProposal(round=round, number=number, reason=reason, at=at) for number, (reason, at) in rows.items()
        )


def moment(at_ms: int) -> datetime:
    """UTC milliseconds as a time."""
    return datetime.fromtimestamp(at_ms / 1000, UTC)
