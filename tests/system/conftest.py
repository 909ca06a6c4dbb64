"""Houses for the whole-program tests, and a league made once for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.system.houses import House
from tests.system.leagues import make_league


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All of it is for `make test-evenings`."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker("whole")


@pytest.fixture(scope="session")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a league that has everything for tonight; houses copy it."""
    folder = tmp_path_factory.mktemp("season")
    make_league(folder)
    return folder


@pytest.fixture
def open_house(tmp_path: Path) -> Iterator[Callable[..., House]]:
    """Opens houses, and closes them whatever happens."""
    opened: list[House] = []

    def open_one(kind: str = "mosquitto", **options: object) -> House:
        house = House(tmp_path / f"house-{len(opened)}", kind, **options)
        opened.append(house)
        return house

    yield open_one
    for house in opened:
        house.close()
