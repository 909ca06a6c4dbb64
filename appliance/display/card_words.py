"""What the screen says of a card that is refused: each code has words of its own, and what to do (LG-6)."""

from __future__ import annotations

from appliance.display.said import Message
from appliance.i18n import N_, Translator

_HAND_IN = N_("Please hand the card to the commissioner, who keeps it.")
_AGAIN = N_("Please tap again in a moment.")
_DESK = N_("Please see the commissioner.")
_YOURS = N_("Use the participant card, please.")

_WORDS: dict[str, tuple[str, str, str]] = {
    "unknown": (N_("Unknown card"), N_("The league does not know this card."), _DESK),
    "revoked": (N_("Card no longer valid"), N_("The league has taken this card back."), _HAND_IN),
    "lost": (N_("Lost card"), N_("This card was reported lost."), _HAND_IN),
    "stolen": (N_("Stolen card"), N_("This card was reported stolen."), _HAND_IN),
    "damaged": (N_("Damaged card"), N_("What the league wrote into this card is not there any more."), _HAND_IN),
    "forged": (N_("Forged card"), N_("This card says it is another card."), _HAND_IN),
    "wrong-league": (N_("Another league's card"), N_("It does not count here."), _YOURS),
    "counter-back": (
        N_("Card to be checked"),
        N_("This card was read more often than it says: there is a copy of it."),
        _DESK,
    ),
    "locked": (N_("Locked card"), N_("Somebody tried to guess its key. It cannot be checked any more."), _HAND_IN),
    "later": (N_("Tap again later"), N_("The card wants a pause after failed attempts."), _AGAIN),
    "not-ours": (N_("Wrong card"), N_("There is nothing of the league on this card."), _YOURS),
    "phone": (N_("Wrong card"), N_("This is a phone or a card that hides its number."), _YOURS),
    "too-weak": (N_("Card not enough"), N_("This season asks for a card that proves more."), _DESK),
    "cancelled": (N_("Participation ended"), N_("The holder of this card is no participant any more."), _HAND_IN),
    "blocked": (N_("Blocked card"), N_("The league has blocked the holder of this card."), _HAND_IN),
}
"""By `appliance.cards.verdict.Refusal`: headline, reason, what to do."""


def refused_card(code: str, hand_in: bool, tr: Translator) -> Message:
    """Say why a card is refused and what becomes of it."""
    title, why, then = _WORDS.get(code, _WORDS["unknown"])
    if hand_in:
        then = _HAND_IN
    lines = (tr.gettext(why), tr.gettext(then))
    if code == "later":
        return Message("again", "wait", tr.gettext(title), lines)
    return Message("hand-in" if hand_in else "cross", "bad", tr.gettext(title), lines)
