"""A plan with people carried over to it is edited: they are told, and have places as far as there is room (LG-2)."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client, override_settings

from league.ingest.everybody import last_change
from league.ingest.own_pen import pen_of
from league.mail.models import Letter
from league.people.models import Participant
from league.rounds import changing, season_file, season_import
from league.rounds.changing import Substitute
from league.rounds.forms import PlanForm
from league.rounds.letters import not_cancelled
from league.rounds.models import Round, Season, Venue
from league.rounds.plan import initial
from league.rounds.planning import SignUp
from league.rounds.signing_up import sign_up
from league.site import pages
from league.staff.models import AuditEntry
from league.staff.roles import Role
from league.standings.models import Exclusion
from tests.league.office import sign_in, staff_client
from tests.league.rounds_played import START, planned

NOW = START - timedelta(days=60)
LATER = START + timedelta(days=14)
PLAN = "/office/rounds/round/S2/plan/"


@pytest.fixture(autouse=True)
def now(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is two months before the round."""
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOW)


@pytest.fixture
def people(imported: dict[str, Any]) -> list[Participant]:
    found = list(Participant.objects.filter(role="participant")[:6])
    for n, person in enumerate(found):
        person.email = f"p{n}@example.cz"
        person.save()
    return found


@pytest.fixture
def instead(people: list[Participant], tmp_path: Path) -> Round:
    """Planned in place of a cancelled round, for five; six were carried over. Nobody has a letter about it."""
    pen = pen_of(tmp_path)
    changing.announce(planned("S1", capacity=5), "horak", pen, NOW)
    first = Round.objects.get(pk="S1")
    for n, person in enumerate(people):
        sign_up(person, first, "novakova", now=NOW + timedelta(minutes=n))
    _, made = changing.cancel(first, "", "horak", pen, NOW, Substitute("S2", LATER, first.venue, carry=True))
    assert made is not None
    Letter.objects.all().delete()
    return made


@pytest.fixture
def commissioner(instead: Round, settings_dir: object) -> Client:
    return staff_client(Role.COMMISSIONER)


def edit(commissioner: Client, **changes: Any) -> str:
    """Send the form of the plan as it stands, with changes; what the page says then."""
    kept = initial(Round.objects.get(pk="S2"))
    form = PlanForm(initial=kept, round=Round.objects.get(pk="S2"))
    fields = {name: form[name].value() for name in form.fields}
    fields = {name: value for name, value in fields.items() if value not in (None, False)}
    fields |= {"day": f"{kept['day']:%Y-%m-%d}", "time": f"{kept['time']:%H:%M}", "structure": "copied"}
    fields |= {"name": "S2", "ante_by": "player"}
    answer = commissioner.post(PLAN, fields | changes, follow=True)
    assert answer.redirect_chain, answer.context["form"].errors
    return answer.content.decode()


def states() -> list[str]:
    return list(SignUp.objects.filter(round="S2").order_by("at").values_list("state", flat=True))


def letters() -> set[tuple[str, str]]:
    return set(Letter.objects.values_list("to", "subject"))


def entries(about: str) -> list[str]:
    return list(AuditEntry.objects.filter(about=about).order_by("pk").values_list("number", flat=True))


def test_who_is_carried_over_is_in_the_audit_log_one_by_one(instead: Round, people: list[Participant]) -> None:
    assert states() == ["in"] * 5 + ["waiting"]
    assert entries("sign-up carried over to another round: S2") == [person.number for person in people]


def test_LG_2_on_another_day_the_plan_is_told_of_and_the_municipality_has_to_be(commissioner: Client) -> None:
    Round.objects.filter(pk="S2").update(notified_on=NOW.date(), notified_as="MU/7")
    edit(commissioner, time="18:00")
    assert Round.objects.get(pk="S2").notified_as == "MU/7"
    assert letters() == {(f"p{n}@example.cz", "Přeloženo: S2") for n in range(6)}
    Letter.objects.all().delete()
    assert "6 dopisů" in edit(commissioner, day="2027-02-20")
    assert letters() == {(f"p{n}@example.cz", "Přeloženo: S2") for n in range(6)}
    body = Letter.objects.get(to="p0@example.cz").body
    assert "19. února 2027 18:00" in body and "20. února 2027 18:00" in body
    fresh = Round.objects.get(pk="S2")
    assert (fresh.notified_on, fresh.notified_as) == (None, "")


