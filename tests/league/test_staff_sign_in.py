"""Signing in to the office: password and second factor, lock-out, sessions, what nobody may do."""

from __future__ import annotations

import re
import time
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from league.mail.models import Letter
from league.staff import lockout
from league.staff.models import AuditEntry, SignInCount
from league.staff.roles import Role
from tests.league.office import PASSWORD, code, staff_client, staff_user

pytestmark = pytest.mark.usefixtures("db")


def enter(client: Client, name: str, password: str = PASSWORD, *, to: str = "", address: str = "127.0.0.1") -> str:
    """Send the sign-in's form; where it leads, or the page that came back."""
    form = {"login": name, "password": password} | ({"next": to} if to else {})
    answer = client.post("/account/login/", form, REMOTE_ADDR=address)
    return answer.headers.get("Location") or answer.text


def show_code(client: Client, given: str) -> str:
    """Send the second factor's form; where it leads, or the page that came back."""
    answer = client.post("/account/second/sign-in/", {"code": given})
    return answer.headers.get("Location") or answer.text


def test_P_staff_sign_in_with_password_and_code() -> None:
    staff_user(Role.CLERK)
    client = Client()
    assert enter(client, "clerk", to="/office/") == "/account/second/sign-in/"
    assert client.get("/office/").status_code == 302  # the password alone opens nothing
    assert show_code(client, code()) == "/office/"
    assert client.get("/office/").status_code == 200
    assert [entry.about for entry in AuditEntry.objects.filter(who="clerk")] == ["signed in"]


def test_P_whoever_has_no_second_factor_sets_one_up_before_anything_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.db.transaction.on_commit", lambda do, **_: do())  # the test's transaction never ends
    staff_user(Role.CLERK, factor=False)
    client, thief = Client(), Client()
    for each in (client, thief):
        assert enter(each, "clerk") == "/office/"
        assert each.get("/office/").headers["Location"] == "/account/second/app/"
    again = "/account/second/app/"
    later = time.time() + 301
    with monkeypatch.context() as clock:
        clock.setattr(time, "time", lambda: later)  # the password was just typed; later it is asked for once more
        assert client.get(again).headers["Location"].startswith("/account/confirm/")
    secret = re.search(r'id="authenticator_secret">(\w+)<', client.get(again).text)
    assert secret
    assert "Kód nesouhlasí" in client.post(again, {"code": "000000"}).text
    codes = client.post(again, {"code": code(secret[1])}, follow=True)
    assert codes.request["PATH_INFO"] == "/account/second/codes/"
    assert len(re.findall(r"<li><code>", codes.text)) == 10
    assert client.get("/office/").status_code == 200
    # whoever was in with the password alone is out, and does not become one with a second factor
    assert thief.get("/office/").headers["Location"].startswith("/account/login/")
    assert "přidán druhý faktor" in Letter.objects.get().subject
    assert AuditEntry.objects.filter(who="clerk", about="second factor added").count() == 1


def test_P_a_recovery_code_opens_once() -> None:
    from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes

    user = staff_user(Role.CLERK)
    spare = RecoveryCodes.activate(user).get_unused_codes()[0]
    client = Client()
    enter(client, "clerk", to="/office/")
    assert show_code(client, spare) == "/office/"
    again = Client()
    enter(again, "clerk", to="/office/")
    assert "Kód nesouhlasí" in show_code(again, spare)


def test_P_a_code_opens_once() -> None:
    staff_user(Role.CLERK)
    one, two = Client(), Client()
    for client in (one, two):
        enter(client, "clerk", to="/office/")
    now = code()
    assert show_code(one, now) == "/office/"
    assert "Kód nesouhlasí" in show_code(two, now)


def test_P_five_wrong_passwords_close_the_sign_in_and_say_until_when(monkeypatch: pytest.MonkeyPatch) -> None:
    staff_user(Role.CLERK)
    client = Client()
    for _ in range(4):
        assert "Jméno nebo heslo nesouhlasí" in enter(client, "clerk", "wrong")
    now = timezone.now()
    until = timezone.localtime(now + lockout.CLOSED)
    fifth = enter(client, "clerk", "wrong")
    assert "uzavřeno do" in fifth
    assert f"{until:%-H:%M}" in fifth or f"{until + timedelta(minutes=1):%-H:%M}" in fifth
    assert "uzavřeno do" in enter(client, "clerk")  # the right one, too
    assert "uzavřeno do" in enter(Client(), "CLERK ", address="10.0.0.9")  # from elsewhere, written otherwise
    assert AuditEntry.objects.filter(about="sign-in closed").count() == 1
    monkeypatch.setattr(timezone, "now", lambda: now + lockout.CLOSED + timedelta(minutes=1))
    assert enter(client, "clerk", to="/office/") == "/account/second/sign-in/"


