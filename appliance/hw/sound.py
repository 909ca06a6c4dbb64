"""The driver for sound cards: a thread of its own, a device that is open only while something sounds.

An open audio device wakes its thread some twenty times a second, so it is closed again soon after; it is left open
for a moment, because a count follows every second. Whatever the system does with a card that is missing, busy or
hangs, only this thread waits for it.
"""

from __future__ import annotations

import logging
import threading
import time
from array import array
from collections import deque
from collections.abc import Callable
from typing import Protocol

from appliance.hw.sdl_audio import AudioDevice
from appliance.hw.sound_ports import SoundFailed, SoundState, SoundTrouble
from appliance.sounds.cue import Cue
from appliance.sounds.tones import RATE, mixed, samples, scaled

log = logging.getLogger(__name__)

WAITING = 4
"""How many cues may wait for the device; of more the oldest are forgotten."""
STALE_S = 0.8
"""What could not be heard within this time is not heard any more."""
LINGER_S = 1.5
"""How long the device stays open when nothing sounds."""
IDLE_S = 1.0
"""After a pause of so long one more cue's waves are made ready."""
RETRY_S = 60.0
"""How long a card that failed is left alone."""
STOP_S = 0.8


class Device(Protocol):
    """An open device (`AudioDevice`)."""

    @property
    def waiting(self) -> int: ...
    def queue(self, wave: bytes) -> None: ...
    def clear(self) -> None: ...
    def close(self) -> None: ...


class SoundCard:
    """A `Sound` of this volume in per cent, on the device of this name ("" the system's own)."""

    def __init__(self, volume: int, device: str = "", open_device: Callable[[str], Device] = AudioDevice) -> None:
        self._volume, self._name, self._open = volume, device, open_device
        self._run: _Run | None = None

    @property
    def state(self) -> SoundState:
        return self._run.state if self._run is not None else SoundState.STOPPED

    @property
    def why(self) -> SoundTrouble | None:
        return self._run.why if self._run is not None else None

    def start(self) -> None:
        """Be ready; the device is not touched yet. RuntimeError when already started."""
        if self._run is not None:
            raise RuntimeError("the sound was started already")
        self._run = _Run(self._volume, lambda: self._open(self._name))

    def play(self, cue: Cue) -> None:
        """Make a cue heard, with those that sound already."""
        if (run := self._run) is not None:
            run.play(cue)

    def stop(self) -> None:
        """Be still. A thread that its device keeps hanging is left behind."""
        run, self._run = self._run, None
        if run is not None:
            run.stop()


class _Run:
    """From start to stop."""

    def __init__(self, volume: int, open_device: Callable[[], Device]) -> None:
        self.state = SoundState.SILENT
        self.why: SoundTrouble | None = None
        self._volume, self._open = volume, open_device
        self._waves: dict[Cue, array[int]] = {}
        self._changed = threading.Condition()
        self._cues: deque[tuple[Cue, float]] = deque(maxlen=WAITING)
        self._stopping = False
        self._thread = threading.Thread(target=self._listen, name="sound", daemon=True)
        self._thread.start()

    def play(self, cue: Cue) -> None:
        with self._changed:
            self._cues.append((cue, time.monotonic()))
            self._changed.notify()

    def stop(self) -> None:
        with self._changed:
            self._stopping = True
            self._changed.notify()
        self._thread.join(STOP_S)
        if self._thread.is_alive():
            log.warning("sound: hangs in its device, left behind")

    # -- in the thread -----------------------------------------------------------------------------------

    def _listen(self) -> None:
        failed_at, unmade = -RETRY_S, deque(Cue)
        while not self._stopping:
            cue = self._next(IDLE_S if unmade else None)
            if cue is None and unmade:  # made while nobody waits: the longest takes 150 ms from all other threads
                self._wave(unmade.popleft())
            if cue is None or time.monotonic() - failed_at < RETRY_S:
                continue
            try:
                self._sound(cue)
            except SoundFailed as failed:
                failed_at = time.monotonic()
                self._tell(SoundState.FAILED, failed.why, str(failed))

    def _sound(self, cue: Cue | None) -> None:
        """Open the device, and play until nothing has come for a moment after the last sample."""
        device = self._open()
        self._tell(SoundState.WORKS)
        try:
            sounding: array[int] = array("h")
            while cue is not None:
                wave = self._wave(cue)
                rest = device.waiting
                device.clear()
                sounding = mixed(sounding[len(sounding) - rest :], wave) if rest else wave
                device.queue(sounding.tobytes())
                cue = self._next(len(sounding) / RATE + LINGER_S)
            device.clear()
        finally:
            device.close()

    def _wave(self, cue: Cue) -> array[int]:
        if cue not in self._waves:
            self._waves[cue] = scaled(samples(cue), self._volume)
        return self._waves[cue]

    def _next(self, seconds: float | None) -> Cue | None:
        """The next cue, if it is still true; None where it is not, none comes in so many seconds, or it is over."""
        with self._changed:
            self._changed.wait_for(lambda: self._stopping or bool(self._cues), seconds)
            while self._cues and not self._stopping:
                cue, at = self._cues.popleft()
                if time.monotonic() - at <= STALE_S:
                    return cue
        return None

    def _tell(self, state: SoundState, why: SoundTrouble | None = None, text: str = "") -> None:
        """Into the log, once for each change."""
        if (state, why) != (self.state, self.why):
            self.state, self.why = state, why
            if state is SoundState.FAILED:
                log.warning("sound: nothing can be heard, %s: %s", why, text)
            else:
                log.info("sound: works")
