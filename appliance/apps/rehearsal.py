"""Plays a script's commands through the real engine into a real journal."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
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


Steps = Callable[[Any, Callable[[], Any]], Iterable[Struct]]
"""The commands that carry out that of a line, given what tells the stream's state; up to the first refusal."""


def _itself(command: Struct, state: Callable[[], Any]) -> Iterable[Struct]:
    return (command,)


def play(
    lines: Sequence[Line], stream: str, path: Path | None, begins_ms: int, steps: Steps = _itself
) -> tuple[Any, list[dict[str, Any]]]:
    """Carry out the lines; the stream's state after them, and the refusals with their lines.

    The journal is at ``path`` whole, or not at all; without one it is temporary. Raises `JournalError` or OSError.
    """
    with tempfile.TemporaryDirectory(dir=path.parent if path else None) as folder:
        file = Path(folder) / "session.journal"
        played = _play_into(file, lines, stream, begins_ms, steps)
        if path is not None:
            os.link(file, path)  # unlike a rename it cannot take the place of a file made meanwhile
    return played


def _play_into(
    file: Path, lines: Sequence[Line], stream: str, begins_ms: int, steps: Steps
) -> tuple[Any, list[dict[str, Any]]]:
    at = [begins_ms]
    key = Ed25519PrivateKey.generate()
    told: list[tuple[int, Struct, Told]] = []
    with Journal(file, device=_DEVICE, key=key) as journal:
        journal.know_writer(_DEVICE, public_hex(key))
        engine = Engine(journal, KINDS, lambda: at[0])
        for line in lines:
            at[0] = line.at_ms
            for command in steps(line.command, lambda: engine.state(stream)):
                [outcome] = engine.execute([Order(uuid7(line.at_ms, os.urandom(10)), stream, command)])
                told.append((line.line_no, command, outcome))
                if not outcome.answer.ok:
                    break
        journal.sign_heads()
        return engine.state(stream), list(_refusals(told))


def _refusals(told: Iterable[tuple[int, Struct, Told]]) -> Iterator[dict[str, Any]]:
    for number, command, outcome in told:
        if not outcome.answer.ok:
            answer, name = outcome.answer, str(type(command).__struct_config__.tag)
            yield {"line": number, "do": name, "code": answer.code, "detail": answer.detail}
