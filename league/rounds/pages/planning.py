"""The form in which a round is planned, and the structures and prize shares that it is planned with."""

from __future__ import annotations

from typing import Any

import msgspec
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import get_language, gettext_noop
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from appliance.game.ruleset import PROFILES
from appliance.game.structure import WishError, propose
from league.rounds import plan
from league.rounds.forms import PlanForm
from league.rounds.levels import FRESH_ROWS, MORE_ROWS, Rows, of_levels, typed
from league.rounds.models import Round
from league.rounds.pages.acts import letters_said
from league.rounds.planning import ShareTemplate, StructureTemplate
from league.rounds.stock_forms import NameForm, ProposalForm, ShareForm
from league.staff import audit
from league.staff.roles import Role, require, roles_of

ROUND_PLANNED = gettext_noop("round planned")
STRUCTURE_KEPT = gettext_noop("structure kept")
SHARES_KEPT = gettext_noop("prize shares kept")
DROPPED = gettext_noop("template dropped")
READERS = (Role.CLERK, Role.COMMISSIONER, Role.AUDITOR)


@require(Role.COMMISSIONER)
def new_round(request: HttpRequest) -> HttpResponse:
    """Plan a round; ``?like=`` takes over what another one has."""
    like = Round.objects.filter(pk=request.GET.get("like", "")).first()
    initial = plan.fresh()
    if like is not None:
        taken = plan.initial(like)
        initial = taken | {"id": plan.free_code(like.season.year), "day": None}
    return _plan(request, PlanForm(request.POST or None, initial=initial), None)


@require(Role.COMMISSIONER)
def edit_round(request: HttpRequest, round_id: str) -> HttpResponse:
    """Change a plan; what has been announced is moved or cancelled, never edited (P)."""
    round = get_object_or_404(Round.objects.select_related("season", "venue"), pk=round_id)
    if round.promised is not None or round.cancelled_at is not None:
        return _over(request, round)
    return _plan(request, PlanForm(request.POST or None, initial=plan.initial(round), round=round), round)


def _over(request: HttpRequest, round: Round) -> HttpResponse:
    messages.error(request, _("It was announced or cancelled already: a promise is not edited."))
    return redirect("office:rounds-round", round.pk)


def _plan(request: HttpRequest, form: PlanForm, round: Round | None) -> HttpResponse:
    if request.method == "POST" and form.is_valid():
        terms = plan.terms_of(form)
        if plan.check(form, terms, get_language() or "cs"):
            try:
                kept, told = plan.keep(form, terms, round, request.user.get_username())
            except plan.PlanOver:
                assert round is not None
                return _over(request, round)
            except IntegrityError:
                form.add_error("id", _("There is a round with that code already."))
            else:
                audit.note(request, audit.What.ACT, about=f"{ROUND_PLANNED}: {kept.pk}")
                messages.success(request, _("The plan is kept. Announce it when it is right."))
                if told.concerned:
                    messages.info(request, letters_said(told))
                return redirect("office:rounds-round", kept.pk)
    without = not form.fields["structure"].choices  # type: ignore[attr-defined]
    return render(request, "office/rounds/plan.html", {"form": form, "round": round, "without": without})


@require(*READERS)
@require_safe
def stock(request: HttpRequest) -> HttpResponse:
    """The templates that rounds are planned with."""
    structures = [(each, _summary(each.levels)) for each in StructureTemplate.objects.all()]
    context = {
        "structures": structures, "shares": ShareTemplate.objects.all(),
        "may_change": Role.COMMISSIONER in roles_of(request.user),
    }  # fmt: skip
    return render(request, "office/rounds/stock.html", context)


