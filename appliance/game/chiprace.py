"""The chip race: a denomination that blinds and antes no longer need leaves one table (CK-5, TDA 24).

Everybody's small chips are exchanged for larger ones as far as they go. What is left over are *odd chips*: their
total is rounded up to whole larger chips, and these are raced for. From seat 1 on every player is dealt one card for
each odd chip, all of one player's before the next one's. The highest cards win a larger chip each, at most one a
player; ties go by suit, spades highest (S-2). The odd chips leave play.

Where a deck does not suffice another, shuffled by itself, is dealt on; of the same card twice the one dealt first is
higher. The holdings are all the chips each player has, so that nobody is raced out: whoever would be left with
nothing keeps one chip of the smallest denomination that is in play at the table after the race.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from appliance.game.draw import DECK, Draw, strength
from appliance.game.refusal import Refusal

Holdings = Mapping[str, Mapping[int, int]]
"""By participant, how many chips of each denomination."""

_MOST_CARDS = 10 * len(DECK)
"""Ten full decks: a race for more is a slip of the keyboard, or should go by way of a chip in between."""


class ChipRace(Struct, frozen=True, kw_only=True):
    """How a race went. ``odd``: how many odd chips each player brought, from seat 1 on; ``cards``: what they got for
    them. ``winners`` won one larger chip each, highest card first. ``kept``: those who would have been left with
    nothing and have one chip of the denomination ``smallest``.

    ``changes`` is what the stack of each player grew or shrank by, ``delta`` their sum: so many chips came into
    play, or left it (T-4).
    """

    denomination: int
    to: int
    odd: Mapping[str, int]
    cards: Mapping[str, tuple[str, ...]]
    winners: tuple[str, ...]
    kept: tuple[str, ...]
    smallest: int
    holdings: Holdings
    changes: Mapping[str, int]

    @property
    def delta(self) -> int:
        """Chips that came into play; below nothing: that left it."""
        return sum(self.changes.values())


def race(
    denomination: int, to: int, holdings: Holdings, seats: Sequence[str], cards: Mapping[str, Sequence[str]] | Draw
) -> ChipRace | Refusal:
    """Race a denomination off at one table.

    ``seats``: who sits there, from seat 1 on; players without holdings have none of the chips. ``cards``: those that
    were dealt, one for each odd chip, or the draw that deals them.

    Refusals: ``bad-denomination`` (the larger chip is not worth several of the small ones), ``not-at-table``,
    ``too-many-cards``, and for given cards ``cards-count``, ``not-a-card``, ``card-repeated``.
    """
    if denomination < 1 or to <= denomination or to % denomination:
        return Refusal("bad-denomination", {"denomination": denomination, "to": to})
    for participant in holdings:
        if participant not in seats:
            return Refusal("not-at-table", {"participant": participant})
    ratio = to // denomination
    small = {participant: holdings.get(participant, {}).get(denomination, 0) for participant in seats}
    odd = {participant: count % ratio for participant, count in small.items() if count % ratio}
    if sum(odd.values()) > _MOST_CARDS:
        return Refusal("too-many-cards", {"cards": sum(odd.values()), "most": _MOST_CARDS})
    dealt = _deal(odd, cards) if isinstance(cards, Draw) else _given(odd, cards)
    if isinstance(dealt, Refusal):
        return dealt
    winners = _highest(dealt, -(-sum(odd.values()) // ratio))
    held = {
        participant: _exchanged(chips, denomination, to, participant in winners)
        for participant, chips in holdings.items()
    }
    smallest = min((chip for chips in held.values() for chip in chips), default=to)
    kept = tuple(participant for participant in seats if _worth(holdings, participant) and not held[participant])
    held |= {participant: {smallest: 1} for participant in kept}
    return ChipRace(
        denomination=denomination,
        to=to,
        odd=odd,
        cards=dealt,
        winners=winners,
        kept=kept,
        smallest=smallest,
        holdings=held,
        changes={participant: _worth(held, participant) - _worth(holdings, participant) for participant in holdings},
    )


def _deal(odd: Mapping[str, int], draw: Draw) -> dict[str, tuple[str, ...]]:
    deck: list[str] = []
    while len(deck) < sum(odd.values()):
        deck += draw.shuffled(DECK)
    top = iter(deck)
    return {participant: tuple(next(top) for _ in range(count)) for participant, count in odd.items()}


def _given(odd: Mapping[str, int], cards: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]] | Refusal:
    """The cards as they were dealt, if they can have been: one for each odd chip, none more often than the decks."""
    for participant in [*odd, *cards]:
        wanted, given = odd.get(participant, 0), len(cards.get(participant, ()))
        if wanted != given:
            return Refusal("cards-count", {"participant": participant, "wanted": wanted, "given": given})
    left = dict.fromkeys(DECK, -(-sum(odd.values()) // len(DECK)))
    for participant in odd:
        for card in cards[participant]:
            if card not in left:
                return Refusal("not-a-card", {"participant": participant, "card": card})
            if not left[card]:
                return Refusal("card-repeated", {"participant": participant, "card": card})
            left[card] -= 1
    return {participant: tuple(cards[participant]) for participant in odd}


def _highest(cards: Mapping[str, Sequence[str]], chips: int) -> tuple[str, ...]:
    """Who wins so many chips, by the highest card of each; the sort leaves equal ones in the order of the deal."""
    best = {participant: max(map(strength, dealt)) for participant, dealt in cards.items()}
    return tuple(sorted(best, key=lambda participant: -best[participant])[:chips])


def _exchanged(chips: Mapping[int, int], denomination: int, to: int, won: bool) -> dict[int, int]:
    """A player's chips after the exchange and the race, without what is at nothing; smallest denomination first."""
    larger = chips.get(to, 0) + chips.get(denomination, 0) * denomination // to + won
    after = {**chips, to: larger, denomination: 0}
    return {chip: after[chip] for chip in sorted(after) if after[chip]}


def _worth(holdings: Holdings, participant: str) -> int:
    return sum(chip * count for chip, count in holdings.get(participant, {}).items())
