"""T-3 with a league, its ingest, an uplink and a director: whose allowance is here deposits while all else is away."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from appliance.apps.demo_season import PLAYERS
from appliance.game.tokens import PRAGUE, until_morning
from appliance.link.envelope import Reply
from tests.system.hands import Hand, command
from tests.system.houses import House
from tests.system.leagues import make_league

HERE, HERE_TOO, VISITOR = PLAYERS[:3]


def soon() -> datetime:
    """A start within the hour, or in the morning if the night's tokens would end too soon."""
    start = datetime.now(PRAGUE) + timedelta(minutes=30)
    until = datetime.fromtimestamp(until_morning(round(start.timestamp() * 1000)) / 1000, UTC)
    return start if until - datetime.now(UTC) > timedelta(hours=2) else until.astimezone(PRAGUE)


@pytest.fixture
def house(open_house: Callable[..., House], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    """A venue whose league has allowances in force, and one participant who is at home nowhere."""
    monkeypatch.setattr("tests.system.leagues.EVENING", soon())
    folder = tmp_path / "tonight"
    folder.mkdir()
    make_league(folder)
    house = open_house(league=folder)
    away = f"UPDATE people_participant SET home_venue_id = NULL WHERE number = '{VISITOR.number}'"
    run(house, "shell", "-c", f"from django.db import connection as c; c.cursor().execute({away!r})")
    run(house, "allowances", "--on")
    house.start("director", "uplink", "ingest")
    return house


def run(house: House, *words: str) -> None:
    env = {
        **os.environ, "TABLESIDE_LEAGUE_DIR": str(house.folder / "league"), "TABLESIDE_LEAGUE_SECRET_KEY": "test",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "league", *words], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def registers(hand: Hand, number: str) -> Reply:
    return hand.ask(command({"do": "register", "participant": number, "identity_checked": True}))


def test_T_3_a_cut_off_venue_takes_the_deposits_whose_allowances_are_there_and_no_others(house: House) -> None:
    hand = Hand(house, "floor")
    hand.ping()  # the director is there
    house.wait_for("the allowances", lambda: HERE_TOO.number in house.roster("director").allowances)
    assert VISITOR.number not in house.roster("director").allowances
    assert hand.ask(command({"do": "open"})).ok
    assert registers(hand, HERE.number).ok
    house.kill("uplink", "ingest")
    assert registers(hand, HERE_TOO.number).ok
    refused = registers(hand, VISITOR.number)
    assert refused.refusal is not None
    assert refused.refusal.code == "deposit-limit"
    assert json.loads(bytes(refused.refusal.detail))["left"] is None
    house.start("uplink", "ingest")
    house.wait_for("the visitor's allowance", lambda: registers(hand, VISITOR.number).ok)
    hand.close()
    house.wait_for("the question at the league", lambda: house.league_rows(
        "SELECT 1 FROM ingest_rawrecord WHERE type = 'allowance-asked/1'"
    ))  # fmt: skip
