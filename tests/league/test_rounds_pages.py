"""The office's pages about rounds, as their clerks and commissioners use them: forms, refusals, audit, no JSON."""

from __future__ import annotations

import html
import re
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.test import Client
from django.utils import timezone

from league.ingest.publishing import told
from league.mail.models import Letter
from league.people.models import Participant
from league.rounds import changing
from league.rounds import plan as planner
from league.rounds.models import Round, Season, Venue
from league.rounds.planning import ShareTemplate, SignUp, StructureTemplate
from league.staff.models import AuditEntry
from league.staff.roles import Role
from league.staff.todo import tasks
from tests.league.office import staff_client
from tests.league.rounds_played import START, announcement, moves, planned, venue_plays

NOW = START - timedelta(days=60)
LEVELS = [{"sb": 25, "bb": 50, "minutes": 20}, {"break": 10}, {"sb": 50, "bb": 100, "minutes": 20, "ante": 10}]


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> datetime:
    """Two months before the round of the tests."""
    monkeypatch.setattr("league.rounds.pages.acts.timezone.now", lambda: NOW)
    return NOW


@pytest.fixture
def commissioner(imported: dict[str, Any], settings_dir: object, now: datetime) -> Client:
    StructureTemplate.objects.create(name="Večerní", levels=LEVELS)
    ShareTemplate.objects.create(name="Tři místa", shares=["50", "30", "20"])
    return staff_client(Role.COMMISSIONER)


@pytest.fixture
def clerk(commissioner: Client) -> Client:
    return staff_client(Role.CLERK)


def plan(**changes: Any) -> dict[str, Any]:
    """The form of a plan, filled in."""
    season, structure = Season.objects.get(year=2027), StructureTemplate.objects.get()
    return {
        "season": season.pk, "id": "2027-07", "name": "7. ligové kolo", "venue": "zabreh", "day": "2027-02-05",
        "time": "19:00", "profile": "cpl-2017", "deposit": "100", "structure": structure.pk,
        "share_template": ShareTemplate.objects.get().pk, "shares": "", "seats_per_table": "9", "capacity": "18",
        "tables": "", "breaking": "", "guarantee": "", "chip_up": "", "bonus_card": "", "chip_set": "",
        "ante_by": "player",
    } | changes  # fmt: skip


def at(round: str, rest: str = "") -> str:
    return f"/office/rounds/round/{round}/{rest}"


def text_of(answer: Any) -> str:
    return html.unescape(re.sub(r"\s+", " ", answer.content.decode()))


def announced(commissioner: Client, round: str = "2027-07", **changes: Any) -> Round:
    assert commissioner.post("/office/rounds/new/", plan(id=round, **changes)).status_code == 302
    commissioner.post(at(round, "announce/"))
    return Round.objects.get(pk=round)


def test_LG_2_a_round_is_planned_from_templates_and_announced_from_the_page(commissioner: Client) -> None:
    answer = commissioner.post("/office/rounds/new/", plan(tables="1-2", late_registration="on", guarantee="5000"))
    assert answer.headers["Location"] == at("2027-07")
    round = Round.objects.get(pk="2027-07")
    assert round.announcement == {
        "do": "announce", "round": "2027-07", "venue": "zabreh", "starts_at": "2027-02-05T19:00:00+01:00",
        "profile": "cpl-2017", "deposit": 100, "shares": ["50", "30", "20"], "seats_per_table": 9, "levels": LEVELS,
        "capacity": 18, "tables": [1, 2], "late_registration": True, "guarantee": 5000,
    }  # fmt: skip
    assert told("zabreh").offers == {}
    page = commissioner.post(at("2027-07", "announce/"), follow=True)
    assert "Kolo je oznámeno" in text_of(page)
    assert "2027-07" in told("zabreh").offers
    acts = list(
        AuditEntry.objects.filter(what="act", about__contains="2027-07").order_by("pk").values_list("who", "about")
    )
    assert acts == [("commissioner", "round planned: 2027-07"), ("commissioner", "round announced: 2027-07")]


def test_templates_are_copied_a_later_change_counts_for_later_plans(commissioner: Client) -> None:
    round = announced(commissioner)
    StructureTemplate.objects.update(levels=[{"sb": 1, "bb": 2, "minutes": 5}])
    ShareTemplate.objects.all().delete()
    fresh = Round.objects.get(pk=round.pk)
    assert fresh.terms["levels"] == LEVELS
    assert fresh.terms["shares"] == ["50", "30", "20"]


