"""What the dealer's keys are about: their names, what was typed so far, and the hand they are pressed in. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from appliance.game.commands import NextHand
from appliance.game.hand import binding
from appliance.game.hand.awarding import claims, is_contested
from appliance.game.hand.facts import Awarded
from appliance.game.hand.hand import Hand
from appliance.game.refusal import Refusal
from appliance.game.state import Round
from appliance.game.tablestream.absent import absent_of, ready
from appliance.game.tablestream.commands import Declare, TableCommand
from appliance.game.tablestream.events import HandBegun
from appliance.game.tablestream.state import TableHands, Tracked
from appliance.game.tablestream.turns import Early

Mode = Literal["play", "cards", "winners", "menu"]

DIGITS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "00")
RANK_KEYS = ("A", "K", "Q", "J", "T")
"""The ranks of cards that are no digits."""
SUIT_KEYS = ("s", "h", "d", "c")
ACTIONS = ("fold", "check-call", "raise", "all-in", "push")
UNCLEAR = ("unclear", "uncounted")
"""An amount with several meanings (TDA 57), and chips that nobody can count (I-14)."""
OTHERS = (
    "plus", "next", "undo", "back", "seat", "show", "muck", "win", "done", "cards", "dead", "player-back", "drop",
    "menu",
)  # fmt: skip
KEYS = (*DIGITS, *ACTIONS, *UNCLEAR, *OTHERS, *RANK_KEYS, *SUIT_KEYS)
"""Every key there is; in mode cards also the ranks of the digits 9 to 2. ``seat-1`` … ``seat-10``: a touched seat."""

_SEAT = "seat-"


class ReadAs(Struct, frozen=True):
    """What the house reads a declaration as: the player's seat, the action, and why, as `hand.reasons` says it.

    ``amount``: of a call the chips added, of a bet or raise the total. ``waits``: it was out of turn and counts later.
    """

    seat: int
    action: binding.Act
    amount: int
    reason: str
    detail: Mapping[str, Any] = {}
    waits: bool = False


class Pad(Struct, frozen=True):
    """What was typed and chosen so far. ``typed``: digits, several chips with ``+`` between; cards in mode cards.

    ``seat`` was chosen for show, muck, dead and cards, or acts out of turn. ``naming``: its digits after the key for a
    seat, as long as another may follow. ``winners``: positions of those who win, the last pot first, while asked.
    ``declared`` leaves a choice that fold or check-call makes (H-10); ``said`` is the word that went with its chips.
    ``problem``: why the last key led to nothing, until the next one; ``confirm``: that key does it if pressed again,
    ``agreed`` are the codes of what it has been asked so far. ``missed``: a seat was asked for that nobody sits in, and
    none was chosen since; ``acted``: this key has just acted out of turn. ``onward``: after these cards come the next
    player's, without a seat being chosen.
    ``reading``: how the last declaration was read, until the next action.
    """

    typed: str = ""
    seat: int | None = None
    mode: Mode = "play"
    winners: tuple[tuple[int, ...], ...] = ()
    said: str | None = None
    problem: Refusal | None = None
    declared: Declare | None = None
    naming: str | None = None
    confirm: str | None = None
    agreed: tuple[str, ...] = ()
    missed: bool = False
    acted: str | None = None
    onward: bool = False
    reading: ReadAs | None = None


class At(NamedTuple):
    """Where a key is pressed: the table's hands, the round that is on here, if any, and the table's number."""

    hands: TableHands
    round: Round | None
    table: int


class Pressed(NamedTuple):
    """What a key led to: the next pad, and a command of the table's stream or of the round."""

    pad: Pad
    table_command: TableCommand | None = None
    round_command: NextHand | None = None


class Here(NamedTuple):
    """The hand in which a key is pressed, and that hand with its cards dealt: the first action comes after the deal."""

    told: Tracked
    hand: Hand
    early: Early = ()

    @classmethod
    def of(cls, hands: TableHands) -> Here | None:
        """The hand in play; None where none is tracked, or this version cannot follow it."""
        if hands.current is None or hands.hand is None:
            return None
        return cls(hands.current, hands.hand, hands.now.early)

    @property
    def round(self) -> str:
        """The id of the round, for commands."""
        return self.told.begun.round

    @property
    def number(self) -> int:
        """The number of the hand, for commands."""
        return self.told.begun.hand

    def position(self, seat: int | None) -> int | None:
        """Who sits there, by position; None if nobody in the hand."""
        found = (position for position, player in enumerate(self.told.begun.players) if player.seat == seat)
        return next(found, None)

    def chosen(self, pad: Pad) -> int | None:
        """The position of the seat that was chosen, else of the player on turn."""
        return self.hand.actor if pad.seat is None else self.position(pad.seat)

    def seat(self, position: int) -> int:
        """Where a position sits."""
        return self.told.begun.players[position].seat

    @property
    def ready(self) -> Hand:
        """The hand as the next action finds it."""
        return dealt(self.hand, self.told.begun)

    @property
    def absent(self) -> tuple[int, ...]:
        """Who was dealt in absent and may still come back to their cards (S-8)."""
        gone = (self.hand.verify_kill(position) for position in absent_of(self.told.begun))
        return tuple(p for p, why in zip(absent_of(self.told.begun), gone, strict=True) if why is None)

    @property
    def contested(self) -> bool:
        """Whether all betting is over and nobody knows yet who wins."""
        return is_contested(self.hand)

    def pots(self) -> list[Awarded]:
        """The pots that nobody knows the winner of, with those who may win them; the main one first."""
        return claims(self.hand)


def dealt(hand: Hand, begun: HandBegun) -> Hand:
    """The hand as it is at the first action: unknown cards for those whose cards nobody told, absent players gone."""
    return ready(hand, absent_of(begun))


def refuse(pad: Pad, code: str, **detail: Any) -> Pressed:
    """The key leads to nothing, and the pad says why."""
    return Pressed(replace(pad, problem=Refusal(code, detail)))


def ask(pad: Pad, key: str, code: str, **detail: Any) -> Pressed | None:
    """The key has to be pressed again, and the pad says why; None if it was asked this and is pressed again."""
    agreed = pad.agreed if pad.confirm == key else ()
    if code in agreed:
        return None
    return Pressed(replace(pad, confirm=key, agreed=(*agreed, code), problem=Refusal(code, detail)))


def not_now(pad: Pad, here: Here) -> Pressed:
    """It is not the time for this key: what the hand waits for."""
    hand = here.ready
    if hand.over:
        return refuse(pad, "winner-first" if hand.undecided else "hand-over")
    if hand.phase == "deal-board":
        return refuse(pad, "board-first")
    if hand.phase == "showdown" or hand.actor is None:
        return refuse(pad, "showdown-on")
    return refuse(pad, "betting-goes-on", turn=here.seat(hand.actor))


def touched(key: str) -> int | None:
    """The seat that a touched one's key names; None for any other key."""
    number = key.removeprefix(_SEAT)
    return int(number) if number != key and number.isascii() and number.isdecimal() and len(number) < 3 else None


def seat_keys(here: Here, positions: tuple[int, ...]) -> tuple[str, ...]:
    """The keys of the seats of these positions."""
    return tuple(f"{_SEAT}{here.seat(position)}" for position in positions)
