"""The office's pages about cards (LG-6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.cards import acts
from league.cards.acts import Where
from league.cards.finding import find_cards, history
from league.cards.forms import DeclareForm, KeepForm, ReasonForm, ReplaceForm, SearchForm
from league.cards.labels import HANDED_IN, reason_label
from league.cards.models import CardAct, RefusedCard, acts_on
from league.cards.waiting import replacements_waiting
from league.csvout import download
from league.people.acts import ActRefused, By
from league.people.models import Card, Participant
from league.rounds.models import Venue
from league.staff import audit, searching
from league.staff.roles import Role, require, roles_of

READERS = (Role.CLERK, Role.COMMISSIONER, Role.AUDITOR)
WRITERS = (Role.CLERK, Role.COMMISSIONER)
A_PAGE = 50
SHOWN = ("name", "card", "state")

LIST = gettext_noop("list of cards")
REFUSALS = gettext_noop("list of refused cards")
WAITING = gettext_noop("list of replacements")
TAKEN_OUT = gettext_noop("cards as a file")
ONE = gettext_noop("card")


@require(*READERS, asks=True)
@require_http_methods(["GET", "HEAD", "POST"])
def cards(request: HttpRequest) -> HttpResponse:
    """The cards that the search finds."""
    if request.method == "POST":
        return searching.found(request, SearchForm, "q")
    form = SearchForm(searching.asked(request, "q") or None)
    wanted = form.cleaned_data if form.is_bound and form.is_valid() else {}
    found = find_cards(wanted.get("q", ""), wanted.get("state", ""))
    page = Paginator(found, A_PAGE).get_page(request.GET.get("page"))
    audit.note(request, audit.What.VIEW, about=LIST, fields=SHOWN)
    return render(request, "office/cards/list.html", {"form": form, "page": page, "may_change": _may_change(request)})


@require(*READERS)
@require_safe
def cards_file(request: HttpRequest) -> HttpResponseBase:
    """The same cards as CSV."""
    form = SearchForm(searching.asked(request, "q"))
    wanted = form.cleaned_data if form.is_valid() else {}
    audit.note(request, audit.What.EXPORT, about=TAKEN_OUT, fields=[*SHOWN, "reason"])
    return download("cards.csv", _rows(wanted.get("q", ""), wanted.get("state", "")))


def _rows(text: str, state: str) -> Iterator[list[object]]:
    yield [_("card"), _("number"), _("name"), _("serial number"), _("state"), _("since"), _("issued"), _("note")]
    for card in find_cards(text, state).iterator(chunk_size=500):
        since = localtime(card.state_at).isoformat(timespec="seconds") if card.state_at else ""
        issued = localtime(card.issued_at).date().isoformat()
        yield [
            card.uid, card.participant.number, card.participant.full_name, card.serial or "",
            card.get_state_display(), since, issued, card.reason,
        ]  # fmt: skip


@require(*READERS)
@require_safe
def card(request: HttpRequest, pk: int) -> HttpResponse:
    """One card, its history, and what can be done with it."""
    found = get_object_or_404(Card.objects.select_related("participant"), pk=pk)
    audit.note(request, audit.What.VIEW, number=found.participant.number, about=f"{ONE}: {found.uid}", fields=["card"])
    return _card_page(request, found)


@require(*WRITERS)
@require_POST
def declare(request: HttpRequest, pk: int) -> HttpResponse:
    """Lost, stolen, damaged or taken back."""
    found = get_object_or_404(Card, pk=pk)
    form = DeclareForm(found, request.POST)
    if not form.is_valid():
        return _card_page(request, found, declare=form)
    given = form.cleaned_data
    what = CardAct.What(given["what"])
    return _done(request, found, lambda: acts.declare(found, what, By.staff(request), given["reason"]))


@require(*WRITERS)
@require_POST
def found_again(request: HttpRequest, pk: int) -> HttpResponse:
    """A lost card turned up, and is valid again."""
    card, form = get_object_or_404(Card, pk=pk), ReasonForm(request.POST)
    reason = form.cleaned_data["reason"] if form.is_valid() else ""
    return _done(request, card, lambda: acts.find(card, By.staff(request), reason))


@require(Role.CLERK)
@require_POST
def replace(request: HttpRequest, pk: int) -> HttpResponse:
    """Order a new card, at the fee that was shown."""
    found, form = get_object_or_404(Card, pk=pk), ReplaceForm(request.POST)
    if not form.is_valid():
        return _card_page(request, found, replace=form)
    given = form.cleaned_data
    return _done(
        request, found,
        lambda: acts.replace(
            found, By.staff(request), form.seen(), waived=given["waived"], reason=given["reason"]
        ),
    )  # fmt: skip


@require(Role.CLERK)
@require_POST
def unorder(request: HttpRequest, pk: int) -> HttpResponse:
    """The order was a mistake."""
    found = get_object_or_404(Card, pk=pk)
    return _done(request, found, lambda: acts.undo_replacement(found, By.staff(request)))


@require(*WRITERS)
def keep(request: HttpRequest) -> HttpResponse:
    """A confiscated card: one of ours, or one that pretends to be; ``refusal``: as a kiosk told of it."""
    refusal = _refusal(request)
    form = KeepForm(
        request.POST if request.method == "POST" else None,
        initial={"uid": request.GET.get("uid", "")[:40]}, told=refusal is not None,
    )  # fmt: skip
    if form.is_valid():
        given = form.cleaned_data
        where = form.where()
        if refusal is not None:
            where = Where(refusal.venue, refusal.device, where.kept_by)
        uid = refusal.uid[:20] if refusal is not None else given["uid"]
        try:
            row = acts.keep(uid, where, By.staff(request), given["reason"], refusal)
        except ActRefused as error:
            form.add_error(None, str(error.reason))
        else:
            messages.success(request, _("Recorded; venues are told at once."))
            return redirect("office:cards-card", row.card_id) if row.card_id else redirect("office:cards-refused")
    context = {"form": form, "refusal": refusal, "why": reason_label(refusal.reason) if refusal else ""}
    return render(request, "office/cards/keep.html", context)


@require(*READERS)
@require_safe
def refused(request: HttpRequest) -> HttpResponse:
    """What kiosks refused: those whose cards should have been kept and that nobody has seen to; or all."""
    show_all = request.GET.get("show") == "all"
    rows = RefusedCard.objects.select_related("act")
    waiting = rows.filter(settled_at__isnull=True, reason__in=HANDED_IN)
    page = Paginator(rows if show_all else waiting, A_PAGE).get_page(request.GET.get("page"))
    ours = {card.uid: card.pk for card in Card.objects.filter(uid__in=[row.uid for row in page])}
    numbers = Participant.objects.filter(number__in=[row.participant for row in page]).values_list("number", flat=True)
    audit.note(request, audit.What.VIEW, about=REFUSALS, fields=["number", "card"])
    context = {
        "page": page, "show_all": show_all, "may_change": _may_change(request), "venues": Venue.objects.in_bulk(),
        "lines": [(row, reason_label(row.reason), ours.get(row.uid), row.participant in set(numbers)) for row in page],
    }  # fmt: skip
    return render(request, "office/cards/refused.html", context)


@require(*WRITERS)
@require_POST
def given_back(request: HttpRequest, pk: int) -> HttpResponse:
    """The card was not kept."""
    try:
        acts.give_back(get_object_or_404(RefusedCard, pk=pk), By.staff(request))
        messages.success(request, _("Recorded: the card was not kept."))
    except ActRefused as error:
        messages.error(request, str(error.reason))
    return redirect("office:cards-refused")


@require(*READERS)
@require_safe
def waiting(request: HttpRequest) -> HttpResponse:
    """Replacements that the desk has not issued yet."""
    audit.note(request, audit.What.VIEW, about=WAITING, fields=["name", "card"])
    page = Paginator(replacements_waiting(), A_PAGE).get_page(request.GET.get("page"))
    return render(request, "office/cards/waiting.html", {"page": page})


# -- inside ----------------------------------------------------------------------------------------------


def _may_change(request: HttpRequest) -> bool:
    return not roles_of(request.user).isdisjoint(WRITERS)


def _refusal(request: HttpRequest) -> RefusedCard | None:
    wanted = request.GET.get("refusal", "")
    if not wanted:
        return None
    number = int(wanted) if wanted.isascii() and wanted.isdigit() and len(wanted) < 16 else 0
    return get_object_or_404(RefusedCard, pk=number)


def _done(request: HttpRequest, card: Card, act: Callable[[], object]) -> HttpResponse:
    try:
        act()
        messages.success(request, _("Recorded; venues are told at once."))
    except ActRefused as error:
        messages.error(request, str(error.reason))
    return redirect("office:cards-card", card.pk)


def _card_page(request: HttpRequest, card: Card, **forms: Any) -> HttpResponse:
    roles = roles_of(request.user)
    waiting = replacements_waiting().filter(holder=card.participant)
    ordered = acts_on(card).filter(what=CardAct.What.REPLACED).first()
    fee = acts.fee_now()
    over = card.state in (Card.State.KEPT, Card.State.REPLACED)
    active = card.participant.state == Participant.State.ACTIVE
    valid = card.participant.cards.filter(state=Card.State.VALID).exclude(pk=card.pk).first()
    writer = _may_change(request)
    context = {
        "card": card, "person": card.participant, "events": history(card), "ordered": ordered, "fee": fee,
        "kept": acts_on(card).filter(what=CardAct.What.KEPT).first(), "valid": valid,
        "may_declare": writer and not over, "may_keep": writer and card.state != Card.State.KEPT,
        "may_find": writer and card.state == Card.State.LOST and valid is None and ordered is None,
        "may_replace": Role.CLERK in roles and active and valid is None and ordered is None
        and card.state != Card.State.REPLACED and not waiting.exists(),
        "may_unorder": Role.CLERK in roles and ordered is not None and waiting.filter(pk=ordered.pk).exists(),
        "declare": DeclareForm(card), "find": ReasonForm(auto_id="find_%s"),
        "replace": ReplaceForm(auto_id="replace_%s", initial=fee._asdict()),
    } | forms  # fmt: skip
    return render(request, "office/cards/card.html", context)
