"""The office's pages of seasons, void participations and exclusions (LG-8, LG-10, LG-11, T-15, P)."""

from __future__ import annotations

import json
import re
from datetime import date, timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.test import Client
from django.utils import timezone

from league.ingest.everybody import everybody
from league.notices.models import Announcement
from league.rounds.models import Season
from league.site import pages
from league.staff.models import AuditEntry
from league.staff.roles import Role
from league.standings.desk.forms import SeasonForm
from league.standings.excluded import open_proposals
from league.standings.models import (
    DeclinedProposal,
    Exclusion,
    ExclusionProposal,
    ParticipationVoid,
    PointsCorrection,
)
from league.standings.table import standings
from tests.league.calendar_days import on
from tests.league.office import staff_client
from tests.league.rounds_played import FLAT, STEEP, announcement, moves, planned, venue_plays

A, B, C, D = "000101", "000102", "000103", "000104"
AT = "/office/seasons/"


@pytest.fixture
def played(imported: dict[str, Any], director_key: Ed25519PrivateKey) -> Season:
    """Two rounds of four: A, B, C, D and then B, C, D, A."""
    for round, order in (("S1", [A, B, C, D]), ("S2", [B, C, D, A])):
        planned(round)
        venue_plays(director_key, announcement(round, points_key=FLAT), moves(order))
    return Season.objects.get(year=2027)


@pytest.fixture
def boss(db: None) -> Client:
    return staff_client(Role.COMMISSIONER)


def text(answer: Any) -> str:
    assert answer.status_code == 200, answer
    return str(answer.content.decode())


def seen(page: str) -> str:
    found = re.search(r'name="seen" value="([0-9a-f]{64})"', page)
    assert found is not None
    return found[1]


def now() -> Season:
    return Season.objects.get(year=2027)


def decide(boss: Client, what: str, **fields: str) -> Any:
    return boss.post(f"{AT}2027/{what}/", {"title_cs": "Ročník", "day": "2027-06-01", **fields})


def test_LG_11_a_decision_is_made_and_announced_in_both_languages(boss: Client, played: Season) -> None:
    page = text(boss.get(f"{AT}2027/interrupt/"))
    assert "Ročník 2027: přerušení" in page
    fields = {"title_cs": "Pauza", "title_en": "Pause", "until": "2027-06-30", "reason": "opravy sálů"}
    assert decide(boss, "interrupt", **fields).status_code == 302
    said = Announcement.objects.get()
    assert (said.title_cs, said.title_en) == ("Pauza", "Pause")
    assert said.text_cs == "Od 1. června 2027 do 30. června 2027 se žádná kola nehrají."
    assert said.text_en == "No rounds are played from 1 June 2027 to 30 June 2027."
    assert "Pauza" in text(Client().get("/")) and "přerušen" in text(boss.get(f"{AT}2027/"))
    assert AuditEntry.objects.filter(about="season 2027: interrupt", reason="opravy sálů").exists()


def test_LG_11_what_cannot_be_is_said_at_the_field(boss: Client, played: Season) -> None:
    page = text(decide(boss, "extend"))
    assert 'href="#id_day"' in page and "později" in page
    assert not Announcement.objects.exists() and not now().acts.exists()
    assert boss.get(f"{AT}2027/nonsense/").status_code == 404


