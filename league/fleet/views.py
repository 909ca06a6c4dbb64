"""``POST /enrol``: where a device comes with its code. Who has the code is believed, and nobody else."""

from __future__ import annotations

import logging

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from appliance.enrolment import MAX_BYTES
from league import home
from league.fleet import authority
from league.fleet.enrolling import League, Refusal, enrol, venue_broker
from league.fleet.publishing import publish_devices
from league.ingest.own_pen import pen_of

_log = logging.getLogger(__name__)


@csrf_exempt
@require_POST
def enrolment(request: HttpRequest) -> HttpResponse:
    """Answer a device's request. No cookie and no session counts here, so no other site can misuse them."""
    if _length(request) > MAX_BYTES:
        return _refused(Refusal("too-large"))
    try:
        own = League(authority.load(settings.DATA_DIR), home.public_key(settings.DATA_DIR), venue_broker())
        pen = pen_of(settings.DATA_DIR)
    except (OSError, ValueError) as error:
        _log.error("no device can be enrolled: %s", error)
        return _refused(Refusal("no-authority"))
    answered = enrol(request.body, timezone.now(), own, lambda venue: publish_devices(venue, pen))
    if isinstance(answered, Refusal):
        return _refused(answered)
    return HttpResponse(answered, content_type="application/json")


def _length(request: HttpRequest) -> int:
    text = request.META.get("CONTENT_LENGTH") or "0"
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else MAX_BYTES + 1


def _refused(refusal: Refusal) -> HttpResponse:
    return JsonResponse({"error": refusal.code, "message": refusal.message}, status=refusal.status)
