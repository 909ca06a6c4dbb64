"""Who belongs to a venue follows the streams: what the league tells and what was adopted counts everywhere, at once."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance import kinds
from appliance.apps.demo_season import FLOOR, VENUE
from appliance.engine import Engine, Order
from appliance.game.roster import DeviceKnown, encode_roster_event
from appliance.identity import public_hex
from appliance.journal import Draft, Journal
from appliance.workplace import Workplace
from tests.system.houses import House
from tests.system.test_takeover import Venue

LEAGUE, MAIN = f"league/{VENUE}", f"venue/{VENUE}"
KEY, OTHER = (public_hex(Ed25519PrivateKey.from_private_bytes(bytes([n]) * 32)) for n in (1, 2))


@pytest.fixture
def venue(open_house: Callable[..., House]) -> Iterator[Venue]:
    venue = Venue(open_house("mosquitto"))
    yield venue
    for worker in venue.running:
        worker.stop()
    for worker in venue.running:
        worker.join(10)


def league_tells(house: House, event: DeviceKnown) -> None:
    """Put what the league says where the uplink would bring it; the director is not there."""
    with Journal(house.folder / "league.journal", device="league", key=house.league_key) as league:
        epoch = league.epochs(LEAGUE)[-1]
        with league.begin() as transaction:
            name, data = encode_roster_event(event)
            transaction.append(LEAGUE, epoch, [Draft(name, msgspec.Raw(data))], league.last_at(LEAGUE))
            transaction.commit()
        with house.workplace("director").journal() as journal:
            here = journal.head(LEAGUE, epoch)
            journal.absorb(LEAGUE, epoch, league.read(LEAGUE, epoch, here.seq if here else 0))


def noted(house: House, note: kinds.Note, number: str) -> None:
    """Have the director's journal hold a note; its program is not there."""
    place = house.workplace("director")
    with place.journal() as journal:
        [told] = Engine(journal, kinds.KINDS, place.time.now_ms).execute([Order(number, MAIN, note)], leaves=True)
        assert told.answer.ok


def knows(place: Workplace, device: str) -> bool:
    return place.members.may_direct(device) and place.keyring(f"table/{VENUE}-9", device) is not None


def test_who_is_let_in_belongs_here_for_director_and_kiosk_until_the_key_is_withdrawn(venue: Venue) -> None:
    house, door = venue.house, venue.station("door")
    told = DeviceKnown(device="table-9", key=KEY, role="table", table=9)
    adopted = kinds.DeviceAdopted(device="spare-1", key=OTHER, role="table", table=9, by=FLOOR.number)
    league_tells(house, told)
    noted(house, adopted, "01a22c7c-0000-7000-8000-000000000001")
    director = venue.director()
    for place in (director._place, door._place):
        house.wait_for("both", lambda place=place: knows(place, "table-9") and knows(place, "spare-1"))
    venue.stop(director)
    league_tells(house, msgspec.structs.replace(told, revoked=True))
    noted(house, kinds.DeviceDropped(device="spare-1", by=FLOOR.number), "01a22c7c-0000-7000-8000-000000000002")
    director = venue.director()
    for place in (director._place, door._place):
        house.wait_for("none", lambda place=place: not knows(place, "table-9") and not knows(place, "spare-1"))


def test_who_was_let_in_on_a_card_put_back_is_out_once_the_stream_goes_on_from_what_others_have(venue: Venue) -> None:
    house = venue.house
    venue.station("door")
    kept = house.folder / "kept"
    noted(house, kinds.CardRefused(device="door", reason="unknown"), "01a22c7c-0000-7000-8000-000000000001")
    shutil.copytree(house.data("director"), kept)
    noted(house, kinds.CardRefused(device="door", reason="blocked"), "01a22c7c-0000-7000-8000-000000000002")
    director = venue.director()
    house.wait_for("the door's copy", lambda: house.same_stream(MAIN, "door"))
    venue.stop(director)
    shutil.rmtree(house.data("director"))
    shutil.copytree(kept, house.data("director"), dirs_exist_ok=True)
    adopted = kinds.DeviceAdopted(device="spare-1", key=OTHER, role="table", table=9, by=FLOOR.number)
    noted(house, adopted, "01a22c7c-0000-7000-8000-000000000003")
    before = house._newest("director", MAIN)
    assert before is not None
    director = venue.director()
    house.wait_for("the fork", lambda: (head := house._newest("door", MAIN)) and head.epoch > before.epoch)
    house.wait_for("it to be out", lambda: not knows(director._place, "spare-1"))
