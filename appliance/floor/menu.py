"""The menu as a state and a pure reducer: a key, a touch or a card leads to the next page, or to a command."""

from __future__ import annotations

from typing import Literal, NamedTuple

from msgspec import Struct

from appliance.floor.forms import GroupId, Request, Value
from appliance.game.command import Command
from appliance.game.refusal import Refusal

Page = Literal["groups", "actions", "field", "player", "confirm", "waiting", "done", "refused"]
"""``player``: the number of one of the players of a field that takes several."""


class Menu(Struct, frozen=True, kw_only=True):
    """Where somebody is in the menu. ``player``: whose card was tapped before an action was chosen.

    ``filled``: answers so far, in the order they were given; ``field``: what is asked now; ``value`` and ``typed`` of a
    number or text that is being entered, ``editing`` while up and down change it instead of moving the ``cursor``.
    ``draft``: players and their numbers so far, ``who`` of them is asked about. ``changing``: a field is being changed
    from the confirming page. ``rest``: commands that follow once the one under way is answered. ``refusal``: why not.
    """

    page: Page = "groups"
    cursor: int = 0
    group: GroupId | None = None
    action: str | None = None
    player: str | None = None
    filled: tuple[tuple[str, Value], ...] = ()
    field: str | None = None
    value: int | None = None
    typed: str = ""
    editing: bool = False
    draft: tuple[tuple[str, int], ...] = ()
    who: str | None = None
    changing: bool = False
    rest: tuple[Command, ...] = ()
    refusal: Refusal | None = None


class Step(NamedTuple):
    """What a key led to: the menu as it is now, None when it is left; what to send, what to ask of the device."""

    menu: Menu | None
    command: Command | None = None
    request: Request | None = None


# def press(menu: Menu, key: str, here: Here) -> Step
#   keys: "up" "down" "enter" "back" "delete" "0".."9" "item:<n>" (n-th line that can be chosen, from 0)
#         "card:<participant>" "char:<letter>" (a text is typed) "text:<whole text>" (of a web form)
# def answered(menu: Menu, here: Here, refusal: Refusal | None) -> Step
#   the director answered the step's command (None: done); may bring the next command of several. On page "waiting" only
# def opened(here: Here) -> Menu
