"""The readers that a configuration names. Each driver is imported only where it is asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from appliance.config import Config
from appliance.hw.ports import Reader
from appliance.readerconfig import ReaderConfig


def make_readers(config: Config) -> tuple[Reader, ...]:
    """The readers of a configuration, not started. Raises `DriverMissing`, ValueError."""
    among: Any = None
    made: list[Reader] = []
    for reader in config.readers_here:
        if reader.driver == "pcsc":
            from appliance.hw.pcsc import PcscReader
            from appliance.hw.pcsc_choice import Wishes

            among = among or Wishes()
            made.append(PcscReader(reader.match, usb=reader.usb, name=reader.name, among=among))
        else:
            made.append(_other(reader, config))
    return tuple(made)


def _other(reader: ReaderConfig, config: Config) -> Reader:
    match reader.driver:
        case "nfc":
            from appliance.hw.nfc import NfcReader

            return NfcReader(reader.port, usb=reader.usb, name=reader.name)
        case "serial":
            from appliance.hw.serial import SerialReader

            return SerialReader(
                reader.port, usb=reader.usb, protocol=reader.protocol, baud=reader.baud, name=reader.name
            )
        case _:
            from appliance.cards.emulator.wallet import Wallet
            from appliance.hw.simulated import SimulatedReader

            socket = Path(reader.socket) if reader.socket else None
            wallet = Wallet(Path(reader.wallet) if reader.wallet else config.data / "wallet")
            return SimulatedReader(reader.name, socket=socket, wallet=wallet)
