"""The league's word for a picture: ``tableside screen --roster FILE``, records of the league's stream (CONTRACT)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from appliance.filebytes import open_plain
from appliance.game.codec import EventError, UnknownEvent
from appliance.game.roster import ROSTER_TYPES, Roster, decode_roster_event, fold_roster
from appliance.game.values import parse_time
from appliance.record import EPOCH_OPENED

MAX_BYTES = 16 * 2**20


class RosterError(ValueError):
    """Records that cannot be read; the text names file, line and reason."""


def read_roster(path: Path, until_ms: int) -> Roster:
    """What the league had told by a moment. Raises `RosterError`.

    A line is a record as ``tableside journal export`` writes it, of which ``type``, ``data`` and ``at`` count. ``at``
    may also be a time with its offset; a line without one counts at any moment, as if written long before.
    """
    roster = Roster()
    for number, line in enumerate(_lines(path), start=1):
        if not line or line.startswith("#"):
            continue
        try:
            at_ms, kind, data = _parts(json.loads(line))
            event = decode_roster_event(kind, data)
        except (ValueError, EventError, RecursionError) as error:
            raise RosterError(f"{path}:{number}: {error}") from None
        if isinstance(event, UnknownEvent) and kind != EPOCH_OPENED:
            raise RosterError(f"{path}:{number}: type: {kind[:40]!r} is none of {', '.join(ROSTER_TYPES)}")
        if at_ms <= until_ms:
            roster = fold_roster(roster, event, at_ms)
    return roster


def _lines(path: Path) -> Iterator[str]:
    try:
        with open_plain(path) as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise RosterError(f"{path}: {error.strerror or error}") from None
    if len(data) > MAX_BYTES:
        raise RosterError(f"{path}: more than {MAX_BYTES} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise RosterError(f"{path}: not UTF-8") from None
    return (line.strip() for line in text.split("\n"))


def _parts(record: Any) -> tuple[int, str, bytes]:
    """When it was written (UTC ms), of which type it is, and its data as JSON."""
    if not isinstance(record, dict) or not isinstance(record.get("type"), str) or "data" not in record:
        raise ValueError('a line is {"type": …, "data": {…}}, with "at" if the time matters')
    at = record.get("at", 0)
    if isinstance(at, str):
        at = parse_time(at)
    if not isinstance(at, int) or isinstance(at, bool):
        raise ValueError("at: a time with its offset, or milliseconds UTC")
    return at, record["type"], json.dumps(record["data"]).encode()
