"""The nightly end of what is over: nobody whose case has changed, and one who cannot be erased stops no other."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from league.cards.models import CardAct, RefusedCard
from league.people import acts
from league.people.acts import ActRefused, By
from league.people.models import Participant
from league.privacy import retention, vault
from league.privacy.erasing import erase
from league.privacy.models import RetentionRule
from tests.league.people_cards import DAY, MAN, registered, stand_at

CLERK = By("clerk")
OVER = DAY + timedelta(days=1000)


@pytest.fixture
def two(db: None, monkeypatch: pytest.MonkeyPatch) -> list[Participant]:
    """Two who cancelled long ago; the clock stands where their period is over."""
    stand_at(monkeypatch)
    people = [registered(), registered(birth_number=MAN, surname="Jiná")]
    for person in people:
        acts.cancel(person, CLERK)
    RetentionRule.objects.filter(subject="cancelled").update(days=100)
    stand_at(monkeypatch, OVER)
    return people


def before_each(monkeypatch: pytest.MonkeyPatch, happens: Callable[[str], None]) -> None:
    """Something happens after the list was made, just before its next one comes to be erased."""
    erase_one = retention._erase

    def slower(number: str, *more: Any) -> bool:
        happens(number)
        return erase_one(number, *more)

    monkeypatch.setattr(retention, "_erase", slower)


def names() -> list[str]:
    return list(Participant.objects.order_by("number").values_list("surname", flat=True))


def test_who_takes_part_again_since_the_list_was_made_is_not_erased(
    two: list[Participant], monkeypatch: pytest.MonkeyPatch
) -> None:
    before_each(monkeypatch, lambda number: acts.reopen(two[0], CLERK) if number == two[0].number else None)
    assert retention.apply(OVER, By("retention")).counts["cancelled"] == 1
    assert names() == ["Příkopová", ""]
    assert vault.unseal(two[0]).street


def test_who_cancelled_anew_since_the_list_was_made_is_kept_for_the_whole_period(
    two: list[Participant], monkeypatch: pytest.MonkeyPatch
) -> None:
    def comes_and_goes(number: str) -> None:
        if number == two[1].number:
            acts.reopen(two[1], CLERK)
            acts.cancel(two[1], CLERK)

    before_each(monkeypatch, comes_and_goes)
    assert retention.apply(OVER, By("retention")) == ({"cancelled": 1} | _others(), [])
    assert names() == ["", "Jiná"]


def _others() -> dict[str, int]:
    kept = RetentionRule.objects.exclude(days=None).exclude(subject="cancelled")
    return dict.fromkeys(kept.values_list("subject", flat=True), 0)


def test_who_was_erased_by_hand_meanwhile_is_passed_over(
    two: list[Participant], monkeypatch: pytest.MonkeyPatch
) -> None:
    before_each(monkeypatch, lambda number: erase(two[0], CLERK) if number == two[0].number else None)
    done = retention.apply(OVER, By("retention"))
    assert (done.counts["cancelled"], done.left, names()) == (1, [], ["", ""])


@pytest.mark.parametrize("error", [ActRefused("not now"), vault.Damaged("not now")])
def test_one_who_cannot_be_erased_is_told_and_stops_no_other(
    two: list[Participant], monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def refusing(person: Participant, by: By, reason: str = "") -> None:
        if person == two[0]:
            raise error
        erase(person, by, reason)

    monkeypatch.setattr(retention, "erase", refusing)
    out = StringIO()
    with pytest.raises(CommandError, match=f"not ended:\ncancelled {two[0].number}: not now") as told:
        call_command("retention", apply=True, stdout=out)
    assert told.value.returncode == 1
    assert "cancelled: 1 ended" in out.getvalue() and "refused: 0 ended" in out.getvalue()
    assert names() == ["Příkopová", ""]


def test_refused_cards_end_once_nobody_has_to_see_to_them(db: None) -> None:
    kept = {"venue": "zabreh", "epoch": "e", "device": "door", "at": DAY}
    waits = RefusedCard.objects.create(**kept, seq=1, reason="stolen")
    RefusedCard.objects.create(**kept, seq=2, reason="unreadable")
    late = RefusedCard.objects.create(**kept, seq=3, reason="lost", settled_at=OVER)
    row = RefusedCard.objects.create(**kept, seq=4, reason="lost", settled_at=DAY)
    CardAct.objects.create(what="kept", at=DAY, who="clerk", refusal=row, uid="04AABBCC", venue="zabreh")
    assert RetentionRule.objects.get(subject="refused-card").days == 365
    assert retention.apply(OVER, By("retention")).counts["refused-card"] == 2
    assert set(RefusedCard.objects.all()) == {waits, late}
    act = CardAct.objects.get()
    assert (act.refusal, act.uid, act.venue) == (None, "04AABBCC", "zabreh")