WRONG: list[tuple[dict[str, str], str, str]] = [
    ({"deposit": "10"}, "deposit", "50"),
    ({"deposit": "600"}, "deposit", "500"),
    ({"shares": "50 30"}, "shares", "ne 80 %"),
    ({"shares": "50 x 20"}, "shares", "„x“ není podíl"),
    ({"share_template": ""}, "shares", "Vyberte podíly"),
    ({"id": "R1"}, "id", "už existuje"),
    ({"id": "a b"}, "id", ""),
    ({"day": "2028-02-05"}, "day", "Ročník trvá od 1. ledna 2027 do 31. prosince 2027"),
    ({"day": "2027-03-28", "time": "02:30"}, "time", "Taková doba"),
    ({"tables": "1 x"}, "tables", "„x“ není číslo"),
    ({"tables": "1 1"}, "tables", "dvakrát"),
    ({"tables": "1 2", "breaking": "3"}, "breaking", "neexistuje"),
    ({"capacity": "2"}, "capacity", ""),
    ({"name": "zvon\x07ek"}, "name", ""),
    ({"name": "zvon\u061cek"}, "name", ""),
    ({"venue": ""}, "venue", ""),
]
"""What is typed, the field that is wrong, and what is said of it."""


def test_what_is_wrong_in_a_plan_is_said_beside_its_field_and_nothing_is_kept(commissioner: Client) -> None:
    for changes, field, said in WRONG:
        answer = commissioner.post("/office/rounds/new/", plan(**changes))
        errors = answer.context["form"].errors
        assert said in " ".join(errors[field]), (changes, errors)
        assert f'href="#id_{field}"' in answer.content.decode(), changes
    assert not Round.objects.filter(pk="2027-07").exists()


def test_the_rules_refuse_a_structure_in_the_language_of_the_page(commissioner: Client) -> None:
    StructureTemplate.objects.update(levels=[{"sb": 40, "bb": 50, "minutes": 20}])
    for address, said in (("/office/rounds/new/", "blind"), ("/en/office/rounds/new/", "blind")):
        answer = commissioner.post(address, plan())
        assert said in " ".join(answer.context["form"].errors["structure"]).lower()
    assert Round.objects.count() == 1


def test_a_plan_is_changed_until_it_is_announced_and_then_never(commissioner: Client) -> None:
    commissioner.post("/office/rounds/new/", plan(shares="60; 40", share_template=""))
    page = commissioner.get(at("2027-07", "plan/"))
    assert page.context["form"].initial["shares"] == "60 40"
    StructureTemplate.objects.update(levels=[{"sb": 1, "bb": 2, "minutes": 5}])
    changes = plan(structure="copied", shares="60 40", deposit="200", day="2027-02-06", id="other")
    assert commissioner.post(at("2027-07", "plan/"), changes).status_code == 302
    round = Round.objects.get(pk="2027-07")
    assert (round.announcement["deposit"], round.announcement["levels"]) == (200, LEVELS)
    assert round.announcement["starts_at"] == "2027-02-06T19:00:00+01:00"
    commissioner.post(at("2027-07", "announce/"))
    answer = commissioner.post(at("2027-07", "plan/"), changes | {"deposit": "300"}, follow=True)
    assert "neupravuje" in text_of(answer)
    assert Round.objects.get(pk="2027-07").terms["deposit"] == 200


@pytest.mark.parametrize("meanwhile", ["announced", "cancelled"])
def test_a_plan_kept_while_another_announces_it_takes_nothing_back(
    commissioner: Client, monkeypatch: pytest.MonkeyPatch, meanwhile: str
) -> None:
    commissioner.post("/office/rounds/new/", plan())
    before = Round.objects.get(pk="2027-07")
    is_sound = planner.check

    def check(*args: Any) -> bool:
        what = (
            {"promised": {"do": "announce"}, "offered_at": NOW} if meanwhile == "announced" else {"cancelled_at": NOW}
        )
        Round.objects.filter(pk="2027-07").update(**what)
        return is_sound(*args)

    monkeypatch.setattr(planner, "check", check)
    answer = commissioner.post(at("2027-07", "plan/"), plan(name="Jinak", deposit="200"), follow=True)
    assert "neupravuje" in text_of(answer)
    after = Round.objects.get(pk="2027-07")
    assert (after.name, after.announcement) == (before.name, before.announcement)
    assert after.offered_at == (NOW if meanwhile == "announced" else None)


