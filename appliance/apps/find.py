"""``tableside find``: the directors of this venue that can be seen on the network."""

from __future__ import annotations

import argparse
import queue
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Protocol

from appliance.config import Config, ConfigError, load
from appliance.link.client import Endpoint
from appliance.link.seek import LOOKING
from appliance.link.sighting import Sighting, to_line

ASK_S = 5.0
"""Between questions to the whole network."""

_MORE_S = 1.0
"""Once somebody was found, another one would answer within this time."""

_MOST_WAITING = 1000

Found = Callable[[Sighting], None]


class Search(Protocol):
    """Looks, and calls ``found`` in threads of its own."""

    def ask(self) -> bool:
        """Look once more; False if there is nothing to look on."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Configuration files, how long and how often."""
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="site file, then device file")
    parser.add_argument("--watch", action="store_true", help="go on until stopped; print again what is still there")
    parser.add_argument("--all", action="store_true", help="also what no device of this venue has signed")
    parser.add_argument("--others", action="store_true", help="not this device; leave a host alone once it was there")
    parser.add_argument("--without", default="", metavar="HOST", help="not there: whoever asks is connected already")
    parser.add_argument("--seconds", type=_seconds, default=5.0, metavar="S", help="give up after (5)")
    parser.add_argument("--every", type=_seconds, default=0.5, metavar="S", help="ask silent hosts again after (0.5)")


def run(args: argparse.Namespace) -> int:
    """Print sightings as JSON lines; 1 if there were none, 2 on bad configuration."""
    try:
        config = load(*args.files)
        heard: queue.SimpleQueue[Sighting] = queue.SimpleQueue()

        def hear(sighting: Sighting) -> None:
            theirs = not (args.others and sighting.notice.device == config.device.name)
            if theirs and sighting.notice.venue == config.venue.id and heard.qsize() < _MOST_WAITING:
                heard.put(sighting)

        wanted = (lambda sighting: True) if args.all else _genuine(config, args.files)
        search = _search(config, args, hear)
    except (ConfigError, OSError) as error:
        print(f"tableside find: {error}", file=sys.stderr)
        return 2
    if args.watch:
        print(LOOKING.decode(), flush=True)
    found = _print(heard, wanted, search, None if args.watch else args.seconds)
    if not found:
        print(f"tableside find: no director of {config.venue.id} was seen in {args.seconds:g} s", file=sys.stderr)
    return 0 if found else 1


def _print(
    heard: queue.SimpleQueue[Sighting], wanted: Callable[[Sighting], bool], search: Search, seconds: float | None
) -> bool:
    """Print what is heard and wanted, once each if ``seconds`` is given; whether there was anything."""
    printed: set[Sighting] = set()
    ask_at = time.monotonic()
    until = None if seconds is None else ask_at + seconds
    while (now := time.monotonic()) < (until or now + 1):
        if now >= ask_at:
            search.ask()
            ask_at = now + ASK_S
        try:
            sighting = heard.get(timeout=max(0.0, min(ask_at, until or ask_at) - now))
        except queue.Empty:
            continue
        if not wanted(sighting) or (until is not None and sighting in printed):
            continue
        print(to_line(sighting).decode(), flush=True)
        if until is not None:
            printed.add(sighting)
            until = min(until, time.monotonic() + _MORE_S) if len(printed) == 1 else until
    return bool(printed)


def _search(config: Config, args: argparse.Namespace, found: Found) -> Search:
    if config.lan.find == "zeroconf":
        from appliance.link.browse import Browser

        return Browser(found)
    from appliance.link.probe import Prober

    but = config.device.name if args.others else ""
    return Prober(_places(config, args.files, args.without), config.venue.id, found, every_s=args.every, but=but)


def _places(config: Config, files: list[Path], without: str) -> list[Callable[[], Endpoint]]:
    """How to connect to each host where the director may be, but one."""
    lan = config.lan
    hosts = [host for host in lan.hosts if host != without]
    if lan.find == "fixed" or lan.secure:
        from appliance.workplace import Workplace, endpoint

        place = Workplace(config, files)
        if lan.find == "fixed":
            broker = endpoint(config.broker)
            return [lambda: broker]
        from appliance.finding import Certified

        certified = Certified(place)
        return [partial(certified.endpoint, host) for host in hosts]
    return [partial(Endpoint, host, lan.port) for host in hosts]


def _genuine(config: Config, files: list[Path]) -> Callable[[Sighting], bool]:
    from appliance.finding import know_members
    from appliance.link.notices import is_genuine
    from appliance.workplace import Workplace

    place = Workplace(config, files)
    know_members(place)
    return lambda sighting: is_genuine(sighting.notice, place.keyring)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.05 <= seconds <= 86_400:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no number of seconds from 0.05 to 86400")
    return seconds
