"""What a screen tells the room about the round as it stands: plain data, never words. They forbid nothing."""

from __future__ import annotations

from typing import Literal

import msgspec


class BelowMinimum(msgspec.Struct, frozen=True, tag=True):
    """So few are registered that the league may cancel or move the round (LG-3)."""

    registered: int
    minimum: int


class Balance(msgspec.Struct, frozen=True, tag=True):
    """The tables are to be balanced: from the fullest to the emptiest (S-3)."""

    from_table: int
    to_table: int


class TableShort(msgspec.Struct, frozen=True, tag=True):
    """Play halts at this table, which has ``short`` players fewer than the fullest (S-3)."""

    short: int


class LonePlayer(msgspec.Struct, frozen=True, tag=True):
    """One player alone sits at this table."""


class ChipsDiffer(msgspec.Struct, frozen=True, tag=True):
    """The chips counted at all tables are not those in play (T-4): for the commissioner."""

    counted: int
    expected: int


class ColourUpDue(msgspec.Struct, frozen=True, tag=True):
    """Blinds and antes need this chip no longer: it is to be changed up to another at this table (CK-5)."""

    denomination: int
    to: int


class BonusStack(msgspec.Struct, frozen=True, tag=True):
    """In this first break everybody still in gets so many chips more (T-13)."""

    chips: int


class WaitsForTables(msgspec.Struct, frozen=True, tag=True):
    """Play is hand for hand: the next hand here waits until these tables have begun theirs (CK-6)."""

    tables: tuple[int, ...]


class GuaranteeVoid(msgspec.Struct, frozen=True, tag=True):
    """The guarantee, in CZK, does not hold: fewer than ``minimum`` were registered at the official start (T-9)."""

    guarantee: int
    minimum: int


class Ruled(msgspec.Struct, frozen=True, tag=True):
    """The commissioner ruled on the hand just played, or between hands (None): its outcome, or the own words of it."""

    ruling: str
    hand: int | None
    outcome: str
    decision: str | None = None


class FloorCalled(msgspec.Struct, frozen=True, tag=True):
    """A table calls the floor, or asks it to start somebody's time (CK-4)."""

    table: int
    about: Literal["floor", "time"]


class PrinterStands(msgspec.Struct, frozen=True, tag=True):
    """The printer of slips does not print: ``paper-out``, or ``offline``. Slips wait."""

    why: Literal["paper-out", "offline"]


Notice = (
    BelowMinimum
    | Balance
    | TableShort
    | LonePlayer
    | ChipsDiffer
    | ColourUpDue
    | BonusStack
    | WaitsForTables
    | GuaranteeVoid
    | Ruled
    | FloorCalled
    | PrinterStands
)
