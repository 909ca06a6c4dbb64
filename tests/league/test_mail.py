"""Letters reach a real SMTP server once each: through its outages, its refusals and the death of a worker."""

from __future__ import annotations

import os
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, Envelope, LoginPassword
from django.core.management import CommandError, call_command
from django.test import override_settings
from django.utils import timezone

from league.mail.models import Letter
from league.mail.outbox import post, try_anew
from league.mail.posting import GIVEN_UP_AFTER, LENT, Postman, wait_after
from league.mail.server import Connection, Server, message_of, read_server
from tests.league.processes import League, eventually

NOW = datetime(2027, 1, 10, 12, 0, tzinfo=UTC)
SENDER = "Pokerová liga <liga@example.cz>"


class Box:
    """An SMTP server's inbox. ``to_…``: what it says to the next senders, recipients or messages."""

    def __init__(self) -> None:
        self.got: list[EmailMessage] = []
        self.to_recipient: list[str] = []
        self.to_message: list[str] = []
        self.to_sender: list[str] = []

    async def handle_MAIL(self, _server: Any, _session: Any, envelope: Envelope, address: str, options: Any) -> str:
        if self.to_sender and (answer := self.to_sender.pop(0)):
            return answer
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 OK"

    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Envelope, address: str, _options: Any) -> str:
        if self.to_recipient and (answer := self.to_recipient.pop(0)):
            return answer
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Envelope) -> str:
        if self.to_message and (answer := self.to_message.pop(0)):
            return answer
        content = envelope.content
        assert isinstance(content, bytes)
        self.got.append(message_from_bytes(content, policy=policy.default))  # type: ignore[arg-type]
        return "250 OK"


class Post:
    """A server with its box, and a postman whose clock the test turns."""

    def __init__(self, box: Box, controller: Controller) -> None:
        self.box, self.controller = box, controller
        self.now = NOW
        self.server = Server("127.0.0.1", controller.port, "", "", "none", SENDER)
        self.man = Postman(self.server, lambda: self.now)

    def later(self, **by: float) -> int:
        self.now += timedelta(**by)
        return self.man.round()


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@pytest.fixture
def server() -> Iterator[Controller]:
    controller = Controller(Box(), hostname="127.0.0.1", port=free_port(), server_hostname="mail.example.cz")
    controller.start()
    yield controller
    if controller.loop.is_running():
        controller.stop()


@pytest.fixture
def postal(db: None, server: Controller) -> Post:
    return Post(server.handler, server)


def letter(
    to: str = "rehor@example.cz", subject: str = "Kolo přeloženo", body: str = "Dobrý den,\n\nžluťoučký.\n"
) -> Letter:
    post(to, subject, body)
    made = Letter.objects.latest("pk")
    Letter.objects.filter(pk=made.pk).update(made_at=NOW, not_before=NOW)
    return Letter.objects.get(pk=made.pk)


def again(one: Letter) -> Letter:
    return Letter.objects.get(pk=one.pk)


def test_a_letter_arrives_whole_and_once(postal: Post) -> None:
    one = letter()
    assert postal.man.round() == 1
    assert postal.later(hours=1) == 0
    [got] = postal.box.got
    assert (got["To"], got["From"], got["Subject"]) == ("rehor@example.cz", SENDER, "Kolo přeloženo")
    assert got["Auto-Submitted"] == "auto-generated"
    assert got.get_content().replace("\r\n", "\n") == "Dobrý den,\n\nžluťoučký.\n"
    assert (again(one).state, again(one).sent_at, again(one).attempts) == ("sent", NOW, 1)


def test_of_what_is_told_once_there_is_one_letter(db: None) -> None:
    assert post("a@example.cz", "x", "y", about="moved R1 000101")
    assert not post("a@example.cz", "x", "y", about="moved R1 000101")
    assert Letter.objects.count() == 1


def test_an_outage_is_waited_out_and_shown_and_no_letter_waits_longer_for_it(postal: Post) -> None:
    one = letter()
    postal.controller.stop()
    for _ in range(5):
        assert postal.later(minutes=2) == 0
    assert postal.man.trouble
    assert (again(one).state, again(one).attempts) == ("waiting", 0)
    assert again(one).not_before - postal.now <= timedelta(minutes=1)
    box = Box()
    back = Controller(box, hostname="127.0.0.1", port=postal.controller.port)
    back.start()
    try:
        assert postal.later(minutes=2) == 1
    finally:
        back.stop()
    assert len(box.got) == 1
    assert (postal.man.trouble, again(one).error) == ("", "")


