"""What is to be seen of the menu: a title, lines and a hint, for any screen or page; `said.say` puts it in words."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from appliance.floor.said import Text


class Line(Struct, frozen=True):
    """A line. ``item``: its number for the key ``item:<n>``; None: only to be read.

    ``detail``: what stands behind it in smaller letters. ``reason``: why it cannot be chosen now (``enabled`` False).
    ``tone``: the confirming line of something destructive is "danger"; "back" leads back.
    """

    text: Text
    item: int | None = None
    detail: Text = ""
    enabled: bool = True
    reason: Text = ""
    selected: bool = False
    tone: Literal["plain", "danger", "back", "text"] = "plain"


class Shown(Struct, frozen=True):
    """A page. ``number``: the number or text being entered as it stands, "" when none is; draw it large, with + and −.

    ``digits``: digit keys make sense now, ``editing``: up and down change ``number``. ``busy``: an answer is awaited.
    """

    title: Text
    lines: tuple[Line, ...]
    question: Text = ""
    hint: Text = ""
    number: Text = ""
    digits: bool = False
    editing: bool = False
    busy: bool = False
    good: bool | None = None


# def shown(menu: Menu, here: Here) -> Shown
