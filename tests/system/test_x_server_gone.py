"""A kiosk whose X server dies ends in order, and soon: a windowed one span for ever over SDL's farewell to the server,
deaf to SIGTERM, so that nothing started it again.
"""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from appliance.hw.control import ask
from tests.system.houses import Program
from tests.xserver import XServer

KIOSK = """
import sys
from pathlib import Path
from gpiozero.pins.mock import MockFactory, MockPWMPin
from appliance.cli import main
from appliance.hw import pins

RED, NOTE = 17, Path(sys.argv[1])
factory, opened = MockFactory(pin_class=MockPWMPin), pins.open_panel

def open_panel(wanted, sink):
    panel = opened(wanted, sink, make_factory=lambda *_: factory)
    close = panel.close
    def noted():
        before = factory.pin(RED).state
        close()
        NOTE.write_text(f"{before:g} {factory.pin(RED).state or 0:g}")
    panel.close = noted
    return panel

pins.open_panel = open_panel
sys.exit(main(["kiosk", sys.argv[2]]))
"""


class Kiosk:
    """A table's program with its reader and a red light, on a screen of its own; the network is not there."""

    def __init__(self, folder: Path, display: str, *, fullscreen: bool, role: str = "table") -> None:
        self.reader = folder / "reader"
        self.light = folder / "light"
        self.data = folder / "data"
        file = folder / "device.toml"
        file.write_text(
            f'[device]\nname = "table-1"\nrole = "{role}"\ntable = 1\ndata = "{self.data}"\n'
            f'[reader]\ndriver = "simulated"\nsocket = "{self.reader}"\n[pins]\nred = 17\n[broker]\nport = 9\n'
            f"[screen]\nwidth = 640\nheight = 360\nfullscreen = {str(fullscreen).lower()}\n"
        )
        command = [sys.executable, "-c", KIOSK, str(self.light), str(file)]
        env = {"DISPLAY": display, "SDL_VIDEODRIVER": "x11"}
        self.program = Program("table-1", command, folder / "log", env)

    def wait_until_ready(self) -> None:
        """Until cards are taken; the first frame was on the screen before."""
        deadline = time.monotonic() + 40
        while not self._is_ready():
            assert self.program.ended is None, self.program.said()
            assert time.monotonic() < deadline, self.program.said()
            time.sleep(0.02)

    def _is_ready(self) -> bool:
        try:
            return ask(self.reader, "state") == "online"
        except OSError:
            return False

    def check_all_let_go(self) -> None:
        """Journal closed, reader's socket gone, light out; and nothing died on the way."""
        assert sorted(file.name for file in self.data.glob("journal*")) == ["journal"]
        assert not self.reader.exists()
        assert self.light.read_text().split()[1] == "0"
        assert "Traceback" not in self.program.said()


@pytest.fixture
def server() -> Iterator[XServer]:
    with XServer() as made:
        yield made


@pytest.fixture(params=[False, True], ids=["window", "fullscreen"])
def kiosk(tmp_path: Path, server: XServer, request: pytest.FixtureRequest) -> Iterator[Kiosk]:
    made = Kiosk(tmp_path, server.display, fullscreen=request.param)
    made.wait_until_ready()
    yield made
    if made.program.ended is None:
        made.program.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_kiosk_ends_in_order_with_its_x_server(kiosk: Kiosk, server: XServer, number: signal.Signals) -> None:
    server.send(number)
    assert kiosk.program.wait() == 1
    assert "the X server is gone: ending, to be started again" in kiosk.program.said()
    kiosk.check_all_let_go()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("first", ["asked", "server"])
def test_a_kiosk_asked_to_end_while_its_x_server_goes_ends_in_order(
    kiosk: Kiosk, server: XServer, number: signal.Signals, first: str
) -> None:
    """As at a shutdown, where all programs are asked to end at once."""
    if first == "asked":
        kiosk.program.signal(signal.SIGTERM)
    server.send(number)
    if first == "server":
        kiosk.program.signal(signal.SIGTERM)
    assert kiosk.program.wait() in (0, 1)
    kiosk.check_all_let_go()


def test_a_kiosk_that_only_says_what_is_wrong_ends_with_its_x_server(tmp_path: Path, server: XServer) -> None:
    made = Kiosk(tmp_path, server.display, fullscreen=False, role="nobody")
    deadline = time.monotonic() + 40
    while "device.role" not in made.program.said():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    time.sleep(1)  # it opens its window meanwhile: with or without it the end is the same
    server.send(signal.SIGKILL)
    assert made.program.wait() == 2
    assert "Traceback" not in made.program.said()
