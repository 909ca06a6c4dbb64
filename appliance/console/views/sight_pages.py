"""The pages by their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from appliance.console.views import announcing, dealer, evening, more, past, people, room
from appliance.console.views.more import race, rounds
from appliance.console.views.page import Page
from appliance.console.views.saying import SAYING, saying

__all__ = ["GROUP_PAGES", "NOT_HERE", "PAGES", "race", "rounds", "view"]

PAGES: Mapping[str, Callable[[Page], str]] = MappingProxyType(
    {
        "clock": evening.clock,
        "players": people.players,
        "tables": room.tables,
        "door": people.door,
        "money": people.money,
        "history": past.history,
        "more": more.more,
        "round": more.round_page,
        "rounds": more.rounds,
        "rulings": more.rulings,
        "chips": more.chips,
        "announcements": announcing.shown,
        "phones": more.phones,
        "devices": more.devices,
        "results": past.results_page,
    }
)
"""A commissioner's pages, but for those of one player or one table."""

GROUP_PAGES: Mapping[str, str] = MappingProxyType(
    {
        "players": "players",
        "clock": "clock",
        "undo": "history",
        "ruling": "rulings",
        "tables": "tables",
        "money": "money",
        "door": "door",
        "round": "round",
        "takeover": "more",
        "lone": "more",
        "devices": "devices",
        "time": "more",
        "phones": "phones",
    }
)
"""Where each group of the catalogue is; what is about one player is on that player's sheet as well."""

NOT_HERE: Mapping[str, str] = MappingProxyType(
    {
        "take_over": "a device becomes the director by itself: it is asked at that device",
        "pair_phone": "a phone is signed in at a kiosk, with a commissioner's card",
        "cut_off_phone": "each phone has a button of its own on the page of phones",
        "time_refuse": "a table takes back its own call; here each call that stands can be said to be seen to",
    }
)
"""Actions of the catalogue that a phone has no form for, and why."""

_MOST_DIGITS = 12


def view(name: str, page: Page) -> str | None:
    """A page by its name; None for one that is not there, or not for this phone."""
    if name == SAYING:
        return saying(page)
    if page.asked.phone.role == "dealer":
        return dealer.dealer(page) if name == "dealer" else None
    kind, _, which = name.partition("/")
    page.back = name
    if not which:
        found = PAGES.get(kind)
        return found(page) if found is not None else None
    if not (which.isascii() and which.isdigit() and len(which) <= _MOST_DIGITS):
        return None
    if kind == "player":
        return people.player(page, which)
    return room.table(page, int(which)) if kind == "table" else None
