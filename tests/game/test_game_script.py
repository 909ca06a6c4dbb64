"""Scripts: the whole is checked first, and an error names line and reason."""

from __future__ import annotations

import pytest

from appliance.game.rehearse import run
from appliance.game.script import ScriptError, parse_script

OPEN = '{"at":"2027-01-15T18:05:00+01:00","do":"open","round":"R1"}'
LATER = '{"at":"2027-01-15T18:06:00+01:00","do":"open","round":"R1"}'


def test_empty_lines_and_comments_are_skipped_and_lines_keep_their_numbers() -> None:
    script = parse_script(["# večer", "", OPEN + "\r\n", "  # poznámka", LATER])
    assert [(line.line_no, line.round_id) for line in script] == [(3, "R1"), (5, "R1")]
    assert script[0].at_ms == 1_800_032_700_000


def test_bytes_and_a_byte_order_mark_are_read() -> None:
    assert parse_script([b"\xef\xbb\xbf" + OPEN.encode()])[0].line_no == 1


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not JSON"),
        ("[1]", "not a JSON object"),
        ('{"do":"open","round":"R1"}', "at: is missing"),
        ('{"at":5,"do":"open","round":"R1"}', "at: is no text"),
        ('{"at":"2027-01-15T19:00:00","do":"open","round":"R1"}', "at: "),
        ('{"at":"2027-02-30T19:00:00Z","do":"open","round":"R1"}', "at: "),
        ('{"at":"1969-01-01T00:00:00Z","do":"open","round":"R1"}', "before 1970"),
        ('{"at":"2027-01-15T19:00:00+01:00","round":"R1"}', "do: is missing"),
        ('{"at":"2027-01-15T19:00:00+01:00","do":"open"}', "round: is missing"),
        ('{"at":"2027-01-15T19:00:00+01:00","do":"dance","round":"R1"}', "do: "),
        ('{"at":"2027-01-15T19:00:00+01:00","do":"open","round":"R1","colour":1}', "colour: unknown field"),
        ('{"at":"2027-01-15T18:04:59+01:00","do":"open","round":"R1"}', "at: earlier than line 1"),
        ('{"at":"2027-01-15T19:00:00+01:00","do":"open","round":"R2"}', "round: R2 in a script of R1"),
        (b'{"at":"2027-01-15T19:00:00+01:00","do":"open","round":"R1","reason":"\xc3"}', "not UTF-8"),
        ("x" * 1_000_000, "longer than"),
    ],
)
def test_a_wrong_line_is_named(line: str | bytes, reason: str) -> None:
    with pytest.raises(ScriptError) as error:
        run([OPEN, line, LATER])
    assert error.value.line == 2
    assert reason in error.value.reason
    assert str(error.value).startswith("line 2: ")
    assert "\n" not in str(error.value)


def test_a_script_without_commands_is_an_error() -> None:
    with pytest.raises(ScriptError, match="no command"):
        run(["# nic"])


def test_equal_times_are_in_order() -> None:
    assert len(parse_script([OPEN, OPEN])) == 2


@pytest.mark.parametrize(
    "text",
    ["2027-01-15T18:05:00Z", "2027-01-15T19:05+01:00", "2027-01-15T19:05:00.000+0100", "2027-01-15 18:05:00+00:00"],
)
def test_iso_8601_with_offset_in_its_usual_ways_of_writing(text: str) -> None:
    assert parse_script([OPEN.replace("2027-01-15T18:05:00+01:00", text)])[0].at_ms == 1_800_036_300_000


def test_a_refused_command_is_reported_with_its_line_and_the_run_goes_on() -> None:
    found = run([OPEN])
    assert found["refusals"] == [{"line": 1, "do": "open", "code": "not-announced", "detail": {"round": "R1"}}]
    assert (found["round"], found["state"], found["clock"]) == ("R1", None, None)
