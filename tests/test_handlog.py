"""The tracked hands of a journal, written as PHH: who sat where is in them, and they can be played again."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Iterator
from datetime import time
from pathlib import Path
from typing import Any

import msgspec
import pokerkit
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance import record as rec
from appliance.engine import Engine, Order
from appliance.game.hand.phh import read
from appliance.game.hand.phh_replay import replay, scale_of
from appliance.game.ruleset import PROFILES
from appliance.game.tablestream.commands import decode_table_command
from appliance.journal import Journal
from appliance.kinds import KINDS

RULES = PROFILES["cpl-2017"]


class Table:
    """A journal with one table's stream."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.engine = Engine(journal, KINDS, lambda: 1_800_000_000_000)
        self.count = 0

    def do(self, do: str, hand: int = 1, **fields: Any) -> None:
        self.count += 1
        command = decode_table_command({"do": do, "round": "R1", "hand": hand, **fields})
        order = Order(rec.uuid7(self.count, bytes(10)), "table/brno-3", command)
        [told] = self.engine.execute([order])
        assert told.answer.ok, told.answer

    def begin(self, *stacks: int, hand: int = 1, **fields: Any) -> None:
        players = [{"participant": f"{n:06d}", "seat": 2 * n, "stack": stack} for n, stack in enumerate(stacks, 1)]
        numbers = {"small_blind": 50, "big_blind": 100, "button": 2 * len(stacks), **fields}
        rules = msgspec.to_builtins(RULES)
        self.do("begin_hand", hand, venue="brno", table=3, players=players, rules=rules, **numbers)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    key = Ed25519PrivateKey.from_private_bytes(bytes(32))
    with Journal(tmp_path / "journal", device="table-3", key=key) as journal:
        yield Table(journal)


def export(table: Table, tmp_path: Path, *more: str) -> subprocess.CompletedProcess[str]:
    table.journal.sign_heads()
    out = tmp_path / "hands.phhs"
    return subprocess.run(
        [sys.executable, "-m", "appliance", "journal", "hands", tmp_path / "journal", "-o", out, *more],
        capture_output=True,
        text=True,
    )


def exported(table: Table, tmp_path: Path) -> tuple[dict[str, Any], str]:
    done = export(table, tmp_path)
    assert done.returncode == 0, done.stderr
    out = tmp_path / "hands.phhs"
    text = out.read_text(encoding="utf-8")
    return tomllib.loads(text), done.stderr


def test_hands_are_written_with_venue_table_seats_and_registration_numbers(table: Table, tmp_path: Path) -> None:
    table.begin(1000, 1000, 1000)
    table.do("act", position=2, action="fold")
    table.do("act", position=0, action="fold")
    table.begin(950, 1050, hand=2)
    table.do("act", 2, position=1, action="fold")
    document, warnings = exported(table, tmp_path)
    assert not warnings
    first, second = document["1"], document["2"]
    assert (first["venue"], first["event"], first["table"], first["hand"]) == ("brno", "R1", 3, 1)
    assert first["seats"] == [2, 4, 6] and first["players"] == ["000001", "000002", "000003"]
    assert first["blinds_or_straddles"] == [50, 100, 0] and second["blinds_or_straddles"] == [50, 100]
    assert first["finishing_stacks"] == [950, 1050, 1000] and second["finishing_stacks"] == [1000, 1000]
    assert (first["year"], first["month"], first["day"], first["time"]) == (2027, 1, 15, time(8, 0))


def test_a_hand_written_so_is_played_again_to_the_same_stacks(table: Table, tmp_path: Path) -> None:
    table.begin(1000, 2000, 5000, ante=25, ante_by="bb", unit=25)
    table.do("deal_hole", position=2, cards="AsAd")
    table.do("deal_hole", position=0, cards="2c3d")
    table.do("deal_hole", position=1, cards="2h3s")
    table.do("act", position=2, action="raise", to=400)
    table.do("act", position=0, action="all-in")
    table.do("kill", position=1)
    table.do("act", position=2, action="call")
    for cards in ("AhKcKd", "Qs", "Jh"):
        table.do("deal_board", cards=cards)
    if table.engine.state("table/brno-3").hands.current is not None:
        table.do("settle")
    exported(table, tmp_path)
    hands = read((tmp_path / "hands.phhs").read_text(encoding="utf-8"))
    [again] = [replay(hand, RULES, scale_of(hands)) for hand in hands]
    assert again.problem is None and again.hand is not None
    assert again.hand.stacks == tuple(table.engine.state("table/brno-3").hands.stacks.values()) == (0, 1875, 6125)


