"""What pages are drawn from: made when something has changed, who gave what, and how many copies there are."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from appliance import kinds
from appliance.console.given import Givers
from appliance.console.sight import Given
from appliance.console.sighting import RECENT_MS, Around, Maker
from appliance.engine import Engine, Order
from appliance.game.commands import decode_command
from appliance.game.righttime import RIGHT
from appliance.journal import Journal
from appliance.link.commands import ONE_COPY_S
from appliance.link.envelope import PadShown, Spares
from appliance.phone import Phone
from appliance.record import uuid7
from tests.test_intake_table import ANNOUNCED

NOW = 1_800_000_000_000
PHONE = Phone(session="a1" * 8, role="commissioner", who="000001", by="door")


class Venue:
    def __init__(self, folder: Path) -> None:
        self.now = NOW
        self.journal = Journal(folder / "journal", device="director")
        self.engine = Engine(self.journal, kinds.KINDS, lambda: self.now)
        self.there = ["door"]
        self.held = True
        self.maker = Maker(self.engine, "brno", Around(
            times=lambda: RIGHT, ledgers=self.ledgers, devices=lambda: self.there, places=lambda: {1: "table-1"},
            spares=Spares, holders=lambda stream, epoch, seq: self.there if self.held else [],
            alone=lambda: not self.there, now_ms=lambda: self.now,
        ))  # fmt: skip

    def ledgers(self) -> dict[str, Any]:
        return {name[6:]: state for name, state in self.engine.states.items() if name.startswith("round/")}

    def gives(self, fields: dict[str, Any], actor: str = "000001", device: str = "door") -> str:
        number = uuid7(self.now, os.urandom(10))
        command = decode_command({"round": "R1", **fields})
        body = msgspec.json.encode(command)
        [told] = self.engine.execute([Order(number, "round/R1", command, actor, device, body)])
        assert told.answer.ok, told.answer
        return number


@pytest.fixture
def venue(tmp_path: Path) -> Venue:
    return Venue(tmp_path)


def test_a_sight_is_made_when_something_has_changed_and_only_then(venue: Venue) -> None:
    maker = venue.maker
    first = maker.make({}, ())
    assert not maker.changed({}, ())
    venue.gives(ANNOUNCED)
    assert maker.changed({}, ())
    second = maker.make({}, ())
    assert second.n == first.n + 1 and set(second.ledgers) == {"R1"} and second.places == {1: "table-1"}
    assert not maker.changed({}, ())
    assert maker.changed({1: PadShown(1, "a1")}, ()) and maker.changed({}, (PHONE,))
    venue.there = ["door", "floor"]
    assert maker.changed({}, ())


def test_it_names_the_newest_seq_of_each_round(venue: Venue) -> None:
    venue.gives(ANNOUNCED)
    venue.gives({"do": "open"})
    newest = venue.journal.newest("round/R1")
    assert newest is not None and venue.maker.make({}, ()).heads == {"round/R1": newest.seq}


def test_it_tells_who_gave_each_command_and_where(venue: Venue) -> None:
    first = venue.gives(ANNOUNCED)
    assert venue.maker.make({}, ()).given == {first: Given("000001", "door", "announce")}
    second = venue.gives({"do": "open"}, "000002", PHONE.device)
    assert venue.maker.make({}, ()).given[second] == Given("000002", PHONE.device, "open")
    assert Givers(venue.journal).of("round/R1") == venue.maker.make({}, ()).given, "as after a restart"


def test_of_old_rounds_nobody_looks_up_who_gave_what(venue: Venue) -> None:
    venue.gives(ANNOUNCED)
    venue.now += RECENT_MS + 1
    assert venue.maker.make({}, ()).given == {}


def test_who_goes_on_in_another_epoch_has_the_commands_of_the_history_that_counts(venue: Venue) -> None:
    first = venue.gives(ANNOUNCED)
    givers = Givers(venue.journal)
    kept = venue.journal.newest("round/R1")
    assert kept is not None
    stranded = venue.gives({"do": "open"}, "000002")
    assert stranded in givers.of("round/R1")
    venue.engine.go_on_from(kept, "forked")
    assert set(givers.of("round/R1")) == {first}


def test_one_copy_only_is_said_after_a_second_without_another(venue: Venue, monkeypatch: pytest.MonkeyPatch) -> None:
    venue.gives(ANNOUNCED)
    assert venue.maker.make({}, ()).copies == 1 and venue.maker.due is None
    venue.held = False
    assert venue.maker.make({}, ()).copies == 1, "it is on its way"
    due = venue.maker.due
    assert due is not None
    monkeypatch.setattr(time, "monotonic", lambda: due)
    assert due <= time.monotonic() + ONE_COPY_S and venue.maker.changed({}, ())
    assert venue.maker.make({}, ()).copies == 0
    assert not venue.maker.changed({}, ()) and venue.maker.due is None
    venue.held = True
    assert venue.maker.make({}, ()).copies == 1


def test_with_nobody_there_there_is_one_copy_at_once(venue: Venue) -> None:
    venue.gives(ANNOUNCED)
    assert venue.maker.make({}, ()).copies == 1
    venue.there = []
    sight = venue.maker.make({}, ())
    assert sight.copies == 0 and sight.alone and sight.devices == ()


def test_where_nothing_carries_to_the_league_it_says_so(venue: Venue) -> None:
    assert venue.maker.make({}, ()).uplink is None, "the venue is its own"
    venue.maker._around = venue.maker._around._replace(carries=lambda: True)
    assert venue.maker.make({}, ()).uplink is False
    venue.there = ["door", "uplink"]
    assert venue.maker.make({}, ()).uplink is None


def test_that_one_more_device_has_it_all_is_no_news(venue: Venue) -> None:
    venue.gives(ANNOUNCED)
    venue.there = ["door", "floor"]
    venue.maker.make({}, ())
    held = venue.there
    venue.maker._around = venue.maker._around._replace(holders=lambda stream, epoch, seq: held[:1])
    assert not venue.maker.changed({}, ())
