"""A database of the version before, brought up to date."""

from __future__ import annotations

import json
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance.link.broker import find_broker, start_broker
from tests.league.processes import League, Uplink, eventually
from tests.league.rounds_played import FLAT
from tests.league.scribe import evening

ROWS = "SELECT number, place, prize, half_points, counted FROM standings_result ORDER BY number"


def test_P_what_was_offered_before_an_upgrade_stays_promised_and_results_are_folded_anew(
    league: League, tmp_path: Path, director_key: Ed25519PrivateKey
) -> None:
    with start_broker(find_broker(), tmp_path / "broker") as broker:
        url = f"mqtt://{broker.endpoint.host}:{broker.endpoint.port}"
        ingest, _ = league.start("ingest", "--broker", url, until="ingest: connected")
        uplink = Uplink(broker)
        uplink.deliver(evening(director_key), 500)
        uplink.client.stop()
        eventually(lambda: len(league.rows(ROWS)), 18)
        before = league.rows(ROWS)
        ingest.terminate()
        ingest.wait(10)
        league.run("migrate", "standings", "0001", "-v0")
        league.run("migrate", "rounds", "0001", "-v0")
        ((said,),) = league.rows("SELECT announcement FROM rounds_round")
        old = json.loads(said) | {"points_key": FLAT}
        league.change("UPDATE rounds_round SET announcement = %s, offered_at = '2027-01-10'", json.dumps(old))
        league.run("migrate", "-v0")
        (promised,) = league.rows("SELECT promised FROM rounds_round")
        assert json.loads(promised[0]) == old
        assert league.rows(ROWS) == []
        league.run("import_season", str(tmp_path / "season.json"))  # the same announcement, without the key
        league.start("ingest", "--broker", url, until="ingest: connected")
        eventually(lambda: league.rows(ROWS), before)
