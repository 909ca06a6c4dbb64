"""The pages of a phone: from what is known to markup. Pure."""

from __future__ import annotations

from appliance.console.asked import Asked
from appliance.console.views.page import Page
from appliance.console.views.sight_pages import view


def render(name: str, asked: Asked) -> str | None:
    """A page as a fragment of HTML; None for one that is not there, or not for this phone."""
    return view(name, Page(asked))
