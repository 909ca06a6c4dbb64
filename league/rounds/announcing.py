"""What the rules say of an announcement, asked before it is promised: the venue's director would refuse it anyway.

The rules name one fault at a time. To name all of them, the place of each is set right in a copy and the rules are
asked again about the rest; the copy is thrown away.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from msgspec import structs

from appliance.game.announcement import do_announce
from appliance.game.commands import (
    Announce,
    StructureEntry,
    decode_command,
)
from appliance.game.events import Announced
from appliance.game.refusal import Refusal
from appliance.game.round import INITIAL, verify
from appliance.i18n import Translator

Mend = Callable[[Announce, Mapping[str, Any]], object]


class Fault(NamedTuple):
    """A field of an announcement that the rules refuse, and their refusal."""

    field: str
    refusal: Refusal

    def said(self, lang: str) -> str:
        """The refusal as a sentence in the language, with its stable code and numbers."""
        detail = "".join(f", {name} {value}" for name, value in self.refusal.detail.items())
        return f"{Translator(lang).refusal(self.refusal.code, self.refusal.detail)} ({self.refusal.code}{detail})"

    def __str__(self) -> str:
        return f"{self.field}: {self.said('en')}"


def faults(announcement: Announce) -> list[Fault]:
    """All that the rules refuse in an announcement, none when a director would take it."""
    found: list[Fault] = []
    while (refusal := verify(INITIAL, announcement, 0)) is not None:
        field, mend = _PLACES.get(refusal.code, ("do", None))
        found.append(Fault(field, refusal))
        if mend is None:
            break
        announcement = structs.replace(announcement, **{field: mend(announcement, refusal.detail)})
    return found


def _level_mended(announcement: Announce, detail: Mapping[str, Any]) -> tuple[StructureEntry, ...]:
    levels = [n for n, entry in enumerate(announcement.levels) if entry.pause is None]
    wrong = levels[detail["level"] - 1]
    mended = structs.replace(announcement.levels[wrong], sb=1, bb=2)
    return (*announcement.levels[:wrong], mended, *announcement.levels[wrong + 1 :])


_PLACES: dict[str, tuple[str, Mend | None]] = {
    "unknown-profile": ("profile", None),
    "not-a-tournament": ("profile", None),
    "deposit-minimum": ("deposit", lambda _, detail: detail["minimum"]),
    "deposit-limit": ("deposit", lambda _, detail: detail["limit"]),
    "shares-sum": ("shares", lambda _, __: ("100",)),
    "small-blind": ("levels", _level_mended),
    "too-few": ("capacity", None),
    "no-such-table": ("breaking", None),
}
"""The field that a refusal is about, and what the rules would let pass there; None: nothing is asked after it."""


def room_of(terms: Any) -> int:
    """How many may play by an announcement: as announced, never above what law and tables allow (T-1).

    Raises `CommandError`, or ValueError when it is no announcement that a director would take.
    """
    command = decode_command(terms)
    if not isinstance(command, Announce) or verify(INITIAL, command, 0) is not None:
        raise ValueError("no announcement that a director would take")
    [announced] = do_announce(command)
    return announced.capacity if isinstance(announced, Announced) else 0
