"""A kiosk's post: commands and notes on their way to the director, and who waits for which answer."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeAlias

import msgspec

from appliance import kinds
from appliance.game.command import Command
from appliance.game.commands import encode_command
from appliance.game.refusal import Refusal
from appliance.link.commands import NO_ANSWER
from appliance.link.envelope import CommandMessage, Reply
from appliance.record import uuid7

NOTE_TTL_MS = 600_000

Told: TypeAlias = Callable[[Reply, bool], None]
"""Hears the answer to a command; True: accepted, and so far only the director's disk says so (DESIGN §3)."""


def why_not(reply: Reply) -> Refusal | None:
    """Why it was refused; None if it was not."""
    if reply.ok:
        return None
    if reply.refusal is None:
        return Refusal(NO_ANSWER)
    return Refusal(reply.refusal.code, msgspec.json.decode(reply.refusal.detail))


class Post:
    """For the engine thread. ``send`` gives a message to the link, ``now_ms`` is the director's time."""

    def __init__(self, device: str, send: Callable[[CommandMessage], None], now_ms: Callable[[], int]) -> None:
        self._device, self._send, self._now_ms = device, send, now_ms
        self._told: dict[str, Told] = {}
        self._notes: list[kinds.Note] = []

    def fresh_id(self) -> str:
        """An id that no other command has."""
        return uuid7(self._now_ms(), os.urandom(10))

    def command(self, command: Command, actor: str, ttl_ms: int, told: Told, number: str = "") -> None:
        """Send a command; under the same number it is the same one."""
        number = number or self.fresh_id()
        self._told[number] = told
        self._message(number, command.round, actor, ttl_ms, encode_command(command))

    def for_venue(self, body: bytes, actor: str, ttl_ms: int, told: Callable[[Reply], None], number: str = "") -> None:
        """Ask for something in the venue's stream; ``told`` hears the answer. Under the same number it is the same."""
        number = number or self.fresh_id()
        self._told[number] = lambda reply, one_copy: told(reply)
        self._message(number, "venue", actor, ttl_ms, body)

    def ask(self, note: kinds.Note, who: str, ttl_ms: int, told: Callable[[Refusal | None], None]) -> None:
        """Ask for a note in the venue's stream; ``told`` hears why there is none, None once there is."""
        self.for_venue(msgspec.json.encode(note), who, ttl_ms, lambda reply: told(why_not(reply)))

    def note(self, note: kinds.Note) -> None:
        """Keep a note for the venue's stream until nobody waits for an answer."""
        self._notes.append(note)

    def send_notes(self) -> None:
        """Send what was kept, unless somebody waits."""
        if self._notes and not self._told:
            notes, self._notes = self._notes, []
            for note in notes:
                self._message(self.fresh_id(), "venue", "kiosk", NOTE_TTL_MS, msgspec.json.encode(note))

    def replied(self, reply: Reply, one_copy: bool = False) -> None:
        """The director's answer, once its events are in the own copy, or ``one_copy``."""
        told = self._told.pop(reply.id, None)
        if told is not None:
            told(reply, one_copy)

    def _message(self, number: str, round: str, actor: str, ttl_ms: int, body: bytes) -> None:
        self._send(CommandMessage(number, self._device, actor, round, ttl_ms, msgspec.Raw(body)))
