"""``tableside hand`` plays recorded hands again; ``tableside legal`` says what may be done next."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from appliance.cli import main
from appliance.game.ruleset import PROFILES

SAMPLE = Path(__file__).parent / "data" / "hands-sample.phhs"


@pytest.fixture
def recorded(tmp_path):
    def write(text: str, name: str = "hand.phh") -> str:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def phh(*actions: str, stacks: str = "[1000, 1000, 1000]", blinds: str = "[50, 100, 0]") -> str:
    return (
        f"variant = 'NT'\nantes = {'[0, 0, 0]' if stacks.count(',') == 2 else '[0, 0]'}\nhand = 4\n"
        f"blinds_or_straddles = {blinds}\nmin_bet = 100\nstarting_stacks = {stacks}\nactions = {list(actions)}\n"
    )


def lines(capsys, *arguments: str, code: int = 0) -> list[dict]:
    assert main(list(arguments)) == code
    out, err = capsys.readouterr()
    assert err == ""
    return [json.loads(line) for line in out.splitlines()]


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_H_11_the_sample_is_one_line_a_hand_without_an_error(capsys, profile: str) -> None:
    told = lines(capsys, "hand", str(SAMPLE), "--profile", profile, "--json")
    assert len(told) == 12
    assert all(hand["error"] is None for hand in told)


def test_H_12_a_line_is_written_as_the_interface_says(capsys) -> None:
    assert main(["hand", str(SAMPLE)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == (
        '{"hand":3017252372,"finishing_stacks":[1626.58,1700.69],'
        '"pots":[{"amount":450,"eligible":["p1","p2"],"awards":{"p2":450}}],"show_order":["p2","p1"],"error":null}'
    )


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_H_12_every_line_has_the_fields_of_the_interface_and_adds_up(capsys, profile: str) -> None:
    records = tomllib.loads(SAMPLE.read_text("utf-8"), parse_float=Decimal).values()
    assert main(["hand", str(SAMPLE), "--profile", profile]) == 0
    out = capsys.readouterr().out.splitlines()
    for line, record in zip(out, records, strict=True):
        told = json.loads(line, parse_float=Decimal)
        assert list(told) == ["hand", "finishing_stacks", "pots", "show_order", "error"]
        names = [f"p{number}" for number in range(1, len(record["starting_stacks"]) + 1)]
        assert told["hand"] == record["hand"] and told["error"] is None
        assert len(told["finishing_stacks"]) == len(names)
        assert sum(told["finishing_stacks"]) == sum(record["starting_stacks"])
        for pot in told["pots"]:
            assert list(pot) == ["amount", "eligible", "awards"]
            assert sum(pot["awards"].values()) == pot["amount"] > 0
            assert set(pot["awards"]) <= set(pot["eligible"]) <= set(names)
        shown = [action.split()[0] for action in record["actions"] if " sm" in action]
        assert set(told["show_order"]) == set(shown)


def test_H_3_an_illegal_action_is_told_with_its_number_code_and_amounts_as_written(capsys, recorded) -> None:
    text = phh("# first", "p3 cbr 150.50").replace("[1000,", "[1000.25,")
    (told,) = lines(capsys, "hand", recorded(text), code=2)
    assert told == {
        "hand": 4,
        "finishing_stacks": [950.25, 900, 1000],
        "pots": [],
        "show_order": [],
        "error": {"action": 2, "code": "raise-too-small", "detail": {"to": 150.5, "minimum": 200}},
    }


def test_H_3_after_an_illegal_action_the_other_hands_are_played_and_the_end_is_2(capsys, recorded) -> None:
    file = recorded(f"[1]\n{phh('p1 f')}\n[2]\n{phh('p3 f', 'p1 f')}\n[3]\nvariant = 'FT'\n", "several.phhs")
    told = lines(capsys, "hand", file, code=2)
    assert [hand["error"] and hand["error"]["code"] for hand in told] == ["not-your-turn", None, "bad-notation"]
    assert told[0]["error"]["detail"] == {"actor": "p3", "position": "p1"}
    assert told[1]["finishing_stacks"] == [950, 1050, 1000]
    assert told[2] == {
        "hand": 3,
        "finishing_stacks": [],
        "pots": [],
        "show_order": [],
        "error": {"action": None, "code": "bad-notation", "detail": {"field": "variant", "reason": "FT"}},
    }


def test_H_11_who_has_an_unknown_stack_ends_with_null(capsys, recorded) -> None:
    (told,) = lines(capsys, "hand", recorded(phh("p3 f", "p1 f", stacks="[inf, 1000, inf]")))
    assert told["finishing_stacks"] == [None, 1050, None]


@pytest.mark.parametrize(
    ("actions", "expected"),
    [
        ([], '{"actor":"p3","fold":true,"check":false,"call":100,"raise":{"min":200,"max":1000}}'),
        (["p3 cc", "p1 cc"], '{"actor":"p2","fold":true,"check":true,"call":null,"raise":{"min":200,"max":1000}}'),
        (["p3 cbr 700"], '{"actor":"p1","fold":true,"check":false,"call":650,"raise":{"min":1000,"max":1000}}'),
        (["p3 cbr 1000"], '{"actor":"p1","fold":true,"check":false,"call":950,"raise":null}'),
        (["p3 cbr 250.50"], '{"actor":"p1","fold":true,"check":false,"call":200.50,"raise":{"min":401,"max":1000}}'),
        (["p3 cc", "p1 cc", "p2 cc"], '{"actor":null,"fold":false,"check":false,"call":null,"raise":null}'),
        (["p3 f", "p1 f"], '{"actor":null,"fold":false,"check":false,"call":null,"raise":null}'),
    ],
)
def test_H_3_what_the_player_to_act_may_do(capsys, recorded, actions: list[str], expected: str) -> None:
    assert main(["legal", recorded(phh(*actions))]) == 0
    assert capsys.readouterr() == (expected + "\n", "")


def test_H_2_heads_up_the_second_player_is_on_turn_first(capsys, recorded) -> None:
    (told,) = lines(capsys, "legal", recorded(phh(stacks="[1000, 1000]", blinds="[50, 100]")))
    assert (told["actor"], told["call"]) == ("p2", 50)


def test_H_4_what_may_be_done_goes_by_the_profile(capsys, recorded) -> None:
    file = recorded(phh("p3 cbr 250", "p1 cbr 300", stacks="[300, 1000, 1000]"))
    (told,) = lines(capsys, "legal", file, "--profile", "cpl")
    assert told["raise"] == {"min": 400, "max": 400}
    (told,) = lines(capsys, "legal", file)
    assert told["raise"] == {"min": 450, "max": 1000}


def test_H_3_an_unknown_stack_has_no_most_to_raise_to(capsys, recorded) -> None:
    (told,) = lines(capsys, "legal", recorded(phh(stacks="[1000, 1000, inf]")))
    assert told["raise"] == {"min": 200, "max": None}


def test_H_3_nothing_is_legal_after_what_is_not(capsys, recorded) -> None:
    file = recorded(phh("p1 f"))
    assert main(["legal", file]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    problem = '{"action":1,"code":"not-your-turn","detail":{"actor":"p3","position":"p1"}}'
    assert err == f"tableside legal: {file}: hand 4: action 1: It is another player's turn. {problem}\n"


@pytest.mark.parametrize("command", ["hand", "legal"])
@pytest.mark.parametrize("text", ["", "x = [", "a = '\x1b'", "[1]\nx = 99:99:99"])
def test_a_file_that_is_no_hand_history_is_one_line_and_exit_2(capsys, recorded, command: str, text: str) -> None:
    file = recorded(text)
    assert main([command, file]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith(f"tableside {command}: {file}: ") and err.count("\n") == 1


@pytest.mark.parametrize("command", ["hand", "legal"])
def test_a_file_or_profile_there_is_not_is_one_line_and_exit_2(capsys, tmp_path, command: str) -> None:
    binary = tmp_path / "binary.phh"
    binary.write_bytes(b"\xff\xfe\x00")
    for arguments in ([str(tmp_path / "none.phh")], [str(tmp_path)], [str(binary)], [str(SAMPLE), "--profile", "x"]):
        assert main([command, *arguments]) == 2
        out, err = capsys.readouterr()
        assert out == "" and err.startswith(f"tableside {command}: ") and err.count("\n") == 1


HOSTILE = {
    "nothing": b"",
    "a comment": b"# nothing",
    "cut off": b"x = [",
    "NUL": b"variant = 'NT'\x00",
    "latin-1": b"x = 1\nvenue = 'caf\xe9'",
    "UTF-16": "variant = 'NT'".encode("utf-16"),
    "deep arrays": b"x = " + b"[" * 100_000,
    "deep tables": b"x = " + b"{a = " * 5_000 + b"1" + b"}" * 5_000,
    "one key twice": b"x = 1\nx = 2",
    "an exponent beyond all": b"x = 1e99999999999999999999",
    "an integer beyond all": b"x = " + b"9" * 5_000,
}


@pytest.mark.parametrize("command", ["hand", "legal"])
@pytest.mark.parametrize("kind", HOSTILE)
def test_garbage_is_one_line_that_names_the_file_and_exit_2(capsys, tmp_path, command: str, kind: str) -> None:
    file = tmp_path / "new\nline.phh"
    file.write_bytes(HOSTILE[kind])
    assert main([command, str(file)]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and "Traceback" not in err
    assert err.startswith(f"tableside {command}: {tmp_path}/new\\nline.phh: ")


BAD_FIELDS = (
    "starting_stacks = [-1, 1000, 1000]",
    "starting_stacks = [nan, 1000, 1000]",
    "starting_stacks = [-inf, 1000, 1000]",
    "starting_stacks = [1e400, 1000, 1000]",
    "starting_stacks = [1e-400, 1000, 1000]",
    "starting_stacks = [1000]",
    f"starting_stacks = {[1000] * 30}",
    "starting_stacks = {a = 1}",
    "blinds_or_straddles = [1979-05-27, 0, 0]",
    "min_bet = -100",
    "actions = [['p3 f']]",
    "actions = ['p3 f\\u0000']",
    "actions = ['p3 " + "x" * 100_000 + "']",
    "actions = ['d dh p1 AsAs']",
)


@pytest.mark.parametrize("changed", BAD_FIELDS)
def test_a_hand_that_cannot_be_played_is_a_whole_line_and_the_rest_goes_on(capsys, recorded, changed: str) -> None:
    kept = [line for line in phh().splitlines() if not line.startswith(changed.split(" = ")[0])]
    bad = "\n".join([*kept, changed])
    file = recorded(f"[1]\n{bad}\n[2]\n{phh('p3 f', 'p1 f')}", "several.phhs")
    first, second = lines(capsys, "hand", file, code=2)
    assert set(first) == set(second) == {"hand", "finishing_stacks", "pots", "show_order", "error"}
    assert (first["error"]["code"] in ("bad-notation", "card-repeated"), second["error"]) == (True, None)
    assert second["finishing_stacks"] == [950, 1050, 1000]
    assert main(["legal", file]) == 2
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 1 and err.startswith(f"tableside legal: {file}: hand 4: ") and err.count("\n") == 1


def test_a_file_with_a_mark_of_its_byte_order_and_lines_of_any_end_is_read(capsys, tmp_path) -> None:
    file = tmp_path / "windows.phh"
    file.write_bytes(b"\xef\xbb\xbf" + phh("p3 f", "p1 f").replace("\n", "\r\n").encode())
    (told,) = lines(capsys, "hand", str(file))
    assert told["finishing_stacks"] == [950, 1050, 1000]


def tableside(*arguments: str, out: Any = subprocess.PIPE, **env: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "appliance", *arguments]
    return subprocess.run(command, stdout=out, stderr=subprocess.PIPE, env={**os.environ, **env})


def test_names_in_any_letters_are_written_as_utf_8_whatever_the_locale(recorded) -> None:
    done = tableside("hand", recorded(phh().replace("hand = 4", "hand = 'křest'")), PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["hand"] == "křest"
    ranked = tableside("rank", "KsKdKh7c7d", PYTHONIOENCODING="ascii")
    assert "králové" in ranked.stdout.decode()


def test_a_full_disk_is_one_line_and_exit_2() -> None:
    with Path("/dev/full").open("wb") as full:
        done = tableside("hand", str(SAMPLE), out=full)
    assert done.returncode == 2
    assert done.stderr == b"tableside hand: what it says cannot be written: No space left on device\n"


def test_a_reader_who_has_enough_ends_it_without_a_word() -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as closed:
        done = tableside("hand", str(SAMPLE), out=closed)
    assert (done.returncode, done.stderr) == (1, b"")


def test_an_undecided_pot_is_named_and_leaves_no_stack_of_nothing(recorded, capsys):
    played = ("p3 cbr 500", "p1 cc", "p2 f", "d db ??????", "d db ??", "d db ??")
    told = lines(capsys, "hand", recorded(phh(*played, stacks="[500, 900, 900]")))[0]
    assert told["finishing_stacks"] == [None, 800, None]
    assert (told["undecided"], told["pots"][0]["awards"], told["error"]) == ([1], {}, None)


ALL_IN = ("p3 cbr 1000", "p1 cc", "p2 cc")


@pytest.mark.parametrize(
    "board", [(), ("d db 2c3d4h",), ("d db 2c3d4h", "d db 9s"), ("d db ??????", "d db ??", "d db ??")]
)
@pytest.mark.parametrize(
    ("field", "contradicted"),
    [
        ("", None),
        ("finishing_stacks = [0, 0, 0]", ["finishing_stacks"]),
        ("finishing_stacks = [1000, 1000, 0]", None),  # a rake, for all that can be said
        ("finishing_stacks = [2000, 2000, 0]", ["finishing_stacks"]),
        ("winnings = [0, 0, 0]", ["winnings"]),
    ],
)
def test_H_11_an_all_in_without_its_whole_board_loses_no_chips(
    recorded, capsys, board: tuple[str, ...], field: str, contradicted: list[str] | None
) -> None:
    (told,) = lines(capsys, "hand", recorded(f"{phh(*ALL_IN, *board)}\n{field}\n"))
    assert (told["finishing_stacks"], told["undecided"], told["error"]) == ([None] * 3, [1], None)
    assert told["pots"] == [{"amount": 3000, "eligible": ["p1", "p2", "p3"], "awards": {}}]
    assert told.get("contradicted") == contradicted


SHOWN = ("d dh p1 AsAh", "d dh p2 KsKh", "p3 f", "p1 cbr 1000", "p2 cc", "d db 2c3d4h", "d db 9s", "d db Jd")


@pytest.mark.parametrize(
    ("actions", "ends", "field", "contradicted"),
    [
        (SHOWN, [2000, 0, 1000], "winnings = [2000, 0, 0]", None),
        (SHOWN, [2000, 0, 1000], "winnings = [1900, 0, 0]", None),
        (SHOWN, [2000, 0, 1000], "winnings = [0, 2000, 0]", ["winnings"]),
        (SHOWN, [2000, 0, 1000], "winnings = [1000, 1000, 0]", ["winnings"]),
        (SHOWN, [2000, 0, 1000], "winnings = [2500, 0, 0]", ["winnings"]),
        (SHOWN, [2000, 0, 1000], "finishing_stacks = [2000, 0, 1000]", None),
        (SHOWN, [2000, 0, 1000], "finishing_stacks = [0, 2000, 1000]", ["finishing_stacks"]),
        (SHOWN, [2000, 0, 1000], "finishing_stacks = [2000, 0, 900]", ["finishing_stacks"]),
        (("p3 f", "p1 f"), [950, 1050, 1000], "winnings = [0, 150, 0]", None),
        (("p3 f", "p1 f"), [950, 1050, 1000], "winnings = [0, 100, 0]", None),
        (("p3 f", "p1 f"), [950, 1050, 1000], "winnings = [150, 0, 0]", ["winnings"]),
        (("p3 cbr 300", "p1 f", "p2 f"), [950, 900, 1150], "winnings = [0, 0, 150]", None),
        (("p3 cbr 300", "p1 f", "p2 f"), [950, 900, 1150], "winnings = [0, 0, 250]", None),
        (("p3 cbr 300", "p1 f", "p2 f"), [950, 900, 1150], "winnings = [0, 0, 450]", None),
        (("p3 cbr 300", "p1 f", "p2 f"), [950, 900, 1150], "winnings = [0, 0, 451]", ["winnings"]),
        (("p3 f", "p1 f"), [950, 1050, 1000], "finishing_stacks = [950, 1050, 1000]", None),
        (("p3 f", "p1 f"), [950, 1050, 1000], "finishing_stacks = [1050, 950, 1000]", ["finishing_stacks"]),
        (("p3 f", "p1 f"), [950, 1050, 1000], "", None),
        (("p3 f",), [950, 900, 1000], "finishing_stacks = [1050, 950, 1000]", None),  # it goes on
    ],
)
def test_H_11_a_record_that_contradicts_itself_says_so(
    recorded, capsys, actions: tuple[str, ...], ends: list[int], field: str, contradicted: list[str] | None
) -> None:
    (told,) = lines(capsys, "hand", recorded(f"{phh(*actions)}\n{field}\n"))
    assert (told["finishing_stacks"], told.get("contradicted"), told["error"]) == (ends, contradicted, None)
