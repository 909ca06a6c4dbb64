"""The office's pages of imports and exports. A file is checked first and handed over once more to be taken: nothing of
it is kept here in between.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_POST, require_safe

from league.csvout import download
from league.imports import people, results
from league.imports.csvfile import ENCODINGS, MAX_BYTES, MAX_LINES, MAX_PROBLEMS
from league.imports.exports import people_rows, results_rows
from league.imports.forms import FileForm, ResultsForm, SeasonForm
from league.imports.outcome import Outcome
from league.people.acts import By
from league.staff import audit
from league.staff.roles import Role, require, roles_of

PEOPLE_OUT = gettext_noop("participants as a file")
RESULTS_OUT = gettext_noop("results of a season as a file")
CHECKED = gettext_noop("file checked for an import")

_MARGIN = 64 * 1024
"""What a request may have beside its file."""

_SEPARATORS = {";": gettext_lazy("semicolons"), ",": gettext_lazy("commas"), "\t": gettext_lazy("tabs")}


class Kind(NamedTuple):
    """A kind of import: how its page and its columns are called."""

    view: str
    heading: str | Promise
    columns: dict[str, tuple[str, ...]]
    needed: tuple[str, ...]
    known: str | Promise
    about: str


_PEOPLE = Kind(
    "office:imports-people", gettext_lazy("Import participants"), people.COLUMNS, ("first_name", "surname"),
    gettext_lazy("Whoever is there already is left as they are; only what was never entered (birth number, address) is "
                 "filled in. Each line needs the registration number, the birth number, or birth date and document."),
    people.ABOUT,
)  # fmt: skip
_RESULTS = Kind(
    "office:imports-results", gettext_lazy("Import past results"), results.COLUMNS, results.NEEDED,
    gettext_lazy("A line for each participant of a round. Without points those of the season's key count. Seasons, "
                 "venues and participants must be there already."), results.ABOUT,
)  # fmt: skip


@require(Role.CLERK, Role.COMMISSIONER, Role.OPERATOR, Role.AUDITOR)
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What can be brought in and taken out."""
    roles = roles_of(request.user)
    context = {
        "may_people": Role.CLERK in roles, "may_results": bool({Role.COMMISSIONER, Role.OPERATOR} & roles),
        "season": SeasonForm(),
    }  # fmt: skip
    return render(request, "office/imports/home.html", context)


@csrf_exempt
@require(Role.CLERK)
def import_people(request: HttpRequest) -> HttpResponseBase:
    """Participants from CSV."""
    return _unless_too_large(request, _people)


@csrf_exempt
@require(Role.COMMISSIONER, Role.OPERATOR)
def import_results(request: HttpRequest) -> HttpResponseBase:
    """Past results from CSV."""
    return _unless_too_large(request, _results)


@require(Role.CLERK)
@require_POST
def export_people(request: HttpRequest) -> HttpResponseBase:
    """All participants as CSV."""
    audit.note(request, audit.What.EXPORT, about=PEOPLE_OUT, fields=["name", "email", "state", "consents"])
    return download("participants.csv", people_rows())


@require(Role.CLERK, Role.COMMISSIONER, Role.OPERATOR, Role.AUDITOR)
@require_safe
def export_results(request: HttpRequest) -> HttpResponseBase:
    """The results of a season as CSV, by numbers."""
    form = SeasonForm(request.GET)
    if not form.is_valid():
        return redirect("office:imports-home")
    season = form.cleaned_data["season"]
    audit.note(request, audit.What.EXPORT, about=f"{RESULTS_OUT}: {season.year}")
    return download(f"results-{season.year}.csv", results_rows(season))


# -- inside ----------------------------------------------------------------------------------------------


def _unless_too_large(request: HttpRequest, view: Callable[[HttpRequest], HttpResponseBase]) -> HttpResponseBase:
    """Refuse by its length alone, before anything of it is read, what no file of ours can be."""
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not length.isdecimal() or int(length) > MAX_BYTES + _MARGIN:
        text = _("The file is larger than %(count)d MB: divide it.") % {"count": MAX_BYTES >> 20}
        return HttpResponse(text, status=413, content_type="text/plain; charset=utf-8")
    return view(request)


@csrf_protect
def _people(request: HttpRequest) -> HttpResponse:
    form = FileForm(request.POST, request.FILES)

    def take(raw: bytes, encoding: str, *, dry_run: bool) -> Outcome:
        return people.import_people(raw, By.staff(request), encoding=encoding, dry_run=dry_run)

    return _page(request, _PEOPLE, form, take)


@csrf_protect
def _results(request: HttpRequest) -> HttpResponse:
    form = ResultsForm(request.POST, request.FILES)

    def take(raw: bytes, encoding: str, *, dry_run: bool) -> Outcome:
        replace = form.cleaned_data["replace"]
        return results.import_results(raw, By.staff(request), encoding=encoding, dry_run=dry_run, replace=replace)

    return _page(request, _RESULTS, form, take)


def _page(request: HttpRequest, kind: Kind, form: FileForm, take: Callable[..., Outcome]) -> HttpResponse:
    outcome: Outcome | None = None
    seen = ""
    if request.method == "POST" and form.is_valid():
        raw, encoding = form.cleaned_data["file"].read(), form.cleaned_data["encoding"]
        outcome = take(raw, encoding, dry_run=True)
        if form.cleaned_data["seen"] == outcome.digest and not outcome.problems:
            outcome = take(raw, encoding, dry_run=False)
            if outcome.done:
                messages.success(request, _("Imported: %(count)d.") % {"count": outcome.writes})
                return redirect(kind.view)
        audit.note(
            request, audit.What.VIEW, about=CHECKED, fields=sorted(outcome.table.columns if outcome.table else [])
        )
        seen = outcome.digest if outcome.writes and not outcome.problems else ""
        form.data = {"encoding": encoding, "seen": seen, "replace": form.cleaned_data.get("replace")}
    elif request.method != "POST":
        form = type(form)()
    return render(request, "office/imports/import.html", _context(kind, form, outcome, seen))


def _context(kind: Kind, form: FileForm, outcome: Outcome | None, seen: str) -> dict[str, object]:
    table = outcome.table if outcome else None
    return {
        "kind": kind, "form": form, "outcome": outcome, "seen": seen, "max_lines": MAX_LINES, "max_mb": MAX_BYTES >> 20,
        "encoding": ENCODINGS[table.encoding] if table else "",
        "separator": _SEPARATORS[table.separator] if table else "",
        "faults": [outcome.in_file(problem) for problem in outcome.shown] if outcome else [],
        "remarks": [outcome.in_file(remark) for remark in outcome.remarks[:MAX_PROBLEMS]] if outcome else [],
        "columns": [(name, ", ".join(aliases), name in kind.needed) for name, aliases in kind.columns.items()],
    }  # fmt: skip
