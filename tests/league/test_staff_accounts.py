"""The staff's accounts, by page and by command; the audit log's page; the overview."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from datetime import timedelta
from urllib.parse import parse_qsl

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

from league.mail.models import Letter
from league.staff import accounts, audit, lockout
from league.staff.models import AuditEntry
from league.staff.roles import Role, has_second_factor, roles_of
from tests.league.office import PASSWORD, staff_client, staff_user
from tests.league.test_staff_sign_in import enter

pytestmark = pytest.mark.usefixtures("db")
NEW = "Vítkov-1420-cepy"


@pytest.fixture
def operator() -> Client:
    return staff_client(Role.OPERATOR)


def command(*words: str) -> str:
    out = io.StringIO()
    call_command("staff", *words, stdout=out)
    return out.getvalue()


def set_password(link: str) -> str:
    """Follow a link and set the password there; what the last page says."""
    client = Client()
    address = re.sub(r"^https?://[^/]+", "", link)
    form = client.get(address, follow=True)
    if "password1" not in form.text:
        return form.text
    return client.post(form.request["PATH_INFO"], {"password1": NEW, "password2": NEW}, follow=True).text


def test_P_an_operator_makes_an_account_whose_owner_sets_the_password(operator: Client) -> None:
    form = {"name": "novakova", "email": "novakova@liga.example", "roles": ["clerk", "auditor"]}
    page = operator.post("/office/staff/add/", form, follow=True).text
    assert "novakova" in page and "zatím žádný" in page
    user = User.objects.get(username="novakova")
    assert roles_of(user) == {Role.CLERK, Role.AUDITOR}
    assert not user.has_usable_password()
    (letter,) = Letter.objects.all()
    link = re.search(r"http\S+", letter.enclosed)
    assert letter.to == "novakova@liga.example" and link
    assert link[0] not in page
    assert "Heslo je nastaveno" in set_password(link[0])
    assert enter(Client(), "novakova", NEW) == "/office/"
    assert "Tento odkaz už neplatí" in set_password(link[0])
    assert AuditEntry.objects.filter(who="operator", about="account made: novakova").exists()


@pytest.mark.parametrize("role", [Role.CLERK, Role.COMMISSIONER, Role.AUDITOR])
def test_P_the_link_that_sets_a_password_is_its_owners_alone(operator: Client, role: Role) -> None:
    """Whoever may read letters at the office finds no way into a colleague's account there."""
    operator.post("/office/staff/add/", {"name": "novakova", "email": "n@liga.example", "roles": ["clerk"]})
    letter = Letter.objects.get()
    page = staff_client(role).get(f"/office/letters/{letter.pk}/").text
    assert "novakova" in page and "account/password" not in page
    assert letter.until is not None and letter.until - letter.made_at <= timedelta(days=3, minutes=1)


@pytest.mark.parametrize("name", ["operator", "OPERATOR", "", "s mezerou", "x" * 151])
def test_P_a_wrong_or_taken_name_is_told_beside_its_field(operator: Client, name: str) -> None:
    page = operator.post("/office/staff/add/", {"name": name, "email": "x@liga.example", "roles": ["clerk"]})
    assert page.status_code == 200
    assert '<a href="#id_name">' in page.text
    assert 'aria-invalid="true"' in page.text
    assert User.objects.count() == 1


def test_P_an_operator_changes_roles_and_the_address_before_is_told(operator: Client) -> None:
    user = staff_user(Role.CLERK)
    operator.post(f"/office/staff/{user.pk}/", {"email": "jina@liga.example", "roles": ["commissioner"]})
    user = User.objects.get(pk=user.pk)
    assert (user.email, roles_of(user)) == ("jina@liga.example", {Role.COMMISSIONER})
    assert Letter.objects.get().to == "clerk@liga.example"
    entry = AuditEntry.objects.latest("id")
    assert (entry.about, entry.fields) == ("account's roles or address changed: clerk", ["email", "roles"])


def test_P_an_operator_gives_a_new_start(operator: Client) -> None:
    user = staff_user(Role.CLERK)
    signed_in = staff_client(Role.CLERK)
    operator.post(f"/office/staff/{user.pk}/factor/")
    assert not has_second_factor(user)
    operator.post(f"/office/staff/{user.pk}/link/")
    assert "nesouhlasí" in enter(Client(), "clerk")
    assert signed_in.get("/office/").headers["Location"].startswith("/account/login/")
    link = re.search(r"http\S+", Letter.objects.get(to="clerk@liga.example").enclosed)
    assert link and "Heslo je nastaveno" in set_password(link[0])
    assert enter(Client(), "clerk", NEW) == "/office/"


