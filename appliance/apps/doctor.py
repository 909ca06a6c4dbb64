"""``tableside doctor``: what stands at this device, how it does, and what to do about what is not well."""

from __future__ import annotations

import argparse
import fcntl
import json
import logging
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from appliance import kinds
from appliance.apps.logs import set_up
from appliance.config import Config, ConfigError, load, with_adopted
from appliance.engine import Engine
from appliance.game.righttime import RIGHT, Times
from appliance.game.roster import Roster
from appliance.health import (
    belonging,
    cards,
    configuration,
    display,
    phones,
    pins,
    printer,
    readers,
    righttime,
    sound,
    uplink,
    uplink_quarantine,
)
from appliance.health.finding import Finding, named, said, told
from appliance.i18n import LANGUAGES, Translator
from appliance.journal import Journal, JournalError
from appliance.timenotes import times_of

_SIGNS = {"ok": "✓", "absent": "–", "issue": "✗"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Configuration files, the language, JSON for programs, and whether anything is to be heard."""
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="site file, then device file")
    parser.add_argument("--lang", choices=LANGUAGES, help="cs or en; the configuration's unless told")
    parser.add_argument("--sound", action="store_true", help="make the sound card heard; else it is only opened")
    parser.add_argument("--json", action="store_true", help="for programs: one JSON object")


def run(args: argparse.Namespace) -> int:
    """Look at everything; 0 when nothing is wrong, 1 with issues, 2 on bad configuration."""
    set_up("doctor", logging.CRITICAL)
    try:
        config = load(*with_adopted(args.files))
    except ConfigError as error:
        print(f"tableside doctor: {error}", file=sys.stderr)
        return 2
    found = list(findings(config, args.sound))
    tr = Translator(args.lang or config.language)
    ill = any(finding.standing == "issue" for finding in found)
    if args.json:
        rows = [
            msgspec.to_builtins(each) | dict(zip(("text", "remedy"), said(each, tr), strict=True)) for each in found
        ]
        print(json.dumps({"device": config.device.name, "ok": not ill, "findings": rows}, ensure_ascii=False))
    else:
        print("\n".join(line for finding in found for line in _lines(finding, tr)))
    return 1 if ill else 0


def findings(config: Config, play: bool = False) -> Iterator[Finding]:
    """What all checks find; ``play``: a sound is heard."""
    in_use = _kiosk_runs(config.data)
    yield from configuration.check(config)
    yield from readers.check(config, in_use)
    roster, now_ms = _roster(config), time.time_ns() // 1_000_000
    yield from belonging.check(config, roster)
    yield from cards.check(config, roster.policy.key if roster else None, now_ms)
    if config.device.role != "director":  # what the site's file says of these is for those that have a screen
        yield from pins.check(config, in_use)
        yield from printer.check(config, in_use)
        yield from sound.check(config, play)
        yield from display.check(config)
    yield from righttime.check(config, _times(config))
    yield from uplink.check(config, now_ms)
    yield from phones.check(config)
    if roster is not None:
        yield from uplink_quarantine.check(roster.quarantine)


def _lines(finding: Finding, tr: Translator) -> Iterator[str]:
    text, remedy = said(finding, tr)
    facts = told(finding, tr)
    yield f"{_SIGNS[finding.standing]} {named(finding, tr)}: {text}" + (f" ({facts})" if facts else "")
    if remedy and finding.standing == "issue":
        yield f"    {remedy}"


def _kiosk_runs(data: Path) -> bool:
    """Whether a program of this device has its data folder (`Workplace.claimed`)."""
    try:
        with (data / "lock").open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def _times(config: Config) -> Times:
    """How far the venue's time is from the right one, as this device's copy of its stream has it."""
    try:
        with Journal(config.data / "journal", read_only=True) as journal:
            return times_of(Engine(journal, kinds.KINDS, lambda: 0).state(f"venue/{config.venue.id}"))
    except JournalError:
        return RIGHT


def _roster(config: Config) -> Roster | None:
    """What the league's stream tells, in this device's copy or in its uplink's; None where there is none."""
    for name in ("journal", "uplink.journal"):
        try:
            with Journal(config.data / name, read_only=True) as journal:
                if (stream := f"league/{config.venue.id}") in journal.streams():
                    roster: Roster = Engine(journal, kinds.KINDS, lambda: 0).state(stream)
                    return roster
        except JournalError:
            continue
    return None