def test_who_is_refused_for_now_is_tried_rarer_and_rarer_and_the_others_do_not_wait(postal: Post) -> None:
    first, second = letter("full@example.cz"), letter("other@example.cz")
    postal.box.to_recipient = ["452 4.2.2 mailbox full", "", "452 4.2.2 mailbox full", "452 4.2.2 mailbox full"]
    assert postal.man.round() == 1
    assert again(second).state == "sent"
    waits = []
    for _ in range(3):
        waits.append(again(first).not_before - postal.now)
        assert again(first).error == "452 4.2.2 mailbox full"
        postal.later(seconds=waits[-1].total_seconds())
    assert waits == [timedelta(minutes=1), timedelta(minutes=2), timedelta(minutes=4)]
    assert (again(first).state, again(first).attempts) == ("sent", 4)


def test_waits_do_not_grow_beyond_a_quarter_of_a_day() -> None:
    assert [wait_after(n) for n in (1, 9, 10, 500)] == [timedelta(minutes=m) for m in (1, 256, 360, 360)]


def test_after_days_a_letter_is_given_up_with_its_error_and_may_be_tried_anew(postal: Post) -> None:
    one = letter()
    postal.box.to_message = ["451 4.3.0 try later"] * 1000
    while again(one).given_up_at is None:
        postal.later(hours=7)
        assert postal.now - NOW < timedelta(days=7)
    assert postal.now - NOW >= GIVEN_UP_AFTER
    assert (again(one).state, again(one).error) == ("failed", "451 4.3.0 try later")
    postal.box.to_message = []
    assert postal.later(days=1) == 0
    try_anew(one, postal.now)
    assert postal.later(seconds=1) == 1


@pytest.mark.parametrize("where", ["to_recipient", "to_message"])
def test_what_a_server_refuses_for_good_is_given_up_at_once(postal: Post, where: str) -> None:
    one = letter()
    setattr(postal.box, where, ["550 5.1.1 no such person"])
    assert postal.man.round() == 0
    assert (again(one).state, again(one).error) == ("failed", "550 5.1.1 no such person")


def test_operators_and_the_journal_read_no_addresses(db: None, capsys: pytest.CaptureFixture[str]) -> None:
    now = timezone.now()
    error = "550 5.1.1 <karel@hraci.example>: Recipient address rejected: User unknown"
    Letter.objects.create(to="karel@hraci.example", subject="x", body="x", made_at=now, given_up_at=now, error=error)
    call_command("mail", "--list")
    said = capsys.readouterr().out
    assert "karel" not in said and "550 5.1.1 <***>: Recipient address rejected" in said
    postman = Postman(Server("127.0.0.1", 1, "", "", "none", "liga@liga.example"))
    postman._away([], error)
    assert "karel" not in postman.trouble


def test_a_letter_over_which_a_server_ends_the_connection_holds_up_no_other(postal: Post) -> None:
    first, second = letter("a@example.cz"), letter("b@example.cz")
    postal.box.to_recipient = ["421 4.7.0 try later", "", "421 4.7.0 try later"]
    assert postal.man.round() == 1
    assert [again(first).state, again(second).state] == ["waiting", "sent"]
    postal.later(minutes=1)
    assert (again(first).attempts, again(first).not_before - postal.now) == (2, timedelta(minutes=2))
    assert postal.later(minutes=2) == 1


def test_a_server_that_ends_each_connection_has_the_rest_tried_later(postal: Post) -> None:
    letters = [letter(f"{name}@example.cz") for name in "abcde"]
    postal.box.to_recipient = ["421 4.3.2 closing"] * 3
    assert postal.man.round() == 0
    assert [again(one).attempts for one in letters] == [1, 1, 1, 0, 0]
    assert {again(one).state for one in letters} == {"waiting"}
    assert postal.man.trouble.startswith("421")
    assert postal.later(minutes=2) == 5


def test_an_answer_that_nobody_can_read_gives_no_letter_up(postal: Post) -> None:
    one = letter()
    postal.box.to_message = ["250 " + "x" * 20_000]
    assert postal.man.round() == 0
    assert (again(one).state, again(one).attempts) == ("waiting", 1)
    assert postal.later(minutes=2) == 1


