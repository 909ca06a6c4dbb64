"""The office's pages of announcements, and of the price list, the rules and the game plan in editions."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.notices import editions
from league.notices.editions import NotPublishable
from league.notices.forms import AnnouncementForm, EditionForm, NewEditionForm, PriceLines, PricesForm, prices_of
from league.notices.models import Announcement, Edition
from league.staff.audit import What, note
from league.staff.roles import Role, require, roles_of

LATEST = 200
"""So many of those that are over are listed."""

READERS = (Role.CLERK, Role.COMMISSIONER, Role.OPERATOR, Role.AUDITOR)


@require(*READERS)
def announcements(request: HttpRequest) -> HttpResponse:
    """What is announced now, later, and was."""
    now = timezone.now()
    rows = Announcement.objects.prefetch_related("venues")
    over = Q(withdrawn_at__isnull=False) | Q(until__lte=now)
    open_ones = list(rows.exclude(over))
    context = {
        "standing": [row for row in open_ones if row.stands(now)],
        "coming": [row for row in open_ones if row.since > now],
        "over": rows.filter(over)[:LATEST],
        "may_change": bool({Role.CLERK, Role.COMMISSIONER} & roles_of(request.user)),
    }
    return render(request, "office/notices/announcements.html", context)


@require(Role.CLERK, Role.COMMISSIONER)
def announce(request: HttpRequest, pk: int | None = None) -> HttpResponse:
    """A new announcement, or one that is edited."""
    row = None if pk is None else get_object_or_404(Announcement, pk=pk, withdrawn_at=None)
    form = AnnouncementForm(request.POST if request.method == "POST" else None, initial=AnnouncementForm.start(row))
    if form.is_valid():
        with transaction.atomic():
            # as it is now: whoever withdrew it meanwhile is not undone
            kept = Announcement() if row is None else get_object_or_404(_standing(), pk=row.pk)
            changed = form.keep(kept, request.user.get_username())
            note(request, What.CHANGE, about=f"announcement {kept.pk}", fields=changed)
        messages.success(request, _("Announced; venues that are connected show it within seconds."))
        return redirect("office:notices-announcements")
    return render(request, "office/notices/announce.html", {"form": form, "row": row})


def _standing() -> QuerySet[Announcement]:
    return Announcement.objects.select_for_update(no_key=True).filter(withdrawn_at=None)


@require_POST
@require(Role.CLERK, Role.COMMISSIONER)
def withdraw_announcement(request: HttpRequest, pk: int) -> HttpResponse:
    """Take an announcement back."""
    with transaction.atomic():
        row = get_object_or_404(Announcement.objects.select_for_update(no_key=True), pk=pk)
        if row.withdrawn_at is None:
            row.withdrawn_at = timezone.now()
            row.save()
            note(request, What.ACT, about=f"announcement {row.pk} withdrawn")
    messages.success(request, _("Withdrawn."))
    return redirect("office:notices-announcements")


@require(*READERS)
def edition_list(request: HttpRequest) -> HttpResponse:
    """Of each kind what is in force, what is to come, drafts and all that was."""
    return _list(request, NewEditionForm(initial={"effective_on": timezone.localdate()}))


def _list(request: HttpRequest, form: NewEditionForm) -> HttpResponse:
    kinds = [
        {
            "kind": kind,
            "label": kind.label,
            "stands": editions.in_force(kind),
            "coming": editions.upcoming(kind),
            "drafts": Edition.objects.filter(kind=kind, published_at=None),
            "all": Edition.objects.filter(kind=kind, published_at__isnull=False).order_by("-number"),
        }
        for kind in Edition.Kind
    ]
    return render(request, "office/notices/editions.html", {"kinds": kinds, "form": form, "may_change": _may(request)})


@require_POST
@require(Role.COMMISSIONER)
def begin_edition(request: HttpRequest) -> HttpResponse:
    """A new draft that begins with what holds."""
    form = NewEditionForm(request.POST)
    if not form.is_valid():
        return _list(request, form)
    draft = editions.new_draft(
        form.cleaned_data["kind"], request.user.get_username(), form.cleaned_data["effective_on"]
    )
    note(request, What.ACT, about=f"draft of {draft.kind} begun")
    return redirect("office:notices-edition", draft.pk)


@require(*READERS)
def edition(request: HttpRequest, pk: int) -> HttpResponse:
    """An edition as it is, with what can be done with it."""
    row = get_object_or_404(Edition, pk=pk)
    later = not row.is_draft and row.withdrawn_at is None and row.effective_on > timezone.localdate()
    return render(
        request, "office/notices/edition.html", {"edition": row, "can_withdraw": later, "may_change": _may(request)}
    )


@require(Role.COMMISSIONER)
def edit_edition(request: HttpRequest, pk: int) -> HttpResponse:
    """A draft is edited; what is published never is."""
    draft = get_object_or_404(Edition, pk=pk, published_at=None)
    posted = request.POST if request.method == "POST" else None
    begun = {name: getattr(draft, name) for name in ("effective_on", "brief_cs", "brief_en", "text_cs", "text_en")}
    if draft.kind == Edition.Kind.PRICES:
        form, lines = PricesForm(posted, initial=begun), PriceLines(posted, initial=draft.price_rows)
        if form.is_valid() & lines.is_valid():
            return _keep(request, draft, lambda: form.keep(draft, prices_of(lines)))
        return render(request, "office/notices/edit_prices.html", {"form": form, "lines": lines, "edition": draft})
    texts = EditionForm(posted, initial=begun)
    if texts.is_valid():
        return _keep(request, draft, lambda: texts.keep(draft))
    return render(request, "office/notices/edit_edition.html", {"form": texts, "edition": draft})


def _may(request: HttpRequest) -> bool:
    return Role.COMMISSIONER in roles_of(request.user)


def _keep(request: HttpRequest, draft: Edition, keep: Callable[[], None]) -> HttpResponse:
    try:
        with transaction.atomic():
            keep()
            note(request, What.CHANGE, about=f"draft of {draft.kind}")
    except NotPublishable as error:
        messages.error(request, _why(error.code))
        return redirect("office:notices-edition", draft.pk)
    messages.success(request, _("The draft is kept. Nobody sees it before it is published."))
    return redirect("office:notices-edition", draft.pk)


@require_POST
@require(Role.COMMISSIONER)
def act_on_edition(request: HttpRequest, pk: int, act: str) -> HttpResponse:
    """Publish a draft, throw it away, or take back an edition whose day has not come."""
    row = get_object_or_404(Edition, pk=pk)
    try:
        with transaction.atomic():
            if act == "publish":
                row = editions.publish(row, request.user.get_username())
            elif act == "withdraw":
                row = editions.withdraw(row)
            else:
                editions.discard(row)
            note(request, What.ACT, about=f"{act}: {row.kind} {row.number or 'draft'}")
    except NotPublishable as error:
        messages.error(request, _why(error.code))
        return redirect("office:notices-edition", pk)
    messages.success(request, {"publish": _("Published."), "withdraw": _("Withdrawn.")}.get(act, _("Thrown away.")))
    return redirect("office:notices-editions")


def _why(code: str) -> str:
    return {
        "past": _("Its day is over: choose today or a later one."),
        "empty": _("There is nothing in it yet: Czech is needed, on screens too; a price list needs prices."),
        "in-force": _("It is in force already: publish a new version instead."),
        "draft": _("It is not published yet."),
    }.get(code, _("It is published already."))
