"""Who asks is told by the signature: without one, with another's, or with one that was heard, nothing is had."""

from __future__ import annotations

import gzip
import http.client
import logging
import socket
import time

import pytest

from appliance.console import app, door, server, signing
from appliance.console.assets import Assets, NoAssets
from tests.console.phones import FILES, NOW, Hand, PlayedEngine, serving

ID = "019f0000-0000-7000-8000-000000000001"


def test_the_shell_is_everybodys_and_has_no_data(served):
    answer = Hand(served.port).raw("GET", "/")
    assert answer.status == 200 and "text/html" in answer.headers["content-type"]
    assert "set-cookie" not in answer.headers and answer.headers["cache-control"] == "no-cache"
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy
    assert "http://" not in answer.text and "https://" not in answer.text


def test_static_files_stay_at_their_address_for_ever(served):
    hand, mark = Hand(served.port), Assets(FILES).mark
    answer = hand.raw("GET", f"/static/{mark}/console.css", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip" and gzip.decompress(answer.body) == FILES["console.css"]
    assert "immutable" in answer.headers["cache-control"]
    assert hand.raw("GET", f"/static/{mark}/console.css").body == FILES["console.css"]
    for path in ("/static/0000/console.css", f"/static/{mark}/../app.py", f"/static/{mark}/%2e%2e/app.py"):
        assert hand.raw("GET", path).status == 404, path


def test_a_file_that_changes_changes_the_address_of_all():
    assert Assets(FILES).mark == Assets(dict(FILES)).mark != Assets({**FILES, "console.js": b"//"}).mark


def test_what_was_never_fetched_is_named(tmp_path):
    with pytest.raises(NoAssets, match=r"vendor/htmx/htmx\.min\.js is not there: python -m scripts\.assets"):
        Assets.load(vendor=tmp_path)


def test_first_load_is_below_150_kilobytes():
    from appliance.console.server import shell

    assets = Assets.load()
    files = [assets.get(name) for name in assets.names()]
    assert sum(len(file.packed) for file in files if file) + len(shell(assets).packed) < 150_000


@pytest.mark.parametrize(
    "path", ["/view/clock", "/pair", "/form/bust", "/events", "/events?ticket=00", "/export/results.csv", "/print/slip"]
)
def test_without_a_signature_nothing_is_had(served, path):
    answer = Hand(served.port).raw("GET", path)
    assert (answer.status, answer.json) == (401, {"error": "unsigned"})


def test_whose_signature_is_wrong_hears_the_same_as_a_stranger(served, phone):
    stranger = Hand(served.port)
    forged = Hand(served.port, phone.session, bytes(32))
    answers = [each.ask("GET", "/view/clock") for each in (stranger, forged)]
    assert {(answer.status, answer.body) for answer in answers} == {(401, b'{"error":"unsigned"}')}
    assert phone.ask("GET", "/view/clock").status == 200


def test_method_path_query_body_and_count_are_signed(served, phone):
    good = phone.signed("POST", "/form/bust?lang=cs", b"participant=7")
    for method, path, body, more in (
        ("POST", "/form/bust?lang=en", b"participant=7", {}),
        ("POST", "/form/deposit?lang=cs", b"participant=7", {}),
        ("POST", "/form/bust?lang=cs", b"participant=8", {}),
        ("GET", "/form/bust?lang=cs", b"", {}),
        ("POST", "/form/bust?lang=cs", b"participant=7", {signing.COUNT: "2"}),
    ):
        assert phone.raw(method, path, body, {**good, **more}).status == 401
    assert phone.raw("POST", "/form/bust?lang=cs", b"participant=7", good).status == 200


def test_a_request_that_was_heard_is_refused_when_it_comes_again(served, phone, engine):
    body = f"participant=7&do=send&id={ID}".encode()
    sniffed = phone.signed("POST", "/form/bust", body)
    assert phone.raw("POST", "/form/bust", body, sniffed).status == 200
    again = phone.raw("POST", "/form/bust", body, sniffed)
    assert (again.status, again.json) == (401, {"error": "count", "high": 1})
    assert engine.given == [ID]


def test_requests_may_overtake_each_other_but_each_counts_once(served, phone):
    for count, status in ((5, 200), (3, 200), (4, 200), (3, 401), (80, 200), (16, 401), (17, 200)):
        headers = phone.signed("GET", "/view/clock", count=count)
        assert phone.raw("GET", "/view/clock", headers=headers).status == status, count


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *((signing.COUNT, count) for count in ("0", "-1", "9" * 400, "１", "")),
        (signing.SIGNATURE, "zz"), (signing.SIGNATURE, ""), (signing.SESSION, "x" * 16), (signing.SESSION, "../../etc"),
    ],
)  # fmt: skip
def test_headers_that_are_none_are_turned_away(served, phone, name, value):
    headers = {key: each.encode() for key, each in phone.signed("GET", "/view/clock").items()}
    assert phone.raw("GET", "/view/clock", headers={**headers, name: value.encode()}).status == 401


