"""Commands are read strictly: bad input is an error that names the field."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.game import commands as c
from appliance.game.commands import decode_command, encode_command, name_of
from appliance.game.reading import MAX_COMMAND_BYTES, CommandError
from appliance.game.round import ACTIONS, INITIAL, Refusal, can, decide

REGISTER = {"do": "register", "round": "R1", "participant": "000101", "identity_checked": True}
ANNOUNCE: dict[str, Any] = {
    "do": "announce",
    "round": "R1",
    "venue": "brno",
    "starts_at": "2027-01-15T19:00:00+01:00",
    "profile": "cpl-2017",
    "deposit": 100,
    "shares": ["50", "30", "20"],
    "seats_per_table": 9,
    "levels": [{"sb": 25, "bb": 50, "ante": 0, "minutes": 15}, {"break": 10}],
}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"participant": 101}, "participant"),
        ({"participant": ""}, "participant"),
        ({"participant": "Jan Novák"}, "participant"),
        ({"participant": "000101\n"}, "participant"),
        ({"participant": "1" * 1_000_000}, "participant"),
        ({"identity_checked": 1}, "identity_checked"),
        ({"identity_checked": None}, "identity_checked"),
        ({"deposits_24h": -1}, "deposits_24h"),
        ({"deposits_24h": "150"}, "deposits_24h"),
        ({"deposits_24h": 10**13}, "deposits_24h"),
        ({"deposits_24h": [["2027-01-15T18:00:00", 5]]}, ""),
        ({"deposits_24h": [["2027-01-15T18:00:00+01:00", -5]]}, "deposits_24h[0][1]"),
        ({"seat": [1]}, "seat"),
        ({"seat": [0, 1]}, "seat[0]"),
        ({"seat": [1, "2"]}, "seat[1]"),
        ({"round": "R 1"}, "round"),
        ({"round": "R1/../x"}, "round"),
        ({"do": "registre"}, "do"),
        ({"do": 5}, "do"),
        ({"note": "x"}, "note"),
    ],
)
def test_a_bad_registration_names_its_field(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(CommandError) as error:
        decode_command({**REGISTER, **changes})
    assert error.value.field == field
    assert len(str(error.value)) < 600


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"deposit": -100}, "deposit"),
        ({"deposit": 100.0}, "deposit"),
        ({"deposit": True}, "deposit"),
        ({"shares": [50, 30, 20]}, "shares[...]"),
        ({"shares": ["50,5", "49.5"]}, "shares[...]"),
        ({"shares": ["-50", "150"]}, "shares[...]"),
        ({"shares": ["1e2"]}, "shares[...]"),
        ({"shares": ["100", "0.00"]}, ""),
        ({"seats_per_table": 11}, "seats_per_table"),
        ({"seats_per_table": 1}, "seats_per_table"),
        ({"levels": []}, "levels"),
        ({"levels": [{"break": 10}]}, ""),
        ({"levels": [{"sb": 25, "bb": 50}]}, "levels[...]"),
        ({"levels": [{"sb": 25, "minutes": 5}]}, "levels[...]"),
        ({"levels": [{"break": 10, "minutes": 5}]}, "levels[...]"),
        ({"levels": [{"sb": 25, "bb": 50, "minutes": 0}]}, "levels[...].minutes"),
        ({"levels": [{"sb": -25, "bb": 50, "minutes": 5}]}, "levels[...].sb"),
        ({"levels": [{"sb": 25, "bb": 50, "minutes": 5, "colour": 1}]}, "levels[...].colour"),
        ({"starts_at": "2027-01-15T19:00:00"}, ""),
        ({"starts_at": "tonight"}, ""),
        ({"venue": "Brno"}, "venue"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**63}, ""),
        ({"tables": [1, 1]}, ""),
        ({"tables": []}, "tables"),
        ({"ante_by": "dealer"}, "ante_by"),
        ({"points_key": {"name": "x"}}, "points_key.winner"),
    ],
)
def test_a_bad_announcement_names_its_field(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(CommandError) as error:
        decode_command({**ANNOUNCE, **changes})
    assert error.value.field.replace("[0]", "[...]").replace("[1]", "[...]") == field
    assert error.value.reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b'{"do":"open","round":"R1"} x', "not JSON"),
        (b"[]", "not a JSON object"),
        (b'"open"', "not a JSON object"),
        (b'{"do":"open","round":"R1","reason":NaN}', "reason: NaN is not a whole number"),
        (b'{"do":"open","round":"R1","reason":-Infinity}', "-Infinity is not a whole number"),
        (b'{"do":"deposit","round":"R1","participant":"1","amount":1.0}', "amount: 1.0 is not a whole number"),
        (b'{"do":"stacks","round":"R1","table":1,"stacks":{"7":2.5}}', "7: 2.5 is not a whole number"),
        (b'{"do":"start","round":"R1","seats":{"1":[1,[2.5]]}}', "1: 2.5 is not a whole number"),
        (b'{"do":"closes","round":"R1"}', "do: 'closes' is none of announce, open, "),
        (
            b'{"do":"sanction","round":"R1","participant":"1","kind":"ban","reason":"x"}',
            "kind: 'ban' is none of dead-hand, exclusion, sit-out, warning",
        ),
        (b'{"do":"deposit","round":"R1","participant":"1","amount":' + b"9" * 5000 + b"}", "too large a number"),
        (b'{"do":"open","round":"R1","do":"cancel"}', "do: is there twice"),
        (b'{"do":"start","round":"R1","seats":{"1":[1,1],"1":[1,2]}}', "1: is there twice"),
        (b'{"do":"open","round":"R1","reason":"\xff"}', "not UTF-8 at byte"),
        (b'{"a":' + b"[" * 60_000 + b"]" * 5000, "nested too deep"),
        (b'{"a":' * 9000 + b"1" + b"}" * 9000, ""),
        (b" " * (MAX_COMMAND_BYTES + 1), "longer than"),
        (b'{"do":"open","round":"R1","reason":"\\ud800"}', "surrogate"),
    ],
)
def test_text_that_is_no_command_says_why(text: bytes, reason: str) -> None:
    with pytest.raises(CommandError) as error:
        decode_command(text)
    assert reason in str(error.value)


def test_amounts_are_positive_and_not_absurd() -> None:
    for amount in (0, -5, 10**12 + 1, "5", None, 5.5):
        with pytest.raises(CommandError) as error:
            decode_command({"do": "deposit", "round": "R1", "participant": "1", "amount": amount})
        assert error.value.field == "amount"


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=200))
def test_garbage_is_an_error_and_nothing_else(garbage: bytes | str) -> None:
    with pytest.raises(CommandError):
        decode_command(garbage)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**13), 10**13) | st.text(max_size=5) | st.floats(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=400, deadline=None)
@given(data=st.data())
def test_wrong_types_anywhere_are_an_error_or_a_command(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(get_args(c.AnyCommand)))
    fields = [name for name in kind.__struct_encode_fields__ if name != "round"]
    drawn = {field: data.draw(JSON) for field in fields}
    try:
        command = decode_command({"do": kind.__struct_config__.tag, "round": "R1", **drawn})
    except CommandError as error:
        assert str(error)
    else:
        assert decode_command(encode_command(command)) == command


@pytest.mark.parametrize(
    "fields",
    [
        ANNOUNCE,
        {**ANNOUNCE, "seed": 2**63 - 1, "tables": [3, 1], "ante_by": "bb", "late_registration": True},
        {**REGISTER, "deposits_24h": [["2027-01-15T18:00:00Z", 100]], "seat": [1, 9]},
        {"do": "start", "round": "R1", "seats": {"000101": [1, 3]}, "button": 4},
        {"do": "colour_up", "round": "R1", "table": 1, "denomination": 25, "to": 100, "holdings": {"1": {"25": 3}}},
        {"do": "deal", "round": "R1", "kind": "manual", "consents": ["1"], "stacks": {"1": 5}, "amounts": {"1": 9}},
        {"do": "undo", "round": "R1", "n": 3, "of": "0190-abc"},
    ],
)
def test_a_command_round_trips_through_json(fields: dict[str, Any]) -> None:
    command = decode_command(json.dumps(fields))
    assert name_of(command) == fields["do"]
    assert decode_command(encode_command(command)) == command == decode_command(fields)


def test_every_command_can_be_decided() -> None:
    assert {*ACTIONS, c.Announce, c.Start, c.Undo, c.Redo} == set(get_args(c.AnyCommand))


def test_nothing_but_an_announcement_comes_first() -> None:
    command = decode_command({"do": "balance", "round": "R1"})
    assert decide(INITIAL, command, 0, "x") == Refusal("not-announced", {"round": "R1"})
    assert not can(INITIAL, command, 0)
