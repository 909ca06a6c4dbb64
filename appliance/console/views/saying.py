"""What a form says below its fields: what will happen, what is to be read beside it, why it cannot be."""

from __future__ import annotations

from typing import Any

from appliance.console.views.dealing import is_of_table, may
from appliance.console.views.page import Page
from appliance.console.views.reading import kept, read, stamp, told, with_seen
from appliance.floor.catalogue import BY_ID
from appliance.floor.defaults import complete
from appliance.floor.forms import Action, Filled
from appliance.floor.offering import check, fits
from appliance.floor.said import Small
from appliance.floor.telling import details
from appliance.game.refusal import Refusal

SAYING = "saying"
"""The view's name under which a form that is being typed into asks what it says by now."""


def values(page: Page, action: Action, filled: Filled, why: Refusal | None = None) -> dict[str, Any]:
    """What the template says; what is not complete says nothing yet. ``why`` the form was refused when it was sent."""
    here = page.here
    shown = complete(here, action, filled)
    whole = with_seen(here, action, shown)
    refusal = why or check(here, action, whole)
    incomplete = refusal is not None and refusal.code == "incomplete"
    return {
        "sentence": "" if incomplete else page.say(told(here, action, whole)),
        "told": [(page.say(each), isinstance(each, Small)) for each in details(here, action, whole)],
        "refusal": "" if refusal is None or (incomplete and why is None) else page.say(refusal),
        "was": kept(shown),
        "stamp": stamp(here, action, shown),
        "about": page.round.id if page.round is not None else "",
    }


def saying(page: Page) -> str | None:
    """What the form says with the answers that were typed so far; None for a form that this phone has not."""
    answers = page.asked.params
    action = BY_ID.get(answers.get("form", ""))
    if action is None or not fits(action, "phone") or not may(page.asked.phone, action):
        return None
    filled = read(page.here, action, answers)
    if not is_of_table(page, action, filled):
        return None
    return page.draw("says.html", **values(page, action, filled))
