"""A kiosk that cannot go on says so on its screen: what is wrong and what to do, until it is started again.

The last picture of an evening must not stand there as if it were true, and a black screen helps nobody.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from appliance import VERSION
from appliance.apps.kiosk_trouble import Part, trouble
from appliance.config import MOST_CONFIG_BYTES, Config, Device, Screen, Section, Venue
from appliance.display import parts
from appliance.display.fonts import FontsMissing
from appliance.display.glass import Glass
from appliance.display.hotplug import plugged
from appliance.display.layout_device import attention_list
from appliance.display.style import Style, at_start
from appliance.display.view import AttentionView
from appliance.filebytes import Unreadable, read_bytes
from appliance.i18n import LANGUAGES, Translator
from appliance.tomltext import TomlError, toml_values

STAYS_S = 60.0
"""How long it stays, unless somebody ends it; then the service manager tries again."""

_NOWHERE = ("dummy", "offscreen")
"""SDL's drivers that nobody sees."""

S = TypeVar("S", bound=Section)


class Told(NamedTuple):
    """What is known of a device whose configuration cannot be used. ``lang`` is None if no language is."""

    config: Config
    lang: str | None


def told(files: Sequence[Path]) -> Told:
    """The sound settings of the files about name, screen and language; nothing here is refused."""
    values: dict[str, dict[str, Any]] = {"venue": {}, "device": {}, "screen": {}}
    for file in files:
        with contextlib.suppress(Unreadable, TomlError):
            read = toml_values(read_bytes(file, MOST_CONFIG_BYTES))
            for name, known in values.items():
                known.update(section if isinstance(section := read.get(name), dict) else {})
    venue, screen = _sound(Venue, values["venue"]), _sound(Screen, values["screen"])
    named = screen.language or (venue.language if values["venue"].get("language") == venue.language else "")
    config = Config(venue=venue, device=_sound(Device, values["device"]), screen=screen)
    if "name" not in values["device"]:
        config = replace(config, device=replace(config.device, name=""))
    return Told(config, named or None)


def view(
    error: Exception, device: str, lang: str | None, part: Part = "start", data: Path | None = None
) -> AttentionView:
    """What the screen says of an error, in both languages where ``lang`` is None; ``data``: the device's folder."""
    what = trouble(error, part, data)
    mine, *others = [lang] if lang else LANGUAGES
    problem, remedy = what.said(Translator(mine))
    return AttentionView(
        device=device,
        version=VERSION,
        problem=problem,
        remedy=remedy,
        code=what.code,
        also={other: what.said(Translator(other)) for other in others},
    )


def attend(error: Exception, config: Config, glass: Glass, style: Style, part: Part = "start") -> None:
    """Show what has ended this kiosk, and stay; at once over where nobody would see it."""
    _stay(glass, view(error, config.device.name, config.language, part, config.data), config.language, style)


def attend_without_config(error: Exception, files: Sequence[Path], opener: Callable[[Config, Style], Glass]) -> None:
    """The same for a configuration that cannot be used, or a screen that cannot be had as it wants it."""
    known = told(files)
    if known.config.screen.headless or not _has_display():
        return
    style = at_start(known.config.screen)
    try:
        glass = opener(known.config, style)
    except (FontsMissing, ValueError):
        return
    _stay(glass, view(error, known.config.device.name, known.lang), known.lang or LANGUAGES[0], style)


def _stay(glass: Glass, shown: AttentionView, lang: str, style: Style, seconds: float = STAYS_S) -> None:
    """Until a signal, a key, a touch, the window's end, or for so long."""
    if not glass.is_there or parts.display.get_driver() in _NOWHERE:
        return
    words, ends = Translator(lang), time.monotonic() + seconds
    with _signals() as (heard, wake):
        while not heard and (left := ends - time.monotonic()) > 0:
            glass.show(attention_list(shown, glass.size, words, glass.fonts, style.theme, style.house))
            if glass.pump():
                return
            glass.wait(left, [wake])


def _has_display() -> bool:
    """Whether there may be one: SDL and what it loads look for it with complaints of their own."""
    desktop = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    return desktop or any(status == "connected" for _, status, _ in plugged())


@contextlib.contextmanager
def _signals() -> Iterator[tuple[list[int], int]]:
    """The signals to end that came, and what is readable once one has."""
    heard: list[int] = []
    wake, written = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    numbers = (signal.SIGTERM, signal.SIGINT)
    before = {number: signal.signal(number, lambda got, _: heard.append(got)) for number in numbers}
    woken = signal.set_wakeup_fd(written, warn_on_full_buffer=False)
    try:
        yield heard, wake
    finally:
        signal.set_wakeup_fd(woken)
        for number, handler in before.items():
            signal.signal(number, handler)
        os.close(wake)
        os.close(written)


def _sound(section: type[S], values: Mapping[str, Any]) -> S:
    """As much of a section as can be read."""
    kept = {}
    for name, value in values.items():
        with contextlib.suppress(msgspec.ValidationError):
            msgspec.convert({name: value}, section)
            kept[name] = value
    return msgspec.convert(kept, section)