def test_P_a_name_that_is_nobodys_is_answered_as_one_that_is() -> None:
    staff_user(Role.CLERK)
    one, other = Client(), Client()
    for _ in range(6):
        known, unknown = enter(one, "clerk", "wrong"), enter(other, "nobody-at-all", "wrong", address="10.0.0.8")
        told = [re.search(r'<div class="errors".*?</div>', page, re.S) for page in (known, unknown)]
        assert told[0] and told[1] and told[0][0] == told[1][0]


def test_P_what_was_typed_as_a_name_is_kept_nowhere() -> None:
    enter(Client(), "my-Secret-passphrase", "x")
    assert SignInCount.objects.count() == 2
    assert not SignInCount.objects.filter(key__icontains="secret").exists()
    assert not AuditEntry.objects.filter(who__icontains="secret").exists()


def test_P_wrong_codes_close_the_sign_in_even_with_the_password_right_in_between() -> None:
    staff_user(Role.CLERK)
    for _ in range(5):
        client = Client()
        enter(client, "clerk")
        page = show_code(client, "000000")
    assert "uzavřeno do" in page
    assert "uzavřeno do" in enter(Client(), "clerk")


def test_P_one_address_that_tries_many_names_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lockout, "ADDRESS_LIMIT", 3)
    staff_user(Role.CLERK)
    client = Client()
    for name in ("anna", "bara", "cyril"):
        page = enter(client, name, "wrong", address="10.1.1.1")
    assert "uzavřeno do" in page
    assert "uzavřeno do" in enter(Client(), "clerk", address="10.1.1.1")
    assert enter(Client(), "clerk", to="/office/", address="10.1.1.2") == "/account/second/sign-in/"


def test_P_signing_in_wholly_forgets_the_failures_before() -> None:
    staff_user(Role.CLERK)
    for _ in range(2):
        client = Client()
        for _ in range(3):
            enter(client, "clerk", "wrong")
        enter(client, "clerk", to="/office/")
        from django.core.cache import cache

        cache.clear()  # the code of this minute may be used once more
        assert show_code(client, code()) == "/office/"


def test_P_failures_count_for_all_web_processes_at_once() -> None:
    """They stand in the database; so does what says that a code is used up."""
    from django.conf import settings

    assert settings.CACHES["default"]["BACKEND"].endswith("DatabaseCache")
    lockout.attempt("clerk", "10.0.0.1")
    assert sorted(SignInCount.objects.values_list("failures", flat=True)) == [1, 1]


def test_P_the_session_gets_another_name_at_the_sign_in() -> None:
    staff_user(Role.CLERK)
    client = Client()
    client.get("/account/login/")
    session = client.session
    session["planted"] = 1
    session.save()
    before = client.cookies["sessionid"].value if "sessionid" in client.cookies else session.session_key
    client.cookies["sessionid"] = str(session.session_key)
    enter(client, "clerk", to="/office/")
    assert show_code(client, code()) == "/office/"
    assert client.cookies["sessionid"].value not in (before, session.session_key)


@pytest.mark.parametrize(
    "elsewhere",
    ["https://evil.example/", "//evil.example/", "https:evil.example", "/\\evil.example", "javascript:alert(1)"],
)
def test_P_nobody_is_sent_elsewhere_after_the_sign_in(elsewhere: str) -> None:
    staff_user(Role.CLERK)
    client = Client()
    enter(client, "clerk", to=elsewhere)
    assert show_code(client, code()) == "/office/"
    signed_in = staff_client(Role.CLERK)
    assert signed_in.post("/account/logout/", {"next": elsewhere}).headers["Location"] == "/account/login/"


@pytest.mark.parametrize("address", ["signup/", "password/reset/", "email/", "login/code/", "2fa/", "3rdparty/"])
def test_P_nobody_signs_up_or_resets_a_password_by_themselves(address: str) -> None:
    assert Client().get(f"/account/{address}").status_code == 404
    assert Client().post(f"/account/{address}", {"username": "x", "email": "x@x.example"}).status_code in (403, 404)


def test_P_a_session_without_the_factor_takes_no_factor_away() -> None:
    """Somebody who has the password only must not confirm with it and remove the owner's authenticator."""
    staff_user(Role.CLERK)
    thief = Client()
    thief.force_login(User.objects.get(username="clerk"))
    assert (
        thief.post("/account/confirm/", {"password": PASSWORD})
        .headers["Location"]
        .startswith("/account/second/confirm/")
    )
    for address in (
        "second/app/remove/",
        "second/keys/add/",
        "second/codes/",
        "second/codes/new/",
        "password/",
        "sessions/",
    ):
        where = thief.get(f"/account/{address}").headers["Location"]
        assert where.startswith("/account/second/confirm/"), address
    assert thief.get("/account/second/app/").status_code == 302


