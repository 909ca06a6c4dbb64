"""Which reader the issuing desk works with, or which simulated card lies on a simulated one."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias, TypeVar

from appliance.apps.arguments import whole_number
from appliance.apps.cards_keys import BadInput
from appliance.cards.emulator.ntag424 import EmulatedNtag424
from appliance.desk import simulated
from appliance.desk.session import GaveUp, Session
from appliance.desk.simulated import AnyCard, CardChannel
from appliance.hw.ports import CardLost, Channel, DriverMissing, Reader

T = TypeVar("T")
Chosen: TypeAlias = Reader | tuple[Path, AnyCard]

DIALOG_S = 60.0
"""How long a card may be worked at: far longer than a tap's dialog."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """``--reader``, ``--simulated`` and ``--timeout``."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--reader", default="pcsc", metavar="DRIVER[:WHICH]",
        help="pcsc:part of its name, pcsc:usb=072f:2200, nfc:/dev/ttyUSB0, nfc:usb=…; default: any PC/SC reader",
    )  # fmt: skip
    which.add_argument(
        "--simulated", type=Path, metavar="FILE", help="a simulated card (JSON); a new NTAG 424 DNA if it is not there"
    )
    parser.add_argument("--timeout", type=whole_number, default=60, metavar="S", help="seconds to wait for the card")


def chosen(args: argparse.Namespace) -> Chosen:
    """The reader, not started yet. Raises `BadInput`."""
    if args.simulated is not None:
        return args.simulated, _card(args.simulated)
    driver, _, which = args.reader.partition(":")
    match, usb = ("", which.removeprefix("usb=")) if which.startswith("usb=") else (which, "")
    try:
        match driver:
            case "pcsc":
                from appliance.hw.pcsc import PcscReader

                return PcscReader(match, usb=usb, dialog_s=DIALOG_S)
            case "nfc":
                from appliance.hw.nfc import NfcReader

                return NfcReader(match, usb=usb)
    except DriverMissing as error:
        raise BadInput(f"--reader: {error}") from None
    raise BadInput(f"--reader: {driver[:40]!r} is neither pcsc nor nfc")


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
        outcome = session.dialog(CardChannel(card), card.uid.hex().upper())
    except CardLost as error:
        raise GaveUp(f"the simulated card does not answer ({error.why})") from None
    finally:
        _save(card, path)
    if outcome is None:
        raise GaveUp("nothing was done")
    return outcome()


def _card(path: Path) -> AnyCard:
    try:
        return simulated.load(path)
    except FileNotFoundError:
        return EmulatedNtag424()
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise BadInput(f"{path}: {error}") from None


def _save(card: AnyCard, path: Path) -> None:
    try:
        card.save(path)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from None
