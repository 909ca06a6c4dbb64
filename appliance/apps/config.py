"""``tableside config show|check``: the configuration in force, and whether files are sound."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from appliance.config import Config, ConfigError, dump, load
from appliance.link.lan import UPLINK


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The action and the files, site first, device last."""
    parser.add_argument("action", choices=("show", "check"))
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="site file, then device file")
    parser.add_argument("--changed", action="store_true", help="show only what differs from the defaults")


def check(config: Config) -> None:
    """What the types cannot say: the devices must know each other. Raises `ConfigError`."""
    known = ", ".join(sorted(config.devices)) or "nobody"
    for place, name in (("director", config.director), ("device.name", config.device.name)):
        if name not in config.devices and name != UPLINK:  # nobody checks the uplink's signature: it writes no stream
            raise ConfigError(f"{place}: {name!r} is not in [devices] ({known})")
    if config.device.role == "director" and config.device.name not in (config.director, UPLINK):
        raise ConfigError(f"device.role: director, but the venue's director is {config.director!r}")


def run(args: argparse.Namespace) -> int:
    """Print the configuration, or nothing but the verdict; 2 if a file is not sound."""
    try:
        config = load(*args.files)
        if args.action == "check":
            check(config)
    except ConfigError as error:
        print(f"tableside config: {error}", file=sys.stderr)
        return 2
    text = "ok\n" if args.action == "check" else dump(config, changed_only=args.changed)
    sys.stdout.write(text)
    return 0
