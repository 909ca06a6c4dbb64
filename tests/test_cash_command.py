"""``tableside cash``: the form of ``tableside round``, for a cash session."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from appliance.engine import history, records
from appliance.game.cash.report import report
from appliance.journal import Journal
from appliance.kinds import TableKind

OPEN = {"small_blind": 1, "big_blind": 2, "seats": 6, "buy_in_minimum": 40, "buy_in_maximum": 200, "seed": 5}


def tableside(*arguments: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "appliance", *map(str, arguments)], capture_output=True)


def line(minute: int, do: str, **fields: Any) -> str:
    return json.dumps({"at": f"2027-01-15T20:{minute:02}:00+01:00", "do": do, "session": "C1", **fields})


EVENING = [
    "# a short evening",
    line(0, "open", chip_value=2, **OPEN),
    *(line(1, "sit", participant=f"00010{n}", seat=n, chips=100) for n in (1, 3, 5)),
    line(2, "next_hand", button=5),
    line(3, "result", stacks={"000101": 130, "000103": 70}),
    line(4, "sit", participant="000102", seat=2, chips=100, entry="button"),
    line(4, "sit", participant="000106", seat=6, chips=500),
    line(5, "next_hand"),
]


def written(tmp_path: Path, lines: list[str]) -> Path:
    script = tmp_path / "cash.jsonl"
    script.write_text("\n".join(lines), "utf-8")
    return script


def test_C_5_C_8_a_session_gives_its_state_from_a_journal_that_verifies(tmp_path: Path) -> None:
    done = tableside("cash", written(tmp_path, EVENING), "--json", "--journal", tmp_path / "j")
    answer = json.loads(done.stdout)
    assert done.returncode == 0
    assert (answer["session"], answer["state"], answer["number"]) == ("C1", "open", 2)
    assert answer["hand"] == {
        "order": [2, 3, 5, 1],
        "posts": [{"seat": 2, "participant": "000102", "kind": "button", "live": 2, "dead": 1}],
    }
    assert answer["money"]["on_table_czk"] == 800 and answer["players"]["000101"]["result_czk"] == 60
    assert answer["refusals"] == [
        {"line": 9, "do": "sit", "code": "buy-in-maximum", "detail": {"maximum": 200, "left": 200}}
    ]
    assert tableside("journal", "verify", tmp_path / "j").returncode == 0
    dumped = tableside("journal", "dump", tmp_path / "j").stdout.decode()
    assert "cash-hand-started/1" in dumped and "table/C1" in dumped


MORE = [
    line(6, "absent", participant="000103"),
    line(7, "join", participant="000109"),
    line(8, "call"),
    line(9, "rabbit", participant="000101", active=["000101"], consents=[], tip=3),
    line(10, "result"),
    line(11, "leave", participant="000105"),
]


def test_C_8_the_log_tells_in_czech_who_brought_and_took_how_much(tmp_path: Path) -> None:
    told = tableside("cash", written(tmp_path, [*EVENING, *MORE])).stdout.decode().replace("\u00a0", " ").splitlines()
    assert told[:3] == [
        "C1: stůl je otevřený",
        "Blindy 1/2, buy-in 40 až 200 žetonů, žeton má hodnotu 2 Kč",
        "Handa 2 (dohraná): button 1, malý blind -, velký blind 2",
    ]
    assert told[4:10] == [
        "místo  hráč    vloženo  vybráno  na stole  rozdíl",
        "    1  000101      100        0       127     +27  54 Kč",
        "    2  000102      100        0       100       0  0 Kč",
        "    3  000103      100        0        70     -30  -60 Kč, chybí",
        "    -  000105      100      100         0       0  0 Kč",
        "       celkem      400      100       297      -3",
    ]
    assert told[10] == "Vloženo 400 = vybráno 100 + na stole 297 (594 Kč) + spropitné 3 + rake 0"
    assert told[12:14] == ["Čekací listina:", "  1. 000109  vyvolán ke stolu"]
    assert told[15:17] == ["Žetony, které přišly a odešly:", "  20:01  000101        +100  buy-in"]
    assert "  20:09  000101          -3  spropitné" in told and "  20:11  000105        -100  odchod" in told
    assert told[-1] == "Řádek 9: sit: Teď lze koupit nejvýše 200 žetonů. (buy-in-maximum)"


def test_C_8_the_log_is_there_in_english_and_shows_what_a_hand_in_play_posted(tmp_path: Path) -> None:
    done = tableside("cash", written(tmp_path, [*EVENING, *MORE[:3]]), "--lang", "en")
    told = done.stdout.decode().replace("\u00a0", " ").splitlines()
    assert told[2:4] == [
        "Hand 2 (in play): button 1, small blind -, big blind 2",
        "  seat 2: bought button 2 + 1 dead",
    ]
    assert "In 400 = out 0 + on the table 400 (CZK 800) + tips 0 + rake 0" in told
    assert told[-1] == "Line 9: sit: At most 200 chips can be bought now. (buy-in-maximum)"


def test_an_unknown_language_is_told_in_one_line(tmp_path: Path) -> None:
    done = tableside("cash", written(tmp_path, EVENING), "--lang", "de")
    assert (done.returncode, done.stdout) == (2, b"") and len(done.stderr.decode().splitlines()) == 1
    assert b"--lang" in done.stderr


def test_until_gives_the_state_at_that_time(tmp_path: Path) -> None:
    done = tableside("cash", written(tmp_path, EVENING), "--json", "--until", "2027-01-15T20:03:00+01:00")
    answer = json.loads(done.stdout)
    assert (answer["number"], answer["hand"], sorted(answer["seats"])) == (1, None, ["1", "3", "5"])


@pytest.mark.parametrize(
    ("lines", "number", "reason"),
    [
        ([*EVENING[:3], "{not json"], 4, "not JSON"),
        ([*EVENING[:3], line(2, "sit", participant="1", seat=2, chips=50, mood="bad")], 4, "mood"),
        ([*EVENING[:3], line(0, "call")], 4, "earlier"),
        ([*EVENING[:3], line(2, "call").replace("C1", "C2")], 4, "session: C2 in a script of C1"),
        ([*EVENING[:3], line(2, "dance")], 4, "do: 'dance' is none of open, "),
        ([*EVENING[:3], line(2, "act", position=1, action="bet")], 4, "action: 'bet' is none of all-in, call, "),
        ([*EVENING[:3], line(2, "act", position=1, action="fold", round="R")], 4, "round: unknown field"),
        ([*EVENING[:3], line(2, "sit", participant="1", seat=2, chips=2.5)], 4, "chips: 2.5 is not a whole number"),
        (["# nothing"], 0, "no command"),
    ],
)
def test_a_malformed_script_is_named_by_line_and_leaves_no_journal(
    tmp_path: Path, lines: list[str], number: int, reason: str
) -> None:
    script = written(tmp_path, lines)
    done = tableside("cash", script, "--journal", tmp_path / "j")
    error = done.stderr.decode()
    assert done.returncode == 2 and len(error.splitlines()) == 1
    assert str(script) + (f":{number}:" if number else ":") in error and reason in error
    assert not (tmp_path / "j").exists() and done.stdout == b""


def test_a_given_journal_must_not_exist(tmp_path: Path) -> None:
    (tmp_path / "j").write_text("mine")
    done = tableside("cash", written(tmp_path, EVENING), "--journal", tmp_path / "j")
    assert done.returncode == 2 and b"there already" in done.stderr and (tmp_path / "j").read_text() == "mine"


def test_a_session_that_never_opened_is_told_as_such(tmp_path: Path) -> None:
    done = tableside("cash", written(tmp_path, [line(0, "call")]), "--lang", "en")
    assert done.returncode == 0
    assert done.stdout.decode().splitlines() == [
        "C1: no table was opened",
        "Line 1: call: This table has not been opened. (not-opened)",
    ]


def test_C_8_a_session_in_a_journal_is_read_back_whole(tmp_path: Path) -> None:
    """Dumped and exported record by record; folded again it is the session that was played."""
    file = tmp_path / "j"
    done = tableside("cash", written(tmp_path, [*EVENING, *MORE]), "--json", "--journal", file)
    answer = json.loads(done.stdout)
    assert tableside("journal", "verify", file).returncode == 0
    exported = tmp_path / "records.jsonl"
    assert tableside("journal", "export", file, "-o", exported).returncode == 0
    records_told = exported.read_bytes().splitlines()
    dumped = tableside("journal", "dump", file).stdout.decode().splitlines()
    assert len(dumped) == len(records_told) and sum("table/C1" in one for one in dumped) >= 14
    kind = TableKind()
    with Journal(file, read_only=True) as journal:
        state = kind.initial()
        for record in records(journal, "table/C1", history(journal, "table/C1")):
            state = kind.fold(state, record)
    assert state.cash is not None
    again = json.loads(json.dumps(report(state.cash)))
    assert {"session": "C1", **again, "refusals": answer["refusals"]} == answer


def test_a_journal_without_tracked_hands_exports_none(tmp_path: Path) -> None:
    tableside("cash", written(tmp_path, EVENING), "--journal", tmp_path / "j")
    done = tableside("journal", "hands", tmp_path / "j", "-o", tmp_path / "hands.phhs")
    assert done.returncode == 0 and b"nothing is written" in done.stderr
    assert not (tmp_path / "hands.phhs").exists()


def test_C_8_who_comes_back_with_fewer_chips_than_they_left_with_is_told(tmp_path: Path) -> None:
    lines = [
        *EVENING[:7],
        line(4, "leave", participant="000101"),
        line(4, "leave", participant="000103"),
        line(5, "sit", participant="000101", seat=1, chips=40),
        line(5, "sit", participant="000103", seat=3, chips=100),
    ]
    answer = json.loads(tableside("cash", written(tmp_path, lines), "--json").stdout)
    assert [(told["code"], told["detail"]) for told in answer["notices"]] == [
        ("returned-with-less", {"participant": "000101", "left_with": 130, "chips": 40})
    ]
    page = tableside("cash", written(tmp_path, lines), "--lang", "en").stdout.decode()
    assert "000101 left with 130 chips and came back with 40." in page
    late = [*lines[:-2], line(4, "sit", participant="000101", seat=1, chips=40).replace("T20:04", "T21:04")]
    assert json.loads(tableside("cash", written(tmp_path, late), "--json").stdout)["notices"] == []


def test_C_1_the_button_is_placed_at_a_player_only(tmp_path: Path) -> None:
    lines = [*EVENING[:5], line(2, "next_hand", button=6), line(2, "next_hand", button=3)]
    answer = json.loads(tableside("cash", written(tmp_path, lines), "--json").stdout)
    assert [(told["code"], told["detail"]) for told in answer["refusals"]] == [("button-at-nobody", {"seat": 6})]
    assert answer["button"] == 3


def test_refusals_of_money_and_undo_say_what_there_is(tmp_path: Path) -> None:
    bounds = line(0, "open", **{**OPEN, "big_blind": 50})
    lines = [bounds, line(0, "open", **OPEN), line(1, "sit", participant="1", seat=1, chips=201), line(1, "undo", n=99)]
    page = tableside("cash", written(tmp_path, lines), "--lang", "en").stdout.decode()
    assert "at least the big blind (50)" in page
    assert "At most 200 chips can be bought now." in page
    assert "available: 0" in page


DEALT = [
    *EVENING[:6],  # seats 1, 3, 5 with 100 each, the button on 5: positions 0, 1, 2 are seats 1, 3, 5
    line(3, "deal_hole", position=2, cards="AsAd"),
    line(3, "act", position=2, action="raise", to=10),
    line(3, "act", position=0, action="fold"),
    line(3, "act", position=1, action="call"),
    line(4, "deal_board", cards="2c7d9h"),
    line(4, "act", position=1, action="check"),
    line(4, "declare", position=2, said="raise", amount=20),
    line(4, "act", position=1, action="fold"),
]


def test_C_8_a_hand_told_action_by_action_gives_the_session_its_result(tmp_path: Path) -> None:
    done = tableside("cash", written(tmp_path, [*DEALT, line(5, "next_hand")]), "--json", "--journal", tmp_path / "j")
    answer = json.loads(done.stdout)
    assert answer["refusals"] == []
    assert {who: player["stack"] for who, player in answer["players"].items()} == {
        "000101": 99,
        "000103": 90,
        "000105": 111,
    }
    assert answer["number"] == 2
    out = tmp_path / "hands.phhs"
    assert tableside("journal", "hands", tmp_path / "j", "-o", out).returncode == 0
    [hand] = tomllib.loads(out.read_text()).values()
    assert (hand["event"], hand["seats"]) == ("C1", [1, 3, 5])
    assert hand["finishing_stacks"] == [99, 90, 111]


def test_C_8_the_same_hand_is_followed_anew_where_it_was_dealt_anew(tmp_path: Path) -> None:
    lines = [*DEALT[:9], line(4, "undo"), line(4, "next_hand", button=1), line(5, "act", position=2, action="fold")]
    done = tableside("cash", written(tmp_path, lines), "--json", "--journal", tmp_path / "j")
    answer = json.loads(done.stdout)
    assert (answer["refusals"], answer["button"], answer["number"]) == ([], 1, 1)


def test_C_8_what_a_dealer_may_not_do_is_refused_by_line(tmp_path: Path) -> None:
    lines = [
        *EVENING[:5],
        line(2, "act", position=0, action="fold"),
        *DEALT[5:7],
        line(4, "act", position=0, action="fold"),
    ]
    answer = json.loads(tableside("cash", written(tmp_path, lines), "--json").stdout)
    assert [(refusal["line"], refusal["code"]) for refusal in answer["refusals"]] == [
        (6, "no-hand"),
        (9, "not-your-turn"),
    ]


def test_I_13_a_ruling_is_recorded_under_the_rules_of_the_session(tmp_path: Path) -> None:
    ruled = line(3, "make_ruling", ruling="I-13", decision="split", reason="the dealer mixed the cards")
    done = tableside("cash", written(tmp_path, [*EVENING[:6], ruled]), "--json", "--journal", tmp_path / "j")
    assert json.loads(done.stdout)["refusals"] == []
    assert b"ruling-made/1" in tableside("journal", "dump", tmp_path / "j").stdout


@pytest.mark.parametrize(
    ("lines", "number"),
    [
        ([line(0, "open", **{**OPEN, "seats": 11})], 1),
        ([line(0, "open", **{**OPEN, "seats": 1})], 1),
        ([line(0, "open", **{**OPEN, "big_blind": 0})], 1),
        ([line(0, "open", **{**OPEN, "big_blind": 2.5})], 1),
        ([line(0, "open", **{**OPEN, "rake_maximum": -1})], 1),
        ([*EVENING[1:2], line(1, "sit", participant="1", seat=2, chips=True)], 2),
        ([*EVENING[1:2], line(1, "sit", participant="1", seat=0, chips=50)], 2),
        ([*EVENING[1:2], line(1, "sit", participant="x\ny", seat=1, chips=50)], 2),
        ([*EVENING[1:2], line(1, "sit", participant="1", seat=1, chips=10**30)], 2),
        ([*EVENING[1:2], line(1, "result", stacks={"1": -5})], 2),
        ([*EVENING[1:2], line(1, "undo", n=0)], 2),
        ([*EVENING[1:2], line(1, "next_hand", straddles=[1])], 2),
        ([*EVENING[1:2], '{"at":"2027-01-15T20:01:00+01:00","do":"call","do":"close","session":"C1"}'], 2),
        ([*EVENING[1:2], '{"at":"2027-01-15T20:01:00","do":"call","session":"C1"}'], 2),
        ([*EVENING[1:2], "[" * 100_000], 2),
        ([*EVENING[1:2], '{"do":"call","session":"C1"}'], 2),
    ],
)
def test_what_is_no_command_of_a_cash_table_is_exit_2_in_one_line(
    tmp_path: Path, lines: list[str], number: int
) -> None:
    script = written(tmp_path, lines)
    done = tableside("cash", script)
    error = done.stderr.decode()
    assert (done.returncode, done.stdout, len(error.splitlines())) == (2, b"", 1)
    assert error.startswith(f"tableside cash: {script}:{number}: ") and len(error) < 600


@pytest.mark.parametrize("raw", [b"\xff\xfe{}", b"\x00", b"\xef\xbb\xbf", b"7\n", b'"text"\n'])
def test_bytes_that_are_no_script_are_exit_2_in_one_line(tmp_path: Path, raw: bytes) -> None:
    script = tmp_path / "raw.jsonl"
    script.write_bytes(raw)
    done = tableside("cash", script)
    assert (done.returncode, done.stdout, len(done.stderr.decode().splitlines())) == (2, b"", 1)
    assert str(script).encode() in done.stderr


RAKED = [line(0, "open", **{**OPEN, "rake_maximum": 5}), *DEALT[2:]]


@pytest.mark.parametrize(
    "told", [RAKED, RAKED[:8], DEALT[:8]], ids=["over, its rake not given", "raked", "in mid-hand"]
)
def test_C_8_a_followed_hand_is_not_forgotten_by_the_next_one(tmp_path: Path, told: list[str]) -> None:
    answer = json.loads(tableside("cash", written(tmp_path, [*told, line(5, "next_hand")]), "--json").stdout)
    assert [(refusal["code"], refusal["detail"]) for refusal in answer["refusals"]] == [("result-missing", {"hand": 1})]
    assert answer["number"] == 1 and answer["hand"] is not None
    page = tableside("cash", written(tmp_path, [*told, line(5, "next_hand")]), "--lang", "en").stdout.decode()
    assert "The result of hand 1 is missing" in page


def test_C_8_a_hand_that_is_followed_no_longer_holds_up_nothing(tmp_path: Path) -> None:
    lines = [*RAKED[:8], line(5, "drop_hand"), line(5, "next_hand")]
    answer = json.loads(tableside("cash", written(tmp_path, lines), "--json").stdout)
    assert (answer["refusals"], answer["number"]) == ([], 2)


def test_C_8_a_refused_action_alone_is_no_followed_hand(tmp_path: Path) -> None:
    lines = [*DEALT[:6], line(3, "act", position=0, action="fold"), line(5, "next_hand")]
    answer = json.loads(tableside("cash", written(tmp_path, lines), "--json").stdout)
    assert [refusal["code"] for refusal in answer["refusals"]] == ["not-your-turn"] and answer["number"] == 2


@pytest.mark.parametrize(
    ("told", "stacks", "rake", "differing"),
    [
        (RAKED, {"000101": 99, "000103": 90, "000105": 111}, 0, {}),
        (RAKED, {"000101": 99, "000103": 90, "000105": 108}, 3, {}),
        (RAKED, {"000101": 197, "000103": 90, "000105": 13}, 0, {"000101": 99}),
        (RAKED, {"000101": 98, "000103": 90, "000105": 112}, 0, {"000101": 99, "000105": 111}),
        (RAKED, {"000101": 99, "000103": 87, "000105": 111}, 3, {"000103": 90}),
        (RAKED, {}, 0, {"000101": 99, "000103": 90}),
        (RAKED[:8], {"000101": 99, "000103": 111, "000105": 90}, 0, {}),
        (RAKED[:8], {"000101": 110, "000105": 90}, 0, {"000101": 99}),
        (RAKED[:8], {"000101": 99, "000105": 80, "000103": 121}, 0, {"000105": 90}),
    ],
)  # fmt: skip
def test_C_8_a_result_that_is_not_what_was_followed_is_told(
    tmp_path: Path, told: list[str], stacks: dict[str, int], rake: int, differing: dict[str, int]
) -> None:
    lines = [*told, line(5, "result", stacks=stacks, rake=rake), line(6, "next_hand")]
    answer = json.loads(tableside("cash", written(tmp_path, lines), "--json").stdout)
    assert (answer["refusals"], answer["number"]) == ([], 2)
    notices = [(notice["code"], notice["detail"]["told"]) for notice in answer["notices"]]
    assert notices == ([("result-differs", differing)] if differing else [])
    page = tableside("cash", written(tmp_path, lines), "--lang", "cs").stdout.decode()
    assert page.count("Upozornění:") == len(differing)
    undone = [*lines[:-1], line(6, "undo")]
    assert json.loads(tableside("cash", written(tmp_path, undone), "--json").stdout)["notices"] == []


@pytest.mark.parametrize("dealt", [[], [line(6, "next_hand")], [line(6, "next_hand"), line(7, "result")]])
def test_C_8_who_has_no_chips_waits_for_no_blind(tmp_path: Path, dealt: list[str]) -> None:
    lines = [*EVENING[:6], line(3, "result", stacks={"000101": 200, "000103": 100, "000105": 0}), *dealt]
    page = tableside("cash", written(tmp_path, lines), "--lang", "en").stdout.decode()
    [told] = [row for row in page.splitlines() if row.split()[:2] == ["5", "000105"]]
    assert "no chips: buys more, or leaves" in told and "waits" not in told
    assert page.count("no chips") == 1
    gone = [*lines, *([line(7, "result")] if dealt else []), line(8, "leave", participant="000105")]
    assert "no chips" not in tableside("cash", written(tmp_path, gone), "--lang", "en").stdout.decode()
