from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.console.phones import Hand, PlayedEngine, Served, serving


@pytest.fixture(scope="module")
def house() -> Iterator[tuple[PlayedEngine, Served]]:
    """One for the tests of a module: to begin and to end takes its time."""
    engine = PlayedEngine()
    with serving(engine) as served:
        yield engine, served


@pytest.fixture
def engine(house: tuple[PlayedEngine, Served]) -> PlayedEngine:
    engine = house[0]
    engine.forget()
    return engine


@pytest.fixture
def served(house: tuple[PlayedEngine, Served], engine: PlayedEngine) -> Served:
    return house[1]


@pytest.fixture
def phone(engine: PlayedEngine, served: Served) -> Hand:
    """A commissioner's phone that is signed in."""
    session, key = engine.offer()
    engine.confirm(session)
    return Hand(served.port, session, key)
