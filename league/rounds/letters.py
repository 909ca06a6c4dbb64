"""Letters about rounds to those who signed up, each in the language that they asked for, Czech else (LG-2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from django.urls import reverse
from django.utils import translation
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from league.mail import outbox
from league.rounds.models import Round, Venue
from league.rounds.planning import SignUp
from league.site.address import known_site

Text = tuple[str, str]
"""Subject and body."""


def moved(
    round: Round, before: datetime, sign_ups: Iterable[SignUp], reason: str, at: datetime, *,
    elsewhere: Venue | None = None, out: bool = False,
) -> int:  # fmt: skip
    """Tell that a round was moved, from ``elsewhere`` where it was to be at another venue; how many letters were
    written. ``out``: to those whom the league excludes on the new day, so that their sign-ups end (T-15).

    Each move is told, to a date told before, too: ``at`` tells one from another.
    """
    key = f"moved {round.pk} {round.begins_at.timestamp():.0f} {at.isoformat()}"
    return _tell(sign_ups, key, lambda each: _moved(round, before, elsewhere, reason, out, _waits(each)))


def cancelled(
    round: Round, sign_ups: Iterable[SignUp], at: datetime, substitute: Round | None = None, carried: bool = False,
    reason: str = "",
) -> int:  # fmt: skip
    """Tell that a round was cancelled, and of the one in its place; how many letters were written."""
    why = round.reason if round.cancelled_at is not None else reason
    key = f"cancelled {round.pk} {at.isoformat()}"
    waiting: set[int] = set()
    if substitute is not None and carried:
        theirs = substitute.sign_ups.filter(state=SignUp.State.WAITING)
        waiting = set(theirs.values_list("participant", flat=True))
    return _tell(
        sign_ups, key, lambda each: _cancelled(round, substitute, carried, why, each.participant_id in waiting)
    )


def not_cancelled(round: Round, sign_ups: Iterable[SignUp], at: datetime) -> int:
    """Tell that a round that was cancelled takes place; how many letters were written."""
    return _tell(
        sign_ups, f"not cancelled {round.pk} {at.isoformat()}", lambda each: _not_cancelled(round, _waits(each))
    )


def on_the_waiting_list(sign_up: SignUp) -> bool:
    """Tell somebody that there is no place for them any more; whether there was an address to write to."""
    round = sign_up.round
    key = f"waiting {round.pk} {sign_up.changed_at.isoformat()}"
    return _tell([sign_up], key, lambda _: _waiting(round)) == 1


def off_the_waiting_list(sign_up: SignUp) -> bool:
    """Tell somebody that they have a place now; whether there was an address to write to."""
    round = sign_up.round
    key = f"place {round.pk} {sign_up.changed_at.isoformat()}"
    return _tell([sign_up], key, lambda _: _place(round)) == 1


def _tell(sign_ups: Iterable[SignUp], key: str, text: Callable[[SignUp], Text]) -> int:
    written = 0
    for sign_up in sign_ups:
        person = sign_up.participant
        if not person.email:
            continue
        with translation.override(person.language or "cs"):
            subject, body = text(sign_up)
        written += outbox.post(person.email, subject, body, about=f"{key} {person.number}")
    return written


def _moved(round: Round, before: datetime, elsewhere: Venue | None, reason: str, out: bool, waits: bool) -> Text:
    facts = _facts(round) | {"before": when(before)}
    if elsewhere is None:
        text = _("the round “%(round)s” at %(venue)s, announced for %(before)s, has been moved to %(date)s.") % facts
    else:
        text = _("the round “%(round)s”, planned for %(before)s at %(old)s, is on %(date)s at %(venue)s.") % (
            facts | {"old": str(elsewhere)}
        )
    where = ""
    if out:
        then = _("You are excluded from the league on that day, so your sign-up is cancelled.")
    elif waits:
        then = _("You stay on the waiting list. If the new date does not suit you, please cancel your sign-up.")
        where = _where()
    else:
        then, where = _("Your sign-up stays. If the new date does not suit you, please cancel it."), _where()
    return _("Moved: %(round)s") % facts, _paragraphs(
        _("Hello,"), text, _reason(reason), then, where, _("Your poker league")
    )  # fmt: skip


def _cancelled(round: Round, substitute: Round | None, carried: bool, reason: str, waits: bool) -> Text:
    facts = _facts(round)
    instead = ""
    if substitute is not None:
        instead = _("In its place is the round “%(round)s” at %(venue)s on %(date)s.") % _facts(substitute)
        if carried and waits:
            instead += " " + _("You are on its waiting list; if it does not suit you, please cancel your sign-up.")
        elif carried:
            instead += " " + _("You are signed up for it; if it does not suit you, please cancel your sign-up.")
        if carried:
            instead += "\n\n" + _where()
    return _("Cancelled: %(round)s") % facts, _paragraphs(
        _("Hello,"),
        _("the round “%(round)s” at %(venue)s on %(date)s has been cancelled.") % facts,
        _reason(reason),
        _("It gives no points. Deposits that were paid are returned at the venue."),
        instead,
        _("Your poker league"),
    )


def _not_cancelled(round: Round, waits: bool) -> Text:
    facts = _facts(round)
    stays = _("Your sign-up stays. If you cannot come any more, please cancel it.")
    if waits:
        stays = _("You stay on the waiting list. If you cannot come any more, please cancel your sign-up.")
    return _("Not cancelled: %(round)s") % facts, _paragraphs(
        _("Hello,"),
        _("the round “%(round)s” at %(venue)s, which was cancelled, takes place after all: on %(date)s.") % facts,
        stays,
        _where(),
        _("Your poker league"),
    )


def _waiting(round: Round) -> Text:
    facts = _facts(round)
    return _("On the waiting list: %(round)s") % facts, _paragraphs(
        _("Hello,"),
        _(
            "there are fewer places now in the round “%(round)s” at %(venue)s on %(date)s, and you were among the last "
            "to sign up: you are on the waiting list."
        )
        % facts,
        _("Should a place become free, it is yours and we write to you."),
        _("Your poker league"),
    )


def _place(round: Round) -> Text:
    facts = _facts(round)
    return _("A place for you: %(round)s") % facts, _paragraphs(
        _("Hello,"),
        _(
            "a place has become free in the round “%(round)s” at %(venue)s on %(date)s, and it is yours: you were "
            "first on the waiting list."
        )
        % facts,
        _("If you cannot come, please cancel your sign-up, so that the next one can play."),
        _where(),
        _("Your poker league"),
    )


def _waits(sign_up: SignUp) -> bool:
    return sign_up.state == SignUp.State.WAITING


def _where() -> str:
    """Where a sign-up is cancelled: the own page, by its address where the settings tell it."""
    site = known_site()
    if not site:
        return _("You cancel it on your own page, “My page” on the league's site, or at the league's office.")
    return _("You cancel it on your own page: %(address)s") % {"address": site + reverse("own:home")}


def _facts(round: Round) -> dict[str, str]:
    return {"round": str(round), "venue": str(round.venue), "date": when(round.begins_at)}


def when(moment: datetime) -> str:
    """Date and time of day as the language at hand has them."""
    return date_format(localtime(moment), "DATETIME_FORMAT")


def _reason(reason: str) -> str:
    return _("Reason: %(reason)s") % {"reason": reason} if reason else ""


def _paragraphs(*texts: str) -> str:
    return "\n\n".join(text for text in texts if text) + "\n"
