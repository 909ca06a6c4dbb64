"""The one number of public changes, and what of a round the public can follow (DESIGN §6)."""

from __future__ import annotations

from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import transaction

from appliance.game import clock as clocks
from league.ingest import rosters
from league.live import changes, looking
from league.live.looking import Seen, Watched
from league.notices.models import Edition
from league.rounds.models import Round, Venue
from league.standings.face import shown
from league.standings.models import RoundReport
from league.standings.results import folded_anew
from tests.league.rounds_played import START, VenueRound, announcement, moves, planned

PLAYERS = ["000101", "000102", "000103", "000104"]
AT = int(START.timestamp() * 1000)


@pytest.fixture(autouse=True)
def _one_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks and tests are in one thread here, and a connection that has grown old is the test's own."""
    monkeypatch.setattr(looking, "close_old_connections", lambda: None)


@pytest.fixture
def round(imported: dict[str, Any], director_key: Ed25519PrivateKey) -> VenueRound:
    planned("K1")
    changes.counted()
    return VenueRound(director_key, announcement("K1"))


def test_a_mark_counts_at_once_and_once(imported: dict[str, Any]) -> None:
    before = changes.current()
    changes.bump()
    changes.bump("R1")
    assert changes.current() == before + 2
    row = changes.counted()
    assert (row.number, row.everywhere) == (before + 2, before + 2)
    assert changes.current() == changes.counted().number == before + 2


def test_a_change_of_one_round_is_told_as_that_rounds(round: VenueRound) -> None:
    for do, what in moves(PLAYERS)[:6]:
        round.do(do, **what)
    first = changes.counted()
    assert RoundReport.objects.get().change == first.number
    round.do("bust", participant="000104")
    now = changes.counted()
    assert RoundReport.objects.get().change == now.number > first.number
    assert now.everywhere == first.everywhere
    rosters.changed()
    assert changes.counted().everywhere == now.number + 1
    assert RoundReport.objects.get().change == now.number


def test_what_the_public_does_not_see_is_no_change(round: VenueRound) -> None:
    for do, what in moves(PLAYERS)[:6]:
        round.do(do, **what)
    before = changes.current()
    round.do("absent", participant="000101")
    assert changes.current() == before


def test_a_change_that_is_taken_back_is_none(imported: dict[str, Any]) -> None:
    before = changes.current()
    with pytest.raises(KeyError), transaction.atomic():
        changes.bump()
        raise KeyError
    assert changes.current() == before


@pytest.mark.parametrize("what", ["round", "venue", "edition"])
def test_what_the_office_saves_is_a_change(imported: dict[str, Any], what: str) -> None:
    before = changes.current()
    if what == "edition":
        draft = Edition.objects.create(kind="rules", effective_on=START.date(), by="t")
        assert changes.current() == before
        draft.published_at, draft.number = START, 1
        draft.save()
    else:
        row = Round.objects.get(pk="R1") if what == "round" else Venue.objects.get(pk="zabreh")
        row.name = "Jinak"
        row.save()
    assert changes.current() == before + 1


def test_CK_1_the_public_clock_shows_what_the_venues_does_level_after_level(round: VenueRound) -> None:
    for do, what in moves(PLAYERS)[:6]:
        round.do(do, **what)
    report = RoundReport.objects.get()
    state = folded_anew(Round.objects.get(pk="K1")).round
    assert state is not None
    assert report.clock is not None
    for minute in range(0, 60, 3):
        at = AT + minute * 60_000 + 17
        face, told = clocks.face(state, at), shown(report.clock, at)
        assert (told.level, told.sb, told.bb, told.ante) == (face.level, face.sb, face.bb, face.ante)
        assert (told.running, told.on_break, told.left_ms) == (face.running, face.on_break, face.remaining_ms)
        assert (told.ends_at, told.following) == (face.ends_at, face.next_entry)


@pytest.mark.parametrize("clock", [{"ends_at": 10**15}, {"entry": 99}])
def test_a_report_that_no_board_can_show_hides_that_round_alone(round: VenueRound, clock: dict[str, Any]) -> None:
    for do, what in moves(PLAYERS)[:6]:
        round.do(do, **what)
    boards = [Watched("rounds", "K1", "cs"), Watched("calendar", "", "en")]
    assert set(looking.draw(boards).told) == set(boards)
    report = RoundReport.objects.get()
    assert report.clock is not None
    report.clock |= clock
    report.save()
    drawn = looking.draw([*boards, Watched("rounds", "NONE", "cs")])
    assert set(drawn.told) == {boards[1]}
    assert drawn.failed == {boards[0]}
    assert drawn.gone == {Watched("rounds", "NONE", "cs")}


def test_a_look_tells_what_may_be_different(round: VenueRound) -> None:
    for do, what in moves(PLAYERS)[:6]:
        round.do(do, **what)
    first = looking.look(-1, {"K1", "R1"})
    assert first.everything
    assert first.moving == {"K1"}
    assert looking.look(first.number, set()) == Seen(first.number, False, frozenset(), frozenset())
    round.do("bust", participant="000104")
    second = looking.look(first.number, set())
    assert not second.everything
    assert second.rounds == {"K1"}
    rosters.changed()
    assert looking.look(second.number, set()).everything
    assert looking.current() == second.number + 1
