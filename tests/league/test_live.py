"""The public follow a round as it is played, over streams of a real server (DESIGN §6)."""

from __future__ import annotations

import re
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance.link.broker import find_broker, start_broker
from tests.league.listeners import Listener
from tests.league.processes import League, Uplink
from tests.league.scribe import Scribe, evening


class Evening:
    """A league whose venue plays its evening, as far as a test lets it."""

    def __init__(self, league: League, uplink: Uplink, stream: Scribe) -> None:
        self.league, self.uplink, self.stream = league, uplink, stream
        self.busts = [n for n, raw in enumerate(stream.raws, 1) if b'"eliminated/1"' in raw or b'"busted/1"' in raw]
        self.base = ""

    def play(self, upto: int) -> None:
        while self.uplink.upto < upto:
            self.uplink.send(self.stream.batch(self.uplink.upto + 1, upto))
            self.uplink.listen(1.0)

    def serve(self, port: int = 0) -> str:
        self.server, line = self.league.start("serve", "--port", str(port), until="serving")
        self.base = re.findall(r"http://\S+", line)[0].rstrip("/")
        return self.base


@pytest.fixture
def playing(league: League, tmp_path: Path, director_key: Ed25519PrivateKey) -> Iterator[Evening]:
    with start_broker(find_broker(), tmp_path / "broker") as broker:
        league.start("ingest", "--broker", f"mqtt://{broker.endpoint.host}:{broker.endpoint.port}", until="connected")
        uplink = Uplink(broker)
        found = Evening(league, uplink, evening(director_key))
        found.play(found.busts[2])
        found.serve()
        yield found
        uplink.client.stop()


def test_a_bust_at_the_table_appears_at_all_who_listen_in_their_language(playing: Evening) -> None:
    many = [Listener(playing.base, f"/live/rounds/R1?lang={'en' if n % 2 else 'cs'}") for n in range(60)]
    calendar = Listener(playing.base, "/live/calendar")
    assert {each.status for each in many} == {200}
    assert many[0].headers["content-type"].startswith("text/event-stream")
    firsts = [each.next("round")["html"] for each in many]
    assert firsts[0].count("data-row") == firsts[1].count("data-row") == 3
    assert "Dosavadní umístění" in firsts[0]
    assert "Places so far" in firsts[1]
    assert "R1" in calendar.next("calendar")["html"]
    playing.play(playing.busts[3])
    for each in many:
        assert each.next("round")["html"].count("data-row") == 4
    playing.play(len(playing.stream.raws))
    calendar.html_with("calendar", "\n")
    for each in many:
        each.close()
    calendar.close()


def test_whoever_comes_again_is_told_what_they_have_not_seen(playing: Evening) -> None:
    first = Listener(playing.base, "/live/rounds/R1")
    first.next("round")
    first.close()
    again = Listener(playing.base, "/live/rounds/R1", f"Last-Event-ID: {first.last_id}")
    assert again.next("here")["now"] > 0
    also = Listener(playing.base, f"/live/rounds/R1?last={first.last_id}")
    also.next("here")
    playing.play(playing.busts[3])
    for each in (again, also):
        assert each.next("round")["html"].count("data-row") == 4
        assert each.last_id != first.last_id
        each.close()
    late = Listener(playing.base, "/live/rounds/R1", f"Last-Event-ID: {first.last_id}")
    assert late.next("round")["html"].count("data-row") == 4
    late.close()


def test_LG_7_a_withdrawn_consent_is_off_open_boards(playing: Evening) -> None:
    board = Listener(playing.base, "/live/rounds/R1")
    shown = str(board.next("round")["html"])
    numbers = re.findall(r'data-row="(\d+)"', shown)
    named = next(n for n in numbers if re.search(rf"\w+ <small class=\"number\">{n}", shown))
    withdraw = (
        "from league.people.models import *; from league.people.acts import *; "
        f"withdraw_consent(Participant.objects.get(number='{named}'), ConsentKind.PUBLICATION, By('t'))"
    )
    playing.league.run("shell", "-v0", "-c", withdraw)
    told = str(board.next("round")["html"])
    assert re.search(rf"<span class=\"number\">{named}</span>", told)
    board.close()


def test_a_server_that_is_told_to_end_does_so_with_listeners(playing: Evening) -> None:
    board = Listener(playing.base, "/live/rounds/R1")
    board.next("round")
    playing.server.send_signal(signal.SIGTERM)
    assert playing.server.wait(10) == 0
    with pytest.raises(EOFError):
        board.next("round")
    board.close()


def test_a_server_that_was_killed_goes_on_where_it_was(playing: Evening) -> None:
    board = Listener(playing.base, "/live/rounds/R1")
    board.next("round")
    board.close()
    playing.server.send_signal(signal.SIGKILL)
    playing.server.wait()
    playing.play(playing.busts[3])
    playing.serve(int(playing.base.rsplit(":", 1)[1]))
    again = Listener(playing.base, "/live/rounds/R1", f"Last-Event-ID: {board.last_id}")
    assert again.next("round")["html"].count("data-row") == 4
    again.close()


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        ("GET /live/rounds/NONE HTTP/1.1", 404),
        ("GET /live/nothing HTTP/1.1", 404),
        ("GET /live/calendar/R1 HTTP/1.1", 404),
        ("GET /live/rounds/..%2F HTTP/1.1", 404),
        ("GET /live/ HTTP/1.1", 404),
        ("POST /live/calendar HTTP/1.1", 405),
        ("GET /live/calendar?lang=%00 HTTP/1.1", 200),
        ("GET /live/tv HTTP/1.1", 200),
        ("GET / HTTP/1.1", 200),
        ("GET /?%ff=\u00e9 HTTP/1.1", 400),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked", 411),
        ("POST / HTTP/1.1\r\nContent-Length: -1", 400),
    ],
)
def test_each_request_has_an_answer_and_the_server_lives_on(
    served: tuple[str, int], request_line: str, status: int
) -> None:
    with socket.create_connection(served, 10) as connection:
        connection.sendall(f"{request_line}\r\nHost: localhost\r\n\r\n".encode("latin-1"))
        assert connection.recv(65536).split()[1] == str(status).encode()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, migrated: League) -> Iterator[tuple[str, int]]:
    league = League(tmp_path_factory.mktemp("served") / "league", like=migrated)
    _, line = league.start("serve", "--port", "0", until="serving")
    yield "127.0.0.1", int(line.rsplit(":", 1)[1].strip("/\n"))
    league.stop()


def test_who_sends_slowly_holds_nobody_up(served: tuple[str, int]) -> None:
    slow = [socket.create_connection(served, 10) for _ in range(40)]
    for each in slow:
        each.sendall(b"POST /me/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nx")
    with socket.create_connection(served, 10) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert connection.recv(65536).startswith(b"HTTP/1.1 200")
    for each in slow:
        each.close()
