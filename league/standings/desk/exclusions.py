"""Exclusions from the league: on a commissioner's proposal, by the league's decision (T-15)."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from league.people.models import Participant
from league.staff.audit import What, note
from league.staff.roles import Role, require, roles_of
from league.standings import excluding
from league.standings.desk.forms import DeclineForm, ExclusionForm, LiftForm
from league.standings.excluded import open_proposals
from league.standings.excluding import ExcludedAlready, NotExcluded, NotProposed
from league.standings.models import DeclinedProposal, Exclusion, ExclusionProposal

DECLINED = gettext_noop("proposed exclusion declined")
"""What the audit log says of it."""


@require(Role.CLERK, Role.COMMISSIONER, Role.AUDITOR)
def exclusions(request: HttpRequest) -> HttpResponse:
    """Who is excluded now or later, and who was."""
    rows = list(Exclusion.objects.select_related("round")[:500])
    proposed = open_proposals()
    declined = list(DeclinedProposal.objects.select_related("round")[:500])
    numbers = {row.participant for row in rows} | {row.number for row in proposed} | {row.number for row in declined}
    people = Participant.objects.filter(number__in=numbers)
    names = {person.number: person.full_name for person in people}
    today = timezone.localdate()
    told = [(row, names.get(row.participant, ""), row.acts(today)) for row in rows]
    note(request, What.VIEW, about="exclusions from the league", fields=["name"])
    open_ones = [line for line in told if line[0].lifted_at is None and not (line[0].until and line[0].until < today)]
    context: dict[str, Any] = {"standing": open_ones, "over": [line for line in told if line not in open_ones]}
    context["proposed"] = [(row, names.get(row.number, "")) for row in proposed]
    context["declined"] = [(row, names.get(row.number, "")) for row in declined]
    context["may_change"] = Role.COMMISSIONER in roles_of(request.user)
    return render(request, "office/standings/exclusions.html", context)


@require(Role.COMMISSIONER)
def exclude(request: HttpRequest) -> HttpResponse:
    """Exclude somebody; the venues hear of it at once."""
    begin = {"since": timezone.localdate(), "participant": request.GET.get("participant", "")}
    begin |= {name: request.GET[name] for name in ("round",) if name in request.GET}
    form = ExclusionForm(request.POST if request.method == "POST" else None, initial=begin)
    if form.is_valid():
        try:
            with transaction.atomic():
                row = excluding.exclude(form.exclusion(), request.user.get_username())
                note(request, What.ACT, number=row.participant, about="excluded from the league", reason=row.reason)
            messages.success(request, _("Excluded; the venues hear of it within seconds."))
        except ExcludedAlready:
            messages.warning(request, _("They are excluded on these days already: nothing was recorded again."))
        return redirect("office:season-exclusions")
    return render(request, "office/standings/exclude.html", {"form": form})


@require(Role.COMMISSIONER)
def lift(request: HttpRequest, pk: int) -> HttpResponse:
    """Let somebody take part again before the time."""
    row = get_object_or_404(Exclusion, pk=pk)
    others = excluding.others_of(row)
    form = LiftForm(request.POST if request.method == "POST" else None, others=bool(others))
    if form.is_valid():
        try:
            with transaction.atomic():
                for each in [row, *others] if form.cleaned_data.get("others") else [row]:
                    excluding.lift(each, form.cleaned_data["reason"], request.user.get_username())
                    why = form.cleaned_data["reason"]
                    note(request, What.ACT, number=row.participant, about="exclusion lifted", reason=why)
            messages.success(request, _("Lifted; the venues hear of it within seconds."))
            if excluding.others_of(row):
                messages.warning(request, _("Another exclusion of the same person stands."))
        except NotExcluded:
            messages.warning(request, _("It was lifted already, or had ended."))
        return redirect("office:season-exclusions")
    return render(request, "office/standings/lift.html", {"form": form, "row": row, "others": others})


@require(Role.COMMISSIONER)
def decline(request: HttpRequest, round_id: str, number: str) -> HttpResponse:
    """Do not follow what a venue's commissioner proposes; why is kept."""
    row = get_object_or_404(ExclusionProposal.objects.select_related("round"), round=round_id, number=number)
    form = DeclineForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        why = form.cleaned_data["reason"]
        try:
            with transaction.atomic():
                excluding.decline(row, why, request.user.get_username())
                note(request, What.ACT, number=row.number, about=f"{DECLINED}: {row.round_id}", reason=why)
            messages.success(request, _("Declined; the reason is kept."))
        except NotProposed:
            messages.warning(request, _("It was followed or declined already, or is no longer proposed."))
        return redirect("office:season-exclusions")
    return render(request, "office/standings/decline.html", {"form": form, "row": row})
