"""``tableside uplink``: carries the director's journal to the league, and the league's stream back."""

from __future__ import annotations

import argparse
import logging
import queue
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from appliance import VERSION
from appliance.apps.logs import set_up
from appliance.belonging import Belonging
from appliance.config import ConfigError, load
from appliance.engine import history
from appliance.fencing import FENCED, fence_of
from appliance.journal import Journal, JournalError
from appliance.link.client import Endpoint, Inbox
from appliance.link.envelope import Ack, DeviceState, moment
from appliance.link.replication import Alert
from appliance.link.role import step
from appliance.link.uplink import UplinkLink
from appliance.power import power
from appliance.uplinkstate import FILE, UplinkWatch
from appliance.worker import tell as log_alert
from appliance.workplace import LEAGUE, Workplace, director_endpoint, endpoint

_JOURNAL_WAIT_S = 1.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Configuration files and the director's journal."""
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="site file, then device file")
    parser.add_argument("--journal", type=Path, required=True, help="the director's journal, read only")


def run(args: argparse.Namespace) -> int:
    """Run until SIGTERM or SIGINT; 2 on bad configuration or a journal that cannot be used, 3 once the director whose
    journal it is was followed by another one.
    """
    set_up("uplink")
    stopping = False

    def stop(*_: object) -> None:
        nonlocal stopping
        stopping = True
        inbox.put(None)

    inbox: Inbox = queue.SimpleQueue()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    try:
        config = load(*args.files)
        if not config.league.public_key:
            raise ConfigError("league.public_key: the league's key is needed to believe what comes from it")
        place = Workplace(config, args.files)
        while not args.journal.exists() and not stopping:
            logging.info("waiting for %s", args.journal)
            time.sleep(_JOURNAL_WAIT_S)
        if stopping:
            return 0
        with (
            place.claimed(),
            Journal(args.journal, read_only=True) as journal,
            place.journal("uplink.journal") as own,
        ):
            for stream in journal.streams():
                history(journal, stream)  # what its epochs continue is there, or there is no sending them
            logging.info("%d records wait for the league", backlog(journal, own, config.venue.id))
            waiting = partial(backlog, journal, own, config.venue.id)
            watch = UplinkWatch(place.data / FILE, place.time.now_ms, waiting)
            belonging = Belonging(place, journal, own)
            venue = director_endpoint(config, args.journal.parent)
            link = _link(place, venue, journal, own, inbox, watch, belonging, waiting)
            link.start()
            while not stopping and fence_of(args.journal.parent) is None:
                step(link, inbox)
                watch.turn(link.client.connected, link.client.drops.counts, link.fetching)
            link.stop()
            if not stopping:
                logging.warning("another device directs: its uplink carries on")
                return FENCED
    except (ConfigError, JournalError, OSError) as error:
        print(f"tableside uplink: {error}", file=sys.stderr)
        return 2
    return 0


def _link(
    place: Workplace,
    venue: Endpoint,
    journal: Journal,
    own: Journal,
    inbox: Inbox,
    watch: UplinkWatch,
    belonging: Belonging,
    waiting: Callable[[], int],
) -> UplinkLink:
    def tell(alert: Alert) -> None:
        log_alert(alert)
        watch.alert(alert)

    def stored(ack: Ack) -> None:
        _remember(own, ack)
        watch.stored(ack)

    def director(name: str) -> DeviceState:
        now = moment(place.time.now_ms())
        return DeviceState(name, now, True, "director", VERSION, 0, (), power(), waiting())

    config = place.config
    return UplinkLink(
        endpoint(config.league.broker, "league.broker", place.data), venue, config.venue.id,
        journal, own, place.keyring, inbox,
        refresh=belonging.look, clock=place.time.now_ms, alert=tell, on_stored=stored,
        software=VERSION, director=director, pace=config.rehearsal.speed,
    )  # fmt: skip


def _remember(own: Journal, ack: Ack) -> None:
    """Note what the league has, for the next start; records go on being carried when the disk is full."""
    try:
        own.set_cursor(LEAGUE, ack.stream, ack.epoch, ack.upto)
    except JournalError as error:
        logging.warning("%s", error)


def backlog(journal: Journal, own: Journal, venue: str) -> int:
    """Records of the director's file that the league has not said it stored, as far as is remembered here."""
    waiting = (head for head in journal.heads() if head.stream != f"league/{venue}")
    return sum(max(0, head.seq - own.cursor(LEAGUE, head.stream, head.epoch)) for head in waiting)