@require(Role.COMMISSIONER)
def structure(request: HttpRequest, pk: int | None = None) -> HttpResponse:
    """A structure, row by row: level or break. A new one can be proposed, or be another round's."""
    known = get_object_or_404(StructureTemplate, pk=pk) if pk is not None else None
    wish = ProposalForm(request.GET if "players" in request.GET else None)
    form = NameForm(request.POST if request.method == "POST" else None, known=known)
    if request.method != "POST":
        rows = _first_rows(known, wish, request.GET.get("like", ""))
        return _structure(request, known, form, wish, rows)
    rows = typed(request.POST)
    if "more" in request.POST or "after" in request.POST:
        after = request.POST.get("after", "")
        at = int(after) if after.isascii() and after.isdigit() and len(after) < 4 else None
        return _structure(request, known, form, wish, rows.with_rows(1 if at is not None else MORE_ROWS, at))
    form.full_clean()
    if not rows.levels and not rows.errors:
        form.add_error(None, _("There is no level among them."))
    for place, why in rows.errors:
        form.add_error(None, _("Row %(place)d: %(why)s") % {"place": place, "why": why})
    if not form.is_valid():
        return _structure(request, known, form, wish, rows)
    made = known or StructureTemplate()
    made.name, made.levels = form.cleaned_data["name"], rows.levels
    try:
        made.full_clean()
    except ValidationError as error:
        for text in error.messages:
            form.add_error(None, text)
        return _structure(request, known, form, wish, rows)
    made.save()
    audit.note(request, audit.What.ACT, about=f"{STRUCTURE_KEPT}: {made.name}")
    messages.success(request, _("The structure is kept. Rounds that are planned already stay as they are."))
    return redirect("office:rounds-stock")


def _structure(
    request: HttpRequest, known: StructureTemplate | None, form: NameForm, wish: ProposalForm, rows: Rows
) -> HttpResponse:
    context = {"known": known, "form": form, "wish": wish, "rows": rows, "total": _summary(rows.levels)}
    return render(request, "office/rounds/structure.html", context)


def _first_rows(known: StructureTemplate | None, wish: ProposalForm, like: str) -> Rows:
    if known is not None:
        return of_levels(known.levels).with_rows(MORE_ROWS)
    round = Round.objects.filter(pk=like).first() if like else None
    if round is not None:
        return of_levels(round.terms.get("levels", [])).with_rows(MORE_ROWS)
    if wish.is_bound and wish.is_valid():
        try:
            proposed = propose(wish.wish(PROFILES[wish.cleaned_data["profile"]].small_blind))
        except WishError as error:
            wish.take(error)
        else:
            return of_levels(msgspec.to_builtins(proposed.levels)).with_rows(MORE_ROWS)
    return of_levels([]).with_rows(FRESH_ROWS)


@require(Role.COMMISSIONER)
def share(request: HttpRequest, pk: int | None = None) -> HttpResponse:
    """Prize shares under a name."""
    known = get_object_or_404(ShareTemplate, pk=pk) if pk is not None else None
    form = ShareForm(request.POST or None, known=known)
    if request.method == "POST" and form.is_valid():
        made = known or ShareTemplate()
        made.name, made.shares = form.cleaned_data["name"], form.cleaned_data["shares"]
        made.save()
        audit.note(request, audit.What.ACT, about=f"{SHARES_KEPT}: {made.name}")
        messages.success(request, _("The prize shares are kept. Rounds that are planned already stay as they are."))
        return redirect("office:rounds-stock")
    return render(request, "office/rounds/share.html", {"known": known, "form": form})


@require(Role.COMMISSIONER)
@require_POST
def drop(request: HttpRequest, kind: str, pk: int) -> HttpResponse:
    """Drop a template; rounds keep their copies."""
    model: type[StructureTemplate] | type[ShareTemplate] = StructureTemplate if kind == "structure" else ShareTemplate
    gone: Any = get_object_or_404(model, pk=pk)
    audit.note(request, audit.What.ACT, about=f"{DROPPED}: {gone.name}")
    gone.delete()
    messages.success(request, _("The template is gone; rounds keep their copies."))
    return redirect("office:rounds-stock")


def _summary(levels: list[dict[str, Any]]) -> dict[str, int]:
    """How many levels and breaks, and how long all of it is, in minutes."""
    played = [level for level in levels if "break" not in level]
    breaks = [level for level in levels if "break" in level]
    minutes = sum(level.get("minutes", 0) for level in played) + sum(level["break"] for level in breaks)
    return {"levels": len(played), "breaks": len(breaks), "minutes": minutes}
