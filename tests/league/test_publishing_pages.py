"""The office's pages of what the league publishes, and what the public reads of it (LG-9, LG-12)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from league.notices import editions
from league.notices.editions import NotPublishable
from league.notices.forms import AnnouncementForm, EditionForm, PricesForm
from league.notices.models import Announcement, Edition, Price, write_prices
from league.rounds.models import Venue
from league.staff.models import AuditEntry
from league.staff.roles import Role
from tests.league.office import staff_client

SCRIPT = "<script>alert(1)</script>"


@pytest.fixture
def boss(db: None) -> Client:
    return staff_client(Role.COMMISSIONER)


def day(days: int = 0) -> str:
    return (timezone.localdate() + timedelta(days=days)).isoformat()


def text(answer: Any) -> str:
    assert answer.status_code == 200, answer
    return str(answer.content.decode())


def announced(**fields: Any) -> dict[str, Any]:
    return {
        "title_cs": "Sraz hráčů", "text_cs": "V sobotu.", "from_day": day(), "from_time": "00:00", "on_site": "on",
        "everywhere": "on", **fields,
    }  # fmt: skip


def begin(boss: Client, kind: str, days: int = 0) -> Edition:
    boss.post("/office/publishing/new/", {"kind": kind, "effective_on": day(days)})
    return Edition.objects.get(kind=kind, published_at=None)


def publish(boss: Client, kind: str = "rules", days: int = 0, **fields: str) -> Edition:
    draft = begin(boss, kind, days)
    said = {"effective_on": day(days), "brief_cs": "Stručně", "text_cs": "Celé znění", **fields}
    assert boss.post(f"/office/publishing/{draft.pk}/edit/", said).status_code == 302
    boss.post(f"/office/publishing/{draft.pk}/publish/")
    draft.refresh_from_db()
    assert draft.number
    return draft


def test_LG_9_an_announcement_is_read_on_the_first_page_until_it_is_withdrawn(boss: Client) -> None:
    assert boss.post("/office/announcements/new/", announced(title_en="Meeting")).status_code == 302
    row = Announcement.objects.get()
    assert "Sraz hráčů" in text(Client().get("/"))
    assert "Meeting" in text(Client().get("/en/"))
    assert "Sraz hráčů" in text(boss.get("/office/announcements/"))
    boss.post(f"/office/announcements/{row.pk}/withdraw/")
    assert "Sraz hráčů" not in text(Client().get("/"))
    noted = AuditEntry.objects.filter(about__startswith="announcement").order_by("pk")
    assert [(one.what, one.about) for one in noted] == [
        ("change", f"announcement {row.pk}"), ("act", f"announcement {row.pk} withdrawn"),
    ]  # fmt: skip


def test_LG_9_what_begins_later_or_is_for_venues_alone_is_not_on_the_pages(boss: Client) -> None:
    Venue.objects.create(id="brno", name="Brno")
    boss.post("/office/announcements/new/", announced(title_cs="Zítra", from_day=day(1)))
    venues = announced(title_cs="Jen v Brně", on_site="", everywhere="", venues=["brno"])
    boss.post("/office/announcements/new/", {name: value for name, value in venues.items() if value})
    shown = text(Client().get("/"))
    assert "Zítra" not in shown and "Jen v Brně" not in shown
    assert [venue.pk for venue in Announcement.objects.get(title_cs="Jen v Brně").venues.all()] == ["brno"]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"title_cs": ""}, "title_cs"), ({"title_cs": "a\x1bb"}, "title_cs"), ({"title_en": "a\u202eb"}, "title_en"),
        ({"text_cs": "x" * 1001}, "text_cs"),
        ({"to_day": day(-1), "to_time": "10:00"}, "to_day"), ({"to_day": day(1)}, "to_time"),
        ({"to_time": "10:00"}, "to_day"),
        ({"from_day": "x"}, "from_day"),
    ],
)  # fmt: skip
def test_LG_9_a_mistake_is_named_at_its_field_and_nothing_is_announced(
    boss: Client, fields: dict[str, Any], field: str
) -> None:
    answer = boss.post("/office/announcements/new/", announced(**fields))
    assert f'href="#id_{field}"' in text(answer)
    assert not Announcement.objects.exists()


def test_LG_9_what_stands_can_be_withdrawn_however_much_came_after_it(boss: Client) -> None:
    boss.post("/office/announcements/new/", announced())
    now = timezone.now()
    Announcement.objects.bulk_create(
        Announcement(title_cs=f"Staré {n}", since=now, withdrawn_at=now) for n in range(201)
    )  # fmt: skip
    assert "Sraz hráčů" in text(boss.get("/office/announcements/"))


def test_LG_9_it_must_be_shown_somewhere(boss: Client) -> None:
    nowhere = announced()
    del nowhere["on_site"], nowhere["everywhere"]
    assert boss.post("/office/announcements/new/", nowhere).status_code == 200
    assert not Announcement.objects.exists()


def test_LG_12_the_public_reads_what_is_in_force_and_what_comes(boss: Client) -> None:
    assert "Zatím nebylo nic zveřejněno" in text(Client().get("/rules/"))
    publish(boss, text_cs="## Oblečení\n\nBez kuklí.\n\n- jedna\n- dvě", text_en="No hoods.")
    later = publish(boss, days=7, text_cs="Nové znění")
    shown = text(Client().get("/rules/"))
    assert "<h2>Oblečení</h2>" in shown and "<li>dvě</li>" in shown and "Verze 2 začne platit" in shown
    assert "Nové znění" not in shown
    assert "No hoods." in text(Client().get("/en/rules/"))
    assert "Nové znění" in text(Client().get("/rules/2/")) and later.hash in text(Client().get("/rules/2/"))
    for missing in ("/rules/3/", "/rules/99999999/", "/prices/1/"):
        assert Client().get(missing).status_code == 404


def test_LG_12_a_draft_is_nobodys_business_and_a_published_one_nobody_edits(boss: Client) -> None:
    draft = begin(boss, "plan")
    assert "Zatím nebylo nic zveřejněno" in text(Client().get("/game-plan/"))
    boss.post(f"/office/publishing/{draft.pk}/publish/")
    draft.refresh_from_db()
    assert draft.is_draft, "an empty one was published"
    done = publish(boss)
    assert boss.get(f"/office/publishing/{done.pk}/edit/").status_code == 404
    boss.post(f"/office/publishing/{done.pk}/discard/")
    boss.post(f"/office/publishing/{done.pk}/withdraw/")
    done.refresh_from_db()
    assert done.withdrawn_at is None
    boss.post(f"/office/publishing/{draft.pk}/discard/")
    assert not Edition.objects.filter(pk=draft.pk).exists()


def kept(row: Edition, kind: str, fields: dict[str, Any]) -> Any:
    form = PricesForm(fields) if kind == "prices" else EditionForm(fields)
    assert form.is_valid()
    return form.keep(row, []) if isinstance(form, PricesForm) else form.keep(row)


@pytest.mark.parametrize("kind", ["rules", "prices"])
def test_LG_12_a_draft_kept_while_another_publishes_it_takes_nothing_back(boss: Client, kind: str) -> None:
    draft = begin(boss, kind)
    stale = Edition.objects.get(pk=draft.pk)
    Edition.objects.filter(pk=draft.pk).update(
        text_cs="Vše", brief_cs="Stručně", price_rows=write_prices([Price("a", "Á", "", 1)])
    )
    published = editions.publish(draft, "boss")
    with pytest.raises(NotPublishable):
        kept(stale, kind, {"effective_on": day(3), "brief_cs": "x", "text_cs": "x"})
    with pytest.raises(NotPublishable):
        editions.discard(stale)
    draft.refresh_from_db()
    assert (draft.number, draft.published_at, draft.text_cs) == (1, published.published_at, "Vše")


def test_LG_12_the_page_says_that_a_draft_was_published_meanwhile(
    boss: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = begin(boss, "rules")
    said = {"effective_on": day(), "brief_cs": "Stručně", "text_cs": "Celé znění"}
    is_valid = EditionForm.is_valid

    def meanwhile(form: EditionForm) -> bool:
        Edition.objects.filter(pk=draft.pk).update(number=1, published_at=timezone.now())
        return is_valid(form)

    monkeypatch.setattr(EditionForm, "is_valid", meanwhile)
    answer = boss.post(f"/office/publishing/{draft.pk}/edit/", said, follow=True)
    assert "zveřejněn" in text(answer)
    assert Edition.objects.get(pk=draft.pk).text_cs == ""


def test_LG_9_an_announcement_edited_while_another_withdraws_it_stays_withdrawn(
    boss: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    boss.post("/office/announcements/new/", announced())
    row = Announcement.objects.get()
    is_valid = AnnouncementForm.is_valid

    def meanwhile(form: AnnouncementForm) -> bool:
        Announcement.objects.update(withdrawn_at=timezone.now())
        return is_valid(form)

    monkeypatch.setattr(AnnouncementForm, "is_valid", meanwhile)
    assert boss.post(f"/office/announcements/{row.pk}/", announced(title_cs="Jinak")).status_code == 404
    row.refresh_from_db()
    assert row.withdrawn_at is not None and row.title_cs == "Sraz hráčů"


def lines(*rows: tuple[str, str, str, str]) -> dict[str, Any]:
    data: dict[str, Any] = {"effective_on": day(), "form-TOTAL_FORMS": len(rows), "form-INITIAL_FORMS": 0}
    for n, row in enumerate(rows):
        data |= {f"form-{n}-{name}": value for name, value in zip(("code", "cs", "en", "crowns"), row, strict=True)}
    return data


def test_LG_9_a_price_list_is_typed_line_by_line_and_read_in_both_languages(boss: Client) -> None:
    draft = begin(boss, "prices")
    rows = lines(("card-replacement", "Nový průkaz", "New card", "150"), ("", "", "", ""), ("copy", "Kopie", "", "0"))
    assert boss.post(f"/office/publishing/{draft.pk}/edit/", rows).status_code == 302
    boss.post(f"/office/publishing/{draft.pk}/publish/")
    fee = editions.price("card-replacement")
    assert fee is not None and fee.crowns == 150
    assert "Nový průkaz" in text(Client().get("/prices/")) and "150" in text(Client().get("/prices/"))
    english = text(Client().get("/en/prices/"))
    assert "New card" in english and "Kopie" in english


@pytest.mark.parametrize(
    "rows", [[("a b", "Text", "", "1")], [("a", "Text", "", "-1")], [("a", "", "", "5")], [("a", "A", "", "1")] * 2]
)
def test_LG_9_a_price_that_is_none_is_refused(boss: Client, rows: list[tuple[str, str, str, str]]) -> None:
    draft = begin(boss, "prices")
    assert boss.post(f"/office/publishing/{draft.pk}/edit/", lines(*rows)).status_code == 200
    draft.refresh_from_db()
    assert draft.price_rows == []


def test_P_no_markup_of_whoever_writes_runs_on_a_page(boss: Client) -> None:
    boss.post(
        "/office/announcements/new/", announced(title_cs=SCRIPT, text_cs=f"{SCRIPT}\n\n- {SCRIPT}\n\n## {SCRIPT}")
    )
    rules = publish(boss, text_cs=f"## {SCRIPT}\n\n- {SCRIPT}\n\n{SCRIPT}", brief_cs=SCRIPT, text_en=SCRIPT)
    for page in ("/", "/rules/", "/en/rules/"):
        assert "<script>alert" not in text(Client().get(page))
    for page in ("/office/announcements/", f"/office/publishing/{rules.pk}/"):
        assert "<script>alert" not in text(boss.get(page))


@pytest.mark.parametrize("role", [Role.CLERK, Role.AUDITOR, Role.OPERATOR])
def test_P_others_read_but_publish_nothing(db: None, role: Role) -> None:
    other = staff_client(role)
    for page in ("/office/announcements/", "/office/publishing/"):
        text(other.get(page))
    assert other.post("/office/publishing/new/", {"kind": "rules", "effective_on": day()}).status_code == 403
    if role is not Role.CLERK:
        assert other.post("/office/announcements/new/", announced()).status_code == 403
    assert not Announcement.objects.filter(title_cs="Sraz hráčů").exists() or role is Role.CLERK
    assert not Edition.objects.exists()
