"""``tableside send``: a commissioner's commands from a file or standard input to the director, answers to the screen.

Each line is a command of the text interface, without ``at``: the director dates it. Empty lines and those that begin
with ``#`` are skipped. The answer names the command's id, which an undo's ``of`` may name; after a refusal the rest is
not sent.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import logging
import queue
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from appliance.apps.logs import set_up
from appliance.apps.script_file import commands_help
from appliance.config import ConfigError, load
from appliance.filebytes import open_plain
from appliance.game.command import (
    Command,
)
from appliance.game.commands import (
    decode_command,
    name_of,
)
from appliance.game.reading import CommandError
from appliance.i18n import Translator
from appliance.link.envelope import Refusal, Reply
from appliance.link.lan import NO_ANSWER
from appliance.station import Station
from appliance.workplace import Workplace

ANSWER_TTL_MS = 10_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Configuration, who commands, where the commands are."""
    parser.epilog = commands_help()
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="site file, then device file")
    parser.add_argument("--actor", required=True, metavar="NUMBER", help="the commissioner's registration number")
    parser.add_argument(
        "--commands", type=Path, metavar="FILE", help="one JSON command a line; default: standard input"
    )


def run(args: argparse.Namespace) -> int:
    """Send them one after another; 1 if one is refused, 2 if one is malformed: then none is sent.

    2 also if the device's own journal cannot be used, or another program of this device is using it.
    """
    set_up("send", logging.WARNING)
    try:
        place = Workplace(load(*args.files), args.files)
        with open_plain(args.commands) if args.commands else sys.stdin.buffer as source:
            lines = source.read().splitlines()
        commands = list(_commands(lines))
    except (ConfigError, CommandError, OSError) as error:
        print(f"tableside send: {error}", file=sys.stderr)
        return 2
    station = Station(place)
    station.start()
    try:
        code = next((1 for command in commands if not _send(station, args.actor, command)), 0)
    finally:
        failed = station.finish("send")
    return failed or code


def _commands(lines: Iterable[bytes]) -> Iterable[Command]:
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.lstrip().startswith(b"#"):
            try:
                yield decode_command(line)
            except CommandError as error:
                raise CommandError(f"line {number}", str(error)) from None


def _send(station: Station, actor: str, command: Command) -> bool:
    """Send a command and print its answer; False if it was refused."""
    reply = ask(station, command, actor)
    if station.failure is not None:  # nobody was asked: what is wrong here is told at the end
        return False
    answer: dict[str, Any] = {"do": name_of(command), "id": reply.id, "ok": reply.ok}
    if reply.ok:
        answer |= {"stream": reply.stream, "seq": reply.seq}
    else:
        code = reply.refusal.code if reply.refusal else NO_ANSWER
        detail = json.loads(bytes(reply.refusal.detail)) if reply.refusal else {}
        answer |= {"code": code, "detail": detail, "text": Translator("en").refusal(code, detail)}
    print(json.dumps(answer, ensure_ascii=False), flush=True)
    return reply.ok


def ask(station: Station, command: Command, actor: str) -> Reply:
    """Send a command and wait for its answer, or for the end of its life (or of the engine thread)."""
    answers: queue.SimpleQueue[Reply] = queue.SimpleQueue()
    station.ask(command, actor, answers.put, ANSWER_TTL_MS)
    while station.working:
        with contextlib.suppress(queue.Empty):
            return answers.get(timeout=0.5)
    return Reply("", ok=False, refusal=Refusal(NO_ANSWER))
