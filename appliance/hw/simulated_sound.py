"""A sound card for tests and rehearsals: it keeps what was to be heard."""

from __future__ import annotations

from appliance.hw.sound_ports import SoundState, SoundTrouble
from appliance.sounds.cue import Cue


class SimulatedSound:
    """A `Sound`; ``heard`` are the cues in their order, ``trouble`` what its card suffers from."""

    def __init__(self, trouble: SoundTrouble | None = None) -> None:
        self.trouble = trouble
        self.heard: list[Cue] = []
        self.state = SoundState.STOPPED

    @property
    def why(self) -> SoundTrouble | None:
        return self.trouble if self.state is SoundState.FAILED else None

    def start(self) -> None:
        if self.state is not SoundState.STOPPED:
            raise RuntimeError("the sound was started already")
        self.state = SoundState.SILENT

    def play(self, cue: Cue) -> None:
        if self.state is SoundState.STOPPED:
            return
        if self.trouble is not None:
            self.state = SoundState.FAILED
            return
        self.state = SoundState.WORKS
        self.heard.append(cue)

    def stop(self) -> None:
        self.state = SoundState.STOPPED
