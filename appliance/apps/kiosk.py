"""``tableside kiosk``: a table's or a door's screen, reader and copy of the evening.

The first frame is on the glass before anything slow is imported; see the order of imports in `run`.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from appliance import VERSION
from appliance.config import Config, ConfigError, load, origin, with_adopted
from appliance.display.fonts import FontsMissing
from appliance.display.glass import Glass
from appliance.display.hotplug import Hotplug
from appliance.display.layout_device import starting_list
from appliance.display.screensize import check_size
from appliance.display.style import Style, at_start
from appliance.display.view import StartingView
from appliance.display.window import Window
from appliance.i18n import Translator

if TYPE_CHECKING:
    from appliance.apps.kiosk_screen import Screen
    from appliance.apps.kiosk_trouble import Part
    from appliance.hw.ports import ReaderEvent, Sink
    from appliance.station import Station

_TIME_ZONES = "/usr/share/zoneinfo:/usr/lib/zoneinfo:/usr/share/lib/zoneinfo:/etc/zoneinfo"
"""Where Python looks for time zones unasked: told, it reads no file of its own build for that, 0.2 MB."""

_SWITCH_S = 0.0005
"""The engine must not wait for the painter: Python would let it wait 5 ms, a third of a tap's whole way."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Configuration files."""
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="site file, then device file")


def run(args: argparse.Namespace) -> int:
    """Run until SIGTERM, SIGINT or the window is closed; 1 when a part dies, 2 on bad configuration or journal."""
    try:
        if origin("device", args.files) is None:
            raise ConfigError("no [device] in what was named: name this device's own file too, after the site's")
        args.files = with_adopted(args.files)
        config = load(*args.files)
        if config.device.role == "director":
            raise ConfigError("device.role: 'director': this is no kiosk's configuration")
        style = at_start(config.screen)
        window = open_glass(config, style)
    except (ConfigError, FontsMissing, ValueError) as error:
        print(f"tableside kiosk: {error}", file=sys.stderr, flush=True)
        from appliance.apps.kiosk_attention import attend_without_config

        attend_without_config(error, args.files, open_glass)
        return 2
    if config.device.role == "spare":
        return _ask_to_be_let_in(config, args.files, window, style)
    first = StartingView(device=config.device.name, version=VERSION)
    words = Translator(config.language)
    window.show(starting_list(first, window.size, words, window.fonts, style.theme, style.house))

    # from here on the screen shows that it starts: now what takes its time
    os.environ.setdefault("PYTHONTZPATH", _TIME_ZONES)
    import logging

    from appliance.apps.kiosk_screen import Screen
    from appliance.apps.logs import set_up
    from appliance.nodump import no_core_dumps
    from appliance.oneheap import one_heap
    from appliance.station import Station
    from appliance.worker import end_with_any_thread
    from appliance.workplace import Workplace

    set_up("kiosk")
    for problem in style.problems:
        logging.getLogger(__name__).warning("style: %s", problem)
    window.tell_with(logging.getLogger(__name__).warning)
    no_core_dumps()
    one_heap()
    end_with_any_thread()
    sys.setswitchinterval(_SWITCH_S)
    wake_read, wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        station = Station(Workplace(config, args.files), lambda: _wake(wake_write))
    except OSError as error:
        print(f"tableside kiosk: {error}", file=sys.stderr, flush=True)
        _attend(error, config, window, style)
        return 2
    screen = Screen(config, window, station, wake_read, lambda: _wake(wake_write), style)
    _listen_to_signals(screen, wake_write)
    status = _run(config, station, screen, lambda error, part: _attend(error, config, window, style, part))
    if station.admission.given_up:
        from appliance.apps.kiosk_adopt import give_up_place

        give_up_place(args.files, window)
    return status


def _ask_to_be_let_in(config: Config, files: list[Path], window: Glass, style: Style) -> int:
    from appliance.apps import kiosk_adopt

    try:
        return kiosk_adopt.run(config, files, window, style)
    except (OSError, ConfigError) as error:
        print(f"tableside kiosk: {error}", file=sys.stderr, flush=True)
        _attend(error, config, window, style)
        return 2


def open_glass(config: Config, style: Style) -> Glass:
    """The window a configuration asks for, or what waits for a display to open it on.

    Raises `FontsMissing`, and ValueError for a size that cannot be drawn on.
    """
    screen, name, fonts = config.screen, config.device.name, style.fonts()
    size = (screen.width, screen.height)
    check_size(size)
    if screen.headless:
        return Glass(lambda: Window(size, driver="dummy", fonts=fonts), size, fonts)
    wished = None if screen.fullscreen else size

    def opener() -> Window:
        window = Window(wished, fullscreen=screen.fullscreen, title=name, fonts=fonts)
        try:
            check_size(window.size)
        except ValueError:
            window.close()
            raise
        return window

    return Glass(opener, size, fonts, Hotplug())


def _attend(error: Exception, config: Config, glass: Glass, style: Style, part: Part = "start") -> None:
    """Say on the glass what has ended this kiosk."""
    from appliance.apps.kiosk_attention import attend

    attend(error, config, glass, style, part)


def _run(config: Config, station: Station, screen: Screen, attend: Callable[[Exception, Part], None]) -> int:
    from appliance.apps.kiosk_hardware import Hardware

    try:
        hardware = Hardware(config, station.inbox.put)
    except (ImportError, OSError, ValueError) as error:
        print(f"tableside kiosk: {error}", file=sys.stderr, flush=True)
        attend(error, "reader")
        return 2
    screen.speaker = hardware.speaker(config, station.now_ms)
    station.equip(hardware.readers, hardware.panel, hardware.printer)
    hardware.begin()
    station.start()
    try:
        hardware.start(_sink(station, screen), station.cards.dialog)
    except (ImportError, OSError) as error:
        print(f"tableside kiosk: reader: {error}", file=sys.stderr, flush=True)
        station.stop()
        hardware.stop()
        attend(error, "reader")
        return 2
    try:
        screen.run()
    finally:
        hardware.stop()
        status = station.finish("kiosk")
    if screen.gone:
        import logging

        logging.getLogger(__name__).error("the X server is gone: ending, to be started again")
        return 1
    if station.failure is not None and not screen.asked_to_stop:
        attend(station.failure, "engine")
    return status


def _sink(station: Station, screen: Screen) -> Sink:
    """Cards are the engine's; keys are heard where the window's are."""
    from appliance.hw.ports import KeyPressed

    def take(event: ReaderEvent) -> None:
        if isinstance(event, KeyPressed):
            screen.hear(event.key)
        else:
            station.inbox.put(event)

    return take


def _listen_to_signals(screen: Screen, wake_write: int) -> None:
    signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: screen.stop())
    signal.signal(signal.SIGUSR1, lambda *_: screen.take_picture())


def _wake(descriptor: int) -> None:
    with contextlib.suppress(BlockingIOError):  # it is awake already
        os.write(descriptor, b".")
