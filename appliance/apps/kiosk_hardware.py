"""What stands at a kiosk, as its configuration names it: readers, a panel of buttons and lights, a printer."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from appliance.cards.originality import PublicKey
from appliance.config import Config
from appliance.display.from_round import Venue
from appliance.hw.configured import make_readers
from appliance.hw.panel import Indicator, Signal
from appliance.hw.ports import Dialog, DriverMissing, Reader, Sink
from appliance.hw.printer_ports import Printer, PrinterChanged, PrinterState, PrinterTrouble
from appliance.hw.sound_ports import Sound
from appliance.readerconfig import ReaderConfig
from appliance.sounds.cue import heard_at
from appliance.sounds.speaker import Speaker

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
        self._speaker: Speaker | None = None
        self._wanted = config.printer.driver != "none"
        self.printer: Printer | None = _printer(config) if self._wanted else None
        self.sound: Sound | None = _sound(config)
        if config.pins.used():
            from appliance.hw.pins import open_panel

            self._panel = open_panel(config.pins, put)

    @property
    def panel(self) -> Indicator | None:
        """Light and buzzer, where there are pins, and the sounds of taps."""
        shown = tuple(each for each in (self._panel, self._speaker) if each is not None)
        return Together(shown) if shown else None

    def speaker(self, config: Config, now_ms: Callable[[], int]) -> Speaker | None:
        """What makes the room hear of taps and views, where there is a volume; ``now_ms`` is the evening's time (UTC).

        Quiet hours go by what the screen shows as the time of day.
        """
        if self.sound is not None:
            venue, kind, wanted = Venue(""), config.device.role, config.sound
            self._speaker = Speaker(
                self.sound,
                heard_at(kind, clock=wanted.clock) if kind != "director" and kind != "spare" else frozenset(),
                minute=lambda: (now := venue.at(now_ms())).hour * 60 + now.minute,
                monotonic=time.monotonic,
                quiet_from=wanted.quiet_from,
                quiet_to=wanted.quiet_to,
            )
        return self._speaker

    def begin(self) -> None:
        """Begin to print and to be heard: before anybody asks for it."""
        if self.sound is not None:
            self.sound.start()
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
        if self.sound is not None:
            self.sound.stop()


class Together:
    """Several indicators as one."""

    def __init__(self, indicators: Sequence[Indicator]) -> None:
        self._indicators = indicators

    def show(self, signal: Signal) -> None:
        for indicator in self._indicators:
            indicator.show(signal)


def dialog_of(config: ReaderConfig, dialogs: Dialogs) -> Dialog:
    """What a reader goes through with each card; simulated cards of pages have a maker of their own."""
    if config.driver != "simulated":
        return dialogs()
    from appliance.desk.simulated import maker

    return dialogs(maker())


def _sound(config: Config) -> Sound | None:
    if not config.sound.volume:
        return None
    from appliance.hw.sound import SoundCard

    return SoundCard(config.sound.volume, config.sound.device)


def _printer(config: Config) -> Printer | None:
    from appliance.hw.printer import from_config

    try:
        return from_config(config.printer)
    except (DriverMissing, ValueError) as error:
        _log.error("printer: %s", error)
        return None