@pytest.mark.parametrize(
    "answer", ["530 5.7.0 authentication required", "550 5.7.1 sender not allowed", "451 4.3.0 no"]
)
def test_a_server_that_refuses_the_sender_has_all_letters_wait(postal: Post, answer: str) -> None:
    first, second = letter("a@example.cz"), letter("b@example.cz")
    postal.box.to_sender = [answer]
    assert postal.man.round() == 0
    assert postal.man.trouble == answer
    assert [(again(one).state, again(one).attempts) for one in (first, second)] == [("waiting", 0)] * 2
    assert postal.later(minutes=2) == 2


def test_a_letter_that_another_worker_has_in_hand_is_not_sent_twice(postal: Post) -> None:
    one = letter()
    other = Postman(postal.server, lambda: postal.now)
    assert other._lend(again(one))
    assert postal.man.round() == 0
    postal.now += LENT
    assert postal.man.round() == 1  # the other one died over it
    assert len(postal.box.got) == 1


def test_a_letter_in_hand_is_sent_once_though_it_is_tried_anew_meanwhile(postal: Post) -> None:
    one = letter()
    other = Postman(postal.server, lambda: postal.now)
    held = again(one)
    assert other._lend(held)
    assert try_anew(one, postal.now)
    assert not try_anew(one, postal.now, "b@example.cz")
    assert postal.man.round() == 0
    with closing(Connection(postal.server)) as connection:
        other._send(connection, held)
    assert postal.later(hours=1) == 0
    assert len(postal.box.got) == 1


def test_a_worker_that_finds_the_server_away_lets_go_of_no_letter_in_anothers_hand(postal: Post) -> None:
    one = letter()
    seen, other = again(one), Postman(postal.server, lambda: postal.now)
    assert other._lend(again(one))
    postal.man._away([seen], "refused")
    assert (again(one).lent_until, again(one).error) == (postal.now + LENT, "")


def test_sent_twice_a_letter_has_the_same_id(postal: Post) -> None:
    one = letter()
    postal.man.round()
    Letter.objects.filter(pk=one.pk).update(sent_at=None, not_before=NOW)
    postal.man.round()
    ids = {got["Message-ID"] for got in postal.box.got}
    assert (len(postal.box.got), len(ids)) == (2, 1)


@pytest.mark.parametrize("to", ["a@b.cz\nBcc: all@example.cz", "nobody", "a@b.cz, c@d.cz", ""])
def test_an_address_that_is_none_is_given_up_and_never_a_header(postal: Post, to: str) -> None:
    one = letter(to)
    assert postal.man.round() == 0
    assert again(one).state == "failed"
    assert postal.box.got == []


def test_line_breaks_in_a_subject_are_no_headers(postal: Post) -> None:
    letter(subject="Kolo\r\nBcc: all@example.cz")
    assert postal.man.round() == 1
    [got] = postal.box.got
    assert (got["Subject"], got["Bcc"]) == ("Kolo Bcc: all@example.cz", None)


