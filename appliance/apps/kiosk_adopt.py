"""A kiosk without a place in a venue: it asks to be let in, shows a code, and starts anew as what it became.

The main thread draws and hears signals; `appliance.spare` asks. Nothing here is loaded by a kiosk that has its place.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NoReturn

from appliance import VERSION, newcomersite
from appliance.apps.logs import set_up
from appliance.config import Config
from appliance.display.glass import Glass
from appliance.display.layout_adopt import spare_list
from appliance.display.picture_out import next_number
from appliance.display.style import Style
from appliance.display.view import SpareView, VenueSeen
from appliance.i18n import Translator
from appliance.spare import Asker, Now
from appliance.worker import end_with_any_thread
from appliance.workplace import Workplace

_BEAT_S = 60.0
_READ_S = 3.0
"""How long it is to be read what the device became."""

_log = logging.getLogger(__name__)


def run(config: Config, files: Sequence[Path], glass: Glass, style: Style) -> int:
    """Until the device is let in, and then as what it became; 0 when asked to stop, 1 when a part dies.

    Raises OSError if the data folder cannot be used.
    """
    set_up("kiosk")
    end_with_any_thread()
    config.data.mkdir(parents=True, exist_ok=True)
    newcomersite.begin_anew(config.data)
    place = Workplace(config, files)
    with place.claimed(), _signals() as (heard, wake, stir):
        asker = Asker(place, stir)
        _log.info("%s has no place yet: it asks to be let in", asker.name)
        asker.start()
        try:
            adopted = _show_until(asker, heard, wake, glass, style, Translator(config.language), config.screen.shots)
        finally:
            asker.stop()
    if asker.failure is not None:
        raise asker.failure
    if not adopted:
        return 0
    glass.close()
    begin_anew(files)


def give_up_place(files: Sequence[Path], glass: Glass) -> NoReturn:
    """A commissioner has dropped this device: it is a spare one again, and shows a code."""
    newcomersite.give_up(files[-1].parent)
    glass.close()
    begin_anew(files[:-1])


def begin_anew(files: Sequence[Path]) -> NoReturn:
    """Become another kiosk program, in this process; never returns."""
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(sys.executable, [sys.executable, "-m", "appliance", "kiosk", *map(str, files)])


def view_of(now: Now, name: str) -> SpareView:
    """What the screen shows."""
    return SpareView(
        device=name, version=VERSION, code=now.code, wrong=now.wrong, pending=now.pending,
        role=now.role, table=now.table,
        venues=tuple(VenueSeen(line.called or line.venue, line.seen, line.sorry) for line in now.lines),
    )  # fmt: skip


def _show_until(
    asker: Asker, heard: list[int], wake: int, glass: Glass, style: Style, words: Translator, shots: str
) -> bool:
    """Whether the device was let in, before somebody wanted the program to end."""
    until = None
    while not any(each != signal.SIGUSR1 for each in heard):
        now = asker.now
        glass.show(spare_list(view_of(now, asker.name), glass.size, words, glass.fonts, style.theme, style.house))
        if signal.SIGUSR1 in heard:
            heard.remove(signal.SIGUSR1)
            if shots:
                glass.save(Path(shots) / f"{asker.name}-{next_number(Path(shots), asker.name):02}.png")
        if any(event.kind in ("quit", "gone") for event in glass.pump()):
            return False
        if asker.over and until is None:
            until = time.monotonic() + (_READ_S if now.role and glass.is_there else 0.0)
        if until is not None and time.monotonic() >= until:
            return bool(now.role)
        if glass.wait(_BEAT_S if until is None else max(0.0, until - time.monotonic()), [wake]):
            with contextlib.suppress(BlockingIOError):
                os.read(wake, 4096)
    return False


@contextlib.contextmanager
def _signals() -> Iterator[tuple[list[int], int, Callable[[], None]]]:
    """The signals that came, what is readable once one has, and what makes it so."""
    heard: list[int] = []
    wake, written = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)

    def stir() -> None:
        with contextlib.suppress(BlockingIOError):  # it is awake already
            os.write(written, b".")

    numbers = (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1)
    before = {number: signal.signal(number, lambda got, _: heard.append(got)) for number in numbers}
    woken = signal.set_wakeup_fd(written, warn_on_full_buffer=False)
    try:
        yield heard, wake, stir
    finally:
        signal.set_wakeup_fd(woken)
        for number, handler in before.items():
            signal.signal(number, handler)
