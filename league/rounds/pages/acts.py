"""What is done with a round at the office: announced, moved, cancelled, told to the municipality, signed up for."""

from __future__ import annotations

from django.contrib import messages
from django.core.management.base import CommandError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext
from django.views.decorators.http import require_POST

from league.ingest.own_pen import own_pen
from league.people.finding import find
from league.people.models import Participant
from league.rounds import changing
from league.rounds.changing import ChangeRefused, Substitute
from league.rounds.following import Told
from league.rounds.forms import CancelForm, MoveForm, NotifiedForm, SignUpForm
from league.rounds.models import Round
from league.rounds.pages.round import show
from league.rounds.plan import PlanOver, free_code
from league.rounds.plan import discard as discard_plan
from league.rounds.planning import SignUp, in_order
from league.rounds.signing_up import SignUpRefused, cancel_sign_up, sign_up
from league.staff import audit
from league.staff.roles import Role, require

NOTIFIED = gettext_noop("municipality notified")


@require(Role.COMMISSIONER)
@require_POST
def announce(request: HttpRequest, round_id: str) -> HttpResponse:
    """Send a plan to its venue: from now on it is promised."""
    round = get_object_or_404(Round, pk=round_id)
    try:
        changing.announce(round, request.user.get_username(), own_pen(), timezone.now())
    except (ChangeRefused, CommandError) as error:
        messages.error(request, str(error.text if isinstance(error, ChangeRefused) else error))
    else:
        messages.success(request, _("The round is announced and on its way to the venue."))
    return redirect("office:rounds-round", round.pk)


@require(Role.COMMISSIONER)
@require_POST
def discard(request: HttpRequest, round_id: str) -> HttpResponse:
    """Forget a plan that nobody outside the office has heard of."""
    round = get_object_or_404(Round, pk=round_id)
    try:
        discard_plan(round, request.user.get_username())
    except PlanOver:
        messages.error(request, _("Others have heard of this round: it can only be cancelled."))
        return redirect("office:rounds-round", round_id)
    messages.success(request, _("The plan is deleted."))
    return redirect("office:rounds-list")


@require(Role.COMMISSIONER)
def move(request: HttpRequest, round_id: str) -> HttpResponse:
    """To another date; all who have signed up are told."""
    round = get_object_or_404(Round.objects.select_related("venue"), pk=round_id)
    start = timezone.localtime(round.begins_at)
    form = MoveForm(request.POST or None, initial={"time": start.time()})
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        try:
            told = changing.move(
                round, given["starts_at"], given["reason"], request.user.get_username(), own_pen(), timezone.now()
            )
        except (ChangeRefused, CommandError) as error:
            form.add_error(None, str(error.text if isinstance(error, ChangeRefused) else error))
        else:
            messages.success(request, _("The round is moved. %(letters)s") % {"letters": letters_said(told)})
            return redirect("office:rounds-round", round.pk)
    return render(request, "office/rounds/move.html", {"round": round, "form": form, "signed": _signed(round)})


@require(Role.COMMISSIONER)
def cancel(request: HttpRequest, round_id: str) -> HttpResponse:
    """Cancel a round, and plan another in its place if one likes."""
    round = get_object_or_404(Round.objects.select_related("venue", "season"), pk=round_id)
    start = timezone.localtime(round.begins_at)
    fresh = {"time": start.time(), "venue": round.venue_id, "id": free_code(round.season.year), "carry": True}
    form = CancelForm(request.POST or None, initial=fresh)
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        instead = None
        if given.get("starts_at"):
            instead = Substitute(given["id"], given["starts_at"], given["venue"], given["carry"])
        by = request.user.get_username()
        try:
            told, made = changing.cancel(round, given["reason"], by, own_pen(), timezone.now(), instead)
        except (ChangeRefused, CommandError) as error:
            form.add_error(None, str(error.text if isinstance(error, ChangeRefused) else error))
        else:
            messages.success(request, _("The round is cancelled. %(letters)s") % {"letters": letters_said(told)})
            if made is not None:
                messages.info(request, _("The round in its place is planned: look at it and announce it."))
            return redirect("office:rounds-round", (made or round).pk)
    return render(request, "office/rounds/cancel.html", {"round": round, "form": form, "signed": _signed(round)})