@pytest.mark.parametrize(
    ("url", "sender", "said"),
    [
        ("http://mail.example.cz", SENDER, "must be smtp://"),
        ("smtp://", SENDER, "must be smtp://"),
        ("smtp://mail.example.cz?tls=perhaps", SENDER, "tls may only be none"),
        ("smtps://mail.example.cz?tls=none", SENDER, "tls may only be none"),
        ("smtp://mail.example.cz", "liga", "TABLESIDE_MAIL_FROM"),
    ],
)
def test_a_wrong_setting_is_named(db: None, url: str, sender: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_server(url, sender)
    with override_settings(MAIL_URL=url, MAIL_FROM=sender), pytest.raises(CommandError, match=said):
        call_command("mail", "--once")


def test_a_server_is_read_from_its_url() -> None:
    assert read_server("", "") is None
    read = read_server("smtp://liga:p%40ss@mail.example.cz", SENDER)
    assert read == Server("mail.example.cz", 587, "liga", "p@ss", "start", SENDER)
    whole = read_server("smtps://mail.example.cz", SENDER)
    assert whole is not None and (whole.port, whole.tls) == (465, "whole")
    plain = read_server("smtp://127.0.0.1:25?tls=none", SENDER)
    assert plain is not None and (plain.port, plain.tls) == (25, "none")


def test_a_password_goes_only_over_tls_to_a_server_that_can_be_believed(
    db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A real certificate: believed, the letter goes; not believed, neither letter nor password does."""
    seen: list[LoginPassword] = []

    def authenticate(_server: Any, _session: Any, _envelope: Any, _mechanism: str, data: Any) -> AuthResult:
        seen.append(data)
        return AuthResult(success=True)

    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out",
         str(certificate)],
        check=True, capture_output=True,
    )  # fmt: skip
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    box = Box()
    controller = Controller(
        box, hostname="localhost", port=free_port(), tls_context=context, auth_required=True,
        authenticator=authenticate, require_starttls=True,
    )  # fmt: skip
    controller.start()
    try:
        server = read_server(f"smtp://liga:heslo@localhost:{controller.port}", SENDER)
        assert server is not None
        one = letter()
        man = Postman(server, lambda: NOW)
        assert man.round() == 0
        assert "certificate" in man.trouble.lower()
        assert (seen, box.got, again(one).state) == ([], [], "waiting")
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert Postman(server, lambda: NOW + timedelta(hours=1)).round() == 1
        assert [login.password for login in seen] == [b"heslo"]
    finally:
        controller.stop()


def write(league: League, letters: int) -> None:
    """Have another process write letters."""
    script = (
        "import django; django.setup(); from league.mail.outbox import post\n"
        f"for n in range({letters}): post(f'p{{n}}@example.cz', 'Kolo', 'Dobrý den')"
    )
    env = league.env | {"DJANGO_SETTINGS_MODULE": "league.settings", "PYTHONPATH": str(Path(__file__).parents[2])}
    subprocess.run([sys.executable, "-c", script], env=env, check=True)


def test_the_worker_sends_what_comes_while_it_runs_and_ends_when_told(league: League, server: Controller) -> None:
    league.env |= {"TABLESIDE_MAIL_URL": f"smtp://127.0.0.1:{server.port}?tls=none", "TABLESIDE_MAIL_FROM": SENDER}
    worker, _ = league.start("mail", until="sending through")
    write(league, 3)
    eventually(lambda: len(server.handler.got), 3)
    eventually(lambda: league.rows("SELECT count(*) FROM mail_letter WHERE sent_at IS NOT NULL"), [(3,)])
    os.kill(worker.pid, signal.SIGTERM)
    assert worker.wait(10) == 0
    assert "0 waiting" in league.run("mail", "--list")


def test_one_letter_can_be_tried_at_once(db: None, server: Controller, capsys: pytest.CaptureFixture[str]) -> None:
    with override_settings(MAIL_URL=f"smtp://127.0.0.1:{server.port}?tls=none", MAIL_FROM=SENDER):
        call_command("mail", "--test", "clerk@example.cz")
        assert "taken by" in capsys.readouterr().out
        server.handler.to_recipient = ["550 no"]
        with pytest.raises(CommandError, match="550 no"):
            call_command("mail", "--test", "clerk@example.cz")
    with pytest.raises(CommandError, match="names no server"):
        call_command("mail", "--once")


def test_one_round_of_the_command_says_what_was_not_taken(db: None, server: Controller) -> None:
    post("a@example.cz", "x", "y")
    post("b@example.cz", "x", "y")
    server.handler.to_recipient = ["550 no"]
    with override_settings(MAIL_URL=f"smtp://127.0.0.1:{server.port}?tls=none", MAIL_FROM=SENDER):
        with pytest.raises(CommandError, match="1 not taken"):
            call_command("mail", "--once")
        call_command("mail", "--once")
    assert len(server.handler.got) == 1


def test_a_letter_says_its_text_in_seven_bits(db: None) -> None:
    one = letter(body="Příliš žluťoučký kůň\n" * 50)
    raw = message_of(one, SENDER).as_bytes()
    assert raw.isascii()
    assert max(map(len, raw.splitlines())) <= 998


def test_the_ingest_sends_letters_too_where_a_server_is_set(league: League, server: Controller) -> None:
    league.env |= {"TABLESIDE_MAIL_URL": f"smtp://127.0.0.1:{server.port}?tls=none", "TABLESIDE_MAIL_FROM": SENDER}
    write(league, 1)
    ingest, _ = league.start("ingest", "--broker", f"mqtt://127.0.0.1:{free_port()}", until="mail: 1 sent")
    assert len(server.handler.got) == 1
    os.kill(ingest.pid, signal.SIGTERM)
    assert ingest.wait(15) == 0
