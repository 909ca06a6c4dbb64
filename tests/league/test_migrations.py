"""A league of any older version is brought up to date with all that is in it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.league.processes import League


def test_rows_of_every_older_state_are_there_after_all_migrations(tmp_path: Path) -> None:
    league = League(tmp_path / "league")
    league.directory.mkdir()
    walked = subprocess.run(
        [sys.executable, "-m", "tests.league.older_states"], env=league.env, capture_output=True, text=True, check=False
    )
    assert walked.returncode == 0, walked.stderr[-4000:]
    told = json.loads(walked.stdout)
    assert len(told["made"]["people.participant"]) > 10
    # emptied by an upgrade, and computed anew from records
    for derived in ("standings.roundreport", "standings.result", "standings.seasontotal"):
        told["made"].pop(derived)
    lost = {label: gone for label, made in told["made"].items() if (gone := set(made) - set(told["found"][label]))}
    assert lost == {}
    assert "No migrations to apply" in league.run("migrate")
    league.stop()
