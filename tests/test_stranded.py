"""What only an old director had: kept, never folded, listed by command, decided of once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance import forks
from appliance import record as rec
from appliance.engine import Engine, Order
from appliance.journal import Journal
from appliance.stranded import open_items

ROUND = "round/R1"


class Purse:
    """Every command makes two events, so that what belongs together can be told."""

    def initial(self) -> int:
        return 0

    def decide(self, state: int, command: int, at: int, command_id: str) -> list[tuple[str, bytes]]:
        return [("changed/1", msgspec.json.encode({"by": command})), ("told/1", b"{}")]

    def fold(self, state: int, record: rec.Record) -> Any:
        return state + msgspec.json.decode(record.data)["by"] if record.type == "changed/1" else state


def number(n: int) -> str:
    return rec.uuid7(n, bytes(10))


def order(n: int, amount: int) -> Order:
    return Order(number(n), ROUND, amount, "000101", "door", b'{"do":"give","amount":%d}' % amount)


class Pi:
    """A device with a journal and an engine over it."""

    def __init__(self, folder: Path, name: str) -> None:
        key = Ed25519PrivateKey.generate()
        self.journal = Journal(folder / name, device=name, key=key)
        self.engine = Engine(self.journal, {"round": Purse()}, lambda: 5_000)

    def give(self, *orders: Order) -> None:
        assert all(told.answer.ok for told in self.engine.execute(orders))

    def copy_from(self, other: Pi, upto: int = 1 << 40) -> list[rec.Record]:
        """Take what the other one has, as far as it was sent; returns what was folded."""
        for epoch in other.journal.epochs(ROUND):
            here = self.journal.head(ROUND, epoch)
            rows = other.journal.read(ROUND, epoch, here.seq if here else 0)[: upto - (here.seq if here else 0)]
            if rows:
                self.journal.absorb(ROUND, epoch, rows)
        return self.engine.catch_up(ROUND)


@pytest.fixture
def pis(tmp_path: Path) -> Iterator[tuple[Pi, Pi]]:
    """An old director that answered three commands, and its heir, whose copy has the first only."""
    old, heir = Pi(tmp_path, "d1"), Pi(tmp_path, "k1")
    old.give(order(1, 5))
    heir.copy_from(old)
    old.give(order(2, 7), order(3, 11))
    yield old, heir
    old.journal.close()
    heir.journal.close()


def test_the_arrival_of_what_is_stranded_changes_no_state(pis: tuple[Pi, Pi]) -> None:
    old, heir = pis
    heir.give(order(4, 100))
    assert heir.copy_from(old) == []
    assert heir.engine.state(ROUND) == 105
    again = Engine(heir.journal, {"round": Purse()}, lambda: 5_000)
    assert again.state(ROUND) == 105 and not again.carried_out(ROUND, number(2))


def test_what_is_stranded_is_listed_by_command_with_who_gave_it_and_what_it_was(pis: tuple[Pi, Pi]) -> None:
    old, heir = pis
    heir.give(order(4, 100))
    heir.copy_from(old)
    first, second = open_items(heir.journal)
    assert (first.command, first.actor, first.device, first.body) == (
        number(2), "000101", "door", b'{"do":"give","amount":7}',
    )  # fmt: skip
    assert (first.first, first.last, second.first, second.last) == (4, 5, 6, 7)
    assert [event.type for event in first.events] == ["changed/1", "told/1"]
    assert (first.stream, first.epoch, first.at) == (ROUND, old.journal.epochs(ROUND)[0], 5_000)


def test_what_was_decided_of_is_not_asked_again(pis: tuple[Pi, Pi]) -> None:
    old, heir = pis
    heir.give(order(4, 100))
    heir.copy_from(old)
    assert [item.command for item in open_items(heir.journal, {number(2)})] == [number(3)]


def test_what_its_device_sent_again_meanwhile_is_not_asked_for(pis: tuple[Pi, Pi]) -> None:
    old, heir = pis
    heir.give(order(2, 7))
    heir.copy_from(old)
    assert [item.command for item in open_items(heir.journal)] == [number(3)]


def test_the_old_director_lists_the_same_once_it_follows(pis: tuple[Pi, Pi]) -> None:
    old, heir = pis
    heir.give(order(4, 100))
    old.copy_from(heir)
    heir.copy_from(old)
    assert old.engine.state(ROUND) == 105
    assert open_items(old.journal) == open_items(heir.journal) != []
    assert forks.stranded_heads(old.journal) == forks.stranded_heads(heir.journal)


def test_an_epoch_that_nobody_continues_is_stranded_as_a_whole(pis: tuple[Pi, Pi], tmp_path: Path) -> None:
    old, heir = pis
    third = Pi(tmp_path, "k2")
    third.copy_from(old, upto=3)
    third.give(order(5, 1))
    heir.give(order(4, 100))
    heir.engine.go_on_from(heir.journal.newest(ROUND), "again")  # so that its epoch is the later one
    third.copy_from(heir)
    assert third.engine.state(ROUND) == 105
    assert [item.command for item in open_items(third.journal)] == [number(5)]
    third.journal.close()


def test_without_a_fork_nothing_is_stranded(pis: tuple[Pi, Pi]) -> None:
    old, heir = pis
    heir.copy_from(old)
    heir.give(order(4, 100))
    assert open_items(heir.journal) == [] == forks.stranded_heads(heir.journal)


def test_a_disk_that_was_rolled_back_and_written_on_goes_on_from_what_all_have(pis: tuple[Pi, Pi]) -> None:
    old, _ = pis
    epoch = old.journal.epochs(ROUND)[0]
    rows = old.journal.read(ROUND, epoch, 2, 1)
    agreed = rec.Head(ROUND, epoch, 3, rec.digest(rows[0][0]))
    opened = old.engine.go_on_from(agreed, "others have other records")
    assert opened != epoch and old.engine.state(ROUND) == 5
    assert [item.command for item in open_items(old.journal)] == [number(2), number(3)]
    old.give(order(2, 7))
    assert old.engine.state(ROUND) == 12


def test_nobody_parts_a_stream_where_it_has_gone_on_already(pis: tuple[Pi, Pi]) -> None:
    old, _ = pis
    epoch = old.journal.epochs(ROUND)[0]
    [(raw, _)] = old.journal.read(ROUND, epoch, 2, 1)
    opened = old.engine.go_on_from(rec.Head(ROUND, epoch, 3, rec.digest(raw)), "fork")
    assert old.engine.go_on_from(rec.Head(ROUND, epoch, 3, rec.digest(raw)), "fork") == opened
    assert old.engine.go_on_from(rec.Head(ROUND, opened, 1, "00" * 32), "no such record") == opened


def test_records_of_no_command_are_listed_one_by_one(pis: tuple[Pi, Pi]) -> None:
    old, heir = pis
    epoch = old.journal.epochs(ROUND)[0]
    with old.journal.begin() as transaction:
        transaction.append(ROUND, epoch, [("changed/1", msgspec.Raw(b'{"by":1}'), None)] * 2, 6_000)
        transaction.commit()
    heir.give(order(4, 100))
    heir.copy_from(old)
    assert [item.command for item in open_items(heir.journal)][2:] == [f"{epoch}:8", f"{epoch}:9"]
    assert [item.body for item in open_items(heir.journal)][2:] == [b"", b""]
