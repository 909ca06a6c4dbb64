"""What people consent to, in versions."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db import IntegrityError, transaction
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.people.acts import text_in_force
from league.people.forms import TextForm
from league.people.models import ConsentKind, ConsentText
from league.staff import audit
from league.staff.roles import Role, require, roles_of


@require(Role.CLERK, Role.COMMISSIONER, Role.AUDITOR)
@require_safe
def consent_texts(request: HttpRequest) -> HttpResponse:
    """All versions, with how many consents rest on each."""
    texts = ConsentText.objects.annotate(
        standing=Count("consents", filter=Q(consents__withdrawn_at__isnull=True), distinct=True)
    ).order_by("kind", "-version")
    now = timezone.now()
    in_force = {text.pk for kind in ConsentKind if (text := text_in_force(kind, now))}
    may_write = Role.COMMISSIONER in roles_of(request.user)
    return render(request, "office/people/texts.html", {"texts": texts, "in_force": in_force, "may_write": may_write})


@require(Role.COMMISSIONER)
def new_consent_text(request: HttpRequest) -> HttpResponse:
    """A new version. Who consented to an older one did so to that: theirs stays as it is."""
    form = TextForm(request.POST or None, initial={"since": timezone.localdate()})
    if request.method == "POST" and form.is_valid():
        try:
            with transaction.atomic():
                _record(request, form.cleaned_data)
        except IntegrityError:
            messages.error(request, _("Another version was recorded at the same moment: look at it first."))
        else:
            messages.success(request, _("The new text is recorded."))
        return redirect("office:people-texts")
    return render(request, "office/people/new_text.html", {"form": form})


def _record(request: HttpRequest, given: dict[str, Any]) -> None:
    """A new version, unless the last one says the same from the same day on: a button was pressed twice."""
    # of two at once the second one waits, and counts on from the first one's
    same_kind = ConsentText.objects.select_for_update(no_key=True).filter(kind=given["kind"])
    last = max(same_kind, key=lambda text: text.version, default=None)
    if last is not None and all(getattr(last, name) == value for name, value in given.items()):
        return
    version = 1 if last is None else last.version + 1
    text = ConsentText.objects.create(version=version, made_by=request.user.get_username(), **given)
    audit.note(request, audit.What.ACT, about=f"consent text {text.kind} {text.version}")
