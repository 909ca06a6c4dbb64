"""What the league publishes, to anybody who asks."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from league.rounds.models import Round
from tests.league.test_site import page, play

SHOWN = {"000101": (1, 260), "000102": (2, 250), "000104": (3, 240)}
"""Place and half points; 000104 has not consented to publication."""


@pytest.fixture
def anybody(imported: dict[str, Any]) -> Client:
    play(Round.objects.get(), SHOWN)
    return Client()


@pytest.mark.parametrize("language", ["", "/en"])
def test_LG_9_the_calendar_leads_to_the_rounds_for_anybody(anybody: Client, language: str) -> None:
    assert f'href="{language}/rounds/R1/"' in page(anybody, f"{language}/")


@pytest.mark.parametrize(
    "address", ["/rounds/R1/", "/standings/", "/standings/2027/", "/en/rounds/R1/", "/en/standings/"]
)
def test_LG_9_results_and_standings_name_everybody_by_number_and_with_consent_by_name(
    anybody: Client, address: str
) -> None:
    text = page(anybody, address)
    for number in SHOWN:
        assert number in text
    assert "Žáčková" in text
    assert "Kříž" not in text


@pytest.mark.parametrize("address", ["/api/1/rounds/R1.json", "/api/1/standings.json"])
def test_LG_9_programs_are_told_the_same(anybody: Client, address: str) -> None:
    text = page(anybody, address)
    assert all(number in text for number in SHOWN)
    assert "Kříž" not in text
