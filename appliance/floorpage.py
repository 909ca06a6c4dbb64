"""What a screen shows of the floor menu. Pure."""

from __future__ import annotations

from msgspec.structs import replace

from appliance.display.scene import OpenMenu
from appliance.floor.forms import Here
from appliance.floor.lines import shown
from appliance.floor.menu import Menu
from appliance.floor.pages import NUMBERS
from appliance.floor.said import Said
from appliance.floor.state import field_of
from appliance.i18n import N_

_UNKNOWN = N_("It may have been done all the same. Tried again here, it still counts once.")


def page_of(menu: Menu, here: Here) -> OpenMenu:
    """What a screen shows of a menu. An answer that did not come is no refusal, and is not told as one."""
    page, field = shown(menu, here), field_of(menu, here)
    if menu.page == "refused" and menu.unanswered is not None:
        page = replace(page, question=Said(_UNKNOWN))
    number = menu.page == "player" or (menu.page == "field" and field is not None and field.kind in NUMBERS)
    return OpenMenu(page, here.name(here.commissioner), menu.page == "groups", number, here.table)
