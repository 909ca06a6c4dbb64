"""Numbers: typed, or made larger and smaller in sensible steps; and the players of a field that takes several."""

from __future__ import annotations

from msgspec.structs import replace

from appliance.floor.defaults import players_of
from appliance.floor.fields import LONGEST_TEXT
from appliance.floor.forms import Field, Here
from appliance.floor.offering import verify_value
from appliance.floor.pages import items, replace_kind
from appliance.floor.state import Menu, action_of, entered, field_of, given
from appliance.game.refusal import Refusal

LONGEST = LONGEST_TEXT
_DIGITS = 13
"""No amount has more."""


def stepped(menu: Menu, way: int, here: Here) -> Menu:
    """The number one step larger or smaller, on whole steps."""
    field = field_of(menu, here)
    if field is None:
        return menu
    now = entered(menu, field) or 0
    steps = now // field.step + 1 if way > 0 else -(-now // field.step) - 1
    return replace(menu, typed="", value=_within(field, steps * field.step))


def _within(field: Field, number: int) -> int:
    return max(field.least, min(number, field.most))


def typed(menu: Menu, digit: str, number: bool) -> Menu:
    """One more digit: of a number, or of what a list is narrowed down to."""
    if number:
        return replace(menu, typed=(menu.typed + digit)[:_DIGITS], editing=True, cursor=0)
    return replace(menu, typed=(menu.typed + digit)[: _DIGITS - 1], cursor=0)


def accepted(menu: Menu, here: Here) -> Menu | int:
    """The number for the field; or the menu, with why it cannot be, or with the next player to be asked about."""
    field = field_of(menu, here)
    if field is None:
        return Menu()
    number = entered(menu, field)
    refusal = Refusal("incomplete") if number is None else verify_value(_bounds(field), number)
    if refusal is not None or number is None:
        return replace(menu, refusal=refusal)
    if menu.page == "field" or menu.who is None:
        return number
    draft = {**dict(menu.draft), menu.who: number}
    return _next_player(replace(menu, draft=tuple(draft.items())), here)


def _bounds(field: Field) -> Field:
    """The field as one number."""
    one = replace_kind(field)
    return replace(one, least=field.least, most=field.most)


def of_player(menu: Menu, participant: str, here: Here) -> Menu:
    """Ask for the number of one of several players."""
    action, field, round = action_of(menu), field_of(menu, here), here.round
    if action is None or field is None or round is None:
        return Menu()
    if participant not in players_of(here, action, field, given(menu, here)):
        return replace(menu, refusal=Refusal("not-in-play", {"participant": participant}))
    known = round.players[participant].chips if field.unit == "chips" else 0
    value = _within(field, dict(menu.draft).get(participant, known))
    return replace(menu, page="player", who=participant, value=value, typed="", editing=True, cursor=0)


def removed(menu: Menu) -> Menu:
    """The player is not one of them after all."""
    draft = tuple(each for each in menu.draft if each[0] != menu.who)
    return replace(menu, page="field", draft=draft, who=None, value=None, typed="", editing=False, cursor=0)


def _next_player(menu: Menu, here: Here) -> Menu:
    """Back to the list, at the player after this one; after the last at the line that ends it."""
    listed = replace(menu, page="field", who=None, value=None, typed="", editing=False, cursor=0)
    keys = [item.key for item in items(listed, here)]
    here_now = keys.index(f"who:{menu.who}") if f"who:{menu.who}" in keys else -1
    following = here_now + 1
    return replace(listed, cursor=following if following < len(keys) - 1 else 0)