@require(Role.COMMISSIONER)
@require_POST
def notified(request: HttpRequest, round_id: str) -> HttpResponse:
    """Record when the municipality was told of a round, and under which number."""
    round = get_object_or_404(Round, pk=round_id)
    form = NotifiedForm(request.POST)
    if form.is_valid():
        round.notified_on, round.notified_as = form.cleaned_data["day"], form.cleaned_data["reference"]
        round.save(update_fields=["notified_on", "notified_as"])
        audit.note(request, audit.What.ACT, about=f"{NOTIFIED}: {round.pk}")
        messages.success(request, _("The notice is recorded."))
    else:
        return show(request, round, SignUpForm(), notified=form)
    return redirect("office:rounds-round", round.pk)


@require(Role.CLERK, Role.COMMISSIONER)
@require_POST
def sign_up_for(request: HttpRequest, round_id: str) -> HttpResponse:
    """Sign somebody up by number; a name shows whom it may mean."""
    round = get_object_or_404(Round.objects.select_related("venue", "season", "folded"), pk=round_id)
    form = SignUpForm(request.POST)
    if not form.is_valid():
        return show(request, round, form)
    text = form.cleaned_data["number"].strip()
    person = Participant.objects.filter(number=text).first()
    if person is None:
        people = list(find(text, Participant.State.ACTIVE, "")[:20])
        if not people:
            form.add_error("number", _("Nobody who takes part was found."))
        return show(request, round, form, people)
    try:
        made = sign_up(person, round, request.user.get_username(), address=request.META.get("REMOTE_ADDR") or None)
    except SignUpRefused as error:
        form.add_error("number", str(error.text))
        return show(request, round, form)
    if made.state == SignUp.State.WAITING:
        messages.warning(
            request, _("The round is full: %(number)s is on the waiting list.") % {"number": person.number}
        )
    else:
        messages.success(request, _("%(number)s is signed up.") % {"number": person.number})
    return redirect("office:rounds-round", round.pk)


@require(Role.CLERK, Role.COMMISSIONER)
@require_POST
def cancel_sign_up_for(request: HttpRequest, round_id: str, number: str) -> HttpResponse:
    """Cancel somebody's sign-up; who comes in from the waiting list is said."""
    round = get_object_or_404(Round, pk=round_id)
    person = get_object_or_404(Participant, number=number)
    by, address = request.user.get_username(), request.META.get("REMOTE_ADDR") or None
    try:
        came_in = cancel_sign_up(person, round, by, address=address)
    except SignUpRefused as error:
        messages.error(request, str(error.text))
        return redirect("office:rounds-round", round.pk)
    messages.success(request, _("The sign-up of %(number)s is cancelled.") % {"number": number})
    if came_in is not None:
        _say_who_came_in(request, came_in)
    return redirect("office:rounds-round", round.pk)


def _say_who_came_in(request: HttpRequest, came_in: SignUp) -> None:
    facts = {"number": came_in.participant.number}
    if came_in.participant.email:
        messages.info(request, _("%(number)s has a place from the waiting list and gets a letter.") % facts)
    else:
        text = _("%(number)s has a place from the waiting list and no e-mail: tell them otherwise.")
        messages.warning(request, text % facts)


def _signed(round: Round) -> int:
    states = (SignUp.State.IN, SignUp.State.WAITING)
    return sum(in_order(state, round=round).count() for state in states)


def letters_said(told: Told) -> str:
    """How many letters a change has brought about, and who is to be called."""
    written = ngettext("%(count)d letter is on its way.", "%(count)d letters are on their way.", told.letters)
    text = written % {"count": told.letters}
    if without := told.concerned - told.letters:
        lacking = ngettext("%(count)d has no e-mail.", "%(count)d have no e-mail.", without)
        text += " " + lacking % {"count": without}
    return text
