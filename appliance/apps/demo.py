"""``tableside demo``: a league evening end to end, with simulated hardware and everything else real."""

from __future__ import annotations

import argparse
import json
import logging
import signal
import sys
import tempfile
import time
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from appliance.apps.arguments import whole_number
from appliance.apps.children import ChildFailed
from appliance.apps.demo_house import DemoFailed, House
from appliance.apps.demo_play import DOOR_OPENS, Evening
from appliance.apps.demo_season import FLOOR, ROUND
from appliance.apps.logs import set_up
from appliance.link.broker import BrokerError
from appliance.station import Station

_PRAGUE = ZoneInfo("Europe/Prague")
_PUBLISHED_S = 60.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Windows or not, how fast, where to."""
    parser.add_argument("--headless", action="store_true", help="no windows: screenshots of each stage instead")
    parser.add_argument(
        "--speed", type=whole_number, default=60, metavar="N", help="evening seconds a second (default 60)"
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="collect screenshots, journals and standings.json here")


def run(args: argparse.Namespace) -> int:
    """Play the evening; 0 when its standings are published, 1 when something fails, 2 on bad arguments."""
    if not 1 <= args.speed <= 1000:
        print("tableside demo: --speed must be between 1 and 1000", file=sys.stderr)
        return 2
    if args.out is not None and args.out.exists() and (not args.out.is_dir() or any(args.out.iterdir())):
        print(f"tableside demo: --out: {args.out} is there already and not an empty folder", file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, _interrupt)
    set_up("demo", logging.WARNING)
    try:
        if args.out is not None:
            args.out.mkdir(parents=True, exist_ok=True)
            _play(args.out.absolute(), args)
        elif args.headless:
            _play(Path(tempfile.mkdtemp(prefix="tableside-demo-")), args)  # it stays: its pictures are the show
        else:
            with tempfile.TemporaryDirectory(prefix="tableside-demo-") as folder:
                _play(Path(folder), args)
    except KeyboardInterrupt:
        print("\nstopped")
        return 130
    except (DemoFailed, ChildFailed, BrokerError, OSError) as error:
        print(f"tableside demo: {error}", file=sys.stderr)
        return 1
    return 0


def _play(folder: Path, args: argparse.Namespace) -> None:
    starts_at = _tonight()
    begins_at = starts_at + timedelta(minutes=DOOR_OPENS - 4)
    with House(folder / "house", headless=args.headless, speed=args.speed, evening=begins_at) as house:
        print("setting up the league and the venue …", flush=True)
        house.open_league(starts_at)
        print(f"the league's pages: {house.url}/", flush=True)
        house.open_venue()
        site, laptop = house.laptop()
        print(f"say something yourself: tableside send {site} {laptop} --actor {FLOOR.number}", flush=True)
        station = Station(house.floor())
        station.start()
        try:
            Evening(house, station, starts_at, _say).play()
        finally:
            station.stop()
            station.join(5.0)
        _publish(house, folder)
        if args.headless or args.out:
            print(f"screenshots: {house.folder / 'pictures'}", flush=True)
        if args.headless:
            print(f"the pages end with this program; what they showed stays in {folder / 'standings.json'}", flush=True)
        else:
            print("windows and pages stay until Ctrl-C", flush=True)
            while True:
                time.sleep(3600)


def _publish(house: House, out: Path) -> None:
    """Wait until the league shows the final result; show it, and keep it."""
    house.wait_for("the final result at the league", lambda: _is_final(house), _PUBLISHED_S)
    standings = house.fetch("/api/1/standings.json")
    for row in standings["standings"]:
        print(f"{row['place']:>3}. {row['participant']}  {row['name'] or '':24} {row['points']:>6}")
    if standings["key_unconfirmed"]:
        print("points by a key the league has not confirmed")
    (out / "standings.json").write_text(json.dumps(standings, ensure_ascii=False, indent=1) + "\n")
    print(f"standings: {house.url}/standings/", flush=True)


def _is_final(house: House) -> bool:
    try:
        answer = house.fetch(f"/api/1/rounds/{ROUND}.json")
    except OSError:
        return False
    return not answer["provisional"]


def _tonight() -> datetime:
    return datetime.now(_PRAGUE).replace(hour=19, minute=0, second=0, microsecond=0)


def _say(line: str) -> None:
    print(line, flush=True)


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt
