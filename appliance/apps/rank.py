"""``tableside rank CARDS [/ CARDS …]``: the best hand of five to seven cards, and who of several wins (H-15)."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter

from appliance.game.hand.cards import CardError, card_text, parse_cards
from appliance.game.hand.facts import Cards
from appliance.game.hand.ranking import Ranked, best
from appliance.game.hand.wording import in_czech, in_english

_HELP = "five to seven cards, together or apart: KsKd7h or K♠ K♦ 7♥; several hands with / between them"
_REASONS = {
    "not-a-card": "{card!r} is no card such as Ks, K♠ or 10h",
    "cards-count": "a hand is ranked of 5 to 7 cards, not of {cards}",
    "card-repeated": "{card} is there twice",
    "cards-shared": "the hands share {cards}: one of these is held twice, for a board has five cards",
}
_HAND, _BOARD = 7, 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Cards."""
    parser.add_argument("cards", nargs="+", metavar="CARDS", help=_HELP)
    parser.add_argument("--json", action="store_true", help="one JSON object, as it is anyway")


def run(args: argparse.Namespace) -> int:
    """Print one JSON object; 2 on bad cards."""
    texts = " ".join(args.cards).split("/")
    ranked, hands, which = [], [], ""
    try:
        for number, text in enumerate(texts, 1):
            which = f"hand {number}: " if len(texts) > 1 else ""
            hands.append(parse_cards(text))
            ranked.append(best(hands[-1]))
        which = ""
        _check_shared(hands)
    except CardError as error:
        print(f"tableside rank: {which}{_REASONS[error.code].format(**error.detail)}", file=sys.stderr)
        return 2
    print(json.dumps(_report(ranked), ensure_ascii=False, separators=(",", ":")))
    return 0


def _check_shared(hands: list[Cards]) -> None:
    """Raises `CardError` where whole hands of seven cards share more than a board: then two hold the same card.

    Of fewer cards, as those five that count, nobody can tell.
    """
    held = Counter(card for hand in hands if len(hand) == _HAND for card in hand)
    shared = [card for card, times in held.items() if times > 1]
    if len(shared) > _BOARD:
        raise CardError("cards-shared", cards=" ".join(map(card_text, shared)))


def _report(ranked: list[Ranked]) -> dict[str, object]:
    """One hand as it is; of several the best one so, then all of them, and which are as good as it."""
    highest = max(hand.strength for hand in ranked)
    winners = [index for index, hand in enumerate(ranked) if hand.strength == highest]
    report = _told(ranked[winners[0]])
    if len(ranked) > 1:
        report |= {"winners": winners, "hands": [_told(hand) for hand in ranked]}
    return report


def _told(hand: Ranked) -> dict[str, object]:
    return {
        "category": hand.category.code,
        "cards": [card_text(card) for card in hand.cards],
        "cs": in_czech(hand.strength),
        "en": in_english(hand.strength),
    }
