"""A kiosk shows who it is before it loads what takes its time: network, cryptography, readers."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

LATE = {"paho", "cryptography", "smartcard"}

WATCHED = """
import importlib.abc, signal, sys
from appliance.display.window import Window

class Watch(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name in LATE:
            print("import", name, flush=True)
        return None

show = Window.show
def shown(self, ops):
    boxes = show(self, ops)
    print("frame", len(boxes), flush=True)
    return boxes

LATE = set(sys.argv[1].split())
Window.show = shown
sys.meta_path.insert(0, Watch())

from appliance.cli import main
sys.exit(main(["kiosk", sys.argv[2]]))
"""


def test_the_first_frame_comes_before_network_cryptography_and_readers_are_loaded(tmp_path: Path) -> None:
    config = tmp_path / "device.toml"
    config.write_text(
        f'[device]\nname = "table-1"\ndata = "{tmp_path / "data"}"\n[broker]\nport = 1\n'
        '[reader]\ndriver = "pcsc"\nmatch = "none such"\n[screen]\nfullscreen = false\nheadless = true\n'
    )
    command = [sys.executable, "-u", "-c", WATCHED, " ".join(sorted(LATE)), str(config)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as kiosk:
        assert kiosk.stdout is not None
        patience = threading.Timer(30.0, kiosk.kill)
        patience.start()
        said, missing = [], set(LATE)
        for line in kiosk.stdout:
            said.append(line.split())
            missing.discard(said[-1][1])
            if not missing:
                kiosk.terminate()
                break
        rest = kiosk.stdout.read()
        patience.cancel()
    assert not missing, said
    assert said[0] == ["frame", "1"], said
    assert kiosk.returncode == 0, rest
