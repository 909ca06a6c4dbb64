"""The clock is set back: what was over stays over, and nobody is shut out for longer than they were to be."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.core.exceptions import ValidationError

from league.own import asking, links
from league.own.models import Link
from league.staff import lockout
from tests.league.own_page import person
from tests.league.people_cards import stand_at

NOW = datetime(2027, 2, 5, 12, tzinfo=UTC)
BACK = NOW - timedelta(days=1)

pytestmark = pytest.mark.usefixtures("imported")


def minted(at: datetime, purpose: Link.Purpose = Link.Purpose.OPEN) -> tuple[Link, str]:
    who = person()
    return links.mint(who.pk, purpose, who.email, at)


@pytest.mark.parametrize("looked", ["at the link", "for another link"])
def test_P_a_link_that_is_over_opens_nothing_any_more(looked: str) -> None:
    asked = NOW - timedelta(hours=3)
    link, token = minted(asked)
    if looked == "at the link":
        assert links.find(token, NOW) is None
    else:
        asking.ask("somebody@else.example", "10.0.0.1", lambda token, language: token, NOW)
    assert links.find(token, asked) is None and not links.use(link, asked)


def test_P_a_link_from_the_future_opens_nothing() -> None:
    link, token = minted(NOW)
    assert links.find(token, BACK) is None and not links.use(link, BACK)
    assert links.find(token, NOW - timedelta(seconds=30)) == link


def test_P_a_page_that_was_open_does_not_stay_open() -> None:
    link, _token = minted(NOW)
    assert links.use(link, NOW)
    assert links.who_is_in(link.pk, NOW) == link
    assert links.who_is_in(link.pk, BACK) is None


def test_P_links_can_be_asked_for() -> None:
    for _ in range(asking.ADDRESS_LIMIT):
        asking.count("somebody@else.example", "10.0.0.1", NOW)
    with pytest.raises(asking.TooMany):
        asking.count("somebody@else.example", "10.0.0.1", NOW)
    asking.count("somebody@else.example", "10.0.0.1", BACK)


def test_P_nobody_is_shut_out_of_the_office_for_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_at(monkeypatch, NOW)
    for _ in range(lockout.NAME_LIMIT):
        lockout.attempt("clerk", "10.0.0.1")
    with pytest.raises(ValidationError):
        lockout.attempt("clerk", "10.0.0.1")
    stand_at(monkeypatch, BACK)
    assert lockout.closed_until(lockout.key_of("name", "clerk")) is None
    for _ in range(lockout.NAME_LIMIT):
        lockout.attempt("clerk", "10.0.0.1")
    with pytest.raises(ValidationError):
        lockout.attempt("clerk", "10.0.0.1")
