"""Tickets for what a browser asks for without signing: a stream of events, a print, an export. Each is good once."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import NamedTuple

VALID_S = 30.0
MOST_A_PHONE = 8
"""Tickets that a phone holds at a time: with one more the oldest is void."""


class _Ticket(NamedTuple):
    session: str
    purpose: str
    until: float


class Tickets:
    """For one thread. ``purpose``: the path that the ticket is for, with its query but for the ticket itself."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._open: dict[str, _Ticket] = {}

    def give(self, session: str, purpose: str) -> str:
        """A new one for that phone."""
        self._sweep()
        held = [ticket for ticket, each in self._open.items() if each.session == session]
        for ticket in held[: max(0, len(held) - MOST_A_PHONE + 1)]:
            del self._open[ticket]
        ticket = secrets.token_hex(16)
        self._open[ticket] = _Ticket(session, purpose, self._clock() + VALID_S)
        return ticket

    def take(self, ticket: str, purpose: str) -> str | None:
        """The phone whose ticket it is; None if it is none, or not for this, or too late. It is void from now on."""
        self._sweep()
        found = self._open.pop(ticket, None)
        return found.session if found is not None and found.purpose == purpose else None

    def _sweep(self) -> None:
        now = self._clock()
        for ticket in [ticket for ticket, each in self._open.items() if each.until <= now]:
            del self._open[ticket]
