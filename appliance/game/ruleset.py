"""A profile is data: one frozen value whose fields are the switches of the rules (docs/rules.md).

Every default is `tda-2024`'s choice, or what all profiles share. The content hash leaves out defaults, so a
new switch never breaks an old season.
"""

from __future__ import annotations

import hashlib
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

Number = Annotated[int, Meta(ge=0, le=1_000_000)]
"""How many, how much or how long; no house goes beyond."""


AtLeastOne = Annotated[int, Meta(ge=1, le=1_000_000)]


class RuleSet(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The switches of a house; the rule each belongs to stands beside it, where `make rules` reads it."""

    # Who and how much
    tournament: bool = True  # cash
    players_minimum: AtLeastOne = 3  # T-1
    players_maximum: Number = 90  # T-1
    worthwhile_minimum: Number = 10  # LG-3
    late_registration: Literal["never", "first-break"] = "first-break"  # T-2
    deposit_minimum: Number = 50  # T-3, CZK
    deposit_limit: Number = 500  # T-3, CZK in 24 hours
    chips_per_crown: Number = 40  # T-4
    guarantee_minimum: Number = 10  # T-9
    deals: tuple[Literal["icm", "chop", "manual"], ...] = ("icm", "chop", "manual")  # T-10
    reentry: Literal["never", "once"] = "once"  # T-11
    bonus_card: bool = False  # T-12
    chip_up: Literal["never", "automatic", "commissioner"] = "never"  # T-13
    round_of_hands: Literal["by-stack", "shared"] = "shared"  # T-7, in hand-for-hand

    # Seats, tables, button
    balance_gap: AtLeastOne = 2  # S-3
    halt_when_short: Number | None = 3  # S-3
    balance_seat: Literal["same-or-better", "worst"] = "worst"  # S-3
    moved_in: Literal["between-button-and-small-blind-waits", "between-blinds-waits", "may-wait"] = (
        "between-button-and-small-blind-waits"  # S-5
    )
    final_table: Literal["cards", "lot"] = "lot"  # S-6
    absent_cards: Literal["folded-on-turn", "killed-after-deal"] = "killed-after-deal"  # S-8
    absent_when_broken: Literal["out", "moved"] = "moved"  # S-8
    absent_returns_above_tables: Number = 0  # S-8: with no more tables than this they cannot come back

    # The clock
    small_blind: Literal["half", "at-most-big"] = "at-most-big"  # CK-1
    time_call_s: Number = 25  # CK-4
    time_count_s: Number = 5  # CK-4
    time_call_ends: Literal["fold", "check-or-fold"] = "check-or-fold"  # CK-4
    hand_for_hand_begins: Literal["hand-in-progress", "next-hand"] = "hand-in-progress"  # CK-6
    hand_for_hand_minutes: Number = 2  # CK-6
    hand_for_hand_minutes_maximum: Number = 3  # CK-6

    # The hand
    minimum_raise: Literal["double", "big-blind", "largest-raise"] = "largest-raise"  # H-3
    short_all_in: Literal["call-or-minimum", "cumulative"] = "cumulative"  # H-4
    silent_chips: Literal["call", "value", "tda-45"] = "tda-45"  # H-6
    underraise: Literal["none", "half"] = "half"  # H-7
    straddle: Literal["none", "double"] = "none"  # H-8
    out_of_turn: Literal["withdrawn", "binding"] = "binding"  # H-9
    unseen_raise: Literal["fold-or-call", "tda-51"] = "tda-51"  # H-10
    showdown_first: Literal["first-of-last-street", "last-of-last-street", "last-of-any-street"] = (
        "last-of-last-street"  # H-12, of those who bet or raised
    )
    showdown_unbet: Literal["left-of-button", "order-of-action"] = "left-of-button"  # H-12
    shown_out_of_turn_frees: bool = False  # H-12
    exposed_cards: Literal["none", "passive-only"] = "none"  # H-16
    all_in_shown: Literal["at-once", "not-before-river"] = "at-once"  # H-16
    rabbit_hunting: Literal["never", "by-consent"] = "never"  # H-17
    rulings: Literal["cpl", "casino", "tda"] = "tda"  # I-1 to I-17

    # The cash table
    newcomers_post: bool = False  # C-2
    button_buying: bool = False  # C-5


TDA_2024 = RuleSet()

CPL_2017 = RuleSet(
    late_registration="never",
    deals=(),
    reentry="never",
    bonus_card=True,
    chip_up="commissioner",
    round_of_hands="by-stack",
    halt_when_short=None,
    balance_seat="same-or-better",
    moved_in="may-wait",
    final_table="cards",
    absent_cards="folded-on-turn",
    absent_when_broken="out",
    absent_returns_above_tables=2,
    small_blind="half",
    hand_for_hand_begins="next-hand",
    minimum_raise="double",
    short_all_in="call-or-minimum",
    silent_chips="call",
    underraise="none",
    out_of_turn="withdrawn",
    showdown_first="first-of-last-street",
    rulings="cpl",
)

CPL = msgspec.structs.replace(CPL_2017, chip_up="automatic", minimum_raise="big-blind")

CASINO_2012 = RuleSet(
    round_of_hands="by-stack",
    halt_when_short=None,
    moved_in="between-blinds-waits",
    time_call_s=60,
    time_count_s=10,
    time_call_ends="fold",
    hand_for_hand_begins="next-hand",
    silent_chips="value",
    unseen_raise="fold-or-call",
    showdown_first="last-of-any-street",
    showdown_unbet="order-of-action",
    shown_out_of_turn_frees=True,
    exposed_cards="passive-only",
    rulings="casino",
)

CASH_2012 = msgspec.structs.replace(
    CASINO_2012,
    tournament=False,
    straddle="double",
    all_in_shown="not-before-river",
    rabbit_hunting="by-consent",
    newcomers_post=True,
    button_buying=True,
)

PROFILES: dict[str, RuleSet] = {
    "cpl-2017": CPL_2017,
    "cpl": CPL,
    "casino-2012": CASINO_2012,
    "cash-2012": CASH_2012,
    "tda-2024": TDA_2024,
}
"""The profiles by name, as an announcement names them."""


def content_hash(rules: RuleSet) -> str:
    """SHA-256, in hex, of the switches that are not at their default, keys sorted."""
    return hashlib.sha256(msgspec.json.encode(rules, order="deterministic")).hexdigest()
