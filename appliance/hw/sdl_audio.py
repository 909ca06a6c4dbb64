"""SDL's audio (SDL 2, CategoryAudio), as far as cues need it: one device that is fed by a queue.

It is the library that pygame brought into this process, called without pygame: `pygame.mixer.init` holds Python's lock
while a sound card is looked for, 127 ms of a frozen kiosk where there is none (measured on pygame-ce 2.5.8 with ALSA),
and brings in 3 MB of codecs.
"""

from __future__ import annotations

import ctypes
import functools
import sys
from pathlib import Path

from appliance.hw.sound_ports import SoundFailed, SoundTrouble
from appliance.sounds.tones import RATE

_AUDIO = 0x10
_S16 = 0x8010 if sys.byteorder == "little" else 0x9010
BUFFER = 1024
"""Samples that the device takes at once: a twentieth of a second."""


class _Spec(ctypes.Structure):
    """SDL_AudioSpec."""

    _fields_ = [
        ("freq", ctypes.c_int),
        ("format", ctypes.c_uint16),
        ("channels", ctypes.c_uint8),
        ("silence", ctypes.c_uint8),
        ("samples", ctypes.c_uint16),
        ("padding", ctypes.c_uint16),
        ("size", ctypes.c_uint32),
        ("callback", ctypes.c_void_p),
        ("userdata", ctypes.c_void_p),
    ]


class AudioDevice:
    """An open device; ``name`` "" is the system's own. Raises `SoundFailed`. Every call lets other threads run."""

    def __init__(self, name: str = "") -> None:
        self._sdl = sdl = _library()
        if sdl.SDL_InitSubSystem(_AUDIO):
            raise SoundFailed(SoundTrouble.NO_DEVICE, _error(sdl))
        wanted = _Spec(freq=RATE, format=_S16, channels=1, samples=BUFFER)
        self._number = sdl.SDL_OpenAudioDevice(name.encode() or None, 0, ctypes.byref(wanted), None, 0)
        if not self._number:
            failed = SoundFailed(SoundTrouble.NO_DEVICE, _error(sdl))
            sdl.SDL_QuitSubSystem(_AUDIO)
            raise failed
        sdl.SDL_PauseAudioDevice(self._number, 0)

    def queue(self, wave: bytes) -> None:
        """Play these samples after those that wait. Raises `SoundFailed`."""
        if self._sdl.SDL_QueueAudio(self._number, wave, len(wave)):
            raise SoundFailed(SoundTrouble.NO_DEVICE, _error(self._sdl))

    @property
    def waiting(self) -> int:
        """Samples that wait."""
        return int(self._sdl.SDL_GetQueuedAudioSize(self._number)) // 2

    def clear(self) -> None:
        """Forget those that wait."""
        self._sdl.SDL_ClearQueuedAudio(self._number)

    def close(self) -> None:
        """Let what the device holds already be heard, then let go of it and of all audio: SDL looks for new cards."""
        self._sdl.SDL_CloseAudioDevice(self._number)
        self._sdl.SDL_QuitSubSystem(_AUDIO)


@functools.cache
def _library() -> ctypes.CDLL:
    """SDL as pygame has it loaded, a distribution's or the wheel's own: a second one would be another SDL."""
    from appliance.display import parts  # loads it

    assert parts.base
    for line in Path("/proc/self/maps").read_text().splitlines():
        file = line.partition("/")[2]
        if Path(file).name.startswith("libSDL2-2"):
            return _declared(ctypes.CDLL(f"/{file}"))
    raise SoundFailed(SoundTrouble.NO_LIBRARY, "no libSDL2-2 in this process: pygame-ce has another SDL")


def _declared(sdl: ctypes.CDLL) -> ctypes.CDLL:
    number, pointer = ctypes.c_uint32, ctypes.c_void_p
    for name, result, arguments in (
        ("SDL_InitSubSystem", ctypes.c_int, (number,)),
        ("SDL_QuitSubSystem", None, (number,)),
        ("SDL_GetError", ctypes.c_char_p, ()),
        ("SDL_OpenAudioDevice", number, (ctypes.c_char_p, ctypes.c_int, pointer, pointer, ctypes.c_int)),
        ("SDL_PauseAudioDevice", None, (number, ctypes.c_int)),
        ("SDL_QueueAudio", ctypes.c_int, (number, ctypes.c_char_p, number)),
        ("SDL_GetQueuedAudioSize", number, (number,)),
        ("SDL_ClearQueuedAudio", None, (number,)),
        ("SDL_CloseAudioDevice", None, (number,)),
    ):
        function = getattr(sdl, name)
        function.restype, function.argtypes = result, arguments
    return sdl


def _error(sdl: ctypes.CDLL) -> str:
    said: bytes = sdl.SDL_GetError()
    return said.decode(errors="replace") or "SDL does not say why"
