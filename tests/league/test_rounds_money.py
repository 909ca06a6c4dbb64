"""The money of a round as the office sees it: what the venue has recorded, and nothing of what it took back."""

from __future__ import annotations

from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from league.rounds.models import Round
from league.rounds.money import Money, money_of
from tests.league.rounds_played import VenueRound, announcement, moves, planned, venue_plays

A, B, C, D = "000101", "000102", "000103", "000104"


@pytest.fixture
def venue(imported: dict[str, Any], director_key: Ed25519PrivateKey) -> VenueRound:
    """A round with four registered at 100 CZK each."""
    planned("S1", guarantee=5000)
    return venue_plays(director_key, announcement("S1", guarantee=5000), moves([A, B, C, D])[:5])


def money() -> Money:
    found = money_of(Round.objects.get(pk="S1"))
    assert found is not None
    return found


def refunds() -> list[tuple[str, int, bool]]:
    return [(refund.number, refund.amount, refund.cancelled) for refund in money().refunds]


def test_T_3_an_unregistration_gives_its_deposit_back(venue: VenueRound) -> None:
    venue.do("unregister", participant=B)
    assert refunds() == [(B, 100, False)]
    assert (money().registered, money().pool, money().refunded) == (3, 300, 100)


def test_T_3_what_the_venue_takes_back_was_not_given_back(venue: VenueRound) -> None:
    venue.do("unregister", participant=B)
    venue.do("undo")
    assert refunds() == []


def test_T_3_who_registers_again_has_had_one_deposit_back(venue: VenueRound) -> None:
    venue.do("unregister", participant=B)
    venue.do("register", participant=B, identity_checked=True)
    venue.do("unregister", participant=B)
    assert refunds() == [(B, 100, False), (B, 100, False)]


def test_LG_2_a_cancelled_round_gives_all_deposits_back(venue: VenueRound) -> None:
    venue.do("unregister", participant=B)
    venue.do("cancel", reason="Havárie")
    assert refunds() == [(B, 100, False), (A, 100, True), (C, 100, True), (D, 100, True)]
    assert (money().pool, money().payouts) == (0, [])


def test_T_5_payouts_are_shown_with_what_is_left_of_each(venue: VenueRound) -> None:
    venue.all_of(moves([A, B, C, D])[5:])
    venue.do("pay", participant=A, amount=150)
    venue.do("pay", participant=B, amount=120)
    found = money()
    assert [(each.number, each.prize, each.paid, each.left) for each in found.payouts] == [
        (A, 200, 150, 50), (B, 120, 120, 0), (C, 80, 0, 80),
    ]  # fmt: skip
    assert (found.paid, found.left) == (270, 130)


def test_T_9_whether_a_guarantee_counts_is_known_from_the_start(venue: VenueRound) -> None:
    assert (money().guarantee, money().guaranteed) == (5000, None)
    venue.do("start")
    assert money().guaranteed is False


def test_of_a_round_nobody_has_heard_of_there_is_no_money(imported: dict[str, Any]) -> None:
    assert money_of(planned("S2")) is None
