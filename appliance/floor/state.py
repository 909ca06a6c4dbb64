"""Where somebody is in the menu, and what a key leads to."""

from __future__ import annotations

from typing import Literal, NamedTuple

from msgspec import Struct

from appliance.floor.catalogue import BY_ID
from appliance.floor.defaults import complete, fields
from appliance.floor.forms import Action, Field, GroupId, Here, Request, Value
from appliance.floor.said import Text
from appliance.game.command import Command
from appliance.game.refusal import Refusal

Page = Literal["groups", "actions", "field", "player", "confirm", "waiting", "pairing", "done", "refused"]
"""``player``: the number of one of the players of a field that takes several. ``pairing``: a phone is signed in."""


NOWHERE = -1
"""The cursor stands at no line: nothing is chosen by the next Enter."""


class Menu(Struct, frozen=True, kw_only=True):
    """Where somebody is in the menu. ``player``: whose card was tapped before an action was chosen.

    ``filled``: the answers so far; ``history``: what was asked for, in order; ``field``: what is asked now; ``value``
    and ``typed`` of what is being entered, ``editing`` while up and down change it instead of moving the ``cursor``.
    ``draft``: players and their numbers so far, ``who`` of them is asked about. ``changing``: a field is being changed
    from the confirming page. ``sent``: the command under way. ``refusal``: why not. ``unanswered``: the form's command
    that got no answer; given again without a change, this is what is sent. ``told``: what is still to be read when it
    is done. ``late``: what became of a command whose page was left before its answer came.
    """

    page: Page = "groups"
    cursor: int = 0
    group: GroupId | None = None
    action: str | None = None
    player: str | None = None
    filled: tuple[tuple[str, Value], ...] = ()
    history: tuple[str, ...] = ()
    field: str | None = None
    value: int | None = None
    typed: str = ""
    editing: bool = False
    draft: tuple[tuple[str, int], ...] = ()
    who: str | None = None
    changing: bool = False
    sent: Command | None = None
    refusal: Refusal | None = None
    unanswered: Command | None = None
    told: tuple[Text, ...] = ()
    late: Text = ""

    @property
    def answers(self) -> dict[str, Value]:
        """The answers by field."""
        return dict(self.filled)


class Step(NamedTuple):
    """What a key led to: the menu as it is now, None when it is left; what to send, what to ask of the device."""

    menu: Menu | None
    command: Command | None = None
    request: Request | None = None


def action_of(menu: Menu) -> Action | None:
    """The action whose form is being filled in."""
    return BY_ID.get(menu.action) if menu.action else None


def field_of(menu: Menu, here: Here) -> Field | None:
    """The field that is asked now; None also where the form does not have it any more."""
    action = action_of(menu)
    if action is None:
        return None
    return next((field for field in fields(here, action, menu.answers) if field.name == menu.field), None)


def given(menu: Menu, here: Here) -> dict[str, Value]:
    """The answers that the question of the page may hang on: those given before it, and defaults of what else is."""
    action = action_of(menu)
    if action is None:
        return menu.answers
    before = menu.answers
    if menu.field in menu.history:  # it is asked once more: what was answered after it may hang on it, not it on that
        earlier = menu.history[: menu.history.index(menu.field)]
        before = {name: value for name, value in menu.filled if name in earlier or name in seeded(menu)}
    return complete(here, action, before, menu.field)


def seeded(menu: Menu) -> tuple[str, ...]:
    """Answers that were there before the first question: whose card was tapped, which command an undo takes back as it
    was when it was shown."""
    return ("of", "participant") if menu.player is not None else ("of",)


def entered(menu: Menu, field: Field) -> int | None:
    """The number being entered, as it stands: typed digits win over what up and down made of it. A time is typed as
    minutes and two digits of seconds."""
    if not menu.typed:
        return menu.value
    if field.kind == "time":
        return int(menu.typed[:-2] or 0) * 60 + int(menu.typed[-2:])
    return int(menu.typed)
