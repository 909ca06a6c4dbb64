"""What stands at a kiosk, as its configuration names it: readers, a panel of buttons and lights, a printer."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Protocol

from appliance.cards.originality import PublicKey
from appliance.config import Config
from appliance.hw.configured import make_readers
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

    def begin(self) -> None:
        """Begin to print: before anybody asks for a slip."""
        if self.printer is not None:
            self.printer.start(self._put)
        elif self._wanted:
            self._put(PrinterChanged("printer", PrinterState.OFFLINE, PrinterTrouble.UNUSABLE))

    def start(self, sink: Sink, dialogs: Dialogs) -> None:
        """Begin to read. Raises what a reader raises."""
        for reader, config in zip(self.readers, self._configs, strict=True):
            reader.start(sink, dialog_of(config, dialogs))

    def stop(self) -> None:
        """Let go of everything."""
        for reader in self.readers:
            reader.stop()
        if self.printer is not None:
            self.printer.stop()
        if self._panel is not None:
            self._panel.close()


def dialog_of(config: ReaderConfig, dialogs: Dialogs) -> Dialog:
    """What a reader goes through with each card; simulated cards of pages have a maker of their own."""
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