def test_a_phone_signs_in_with_its_key_and_a_persons_word(served, engine):
    session, key = engine.offer()
    hand, nonce = Hand(served.port, session, key), bytes(range(16))
    body = b'{"nonce":"%s","agent":"Firefox,\\n Android%s"}' % (nonce.hex().encode(), b"x" * 100)
    assert hand.ask("GET", "/pair").json == {"state": "offered"}
    assert hand.ask("POST", "/pair", body).json == {"state": "claimed", "code": signing.code(key, nonce)}
    assert engine.agents[0].startswith("Firefox, Android") and len(engine.agents[0]) == 64
    assert hand.ask("POST", "/pair", body).status == 200  # its answer may have been lost
    other = body.replace(nonce.hex().encode(), b"ff" * 16)
    assert hand.ask("POST", "/pair", other).status == 409
    assert hand.ask("GET", "/view/clock").json == {"error": "signed-out"}
    engine.confirm(session, role="dealer", table=3)
    told = hand.ask("GET", "/pair").json
    assert (told["state"], told["role"], told["table"], told["now"]) == ("confirmed", "dealer", 3, NOW)
    assert hand.ask("GET", "/view/dealer").status == 200


@pytest.mark.parametrize("body", [b"", b"{}", b"\xff", b'{"nonce":"zz"}', b'{"nonce":"00"}', b'{"nonce":7}', b"[]"])
def test_a_phone_that_says_nonsense_claims_nothing(served, engine, body):
    hand = Hand(served.port, *engine.offer())
    assert hand.ask("POST", "/pair", body).status == 400
    assert not engine.nonces


def test_a_phone_that_was_cut_off_has_nothing_more(served, engine, phone):
    engine.cut_off(phone.session)
    assert phone.ask("GET", "/view/clock").json == {"error": "signed-out"}
    assert phone.ask("GET", "/pair").json == {"state": "cut-off"}
    del engine.secret[phone.session]
    assert phone.ask("GET", "/view/clock").json == {"error": "unsigned"}


def test_views_are_drawn_in_the_language_that_is_asked_for(served, phone):
    assert "<h1>clock cs" in phone.ask("GET", "/view/clock").text
    assert "<h1>player/7 en" in phone.ask("GET", "/view/player/7?lang=en").text
    missing = phone.ask("GET", "/view/nothing")
    assert (missing.status, missing.json) == (404, {"error": "not-found"})


def test_a_form_has_the_answers_so_far_and_is_sent_once_under_its_id(served, phone, engine):
    assert '{"by": "Šťastný a 7"}' in phone.ask("GET", "/form/bust?lang=cs&by=%C5%A0%C5%A5astn%C3%BD%20a%207").text
    sent = phone.ask("POST", "/form/bust?lang=cs", f"by=7&by=9&do=send&id={ID}".encode())
    assert "Done 7 9" in sent.text and engine.given == [ID]
    assert phone.ask("POST", "/form/bust", b"by=7&do=send&id=mine").status == 400
    assert phone.ask("POST", "/form/bust", b"\xff=1").status == 400
    assert phone.ask("POST", "/form/bust", b"&".join([b"a=1"] * 600)).status == 400
    assert engine.given == [ID]


def test_a_page_that_fails_says_so_and_the_log_says_why(served, phone, caplog):
    answer = phone.ask("GET", "/view/broken")
    assert (answer.status, answer.json) == (500, {"error": "failed"})
    assert "a page that cannot be drawn" in caplog.text
    assert phone.ask("GET", "/view/clock").status == 200


