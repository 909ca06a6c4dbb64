"""The office's frame: who is signed in sees it."""

from __future__ import annotations

import pytest

from league.staff.roles import Role
from tests.league.office import staff_client


@pytest.mark.parametrize("role", list(Role))
def test_P_each_role_has_its_overview_in_both_languages(db: None, role: Role) -> None:
    client = staff_client(role)
    assert "<h1>Přehled</h1>" in client.get("/office/").text
    assert "<h1>Overview</h1>" in client.get("/en/office/").text
