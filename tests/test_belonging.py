"""An uplink knows who belongs to the venue by the journal that it carries: site files know nothing of spare devices."""

from __future__ import annotations

from pathlib import Path

import msgspec

from appliance import kinds
from appliance.belonging import Belonging
from appliance.config import Config, Device, League, Venue
from appliance.engine import Engine, Order
from appliance.game.fleet import DeviceKnown
from appliance.game.roster import encode_roster_event
from appliance.journal import Draft, Journal
from appliance.record import uuid7
from appliance.workplace import Workplace

NEW, OTHER = "a" * 64, "b" * 64


def place(folder: Path) -> Workplace:
    config = Config(venue=Venue(id="brno"), league=League(public_key="c" * 64))
    return Workplace(msgspec.structs.replace(config, device=Device(name="uplink", data=str(folder))))


def note(journal: Journal, told: kinds.Note, number: int) -> None:
    engine = Engine(journal, kinds.KINDS, lambda: 1000 + number)
    assert engine.execute([Order(uuid7(1000 + number, bytes(10)), "venue/brno", told)])[0].answer.ok


def test_who_is_let_in_and_dropped_again_is_known_by_the_journal(tmp_path: Path) -> None:
    uplink, directors = place(tmp_path / "uplink"), place(tmp_path / "director")
    adopted = kinds.DeviceAdopted(device="spare-1", key=NEW, role="table", table=1, by="000001")
    with directors.journal() as written, Journal(written.path, read_only=True) as read:
        belonging = Belonging(uplink, read)
        assert uplink.keyring("venue/brno", "spare-1") is None
        note(written, adopted, 1)
        belonging.look()
        assert uplink.keyring("venue/brno", "spare-1") == bytes.fromhex(NEW)
        note(written, kinds.DeviceDropped(device="spare-1", key=NEW, by="000001"), 2)
        belonging.look()
        assert uplink.keyring("venue/brno", "spare-1") is None


def test_whom_the_league_names_is_known_from_the_beginning(tmp_path: Path) -> None:
    uplink, league = place(tmp_path / "uplink"), place(tmp_path / "league")
    kind, data = encode_roster_event(DeviceKnown(device="table-7", key=OTHER, role="table", table=7))
    with league.journal() as written:
        with written.begin() as transaction:
            epoch = transaction.open_epoch("league/brno", "begin", 1).epoch
            transaction.append("league/brno", epoch, [Draft(kind, msgspec.Raw(data))], 2)
            transaction.commit(sign=True)
        with Journal(written.path, read_only=True) as read:
            Belonging(uplink, read)
            assert uplink.keyring("venue/brno", "table-7") == bytes.fromhex(OTHER)


def test_where_the_director_has_nothing_of_the_league_yet_its_uplink_knows_it_by_what_the_league_told(
    tmp_path: Path,
) -> None:
    """All devices enrolled, none in a site file: else the first roster could never come to the director."""
    uplink, league, director = (place(tmp_path / name) for name in ("uplink", "league", "director"))
    kind, data = encode_roster_event(DeviceKnown(device="director", key=OTHER, role="director"))
    with league.journal() as own, director.journal() as written, Journal(written.path, read_only=True) as read:
        belonging = Belonging(uplink, read, own)
        assert uplink.keyring("venue/brno", "director") is None
        with own.begin() as transaction:
            epoch = transaction.open_epoch("league/brno", "begin", 1).epoch
            transaction.append("league/brno", epoch, [Draft(kind, msgspec.Raw(data))], 2)
            transaction.commit(sign=True)
        belonging.look()
        assert uplink.keyring("venue/brno", "director") == bytes.fromhex(OTHER)
        written.absorb("league/brno", epoch, own.read("league/brno", epoch, 0))
        belonging.look()
        assert uplink.keyring("venue/brno", "director") == bytes.fromhex(OTHER)
