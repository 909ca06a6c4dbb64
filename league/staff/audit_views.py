"""The audit log to be looked through: who saw, changed, exported or erased what of whom."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, time, timedelta
from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop
from django.views.decorators.http import require_http_methods

from league.csvout import download
from league.dayfield import DayField
from league.staff import audit, searching
from league.staff.abouts import about_text, reads
from league.staff.labels import field_names
from league.staff.models import AuditEntry
from league.staff.roles import Role, require

LINES_A_PAGE = 100
TYPED = ("who", "number", "words")
LOOKED_UP = gettext_noop("audit log looked through")
TAKEN_OUT = gettext_noop("audit log as a file")


class SearchForm(forms.Form):
    """What to look for; all of it together."""

    who = forms.CharField(label=gettext_lazy("who"), required=False, max_length=150)
    number = forms.CharField(label=gettext_lazy("registration number"), required=False, max_length=12)
    what = forms.ChoiceField(
        label=gettext_lazy("what"), required=False, choices=[("", gettext_lazy("anything")), *AuditEntry.What.choices]
    )
    words = forms.CharField(label=gettext_lazy("about or reason"), required=False, max_length=100)
    since = DayField(label=gettext_lazy("from day"), required=False)
    until = DayField(label=gettext_lazy("to day"), required=False)

    def clean(self) -> dict[str, Any]:
        asked = super().clean() or self.cleaned_data
        if asked.get("since") and asked.get("until") and asked["until"] < asked["since"]:
            self.add_error("until", gettext_lazy("The last day is before the first one."))
        return asked

    def found(self) -> QuerySet[AuditEntry]:
        """The entries that fit; none where what was asked is wrong."""
        entries = AuditEntry.objects.all()
        if not self.is_valid():
            return entries.none()
        asked = self.cleaned_data
        if asked["who"]:
            entries = entries.filter(who__icontains=asked["who"])
        if asked["number"]:
            entries = entries.filter(number=asked["number"])
        if asked["what"]:
            entries = entries.filter(what=asked["what"])
        if asked["words"]:
            entries = entries.filter(reads(asked["words"]) | Q(reason__icontains=asked["words"]))
        if asked["since"]:
            entries = entries.filter(at__gte=_midnight(asked["since"]))
        if asked["until"]:
            entries = entries.filter(at__lt=_midnight(asked["until"] + timedelta(days=1)))
        return entries


@require(Role.AUDITOR, asks=True)
@require_http_methods(["GET", "HEAD", "POST"])
def audit_log(request: HttpRequest) -> HttpResponse:
    """A page of entries, the latest first. To look at it is itself in the log, with whom was looked for."""
    if request.method == "POST":
        return searching.found(request, SearchForm, *TYPED)
    form = _asked(request)
    page = Paginator(form.found(), LINES_A_PAGE).get_page(request.GET.get("page"))
    lines = [_line(entry) for entry in page.object_list]
    # last: what was counted and is shown does not have this look in it
    number = form.cleaned_data.get("number", "")
    audit.note(request, audit.What.VIEW, number=number, about=LOOKED_UP, fields=["number", "name"])
    return render(request, "office/staff/audit.html", {"form": form, "page": page, "lines": lines})


@require(Role.AUDITOR)
def audit_file(request: HttpRequest) -> HttpResponseBase:
    """The same entries as CSV, all of them."""
    form = _asked(request)
    if not form.is_valid():
        return HttpResponse(_("The search is not right."), status=400, content_type="text/plain; charset=utf-8")
    entries = form.found()
    audit.note(request, audit.What.EXPORT, number=form.cleaned_data["number"], about=TAKEN_OUT)
    return download("audit.csv", _rows(entries))


def _asked(request: HttpRequest) -> SearchForm:
    """Names and words come sealed; a registration number may stand in the address, as a link on the page has it."""
    data = searching.asked(request, *TYPED)
    if "number" in request.GET:
        data["number"] = request.GET["number"]
    return SearchForm(data)


def _line(entry: AuditEntry) -> dict[str, Any]:
    return {"entry": entry, "about": about_text(entry.about), "fields": field_names(entry.fields)}


def _rows(entries: QuerySet[AuditEntry]) -> Iterator[list[str]]:
    yield [_("at"), _("who"), _("what"), _("registration number"), _("about"), _("fields"), _("reason"), _("from")]
    for entry in entries.iterator(chunk_size=1000):
        yield [
            timezone.localtime(entry.at).isoformat(timespec="seconds"), entry.who, entry.get_what_display(),
            entry.number, about_text(entry.about), field_names(entry.fields), entry.reason, entry.address or "",
        ]  # fmt: skip


def _midnight(day: Any) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))