def test_LG_2_at_another_venue_the_plan_is_told_of(commissioner: Client) -> None:
    Venue.objects.create(id="brno", name="Na Růžku", town="Brno")
    Round.objects.filter(pk="S2").update(notified_on=NOW.date(), notified_as="MU/7")
    before = last_change()
    edit(commissioner, venue="brno")
    body = Letter.objects.get(to="p5@example.cz").body
    assert "Sokolovna, Zábřeh" in body and "Na Růžku, Brno" in body
    assert Round.objects.get(pk="S2").notified_on is None
    assert last_change() > before


def test_T_1_with_fewer_places_who_signed_up_last_waits_and_with_more_comes_in(
    commissioner: Client, people: list[Participant]
) -> None:
    edit(commissioner, capacity="3")
    assert states() == ["in"] * 3 + ["waiting"] * 3
    assert letters() == {("p3@example.cz", "Na čekací listině: S2"), ("p4@example.cz", "Na čekací listině: S2")}
    assert entries("put back on the waiting list: S2") == [people[3].number, people[4].number]
    Letter.objects.all().delete()
    edit(commissioner, capacity="9")
    assert states() == ["in"] * 6
    assert letters() == {(f"p{n}@example.cz", "Máte místo: S2") for n in (3, 4, 5)}
    assert entries("came in from the waiting list: S2") == [person.number for person in people[3:]]


def test_T_15_on_a_day_on_which_somebody_is_excluded_their_place_is_the_next_ones(
    commissioner: Client, people: list[Participant]
) -> None:
    day = LATER.date() + timedelta(days=1)
    Exclusion.objects.create(participant=people[0].number, since=day, until=day, reason="Rvačka", by="x", at=NOW)
    edit(commissioner, day=day.isoformat())
    assert states() == ["cancelled", "in", "in", "in", "in", "in"]
    assert "vyloučeni" in Letter.objects.get(to="p0@example.cz").body
    assert ("p5@example.cz", "Máte místo: S2") in letters()


def test_what_is_the_same_for_those_who_signed_up_is_not_told(commissioner: Client) -> None:
    edit(commissioner, deposit="200")
    assert (letters(), states()) == (set(), ["in"] * 5 + ["waiting"])


def test_an_import_does_not_change_a_plan_that_people_have_signed_up_for(
    instead: Round, imported: dict[str, Any]
) -> None:
    entry = {"name": "", "announcement": instead.announcement}
    season_import.apply(season_file.check(imported | {"rounds": [entry]}))
    entry["announcement"] |= {"starts_at": START.isoformat()}
    with pytest.raises(season_file.SeasonFileError, match="S2 has sign-ups and cannot change by import"):
        season_import.apply(season_file.check(imported | {"rounds": [entry]}))
    SignUp.objects.all().delete()
    Round.objects.filter(pk="S2").update(cancelled_at=NOW)
    with pytest.raises(season_file.SeasonFileError, match="S2 was cancelled and cannot"):
        season_import.apply(season_file.check(imported | {"rounds": [entry]}))


@pytest.fixture
def superuser(imported: dict[str, Any]) -> Client:
    client = Client()
    sign_in(client, User.objects.create_superuser("root"))
    return client


def test_the_admin_changes_no_round_that_people_have_signed_up_for(instead: Round, superuser: Client) -> None:
    at = "/admin/rounds/round/S2/"
    page = superuser.get(at + "change/").content.decode()
    assert 'name="starts_at_0"' not in page and 'name="name"' in page
    sent = {"name": "Jarní", "starts_at_0": "2027-03-01", "starts_at_1": "19:00", "announcement": json.dumps({})}
    assert superuser.post(at + "change/", sent).status_code == 302
    fresh = Round.objects.get(pk="S2")
    assert (fresh.name, fresh.starts_at, fresh.announcement) == ("Jarní", LATER, instead.announcement)
    assert superuser.post(at + "delete/", {"post": "yes"}).status_code == 403
    assert Round.objects.filter(pk="S2").exists()
    assert "delete_selected" not in superuser.get("/admin/rounds/round/").content.decode()


