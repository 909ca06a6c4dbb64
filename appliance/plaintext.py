"""Texts that people and files hand in, as they can stand in a row of letters on a screen or on paper.

A NUL ends a painter, a text of no width is none, and a letter that turns the rest around hides what follows: `plain`
is what becomes of any text before it is measured, drawn or printed; `fault` says where somebody types it why one
cannot serve.
"""

from __future__ import annotations

import re
from functools import lru_cache

_NBSP = "\u00a0"

_PLAIN_ALREADY = re.compile("[ -~\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e€ℹ⌫\u2190-\u22ff\u2500-\u27bf]*")
"""Letters of Czech and English, and the signs of screens: they are as they shall be, whatever they stand beside."""

_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and signs that show nothing."""

_TURNS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Signs that turn the direction of what stands beside them: a text may then read as another one."""


def plain(text: str) -> str:
    """Composed letters (NFC), spaces for all white space, and nothing that is not drawn: no control characters, no
    marks that turn the direction, no half characters. No-break spaces stay.
    """
    return text if _PLAIN_ALREADY.fullmatch(text) else _cleaned(text)


def is_blank(text: str) -> bool:
    """Whether nobody would see anything of it."""
    return not any(char > " " and char != _NBSP and _shows(char) for char in plain(text))


def fault(text: str) -> str | None:
    """Why a text that somebody typed cannot stand on a screen; None: it can. An empty one can, lines and tabs too."""
    for char in text:
        if (char < " " and char not in "\t\n\r") or "\x7f" <= char < "\xa0":
            return f"U+{ord(char):04X} is a control character"
        if "\ud800" <= char < "\ue000":
            return "not UTF-8"
        if char in _TURNS:
            return f"U+{ord(char):04X} turns the direction of the text"
    return "nothing of it can be seen" if text and is_blank(text) else None


@lru_cache(1024)
def _cleaned(text: str) -> str:
    import unicodedata  # a megabyte that most evenings never need

    shown = "".join(filter(None, map(_shown, text)))
    return unicodedata.normalize("NFC", shown)


def _shown(char: str) -> str:
    import unicodedata

    category = unicodedata.category(char)
    if char in "\u00a0\u202f":
        return _NBSP
    if category[0] == "Z" or char in "\t\n\r\v\f":
        return " "
    return "" if category[0] == "C" else char


def _shows(char: str) -> bool:
    if "!" <= char <= "~" or ("\u00a1" <= char <= "\u02ff" and char != "\u00ad"):  # Latin letters and signs all do
        return True
    import unicodedata

    return char not in _BLANK and unicodedata.category(char)[0] in "LNPS"