def test_P_an_operator_opens_a_sign_in_and_closes_an_account(operator: Client) -> None:
    user = staff_user(Role.CLERK)
    for _ in range(5):
        enter(Client(), "clerk", "wrong", address="10.0.0.1")
    assert "přihlášení uzavřeno do" in operator.get("/office/staff/").text
    assert "přihlášení uzavřená po chybách" in operator.get("/office/").text
    operator.post(f"/office/staff/{user.pk}/open/")
    assert enter(Client(), "clerk", to="/office/") == "/account/second/sign-in/"
    operator.post(f"/office/staff/{user.pk}/shut/")
    assert enter(Client(), "clerk") not in ("/office/", "/account/second/sign-in/")
    operator.post(f"/office/staff/{user.pk}/reopen/")
    assert enter(Client(), "clerk", to="/office/") == "/account/second/sign-in/"


def test_P_an_operator_touches_neither_their_own_account_nor_a_superusers(operator: Client) -> None:
    boss = staff_user(name="boss", superuser=True)
    me = User.objects.get(username="operator")
    for user in (boss, me):
        assert operator.get(f"/office/staff/{user.pk}/").status_code == 403
        for act in ("link", "factor", "sessions", "open", "shut", "reopen"):
            assert operator.post(f"/office/staff/{user.pk}/{act}/").status_code == 403
    assert operator.post(f"/office/staff/{me.pk}/nonsense/").status_code == 404
    assert operator.get(f"/office/staff/{staff_user(Role.CLERK).pk}/shut/").status_code == 405


def test_P_an_operator_sees_no_personal_data(operator: Client) -> None:
    for address in ("/office/audit/", "/office/audit/file/"):
        assert operator.get(address).status_code == 403


def test_P_the_command_makes_accounts_and_gives_new_starts() -> None:
    told = command("add", "novak", "--email", "novak@liga.example", "--role", "clerk", "--site", "https://liga.example")
    link = told.splitlines()[1]
    assert link.startswith("https://liga.example/account/password/")
    assert "Heslo je nastaveno" in set_password(link)
    assert command("list") == "novak  clerk  no second factor\n"
    assert "auditor, clerk" in command("role", "novak", "--role", "clerk", "--role", "auditor")
    staff_user(Role.CLERK, name="novak")
    again = command("reset", "novak", "--factor").splitlines()[1]
    assert "nesouhlasí" in enter(Client(), "novak", NEW)
    assert not has_second_factor(User.objects.get(username="novak"))
    assert "Heslo je nastaveno" in set_password(again)
    assert "closed" in command("close", "novak")
    assert "closed" not in command("reopen", "novak")
    for _ in range(5):
        enter(Client(), "novak", "wrong")
    assert "sign-in closed after failures" in command("list")
    command("unlock", "novak")
    assert "after failures" not in command("list")
    assert AuditEntry.objects.filter(who="command").count() == 7


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["role", "nobody", "--role", "clerk"], "there is no account 'nobody'"),
        (["add", "clerk", "--role", "clerk"], "an account of this name"),
        (["add", "two words", "--role", "clerk"], "valid username"),
        (["add", "x", "--role", "king"], "invalid choice: 'king'"),
        (["add", "x"], "--role"),
    ],
)
def test_P_the_command_says_what_is_wrong_in_one_line(words: list[str], said: str) -> None:
    from django.utils import translation

    staff_user(Role.CLERK)
    with translation.override("en"), pytest.raises(CommandError, match=re.escape(said)):
        command(*words)


@pytest.fixture
def entries() -> Iterator[None]:
    audit.note_by("novakova", audit.What.SHOW, number="000101", fields=["birth_number"], reason="Ověření na přání")
    audit.note_by("novakova", audit.What.CHANGE, number="000102", about="registered: =HYPERLINK(1)", fields=["email"])
    audit.note_by("command", audit.What.ERASE, number="000101", reason="=cmd|'/c calc'!A1")
    yield


def rows(page: str) -> int:
    return len(re.findall(r"<tr><td", page))


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("", 4), ("who=NOVAK", 2), ("number=000101", 2), ("what=show", 1), ("words=přání", 1), ("words=hyperlink", 1),
        ("who=novak&number=000101", 1), ("since=2020-01-01&until=2020-12-31", 0), ("since=2020-01-01", 4),
        ("since=nonsense", 0), ("what=nonsense", 0), ("page=99", 4), ("who=%27%3B--", 0),
    ],
)  # fmt: skip
def test_P_the_auditor_looks_through_the_audit_log(entries: None, asked: str, found: int) -> None:
    client = staff_client(Role.AUDITOR)
    posted = client.post("/office/audit/", dict(parse_qsl(asked)), follow=True)
    assert rows(posted.text) == found