def test_a_large_body_is_not_read_to_its_end(served, phone):
    large = b"a=" + b"x" * door.MOST_BODY
    assert phone.ask("POST", "/form/bust", large).status == 413
    with socket.create_connection(("127.0.0.1", served.port), 5) as line:
        headers = phone.signed("POST", "/form/bust")
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        line.sendall(f"POST /form/bust HTTP/1.1\r\nHost: x\r\n{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        chunk = b"1000\r\n" + b"x" * 4096 + b"\r\n"
        line.sendall(chunk * 17)
        assert b" 413 " in line.recv(200)


def test_no_other_method_does_anything(served, phone):
    for method in ("PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"):
        assert phone.raw(method, "/view/clock", headers=phone.signed(method, "/view/clock")).status == 405, method


def test_a_flood_without_signatures_is_slowed_down_told_once_and_keeps_no_phone_out(caplog):
    caplog.set_level(logging.INFO)
    engine = PlayedEngine()
    session, key = engine.offer()
    engine.confirm(session)
    with serving(engine) as served:
        stranger = Hand(served.port)
        statuses = [stranger.raw("GET", "/view/clock").status for _ in range(90)]
        assert statuses[0] == 401 and statuses[-1] == 429
        assert Hand(served.port, session, key).ask("GET", "/view/clock").status == 200
    told = [record for record in caplog.records if "turned away" in record.message]
    assert len(told) == 1 and "127.0.0.1" in told[0].message


def test_who_looks_at_what_is_in_no_log(served, phone, caplog):
    caplog.set_level(logging.DEBUG)
    phone.ask("GET", "/view/player/7")
    assert "player" not in caplog.text and phone.session not in caplog.text


def test_a_ticket_is_for_one_address_and_good_once(served, phone):
    ticket = phone.ask("POST", "/ticket", b"/export/results.csv?lang=cs").json["ticket"]
    hand = Hand(served.port)
    assert hand.raw("GET", f"/export/results.pdf?lang=cs&ticket={ticket}").status == 401
    ticket = phone.ask("POST", "/ticket", b"/export/results.csv?lang=cs").json["ticket"]
    answer = hand.raw("GET", f"/export/results.csv?lang=cs&ticket={ticket}")
    assert answer.text == "pořadí;hráč" and "results.csv" in answer.headers["content-disposition"]
    assert hand.raw("GET", f"/export/results.csv?lang=cs&ticket={ticket}").status == 401
    assert phone.ask("POST", "/ticket", b"/view/clock").status == 400
    assert phone.ask("POST", "/ticket", b"/events\r\nx").status == 400
    unknown = phone.ask("POST", "/ticket", b"/print/nothing").json["ticket"]
    assert hand.raw("GET", f"/print/nothing?ticket={unknown}").status == 404


def test_what_changes_is_heard_at_once_with_the_version_and_the_time(served, phone):
    served.show(venue="brno")
    with phone.stream() as event:
        name, data, first = event()
        assert name == "change" and data["views"] == ["*"] and data["now"] == NOW and data["speed"] == 1
        served.show(devices=("table-1",))
        name, data, second = event()
        assert name == "change" and "devices" in data["views"] and "clock" not in data["views"]
        assert first != second
    with phone.stream(f"/events?lang=cs&since={first}") as event:
        assert event()[1]["views"] == data["views"]
    with phone.stream(f"/events?lang=cs&since={second}") as event:
        assert event()[1]["views"] == []
    with phone.stream("/events?lang=cs&since=00000000-7") as event:
        assert event()[1]["views"] == ["*"]


def test_a_phone_that_is_cut_off_hears_no_more(served, phone, engine):
    with phone.stream() as event:
        event()
        engine.cut_off(phone.session)
        served.show(devices=("table-1",))
        assert event()[0] == "out"
        assert event()[0] == ""


def test_streams_are_bounded(served, phone, monkeypatch):
    monkeypatch.setattr(app, "MOST_STREAMS", 1)
    with phone.stream() as event:
        event()
        ticket = phone.ask("POST", "/ticket", b"/events?lang=cs").json["ticket"]
        assert phone.raw("GET", f"/events?lang=cs&ticket={ticket}").status == 503


def test_a_phone_that_asks_all_the_time_is_slowed_down_and_no_other(served, engine, phone):
    session, key = engine.offer()
    engine.confirm(session)
    mad = Hand(served.port, session, key)
    statuses = [mad.ask("GET", "/view/clock").status for _ in range(260)]
    assert statuses[:200] == [200] * 200 and 429 in statuses
    assert phone.ask("GET", "/view/clock").status == 200


def test_nobody_alone_keeps_phones_out_by_connections(served, phone, monkeypatch):
    monkeypatch.setattr(server, "MOST_FROM_ONE", 3)
    held = [socket.create_connection(("127.0.0.1", served.port)) for _ in range(3)]
    try:
        with pytest.raises((ConnectionError, http.client.HTTPException)):
            phone.ask("GET", "/view/clock")
    finally:
        for each in held:
            each.close()
    deadline = time.monotonic() + 5
    while server._Protocol._open and time.monotonic() < deadline:
        time.sleep(0.01)
    assert phone.ask("GET", "/view/clock").status == 200
