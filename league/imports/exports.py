"""What the office takes out as CSV: participants, and the results of a season. Nothing that is sealed."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils import timezone

from league.people.models import Consent, ConsentKind, Participant
from league.rounds.models import Season
from league.standings.models import Result

PEOPLE = (
    "number", "title", "first_name", "surname", "email", "language", "home_venue", "state", "registered_at",
    *(kind.value for kind in ConsentKind),
)  # fmt: skip
"""The columns of participants: an import takes the same file, and changes nothing."""

RESULTS = ("round", "name", "date", "time", "venue", "number", "place", "prize", "points", "registered")


def people_rows() -> Iterator[list[object]]:
    """All participants but the erased ones, by number; consents with the time at which they were given."""
    yield list(PEOPLE)
    consents: dict[tuple[int, str], str] = {}
    given = Consent.objects.filter(withdrawn_at__isnull=True).values_list("participant", "kind", "given_at")
    for person, kind, at in given:
        consents[person, kind] = timezone.localtime(at).isoformat(timespec="seconds")
    for one in Participant.objects.filter(erased_at__isnull=True).order_by("number").iterator(chunk_size=500):
        registered = timezone.localtime(one.registered_at).isoformat(timespec="seconds") if one.registered_at else ""
        yield [
            one.number, one.title, one.first_name, one.surname, one.email, one.language, one.home_venue_id or "",
            one.state, registered, *(consents.get((one.pk, kind.value), "") for kind in ConsentKind),
        ]  # fmt: skip


def results_rows(season: Season) -> Iterator[list[object]]:
    """All results of a season's rounds that are over, as they count: no names (LG-9 publishes those itself)."""
    yield list(RESULTS)
    rows = Result.objects.filter(round__season=season, provisional=False, void=False).select_related("round__folded")
    for row in rows.order_by("round__starts_at", "round", "place", "number"):
        starts_at = timezone.localtime(row.round.folded.starts_at)
        points = f"{row.counted // 2},5" if row.counted % 2 else str(row.counted // 2)
        yield [
            row.round_id, row.round.name, starts_at.date().isoformat(), f"{starts_at:%H:%M}", row.round.venue_id,
            row.number, row.counted_place, row.prize, points, row.round.folded.registered,
        ]  # fmt: skip
