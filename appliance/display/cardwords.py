"""What the screen says of a refused card: a title, and what to do about it (LG-6)."""

from __future__ import annotations

from typing import NamedTuple

from appliance.cards.outcome import MEANINGS, Refusal
from appliance.i18n import N_, Translator


class CardWords(NamedTuple):
    """A title and a sentence; ``hand_in``: the commissioner keeps the card, empty when it is given back."""

    title: str
    reason: str
    hand_in: str


_HAND_IN = N_("Please hand the card to the commissioner.")

_WORDS: dict[Refusal, tuple[str, str]] = {
    Refusal.UNKNOWN: (N_("Unknown card"), N_("The league does not know this card. Please see the commissioner.")),
    Refusal.REVOKED: (N_("Card no longer valid"), N_("The league took this card back.")),
    Refusal.LOST: (N_("Card no longer valid"), N_("This card was reported lost.")),
    Refusal.STOLEN: (N_("Card no longer valid"), N_("This card was reported stolen.")),
    Refusal.DAMAGED: (N_("Damaged card"), N_("This card is damaged or incomplete; the league issues a new one.")),
    Refusal.FORGED: (N_("Card not genuine"), N_("This card could not prove that the league issued it.")),
    Refusal.WRONG_LEAGUE: (N_("Another league's card"), N_("Use the card of this league, please.")),
    Refusal.COUNTER_BACK: (N_("Card not genuine"), N_("This card is a copy of an earlier state.")),
    Refusal.LOCKED: (N_("Card locked"), N_("This card can no longer be verified; the league issues a new one.")),
    Refusal.LATER: (N_("Not yet"), N_("This card makes everybody wait after failed attempts. Tap again in a minute.")),
    Refusal.NOT_OURS: (N_("Not a participant card"), N_("Use the participant card, please.")),
    Refusal.PHONE: (N_("Not a participant card"), N_("This is a phone or a card that hides its number.")),
    Refusal.TOO_WEAK: (
        N_("Card not sufficient"),
        N_("This card or this reader cannot prove enough here. Please see the commissioner."),
    ),
    Refusal.CANCELLED: (N_("Registration ended"), N_("This participant is no longer registered with the league.")),
    Refusal.BLOCKED: (N_("Blocked card"), N_("The league has blocked this participant.")),
    Refusal.MALFORMED: (N_("Tap again"), N_("The card could not be read. Hold it still for a moment.")),
    Refusal.UNREADABLE: (N_("Tap again"), N_("The card could not be read. Hold it still for a moment.")),
}


def card_words(code: Refusal, tr: Translator) -> CardWords:
    """Say in a language why a card is refused."""
    title, reason = _WORDS[code]
    return CardWords(tr.gettext(title), tr.gettext(reason), tr.gettext(_HAND_IN) if MEANINGS[code].hand_in else "")
