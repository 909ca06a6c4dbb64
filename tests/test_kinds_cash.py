"""A cash table whose hands are tracked: session and hands in one stream, exported as PHH (C-8, H)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pokerkit
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance import record as rec
from appliance.engine import Answer, Engine, Order
from appliance.game.cash.commands import decode_cash_command
from appliance.game.cash.playing import begin_hand, tracked
from appliance.game.cash.state import CashTable
from appliance.game.hand.phh import Unreadable, read
from appliance.game.tablestream.commands import decode_table_command
from appliance.game.tablestream.state import TableHands
from appliance.handlog import hands_of
from appliance.journal import Journal
from appliance.kinds import KINDS

STREAM = "table/brno-2"


class CashKiosk:
    """A journal with a cash table's stream."""

    def __init__(self, journal: Journal) -> None:
        self.journal, self.count = journal, 0
        self.engine = Engine(journal, KINDS, lambda: 5_000 + self.count)

    def give(self, command: Any) -> Answer:
        self.count += 1
        [told] = self.engine.execute([Order(rec.uuid7(self.count, bytes(10)), STREAM, command, "kiosk", "table-2")])
        return told.answer

    def cash(self, do: str, **fields: Any) -> None:
        answer = self.give(decode_cash_command({"do": do, "session": "friday", **fields}))
        assert answer.ok, answer

    def act(self, position: int, action: str, **fields: Any) -> None:
        given = {"do": "act", "round": "friday", "hand": self.table.number, "position": position, "action": action}
        answer = self.give(decode_table_command({**given, **fields}))
        assert answer.ok, answer

    @property
    def table(self) -> CashTable:
        found = self.engine.state(STREAM).cash.table
        assert found is not None
        return found

    @property
    def hands(self) -> TableHands:
        found: TableHands = self.engine.state(STREAM).hands
        return found


@pytest.fixture
def kiosk(tmp_path: Path) -> Iterator[CashKiosk]:
    with Journal(tmp_path / "kiosk", device="table-2", key=Ed25519PrivateKey.from_private_bytes(bytes(32))) as journal:
        found = CashKiosk(journal)
        stakes = {"small_blind": 1, "big_blind": 2, "seats": 6, "buy_in_minimum": 40, "buy_in_maximum": 200}
        found.cash("open", **stakes, seed=5)
        for n in (1, 3, 5, 6):
            found.cash("sit", participant=f"00010{n}", seat=n, chips=100)
        found.cash("next_hand", button=6)
        found.cash("result")
        yield found


def exported(kiosk: CashKiosk) -> list[str]:
    return [hand.text for hand in hands_of(kiosk.journal) if hand.text is not None]


def test_C_5_C_6_C_8_a_tracked_hand_with_a_bought_button_and_a_straddle_is_exported(kiosk: CashKiosk) -> None:
    kiosk.cash("leave", participant="000106")
    kiosk.cash("sit", participant="000102", seat=2, chips=100, entry="button")
    kiosk.cash("next_hand", straddles=["000103"])
    assert kiosk.table.button == 1
    assert kiosk.give(tracked(kiosk.table, "brno", 2)).ok
    assert kiosk.hands.hand == begin_hand(kiosk.table)
    assert kiosk.hands.hand.bets == (2, 4, 0, 0) and kiosk.hands.hand.pots()[0].amount == 1
    for position in (2, 3, 0):
        kiosk.act(position, "fold")
    last = kiosk.hands.last
    assert last is not None and last.ended is not None
    assert last.ended.stacks == {"000102": 97, "000103": 103, "000105": 100, "000101": 100}
    kiosk.cash("result", stacks=last.ended.stacks)
    [text] = exported(kiosk)
    assert "blinds_or_straddles = [2, 4, 0, 0]" in text and "antes = [1, 0, 0, 0]" in text
    assert "event = 'friday'" in text.replace('"', "'") and "'000102'" in text.replace('"', "'")


def test_C_2_C_8_a_newcomers_post_is_exported_as_one_and_read_again(kiosk: CashKiosk) -> None:
    kiosk.cash("next_hand")
    kiosk.cash("result")
    kiosk.cash("sit", participant="000102", seat=2, chips=100, entry="post")
    kiosk.cash("next_hand")
    begin = tracked(kiosk.table, "brno", 2)
    assert begin.live == (1, 2, 0, -2, 0) and kiosk.give(begin).ok
    assert kiosk.hands.hand == begin_hand(kiosk.table)
    for position in (2, 3, 4, 0):
        kiosk.act(position, "fold")
    [text] = exported(kiosk)
    [again] = read(text)
    assert not isinstance(again, Unreadable)
    assert again.blinds == (1, 2, 0, -2, 0) and again.finishing == (99, 103, 100, 98, 100)


def test_C_4_C_8_a_dead_blind_belongs_to_the_pot_for_other_readers_too(kiosk: CashKiosk) -> None:
    """Trimmed antes would give the dead chip back to the one who owed it."""
    kiosk.cash("absent", participant="000105")
    for _ in range(2):
        kiosk.cash("next_hand")
        kiosk.cash("result")
    kiosk.cash("present", participant="000105")
    kiosk.cash("enter", participant="000105", entry="post")
    kiosk.cash("next_hand")
    begin = tracked(kiosk.table, "brno", 2)
    assert sorted(begin.dead) == [0, 0, 0, 1] and min(begin.live) == -2 and kiosk.give(begin).ok
    big = begin.live.index(2)
    for position in (n % 4 for n in range(big + 1, big + 4)):
        kiosk.act(position, "fold")
    [text] = exported(kiosk)
    assert "ante_trimming_status = false" in text
    other = pokerkit.HandHistory.loads(text)
    *_, end = other
    [ours] = read(text)
    assert not isinstance(ours, Unreadable) and tuple(end.stacks) == ours.finishing
    assert ours.finishing[big] == 100 + sum(abs(live) for live in begin.live) - 2 + 1


@pytest.mark.parametrize("wrong", [{"live": [1]}, {"live": [0, 0, 0, 0]}, {"dead": [1, 2]}])
def test_posts_that_fit_no_hand_are_malformed(kiosk: CashKiosk, wrong: dict[str, Any]) -> None:
    kiosk.cash("next_hand")
    begin = msgspec.to_builtins(tracked(kiosk.table, "brno", 2))
    with pytest.raises(ValueError, match=next(iter(wrong))):
        decode_table_command({**begin, **wrong})
