"""What the kiosk's main loop hears reaches the table's work as the dealer's keys."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable, Iterator

import pytest

from appliance.apps.kiosk_screen import Screen
from appliance.config import Config, Device
from appliance.config import Screen as ScreenConfig
from appliance.display import parts
from appliance.display.layout_pad import hit
from appliance.display.view import TableView
from appliance.display.window import Window
from appliance.i18n import Translator
from appliance.pad import KEYBOARD
from appliance.snapshot import Snapshot
from tests.test_pad import ROUND, Dealer

SIZE = (1280, 720)
STEP = 30
"""Between two pixels that are tried: less than any key's side, and so few that a slow layout costs seconds."""
PATIENCE_S = 60
"""How long a test may take: a limit to give up at, never a measure."""


@pytest.fixture(autouse=True)
def patience() -> Iterator[None]:
    """A loop that does not end, and a wait that nobody ends, fail the test instead of holding up all others."""

    def give_up(*_: object) -> None:
        raise TimeoutError(f"not over after {PATIENCE_S} s")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE_S)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


class Heard:
    """A station that hears keys for so many rounds of the loop."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.typed: list[str] = []
        self.pressed: list[str] = []
        self.chosen: list[str] = []
        self.rounds = 2
        self.wake = -1

    @property
    def working(self) -> bool:
        self.rounds -= 1
        os.write(self.wake, b".")
        return self.rounds >= 0

    def now_ms(self) -> int:
        return ROUND.starts_at

    def type(self, name: str) -> None:
        self.typed.append(name)

    def painted(self, stamp: int) -> None:
        self.stamp = stamp

    def press(self, key: str) -> None:
        self.pressed.append(key)

    def choose(self, keys: Iterable[str]) -> None:
        self.chosen += keys


@pytest.fixture
def window() -> Iterator[Window]:
    opened = Window(SIZE, driver="dummy")
    yield opened
    opened.close()


@pytest.fixture
def tracked() -> Heard:
    dealer = Dealer()
    return Heard(Snapshot(rounds=(ROUND,), director=True, table=dealer.hands, pad=dealer.pad, keys=dealer.keys))


def run(window: Window, station: Heard, *before: str, touch: bool = False) -> Screen:
    """The loop until the station ends; ``before`` are keys of a keyboard that is not the window's."""
    wake_read, wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    station.wake = wake_write
    config = Config(device=Device(name="table-1"), screen=ScreenConfig(touch=touch))
    try:
        screen = Screen(config, window, station, wake_read, lambda: os.write(wake_write, b"."))  # type: ignore[arg-type]
        for key in before:
            screen.hear(key)
        screen.run()
    finally:
        os.close(wake_read)
        os.close(wake_write)
    return screen


def key_down(key: int, scancode: int = 0) -> None:
    parts.event.post(parts.event.Event(parts.constants.KEYDOWN, key=key, mod=0, unicode="", scancode=scancode))


def test_keys_of_keyboard_and_numpad_are_heard_once_and_in_order(window: Window, tracked: Heard) -> None:
    for key in (parts.constants.K_1, parts.constants.K_KP5, parts.constants.K_KP_ENTER, parts.constants.K_RETURN):
        key_down(key)
    run(window, tracked)
    assert tracked.typed == ["1", "[5]", "enter", "return"]
    assert [KEYBOARD[name] for name in tracked.typed] == ["1", "5", "next", "next"]


@pytest.mark.parametrize("letters", ["1234567890", "+ěščřžýáíé", "&é\"'(-è_çà"], ids=["us", "cz", "fr"])
def test_digits_of_the_top_row_are_told_by_their_place(window: Window, tracked: Heard, letters: str) -> None:
    for letter, digit in zip(letters, "1234567890", strict=True):
        key_down(ord(letter), getattr(parts.constants, f"KSCAN_{digit}"))
    run(window, tracked)
    assert tracked.typed == list("1234567890")


def test_keys_of_the_numpad_are_told_by_their_place(window: Window, tracked: Heard) -> None:
    names = {"PERIOD": "[.]", "DIVIDE": "[/]", "MULTIPLY": "[*]", "MINUS": "[-]", "PLUS": "[+]", "ENTER": "enter"}
    names |= {digit: f"[{digit}]" for digit in "0123456789"}
    for place in names:  # the Czech one has a comma on its period
        key_down(ord(","), getattr(parts.constants, f"KSCAN_KP_{place}"))
    run(window, tracked)
    assert tracked.typed == list(names.values())


def test_a_letter_is_told_by_what_stands_on_it(window: Window, tracked: Heard) -> None:
    key_down(parts.constants.K_a, parts.constants.KSCAN_Q)
    key_down(parts.constants.K_EQUALS, parts.constants.KSCAN_MINUS)
    run(window, tracked)
    assert tracked.typed == ["a", "="]


@pytest.mark.parametrize("name", sorted(KEYBOARD))
def test_every_name_of_the_keyboard_is_one_that_the_window_gives(window: Window, name: str) -> None:
    named = {parts.key.name(getattr(parts.constants, key)) for key in dir(parts.constants) if key.startswith("K_")}
    assert name in named


def test_a_held_key_acts_once(window: Window) -> None:
    assert parts.key.get_repeat() == (0, 0)


def test_a_touched_key_or_seat_is_pressed_by_its_own_name(window: Window, tracked: Heard) -> None:
    tracked.rounds = 1
    view = run(window, tracked)._view
    assert isinstance(view, TableView)
    spots = {
        hit(view, window.size, Translator("cs"), window.fonts, x, y): (x, y)
        for x in range(0, SIZE[0], STEP)
        for y in range(0, SIZE[1], STEP)
    }
    assert {"fold", "check-call", "5", "seat-4"} <= spots.keys()
    for key in ("fold", "seat-4", None):
        parts.event.post(parts.event.Event(parts.constants.MOUSEBUTTONDOWN, button=1, pos=spots[key]))
    tracked.rounds = 2
    screen = run(window, tracked)
    assert tracked.pressed == ["fold", "seat-4"] and screen is not None


def test_a_keyboard_that_is_not_the_windows_is_heard_like_it(window: Window, tracked: Heard) -> None:
    run(window, tracked, "f", "enter")
    assert tracked.typed == ["f", "enter"]


@pytest.mark.parametrize("touch", [False, True])
def test_a_table_that_only_counts_shows_its_key_where_it_can_be_touched(window: Window, touch: bool) -> None:
    counting = Heard(Snapshot(rounds=(ROUND,), director=True, keys=("next",)))
    view = run(window, counting, touch=touch)._view
    assert isinstance(view, TableView)
    assert (view.pad is not None and view.pad.keys == ("next",)) is touch


def test_a_closed_window_ends_the_loop(window: Window, tracked: Heard) -> None:
    tracked.rounds = 50
    parts.event.post(parts.event.Event(parts.constants.QUIT))
    run(window, tracked)
    assert tracked.rounds == 49
