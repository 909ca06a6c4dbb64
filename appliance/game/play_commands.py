"""What a person may ask of players and tables during play, hands and busts aside; `commands` has the whole list."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from appliance.game.command import Command, Elsewhere, check_times
from appliance.game.event import Word
from appliance.game.rulings.events import Answer, Name, RulingId
from appliance.game.values import MAX_AMOUNT, Amount, Ordinal, Participant, Seat, TableNumber, Text

Denomination = Annotated[int, Meta(ge=1, le=10**9)]
"""What a chip is worth: with no larger ones can chips that are won in races add up to more than an event can carry."""


class Move(Command, tag="move", frozen=True, kw_only=True):
    """Seat a player elsewhere."""

    participant: Participant
    seat: Seat


class FinalTable(Command, tag="final_table", frozen=True, kw_only=True):
    """All who remain redraw their seats at one table (S-6). ``seen``: the round's last draw that the person saw."""

    seen: Annotated[int, Meta(ge=0, le=1_000_000)] | None = None


class SitOut(Command, tag="sit_out", frozen=True, kw_only=True):
    """A moved player chooses to wait for the button (S-5)."""

    participant: Participant


class Absent(Command, tag="absent", frozen=True, kw_only=True):
    """A player is away from the table (S-8)."""

    participant: Participant


class Present(Command, tag="present", frozen=True, kw_only=True):
    """An absent player is back (S-8)."""

    participant: Participant


class Balance(Command, tag="balance", frozen=True, kw_only=True):
    """Even out the tables (S-3). ``seen``: who moves, as the person saw it proposed."""

    seen: Participant | None = None


class BreakTable(Command, tag="break_table", frozen=True, kw_only=True):
    """Break a table: its players draw free seats at the others (S-4)."""

    table: TableNumber


class HandForHand(Command, tag="hand_for_hand", frozen=True, kw_only=True):
    """Begin or end hand-for-hand play (CK-6). ``minutes`` a round of hands takes off the clock; 0: it is stopped."""

    on: bool
    minutes: Annotated[int, Meta(ge=0, le=60)] | None = None


class ChipUp(Command, tag="chip_up", frozen=True, kw_only=True):
    """Give the bonus stack of the first break (T-13)."""

    participant: Participant | None = None


class BonusCard(Command, tag="bonus_card", frozen=True, kw_only=True):
    """A player uses the round's bonus card (T-12)."""

    participant: Participant
    holding: bool | None = None


class Reenter(Command, tag="reenter", frozen=True, kw_only=True):
    """A bust player enters again (T-11)."""

    participant: Participant
    deposits_24h: Elsewhere = 0

    def __post_init__(self) -> None:
        check_times(self.deposits_24h)


class Sanction(Command, tag="sanction", frozen=True, kw_only=True):
    """A penalty (T-15); ``league``: exclusion from the league is proposed. ``seen``: how many penalties the person saw
    that the participant had."""

    participant: Participant
    kind: Literal["warning", "dead-hand", "sit-out", "exclusion"]
    reason: Text
    hands: Annotated[int, Meta(ge=1, le=1000)] | None = None
    minutes: Annotated[int, Meta(ge=1, le=1440)] | None = None
    league: bool = False
    seen: Annotated[int, Meta(ge=0, le=1_000_000)] | None = None


class Ruling(Command, tag="ruling", frozen=True, kw_only=True):
    """The commissioner ruled on an irregularity (I-1 to I-17), at a table and in a hand or not.

    ``decision`` and ``reason`` have to be there where the commissioner decides (I-13).
    """

    ruling: RulingId
    facts: Annotated[dict[Name, Answer], Meta(max_length=32)] = {}
    decision: Text | None = None
    reason: Text | None = None
    table: TableNumber | None = None
    hand: Ordinal | None = None


class ColourUp(Command, tag="colour_up", frozen=True, kw_only=True):
    """Change up a denomination at one table (CK-5)."""

    table: TableNumber
    denomination: Denomination
    to: Denomination
    holdings: Annotated[dict[Participant, dict[Denomination, Amount]], Meta(max_length=90)]
    cards: Annotated[dict[Participant, tuple[Word, ...]], Meta(max_length=90)] = {}

    def __post_init__(self) -> None:
        for who, chips in self.holdings.items():
            if sum(chip * count for chip, count in chips.items()) > MAX_AMOUNT:
                raise ValueError(f"holdings: of {who} are worth more than {MAX_AMOUNT}")


class Deal(Command, tag="deal", frozen=True, kw_only=True):
    """A deal among those who remain (T-10)."""

    kind: Literal["icm", "chop", "manual"]
    consents: Annotated[tuple[Participant, ...], Meta(max_length=90)]
    stacks: Annotated[dict[Participant, Amount], Meta(max_length=90)]
    amounts: Annotated[dict[Participant, Amount], Meta(max_length=90)] = {}


class Void(Command, tag="void", frozen=True, kw_only=True):
    """A participation was fraudulent (LG-10)."""

    participant: Participant
    reason: Text


class Lock(Command, tag="lock", frozen=True, kw_only=True):
    """Keep a player where they sit, or a seat free, when tables are evened out (S-3); ``on`` False: no longer."""

    on: bool
    participant: Participant | None = None
    seat: Seat | None = None
    reason: Text | None = None

    def __post_init__(self) -> None:
        if (self.participant is None) == (self.seat is None):
            raise ValueError("a lock is on a participant or on a seat")


class TimeCall(Command, tag="time_call", frozen=True, kw_only=True):
    """Opponents asked for time, and the floor starts it (CK-4). To refuse it is to give no command."""

    table: TableNumber
    participant: Participant


class TimeEnd(Command, tag="time_end", frozen=True, kw_only=True):
    """The player acted in time, or time ran out (CK-4)."""

    table: TableNumber
    outcome: Literal["acted", "ran-out"] = "acted"
