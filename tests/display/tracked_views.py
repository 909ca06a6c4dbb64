"""Tracked hands to draw, and the keys for them: an ordinary one, and many with numbers as long as they get."""

from __future__ import annotations

import random

from appliance.display.view import HandSeat, HandView, PadView, PotView, Seat

KEYS = (
    "1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "00", "plus", "back", "fold", "check-call", "raise", "all-in",
    "push", "undo", "seat", "menu",
)  # fmt: skip
CARD_KEYS = (*"AKQJT98765432shdc", "back", "done", "undo")
MENU_KEYS = ("unclear", "uncounted", "player-back", "cards", "seat", "show", "muck", "dead", "drop", "undo", "menu")
PADS: tuple[PadView, ...] = (
    PadView(keys=("next", "undo")),
    PadView(keys=("undo", "drop")),
    PadView(keys=KEYS),
    PadView(keys=KEYS, typed="1000000+5000+250"),
    PadView(keys=KEYS, refused=("raise-too-small", {"minimum": 4_800_000})),
    PadView(keys=KEYS, refused=("something-that-nobody-has-ever-heard-of", {})),
    PadView(keys=KEYS, seat=10),
    PadView(keys=CARD_KEYS, mode="cards", typed="AsTdQ", seat=3),
    PadView(keys=MENU_KEYS, mode="menu"),
    PadView(keys=("back", "done", "undo", "seat-1", "seat-2"), mode="winners", pot=1, winners=(1, 2)),
    PadView(keys=("next", "win", "show", "muck", "cards", "undo", "seat", "drop", "menu")),
)
DECK = tuple(rank + suit for suit in "shdc" for rank in "AKQJT98765432")


def tracked_hand(rng: random.Random, seats: tuple[Seat, ...]) -> HandView:
    """A hand at these seats, with numbers of seven digits and four side pots now and then."""
    amount = rng.choice((150, 12_400, 7_654_321))
    taken = [seat.number for seat in seats if seat.who]
    waits = rng.choice(("action", "action", "action", "board", "show", "winners", "nothing", "doubt"))
    over = waits == "nothing"
    dealt = tuple(
        HandSeat(
            number=number,
            stack=rng.choice((amount, 0)),
            bet=rng.choice((0, amount)) if waits == "action" else 0,
            folded=rng.random() < 0.4,
            all_in=rng.random() < 0.3,
            cards=rng.choice(((), ("Ac", "Td"))) if waits in ("show", "nothing") else (),
            won=rng.choice((0, amount)) if over else 0,
        )
        for number in taken
    )
    pots = tuple(
        PotView(amount=amount, winners=tuple(rng.sample(taken, min(len(taken), rng.randint(1, 3)))) if over else ())
        for _ in range(rng.choice((0, 1, 2, 5)))
    )
    shown = rng.choice((0, 3, 4, 5))
    return HandView(
        street={0: "preflop", 3: "flop", 4: "turn", 5: "river"}[shown],
        waits=waits,
        board=tuple(rng.choice((card, "??")) for card in rng.sample(DECK, shown)),
        pots=pots,
        seats=dealt,
        to_act=rng.choice(taken) if taken and waits in ("action", "show") else None,
        call=rng.choice((0, amount)),
        bet=rng.random() < 0.7,
        raise_min=rng.choice((None, amount)),
        raise_max=amount * 2,
        counted=over and not pots,
    )


EVENING_HAND = HandView(
    street="turn",
    board=("As", "Th", "9d", "2c"),
    pots=(PotView(amount=8400), PotView(amount=3200)),
    seats=(
        HandSeat(number=1, stack=15_200, folded=True),
        HandSeat(number=2, stack=22_350, bet=1200),
        HandSeat(number=3, stack=9800, folded=True),
        HandSeat(number=4, stack=0, all_in=True),
        HandSeat(number=5, stack=31_050),
        HandSeat(number=7, stack=4400, folded=True),
        HandSeat(number=8, stack=18_000, folded=True),
        HandSeat(number=9, stack=12_600, bet=2400),
    ),
    to_act=5,
    call=2400,
    bet=True,
    raise_min=3600,
    raise_max=31_050,
)
"""A hand of the ordinary evening, on the turn."""
