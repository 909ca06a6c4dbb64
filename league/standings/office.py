"""The staff page on which a season's points key is corrected: first who would move, then the correction itself (P)."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from appliance.game.points import decode_key
from appliance.game.pointskey import PointsKey
from appliance.game.reading import CommandError
from league.people.models import Participant
from league.rounds.keys import key_data, read_key
from league.rounds.models import Season
from league.standings import correcting
from league.standings.correcting import NothingToCorrect, OutOfDate, Preview
from league.standings.corrections import last_row, standing
from league.standings.models import PointsCorrection


class KeyForm(forms.Form):
    """The right key, as JSON."""

    key = forms.CharField(
        label=gettext_lazy("points key"), widget=forms.Textarea(attrs={"rows": 22, "cols": 60, "spellcheck": "false"})
    )

    def clean_key(self) -> PointsKey:
        """The key that the text says; an error names its field."""
        try:
            return decode_key(self.cleaned_data["key"])
        except CommandError as error:
            raise forms.ValidationError(str(error)) from None


class ReasonForm(forms.Form):
    """Why, and the preview that is agreed to."""

    reason = forms.CharField(label=gettext_lazy("reason"), max_length=500, widget=forms.TextInput(attrs={"size": 80}))
    seen = forms.CharField(widget=forms.HiddenInput)


def correct_points(request: HttpRequest, season_id: int, site: admin.AdminSite) -> HttpResponse:
    """Show, preview and apply; nothing is written but by applying what was previewed."""
    if not request.user.has_perm("standings.add_pointscorrection"):
        raise PermissionDenied
    season = get_object_or_404(Season, pk=season_id)
    stands = standing(season)
    withdrawing = request.POST.get("what") == "withdraw"
    asked = request.method == "POST"
    form = KeyForm(request.POST if asked and not withdrawing else None, initial={"key": current_key(season, stands)})
    context = site.each_context(request) | {
        "title": _("Correct the points key"),
        "season": season,
        "opts": Season._meta,
        "form": form,
        "stands": stands,
        "last": last_row(season),
    }
    if asked and (withdrawing or form.is_valid()):
        key = None if withdrawing else form.cleaned_data["key"]
        try:
            preview = correcting.preview_withdrawal(season) if key is None else _preview(season, key)
            if "seen" in request.POST:
                return _applied(request, preview, context)
            context |= shown_preview(preview, ReasonForm(initial={"seen": preview.digest}))
        except NothingToCorrect:
            messages.warning(request, nothing_said(stands if key is not None else None, withdrawing))
    return TemplateResponse(request, "admin/standings/correct_points.html", context)


def _applied(request: HttpRequest, preview: Preview, context: dict[str, Any]) -> HttpResponse:
    """Record what was previewed, unless a reason is missing or something came in between: then it is shown anew."""
    form = ReasonForm(request.POST)
    if not form.is_valid():
        context |= shown_preview(preview, form)
        return TemplateResponse(request, "admin/standings/correct_points.html", context)
    reason, by, seen = form.cleaned_data["reason"], request.user.get_username(), form.cleaned_data["seen"]
    try:
        if preview.key is None:
            row = correcting.withdraw(preview.season, reason, by, seen)
        else:
            row = correcting.correct(preview.season, preview.key, reason, by, seen)
    except OutOfDate:
        messages.warning(request, _("Results or corrections came in between. Look at the preview again."))
        context |= shown_preview(preview, ReasonForm(initial={"seen": preview.digest, "reason": reason}))
        return TemplateResponse(request, "admin/standings/correct_points.html", context)
    messages.success(request, _("Recorded; the season is computed anew."))
    return HttpResponseRedirect(reverse("admin:standings_pointscorrection_change", args=[row.pk]))


def _preview(season: Season, key: PointsKey) -> Preview:
    return correcting.preview_correction(season, key)


def shown_preview(preview: Preview, reason: ReasonForm) -> dict[str, Any]:
    """What a page shows of a preview."""
    names = {person.number: person.full_name for person in Participant.objects.all()}
    moves = [move._asdict() | {"name": names.get(move.number, ""), "move": move} for move in preview.moves]
    key = None if preview.key is None else json.dumps(key_data(preview.key), ensure_ascii=False)
    return {"preview": preview, "moves": moves, "key": key, "reason": reason}


def nothing_said(stands: PointsCorrection | None, withdrawing: bool) -> str:
    """Why there is nothing to correct."""
    if withdrawing:
        return _("No correction stands.")
    if stands is not None:
        return _("The season counts by this key already: correction %(number)s by %(by)s.") % {
            "number": stands.number,
            "by": stands.by,
        }
    return _("No announced round counts by another key. For rounds to be announced, edit the key of the season.")


def current_key(season: Season, stands: PointsCorrection | None) -> str:
    """The key that counts now, to be edited."""
    try:
        key = read_key(stands.key if stands else season.points_key)
    except CommandError:
        return json.dumps(season.points_key, indent=1, ensure_ascii=False)
    return json.dumps(key_data(key), indent=1, ensure_ascii=False)
