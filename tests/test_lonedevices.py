"""Whom only an old director had dropped is out at the next one; whom only it had let in is asked about (DESIGN §5)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance import kinds
from appliance.engine import Engine, Order
from appliance.intake import Here, order_of
from appliance.journal import Journal
from appliance.link.envelope import CommandMessage, Refusal
from appliance.lone import Lister, standing
from appliance.record import Head
from tests.test_intake import NOW, roster
from tests.test_settling import number

VENUE, KEY = "venue/brno", "ab" * 32
LET_IN = kinds.DeviceAdopted(device="spare-1a2b3c", key=KEY, role="table", table=2, by="000001")
DROPPED = kinds.DeviceDropped(device="spare-1a2b3c", key=KEY, by="000001")


class Two:
    """A director that has followed another one: what is written `alone` only the old one had."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self._ids = engine, iter(range(1000))
        self.lister = Lister(engine, "brno", lambda: NOW)

    def write(self, *notes: kinds.Note) -> None:
        for note in notes:
            assert self.engine.execute([Order(number(next(self._ids)), VENUE, note)])[0].answer.ok

    def alone(self, *notes: kinds.Note) -> None:
        head = self.engine.journal.newest(VENUE)
        assert head is not None
        self.write(*notes)
        self.engine.go_on_from(Head(VENUE, head.epoch, head.seq, head.hash), "takeover")

    @property
    def notes(self) -> dict[str, Any]:
        return dict(self.engine.state(VENUE))

    @property
    def listed(self) -> list[str]:
        return [found.first for found in standing(self.notes)]

    def accept(self, **here: Any) -> str:
        """A commissioner accepts the one entry; "" or why not."""
        [found] = standing(self.notes)
        note = kinds.StrandedAccepted(device="door", command=found.command, anew="", by="000001")
        message = CommandMessage(
            number(next(self._ids)), "door", "000001", "venue", 5000, msgspec.Raw(msgspec.json.encode(note))
        )
        known = Here("brno", {"door"}, roster(), {}, lone={found.command: found})
        order = order_of(message, known._replace(**here), NOW)
        if isinstance(order, Refusal):
            return order.code
        return self.engine.execute([order])[0].answer.code


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Two]:
    with Journal(tmp_path / "journal", device="d1", key=Ed25519PrivateKey.generate()) as journal:
        found = Two(Engine(journal, kinds.KINDS, lambda: NOW))
        found.write(kinds.FloorCall(device="door", table=1, about="floor", open=True, at=NOW))
        yield found


def test_whom_only_the_old_director_had_dropped_is_out_at_once_and_once(two: Two) -> None:
    two.write(LET_IN)
    two.alone(DROPPED)
    assert kinds.adopted(two.notes) == [LET_IN]
    assert two.lister.look() and two.listed == []
    assert kinds.adopted(two.notes) == [] and kinds.dropped(two.notes) == [KEY]
    written = two.engine.journal.newest(VENUE)
    assert not two.lister.look() and not Lister(two.engine, "brno", lambda: NOW).look()
    assert two.engine.journal.newest(VENUE) == written


def test_a_drop_of_before_a_device_was_let_in_again_is_for_people_to_decide(two: Two) -> None:
    two.write(LET_IN)
    two.alone(DROPPED)
    two.write(DROPPED, LET_IN)
    assert not two.lister.look() and two.listed == ["device-dropped/1"]
    assert two.accept() == "" and kinds.adopted(two.notes) == [] and two.listed == []


def test_whom_only_the_old_director_had_let_in_is_asked_about_and_belongs_here_by_a_commissioners_word(
    two: Two,
) -> None:
    two.alone(kinds.FloorCall(device="door", table=1, about="floor", open=False, at=NOW), LET_IN)
    assert not two.lister.look() and two.listed == ["device-adopted/1"]
    two.lister.look()
    assert len(standing(two.notes)) == 1 and kinds.adopted(two.notes) == []
    assert two.accept() == "" and kinds.adopted(two.notes) == [LET_IN] and two.listed == []


def test_of_a_device_let_in_and_dropped_by_the_old_director_nobody_is_asked(two: Two) -> None:
    two.alone(LET_IN, DROPPED)
    two.lister.look()
    assert two.listed == [] and kinds.dropped(two.notes) == [KEY]


def test_who_was_let_in_here_too_is_not_asked_about(two: Two) -> None:
    two.alone(LET_IN)
    two.write(LET_IN)
    assert not two.lister.look() and two.listed == []


def test_a_device_is_not_let_in_anew_under_anothers_name_at_anothers_table_or_once_revoked(two: Two) -> None:
    two.alone(LET_IN)
    two.lister.look()
    revoked = msgspec.structs.replace(roster(), revoked_keys=frozenset({KEY}))
    assert two.accept(roster=revoked) == "device-revoked"
    assert two.accept(adopted={LET_IN.device: "cd" * 32}) == "name-taken"
    assert two.accept(there=lambda: {2: "table-2"}) == "table-taken"
    assert two.listed == ["device-adopted/1"]


def test_what_a_director_has_lost_of_devices_counts_as_what_an_old_one_had(two: Two) -> None:
    two.write(LET_IN)
    head = two.engine.journal.newest(VENUE)
    assert head is not None
    two.write(DROPPED)
    raws = two.engine.journal.read_on(VENUE, head.epoch, head.seq)
    two.engine.go_on_from(Head(VENUE, head.epoch, head.seq, head.hash), "forked")
    assert two.lister.lost(raws) and kinds.adopted(two.notes) == []
    assert not two.lister.lost(raws)
