"""A round's plan from the form: the announcement that nobody has to type, checked by the rules."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import ProtectedError
from django.utils import timezone
from django.utils.timezone import localtime
from django.utils.translation import gettext_noop

from appliance.game.commands import Announce, decode_command
from appliance.game.reading import CommandError
from appliance.i18n import LANGUAGES, Translator
from league.rounds.announcing import faults
from league.rounds.following import Told, is_another_day, tell_moved
from league.rounds.forms import PlanForm
from league.rounds.models import Round, Season, Venue
from league.rounds.shares import shares_text
from league.rounds.signing_up import fit_places
from league.staff.audit import What, note_by
from league.standings.models import RoundReport
from league.standings.results import Results

DISCARDED = gettext_noop("plan of a round deleted")
"""What the audit log says of it."""

_FIELDS = {"shares": "shares", "levels": "structure", "starts_at": "day", "round": "id"}
"""Where what is wrong with a field of an announcement is shown in the form."""


def terms_of(form: PlanForm) -> dict[str, Any]:
    """The announcement that a valid form means."""
    given = form.cleaned_data
    terms: dict[str, Any] = {
        "do": "announce", "round": given["id"], "venue": given["venue"].pk,
        "starts_at": localtime(given["starts_at"]).isoformat(), "profile": given["profile"],
        "deposit": given["deposit"], "shares": given["shares"], "seats_per_table": given["seats_per_table"],
        "levels": form.levels, "capacity": given["capacity"],
    }  # fmt: skip
    for name in ("guarantee", "chip_up", "bonus_card", "tables", "breaking", "chip_set"):
        if given[name]:
            terms[name] = given[name]
    for name in ("late_registration", "reentry"):
        if given[name]:
            terms[name] = True
    if given["ante_by"] != "player":
        terms["ante_by"] = given["ante_by"]
    return terms


def check(form: PlanForm, terms: dict[str, Any], lang: str) -> bool:
    """Whether a director would take the announcement; what is wrong with it stands beside its field."""
    try:
        command = decode_command(terms)
    except CommandError as error:
        _add(form, error.field or "", str(error))
        return False
    assert isinstance(command, Announce)
    said = Translator(lang if lang in LANGUAGES else LANGUAGES[0])
    for fault in faults(command):
        _add(form, fault.field, said.refusal(fault.refusal.code, fault.refusal.detail))
    return form.is_valid()


def _add(form: PlanForm, field: str, text: str) -> None:
    name = _FIELDS.get(field, field)
    form.add_error(name if name in form.fields else None, ValidationError(text))


class PlanOver(ValueError):
    """The round was announced or cancelled meanwhile: what is promised is not edited."""


def keep(form: PlanForm, terms: dict[str, Any], round: Round | None, by: str) -> tuple[Round, Told]:
    """Save the plan: a new round, or what is planned for one that has not been announced. Who was carried over to that
    is told of another day, time or venue, and has a place as far as there is room.

    Raises `PlanOver`, and `IntegrityError` where somebody has planned a new round of that code meanwhile.
    """
    given = form.cleaned_data
    told = Told(0, 0)
    with transaction.atomic():
        kept = Round(id=given["id"]) if round is None else _planned(round)
        before, there = kept.starts_at, kept.venue if round else given["venue"]
        kept.season, kept.venue, kept.name = given["season"], given["venue"], given["name"]
        kept.starts_at, kept.announcement = given["starts_at"], terms
        if round is None:
            kept.save(force_insert=True)
        else:
            if kept.venue != there or is_another_day(before, kept.starts_at):
                kept.notified_on, kept.notified_as = None, ""
            kept.save(update_fields=[
                "season", "venue", "name", "starts_at", "announcement", "notified_on", "notified_as"
            ])  # fmt: skip
            told = _tell(kept, before, there, by)
        if round is None or kept.venue != there:
            # whoever has written a stream of that code: what its venue wrote counts from now on, and nobody else's
            Results().update(kept.stream)
    return kept, told


def can_be_discarded(round: Round) -> bool:
    """Whether nobody outside the office has heard of a plan: neither its venue nor anybody who was carried over."""
    heard = round.promised is not None or round.substitute_for_id is not None
    return not heard and not RoundReport.objects.filter(pk=round.pk).exists() and not round.sign_ups.exists()


def discard(round: Round, by: str) -> None:
    """Forget a plan. Raises `PlanOver` where somebody has heard of it: then it is cancelled."""
    with transaction.atomic():
        fresh = _locked(round)
        if not can_be_discarded(fresh):
            raise PlanOver(fresh.pk)
        note_by(by, What.ACT, about=f"{DISCARDED}: {fresh.pk}")
        try:
            fresh.delete()
        except ProtectedError:
            raise PlanOver(round.pk) from None  # a decision of the league names it


def _tell(round: Round, before: datetime, there: Venue, by: str) -> Told:
    """Have those who were carried over to a plan follow it."""
    now, told = timezone.now(), Told(0, 0)
    if round.venue != there:
        told = tell_moved(round, before, "", by, now, elsewhere=there)
    elif round.starts_at != before:
        told = tell_moved(round, before, "", by, now)
    fit_places(round, by, now)
    return told


def _planned(round: Round) -> Round:
    fresh = _locked(round)
    if fresh.promised is not None or fresh.cancelled_at is not None:
        raise PlanOver(fresh.pk)
    return fresh


def _locked(round: Round) -> Round:
    # in the order in which whoever tells venues of rounds locks them
    Venue.objects.select_for_update(no_key=True).get(pk=round.venue_id)
    Season.objects.select_for_update(no_key=True).get(pk=round.season_id)
    return Round.objects.select_for_update(no_key=True).get(pk=round.pk)


def initial(round: Round) -> dict[str, Any]:
    """The form's fields as a round has them."""
    terms = round.announcement
    start = localtime(round.starts_at)
    fields = {name: terms[name] for name in _PLAIN if terms.get(name) is not None}
    return fields | {
        "season": round.season_id, "id": round.pk, "name": round.name, "venue": round.venue_id, "day": start.date(),
        "time": start.time(), "shares": shares_text(terms.get("shares", [])), "levels": terms.get("levels", []),
        "structure": "copied", **{name: _numbers(terms.get(name)) for name in ("tables", "breaking", "chip_set")},
    }  # fmt: skip


_PLAIN = (
    "profile", "deposit", "seats_per_table", "capacity", "guarantee", "chip_up", "bonus_card", "ante_by",
    "late_registration", "reentry",
)  # fmt: skip


def fresh() -> dict[str, Any]:
    """The form's fields for a round that nothing is known of: this year's season and the next code in it."""
    season = Season.objects.filter(year=timezone.localdate().year).first() or Season.objects.first()
    if season is None:
        return {}
    return {"season": season.pk, "profile": season.profile, "id": free_code(season.year)}


def free_code(year: int) -> str:
    """A code that no round has: the year and a number."""
    taken = set(Round.objects.filter(pk__startswith=f"{year}-").values_list("pk", flat=True))
    number = next(n for n in range(1, 10_000) if f"{year}-{n:02}" not in taken)
    return f"{year}-{number:02}"


def _numbers(numbers: Any) -> str:
    return " ".join(map(str, numbers or ()))
