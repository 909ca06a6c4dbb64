"""A spare device finds a venue that it does not know by multicast DNS, on another host, and is let in there."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from appliance.display.view import SpareView
from appliance.orphan import die_with_parent
from tests.link.harness import wait_for
from tests.link.test_roaming_venue import Town


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    one = Town(tmp_path, "zeroconf", newcomers=8884)
    yield one
    one.close()


def test_a_device_that_knows_no_venue_finds_one_on_another_host(town: Town, tmp_path: Path) -> None:
    screen, file = tmp_path / "screen.json", tmp_path / "spare.toml"
    file.write_text(
        f'[device]\nrole = "spare"\ndata = "{tmp_path}/spare"\n'
        "[screen]\nwidth = 640\nheight = 360\nfullscreen = false\nheadless = true\n"
    )
    town.start("director", town.there, "director")
    command = town.here.command(sys.executable, "-m", "tests.system.spare_program", str(screen), str(file))
    with (tmp_path / "spare.log").open("ab") as log:
        town.running["new"] = subprocess.Popen(command, stdout=log, stderr=log, preexec_fn=die_with_parent())

    def shown() -> SpareView | None:
        view = msgspec.json.decode(screen.read_bytes(), type=SpareView) if screen.exists() else SpareView(device="")
        return view if any(venue.shown for venue in view.venues) else None

    wait_for(lambda: shown() is not None, "the director shows it to commissioners")
    view = shown()
    assert view is not None and view.code and [venue.name for venue in view.venues] == ["brno"]
    town.kill("director")
    wait_for(lambda: shown() is None, "and no more, once it is gone")
