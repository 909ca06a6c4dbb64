"""The driver for sound cards: what SDL really gets, a card that is missing, and nothing left awake."""

from __future__ import annotations

import logging
import threading
import time
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from appliance.hw import sound
from appliance.hw.panel import Signal
from appliance.hw.sound import SoundCard
from appliance.hw.sound_ports import SoundFailed, SoundState, SoundTrouble
from appliance.sounds.cue import TAP, Cue
from appliance.sounds.speaker import Speaker
from appliance.sounds.tones import FULL, RATE, samples

PATIENCE_S = 10.0


def until(so: Callable[[], bool]) -> None:
    ends = time.monotonic() + PATIENCE_S
    while not so():
        assert time.monotonic() < ends, "waited in vain"
        time.sleep(0.01)


@pytest.fixture
def tape(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """SDL's own disk driver: what a card would get lies in this file."""
    file = tmp_path / "tape.raw"
    monkeypatch.setenv("SDL_AUDIODRIVER", "disk")
    monkeypatch.setenv("SDL_DISKAUDIOFILE", str(file))
    monkeypatch.setattr(sound, "LINGER_S", 0.1)
    return file


def recorded(tape: Path, volume: int, *cues: Cue) -> array[int]:
    """All that the card got of these cues, one after another at once."""
    card = SoundCard(volume)
    card.start()
    for cue in cues:
        card.play(cue)
    until(lambda: card.state is SoundState.WORKS and not _device_threads())
    card.stop()
    wave = array("h")
    wave.frombytes(tape.read_bytes())
    return wave


def _device_threads() -> list[str]:
    names = [(task / "comm").read_text().strip() for task in Path("/proc/self/task").iterdir()]
    return [name for name in names if name.startswith("SDLAudio")]


def heard(wave: array[int]) -> array[int]:
    """Without the silence before and after."""
    loud = [n for n, value in enumerate(wave) if value]
    return wave[loud[0] : loud[-1] + 1]


def test_the_card_gets_the_cue_s_waves_and_no_others(tape: Path) -> None:
    assert heard(recorded(tape, 100, Cue.ACCEPTED)) == heard(samples(Cue.ACCEPTED))


def test_half_the_volume_sounds_half_as_loud(tape: Path) -> None:
    whole = max(samples(Cue.REFUSED))
    assert max(recorded(tape, 50, Cue.REFUSED)) == pytest.approx(whole / 4, abs=2)


def test_two_cues_at_once_are_both_heard(tape: Path) -> None:
    wave = heard(recorded(tape, 100, Cue.TIME_OVER, Cue.ACCEPTED))
    assert abs(len(wave) / RATE - 0.9) < 0.15
    assert FULL < max(map(abs, wave)) <= 2 * FULL


def test_the_device_is_open_only_while_something_sounds(tape: Path) -> None:
    card = SoundCard(30)
    card.start()
    time.sleep(0.1)
    assert not _device_threads() and not tape.exists()
    card.play(Cue.COUNT)
    until(lambda: bool(_device_threads()))
    until(lambda: not _device_threads())
    card.stop()


def test_a_missing_card_is_a_state_told_once_and_left_alone_for_a_while(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "none-such")
    card = SoundCard(50)
    with caplog.at_level(logging.INFO, "appliance.hw.sound"):  # a command tried before may have quietened its drivers
        card.start()
        card.play(Cue.LEVEL)
        until(lambda: card.state is SoundState.FAILED)
        for _ in range(20):
            card.play(Cue.ACCEPTED)
        time.sleep(0.1)
        card.stop()
    assert card.state is SoundState.STOPPED
    assert [record.levelname for record in caplog.records if "sound" in record.message] == ["WARNING"]


class Stuck:
    """A device that hangs while it is opened, or fails."""

    def __init__(self) -> None:
        self.let_go = threading.Event()
        self.opened = 0
        self.queued: list[int] = []
        self.fails = False

    def open(self, _: str) -> Stuck:
        self.opened += 1
        if self.fails:
            raise SoundFailed(SoundTrouble.NO_DEVICE, "busy")
        self.let_go.wait(PATIENCE_S)
        return self

    waiting = 0

    def queue(self, wave: bytes) -> None:
        self.queued.append(len(wave))

    def clear(self) -> None: ...
    def close(self) -> None: ...


@pytest.fixture
def stuck() -> Iterator[Stuck]:
    device = Stuck()
    yield device
    device.let_go.set()


def test_a_card_that_hangs_holds_up_nobody(stuck: Stuck) -> None:
    card = SoundCard(50, open_device=stuck.open)
    card.start()
    for _ in range(1000):
        card.play(Cue.ACCEPTED)
    until(lambda: stuck.opened == 1)
    assert stuck.queued == []


def test_what_comes_too_late_is_not_heard(stuck: Stuck, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sound, "STALE_S", 0.05)
    monkeypatch.setattr(sound, "LINGER_S", 0.1)
    card = SoundCard(50, open_device=stuck.open)
    card.start()
    card.play(Cue.ACCEPTED)
    until(lambda: stuck.opened == 1)
    for _ in range(10):
        card.play(Cue.REFUSED)
    time.sleep(0.2)
    stuck.let_go.set()
    until(lambda: bool(stuck.queued))
    time.sleep(0.3)
    assert len(stuck.queued) == 1
    card.stop()


def test_a_card_that_works_again_is_heard_again(stuck: Stuck, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sound, "RETRY_S", 0.1)
    stuck.fails = True
    stuck.let_go.set()
    card = SoundCard(50, open_device=stuck.open)
    card.start()
    card.play(Cue.ACCEPTED)
    until(lambda: card.why is SoundTrouble.NO_DEVICE)
    stuck.fails = False
    time.sleep(0.15)
    card.play(Cue.ACCEPTED)
    until(lambda: card.state is SoundState.WORKS)
    assert card.why is None
    card.stop()


def test_in_quiet_hours_the_card_is_not_even_opened(tape: Path) -> None:
    card = SoundCard(100)
    minute = 23 * 60
    speaker = Speaker(card, TAP, minute=lambda: minute, monotonic=time.monotonic, quiet_from="22:00", quiet_to="06:00")
    card.start()
    speaker.show(Signal.REFUSED)
    time.sleep(0.2)
    assert card.state is SoundState.SILENT and not tape.exists()
    minute = 6 * 60
    speaker.show(Signal.REFUSED)
    until(lambda: card.state is SoundState.WORKS)
    card.stop()
    assert tape.exists()
