"""What devices have of a round that its director, whose disk was put back, went on with otherwise: people decide."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance import kinds
from appliance.engine import Engine, Order
from appliance.journal import Journal
from appliance.lone import Lister, standing
from appliance.record import Head
from tests.test_stranded import ROUND, Purse, number, order

VENUE = "brno"


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with Journal(tmp_path / "journal", device="d1", key=Ed25519PrivateKey.generate()) as journal:
        yield Engine(journal, {"round": Purse(), "venue": kinds.KINDS["venue"]}, lambda: 5_000)


def lost(engine: Engine, *orders: Order) -> list[bytes]:
    """The records of commands that the director has carried out and lost again."""
    head = engine.journal.newest(ROUND)
    assert head is not None
    engine.execute(orders)
    raws = engine.journal.read_on(ROUND, head.epoch, head.seq)
    engine.go_on_from(Head(ROUND, head.epoch, head.seq, head.hash), "forked")
    return raws


def listed(engine: Engine) -> list[str]:
    return [found.command for found in standing(engine.state(f"venue/{VENUE}"))]


def test_commands_that_were_lost_are_listed_once_with_their_words(engine: Engine) -> None:
    lister = Lister(engine, VENUE, lambda: 6_000)
    engine.execute([order(1, 5)])
    raws = lost(engine, order(2, 7), order(3, 11))
    lister.lost(raws)
    lister.lost(raws)
    lister.look()
    assert listed(engine) == [number(2), number(3)]
    [first, _] = standing(engine.state(f"venue/{VENUE}"))
    assert (first.actor, first.device, bytes(first.body)) == ("000101", "door", b'{"do":"give","amount":7}')
    assert (first.round, first.first) == ("R1", "changed/1")


def test_what_was_sent_again_or_decided_of_is_not_listed(engine: Engine) -> None:
    lister = Lister(engine, VENUE, lambda: 6_000)
    engine.execute([order(1, 5)])
    raws = lost(engine, order(2, 7), order(3, 11))
    engine.execute([order(2, 7)])
    dropped = kinds.StrandedDropped(device="d1", command=number(3), by="000001")
    engine.execute([Order(number(9), f"venue/{VENUE}", dropped)])
    lister.lost(raws)
    assert listed(engine) == []


def test_what_is_no_command_of_a_person_is_not_listed(engine: Engine) -> None:
    lister = Lister(engine, VENUE, lambda: 6_000)
    engine.execute([order(1, 5)])
    lister.lost(lost(engine, msgspec.structs.replace(order(2, 7), actor="", body=b"")))
    lister.lost([])
    assert listed(engine) == []


def test_what_no_director_of_ours_would_have_written_is_listed_too_and_once(engine: Engine) -> None:
    """Whoever signed the records says who gave a command, and what it was: as much as there is room for is kept."""
    lister = Lister(engine, VENUE, lambda: 6_000)
    engine.execute([order(1, 5)])
    strange = msgspec.structs.replace
    raws = lost(
        engine,
        strange(order(2, 7), actor="x" * 5_000, device="y" * 5_000),
        strange(order(3, 7), body=b'{"do":"%s"}' % (b"z" * 64_500)),
        order(4, 11),
    )  # fmt: skip
    lister.lost(raws)
    written = engine.journal.newest(f"venue/{VENUE}")
    assert listed(engine) == [number(2), number(3), number(4)]
    first, second, third = standing(engine.state(f"venue/{VENUE}"))
    assert (first.actor, bytes(second.body), bytes(third.body)) == ("x" * 64, b"{}", b'{"do":"give","amount":11}')
    lister.lost(raws)
    lister.look()
    assert engine.journal.newest(f"venue/{VENUE}") == written
