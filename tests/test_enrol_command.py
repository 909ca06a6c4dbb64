"""``tableside enrol`` against leagues that are none, say no, or lie: nothing is written, and one line says why."""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance import certificates, enrolment
from appliance.certificates import Authority
from appliance.cli import main
from appliance.config import load
from appliance.enrolment import Answer, BrokerAt
from appliance.identity import load_or_make, public_key

CODE = enrolment.new_code(lambda n: bytes(range(n)))
OTHER = enrolment.new_code(lambda n: bytes(range(9, n + 9)))
CA = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
AUTHORITY = Authority(CA, certificates.make_authority(CA, "league"))


class Pages(BaseHTTPRequestHandler):
    """Answers every request as the test says."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.asked.append((self.path, body))
        status, headers, answer = self.server.says(body)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


@pytest.fixture
def league():
    server = HTTPServer(("127.0.0.1", 0), Pages)
    server.asked = []
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def enrol(tmp_path, league, capsys):
    def run(says=None, code=str(CODE), more="", url=None):
        league.says = says
        config = tmp_path / "device.toml"
        config.write_text(f'[device]\ndata = "{tmp_path / "data"}"\n{more}')
        url = url or f"http://127.0.0.1:{league.server_address[1]}/"
        status = main(["enrol", "--league", url, "--code", code, "--config", str(config)])
        told = capsys.readouterr()
        return status, told.err or told.out

    return run


def answer(code=CODE, venue="brno", device="door", over=None, by=AUTHORITY, **more):
    """A league that enrols whoever asks."""

    def says(body):
        request = enrolment.read_request(body)
        made = certificates.issue(by, venue, device, over or public_key(request.key))
        given = Answer(
            venue="brno", device="door", role="door", certificate=certificates.to_text(made),
            authority=certificates.to_text(AUTHORITY.certificate), public_key="ab" * 32, **more,
        )  # fmt: skip
        return 200, {}, enrolment.answer(given, request, code.key)

    return says


def written(tmp_path):
    return sorted(path.name for path in (tmp_path / "data").iterdir()) if (tmp_path / "data").exists() else []


def test_what_the_league_says_becomes_configuration_and_certificates(enrol, tmp_path, league):
    status, said = enrol(answer(broker=BrokerAt(host="liga.example.cz", port=8883)))
    assert status == 0 and "door of brno" in said
    data = tmp_path / "data"
    assert written(tmp_path) == ["device.crt", "device.key", "league-ca.crt", "league.toml", "opening.key"]
    told = load(data / "league.toml")
    assert (told.venue.id, told.device.name, told.device.role, told.league.public_key) == (
        "brno", "door", "door", "ab" * 32,
    )  # fmt: skip
    assert (told.league.broker.host, told.league.broker.tls) == ("liga.example.cz", True)
    key = load_or_make(data / "device.key").public_key()
    certificates.check(certificates.read(data / "device.crt"), "brno", "door", key, AUTHORITY.certificate)
    ((path, body),) = league.asked
    assert path == "/enrol" and CODE.secret not in body.decode()


def test_the_same_keys_are_sent_when_it_is_tried_again(enrol, league):
    assert enrol(lambda body: (200, {}, b""))[0] == 1
    assert enrol(answer())[0] == 0
    first, second = (msgspec.json.decode(body) for _, body in league.asked)
    assert (first["key"], first["opening"]) == (second["key"], second["opening"])
    assert first["nonce"] != second["nonce"]


@pytest.mark.parametrize(
    ("says", "why"),
    [
        (answer(OTHER), "not from the league that gave the code"),
        (answer(device="table-1"), "is the certificate of 'brno.table-1'"),
        (answer(over=CA.public_key()), "over another key"),
        (answer(by=Authority(CA, certificates.make_authority(CA, "x"))), "not signed by"),
        (lambda body: (200, {}, b"<html>"), "malformed"),
        (lambda body: (200, {}, b"x" * 100_000), "at most"),
        (lambda body: (404, {}, b"<html>not found"), "no league answers there (HTTP 404)"),
        (lambda body: (403, {}, json.dumps({"message": "the code is\x1b wrong"}).encode()), "the code is\\x1b wrong"),
        (lambda body: (301, {"Location": "https://liga.example.cz/enrol"}, b""), "is elsewhere: https://liga."),
    ],
)
def test_an_answer_that_is_not_the_leagues_writes_nothing_and_is_told_in_a_line(enrol, tmp_path, says, why):
    status, said = enrol(says)
    assert status == 1 and why in said and len(said.splitlines()) == 1
    assert written(tmp_path) == ["device.key", "opening.key"]


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"code": "1234"}, "a code has 20"),
        ({"url": "ftp://liga"}, "http:// or https://"),
        ({"url": "liga.example.cz"}, "http:// or https://"),
        ({"url": "http://[liga"}, "Invalid IPv6"),
        ({"more": "misspelt = 1"}, "misspelt"),
    ],
)
def test_what_cannot_be_asked_is_not_asked(enrol, league, tmp_path, more, why):
    status, said = enrol(**more)
    assert status == 2 and why in said and len(said.splitlines()) == 1
    assert not league.asked and not written(tmp_path)


def test_a_folder_that_takes_nothing_is_named(enrol, tmp_path):
    (tmp_path / "data").write_text("")
    status, said = enrol(answer())
    assert status == 2 and str(tmp_path / "data") in said


def test_what_the_files_of_the_device_say_otherwise_is_told(enrol):
    status, said = enrol(answer(), more='name = "kitchen"\n[venue]\nid = "zabreh"\n')
    assert status == 0
    assert "device.name is 'kitchen', at the league 'door'" in said and "venue.id is 'zabreh'" in said
