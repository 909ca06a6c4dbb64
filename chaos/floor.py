"""The commissioner's own device, a program of its own: ``python -m chaos.floor SITE DEVICE SOCKET``.

One JSON object a line in, one out. ``{"ask": {…}, "id": …}`` gives a command under that id, however often it is asked;
``{"settle": id, "accept": …}`` decides of what only an old director had; ``{"adopt": name, "code": …, "table": …}``
lets a spare device in. ``{}`` tells what the own copy of the round
shows, and what of an old director's waits for a decision.
"""

from __future__ import annotations

import contextlib
import json
import queue
import signal
import socket
import socketserver
import sys
import threading
from pathlib import Path
from typing import Any, NamedTuple

from appliance.admission import ADOPT_TTL_MS
from appliance.apps.logs import set_up
from appliance.config import load
from appliance.game.command import Command
from appliance.game.commands import decode_command
from appliance.game.state import Round
from appliance.link.envelope import Refusal, Reply
from appliance.link.lan import NO_ANSWER
from appliance.lone import standing
from appliance.station import Station
from appliance.workplace import Workplace
from chaos.people import COMMISSIONER, ROUND

TTL_MS = 4000


class Given(NamedTuple):
    """A command under an id that was given to it elsewhere."""

    number: str
    command: Command
    answers: queue.SimpleQueue[tuple[Reply, bool]]

    def told(self, reply: Reply, one_copy: bool) -> None:
        """Its answer has come; ``one_copy``: only the director's disk says so, so far."""
        self.answers.put((reply, one_copy))


class Settled(NamedTuple):
    """What is to become of an old director's command."""

    number: str
    accept: bool
    answers: queue.SimpleQueue[str]


class LetIn(NamedTuple):
    """A spare device is to be a table, under the code that it shows."""

    name: str
    code: str
    table: int
    answers: queue.SimpleQueue[str]


class FloorStation(Station):
    """A station that asks under the ids it is told."""

    def _take(self, item: Any) -> None:
        if isinstance(item, Given):
            self._post.command(item.command, COMMISSIONER.number, TTL_MS, item.told, item.number)
        elif isinstance(item, Settled):
            self.lone.settle(
                item.number, COMMISSIONER.number, item.accept, lambda why: item.answers.put(why.code if why else "")
            )
        elif isinstance(item, LetIn):
            key = next((each.key for each in self.admission.asking if each.name == item.name), "")
            self.admission.adopt(
                key, item.code, "table", item.table, COMMISSIONER.number,
                lambda why: item.answers.put(why.code if why else ""),
            )  # fmt: skip
        else:
            super()._take(item)

    def listed(self) -> list[str]:
        """What waits for a decision, as the venue's stream has it."""
        return [found.command for found in standing(self._venue_notes)]


def answer(station: FloorStation, line: bytes) -> dict[str, Any]:
    """What a line is answered."""
    asked = json.loads(line)
    if "settle" in asked:
        return _code(station, Settled(asked["settle"], asked["accept"], queue.SimpleQueue()), TTL_MS)
    if "adopt" in asked:
        let_in = LetIn(asked["adopt"], asked["code"], asked["table"], queue.SimpleQueue())
        return _code(station, let_in, ADOPT_TTL_MS)
    if "ask" not in asked:
        return shown(station)
    given = Given(asked["id"], decode_command(asked["ask"]), queue.SimpleQueue())
    station.inbox.put(given)
    while station.working:
        with contextlib.suppress(queue.Empty):
            return _told(*given.answers.get(timeout=0.5))
    return _told(Reply(given.number, ok=False, refusal=Refusal(NO_ANSWER)), False)


def _code(station: FloorStation, item: Settled | LetIn, ttl_ms: int) -> dict[str, Any]:
    """Why something was refused; an empty code if it was not."""
    station.inbox.put(item)
    with contextlib.suppress(queue.Empty):
        return {"code": item.answers.get(timeout=ttl_ms / 1000 + 1.0)}
    return {"code": NO_ANSWER}


def _told(reply: Reply, one_copy: bool) -> dict[str, Any]:
    code = reply.refusal.code if reply.refusal else ""
    detail = json.loads(bytes(reply.refusal.detail)) if reply.refusal else {}
    return {
        "id": reply.id, "ok": reply.ok, "code": code, "detail": detail,
        "one_copy": one_copy, "stream": reply.stream, "epoch": reply.epoch, "seq": reply.seq,
    }  # fmt: skip


def shown(station: FloorStation) -> dict[str, Any]:
    """The round as the own copy has it."""
    snapshot = station.snapshot
    round: Round | None = next((r for r in snapshot.rounds if r.id == ROUND), None)
    told: dict[str, Any] = {"directs": station.direction.name, "roster": len(snapshot.roster.entries)}
    told["lone"] = station.listed()
    if round is not None:
        told |= {
            "phase": round.phase.value,
            "players": sorted(round.players),
            "stands": {who: [player.status.value, player.chips] for who, player in round.players.items()},
            "hands": {str(table.number): table.hand for table in round.tables.values()},
        }
    return told


class _Line(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        server = self.server
        assert isinstance(server, _Server)
        for line in self.rfile:
            self.wfile.write(json.dumps(answer(server.station, line)).encode() + b"\n")


class _Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True

    def __init__(self, path: Path, station: FloorStation) -> None:
        path.unlink(missing_ok=True)  # of one that was killed
        super().__init__(str(path), _Line)
        self.station = station


def ask(path: Path, asked: dict[str, Any], seconds: float) -> dict[str, Any] | None:
    """Put a line to the floor's device; None if it is not there, or says nothing in time."""
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(seconds)
            connection.connect(str(path))
            connection.sendall(json.dumps(asked).encode() + b"\n")
            with connection.makefile("rb") as lines:
                line = lines.readline()
    except OSError:
        return None
    found: dict[str, Any] | None = json.loads(line) if line.endswith(b"\n") else None
    return found


def main(site: str, device: str, path: str) -> int:
    """Until SIGTERM, or until the station has ended."""
    set_up("floor")
    over: queue.SimpleQueue[None] = queue.SimpleQueue()
    files = [Path(site), Path(device)]
    station = FloorStation(Workplace(load(*files), files))
    station._ended = lambda: over.put(None)
    signal.signal(signal.SIGTERM, lambda *_: over.put(None))
    station.start()
    server = _Server(Path(path), station)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    over.get()
    return station.finish("floor")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