def test_P_to_look_somebody_up_in_the_audit_log_is_itself_in_it(entries: None) -> None:
    client = staff_client(Role.AUDITOR)
    client.get("/office/audit/?number=000101")
    client.get("/office/audit/file/?what=show")
    _signed_in, looked, taken = AuditEntry.objects.filter(who="auditor").order_by("id")
    assert (looked.what, looked.number) == ("view", "000101")
    assert taken.what == "export"


def test_P_to_look_at_the_audit_log_is_in_it_and_takes_no_entry_from_what_is_shown(entries: None) -> None:
    client = staff_client(Role.AUDITOR)
    for _ in range(2):
        client.get("/office/audit/")
    assert AuditEntry.objects.filter(who="auditor", what="view", number="").count() == 2
    oldest = AuditEntry.objects.filter(number="000101").order_by("id").first()
    for _ in range(99):
        audit.note_by("x", audit.What.VIEW, number="000101")
    page = client.get("/office/audit/?number=000101&page=2").context["page"]
    assert (page.paginator.count, [entry.pk for entry in page.object_list][-1]) == (101, oldest and oldest.pk)


@pytest.mark.parametrize("asked", ["until=9999-12-31", "since=0001-01-01", "since=2027-02-01&until=2027-01-31"])
def test_P_days_that_cannot_be_meant_are_refused_in_words(entries: None, asked: str) -> None:
    client = staff_client(Role.AUDITOR)
    answer = client.get(f"/office/audit/?{asked}")
    assert answer.status_code == 200 and rows(answer.text) == 0 and answer.context["form"].errors
    assert client.get(f"/office/audit/file/?{asked}").status_code == 400


def test_P_an_account_that_is_made_twice_at_once_is_refused_the_second_time(
    operator: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.contrib.auth.models import User
    from django.db.models import QuerySet

    form = {"name": "eva", "email": "eva@liga.example", "roles": ["clerk"]}
    assert operator.post("/office/staff/add/", form).status_code == 302
    with monkeypatch.context() as meanwhile, pytest.raises(ValidationError, match="name"):
        meanwhile.setattr(QuerySet, "exists", lambda _self: False)  # looked before the other one was there
        accounts.make("eva", "eva@liga.example", [Role.CLERK])
    assert User.objects.filter(username="eva").count() == 1


def test_P_the_audit_log_as_csv_has_diacritics_and_no_formulas(entries: None) -> None:
    answer = staff_client(Role.AUDITOR).get("/office/audit/file/")
    text = b"".join(answer.streaming_content).decode("utf-8")  # type: ignore[attr-defined]
    assert text.startswith("\ufeff")
    lines = list(csv.reader(io.StringIO(text[1:]), delimiter=";"))
    assert len(lines) == 6  # the head, three entries, that the auditor is in, and that it is taken out
    cells = [cell for line in lines for cell in line]
    assert "Ověření na přání" in cells and "rodné číslo" in cells and "'=cmd|'/c calc'!A1" in cells
    assert not [cell for cell in cells if cell.startswith(("=", "+", "@"))]


def test_P_the_audit_log_in_english_tells_acts_in_english(operator: Client) -> None:
    user = staff_user(Role.CLERK)
    operator.post(f"/office/staff/{user.pk}/sessions/")
    client = staff_client(Role.AUDITOR)
    assert "ukončena přihlášení účtu: clerk" in client.get("/office/audit/").text
    assert "account&#x27;s sessions ended: clerk" in client.get("/en/office/audit/").text


def test_P_what_somebody_writes_is_shown_never_run() -> None:
    audit.note_by("<script>alert(1)</script>", audit.What.ACT, about="<img src=x onerror=alert(1)>", reason='"><b>')
    page = staff_client(Role.AUDITOR).post("/office/audit/", {"who": "<script>"}, follow=True).text
    assert "<script>alert" not in page and "&lt;script&gt;" in page and "<img src=x" not in page


def test_P_a_failure_more_than_a_day_old_is_forgotten_with_the_next() -> None:
    from datetime import timedelta

    from django.utils import timezone

    from league.staff.models import SignInCount

    lockout.attempt("old", "10.0.0.1")
    SignInCount.objects.update(since=timezone.now() - timedelta(days=2))
    lockout.attempt("old", "10.0.0.2")
    assert SignInCount.objects.count() == 2  # the name's, counted anew, and the new address


def test_P_the_staffs_password_is_a_good_one(operator: Client) -> None:
    staff_client(Role.CLERK)
    client = staff_client(Role.CLERK)
    for bad in ("kratke", "password12345", "clerk"):
        form = {"oldpassword": PASSWORD, "password1": bad, "password2": bad}
        assert client.post("/account/password/", form).status_code == 200
