"""Cards: ``Ks`` as people and hand histories write it, an int from 0 to 51 inside.

The int is ``suit * 13 + rank``, both counted from 0 in the order of `SUITS` and `RANKS`. So a set of cards is also a
set of bits, thirteen neighbouring ones a suit.
"""

from __future__ import annotations

from collections.abc import Iterable

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK = range(52)
_SIGNS = {ord(sign): suit for suit, signs in zip(SUITS, ("♣♧", "♦♢", "♥♡", "♠♤"), strict=True) for sign in signs}
_SIGNS[0xFE0F] = _SIGNS[0xFE0E] = ""  # what a keyboard adds to say whether the sign is drawn in colour
UNKNOWN = -1
"""A card that nobody saw: ``??``."""


class CardError(ValueError):
    """Text that names no card, or cards that cannot lie together; ``code`` and ``detail`` as of a refusal."""

    def __init__(self, code: str, **detail: str | int) -> None:
        super().__init__(f"{code}: {', '.join(map(str, detail.values()))}")
        self.code = code
        self.detail = detail


def rank_of(card: int) -> int:
    """Its place in `RANKS`: 0 for a deuce, 12 for an ace."""
    return card % 13


def suit_of(card: int) -> int:
    """Its place in `SUITS`."""
    return card // 13


def card_text(card: int) -> str:
    """``Ks``, or ``??``."""
    return "??" if card == UNKNOWN else RANKS[card % 13] + SUITS[card // 13]


def cards_text(cards: Iterable[int]) -> str:
    """``AsKd``: as hand histories write several."""
    return "".join(map(card_text, cards))


def parse_card(text: str) -> int:
    """The card that ``Ks``, ``kS``, ``K♠``, ``Ts``, ``10s`` or ``??`` names. Raises `CardError`: ``not-a-card``."""
    if text == "??":
        return UNKNOWN
    plain = text.translate(_SIGNS)
    short = "T" + plain[2:] if plain.startswith("10") else plain
    if len(short) == 2 and short.isascii():
        rank, suit = RANKS.find(short[0].upper()), SUITS.find(short[1].lower())
        if rank >= 0 and suit >= 0:
            return suit * 13 + rank
    raise CardError("not-a-card", card=text[:20])


def parse_cards(text: str) -> tuple[int, ...]:
    """The cards of ``AsKd``, ``A♠ K♦`` or ``????``, in that order. Raises `CardError`: ``not-a-card``."""
    return tuple(parse_card(card) for word in text.translate(_SIGNS).split() for card in _split(word))


def _split(word: str) -> Iterable[str]:
    at = 0
    while at < len(word):
        end = at + (3 if word.startswith("10", at) else 2)
        yield word[at:end]
        at = end
