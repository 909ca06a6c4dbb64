"""``tableside config show|check``: the configuration in force, and whether files are sound."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from appliance.config import Config, ConfigError, dump, load, origin
from appliance.link.lan import UPLINK
from appliance.soundness import Complaint, complaints


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The action and the files, site first, device last."""
    parser.add_argument("action", choices=("show", "check"))
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="site file, then device file")
    parser.add_argument("--changed", action="store_true", help="show only what differs from the defaults")


def check(config: Config) -> None:
    """What the types cannot say: the devices must know each other, and all must work. Raises `ConfigError`."""
    found = list(wrong(config))
    if found:
        raise ConfigError("; ".join(map(str, found)))


def wrong(config: Config) -> Iterator[Complaint]:
    """All that is."""
    known = ", ".join(sorted(config.devices)) or "nobody"
    for place, name in (("director", config.director), ("device.name", config.device.name)):
        if name not in config.devices and name != UPLINK:  # nobody checks the uplink's signature: it writes no stream
            yield Complaint(place, f"{name!r} is not in [devices] ({known})")
    if config.device.role == "director" and config.device.name not in (config.director, UPLINK):
        yield Complaint("device.role", f"director, but the venue's director is {config.director!r}")
    yield from complaints(config)


def run(args: argparse.Namespace) -> int:
    """Print the configuration, or nothing but the verdict; 2 if a file is not sound."""
    try:
        config = load(*args.files)
    except ConfigError as error:
        print(f"tableside config: {error}", file=sys.stderr)
        return 2
    if args.action == "show":
        sys.stdout.write(dump(config, changed_only=args.changed))
        return 0
    found = list(wrong(config))
    for each in found:
        print(f"tableside config: {_file(each.place, args.files)}: {each}", file=sys.stderr)
    if not found:
        print("ok")
    return 2 if found else 0


def _file(place: str, files: Sequence[Path]) -> Path:
    """Where to look for a setting: its file, or that of its section, or the last."""
    section = re.sub(r"-\d+$", "", place.partition(".")[0])
    return origin(place, files) or origin(section, files) or (files[-1] if files else Path("defaults"))
