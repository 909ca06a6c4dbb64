"""Whether the sound card can be opened; it is heard only where somebody asks for it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Protocol

from appliance.config import Config
from appliance.health.finding import Finding
from appliance.hw.sdl_audio import AudioDevice
from appliance.hw.sound_ports import SoundFailed, SoundTrouble
from appliance.i18n import N_
from appliance.sounds.cue import Cue
from appliance.sounds.tones import RATE, samples, scaled

_WHY: dict[SoundTrouble, tuple[str, str]] = {
    SoundTrouble.NO_DEVICE: (
        N_("There is no sound card of this name, or another program has it."),
        N_("aplay -L lists the cards: set sound.device to one, or leave it out; the user must be in the group audio."),
    ),
    SoundTrouble.NO_LIBRARY: (
        N_("The SDL library that plays sounds was not found."),
        N_("Install pygame-ce as it was tested: pip install 'pygame-ce>=2.5.3,<2.6'"),
    ),
}


class Device(Protocol):
    """An open sound card (`AudioDevice`)."""

    def queue(self, wave: bytes) -> None: ...
    def close(self) -> None: ...


def check(config: Config, play: bool, open_device: Callable[[str], Device] = AudioDevice) -> Iterator[Finding]:
    """One finding for the sound; with ``play`` it is heard, at the configured volume whatever the hour."""
    volume, name = config.sound.volume, config.sound.device
    if not volume:
        yield Finding(subject="sound", standing="absent", code="no-sound", text=N_("No sound is configured."))
        return
    facts = {"volume": f"{volume} %"} | ({"device": name} if name else {})
    try:
        device = open_device(name)
        try:
            if play:
                _play(device, volume)
        finally:
            device.close()
    except SoundFailed as failed:
        text, remedy = _WHY[failed.why]
        yield Finding(
            subject="sound",
            standing="issue",
            code=failed.why.value,
            text=text,
            remedy=remedy,
            facts={**facts, "error": str(failed)},
        )
        return
    yield Finding(subject="sound", standing="ok", code="works", text=N_("The sound card can be opened."), facts=facts)


def _play(device: Device, volume: int) -> None:
    for cue in (Cue.ACCEPTED, Cue.LEVEL):
        wave = scaled(samples(cue), volume)
        device.queue(wave.tobytes())
        time.sleep(len(wave) / RATE)
