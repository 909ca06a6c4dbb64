"""A one-time code and what it proves: who has not the code is not believed, whatever travels."""

import contextlib
import os

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from appliance import enrolment
from appliance.enrolment import Answer, EnrolmentError

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OPENING = bytes(range(32))
CODE = enrolment.new_code(lambda n: bytes(range(n)))
OTHER = enrolment.new_code(lambda n: bytes(range(7, n + 7)))
ANSWER = Answer(
    venue="zabreh", device="table-3", role="table", table=3, certificate="AA==", authority="AA==", public_key="0" * 64
)


def test_a_code_is_typed_as_people_type_and_holds_eighty_bits():
    text = str(CODE)
    assert [len(group) for group in text.split("-")] == [4] * 5
    for typed in (text, text.lower(), text.replace("-", " "), f" {text.replace('-', '')} "):
        assert enrolment.read_code(typed) == CODE
    assert enrolment.read_code("oil0-1111-1111-1111-1111").invitation == "0110"
    assert len({enrolment.new_code().secret for _ in range(200)}) == 200


@pytest.mark.parametrize("typed", ["", "1234", "1234-" * 5 + "1", "U" * 20, "*" * 20, "š" * 20])
def test_what_is_no_code_is_said_to_be_none(typed):
    with pytest.raises(EnrolmentError):
        enrolment.read_code(typed)


def test_a_request_shows_that_code_and_key_are_there():
    request = enrolment.ask(CODE, KEY, OPENING, bytes(16))
    again = enrolment.read_request(msgspec.json.encode(request))
    assert enrolment.knows_code(again, CODE.key) and enrolment.has_key(again)
    assert not enrolment.knows_code(again, OTHER.key)
    assert CODE.secret not in msgspec.json.encode(request).decode()
    stranger = Ed25519PrivateKey.generate().public_key().public_bytes_raw().hex()
    for changed in (
        replace(request, key=stranger), replace(request, opening="0" * 64), replace(request, nonce="1" * 32),
        replace(request, invitation=OTHER.invitation),
    ):  # fmt: skip
        assert not enrolment.knows_code(changed, CODE.key)
        assert not enrolment.has_key(changed)


def test_an_answer_counts_only_from_who_has_the_code_and_for_this_request():
    request = enrolment.ask(CODE, KEY, OPENING, os.urandom(16))
    told = enrolment.answer(ANSWER, request, CODE.key)
    assert enrolment.read_answer(told, request, CODE) == ANSWER
    later = enrolment.ask(CODE, KEY, OPENING, os.urandom(16))
    for body, asked in (
        (enrolment.answer(ANSWER, request, OTHER.key), request),
        (told, later),
        (told.replace(b'"mac":"', b'"mac":"0'), request),
        (b"", request),
        (b"[" * 20_000, request),
        (msgspec.json.encode(request), request),
    ):
        with pytest.raises(EnrolmentError):
            enrolment.read_answer(body, asked, CODE)


@given(st.binary(max_size=400))
def test_any_bytes_are_a_request_or_an_error(body):
    with contextlib.suppress(EnrolmentError):
        enrolment.read_request(body)
