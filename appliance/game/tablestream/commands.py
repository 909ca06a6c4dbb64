"""What a dealer's keys, a touch or a phone may say of a hand: one frozen struct a command, named by ``do``."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from appliance.game.hand.declaration import Chips, Position, Said
from appliance.game.hand.posting import PLAYERS_MOST
from appliance.game.reading import read_command
from appliance.game.ruleset import RuleSet
from appliance.game.rulings.events import Answer, Name, RulingId
from appliance.game.tablestream.events import Deads, Lives, Players
from appliance.game.values import Amount, Ordinal, Participant, PositiveAmount, RoundId, SeatNumber, TableNumber, Text

CardText = Annotated[str, Meta(max_length=32)]
"""``AsKd``; empty: cards that nobody looked at."""


Winners = Annotated[
    tuple[Annotated[tuple[Position, ...], Meta(min_length=1, max_length=PLAYERS_MOST)], ...],
    Meta(min_length=1, max_length=PLAYERS_MOST),
]
"""By pot, the positions that share it."""


class TableCommand(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="do"):
    """The part all commands have: the id of the round that is played."""

    round: RoundId


class HandCommand(TableCommand, frozen=True, kw_only=True):
    """Of one hand: its number, so that a late key changes no other."""

    hand: Ordinal


class BeginHand(HandCommand, tag="begin_hand", frozen=True, kw_only=True):
    """Track this hand of the round; see `HandBegun`. One that is still tracked is given up.

    ``again``: the round may have taken back hands that are over here, and begun them anew.
    """

    venue: Annotated[str, Meta(max_length=64)]
    table: TableNumber
    button: SeatNumber
    players: Players
    small_blind: Amount | None
    big_blind: PositiveAmount
    ante: Amount = 0
    ante_by: Literal["player", "bb"] = "player"
    unit: PositiveAmount = 1
    live: Lives = ()
    dead: Deads = ()
    rules: RuleSet
    again: bool = False

    def __post_init__(self) -> None:
        if self.live and (len(self.live) != len(self.players) or max(self.live) <= 0):
            raise ValueError("live: one number a position, one of them a blind")
        if self.dead and len(self.dead) != len(self.players):
            raise ValueError("dead: one number a position")


class Act(HandCommand, tag="act", frozen=True, kw_only=True):
    """The player on turn acts; ``to``: the total on this street of a bet or raise."""

    position: Position
    action: Literal["fold", "check", "call", "raise", "all-in"]
    to: PositiveAmount | None = None

    def __post_init__(self) -> None:
        if (self.action == "raise") is not (self.to is not None):
            raise ValueError("to: with a raise, and only with it")


class Declare(HandCommand, tag="declare", frozen=True, kw_only=True):
    """What a player said and pushed, to be read by the house's rules (H-5 to H-10); see `Declaration`.

    ``choice``: what was chosen where the rules leave a choice (H-10). ``out_of_turn``: another player is on turn: a
    fold binds at once, all else waits for the turn (H-9).
    """

    position: Position
    said: Said | None = None
    amount: PositiveAmount | None = None
    by: bool = False
    chips: Chips = ()
    motions: Annotated[tuple[Chips, ...], Meta(max_length=20)] = ()
    chips_first: bool = False
    unseen: bool = False
    repeated: bool = False
    meanings: Annotated[tuple[PositiveAmount, ...], Meta(max_length=10)] = ()
    uncounted: bool = False
    lying: Chips | None = None
    choice: Literal["call", "fold"] | None = None
    out_of_turn: bool = False


class DealHole(HandCommand, tag="deal_hole", frozen=True, kw_only=True):
    """A player's hole cards are known. Who is not named before the first action has unknown ones."""

    position: Position
    cards: CardText = ""


class DealBoard(HandCommand, tag="deal_board", frozen=True, kw_only=True):
    """The flop, the turn or the river."""

    cards: CardText = ""


class Show(HandCommand, tag="show", frozen=True, kw_only=True):
    """A player lays open these cards, or those dealt (H-12, H-16)."""

    position: Position
    cards: CardText = ""


class Muck(HandCommand, tag="muck", frozen=True, kw_only=True):
    """A player gives up the claim (H-13)."""

    position: Position


class Settle(HandCommand, tag="settle", frozen=True, kw_only=True):
    """The rest of the showdown as the rules have it; or the hand ends in which nobody who is here has a turn (S-8)."""


class Award(HandCommand, tag="award", frozen=True, kw_only=True):
    """Who won which pot, as a person saw it: a list for each pot, the main one first (H-11, H-14)."""

    winners: Winners


class Kill(HandCommand, tag="kill", frozen=True, kw_only=True):
    """A hand is dead: an absent player's (S-8), a penalty (T-15), a fold out of turn (H-9)."""

    position: Position


class Restrict(HandCommand, tag="restrict", frozen=True, kw_only=True):
    """The player may only check, call or fold from now on (H-16)."""

    position: Position


class PlayerBack(HandCommand, tag="player_back", frozen=True, kw_only=True):
    """Who was absent as the hand began is back before their cards went (S-8)."""

    position: Position


class CorrectStacks(HandCommand, tag="correct_stacks", frozen=True, kw_only=True):
    """The commissioner counted during the hand: what these players began it with; see `StacksCorrected`."""

    stacks: Annotated[dict[Participant, PositiveAmount], Meta(min_length=1, max_length=PLAYERS_MOST)]
    unit: PositiveAmount = 1


class EndHand(HandCommand, tag="end_hand", frozen=True, kw_only=True):
    """The stacks after the hand, counted: where nobody tracked who won."""

    stacks: Annotated[dict[Participant, Amount], Meta(max_length=PLAYERS_MOST)]


class DropHand(HandCommand, tag="drop_hand", frozen=True, kw_only=True):
    """Track this hand no longer."""


class UndoAction(HandCommand, tag="undo_action", frozen=True, kw_only=True):
    """Take back the last command of the hand; ``of``: its id, as the person saw it."""

    of: Annotated[str, Meta(max_length=64)] | None = None


class MakeRuling(TableCommand, tag="make_ruling", frozen=True, kw_only=True):
    """The commissioner ruled (I-13), in ``hand`` or between hands; see `RulingMade`.

    ``rules``: the round's; left out, those of the table's hand in play, or of its last one.
    """

    ruling: RulingId
    facts: Annotated[dict[Name, Answer], Meta(max_length=32)] = {}
    decision: Text | None = None
    reason: Text | None = None
    hand: Ordinal | None = None
    rules: RuleSet | None = None


AnyTableCommand = (
    BeginHand | Act | Declare | DealHole | DealBoard | Show | Muck | Settle | Award | Kill | Restrict | PlayerBack
    | CorrectStacks | EndHand | DropHand | UndoAction | MakeRuling
)  # fmt: skip


def decode_table_command(source: bytes | str | dict[str, Any]) -> TableCommand:
    """Read a command from JSON text or from an object already read; raises `CommandError`."""
    command: TableCommand = read_command(source, AnyTableCommand)
    return command
