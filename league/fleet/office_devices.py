"""What the operator does with a venue's devices: invite one, revoke one, take a revoked one's last records."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.contrib import messages
from django.core.management.base import CommandError
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from league.fleet import authority, enrolling, revoking
from league.fleet.authority import AuthorityError
from league.fleet.enrolling import NotInvited
from league.fleet.forms import AcceptForm, InviteForm, ReasonForm
from league.fleet.publishing import publish_devices, vouch
from league.ingest.own_pen import own_pen
from league.rounds.models import Device, Venue
from league.staff import audit
from league.staff.roles import Role, require

INVITED = gettext_noop("device invited")
REVOKED = gettext_noop("device revoked")
ACCEPTED = gettext_noop("last records of a revoked device taken")


@require(Role.OPERATOR)
def invite(request: HttpRequest, venue_id: str) -> HttpResponse:
    """Invite a device; its code is on this one answer and nowhere else."""
    venue = get_object_or_404(Venue, pk=venue_id)
    form = InviteForm(request.POST if request.method == "POST" else None, venue=venue.pk)
    if form.is_valid():
        given = form.cleaned_data
        try:
            authority.load(settings.DATA_DIR)
            with transaction.atomic():
                made, code = enrolling.invite(
                    venue.pk, given["device"], given["role"], given["table"], timezone.now(),
                    replaces=given["replaces"],
                )  # fmt: skip
                audit.note(request, audit.What.ACT, about=f"{INVITED}: {made}")
        except AuthorityError:
            form.add_error(None, _("The league has no authority for devices yet: tableside league ca init makes it."))
        except NotInvited as error:
            form.add_error(None, str(error))
        else:
            return render(request, "office/fleet/invited.html", {"venue": venue, "made": made, "code": str(code)})
    return render(request, "office/fleet/invite.html", {"venue": venue, "form": form})


@require(Role.OPERATOR)
def revoke(request: HttpRequest, venue_id: str, name: str) -> HttpResponse:
    """Take nothing more from a device."""
    device = _device(venue_id, name)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        reason = form.cleaned_data["reason"]
        with transaction.atomic():
            locked = Device.objects.select_for_update(no_key=True).get(pk=device.pk)
            if revoking.revoke(locked, reason, timezone.now()):
                audit.note(request, audit.What.ACT, about=f"{REVOKED}: {locked}", reason=reason)
        _publish(request, locked)
        messages.success(
            request, _("%(device)s is revoked. Give the league's broker its lists anew now.") % {"device": device.name}
        )
        return redirect("office:fleet-venue", venue_id)
    if device.revoked_at is not None:
        messages.info(request, _("The device is revoked already."))
        return redirect("office:fleet-venue", venue_id)
    return render(request, "office/fleet/revoke.html", {"device": device, "form": form})


@require(Role.OPERATOR)
def accept(request: HttpRequest, venue_id: str, name: str) -> HttpResponse:
    """Take, for a time, what a revoked device had signed and not sent."""
    device = _device(venue_id, name)
    if device.revoked_at is None:
        raise Http404
    start = timezone.localtime(timezone.now() + timedelta(hours=24))
    fresh = {"day": start.date(), "time": start.strftime("%H:%M")}
    form = AcceptForm(request.POST if request.method == "POST" else None, initial=fresh)
    if form.is_valid():
        until = form.cleaned_data["until"]
        with transaction.atomic():
            locked = Device.objects.select_for_update(no_key=True).get(pk=device.pk)
            revoking.accept(locked, until)
            told = timezone.localtime(until).isoformat(timespec="minutes")
            audit.note(request, audit.What.ACT, about=f"{ACCEPTED}: {locked} {told}")
        messages.success(request, _("What it had signed is taken for that time."))
        return redirect("office:fleet-venue", venue_id)
    return render(request, "office/fleet/accept.html", {"device": device, "form": form})


def _device(venue: str, name: str) -> Device:
    return get_object_or_404(Device.objects.select_related("venue"), venue=venue, name=name)


def _publish(request: HttpRequest, device: Device) -> None:
    """Tell the venue at once; where this process cannot, the ingest does within seconds."""
    try:
        pen = own_pen()
    except CommandError as error:
        messages.warning(request, str(error))
        return
    if publish_devices(device.venue_id, pen) == 0:
        vouch(device, pen)
