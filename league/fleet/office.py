"""The operator's pages of the venues: how they stand, what of them to look at, and words to their screens."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.contrib import messages
from django.core.management.base import CommandError
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from appliance.game.roster import Notice
from league.fleet import overview
from league.fleet.forms import NoticeForm, ReasonForm
from league.fleet.models import Enrolment, FormerKey, VenueStanding
from league.ingest import fates
from league.ingest.lasttold import last_of
from league.ingest.models import Alert, Contact, Quarantine, RawRecord
from league.ingest.own_pen import own_pen
from league.ingest.publishing import publish_notice
from league.rounds.models import Venue
from league.staff import audit
from league.staff.roles import Role, require, roles_of

A_PAGE = 50
LONGEST_ASKED = 60
LATEST = 100
"""So many alerts, records and streams are listed."""

READERS = (Role.OPERATOR, Role.AUDITOR)

RESOLVED = gettext_noop("alert resolved")
TOLD = gettext_noop("message to venues")
TOLD_NO_MORE = gettext_noop("message to venues withdrawn")
EVERYBODY = "*"


@require(*READERS)
def venues(request: HttpRequest) -> HttpResponse:
    """The venues with what was heard of them last; those with trouble, and the silent ones, by themselves."""
    now = timezone.now()
    found = {"all": Venue.objects.all(), "trouble": overview.troubled(), "silent": overview.silent(now)}
    show = request.GET.get("show", "")
    show = show if show in found else "all"
    asked = request.GET.get("q", "").strip()[:LONGEST_ASKED]
    shown = found[show].filter(pk__in=overview.called(asked)) if asked else found[show]
    page = Paginator(shown.order_by("name", "pk"), A_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page, "rows": overview.rows(page.object_list, now), "show": show, "may_change": _may_change(request),
        "asked": asked, "counts": {name: rows.count() for name, rows in found.items()}, "now": now,
        "alerts": fates.open_alerts("")[:LATEST],
    }  # fmt: skip
    return render(request, "office/fleet/list.html", context)


@require(*READERS)
def venue_page(request: HttpRequest, venue_id: str) -> HttpResponse:
    """A venue: its devices, its streams, its alerts, and the records that could not be used."""
    venue = get_object_or_404(Venue, pk=venue_id)
    now = timezone.now()
    streams = fates.streams_of(venue.pk)
    quarantine = fates.quarantined(venue.pk)
    context = {
        "venue": venue, "row": overview.rows([venue], now)[0], "now": now, "may_change": _may_change(request),
        "contact": Contact.objects.filter(venue=venue).first(),
        "standing": VenueStanding.objects.filter(venue=venue).first(),
        "devices": overview.devices(venue.pk, now),
        "invited": Enrolment.objects.filter(venue=venue, used_at=None, ends_at__gt=now),
        "former": FormerKey.objects.filter(venue=venue)[:LATEST],
        "streams": sorted(streams, key=lambda each: (each.waiting == 0, each.stream))[:LATEST],
        "streams_more": max(0, len(streams) - LATEST),
        "rollbacks": fates.rollbacks(venue.pk)[:LATEST],
        "alerts": fates.open_alerts(venue.pk)[:LATEST],
        "resolved": Alert.objects.filter(venue=venue.pk, resolved_at__isnull=False).order_by("-resolved_at")[:10],
        "quarantine": _with_kinds(list(quarantine.order_by("-since", "-pk")[:LATEST])),
        "quarantine_count": quarantine.count(), "notice": _standing_notice(venue.pk),
    }  # fmt: skip
    return render(request, "office/fleet/venue.html", context)


@require(Role.OPERATOR)
def resolve(request: HttpRequest, pk: int) -> HttpResponse:
    """Close an alert: somebody has seen to it, and says how."""
    alert = get_object_or_404(Alert, pk=pk)
    back = redirect("office:fleet-venue", alert.venue) if _known(alert.venue) else redirect("office:fleet-list")
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with transaction.atomic():
            still = Alert.objects.select_for_update().filter(pk=pk, resolved_at=None).first()
            if still is not None:
                still.resolved_at = timezone.now()
                still.save(update_fields=["resolved_at"])
                about = " ".join(filter(None, (still.venue, still.stream, still.code)))
                audit.note(request, audit.What.ACT, about=f"{RESOLVED}: {about}", reason=form.cleaned_data["reason"])
        messages.success(request, _("The alert is resolved."))
        return back
    if alert.resolved_at is not None:
        messages.info(request, _("The alert is resolved already."))
        return back
    return render(request, "office/fleet/resolve.html", {"alert": alert, "form": form, "known": _known(alert.venue)})


@require(Role.OPERATOR)
def notice(request: HttpRequest, venue_id: str | None = None) -> HttpResponse:
    """A word on the screens of one venue, or of all; or what stands there taken back."""
    venue = None if venue_id is None else get_object_or_404(Venue, pk=venue_id)
    withdraws = request.method == "POST" and "withdraw" in request.POST
    form = NoticeForm(request.POST if request.method == "POST" and not withdraws else None)
    if withdraws or form.is_valid():
        said = Notice(text_cs="", text_en="") if withdraws else form.notice()
        try:
            told = _tell(request, venue, said)
        except CommandError as error:
            messages.error(request, str(error))
        else:
            text = ngettext("%(count)d venue is told.", "%(count)d venues are told.", told) % {"count": told}
            messages.success(request, text if told else _("There was nothing to tell: it stands so already."))
            return redirect("office:fleet-list") if venue is None else redirect("office:fleet-venue", venue.pk)
    stands = None if venue is None else _standing_notice(venue.pk)
    return render(request, "office/fleet/notice.html", {"venue": venue, "form": form, "stands": stands})


def _tell(request: HttpRequest, venue: Venue | None, said: Notice) -> int:
    """Tell the venues, each in its own transaction; how many were told. Raises `CommandError` without the key."""
    pen, word = own_pen(), TOLD if said.text("cs") else TOLD_NO_MORE
    names = [venue.pk] if venue is not None else list(Venue.objects.order_by("pk").values_list("pk", flat=True))
    audit.note(request, audit.What.ACT, about=f"{word}: {venue.pk if venue is not None else EVERYBODY}")
    return sum(publish_notice(name, said, pen) for name in names)


def _standing_notice(venue: str) -> dict[str, Any] | None:
    """What the screens of a venue show now of the league's word."""
    said = last_of(venue, "notice/1", Notice)
    if said is None or not said.text("cs"):
        return None
    until = None if said.until is None else datetime.fromtimestamp(said.until / 1000, UTC)
    if until is not None and until <= timezone.now():
        return None
    return {"cs": said.text("cs"), "en": said.text("en"), "until": until}


def _with_kinds(rows: list[Quarantine]) -> list[dict[str, Any]]:
    """The records' kinds beside what was wrong with them."""
    places = RawRecord.objects.filter(
        stream__in={row.stream for row in rows},
        epoch__in={row.epoch for row in rows},
        seq__in={row.seq for row in rows},
    )
    kinds = {
        (stream, epoch, seq): kind for stream, epoch, seq, kind in places.values_list("stream", "epoch", "seq", "type")
    }
    return [{"record": row, "kind": kinds.get((row.stream, row.epoch, row.seq), "")} for row in rows]


def _known(venue: str) -> bool:
    return Venue.objects.filter(pk=venue).exists()


def _may_change(request: HttpRequest) -> bool:
    return Role.OPERATOR in roles_of(request.user)
