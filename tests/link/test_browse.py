"""What strangers announce on the network keeps nobody from finding the director."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from zeroconf import ServiceStateChange, Zeroconf

from appliance.link.browse import Browser
from appliance.link.sighting import SERVICE, Sighting


@pytest.fixture
def line() -> Iterator[Zeroconf]:
    made = Zeroconf(interfaces=["127.0.0.1"])
    yield made
    made.close()


@pytest.mark.parametrize(
    "name",
    ["evil._http._tcp.local.", f"{'a' * 70}.{SERVICE}", f"\x01.{SERVICE}", f".{SERVICE}", "evil"],
)
def test_a_name_that_is_none_of_a_director_ends_no_search(line: Zeroconf, name: str) -> None:
    """A pointer may name anything; an error would end the thread that tells of all others, too."""
    found: list[Sighting] = []
    Browser(found.append)._changed(line, SERVICE, name, ServiceStateChange.Added)
    assert found == []
