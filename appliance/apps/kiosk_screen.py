"""The kiosk's main loop: from the engine's snapshot to the glass, once a second or when something happened."""

from __future__ import annotations

import contextlib
import math
import os
import queue
import time
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from appliance import evening
from appliance.config import Config
from appliance.display.canvas import Canvas, Sections
from appliance.display.from_floor import floor_view
from appliance.display.from_round import Link, Scene, Venue, clock_view, door_view, later, scene_change_ms, table_view
from appliance.display.from_tick import Ticking, ticking
from appliance.display.glass import Glass
from appliance.display.layout import draw_list, shift
from appliance.display.layout_floor import floor_hit
from appliance.display.layout_pad import hit
from appliance.display.layout_pin import pin_hit
from appliance.display.mover import FRAME_S, Mover
from appliance.display.notice import FloorCalled, Notice, PrinterStands
from appliance.display.ops import DrawList
from appliance.display.picture_out import next_number
from appliance.display.style import Style, at_start
from appliance.display.view import ClockView, DoorView, FloorView, HandsRefused, TableView
from appliance.display.window import InputEvent, Window
from appliance.hw.printer_ports import PrinterState
from appliance.i18n import Translator
from appliance.oneheap import give_back
from appliance.snapshot import Snapshot
from appliance.sounds.speaker import Speaker
from appliance.station import Station

RoundView = TableView | DoorView | ClockView | FloorView
"""What a kiosk shows once it has started."""

_SHORTEST_S = 0.05
"""A rehearsal's seconds pass faster than anybody can read; the screen does not follow them all."""
_SETTLED_S = 4.0


