"""``tableside send`` says what is wrong with its own device, and never that of the director."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from appliance.config import load
from appliance.workplace import Workplace


def test_a_device_that_another_program_uses_is_told_and_nothing_is_asked(tmp_path: Path) -> None:
    site, commands = tmp_path / "site.toml", tmp_path / "commands"
    site.write_text(
        f'[broker]\nport = 1\n[device]\nname = "laptop"\nrole = "door"\ndata = "{tmp_path}"\n'
        "[screen]\nheadless = true\n"
    )  # fmt: skip
    commands.write_text('{"do":"open","round":"R1"}\n')
    words = [sys.executable, "-m", "appliance", "send", str(site), "--actor", "000001", "--commands", str(commands)]
    with Workplace(load(site), [site]).claimed():
        done = subprocess.run(words, capture_output=True, text=True, env=os.environ, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.splitlines()[-1] == f"tableside send: {tmp_path} is in use by another program of this device"