def test_what_is_exported_is_read_by_others(table: Table, tmp_path: Path) -> None:
    table.begin(1000, 2000, 5000, ante=25, ante_by="bb", unit=25)
    for position, cards in ((0, "2c3d"), (1, "KhKs"), (2, "AsAd")):
        table.do("deal_hole", position=position, cards=cards)
    table.do("act", position=2, action="raise", to=400)
    table.do("act", position=0, action="all-in")
    table.do("act", position=1, action="fold")
    table.do("act", position=2, action="call")
    for cards in ("AhKcKd", "Qs", "Jh"):
        table.do("deal_board", cards=cards)
    if table.engine.state("table/brno-3").hands.current is not None:
        table.do("settle")
    table.begin(1875, 6125, hand=2)
    table.do("act", 2, position=1, action="raise", to=300)
    table.do("act", 2, position=0, action="fold")
    document, _ = exported(table, tmp_path)
    text = (tmp_path / "hands.phhs").read_text(encoding="utf-8")
    for history, written in zip(pokerkit.HandHistory.loads_all(text), document.values(), strict=True):
        *_, state = history
        assert list(state.stacks) == written["finishing_stacks"]


def test_counted_stacks_stand_in_the_hand_and_undone_actions_do_not(table: Table, tmp_path: Path) -> None:
    table.begin(1000, 1000, hand=7, small_blind=None)
    table.do("act", 7, position=1, action="raise", to=300)
    table.do("undo_action", 7)
    table.do("act", 7, position=1, action="call")
    table.do("end_hand", 7, stacks={"000001": 1100, "000002": 900})
    document, _ = exported(table, tmp_path)
    hand = document["1"]
    assert hand["finishing_stacks"] == [1100, 900] and "winnings" not in hand
    assert hand["actions"] == ["d dh p1 ????", "d dh p2 ????", "p2 cc"]
    assert hand["blinds_or_straddles"] == [0, 100]


def test_a_hand_that_this_version_cannot_play_is_named_and_left_out(table: Table, tmp_path: Path) -> None:
    table.begin(1000, 1000)
    head = table.journal.newest("table/brno-3")
    assert head is not None
    with table.journal.begin() as transaction:
        strange = msgspec.Raw(b'{"facts":[{"fact":"folded","position":0}]}')
        transaction.append(
            "table/brno-3", head.epoch, [("hand-played/1", strange, rec.uuid7(99, bytes(10)))], 1_800_000_000_001
        )
        transaction.commit()
    table.engine.catch_up("table/brno-3")
    table.do("end_hand", stacks={"000001": 1000, "000002": 1000})
    table.begin(1000, 1000, hand=2)
    table.do("act", 2, position=1, action="call")
    table.do("drop_hand", 2)
    document, warnings = exported(table, tmp_path)
    assert [hand["hand"] for hand in document.values()] == [2]
    assert "table/brno-3 R1 1" in warnings


def test_hands_of_which_nobody_keyed_anything_are_left_out_and_counted(table: Table, tmp_path: Path) -> None:
    table.begin(1000, 1000)
    table.begin(1000, 1000, hand=2)
    table.do("act", 2, position=1, action="fold")
    document, warnings = exported(table, tmp_path)
    assert [hand["hand"] for hand in document.values()] == [2]
    assert "nobody keyed in anything: 1" in warnings


def test_an_export_of_nothing_says_so_and_writes_no_file(table: Table, tmp_path: Path) -> None:
    table.begin(1000, 1000)
    done = export(table, tmp_path)
    assert (done.returncode, (tmp_path / "hands.phhs").exists()) == (0, False)
    assert "nothing is written" in done.stderr


def test_a_file_that_is_there_is_replaced_by_force_only(table: Table, tmp_path: Path) -> None:
    table.begin(1000, 1000)
    table.do("act", position=1, action="fold")
    out = tmp_path / "hands.phhs"
    out.write_text("precious")
    done = export(table, tmp_path)
    assert (done.returncode, out.read_text()) == (2, "precious")
    assert "--force" in done.stderr
    assert export(table, tmp_path, "--force").returncode == 0
    assert tomllib.loads(out.read_text())["1"]["hand"] == 1


def test_a_hand_that_was_followed_no_further_is_marked_as_such(table: Table, tmp_path: Path) -> None:
    table.begin(1000, 1000, 1000)
    table.do("act", position=2, action="fold")
    table.do("drop_hand")
    table.begin(1000, 1000, hand=2)
    table.do("act", 2, position=1, action="call")
    table.begin(1000, 1000, hand=3)  # the second one is given up by it
    table.do("act", 3, position=1, action="fold")
    document, _ = exported(table, tmp_path)
    assert [(hand["hand"], hand.get("_dropped")) for hand in document.values()] == [(1, True), (2, True), (3, None)]
    text = (tmp_path / "hands.phhs").read_text(encoding="utf-8")
    assert len(list(pokerkit.HandHistory.loads_all(text))) == len(read(text)) == 3
    assert all(replay(hand, RULES, scale_of(read(text))).problem is None for hand in read(text))
