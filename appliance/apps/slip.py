"""``tableside slip KIND [name=value …]``: a slip as text, as a picture, or on the configured printer."""

from __future__ import annotations

import argparse
import datetime as dt
import importlib
import queue
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import msgspec

from appliance.apps.output import BadOutput, checked
from appliance.config import Config, ConfigError, load
from appliance.hw.ports import DriverMissing
from appliance.hw.printer import from_config
from appliance.hw.printer_ports import Printer, PrinterChanged, PrinterEvent, SlipPrinted
from appliance.i18n import LANGUAGES, Translator
from appliance.slips.contents import (
    DealtIn,
    Occasion,
    Printing,
    Seat,
    deposit_receipt,
    move_slip,
    payout_slip,
    sample_slip,
    seat_slip,
)
from appliance.slips.layout import as_text
from appliance.slips.slip import Slip

PATIENCE_S = 30.0
"""How long ``--print`` waits for the paper."""


Whole = Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000)]
Number = Annotated[int, msgspec.Meta(ge=1, le=999)]
"""Of a table, a seat or a place."""


class Facts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a slip can say; what is not given is an example."""

    round: str = "r-2026-07"
    round_name: str = "7. ligové kolo"
    venue: str = "Herna U Tří es, Brno"
    participant: str = "CPL-004217"
    name: str = "Bartoloměj Příšerně-Žluťoučký"
    at: str = "2026-11-27T20:41:00+01:00"
    table: Number = 2
    seat: Number = 7
    from_table: Number = 1
    from_seat: Number = 4
    dealt_in: DealtIn = DealtIn.AT_ONCE
    amount: Whole = 100
    chips: Whole = 4000
    total: Whole | None = None
    place: Number = 1
    prize: Whole = 2500
    commissioner: str = "CPL-000003"
    record: str = "0193a5c1-7f3e-7abc-8def-0123456789ab"
    device: str = "device"


def _seat(facts: Facts, about: Occasion, how: Printing) -> Slip:
    return seat_slip(about, Seat(facts.table, facts.seat), how)


def _deposit(facts: Facts, about: Occasion, how: Printing) -> Slip:
    who = {"commissioner": facts.commissioner, "record": facts.record}
    return deposit_receipt(about, facts.amount, facts.chips, how, **who, total=facts.total)


def _move(facts: Facts, about: Occasion, how: Printing) -> Slip:
    old, new = Seat(facts.from_table, facts.from_seat), Seat(facts.table, facts.seat)
    return move_slip(about, old, new, facts.dealt_in, how)


def _payout(facts: Facts, about: Occasion, how: Printing) -> Slip:
    who = {"commissioner": facts.commissioner, "record": facts.record}
    return payout_slip(about, facts.place, facts.prize, how, **who)


def _test(facts: Facts, about: Occasion, how: Printing) -> Slip:
    return sample_slip(how, about.at, facts.device)


KINDS: dict[str, Callable[[Facts, Occasion, Printing], Slip]] = {
    "seat": _seat,
    "deposit": _deposit,
    "move": _move,
    "payout": _payout,
    "test": _test,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which slip, what it says, and where it goes."""
    fields = ", ".join(Facts.__struct_fields__)
    parser.add_argument("kind", choices=tuple(KINDS), help="which slip; test shows what the printer can do")
    parser.add_argument("facts", nargs="*", metavar="name=value", help=f"what it says: {fields}")
    parser.add_argument("--lang", choices=LANGUAGES, help="cs or en; the configuration's unless told, else cs")
    parser.add_argument("--columns", type=int, choices=(32, 42, 48), help="letters in a row; 42 unless told")
    parser.add_argument(
        "--config", action="append", default=[], type=Path, metavar="FILE", help="site, then device file"
    )
    parser.add_argument("-o", "--output", type=Path, metavar="FILE.png", help="write a picture instead of text")
    parser.add_argument("--print", action="store_true", help="print it on the printer of the configuration")


def run(args: argparse.Namespace) -> int:
    """Show or print; 1 when the printer did not print, 2 on bad input or without printer."""
    try:
        config = load(*args.config)
        facts = _facts(args.facts)
        lang = args.lang or config.printer.language or config.language
        how = Printing(Translator(lang))
        about = Occasion(facts.round, facts.round_name, facts.venue, facts.participant, _moment(facts.at), facts.name)
        slip = KINDS[args.kind](facts, about, how)
        if args.print:
            return _print(slip, config)
        columns = args.columns or config.printer.columns or 42
        if args.output:
            _picture(slip, columns, args.output)
        else:
            sys.stdout.write(as_text(slip, columns))
    except (ConfigError, BadOutput, ValueError, DriverMissing, FileNotFoundError) as error:
        print(f"tableside slip: {error}", file=sys.stderr)
        return 2
    return 0


def _facts(given: list[str]) -> Facts:
    """The fields as they were given. Raises ValueError naming the one that is wrong."""
    values: dict[str, str] = {}
    for fact in given:
        name, is_one, value = fact.partition("=")
        if not is_one or name not in Facts.__struct_fields__:
            raise ValueError(f"{fact[:60]!r}: not one of {', '.join(Facts.__struct_fields__)}, with = and its value")
        values[name] = value
    try:
        return msgspec.convert(values, Facts, strict=False)
    except msgspec.ValidationError as error:
        wrong, _, field = str(error).partition(" - at `$.")
        raise ValueError(f"{field.rstrip('`')}: {wrong}") from None


def _moment(text: str) -> dt.datetime:
    moment = dt.datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"at: {text[:40]!r} has no zone, such as +01:00")
    return moment


def _picture(slip: Slip, columns: int, output: Path) -> None:
    checked(output)
    try:
        picture = importlib.import_module("appliance.hw.picture")
    except ImportError as error:
        raise DriverMissing(f"{error.name} is missing: pip install 'tableside[printer]'") from None
    picture.sheet(slip, columns).save(output, format="PNG")


def _print(slip: Slip, config: Config) -> int:
    """Give it to the printer and wait for the paper."""
    printer: Printer | None = from_config(config.printer)
    if printer is None:
        raise ConfigError('no printer is configured: printer.driver is "none"')
    events: queue.SimpleQueue[PrinterEvent] = queue.SimpleQueue()
    printer.start(events.put)
    printer.print(slip)
    until = time.monotonic() + PATIENCE_S
    try:
        while (left := until - time.monotonic()) > 0:
            try:
                event = events.get(timeout=left)
            except queue.Empty:
                break
            if isinstance(event, PrinterChanged):
                print(f"printer: {event.state.value}{f' ({event.why})' if event.why else ''}")
            elif isinstance(event, SlipPrinted):
                print(f"printed: {event.kind}{', marked as a copy' if event.copy else ''}")
                return 0
    finally:
        printer.stop()
    print("tableside slip: not printed", file=sys.stderr)
    return 1