def test_LG_8_the_end_names_the_winner_and_a_void_afterwards_is_noticed(
    boss: Client, played: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    on(monkeypatch, date(2027, 12, 31))
    played.rounds.filter(folded=None).delete()
    assert B in text(boss.get(f"{AT}2027/end/"))
    assert AuditEntry.objects.filter(what="view", number=B, about="season 2027: winners", fields=["name"]).exists()
    decide(boss, "end", day="2027-12-31")
    assert Announcement.objects.get().text_cs == f"Ročník skončil 31. prosince 2027. Vítěz: {B}."
    assert "Vítěz:" in text(Client().get("/standings/2027/"))
    assert "vyhrál někdo jiný" not in text(boss.get(f"{AT}2027/"))
    for round in ("S1", "S2"):
        declare(boss, round, B)
    assert "vyhrál někdo jiný" in text(boss.get(f"{AT}2027/"))


def declare(boss: Client, round: str, who: str, **more: str) -> Any:
    about = {"round": round, "participant": who, **more}
    page = text(boss.get(f"{AT}voids/new/", about))
    return boss.post(f"{AT}voids/new/", about | {"reason": "cizí průkaz", "seen": seen(page)})


def test_LG_10_who_moves_is_seen_first_and_then_decided(boss: Client, played: Season) -> None:
    page = text(boss.get(f"{AT}voids/new/", {"round": "S1", "participant": A}))
    assert "Věra Žáčková" in page and not ParticipationVoid.objects.exists()
    assert declare(boss, "S1", A).status_code == 302
    assert [row.number for row in pages.results(played.rounds.get(pk="S1"))] == [B, C, D]
    assert A in text(boss.get(f"{AT}voids/")) and "cizí průkaz" in text(boss.get(f"{AT}voids/"))
    assert declare(boss, "S1", A, void="no").status_code == 302
    assert [row.number for row in pages.results(played.rounds.get(pk="S1"))] == [A, B, C, D]
    done = AuditEntry.objects.filter(what="act", number=A).order_by("pk")
    assert [row.reason for row in done] == ["cizí průkaz"] * 2


def test_LG_10_nothing_is_decided_without_a_reason_or_by_an_old_preview(boss: Client, played: Season) -> None:
    about = {"round": "S1", "participant": A}
    old = seen(text(boss.get(f"{AT}voids/new/", about)))
    text(boss.post(f"{AT}voids/new/", about | {"reason": "", "seen": old}))
    declare(boss, "S2", B)
    page = text(boss.post(f"{AT}voids/new/", about | {"reason": "cizí průkaz", "seen": old}))
    assert seen(page) != old and "Mezitím" in page
    assert ParticipationVoid.objects.count() == 1
    assert "žádný výsledek" in text(boss.get(f"{AT}voids/new/", {"round": "S1", "participant": "000900"}))


def test_T_15_somebody_is_excluded_and_taken_back(boss: Client, imported: dict[str, Any]) -> None:
    fields = {"participant": A, "since": timezone.localdate().isoformat(), "reason": "podvod", "proposed_by": "000900"}
    assert boss.post(f"{AT}exclusions/new/", fields).status_code == 302
    row = Exclusion.objects.get()
    assert everybody().at("zabreh", timezone.now())[A].state == "blocked"
    assert "podvod" in text(boss.get(f"{AT}exclusions/"))
    text(boss.get(f"{AT}exclusions/{row.pk}/lift/"))
    assert boss.post(f"{AT}exclusions/{row.pk}/lift/", {"reason": "omyl"}).status_code == 302
    assert everybody().at("zabreh", timezone.now())[A].state == "active"
    assert "omyl" in text(boss.get(f"{AT}exclusions/"))
    assert [one.about for one in AuditEntry.objects.filter(number=A).order_by("pk")] == [
        "excluded from the league", "exclusion lifted",
    ]  # fmt: skip
    for wrong in ({"participant": "999999"}, {"until": "2020-01-01"}, {"reason": ""}):
        assert boss.post(f"{AT}exclusions/new/", fields | wrong).status_code == 200
    assert Exclusion.objects.count() == 1


def test_T_15_excluded_twice_over_somebody_does_not_stay_excluded_unseen(
    boss: Client, imported: dict[str, Any]
) -> None:
    fields = {"participant": A, "since": timezone.localdate().isoformat(), "reason": "podvod"}
    boss.post(f"{AT}exclusions/new/", fields)
    again = boss.post(f"{AT}exclusions/new/", fields | {"until": fields["since"]}, follow=True)
    assert "už vyloučen" in text(again) and Exclusion.objects.count() == 1
    earlier = (timezone.localdate() - timedelta(days=3)).isoformat()
    boss.post(f"{AT}exclusions/new/", fields | {"since": earlier})
    row, _other = Exclusion.objects.order_by("pk")
    lifting = f"{AT}exclusions/{row.pk}/lift/"
    assert "Platí i jiná vyloučení" in text(boss.get(lifting))
    assert "Platí i jiné vyloučení" in text(boss.post(lifting, {"reason": "omyl"}, follow=True))
    Exclusion.objects.filter(pk=row.pk).update(lifted_at=None)
    boss.post(lifting, {"reason": "omyl", "others": "on"})
    assert not Exclusion.objects.filter(lifted_at=None).exists()
    assert everybody().at("zabreh", timezone.now())[A].state == "active"
    assert AuditEntry.objects.filter(about="exclusion lifted").count() == 3


def test_P_a_seasons_key_is_edited_for_later_rounds_and_corrected_for_earlier_ones(
    boss: Client, played: Season
) -> None:
    edit = {"name": "Ročník 2027", "profile": "cpl", "least_card": "genuine", "points_key": json.dumps(STEEP)}
    before = [line.half_points for line in standings(played).lines]
    assert boss.post(f"{AT}2027/edit/", edit).status_code == 302
    season = now()
    assert (season.profile, season.least_card, (season.points_key or {})["name"]) == ("cpl", "genuine", "steep")
    assert [line.half_points for line in standings(season).lines] == before
    page = text(boss.post(f"{AT}2027/points/", {"what": "correct", "key": json.dumps(STEEP)}))
    assert not PointsCorrection.objects.exists()
    asked = {"what": "correct", "key": json.dumps(STEEP), "reason": "špatně opsáno", "seen": seen(page)}
    assert boss.post(f"{AT}2027/points/", asked).status_code == 302
    assert [line.half_points for line in standings(season).lines] != before
    page = text(boss.post(f"{AT}2027/points/", {"what": "withdraw"}))
    asked = {"what": "withdraw", "reason": "bylo to dobře", "seen": seen(page)}
    assert boss.post(f"{AT}2027/points/", asked).status_code == 302
    assert [line.half_points for line in standings(season).lines] == before


def test_P_a_season_edited_while_another_ends_it_stays_ended(boss: Client, played: Season) -> None:
    form = SeasonForm(SeasonForm.start(played) | {"name": "Jinak"}, known=played)
    assert form.is_valid()
    Season.objects.update(state="ended")
    assert form.keep(played) == ["name"]
    assert (now().name, now().state) == ("Jinak", "ended")


def test_LG_1_a_season_is_made_once_a_year(boss: Client, imported: dict[str, Any]) -> None:
    fields = {"year": "2028", "name": "Ročník 2028", "profile": "cpl-2017", "least_card": "signed", "points_key": ""}
    assert boss.post(f"{AT}new/", fields).status_code == 302
    assert boss.post(f"{AT}new/", fields).status_code == 200
    assert boss.post(f"{AT}new/", fields | {"year": "2029", "points_key": "{"}).status_code == 200
    assert Season.objects.count() == 2
    assert "Ročník 2028" in text(boss.get(AT))


@pytest.mark.parametrize("role", [Role.CLERK, Role.AUDITOR])
def test_P_others_look_at_seasons_and_decide_nothing(played: Season, role: Role) -> None:
    other = staff_client(role)
    for page in ("", "2027/", "voids/", "exclusions/"):
        assert "/new/" not in text(other.get(AT + page))
    for page in ("2027/end/", "2027/edit/", "2027/points/", "voids/new/", "exclusions/new/", "new/"):
        assert other.get(AT + page).status_code == other.post(AT + page, {}).status_code == 403


def test_T_15_what_a_commissioner_proposes_waits_for_the_leagues_decision(
    boss: Client, imported: dict[str, Any], director_key: Ed25519PrivateKey
) -> None:
    planned("S1")
    round = venue_plays(director_key, announcement("S1", points_key=FLAT), moves([A, B, C, D]))
    round.do("sanction", participant=D, kind="exclusion", reason="podvod s žetony", league=True)
    ExclusionProposal.objects.update(at=timezone.now())
    assert "podvod s žetony" in text(boss.get(f"{AT}exclusions/"))
    assert f"{AT}exclusions/" in text(boss.get("/office/"))
    page = text(boss.get(f"{AT}exclusions/new/", {"participant": D, "round": "S1"}))
    assert f'value="{D}"' in page and 'value="S1" selected' in page
    today = timezone.localdate().isoformat()
    fields = {"participant": D, "round": "S1", "since": today, "reason": "podvod"}
    assert boss.post(f"{AT}exclusions/new/", fields).status_code == 302
    assert open_proposals() == []
    round.do("undo")
    assert not ExclusionProposal.objects.exists()


def test_T_15_a_proposal_is_declined_with_a_reason_until_it_is_made_again(
    boss: Client, imported: dict[str, Any], director_key: Ed25519PrivateKey
) -> None:
    planned("S1")
    round = venue_plays(director_key, announcement("S1", points_key=FLAT), moves([A, B, C, D]))
    round.do("sanction", participant=D, kind="exclusion", reason="podvod s žetony", league=True)
    proposed_at = timezone.now()
    ExclusionProposal.objects.update(at=proposed_at)
    page = f"{AT}exclusions/proposed/S1/{D}/decline/"
    assert page in text(boss.get(f"{AT}exclusions/"))
    assert "podvod s žetony" in text(boss.get(page))
    assert boss.post(page, {"reason": ""}).context["form"].errors["reason"]
    assert boss.post(page, {"reason": "nebylo prokázáno"}).status_code == 302
    assert open_proposals() == []
    overview = text(boss.get(f"{AT}exclusions/"))
    assert page not in overview and "nebylo prokázáno" in overview
    entry = AuditEntry.objects.filter(what="act").latest("pk")
    assert (entry.number, entry.about, entry.reason) == (D, "proposed exclusion declined: S1", "nebylo prokázáno")
    again = boss.post(page, {"reason": "ještě jednou"}, follow=True)
    assert "už neplatí" in text(again) and DeclinedProposal.objects.count() == 1
    ExclusionProposal.objects.all().delete()
    ExclusionProposal.objects.create(round_id="S1", number=D, reason="podvod s žetony", at=proposed_at)
    assert open_proposals() == []
    ExclusionProposal.objects.update(at=proposed_at + timedelta(minutes=1))
    assert [row.number for row in open_proposals()] == [D]
    for role in (Role.CLERK, Role.AUDITOR):
        other = staff_client(role)
        assert "/decline/" not in text(other.get(f"{AT}exclusions/"))
        assert other.get(page).status_code == other.post(page, {"reason": "x"}).status_code == 403
    assert boss.get(f"{AT}exclusions/proposed/S1/{A}/decline/").status_code == 404
