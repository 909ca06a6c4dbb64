"""A kiosk that the league has revoked says so on its screen and to the doctor; it looked as if nobody directed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from appliance import outside
from appliance.apps import doctor
from appliance.config import load
from appliance.display.from_round import Scene, Venue, table_view
from appliance.display.scene import Link
from appliance.display.trouble import troubles
from appliance.game.fleet import DeviceKnown
from appliance.game.roster import Roster
from appliance.i18n import Translator
from appliance.identity import public_hex
from tests.system.houses import House
from tests.system.test_members_follow import league_tells
from tests.system.test_venue_broker import with_its_own_broker

KNOWN = DeviceKnown(device="table-1", key="0" * 64, role="table", table=1)


def membership(house: House, name: str) -> list[str]:
    """What the doctor says of it at that device."""
    config = load(*map(Path, house.files(name)))
    return [finding.code for finding in doctor.findings(config) if finding.subject == "membership"]


def test_a_kiosk_that_is_let_in_and_told_nothing_says_who_directs_and_that_it_may_be_revoked(
    open_house: Callable[..., House],
) -> None:
    """It was cut off before the league's word could come: all that it sees is a broker that tells it nothing."""
    house = with_its_own_broker(open_house("mosquitto"))
    house.start("director", "door", "table-1")
    with house.floor() as floor:
        house.wait_for("the director", lambda: floor.station.snapshot.director)
        floor.wait("the round that is offered", lambda round: True)
        house.wait_for("equal copies", lambda: house.same_round("door", "table-1"))
    assert membership(house, "table-1") == []
    house.stop("director")
    league_tells(house, msgspec.structs.replace(KNOWN, key=public_hex(house.keys["table-1"]), revoked=True))
    house.start("director")
    with house.floor() as floor:
        house.wait_for("the director", lambda: floor.station.snapshot.director)
        floor.must("open")
    shut = house.wait_for("it to see that it is out", lambda: outside.noted(house.data("table-1")), seconds=90)
    assert shut.by == "director"
    assert membership(house, "table-1") == ["shut-out"] and membership(house, "door") == []


def test_a_device_whose_own_copy_says_that_it_is_revoked_says_that(open_house: Callable[..., House]) -> None:
    house = open_house("mosquitto")
    key = public_hex(house.keys["director"])
    league_tells(house, DeviceKnown(device="director", key=key, role="director", revoked=True))
    assert membership(house, "director") == ["device-revoked"]


@pytest.mark.parametrize("lang", ["cs", "en"])
def test_its_screen_says_so_instead_of_a_director_that_is_offline(lang: str) -> None:
    def said(**link: object) -> list[str]:
        scene = Scene(round=None, roster=Roster(), link=Link(director=False, **link), venue=Venue("Brno"), at_ms=10**12)
        return [trouble.problem for trouble in troubles(Translator(lang), table_view(scene, 1).board.status)]

    [offline], [out], [revoked] = said(director_lost_at=1), said(shut_out="table-3"), said(revoked=True)
    assert "table-3" in out and len({offline, out, revoked}) == 3
    assert revoked == Translator(lang).refusal("device-revoked", {})


def test_who_was_shut_out_when_it_was_switched_off_and_finds_nobody_does_not_say_so_any_more(
    open_house: Callable[..., House],
) -> None:
    """The league has let it in anew meanwhile, or nobody directs: the doctor would have its key thrown away."""
    house = open_house("mosquitto")
    data = house.workplace("door").data
    outside.note(data, "table-1", 1)
    assert outside.noted(data) is not None
    house.start("door")
    house.wait_for("the note to be gone", lambda: outside.noted(data) is None, 15)
