"""The office's pages about letters: which wait, which were not taken and why, and to try them anew."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from league.mail.models import Letter
from league.mail.outbox import try_anew
from league.people.models import Participant, with_address
from league.staff import audit
from league.staff.roles import Role, require, roles_of

LETTER = gettext_noop("letter")
TRIED_ANEW = gettext_noop("letter tried anew")
LETTERS = gettext_noop("letters")
READERS = frozenset({Role.CLERK, Role.COMMISSIONER, Role.AUDITOR})
A_PAGE = 50
ADDRESS_CHANGED = "address changed "
"""So begins what letters are about that tell an address that it is nobody's any more: none of them goes elsewhere."""
_STATES = ("all", "failed", "waiting", "queued", "sent")


@require(*READERS)
@require_safe
@never_cache
def letters(request: HttpRequest) -> HttpResponse:
    """The letters, the newest first. What they say stands on a page of its own."""
    wanted = request.GET.get("state", "all")
    state = wanted if wanted in _STATES else "all"
    page = Paginator(_in_state(state), A_PAGE).get_page(request.GET.get("page"))
    audit.note(request, audit.What.VIEW, about=LETTERS, fields=["email"])
    context = {
        "page": page, "state": state, "counts": {name: _in_state(name).count() for name in _STATES[1:]},
        "may_try": bool(roles_of(request.user) - {Role.AUDITOR}),
    }  # fmt: skip
    return render(request, "office/mail/list.html", context)


@require(*READERS)
@require_safe
@never_cache
def letter(request: HttpRequest, pk: int) -> HttpResponse:
    """One letter with its text."""
    found = get_object_or_404(Letter, pk=pk)
    audit.note(request, audit.What.VIEW, number=_whose(found), about=f"{LETTER}: {found.pk}", fields=["email", "text"])
    context = {
        "letter": found, "number": _whose(found), "newer": newer_address(found),
        "may_try": found.error and found.sent_at is None and not found.lost and roles_of(request.user) - {Role.AUDITOR},
    }  # fmt: skip
    return render(request, "office/mail/letter.html", context)


@require(Role.CLERK, Role.COMMISSIONER)
@require_POST
def try_letter(request: HttpRequest, pk: int) -> HttpResponse:
    """Have one sent that was given up, or that waits: to its address, or to the one that its reader has by now."""
    found = get_object_or_404(Letter, pk=pk)
    newer, where = newer_address(found), request.POST.get("to", "")
    if newer and where not in (found.to, newer):
        messages.info(request, _("Its reader has another address by now: choose where it goes."))
        return redirect("office:mail-letter", pk)
    if try_anew(found, timezone.now(), newer if newer and where == newer else None):
        audit.note(request, audit.What.ACT, number=_whose(found), about=f"{TRIED_ANEW}: {found.pk}")
        messages.success(request, _("The letter is being sent anew."))
    elif found.lost:
        messages.error(request, _("The link of this letter is no longer kept: it cannot be sent anew."))
    else:
        messages.info(request, _("A server has taken this letter already."))
    return redirect("office:mail-list")


def _whose(letter: Letter) -> str:
    """The number of the participant whom a letter is about, or to whom alone it goes; of staff there is none."""
    last = (letter.about or "").rpartition(" ")[2]
    if Participant.objects.filter(number=last).exists():
        return last
    theirs = list(with_address(letter.to).values_list("number", flat=True)[:2])
    return theirs[0] if len(theirs) == 1 else ""


def newer_address(letter: Letter) -> str:
    """The address that who a letter is about has by now, if another one; nothing for what only its address concerns."""
    if letter.sent_at is not None or letter.until is not None or (letter.about or "").startswith(ADDRESS_CHANGED):
        return ""
    last = (letter.about or "").rpartition(" ")[2]
    person = Participant.objects.filter(number=last, erased_at=None).exclude(email="").first()
    return person.email if person is not None and person.email != letter.to else ""


def _in_state(state: str) -> QuerySet[Letter]:
    found = Letter.objects.all()
    if state == "sent":
        return found.exclude(sent_at=None)
    if state == "all":
        return found
    unsent = found.filter(sent_at=None)
    if state == "failed":
        return unsent.exclude(given_up_at=None)
    trying = unsent.filter(given_up_at=None)
    return trying.filter(error="") if state == "queued" else trying.exclude(error="")
