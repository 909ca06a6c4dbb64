"""A prompt in words, as layouts draw it."""

from __future__ import annotations

from typing import Literal, NamedTuple

from appliance.display.icons import Icon

Tone = Literal["good", "plain", "wait", "bad"]


class Message(NamedTuple):
    """The words of a prompt: ``figure`` is what is to pay or was paid, ``small`` a note below the lines.

    ``owed``: what ``figure`` says in two parts, what for and how much, where it is paid now.
    """

    icon: Icon
    tone: Tone
    title: str
    lines: tuple[str, ...] = ()
    small: str = ""
    figure: str = ""
    owed: tuple[str, str] = ("", "")
