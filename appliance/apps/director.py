"""``tableside director``: writes a venue's rounds and sends them to its kiosks."""

from __future__ import annotations

import argparse
import queue
import signal
import sys
from pathlib import Path

from appliance import room
from appliance.apps import phones
from appliance.apps.logs import set_up
from appliance.conductor import Conductor
from appliance.config import ConfigError, load
from appliance.console.way import Way
from appliance.filebytes import Unusable
from appliance.gathering import Taking
from appliance.worker import end_with_any_thread
from appliance.workplace import Workplace


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Configuration files, and whether to take over from another director."""
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="site file, then device file")
    parser.add_argument(
        "--take-over", metavar="NUMBER", help="follow whoever directs now; NUMBER: the commissioner who says so"
    )
    parser.add_argument(
        "--copy", type=Path, metavar="JOURNAL", help="the journal of this device's kiosk, which hands over for it"
    )
    parser.add_argument(
        "--expect", default="", metavar="NAMES", help="devices, with commas, whose copies are waited for longer"
    )
    parser.add_argument("--wish", default="", metavar="ID", help="which takeover of this device's kiosk it is")


def run(args: argparse.Namespace) -> int:
    """Run until SIGTERM or SIGINT; 1 when something the program cannot do without fails, 2 on bad configuration.

    3: another device directs, and what only this one had is there now.
    """
    set_up("director")
    try:
        config = load(*args.files)
        if config.device.role != "director":
            raise ConfigError(f"device.role: {config.device.role!r}: this is no director's configuration")
        place = Workplace(config, args.files)
        if args.take_over and room.is_short(place.data, args.copy):
            raise Unusable(f"{place.data}: too little room on this disk to take over")
    except (ConfigError, OSError) as error:
        print(f"tableside director: {error}", file=sys.stderr)
        return 2
    end_with_any_thread()
    # a queue: an Event set in a handler waits for ever if the signal came while its lock was held, as the second may
    over: queue.SimpleQueue[None] = queue.SimpleQueue()
    taking = Taking(args.take_over or "", args.copy, tuple(args.expect.split(",")), args.wish)
    way = Way(place.data, place.now_ms) if config.console.port else None
    conductor = Conductor(place, lambda: over.put(None), taking, way)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: over.put(None))
    conductor.start()
    if way is None or not phones.serve(place, way, over):
        over.get()
    return conductor.finish("director")
