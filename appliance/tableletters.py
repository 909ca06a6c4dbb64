"""What a table sends to the director, and under which id. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import NamedTuple, Protocol

from appliance.game.command import Command
from appliance.game.commands import Bust, Stacks, name_of
from appliance.link.envelope import Reply
from appliance.record import uuid7

TOLD_TTL_MS = 12 * 3_600_000
"""How long the end of a hand may wait for a director: longer than any evening lasts."""

NEXT_TTL_MS = 5_000
"""How long the wish for the next hand may wait: longer than a restart of the broker takes."""


class Send(Protocol):
    """Sends a command of the table to the director under this id; ``told`` hears what became of it, once."""

    def __call__(self, number: str, command: Command, ttl_ms: int, told: Callable[[Reply], None]) -> None: ...


class Letter(NamedTuple):
    """A command on its way to the director, and the end of a hand that asks for it (None: the dealer does)."""

    id: str
    command: Command
    end: str | None = None


def letter_id(end: str, command: Command) -> str:
    """The id of what the end of a hand (a command's id, UUIDv7) asks for: the same whenever it is told again."""
    match command:
        case Bust():
            about = command.participant
        case Stacks():
            about = " ".join(sorted(command.stacks))
        case _:
            raise TypeError(f"{name_of(command)} follows from no hand")
    tail = hashlib.sha256(f"{end} {name_of(command)} {about}".encode()).digest()[:10]
    return uuid7(int(end.replace("-", "")[:12], 16), tail)
