"""The kiosk's program is heard: a tap at its reader makes the sound card play, and lets it go again."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from array import array
from collections.abc import Callable
from pathlib import Path

from appliance.hw.control import ask
from appliance.sounds.cue import Cue
from appliance.sounds.tones import samples, scaled

PATIENCE_S = 30.0


def until(so: Callable[[], bool], kiosk: subprocess.Popen[bytes]) -> None:
    ends = time.monotonic() + PATIENCE_S
    while not so():
        assert kiosk.poll() is None and time.monotonic() < ends, "waited in vain"
        time.sleep(0.05)


def plays(kiosk: subprocess.Popen[bytes]) -> bool:
    tasks = Path(f"/proc/{kiosk.pid}/task").iterdir()
    return any((task / "comm").read_text().startswith("SDLAudio") for task in tasks)


def test_a_tap_is_heard_and_the_sound_card_let_go_again(tmp_path: Path) -> None:
    socket, tape, config = tmp_path / "reader", tmp_path / "tape.raw", tmp_path / "device.toml"
    config.write_text(
        f'[device]\nname = "door"\nrole = "door"\ndata = "{tmp_path / "data"}"\n[broker]\nport = 1\n'
        f'[reader]\ndriver = "simulated"\nsocket = "{socket}"\n[screen]\nfullscreen = false\nheadless = true\n'
        "[sound]\nvolume = 50\n"
    )
    env = {**os.environ, "SDL_AUDIODRIVER": "disk", "SDL_DISKAUDIOFILE": str(tape)}
    with subprocess.Popen([sys.executable, "-m", "appliance", "kiosk", str(config)], env=env) as kiosk:
        try:
            until(socket.exists, kiosk)
            assert not tape.exists()
            assert ask(socket, "tap 04AABBCCDDEEFF").startswith("ok")
            until(lambda: plays(kiosk), kiosk)
            until(lambda: not plays(kiosk), kiosk)
        finally:
            kiosk.terminate()
            kiosk.wait(PATIENCE_S)
    assert kiosk.returncode == 0
    heard = array("h")
    heard.frombytes(tape.read_bytes())
    again = scaled(samples(Cue.AGAIN), 50)  # the league's word is not here yet: no fault of the card
    assert again.tobytes().strip(b"\0") in heard.tobytes()
