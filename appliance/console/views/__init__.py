"""The pages of a phone: from what is known to markup. Pure, but that what was drawn a moment ago is not drawn again."""

from __future__ import annotations

from collections.abc import Hashable

from appliance.console.asked import Asked
from appliance.console.sight import Sight
from appliance.console.views.page import Page
from appliance.console.views.saying import SAYING
from appliance.console.views.sight_pages import view

_OWN = ("phones", SAYING)
"""Views that are another one for each phone, or for each letter that is typed."""

_SECOND_MS = 1000
_MOST = 200


class _Drawn:
    """What was drawn of one sight: once it changes all phones ask for the same. For the console's thread only."""

    def __init__(self) -> None:
        self.of: Sight | None = None
        self.pages: dict[Hashable, str | None] = {}


_drawn = _Drawn()


def render(name: str, asked: Asked) -> str | None:
    """A page as a fragment of HTML; None for one that is not there, or not for this phone."""
    if name in _OWN:
        return view(name, Page(asked))
    if _drawn.of is not asked.sight or len(_drawn.pages) >= _MOST:
        _drawn.of, _drawn.pages = asked.sight, {}
    phone, params = asked.phone, tuple(sorted(asked.params.items()))
    key = (name, asked.lang, asked.round, phone.role, phone.table, phone.who, params, asked.now_ms // _SECOND_MS)
    if key not in _drawn.pages:
        _drawn.pages[key] = view(name, Page(asked))
    return _drawn.pages[key]
