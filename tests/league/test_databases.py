"""What the league promises of its database, whichever of the two it is."""

from __future__ import annotations

from django.db import connections

from tests.league import postgres
from tests.league.processes import League


def test_the_tests_run_on_the_database_that_their_lane_is_named_after(db: None, empty_league: League) -> None:
    wanted = "postgresql" if postgres.folder() else "sqlite"
    assert {connections[alias].vendor for alias in connections} == {wanted}
    assert empty_league.rows("SELECT count(*) FROM people_participant") == [(0,)]
    assert (empty_league.directory / "league.sqlite3").exists() == (wanted == "sqlite")