def test_two_new_plans_of_one_code_at_once_do_not_both_stand(
    commissioner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_sound = planner.check

    def check(*args: Any) -> bool:
        planned("2027-07")
        return is_sound(*args)

    monkeypatch.setattr(planner, "check", check)
    answer = commissioner.post("/office/rounds/new/", plan(name="Jinak"))
    assert answer.context["form"].errors["id"]
    assert Round.objects.get(pk="2027-07").name != "Jinak"


def test_another_round_like_it_has_all_but_code_and_day(commissioner: Client) -> None:
    announced(commissioner, shares="60 40", guarantee="3000", chip_set="25 100")
    form = commissioner.get("/office/rounds/new/?like=2027-07").context["form"]
    assert (form["shares"].value(), form["guarantee"].value(), form["chip_set"].value()) == ("60 40", 3000, "25 100")
    assert (form["id"].value(), form["day"].value()) == ("2027-01", None)


def test_LG_2_moved_from_the_page(commissioner: Client, clerk: Client) -> None:
    announced(commissioner)
    Participant.objects.filter(number="000101").update(email="vera@example.cz")
    clerk.post(at("2027-07", "sign-up/"), {"number": "000101"})
    page = commissioner.post(
        at("2027-07", "move/"), {"day": "2027-02-12", "time": "18:00", "reason": "Topení"}, follow=True
    )
    assert "Kolo je přeloženo. 1 dopis se odesílá." in text_of(page)
    assert "Přeloženo z původního termínu 5. února 2027 19:00" in text_of(page)
    assert Letter.objects.get().to == "vera@example.cz"
    wrong = commissioner.post(at("2027-07", "move/"), {"day": "2027-02-12", "time": "18:00"})
    assert "Kolo už v tuto dobu začíná" in text_of(wrong)


def test_LG_2_cancelled_from_the_page_only_when_one_is_sure(commissioner: Client) -> None:
    announced(commissioner)
    answer = commissioner.post(at("2027-07", "cancel/"), {"reason": "Voda", "time": "19:00", "venue": "zabreh"})
    assert "sure" in answer.context["form"].errors
    assert Round.objects.get(pk="2027-07").cancelled_at is None
    fields = {"sure": "on", "reason": "Voda", "day": "2027-02-19", "time": "19:00", "venue": "zabreh", "id": "2027-08"}
    page = commissioner.post(at("2027-07", "cancel/"), fields | {"carry": "on"}, follow=True)
    assert page.redirect_chain[-1][0] == at("2027-08")
    assert "Místo kola:" in text_of(page)
    answer = commissioner.post(at("2027-07", "cancel/"), fields | {"id": "2027-09"})
    assert "Kolo bylo zrušeno." in text_of(answer)


def test_a_substitute_without_its_parts_is_refused_by_field(commissioner: Client) -> None:
    announced(commissioner)
    answer = commissioner.post(at("2027-07", "cancel/"), {"sure": "on", "day": "2027-02-19"})
    assert set(answer.context["form"].errors) == {"time", "venue", "id"}


def test_a_clerk_signs_up_by_number_or_finds_by_name(clerk: Client, commissioner: Client) -> None:
    announced(commissioner, capacity="3")
    for n, said in enumerate(("je přihlášen", "je přihlášen", "je přihlášen", "je na čekací listině")):
        page = clerk.post(at("2027-07", "sign-up/"), {"number": f"{101 + n:06}"}, follow=True)
        assert said in text_of(page)
    page = clerk.post(at("2027-07", "sign-up/"), {"number": "němcová"})
    assert [person.number for person in page.context["people"]] == ["000103"]
    page = clerk.post(at("2027-07", "sign-up/"), {"number": "Nikdo Takový"})
    assert "nebyl nalezen" in text_of(page)
    page = clerk.post(at("2027-07", "sign-up/"), {"number": "000101"})
    assert "už je přihlášen" in text_of(page)
    page = clerk.post(at("2027-07", "sign-up/000102/cancel/"), follow=True)
    assert "000104 má místo z čekací listiny, ale nemá e-mail" in text_of(page)
    states = dict(SignUp.objects.values_list("participant__number", "state"))
    assert states == {"000101": "in", "000102": "cancelled", "000103": "in", "000104": "in"}
    page = clerk.post(at("2027-07", "sign-up/000102/cancel/"), follow=True)
    assert "není přihlášen" in text_of(page)


def test_who_looks_at_the_sign_ups_is_in_the_audit_log(clerk: Client, commissioner: Client) -> None:
    announced(commissioner)
    AuditEntry.objects.all()  # entries are only ever added
    clerk.get(at("2027-07"))
    entry = AuditEntry.objects.latest("pk")
    assert (entry.who, entry.what, entry.about) == ("clerk", "view", "sign-ups: 2027-07")


def test_a_clerk_sees_no_act_that_is_the_commissioners(clerk: Client, commissioner: Client) -> None:
    announced(commissioner)
    page = clerk.get(at("2027-07")).content.decode()
    for rest in ("move/", "cancel/", "announce/", "plan/", "notified/"):
        assert at("2027-07", rest) not in page
        assert clerk.post(at("2027-07", rest)).status_code == 403
    auditor = staff_client(Role.AUDITOR)
    page = auditor.get(at("2027-07")).content.decode()
    assert at("2027-07", "sign-up/") not in page
    assert auditor.post(at("2027-07", "sign-up/"), {"number": "000101"}).status_code == 403


def test_the_municipality_is_reminded_of_until_it_is_told(
    commissioner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    Round.objects.all().delete()
    announced(commissioner)
    for today, waits, urgent in (
        (date(2026, 12, 1), 0, False), (date(2026, 12, 29), 1, False), (date(2027, 1, 6), 1, True),
    ):  # fmt: skip
        monkeypatch.setattr(timezone, "localdate", lambda value=None, zone=None, day=today: day)
        found = [task for task in tasks(frozenset({Role.COMMISSIONER})) if "notice" in task.url and task.number]
        ours = [task for task in found if task.number]
        assert [(task.number, task.urgent) for task in ours] == ([(waits, urgent)] if waits else []), today
    commissioner.post(at("2027-07", "notified/"), {"day": "2027-01-04", "reference": "MU-12/2027"})
    round = Round.objects.get(pk="2027-07")
    assert (round.notified_on, round.notified_as) == (date(2027, 1, 4), "MU-12/2027")
    assert not [task for task in tasks(frozenset({Role.COMMISSIONER})) if "notice" in task.url]


def test_the_notice_has_the_data_it_needs(commissioner: Client) -> None:
    announced(commissioner, guarantee="5000")
    page = text_of(commissioner.get(at("2027-07")))
    for part in (
        "6. ledna 2027",
        "Sokolovna, Zábřeh",
        "5. února 2027 19:00",
        "5. února 2027 19:50",
        "100 Kč",
        "1. 50 %",
    ):
        assert part in page, part


def test_LG_3_few_sign_ups_are_warned_of_in_the_last_week_and_nothing_more(
    commissioner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    announced(commissioner)
    assert "může liga kolo zrušit" not in text_of(commissioner.get(at("2027-07")))
    monkeypatch.setattr(timezone, "localdate", lambda value=None, zone=None: START.date() - timedelta(days=7))
    assert "Přihlášených je jen 0: při méně než 10" in text_of(commissioner.get(at("2027-07")))
    assert Round.objects.get(pk="2027-07").cancelled_at is None


def test_the_money_that_the_venue_recorded_is_shown(clerk: Client, director_key: Ed25519PrivateKey) -> None:
    planned("S1")
    venue = venue_plays(director_key, announcement("S1"), moves(["000101", "000102", "000103", "000104"])[:5])
    venue.do("unregister", participant="000104")
    page = text_of(clerk.get(at("S1")))
    assert "Vrácené vklady" in page and "odregistrován" in page and "300 Kč" in page


def test_the_lists_have_what_they_say(commissioner: Client) -> None:
    announced(commissioner)
    commissioner.post("/office/rounds/new/", plan(id="2027-08", day="2027-02-06"))
    past = planned("S0")
    Round.objects.filter(pk="S0").update(starts_at=timezone.now() - timedelta(days=3))
    coming = ["R1", "2027-07", "2027-08"]
    lists = {"coming": coming, "plans": ["R1", "2027-08"], "past": ["S0"], "nonsense": coming}
    for show, wanted in lists.items():
        page = commissioner.get("/office/rounds/", {"show": show})
        assert [line["round"].pk for line in page.context["lines"]] == wanted, show
    assert past.pk == "S0"


def test_script_in_a_name_or_reason_is_text_everywhere(commissioner: Client) -> None:
    nasty = "<script>alert(1)</script>"
    announced(commissioner, name=nasty)
    commissioner.post(at("2027-07", "cancel/"), {"sure": "on", "reason": nasty})
    for address in ("/office/rounds/", at("2027-07"), "/", "/rounds/2027-07/", "/en/rounds/2027-07/"):
        assert nasty not in commissioner.get(address).content.decode(), address


def test_a_structure_is_kept_row_by_row(commissioner: Client) -> None:
    address = "/office/rounds/templates/structure/"
    rows = {
        "name": "Krátká", "sb": ["25", "", "50", ""], "bb": ["50", "", "100", ""], "ante": ["", "", "5", ""],
        "minutes": ["15", "", "15", ""], "pause": ["", "10", "", ""],
    }  # fmt: skip
    page = commissioner.post(address, rows | {"after": "1"})
    assert [row.values["sb"] for row in page.context["rows"].rows] == ["25", "", "", "50", ""]
    assert len(commissioner.post(address, rows | {"more": "1"}).context["rows"].rows) == 9
    assert not StructureTemplate.objects.filter(name="Krátká").exists()
    assert commissioner.post(address, rows).status_code == 302
    made = StructureTemplate.objects.get(name="Krátká")
    assert made.levels == [
        {"sb": 25, "bb": 50, "minutes": 15}, {"break": 10}, {"sb": 50, "bb": 100, "minutes": 15, "ante": 5},
    ]  # fmt: skip
    page = commissioner.get(f"{address}{made.pk}/")
    assert [row.number for row in page.context["rows"].rows[:3]] == [1, None, 2]
    page = commissioner.post(address, rows)
    assert "Šablona s tímto názvem už existuje" in text_of(page)


def test_a_structure_is_proposed_or_taken_from_a_round(commissioner: Client) -> None:
    address = "/office/rounds/templates/structure/"
    wish = {"players": "20", "deposit": "100", "minutes": "240", "chips": "25 100 500 1000 5000", "profile": "cpl-2017"}
    rows = commissioner.get(address, wish).context["rows"]
    assert len(rows.levels) > 8 and not rows.errors
    page = commissioner.get(address, wish | {"deposit": "1", "chips": "100"})
    assert page.context["wish"].errors
    announced(commissioner)
    assert commissioner.get(address, {"like": "2027-07"}).context["rows"].levels == LEVELS


def test_shares_are_kept_and_templates_dropped(commissioner: Client) -> None:
    address = "/office/rounds/templates/shares/"
    assert commissioner.post(address, {"name": "Dvě", "shares": "60 30"}).status_code == 200
    assert commissioner.post(address, {"name": "Dvě", "shares": "66,67; 33,33"}).status_code == 302
    made = ShareTemplate.objects.get(name="Dvě")
    assert made.shares == ["66.67", "33.33"]
    assert commissioner.post(f"{address}{made.pk}/drop/").status_code == 302
    assert not ShareTemplate.objects.filter(name="Dvě").exists()
    pk = StructureTemplate.objects.get().pk
    assert commissioner.post(f"/office/rounds/templates/structure/{pk}/drop/").status_code == 302
    page = text_of(commissioner.get("/office/rounds/new/"))
    assert "Zatím není žádná struktura" in page


def test_without_the_leagues_key_a_round_is_not_announced_and_the_page_says_why(
    commissioner: Client, settings_dir: Any
) -> None:
    commissioner.post("/office/rounds/new/", plan())
    (settings_dir / "league-ed25519.key").write_text("nonsense")
    page = commissioner.post(at("2027-07", "announce/"), follow=True)
    assert "league-ed25519.key" in text_of(page)
    assert Round.objects.get(pk="2027-07").promised is None


def test_changes_from_two_pages_at_once_do_not_both_happen(commissioner: Client) -> None:
    round = announced(commissioner)
    Venue.objects.create(id="brno", name="Na Růžku", town="Brno")
    commissioner.post(at("2027-07", "cancel/"), {"sure": "on"})
    with pytest.raises(changing.ChangeRefused, match="cancelled"):
        changing.move(round, START + timedelta(days=7), "", "horak", None, NOW)  # type: ignore[arg-type]
