"""Seasons: profile and key of later rounds, the course (LG-11), the winners (LG-8)."""

from __future__ import annotations

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from appliance.game.reading import CommandError
from league.ingest.rosters import changed
from league.people.models import Participant
from league.rounds.models import Round, Season
from league.staff.audit import What as Audited
from league.staff.audit import note
from league.staff.roles import Role, require, roles_of
from league.standings import season_words, seasons
from league.standings.corrections import key_to_announce, standing
from league.standings.desk.forms import ActForm, SeasonForm
from league.standings.seasons import NoSuchAct, What

READERS = (Role.CLERK, Role.COMMISSIONER, Role.AUDITOR)

TITLES: dict[str, str | Promise] = {
    What.INTERRUPT: gettext_lazy("Interrupt the season"),
    What.RESUME: gettext_lazy("Take the season up again"),
    What.SHORTEN: gettext_lazy("Shorten the season"),
    What.EXTEND: gettext_lazy("Extend the season"),
    What.END: gettext_lazy("End the season"),
}


@require(*READERS)
def season_list(request: HttpRequest) -> HttpResponse:
    """All seasons."""
    return render(
        request, "office/standings/seasons.html", {"seasons": Season.objects.all(), "may_change": _may_change(request)}
    )


@require(*READERS)
def season(request: HttpRequest, year: int) -> HttpResponse:
    """One season with its course, and what may be decided about it."""
    row = get_object_or_404(Season, year=year)
    declared, now = seasons.declared(row), [line.number for line in seasons.winners(row)]
    for number in dict.fromkeys([*declared, *now]):
        note(request, Audited.VIEW, number=number, about=f"season {row.year}: winners", fields=["name"])
    context = {
        "season": row,
        "acts": row.acts.order_by("-pk"),
        "possible": [(what, TITLES[what]) for what in possible(row)],
        "stands": standing(row),
        "winners": _named(declared),
        "leaders": _named(now),
        "differ": row.state == Season.State.ENDED and sorted(declared) != sorted(now),
        "next_key": _next_key(row),
        "under_way": seasons.under_way(row),
        "may_change": _may_change(request),
    }
    return render(request, "office/standings/season.html", context)


@require(Role.COMMISSIONER)
def edit_season(request: HttpRequest, year: int | None = None) -> HttpResponse:
    """A new season, or what later rounds of one are announced with."""
    row = None if year is None else get_object_or_404(Season, year=year)
    posted = request.POST if request.method == "POST" else None
    begin = SeasonForm.start(row) if row else {"year": _next_year()} | SeasonForm.begin(None)
    form = SeasonForm(posted, known=row, initial=begin)
    if posted and "more" in posted:
        form = SeasonForm(known=row, initial=form.as_typed())
    if form.is_valid():
        with transaction.atomic():
            kept = row or Season(year=form.cleaned_data["year"])
            fields = form.keep(kept)
            note(request, Audited.CHANGE, about=f"season {kept.year}", fields=fields)
            if "least_card" in fields:
                changed()
        messages.success(request, _("Kept."))
        return redirect("office:season", kept.year)
    return render(request, "office/standings/edit_season.html", {"form": form, "season": row})


@require(Role.COMMISSIONER)
def act(request: HttpRequest, year: int, what: str) -> HttpResponse:
    """Interrupt, take up again, shorten, extend or end a season; announced in the same moment (LG-11)."""
    row = get_object_or_404(Season, year=year)
    if what not in What.values:
        raise Http404
    title_cs, title_en = season_words.headlines(row, what)
    begin = {"title_cs": title_cs, "title_en": title_en, "day": min(timezone.localdate(), row.last_day)}
    form = ActForm(request.POST if request.method == "POST" else None, what=what, initial=begin)
    winners = [line.number for line in seasons.winners(row)] if what == What.END else []
    if form.is_valid() and _acted(request, row, what, form, winners):
        messages.success(request, _("Decided and announced."))
        return redirect("office:season", row.year)
    for number in winners:
        note(request, Audited.VIEW, number=number, about=f"season {row.year}: winners", fields=["name"])
    context = {
        "form": form, "season": row, "what": what, "title": TITLES[what], "winners": _named(winners),
        "to_come": _in_the_way(row, what, form),
    }  # fmt: skip
    return render(request, "office/standings/act.html", context)


def possible(row: Season) -> list[str]:
    """The decisions that can be made about a season as it stands."""
    if row.state == Season.State.ENDED:
        return [What.RESUME, What.END]
    return [What.RESUME if row.rests() else What.INTERRUPT, What.SHORTEN, What.EXTEND, What.END]


def _may_change(request: HttpRequest) -> bool:
    return Role.COMMISSIONER in roles_of(request.user)


def _in_the_way(row: Season, what: str, form: ActForm) -> list[Round]:
    """Rounds that stand on days for which the decision leaves no play: by the days that were sent, else from today."""
    sent = form.cleaned_data if form.is_bound else {}
    return seasons.in_the_way(row, what, sent.get("day") or timezone.localdate(), sent.get("until"))


def _acted(request: HttpRequest, row: Season, what: str, form: ActForm, winners: list[str]) -> bool:
    data, by = form.cleaned_data, request.user.get_username()
    if "stay" in form.fields and not data["stay"] and _in_the_way(row, what, form):
        form.add_error("stay", _("Rounds stand on days on which nothing is to be played: see above."))
        return False
    said = season_words.filled(form.words(), what, data["day"], data.get("until"), winners)
    try:
        with transaction.atomic():
            seasons.act(row, what, data["day"], said, by, until=data.get("until"), reason=data["reason"])
            note(request, Audited.ACT, about=f"season {row.year}: {what}", reason=data["reason"])
    except NoSuchAct as error:
        form.add_error(error.field if error.field in form.fields else None, _why(error.code))
        return False
    return True


def _why(code: str) -> str:
    return {
        "not-running": _("The season is interrupted already, or an interruption is decided: end that first."),
        "outside": _("That is not a day of the season."),
        "too-late": _("A season goes on to the end of the next year at the latest."),
        "resumes-anyway": _("The interruption is over by then."),
        "ahead": _("That day is still to come: a season is ended when it is over."),
        "played-after": _("A round was played after that day."),
        "rounds-to-come": _("Rounds of it are still to come: cancel or move them first."),
        "running": _("The season is being played: there is nothing to take up again."),
        "ended": _("The season has ended: take it up again first."),
        "not-earlier": _("That is not earlier than its last day now."),
        "not-later": _("That is not later than its last day now."),
        "ends-before-start": _("It would end before it starts."),
    }.get(code, _("Rounds of it are being played: the winners are not known yet."))


def _named(numbers: list[str]) -> list[tuple[str, str]]:
    names = {person.number: person.full_name for person in Participant.objects.filter(number__in=numbers)}
    return [(number, names.get(number, "")) for number in numbers]


def _next_key(row: Season) -> str:
    """The name of the points key that a round announced now gets; empty: the default one."""
    try:
        key = key_to_announce(row)
    except CommandError:
        return str(row.points_key)[:40]  # written by other hands: it is refused where it is used
    return "" if key is None else str(key["name"])


def _next_year() -> int:
    last = Season.objects.first()
    return last.year + 1 if last else timezone.localdate().year
