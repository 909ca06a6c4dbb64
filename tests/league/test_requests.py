"""What comes with a request is believed only as far as it can be: headers, lengths, host names, addresses (P)."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator

import pytest
from django.test import Client, RequestFactory, override_settings

from league import home
from league.mail.models import Letter
from league.middleware import Measured
from league.site.address import known_site, site_of
from league.staff import lockout
from league.staff.roles import Role
from tests.league.office import staff_client
from tests.league.own_page import ask, person
from tests.league.processes import League


@pytest.fixture
def served(empty_league: League) -> Iterator[int]:
    """The port of a server behind one proxy."""
    empty_league.env["TABLESIDE_LEAGUE_PROXIES"] = "1"
    _, line = empty_league.start("serve", "--port", "0", until="serving")
    yield int(line.rsplit(":", 1)[1].strip("/\n"))


def say(port: int, *lines: str, body: bytes = b"") -> str:
    """Say this to the server, as it stands; its answer."""
    with socket.create_connection(("127.0.0.1", port), 10) as connection:
        connection.sendall("".join(f"{line}\r\n" for line in (*lines, "")).encode() + body)
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
    return answer.decode()


def test_P_a_header_with_an_underscore_does_not_pass_for_the_proxys(served: int, empty_league: League) -> None:
    form = say(served, "GET /account/login/ HTTP/1.0", "Host: localhost")
    cookie = re.search(r"csrftoken=([^;]+)", form)
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', form)
    assert cookie and token
    body = f"csrfmiddlewaretoken={token[1]}&login=nobody&password=x".encode()
    for _ in range(lockout.NAME_LIMIT):
        say(
            served, "POST /account/login/ HTTP/1.0", "Host: localhost", f"Cookie: csrftoken={cookie[1]}",
            "X-Forwarded-For: 203.0.113.7", "X_Forwarded_For: 198.51.100.1", f"Content-Length: {len(body)}",
            "Content-Type: application/x-www-form-urlencoded", body=body,
        )  # fmt: skip
    closed = empty_league.rows("SELECT address FROM staff_auditentry WHERE about = 'sign-in closed'")
    assert [str(address) for (address,) in closed] == ["203.0.113.7"]


def test_P_what_is_longer_than_anything_that_belongs_here_is_not_read(served: int) -> None:
    answer = say(
        served, "POST /me/ HTTP/1.0", "Host: localhost", "Cookie: csrftoken=" + "a" * 32,
        "Content-Type: multipart/form-data; boundary=B", f"Content-Length: {300 << 20}",
    )  # fmt: skip
    assert answer.split()[1] == "413"


@pytest.mark.parametrize(
    ("length", "status"), [("3145729", 413), ("9" * 400, 413), ("-1", 400), ("1e3", 400), ("²", 400), ("10", 200)]
)
def test_P_a_length_is_a_number_within_bounds(db: None, length: str, status: int) -> None:
    assert Client().get("/", CONTENT_LENGTH=length).status_code == status
    assert Measured.LONGEST == 3145728


@pytest.mark.usefixtures("imported")
@pytest.mark.parametrize(
    ("host", "site", "begins"),
    [
        ("localhost:31337", "", "http://localhost/me/"),
        ("[::1]:31337", "", "http://[::1]/me/"),
        ("localhost:31337", "https://liga.example", "https://liga.example/me/"),
    ],
)
def test_P_links_lead_to_no_port_that_a_header_names(host: str, site: str, begins: str) -> None:
    person()
    with override_settings(SITE=site, ALLOWED_HOSTS=["localhost", "[::1]"]):
        ask("p000101@hraci.example", Client(HTTP_HOST=host))
    assert Letter.objects.get().enclosed.strip().startswith(begins)


def test_P_a_links_site_is_the_settings(db: None) -> None:
    request = RequestFactory(HTTP_HOST="localhost:31337").get("/")
    assert site_of(request) == "http://localhost"
    request.META["SERVER_PORT"] = "31337"
    assert site_of(request) == "http://localhost:31337"
    with override_settings(SITE="https://liga.example"):
        assert site_of(request) == known_site() == "https://liga.example"
    for hosts, https, known in (
        (["localhost", "liga.example"], True, "https://liga.example"),
        (["localhost", "liga.example"], False, ""),
        ([".liga.example", "*"], True, ""),
    ):
        with override_settings(ALLOWED_HOSTS=hosts, SECURE_SSL_REDIRECT=https):
            assert known_site() == known


@pytest.mark.parametrize(
    ("text", "site"),
    [
        ("", ""), ("https://liga.cz/", "https://liga.cz"), ("http://[::1]:8000", "http://[::1]:8000"),
        ("liga.cz", None), ("https://liga.cz/x", None), ("ftp://liga.cz", None), ("https://a b", None),
    ],
)  # fmt: skip
def test_a_site_is_a_scheme_and_a_name(text: str, site: str | None) -> None:
    if site is None:
        with pytest.raises(ValueError, match="TABLESIDE_LEAGUE_SITE"):
            home.site({"TABLESIDE_LEAGUE_SITE": text})
    else:
        assert home.site({"TABLESIDE_LEAGUE_SITE": text}) == site


@pytest.mark.usefixtures("imported")
@pytest.mark.parametrize(
    ("address", "page"),
    [
        ("participants/000102/show/", "participants/000102/"),
        ("rounds/round/2027-01/sign-up/", "rounds/round/2027-01/"),
        ("letters/1/try/", "letters/1/"),
    ],
)
@pytest.mark.parametrize("language", ["", "/en"])
def test_an_address_that_only_acts_leads_to_the_page_above_it(address: str, page: str, language: str) -> None:
    clerk = staff_client(Role.CLERK)
    answer = clerk.get(f"{language}/office/{address}", headers={"accept": "text/html,*/*;q=0.8"})
    assert (answer.status_code, answer.headers["Location"]) == (302, f"{language}/office/{page}")
    assert clerk.get(f"{language}/office/{address}").status_code == 405


def test_the_other_language_of_an_answer_to_a_form_is_there(imported: None) -> None:
    clerk = staff_client(Role.CLERK)
    shown = clerk.post("/office/participants/000102/show/", {"reason": "dopis"})
    assert shown.status_code == 200
    (other,) = {link for link in re.findall(r'href="(/en/office/participants[^"]+)"', shown.text) if "show" in link}
    assert clerk.get(other, headers={"accept": "text/html"}, follow=True).redirect_chain == [
        ("/en/office/participants/000102/", 302)
    ]