def test_the_admin_shows_seasons_and_changes_none(superuser: Client) -> None:
    row = Season.objects.get(year=2027)
    at = f"/admin/rounds/season/{row.pk}/"
    assert f"{at}points/" in superuser.get(at + "change/").content.decode()
    sent = {"year": "2027", "name": "Jinak", "profile": "tda-2024", "points_key": "", "least_card": "uid"}
    assert superuser.post(at + "change/", sent).status_code == 403
    assert superuser.get("/admin/rounds/season/add/").status_code == 403


def test_LG_2_a_plan_that_nobody_has_heard_of_is_deleted_and_any_other_one_cancelled(commissioner: Client) -> None:
    alone = Round.objects.get(pk="S2")
    Round.objects.create(
        id="P1", season=alone.season, venue=alone.venue, name="Plán", starts_at=alone.starts_at,
        announcement=alone.announcement | {"round": "P1"},
    )  # fmt: skip
    assert "Smazat plán" in commissioner.get("/office/rounds/round/P1/").text
    assert Client().get("/rounds/P1/").status_code == 404
    answer = commissioner.post("/office/rounds/round/P1/discard/", follow=True)
    assert "Plán je smazán" in answer.text and not Round.objects.filter(pk="P1").exists()
    assert AuditEntry.objects.get(about="plan of a round deleted: P1").what == "act"
    assert "Smazat plán" not in commissioner.get("/office/rounds/round/S2/").text  # it was told as a substitute
    answer = commissioner.post("/office/rounds/round/S2/discard/", follow=True)
    assert "jen zrušit" in answer.text and Round.objects.filter(pk="S2").exists()


def test_LG_2_a_cancelled_round_is_among_those_to_come_until_its_day(commissioner: Client) -> None:
    round = Round.objects.get(pk="S2")
    Round.objects.filter(pk="S2").update(cancelled_at=NOW)
    before, after = round.starts_at - timedelta(hours=1), round.starts_at + timedelta(hours=1)
    assert "S2" in [line.round.pk for line in pages.calendar(before).coming]
    assert "S2" not in [round.pk for round in pages.past_rounds(before)]
    assert "S2" not in [line.round.pk for line in pages.calendar(after).coming]
    assert "S2" in [round.pk for round in pages.past_rounds(after)]


@pytest.mark.parametrize(
    ("site", "language", "said"),
    [
        ("https://liga.example", "cs", "na své stránce: https://liga.example/me/"),
        ("https://liga.example", "en", "on your own page: https://liga.example/en/me/"),
        ("", "cs", "na své stránce, „Moje stránka“"),
    ],
)
def test_LG_2_letters_say_where_a_sign_up_is_cancelled(
    commissioner: Client, site: str, language: str, said: str
) -> None:
    Participant.objects.filter(email="p0@example.cz").update(language=language)
    with override_settings(SITE=site):
        edit(commissioner, day="2027-03-01")
    assert said in Letter.objects.get(to="p0@example.cz").body


def test_LG_2_who_waits_is_told_no_place_by_a_letter_about_a_change(people: list[Participant], tmp_path: Path) -> None:
    pen = pen_of(tmp_path)
    changing.announce(planned("S1", capacity=5), "horak", pen, NOW)
    first = Round.objects.get(pk="S1")
    for n, person in enumerate(people):
        sign_up(person, first, "novakova", now=NOW + timedelta(minutes=n))

    def told(number: int) -> str:
        return Letter.objects.filter(to=f"p{number}@example.cz").latest("pk").body

    changing.move(first, LATER, "", "horak", pen, NOW)
    assert "Vaše přihlášení trvá" in told(4) and "Zůstáváte na čekací listině" in told(5)
    changing.cancel(first, "", "horak", pen, NOW, Substitute("S2", LATER, first.venue, carry=True))
    assert "Jste na ně přihlášeni" in told(4) and "Jste na jeho čekací listině" in told(5)
    assert "přihlášeni" not in told(5)
    not_cancelled(first, SignUp.objects.filter(round=first), NOW)
    assert "přihláška platí" in told(4) and "Zůstáváte na čekací listině" in told(5)
