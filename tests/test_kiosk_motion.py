"""The kiosk's loop: many frames while something moves, else none but the clock's; whoever asks is heard in between."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence

import pytest

from appliance.apps.kiosk_screen import Screen
from appliance.config import Config, Device, Rehearsal
from appliance.config import Screen as ScreenConfig
from appliance.display.ops import Box, DrawList, Text
from appliance.display.prompt import Waiting
from appliance.display.window import Window
from appliance.snapshot import Snapshot
from tests.test_pad import ROUND

SIZE = (1280, 720)


class Watched(Window):
    """Keeps what is shown and how long the loop wished to sleep."""

    def __init__(self) -> None:
        super().__init__(SIZE, driver="dummy")
        self.lists: list[DrawList] = []
        self.waits: list[float] = []
        self.meanwhile: Callable[[], None] = lambda: None

    def show(self, ops: DrawList) -> list[Box]:
        if not self.lists or self.lists[-1] is not ops:
            self.lists.append(ops)
        return super().show(ops)

    def wait(self, seconds: float, also: Sequence[int] = ()) -> list[int]:
        self.waits.append(seconds)
        self.meanwhile()
        return super().wait(min(seconds, 0.02), also)


class Kiosk:
    """A table's screen with a station that says something after the first frame; it ends by itself."""

    def __init__(self, config: Config) -> None:
        self.window = Watched()
        self.snapshot = Snapshot(rounds=(ROUND,), director=True)
        self._wake, self._stir = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self.screen = Screen(config, self.window, self, self._wake)  # type: ignore[arg-type]
        self.window.meanwhile = self.say
        self.ends = time.monotonic() + 60

    @property
    def working(self) -> bool:
        return time.monotonic() < self.ends

    def now_ms(self) -> int:
        return ROUND.starts_at - 600_000

    def painted(self, stamp: int) -> None:
        assert stamp == 0, "no floor menu is open"

    def say(self) -> None:
        if self.snapshot.prompt is None:
            until = time.monotonic() + 60
            self.snapshot = self.snapshot._replace(prompt=Waiting(), prompt_until=until)
            self.wake()
        elif self.window.waits[-1] > 0.5:  # it has come to rest
            self.stop()

    def stop(self) -> None:
        """As a signal's handler does."""
        self.screen.stop()
        self.wake()

    def wake(self) -> None:
        os.write(self._stir, b".")

    def close(self) -> None:
        self.window.close()
        os.close(self._wake)
        os.close(self._stir)


@pytest.fixture
def kiosk() -> Iterator[Callable[..., Kiosk]]:
    opened: list[Kiosk] = []

    def open_one(speed: int = 1, **screen: object) -> Kiosk:
        config = Config(device=Device(name="table-1"), rehearsal=Rehearsal(speed=speed), screen=ScreenConfig(**screen))  # type: ignore[arg-type]
        opened.append(Kiosk(config))
        return opened[-1]

    yield open_one
    for each in opened:
        each.close()


def texts(ops: DrawList) -> list[str]:
    return sorted(op.text for op in ops if isinstance(op, Text))


def test_an_answer_moves_at_sixty_frames_a_second_and_then_the_screen_sleeps(kiosk: Callable[..., Kiosk]) -> None:
    table = kiosk()
    table.screen.run()
    before, first, *between, last = table.window.lists
    assert texts(before) != texts(first) == texts(last)
    assert first != last
    assert len(between) >= 2
    moving = table.window.waits[1:-1]
    assert all(wait <= 1 / 60 for wait in moving)
    assert table.window.waits[-1] > 0.5


@pytest.mark.parametrize(("speed", "screen"), [(1, {"motion": False}), (1, {"theme": "contrast"}), (2, {})])
def test_where_nothing_is_to_move_an_answer_is_there_at_once(
    kiosk: Callable[..., Kiosk], speed: int, screen: dict[str, object]
) -> None:
    table = kiosk(speed, **screen)
    table.screen.run()
    assert len(table.window.lists) == 2


def test_who_stops_the_screen_during_a_transition_waits_for_no_more_frames(kiosk: Callable[..., Kiosk]) -> None:
    table = kiosk()
    say = table.say

    def stop_in_between() -> None:
        say()
        if len(table.window.lists) == 3:
            table.stop()

    table.window.meanwhile = stop_in_between
    table.screen.run()
    assert len(table.window.lists) == 3
    assert table.working
