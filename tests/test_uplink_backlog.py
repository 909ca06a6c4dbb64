"""What waits for the league is known even while the league is away."""

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance.apps.uplink import backlog
from appliance.journal import Draft, Journal
from appliance.record import to_raw


def test_the_backlog_is_what_the_league_has_not_said_it_stored(tmp_path):
    key = Ed25519PrivateKey.generate()
    with Journal(tmp_path / "d", device="director", key=key) as journal, Journal(tmp_path / "u") as own:
        for stream in ("round/R1", "league/brno"):
            with journal.begin() as transaction:
                epoch = transaction.open_epoch(stream, "begin", 1).epoch
                transaction.append(stream, epoch, [Draft("x/1", to_raw({}))] * 4, 1)
                transaction.commit()
        assert backlog(journal, own, "brno") == 5
        own.set_cursor("league", "round/R1", epoch, 3)
        assert backlog(journal, own, "brno") == 2
        own.set_cursor("league", "round/R1", epoch, 9)
        assert backlog(journal, own, "brno") == 0
