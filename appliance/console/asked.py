"""What a phone asks for, as the pages take it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, Protocol

from appliance.console.sight import Sight
from appliance.game.command import Command
from appliance.kinds import Note
from appliance.link.envelope import Refusal
from appliance.phone import Phone


class Asked(NamedTuple):
    """A page that a phone wants: what is known, who asks, in which language, with which ``params`` of its address.

    ``now_ms``: the director's time, UTC milliseconds. ``round``: the id of the round the phone is about.
    """

    sight: Sight
    phone: Phone
    lang: Literal["cs", "en"]
    params: Mapping[str, str]
    now_ms: int
    round: str | None


class Answered(NamedTuple):
    """What became of something that a phone asked the director for. ``copied``: another device has it as well."""

    ok: bool
    refusal: Refusal | None = None
    copied: bool = True


class Asks(Protocol):
    """The way from the pages to the engine."""

    async def newer(self, asked: Asked) -> Asked:
        """The same, asked anew of what is known by now: later than what it was drawn from, as soon as it is there."""

    async def command(self, phone: Phone, id: str, command: Command, revision: int | None) -> Answered:
        """Have a round's command decided, under an id that the phone made; ``revision``: see `Sight.heads`."""

    async def note(self, phone: Phone, id: str, note: Note | bytes) -> Answered:
        """Have something written into the venue's stream, or asked of the director (as bytes)."""

    async def keys(self, phone: Phone, id: str, table: int, keys: str, seen: str) -> Answered:
        """Press keys of a table's pad, by their names, parted by spaces; ``seen``: the stamp of the pad as the phone
        showed it.
        """