def test_P_a_closed_account_is_out_at_once() -> None:
    client = staff_client(Role.CLERK)
    User.objects.filter(username="clerk").update(is_active=False)
    assert client.get("/office/").headers["Location"].startswith("/account/login/")
    assert "/account/inactive/" in enter(Client(), "clerk") or "nesouhlasí" in enter(Client(), "clerk")


def test_P_sessions_are_listed_and_others_ended() -> None:
    staff_user(Role.CLERK)
    here, there = Client(), Client(headers={"user-agent": "Firefox at home"})
    from django.core.cache import cache

    for client in (here, there):
        enter(client, "clerk", to="/office/")
        show_code(client, code())
        cache.clear()
    page = here.get("/account/sessions/").text
    assert "Firefox at home" in page
    end = re.search(r'action="(/office/sessions/\d+/end/)"', page)
    assert end
    stranger = staff_client(Role.OPERATOR)
    assert stranger.post(end[1]).status_code == 404
    assert here.post(end[1]).status_code == 302
    assert there.get("/office/").status_code == 302
    assert here.get("/office/").status_code == 200


def test_P_a_changed_password_ends_the_other_sessions_and_is_told_by_letter() -> None:
    here, there = staff_client(Role.CLERK), staff_client(Role.CLERK)
    new = "Sudoměř-1420-vozy"
    form = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    assert here.post("/account/password/", form).status_code == 302
    assert here.get("/office/").status_code == 200
    assert there.get("/office/").status_code == 302
    assert "změněno heslo" in Letter.objects.get(to="clerk@liga.example").subject


def test_P_the_secret_of_an_authenticator_is_not_in_the_database_as_it_is() -> None:
    from allauth.mfa.models import Authenticator

    from tests.league.office import SECRET

    user = staff_user(Role.CLERK)
    assert SECRET not in str(Authenticator.objects.get(user=user).data)


def test_P_passwords_are_kept_by_argon2() -> None:
    assert staff_user(Role.CLERK).password.startswith("argon2$argon2id$")


def test_P_djangos_own_staff_pages_are_behind_the_same_gate() -> None:
    user = staff_user(Role.COMMISSIONER, name="boss", superuser=True)
    client = Client()
    client.force_login(user)
    assert "/admin/login/" in client.get("/admin/").headers["Location"]
    assert client.get("/admin/login/").headers["Location"].startswith("/account/second/confirm/")
    assert Client().get("/admin/login/").headers["Location"].startswith("/account/login/")
    assert Client().post("/admin/login/", {"username": "boss", "password": PASSWORD}).status_code == 302
    inside = staff_client(name="boss", superuser=True)
    assert inside.get("/admin/people/participant/").status_code == 200
    assert AuditEntry.objects.filter(who="boss", what="view", about="/admin/people/participant/").exists()
    assert staff_client(Role.CLERK).get("/admin/login/").status_code == 403


@pytest.mark.parametrize("language", ["", "/en"])
def test_P_the_sign_ins_pages_come_in_both_languages(language: str) -> None:
    page = Client().get(f"{language}/account/login/").text
    assert ("Přihlásit se" in page) == (language == "")
    assert ("Sign in" in page) == (language == "/en")
    assert 'name="csrfmiddlewaretoken"' in page


def test_P_behind_proxies_the_address_is_the_last_one_that_ours_have_added() -> None:
    from django.test import override_settings

    staff_user(Role.CLERK)
    for proxies, seen in ((0, "127.0.0.1"), (1, "192.0.2.7")):
        with override_settings(PROXIES=proxies):
            client = Client(headers={"x-forwarded-for": "203.0.113.1, 192.0.2.7"})
            enter(client, "clerk", to="/office/")
            from django.core.cache import cache

            cache.clear()
            assert show_code(client, code()) == "/office/"
        assert AuditEntry.objects.filter(who="clerk").latest("id").address == seen


def test_P_nobody_stays_signed_in_overnight_or_beyond_the_browsers_end(monkeypatch: pytest.MonkeyPatch) -> None:
    staff_user(Role.CLERK)
    client = Client()
    enter(client, "clerk", to="/office/")
    assert show_code(client, code()) == "/office/"
    assert client.cookies["sessionid"]["max-age"] == ""  # ends with the browser
    assert client.cookies["sessionid"]["httponly"]
    assert client.cookies["sessionid"]["samesite"] == "Lax"
    later = timezone.now() + timedelta(hours=13)
    monkeypatch.setattr(timezone, "now", lambda: later)
    assert client.get("/office/").headers["Location"].startswith("/account/login/")
