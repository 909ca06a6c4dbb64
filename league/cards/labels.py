"""Why kiosks refuse cards, in words for the office."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from appliance.cards.outcome import MEANINGS, Refusal

_REASONS: dict[str, str | Promise] = {
    Refusal.UNKNOWN: _("nobody's card"),
    Refusal.REVOKED: _("taken back by the league"),
    Refusal.LOST: _("reported lost"),
    Refusal.STOLEN: _("reported stolen"),
    Refusal.DAMAGED: _("damaged"),
    Refusal.FORGED: _("forged"),
    Refusal.WRONG_LEAGUE: _("another league's card"),
    Refusal.COUNTER_BACK: _("one of two copies"),
    Refusal.LOCKED: _("blocked after attempts to guess its key"),
    Refusal.LATER: _("makes everybody wait after failed attempts"),
    Refusal.NOT_OURS: _("no card of a league"),
    Refusal.PHONE: _("a phone"),
    Refusal.TOO_WEAK: _("proves less than the season asks"),
    Refusal.CANCELLED: _("the registration has ended"),
    Refusal.BLOCKED: _("the participant is blocked"),
    Refusal.MALFORMED: _("no card has such a number"),
    Refusal.UNREADABLE: _("not read"),
}

HANDED_IN = frozenset(reason.value for reason, meaning in MEANINGS.items() if meaning.hand_in)
"""The refusals after which the kiosk told the commissioner to keep the card."""


def reason_label(code: str) -> str | Promise:
    """A kiosk's reason; one of later software as it is."""
    return _REASONS.get(code, code)
