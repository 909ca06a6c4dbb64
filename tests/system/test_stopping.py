"""Asked to end, however impatiently, each program ends in order."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from appliance.apps.demo_season import VENUE
from appliance.link import topics
from tests.system.hostile import Spy
from tests.system.houses import House

SAID = {topics.up(VENUE, "hello"), topics.device(VENUE, "uplink", "hello"), topics.device(VENUE, "door", "hello")}
"""What has been said once all have found each other."""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_who_is_asked_to_end_many_times_at_once_ends_once_and_well(
    season: Path, open_house: Callable[..., House], number: signal.Signals
) -> None:
    house = open_house(league=season, one_broker=True)
    names = ("ingest", "director", "uplink", "door")
    spy = Spy(house.brokers["venue"].endpoint)
    for turn in range(1, 4):
        spy.heard.clear()
        house.start(*names)
        house.wait_for("the ingest", lambda turn=turn: house.programs["ingest"].said().count("connected") == turn)
        house.wait_for("the hellos", lambda: {topic for topic, _ in spy.heard} >= SAID)
        house.stop(*names, number=number, times=400)
    spy.close()
