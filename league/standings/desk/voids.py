"""Void participations: who would move, then the decision (LG-10)."""

from __future__ import annotations

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from league.people.models import Participant
from league.staff.audit import What, note
from league.staff.roles import Role, require, roles_of
from league.standings import voiding
from league.standings.correcting import OutOfDate
from league.standings.desk.forms import DecisionForm, VoidForm
from league.standings.models import ParticipationVoid
from league.standings.voiding import NothingToVoid, VoidPreview


@require(Role.CLERK, Role.COMMISSIONER, Role.AUDITOR)
def voids(request: HttpRequest) -> HttpResponse:
    """The participations that are void, and every decision about them."""
    rows = voiding.standing_voids()
    names = _names([row.participant for row in rows])
    note(request, What.VIEW, about="void participations", fields=["name"])
    context = {
        "rows": [(row, names.get(row.participant, "")) for row in rows],
        "history": ParticipationVoid.objects.select_related("round").order_by("-pk")[:200],
        "form": VoidForm(),
        "may_change": Role.COMMISSIONER in roles_of(request.user),
    }
    return render(request, "office/standings/voids.html", context)


@require(Role.COMMISSIONER)
def void(request: HttpRequest) -> HttpResponse:
    """Who would move, and then the decision; nothing is written but by deciding what was shown."""
    form = VoidForm(request.POST if request.method == "POST" else request.GET or None)
    if not form.is_valid():
        return render(request, "office/standings/void.html", {"form": form})
    given = request.POST if request.method == "POST" else request.GET
    declare, round, who = given.get("void") != "no", form.cleaned_data["round"], form.cleaned_data["participant"]
    try:
        preview = voiding.preview(round, who, declare)
        decision = DecisionForm(request.POST if "seen" in request.POST else None, initial={"seen": preview.digest})
        if decision.is_valid() and _decided(request, preview, decision):
            messages.success(request, _("Decided; the season is computed anew."))
            return redirect("office:season-voids")
    except NothingToVoid as error:
        form.add_error("participant", _why(error.code))
        return render(request, "office/standings/void.html", {"form": form})
    return _shown(request, form, preview, decision)


def _shown(request: HttpRequest, form: VoidForm, preview: VoidPreview, decision: DecisionForm) -> HttpResponse:
    names = _names([move.number for move in (*preview.in_round, *preview.in_season)])
    context = {
        "form": form,
        "preview": preview,
        "decision": decision,
        "who": names.get(preview.participant, ""),
        "in_round": [(move, names.get(move.number, "")) for move in preview.in_round],
        "in_season": [(move, names.get(move.number, "")) for move in preview.in_season],
    }
    about = f"round {preview.round.pk}: void participation previewed"
    note(request, What.VIEW, number=preview.participant, about=about, fields=["name"])
    return render(request, "office/standings/void.html", context)


def _decided(request: HttpRequest, preview: VoidPreview, form: DecisionForm) -> bool:
    round, who, reason = preview.round, preview.participant, form.cleaned_data["reason"]
    try:
        with transaction.atomic():
            voiding.decide(round, who, preview.void, reason, request.user.get_username(), form.cleaned_data["seen"])
            done = "declared void" if preview.void else "valid again"
            note(request, What.ACT, number=who, about=f"round {round.pk}: participation {done}", reason=reason)
    except OutOfDate:
        form.data = {"reason": reason, "seen": preview.digest}
        form.add_error(None, _("Results or decisions came in between. Look at the preview again."))
        return False
    return True


def _names(numbers: list[str]) -> dict[str, str]:
    return {person.number: person.full_name for person in Participant.objects.filter(number__in=set(numbers))}


def _why(code: str) -> str:
    return {
        "no-result": _("They have no result in this round."),
        "under-way": _("The round is being played: the venue declares it void there."),
        "void": _("It is void already."),
        "valid": _("It is not void."),
    }[code]
