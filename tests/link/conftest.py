from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from appliance.link.broker import Broker, BrokerKind, start_broker
from tests.link.harness import KINDS


@pytest.fixture(scope="session", params=KINDS)
def broker(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """Each broker in turn, one process for all tests that do it no harm."""
    with start_broker(request.param, tmp_path_factory.mktemp("broker")) as running:
        yield running


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> BrokerKind:
    """Each kind in turn, for tests that start and kill their own."""
    found: BrokerKind = request.param
    return found


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Broker]]:
    """Starts brokers and stops those still running at the end."""
    started: list[Broker] = []

    def start_one(kind: BrokerKind, port: int | None = None) -> Broker:
        started.append(start_broker(kind, tmp_path / f"broker-{len(started)}", port))
        return started[-1]

    yield start_one
    for running in started:
        running.stop()
