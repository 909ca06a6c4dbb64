"""The demo's programs are met when they know what they are asked about, not sooner."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from appliance.apps.demo_house import House
from appliance.journal import Draft, Journal
from appliance.record import to_raw


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path / "house", headless=True, speed=1, evening=datetime(2027, 1, 15, 18, tzinfo=UTC))


def test_a_kiosk_knows_all_once_its_copy_is_the_directors(house: House, tmp_path: Path) -> None:
    assert not house.knows_all("door"), "nothing is there yet"
    folders = {name: house.folder / name for name in ("director", "door")}
    for folder in folders.values():
        folder.mkdir(exist_ok=True)
    with Journal(folders["director"] / "journal") as director, Journal(folders["door"] / "journal") as door:
        assert not house.knows_all("door"), "the director has heard nothing"
        with director.begin() as transaction:
            epoch = transaction.open_epoch("round/R1", "begin", 1).epoch
            transaction.commit()
        door.absorb("round/R1", epoch, director.read("round/R1", epoch, 0, 1 << 20))
        assert house.knows_all("door")
        with director.begin() as transaction:
            transaction.append("round/R1", epoch, [Draft("opened/1", to_raw({}))], 2)
            transaction.commit()
        assert not house.knows_all("door")
