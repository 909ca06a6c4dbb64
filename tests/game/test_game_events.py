"""Events: versions, unknown ones, and ones that cannot follow."""

from __future__ import annotations

import msgspec
import pytest

from appliance.game.events import (
    EVENT_TYPES,
    Busted,
    CommandsUndone,
    Deposited,
    EventError,
    HandStarted,
    Opened,
    Registered,
    UnknownEvent,
    decode_event,
    encode_event,
)
from appliance.game.round import INITIAL, fold


def test_every_type_has_a_version() -> None:
    assert all(name.rpartition("/")[2].isdigit() for name in EVENT_TYPES)
    assert len(set(EVENT_TYPES.values())) == len(EVENT_TYPES)


def test_unknown_fields_are_ignored() -> None:
    assert decode_event("busted/1", b'{"participant":"1","mood":"bad"}') == Busted(participant="1")


def test_unknown_types_are_kept_and_change_nothing(evening) -> None:
    evening.started(3)
    event = decode_event("teleported/9", b'{"to":[1,2]}')
    assert event == UnknownEvent("teleported/9", b'{"to":[1,2]}')
    assert decode_event("busted/2", b"{}") == UnknownEvent("busted/2", b"{}")
    assert fold(evening.ledger, event, evening.at, "x") is evening.ledger


@pytest.mark.parametrize("raw", [b"{}", b"", b'{"participant":5}', b"[]", b'{"participant":"\xff"}', b"[" * 100_000])
def test_data_that_do_not_fit_their_type_are_an_error(raw: bytes) -> None:
    with pytest.raises(EventError, match="busted/1"):
        decode_event("busted/1", raw)


def test_the_announcement_comes_first_and_once(evening) -> None:
    with pytest.raises(EventError, match="nothing is announced"):
        fold(INITIAL, Opened(), 0, "x")
    evening.announce()
    with pytest.raises(EventError, match="the round is announced"):
        fold(evening.ledger, evening.events[0], 0, "x")


@pytest.mark.parametrize(
    "event",
    [
        Busted(participant="999999"),
        Deposited(participant="999999", amount=1, chips=40),
        CommandsUndone(n=99, commands=()),
        HandStarted(table=9, hand=1, button=1, sb=1, bb=2, sb_seat=1, bb_seat=2, level=1, small_blind=1, big_blind=2),
    ],
)
def test_an_event_that_cannot_follow_is_an_error(evening, event) -> None:
    evening.started(3)
    with pytest.raises(EventError):
        fold(evening.ledger, event, evening.at, "x")


def test_an_event_is_written_without_what_is_at_its_default() -> None:
    event = Registered(participant="1", deposit=100, chips=4000)
    kind, raw = encode_event(event)
    assert (kind, msgspec.json.decode(raw)) == (
        "registered/1",
        {"participant": "1", "deposit": 100, "chips": 4000},
    )
    assert decode_event(kind, msgspec.Raw(raw)) == event


def test_events_of_one_command_are_one_step(evening) -> None:
    evening.started(3).bust(1).bust(2)
    assert [kind for kind, *_ in evening.log[-2:]] == ["busted/1", "finished/1"]
    assert len(evening.ledger.done) == len({cause for *_, cause in evening.log}) - 1
