"""What stands at a kiosk, as its configuration names it: readers, a panel of buttons and lights, a printer."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from appliance.cards.originality import PublicKey
from appliance.config import Config
from appliance.hw.panel import Indicator
from appliance.hw.ports import Dialog, DriverMissing, Reader, Sink
from appliance.hw.printer_ports import Printer, PrinterChanged, PrinterState, PrinterTrouble
from appliance.readerconfig import ReaderConfig

_log = logging.getLogger(__name__)


class Dialogs(Protocol):
    """Makes the dialog of a reader; ``maker`` is whose NTAG21x are originals."""

    def __call__(self, maker: PublicKey = ..., /) -> Dialog: ...


class Hardware:
    """All of a kiosk's, not started. ``put`` takes the events of panel and printer, from any thread.

    Raises `DriverMissing`, OSError and ValueError for a reader that cannot be opened; a printer that cannot is left out
    with a word in the log, for cards must be read without it too.
    """

    def __init__(self, config: Config, put: Callable[[Any], None]) -> None:
        self.readers: tuple[Reader, ...] = make_readers(config)
        self._configs = config.readers_here
        self._put = put
        self._panel: Any = None
        self._wanted = config.printer.driver != "none"
        self.printer: Printer | None = _printer(config) if self._wanted else None
        if config.pins.used():
            from appliance.hw.pins import open_panel

            self._panel = open_panel(config.pins, put)

    @property
    def panel(self) -> Indicator | None:
        """Light and buzzer, where there are pins."""
        indicator: Indicator | None = self._panel
        return indicator

    def start(self, sink: Sink, dialogs: Dialogs) -> None:
        """Begin to read and to print. Raises what a reader raises."""
        if self.printer is not None:
            self.printer.start(self._put)
        elif self._wanted:
            self._put(PrinterChanged("printer", PrinterState.OFFLINE, PrinterTrouble.UNUSABLE))
        for reader, config in zip(self.readers, self._configs, strict=True):
            reader.start(sink, _dialog(config, dialogs))

    def stop(self) -> None:
        """Let go of everything."""
        for reader in self.readers:
            reader.stop()
        if self.printer is not None:
            self.printer.stop()
        if self._panel is not None:
            self._panel.close()


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


def _dialog(config: ReaderConfig, dialogs: Dialogs) -> Dialog:
    if config.driver != "simulated":
        return dialogs()
    from appliance.desk.simulated import maker

    return dialogs(maker())


def _printer(config: Config) -> Printer | None:
    from appliance.hw.printer import from_config

    try:
        return from_config(config.printer)
    except (DriverMissing, ValueError) as error:
        _log.error("printer: %s", error)
        return None
