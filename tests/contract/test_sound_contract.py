"""What every driver of sound promises: the real one over SDL without a card, and the simulated one."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from appliance.hw.simulated_sound import SimulatedSound
from appliance.hw.sound import SoundCard
from appliance.hw.sound_ports import Sound, SoundState, SoundTrouble
from appliance.sounds.cue import Cue

PATIENCE_S = 10.0


@pytest.fixture(params=["simulated", "sdl"])
def make(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], Sound]:
    """A driver, with a card that works or without one."""

    def made(works: bool) -> Sound:
        if request.param == "simulated":
            return SimulatedSound(None if works else SoundTrouble.NO_DEVICE)
        monkeypatch.setenv("SDL_AUDIODRIVER", "dummy" if works else "none-such")
        return SoundCard(40)

    return made


def until(sound: Sound, state: SoundState) -> None:
    ends = time.monotonic() + PATIENCE_S
    while sound.state is not state:
        assert time.monotonic() < ends, f"{sound.state}, not {state}"
        time.sleep(0.01)


def test_a_cue_is_heard(make: Callable[[bool], Sound]) -> None:
    sound = make(True)
    assert sound.state is SoundState.STOPPED
    sound.start()
    assert sound.state is SoundState.SILENT and sound.why is None
    sound.play(Cue.ACCEPTED)
    until(sound, SoundState.WORKS)
    assert sound.why is None
    sound.stop()
    assert sound.state is SoundState.STOPPED


def test_a_missing_card_is_a_state(make: Callable[[bool], Sound]) -> None:
    sound = make(False)
    sound.start()
    sound.play(Cue.ACCEPTED)
    until(sound, SoundState.FAILED)
    assert sound.why is SoundTrouble.NO_DEVICE
    sound.stop()


def test_play_does_nothing_before_the_start_and_after_the_stop(make: Callable[[bool], Sound]) -> None:
    sound = make(True)
    sound.play(Cue.ACCEPTED)
    sound.start()
    sound.stop()
    sound.play(Cue.ACCEPTED)
    assert sound.state is SoundState.STOPPED


def test_stop_may_be_called_twice_and_the_sound_started_again(make: Callable[[bool], Sound]) -> None:
    sound = make(True)
    sound.stop()
    for _ in range(2):
        sound.start()
        with pytest.raises(RuntimeError):
            sound.start()
        sound.stop()
        sound.stop()
    sound.start()
    sound.play(Cue.REFUSED)
    until(sound, SoundState.WORKS)
    sound.stop()
