"""Correcting a season's points key: first who would move, then the correction itself (P)."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from league.rounds.models import Season
from league.staff.audit import What, note
from league.staff.roles import Role, require
from league.standings import correcting
from league.standings.correcting import NothingToCorrect, OutOfDate, Preview
from league.standings.corrections import standing
from league.standings.desk.keyfields import CorrectedKeyForm
from league.standings.office import ReasonForm, nothing_said, shown_preview


@require(Role.COMMISSIONER)
def points(request: HttpRequest, year: int) -> HttpResponse:
    """Show, preview and apply; nothing is written but by applying what was previewed."""
    season = get_object_or_404(Season, year=year)
    stands, asked = standing(season), request.method == "POST"
    withdrawing = request.POST.get("what") == "withdraw"
    begin = CorrectedKeyForm.begin(stands.key if stands else season.points_key)
    form = CorrectedKeyForm(request.POST if asked and not withdrawing else None, initial=begin)
    if "more" in request.POST and form.is_bound:
        form = CorrectedKeyForm(initial=form.as_typed())
    context: dict[str, Any] = {
        "season": season, "form": form, "stands": stands, "all": season.corrections.order_by("-number"),
    }  # fmt: skip
    if withdrawing or form.is_valid():
        key = None if withdrawing else form.cleaned_data["key"]
        try:
            preview = (
                correcting.preview_withdrawal(season) if key is None else correcting.preview_correction(season, key)
            )
            reason = ReasonForm(request.POST if "seen" in request.POST else None, initial={"seen": preview.digest})
            if reason.is_valid() and _applied(request, preview, reason):
                return redirect("office:season", season.year)
            about = f"season {season.year}: correction of the points key previewed"
            note(request, What.VIEW, about=about, fields=["name"])
            context |= shown_preview(preview, reason)
        except NothingToCorrect:
            messages.warning(request, nothing_said(None if withdrawing else stands, withdrawing))
    return render(request, "office/standings/points.html", context)


def _applied(request: HttpRequest, preview: Preview, form: ReasonForm) -> bool:
    reason, by, seen = form.cleaned_data["reason"], request.user.get_username(), form.cleaned_data["seen"]
    try:
        with transaction.atomic():
            if preview.key is None:
                correcting.withdraw(preview.season, reason, by, seen)
            else:
                correcting.correct(preview.season, preview.key, reason, by, seen)
            done = "withdrawn" if preview.key is None else "corrected"
            note(request, What.ACT, about=f"season {preview.season.year}: points key {done}", reason=reason)
    except OutOfDate:
        form.data = {"reason": reason, "seen": preview.digest}
        messages.warning(request, _("Results or corrections came in between. Look at the preview again."))
        return False
    messages.success(request, _("Recorded; the season is computed anew."))
    return True
