"""The floor menu as frozen values. Its words are `appliance.floor`'s, in the screen's language."""

from __future__ import annotations

from typing import Literal

import msgspec

Page = Literal["choice", "form", "number", "confirm", "waiting", "done", "refused"]
"""What a page of the menu is for: something is chosen, filled in, typed, confirmed, asked, answered."""


class FloorLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line to choose: ``note`` its value or what else is to be known of it, or why it is ``refused`` now.

    ``leads``: it leads to another page.
    """

    text: str
    note: str = ""
    refused: bool = False
    leads: bool = False


class MenuView(msgspec.Struct, frozen=True, kw_only=True):
    """A page. ``who``: the commissioner; ``trail``: the pages above this one; ``chosen``: the line it stands at.

    ``typed``: what was typed of a number, with ``unit`` after it. ``text``: the sentence of a page without lines.
    ``top``: the first page, which going back leaves.
    """

    page: Page
    title: str
    who: str = ""
    trail: tuple[str, ...] = ()
    lines: tuple[FloorLine, ...] = ()
    chosen: int = 0
    text: str = ""
    typed: str = ""
    unit: str = ""
    hint: str = ""
    top: bool = False
