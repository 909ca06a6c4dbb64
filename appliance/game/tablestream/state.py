"""What a table's stream tells: the hand in play, the stacks after the last one, all hands and rulings."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from appliance.game.hand.facts import Fact
from appliance.game.hand.hand import Hand
from appliance.game.hand.out_of_turn import OutOfTurn
from appliance.game.rulings.events import RulingMade
from appliance.game.tablestream.events import HandBegun, HandEnded


class Tracked(Struct, frozen=True, gc=False):
    """A hand as it was told: how it began, its facts, how it ended (None: it goes on, or nobody said).

    Who of ``begun`` is still ``absent``, as long as the hand goes on. ``folded``: positions of those who folded out of
    turn, whose hands the facts tell as dead.
    """

    begun: HandBegun
    facts: tuple[Fact, ...]
    ended: HandEnded | None = None
    folded: tuple[int, ...] = ()


class Moment(Struct, frozen=True, gc=False):
    """What an undo can take back to: the hand in play, the stacks and the hands before it.

    ``hand`` is the hand in play as it can be played on; None where there is none, or where this version cannot follow
    what was told of it: then only its facts are known, and it may be counted, dropped or undone. ``early``: what was
    done out of turn on this street, in order (H-9).
    """

    current: Tracked | None = None
    hand: Hand | None = None
    stacks: Mapping[str, int] = {}
    log: tuple[Tracked, ...] = ()
    early: tuple[OutOfTurn, ...] = ()


class Done(Struct, frozen=True, eq=False):
    """A command of the hand that can be undone, the moment before it, and the command before."""

    cause: str | None
    before: Moment
    previous: Done | None


class TableHands(Struct, frozen=True, gc=False, eq=False):
    """A table as its stream tells it. ``rulings`` stay whatever is undone (I-13)."""

    now: Moment = Moment()
    done: Done | None = None
    rulings: tuple[RulingMade, ...] = ()

    @property
    def current(self) -> Tracked | None:
        """The hand in play, if it is tracked."""
        return self.now.current

    @property
    def hand(self) -> Hand | None:
        """The hand in play as it can be played on."""
        return self.now.hand

    @property
    def stacks(self) -> Mapping[str, int]:
        """By participant: after the last hand that ended, or as the one in play began."""
        return self.now.stacks

    @property
    def log(self) -> tuple[Tracked, ...]:
        """The hands that are over, oldest first, dropped ones among them."""
        return self.now.log

    @property
    def last(self) -> Tracked | None:
        """The last hand that is over."""
        return self.log[-1] if self.log else None
