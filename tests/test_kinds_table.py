"""A table's stream through the engine: the kiosk writes it, the director's copy tells the same table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance import record as rec
from appliance.engine import Answer, Engine, Order
from appliance.game.cash.commands import decode_cash_command
from appliance.game.ruleset import PROFILES
from appliance.game.tablestream.commands import decode_table_command
from appliance.game.tablestream.state import TableHands
from appliance.journal import Journal
from appliance.kinds import KINDS, HandOpened, TableState

STREAM = "table/brno-1"
PLAYERS = [{"participant": f"{n:06d}", "seat": n, "stack": 1000} for n in (1, 2, 3)]
BEGIN = {
    "do": "begin_hand", "venue": "brno", "table": 1, "button": 3, "players": PLAYERS,
    "small_blind": 50, "big_blind": 100, "rules": msgspec.to_builtins(PROFILES["cpl-2017"]),
}  # fmt: skip
RULING = {
    "do": "make_ruling", "ruling": "I-13", "decision": "Bank se dělí.", "reason": "Dealer smíchal karty.",
    "rules": msgspec.to_builtins(PROFILES["cpl-2017"]),
}  # fmt: skip


class Kiosk:
    """A journal with the table's stream, its writer's."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.engine = Engine(journal, KINDS, lambda: 5_000)
        self.count = 0

    def give(self, command: Any) -> Answer:
        self.count += 1
        [told] = self.engine.execute([Order(rec.uuid7(self.count, bytes(10)), STREAM, command, "kiosk", "table-1")])
        return told.answer

    def do(self, do: str, **fields: Any) -> Answer:
        given = {"round": "R1", "hand": 1, "do": do, **fields}
        return self.give(decode_table_command(given))

    @property
    def hands(self) -> TableHands:
        state: TableState = self.engine.state(STREAM)
        return state.hands

    def told(self) -> bytes:
        return msgspec.json.encode(self.hands)

    def copied_to(self, journal: Journal) -> Engine:
        head = self.journal.newest(STREAM)
        assert head is not None
        journal.absorb(STREAM, head.epoch, self.journal.read(STREAM, head.epoch))
        return Engine(journal, KINDS, lambda: 5_000)


@pytest.fixture
def kiosk(tmp_path: Path) -> Iterator[Kiosk]:
    with Journal(tmp_path / "kiosk", device="table-1", key=Ed25519PrivateKey.from_private_bytes(bytes(32))) as journal:
        yield Kiosk(journal)


@pytest.fixture
def director(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "director", device="floor", key=Ed25519PrivateKey.from_private_bytes(b"1" * 32)) as journal:
        yield journal


def played(kiosk: Kiosk) -> Kiosk:
    assert kiosk.give(HandOpened(round="R1", table=1, hand=1)).ok
    assert kiosk.do(**BEGIN).ok
    assert kiosk.do("act", position=2, action="fold").ok
    assert kiosk.do(**RULING).ok
    return kiosk


def test_a_tracked_hand_is_the_same_table_in_the_directors_copy(kiosk: Kiosk, director: Journal) -> None:
    played(kiosk).do("act", position=0, action="raise", to=300)
    copy = kiosk.copied_to(director).state(STREAM)
    assert msgspec.json.encode(copy.hands) == kiosk.told()
    assert copy.hands.hand == kiosk.hands.hand and copy.hands.hand.bets == (300, 100, 0)
    assert copy.notes == {"hand-opened/1": HandOpened(round="R1", table=1, hand=1)}


def test_a_tracked_hand_goes_on_after_a_restart(kiosk: Kiosk) -> None:
    before = played(kiosk).told()
    again = Kiosk(kiosk.journal)
    again.count = kiosk.count
    assert again.told() == before
    assert again.do("act", position=0, action="fold").ok
    assert again.hands.stacks == {"000001": 950, "000002": 1050, "000003": 1000}


def test_a_table_that_tracks_the_next_hand_only_has_the_same_stream(kiosk: Kiosk) -> None:
    kiosk.give(HandOpened(round="R1", table=1, hand=1))
    kiosk.give(HandOpened(round="R1", table=1, hand=2))
    assert kiosk.engine.state(STREAM).notes["hand-opened/1"].hand == 2
    assert kiosk.hands.current is None and kiosk.do(**RULING).ok and len(kiosk.hands.rulings) == 1


def test_a_refused_action_leaves_no_record(kiosk: Kiosk) -> None:
    played(kiosk)
    seq = kiosk.journal.newest(STREAM).seq  # type: ignore[union-attr]
    answer = kiosk.do("act", position=0, action="check")
    assert (answer.ok, answer.code) == (False, "cannot-check")
    assert kiosk.journal.newest(STREAM).seq == seq  # type: ignore[union-attr]


def test_I_13_a_ruling_is_a_record_of_the_table(kiosk: Kiosk) -> None:
    played(kiosk)
    head = kiosk.journal.newest(STREAM)
    assert head is not None
    record = rec.decode(kiosk.journal.read_on(STREAM, head.epoch)[-1])
    assert record.type == "ruling-made/1"
    assert msgspec.json.decode(record.data) == {
        "actor": "kiosk",
        "device": "table-1",
        "ruling": "I-13",
        "facts": {},
        "outcome": "commissioner-decides",
        "decision": "Bank se dělí.",
        "reason": "Dealer smíchal karty.",
        "hand": 1,
        "round": "R1",
    }


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("hand-played/1", {"facts": [{"fact": "folded", "position": "nobody"}]}),
        ("hand-ended/1", {"hand": 1, "stacks": {"000001": 1}}),
        ("hand-begun/1", {}),
        ("from-the-future/9", {"x": 1}),
    ],
)
def test_what_cannot_be_folded_leaves_the_hand_in_doubt_until_it_is_undone(
    kiosk: Kiosk, kind: str, data: dict[str, Any]
) -> None:
    before = played(kiosk).told()
    strange = rec.uuid7(99, bytes(10))
    with kiosk.journal.begin() as transaction:
        epoch = kiosk.journal.newest(STREAM).epoch  # type: ignore[union-attr]
        raw = msgspec.Raw(msgspec.json.encode(data))
        transaction.append(STREAM, epoch, [(kind, raw, strange)], 6_000)
        transaction.commit()
    kiosk.engine.catch_up(STREAM)
    assert kiosk.do("act", position=0, action="fold").code == "hand-in-doubt"
    assert kiosk.do("undo_action", of=strange).ok
    assert kiosk.told() == before


def test_a_cash_session_and_a_tracked_hand_do_not_touch_each_other(kiosk: Kiosk) -> None:
    before = played(kiosk).told()
    opening = {
        "do": "open", "session": "friday", "small_blind": 1, "big_blind": 2, "seats": 9, "buy_in_minimum": 40,
        "buy_in_maximum": 200,
    }  # fmt: skip
    assert kiosk.give(decode_cash_command(opening)).ok
    assert kiosk.told() == before
    assert kiosk.do("act", position=0, action="fold").ok
    assert kiosk.engine.state(STREAM).cash.table.id == "friday"
