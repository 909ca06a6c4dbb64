"""Plays a script's commands through the real engine into a real journal."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct

from appliance.engine import Engine, Order, Told
from appliance.identity import public_hex
from appliance.journal import Journal
from appliance.kinds import KINDS
from appliance.record import uuid7

_DEVICE = "rehearsal"


class Line(Protocol):
    """A command of a script: where it stands, and when it is given (UTC ms)."""

    @property
    def line_no(self) -> int:
        """From 1."""

    @property
    def at_ms(self) -> int:
        """UTC milliseconds."""

    @property
    def command(self) -> Struct:
        """One that the stream's kind takes."""


def play(lines: Sequence[Line], stream: str, path: Path | None, begins_ms: int) -> tuple[Any, list[dict[str, Any]]]:
    """Carry out the lines; the stream's state after them, and the refusals with their lines.

    The journal is at ``path`` whole, or not at all; without one it is temporary. Raises `JournalError` or OSError.
    """
    with tempfile.TemporaryDirectory(dir=path.parent if path else None) as folder:
        file = Path(folder) / "session.journal"
        played = _play_into(file, lines, stream, begins_ms)
        if path is not None:
            os.link(file, path)  # unlike a rename it cannot take the place of a file made meanwhile
    return played


def _play_into(file: Path, lines: Sequence[Line], stream: str, begins_ms: int) -> tuple[Any, list[dict[str, Any]]]:
    at = [begins_ms]
    key = Ed25519PrivateKey.generate()
    told: list[tuple[Line, Told]] = []
    with Journal(file, device=_DEVICE, key=key) as journal:
        journal.know_writer(_DEVICE, public_hex(key))
        engine = Engine(journal, KINDS, lambda: at[0])
        for line in lines:
            at[0] = line.at_ms
            order = Order(uuid7(line.at_ms, os.urandom(10)), stream, line.command)
            told += [(line, outcome) for outcome in engine.execute([order])]
        journal.sign_heads()
        return engine.state(stream), list(_refusals(told))


def _refusals(told: Iterable[tuple[Line, Told]]) -> Iterator[dict[str, Any]]:
    for line, outcome in told:
        if not outcome.answer.ok:
            answer, name = outcome.answer, str(type(line.command).__struct_config__.tag)
            yield {"line": line.line_no, "do": name, "code": answer.code, "detail": answer.detail}