class Screen:
    """Draws until it is stopped, the window is closed or the engine thread has died."""

    def __init__(
        self,
        config: Config,
        window: Window | Glass,
        station: Station,
        wake: int,
        stir: Callable[[], None] = lambda: None,
        style: Style | None = None,
    ) -> None:
        """``wake`` is readable when there is something to do; ``stir`` makes it so, from any thread."""
        self._config = config
        self._table = config.device.table if config.device.role == "table" else None
        self._is_door = config.device.role == "door"
        self._window = window
        self._station = station
        self._wake = wake
        self._stir = stir
        self._keys: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._words = Translator(config.language)
        self._venue = Venue(config.venue.called)
        self._style = style or at_start(config.screen)
        self._sections = Sections()
        self._snapshot = station.snapshot
        self._scene: Scene | None = None
        self._ticking: Ticking | None = None
        self._canvas: Canvas | None = None
        self._second: int | None = None
        self._view: RoundView | None = None
        self._happened = False
        self._mover = Mover(self._style.theme, on=_moves(config))
        self.speaker: Speaker | None = None
        self.gone = False
        self._stopping = False
        self._settles_at = time.monotonic() + _SETTLED_S
        self._pictures_wanted = 0
        self._pictures = 0

    def stop(self) -> None:
        """End the loop; may be called from a signal handler."""
        self._stopping = True

    @property
    def asked_to_stop(self) -> bool:
        """Whether it was `stop` that ended the loop."""
        return self._stopping

    def take_picture(self) -> None:
        """Save what is shown at the next frame; may be called from a signal handler."""
        self._pictures_wanted += 1

    def hear(self, key: str) -> None:
        """A key was pressed on a keyboard that the window does not hear; from any thread."""
        self._keys.put(key)
        self._stir()

    def run(self) -> None:
        """The loop."""
        window, due, woken = self._window, 0.0, True
        while not self._stopping and self._station.working:
            at = time.monotonic()
            if woken or at < due or (left := self._tick(at)) is None:
                if woken or at >= due or window.size != self._mover.size:
                    due = at + self._look(at)
                self._show(at)
            else:
                due = at + left
            if not self._listen():  # after the frame: that is what people wait for
                return
            until = min(due, at + FRAME_S) if self._mover.moving else due
            if woken := bool(window.wait(until - time.monotonic(), [self._wake])):
                self._drain()

    def _look(self, at: float) -> float:
        """Go on to what the scene looks and sounds like now; return for how long it will (s)."""
        self._keep_up(at)
        self._snapshot = snapshot = self._station.snapshot
        scene = self._set(snapshot, self._station.now_ms())
        before = self._view
        view = self.view(scene)
        turned = before is not None and before.board.turn != view.board.turn
        self._mover.follow(self._laid_out(view), self._window.size, at, happened=self._happened, turned=turned)
        self._ticking, self._canvas = ticking(scene, view), self._sections.latest
        if self.speaker is not None:
            self.speaker.follow(view)
        return self._sleep_s(snapshot, scene)

    def _tick(self, at: float) -> float | None:
        """The same where only the clock's seconds have passed since the last look, and nothing moves or is to be heard:
        show it. That is what a kiosk does all evening, so it does no more for it than it must. None where that is not
        all.
        """
        mover = self._mover
        if self._ticking is None or self._canvas is None or self._station.snapshot is not self._snapshot:
            return None
        if mover.moving or self._window.size != mover.size or at >= self._settles_at:
            return None
        now = self._station.now_ms()
        second = self._ticking.second(now)
        if second is None:
            return None
        self._window.tick(self._canvas, second, self._ticking.last)
        self._second = second
        return max(_SHORTEST_S, self._ticking.change_ms(now) / 1000 / self._config.rehearsal.speed)

    def _keep_up(self, at: float) -> None:
        """Whatever comes now follows the second that is shown."""
        if self._second is not None and self._canvas is not None:
            after = self._canvas.at(self._second)
            self._mover.follow(after, self._window.size, at, happened=False, turned=False)
        self._second = None

    def _show(self, at: float) -> None:
        """Show what there is to be seen at a moment, and see to what waits for that."""
        self._keep_up(at)
        painted = self._window.show(self._mover.frame(at))
        self._station.painted(menu.stamp if (menu := self._snapshot.menu) is not None else 0)
        if not self._mover.moving:
            self._save_pictures()
            if painted:
                self._rehearse()
                self._settle(at)

    def _listen(self) -> bool:
        """Pass on what was pressed and touched; False once the window was closed. The window repeats no held key."""
        events = self._window.pump()
        while not self._keys.empty():
            events.append(InputEvent("key", self._keys.get()))
        if not events:
            return True
        for event in events:
            if event.kind == "key":
                self._station.type(event.key)
            elif event.kind == "touch":
                self._touched(event)
            elif event.kind == "gone":
                self.gone = True
        return all(event.kind not in ("quit", "gone") for event in events)

    def _touched(self, event: InputEvent) -> None:
        """Pass on what lies under a finger, as it is drawn."""
        if self._view is None:
            return
        right, down = shift(self._view, self._window.size, self._style.house)
        x, y = event.x - right, event.y - down  # what is drawn there when nothing is shifted
        view, glass = self._view, (self._window.size, self._words, self._window.fonts, x, y, self._style.house)
        key = None
        if isinstance(view, FloorView):
            self._station.choose(floor_hit(view, *glass))
        elif isinstance(view, TableView | DoorView) and view.prompt is not None and view.prompt.pin_keys:
            key = pin_hit(*glass)
        elif isinstance(view, TableView):
            key = hit(view, *glass)
        if key is not None:
            self._station.press(key)

    def view(self, scene: Scene) -> RoundView:
        """What this kiosk shows of a scene; when only time has passed, little of it is made anew."""
        before, self._scene = self._scene, scene
        view = None
        if self._view is not None and before is not None and _same_but_time(before, scene):
            view = later(self._view, scene)
        self._happened = view is None
        self._view = view or self._made(scene)
        return self._view

    def _rehearse(self) -> None:
        """Paint what will probably be said next off the glass, while nobody waits for it."""
        scene, expected = self._scene, self._snapshot.expected
        if scene is not None and scene.prompt is not None and expected is not None:
            self._window.rehearse(self._mover.first(self._laid_out(self._made(replace(scene, prompt=expected)))))

    def _settle(self, at: float) -> None:
        """Once, when all that a start needs is over."""
        if at >= self._settles_at:
            self._settles_at = math.inf
            give_back()

    def _made(self, scene: Scene) -> RoundView:
        if scene.menu is not None:
            return floor_view(scene, scene.menu, self._words)
        if self._config.device.role == "clock":
            return clock_view(scene)
        return door_view(scene) if self._table is None else table_view(scene, self._table)

    def _laid_out(self, view: RoundView) -> DrawList:
        window = self._window
        style = self._style
        return draw_list(view, window.size, self._words, window.fonts, style.theme, self._sections, style.house)

    def _set(self, snapshot: Snapshot, now: int) -> Scene:
        link = Link(
            director=snapshot.director,
            director_lost_at=snapshot.director_lost_at,
            reader=snapshot.reader,
            missing=snapshot.missing,
            kept=snapshot.kept,
            refused=() if self._config.device.role == "clock" else _refused(snapshot, self._table),
            lone=0 if self._config.device.role == "clock" else snapshot.lone,
            elsewhere=snapshot.elsewhere,
            revoked=snapshot.revoked,
            shut_out=snapshot.shut_out,
            stopped=snapshot.stopped,
            time_doubted=snapshot.times.doubted and self._speaks_of_time(snapshot),
        )
        return Scene(
            round=evening.on_screen(snapshot.rounds, snapshot.times.right(now), self._table, door=self._is_door),
            roster=snapshot.roster,
            link=link,
            venue=self._venue,
            at_ms=now,
            hand=snapshot.table,
            pad=snapshot.pad if snapshot.table is not None or self._config.screen.touch else None,
            keys=snapshot.keys,
            told=_told(snapshot, self._table),
            asked=next((call.about for call in snapshot.calls if call.table == self._table), None),
            prompt=snapshot.prompt if time.monotonic() < snapshot.prompt_until else None,
            touch=self._config.screen.touch,
            lang="en" if self._config.language == "en" else "cs",
            rotates=len(self._style.house.sponsors) > 1,
            speed=self._config.rehearsal.speed,
            menu=snapshot.menu,
            times=snapshot.times,
            word=snapshot.word,
        )

    def _speaks_of_time(self, snapshot: Snapshot) -> bool:
        """Whether whoever can confirm the time is to read of it here: at a door, and where the director is."""
        device = self._config.device
        return device.role == "door" or self._station.direction.name == device.name

    def _sleep_s(self, snapshot: Snapshot, scene: Scene) -> float:
        """Until the picture changes by itself: the next second of the clock, or the end of a prompt."""
        change = scene_change_ms(scene) / 1000 / self._config.rehearsal.speed
        prompt_left = snapshot.prompt_until - time.monotonic()
        return max(_SHORTEST_S, min(change, prompt_left) if snapshot.prompt and prompt_left > 0 else change)

    def _drain(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while os.read(self._wake, 4096):
                pass

    def _save_pictures(self) -> None:
        while self._pictures < self._pictures_wanted and self._config.screen.shots:
            self._pictures += 1
            folder, name = Path(self._config.screen.shots), self._config.device.name
            file = folder / f"{name}-{next_number(folder, name):02}.png"
            try:
                self._window.save(file)
            except OSError as error:
                import logging

                logging.getLogger(__name__).error("no picture: %s: %s", file, error.strerror or error)


def _moves(config: Config) -> bool:
    """Whether anything moves: nothing for weak eyes, which search for what they saw, nor where seconds pass faster."""
    return config.screen.motion and config.screen.theme != "contrast" and config.rehearsal.speed == 1


def _same_but_time(before: Scene, after: Scene) -> bool:
    """Whether both are of the same things; those are never changed, only replaced."""
    return (
        before.round is after.round
        and before.roster is after.roster
        and before.link == after.link
        and before.prompt is after.prompt
        and before.hand is after.hand
        and before.pad is after.pad
        and before.keys == after.keys
        and before.told == after.told
        and before.asked == after.asked
        and before.menu is after.menu
        and before.times is after.times
    )


def _refused(snapshot: Snapshot, table: int | None) -> tuple[HandsRefused, ...]:
    """Which hands the floor has to see to at this table, at a door at all of them."""
    found = (each for each in snapshot.refused if table in (None, each.table))
    return tuple(HandsRefused(each.table, each.hand, each.last, each.code) for each in found)


def _told(snapshot: Snapshot, table: int | None) -> tuple[Notice, ...]:
    """What this device and the other tables' buttons have to say."""
    said: list[Notice] = [FloorCalled(call.table, call.about) for call in snapshot.calls if call.table != table]
    if snapshot.printer is PrinterState.PAPER_OUT:
        said.append(PrinterStands("paper-out"))
    elif snapshot.printer is not None:
        said.append(PrinterStands("offline"))
    return tuple(said)
