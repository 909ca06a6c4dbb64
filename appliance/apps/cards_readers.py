"""Which reader the issuing desk works with, or which simulated card lies on a simulated one."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias, TypeVar

import msgspec

from appliance.apps.arguments import whole_number
from appliance.apps.cards_keys import BadInput
from appliance.cards.emulator import wallet
from appliance.config import ConfigError, load
from appliance.desk import simulated
from appliance.desk.session import GaveUp, Session
from appliance.desk.simulated import AnyCard
from appliance.hw.ports import CardLost, Channel, DriverMissing, Reader
from appliance.readerconfig import ReaderConfig

T = TypeVar("T")
Chosen: TypeAlias = Reader | tuple[Path, AnyCard]

DIALOG_S = 60.0
"""How long a card may be worked at: far longer than a tap's dialog."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """``--reader``, ``--config``, ``--simulated`` and ``--timeout``."""
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="a device's configuration; --reader is a name in it"
    )
    parser.add_argument(
        "--reader", default="", metavar="NAME|DRIVER[:WHICH]",
        help="pcsc:part of its name, pcsc:usb=072f:2200, nfc:/dev/ttyUSB0, nfc:usb=…; default: any PC/SC reader",
    )  # fmt: skip
    parser.add_argument(
        "--simulated",
        type=Path,
        metavar="FILE",
        help="a simulated card (JSON; see blank); a new NTAG 424 DNA if it is not there",
    )
    parser.add_argument("--timeout", type=whole_number, default=60, metavar="S", help="seconds to wait for the card")


def chosen(args: argparse.Namespace) -> Chosen:
    """The reader, not started yet. Raises `BadInput`."""
    if args.simulated is not None:
        return args.simulated, _card(args.simulated)
    wanted = _spelt(args.reader or "pcsc") if args.config is None else _configured(args.config, args.reader)
    try:
        match wanted.driver:
            case "pcsc":
                from appliance.hw.pcsc import PcscReader

                return PcscReader(wanted.match, usb=wanted.usb, dialog_s=DIALOG_S)
            case "nfc":
                from appliance.hw.nfc import NfcReader

                return NfcReader(wanted.port, usb=wanted.usb)
    except DriverMissing as error:
        raise BadInput(f"--reader: {error}") from None
    raise BadInput(f"--reader: a {wanted.driver} reader cannot write cards")


def _spelt(text: str) -> ReaderConfig:
    """A reader as it is written on the command line."""
    driver, _, which = text.partition(":")
    field = "usb" if which.startswith("usb=") else "match" if driver == "pcsc" else "port"
    try:
        return msgspec.convert({"driver": driver, field: which.removeprefix("usb=")}, ReaderConfig)
    except msgspec.ValidationError as error:
        raise BadInput(f"--reader: {text[:60]!r}: {str(error).partition(' - at ')[0]}") from None


def _configured(file: Path, name: str) -> ReaderConfig:
    """A reader of a configuration: the one of that name, else the first that can write."""
    try:
        readers = load(file).readers_here
    except ConfigError as error:
        raise BadInput(str(error)) from None
    found = [each for each in readers if (each.name == name if name else each.driver in ("pcsc", "nfc"))]
    if not found:
        there = ", ".join(each.name for each in readers) or "none"
        raise BadInput(f"{file}: no reader {name or 'that can write cards'!r} (there: {there})")
    return found[0]


def at(reader: Chosen, job: Callable[[Channel, str], T], tell: Callable[[str], None], timeout: float) -> T:
    """Do the job with the next card. Raises `GaveUp`, `BadInput` and what the job raises."""
    session = Session(job, tell)
    if not isinstance(reader, tuple):
        try:
            return session.run(reader, timeout)
        except DriverMissing as error:
            raise BadInput(f"--reader: {error}") from None
    path, card = reader
    try:
        outcome = session.dialog(simulated.channel(card), card.uid.hex().upper())
    except CardLost as error:
        raise GaveUp(f"the simulated card does not answer ({error.why})") from None
    finally:
        _save(card, path)
    if outcome is None:
        raise GaveUp("nothing was done")
    return outcome()


def _card(path: Path) -> AnyCard:
    try:
        return wallet.load(path)
    except FileNotFoundError:
        print(f"  {path}: a new simulated card", flush=True)
        return simulated.blank("ntag424")
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise BadInput(f"{path}: {error}") from None


def make_blank(path: Path, chip: str) -> None:
    """Write a new simulated card; never over a file that is there. Raises `BadInput`."""
    if path.exists():
        raise BadInput(f"{path}: there is a file already; it is never overwritten")
    card = simulated.blank(chip)
    _save(card, path)
    print(f"{path}: a blank {chip}, {card.uid.hex().upper()}")


def _save(card: AnyCard, path: Path) -> None:
    try:
        card.save(path)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from None
