"""Events: versions, unknown ones, and ones that cannot follow."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from appliance.game.codec import EventError, UnknownEvent
from appliance.game.events import (
    EVENT_TYPES,
    Busted,
    ClockSet,
    CommandsRedone,
    CommandsUndone,
    Deposited,
    HandStarted,
    Opened,
    Registered,
    decode_event,
    encode_event,
)
from appliance.game.round import INITIAL, fold, set_aside
from appliance.game.state import ClockState


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
    assert fold(evening.ledger, event, evening.at, "x").round is evening.round


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
        CommandsUndone(n=99, commands=(None,) * 99),
        CommandsUndone(n=-1, commands=()),
        CommandsUndone(n=0, commands=()),
        CommandsUndone(n=1, commands=()),
        CommandsUndone(n=1, commands=("c1", "c2")),
        CommandsRedone(n=-1, commands=()),
        ClockSet(by="pause", clock=ClockState(99, True, ends_at=1)),
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
    assert evening.ledger.undoable == len({cause for *_, cause in evening.log}) - 1


ABSURD = [-(10**15), -1, 10**16, 2**62, 10**30, "x" * 600, [], {}, "<script>"]


def with_value(data: Any, place: tuple[Any, ...], value: Any) -> Any:
    if not place:
        return value
    copy = dict(data) if isinstance(data, dict) else list(data)
    copy[place[0]] = with_value(data[place[0]], place[1:], value)
    return copy


@pytest.mark.parametrize(
    ("kind", "place"),
    [
        ("announced/1", ("starts_at",)),
        ("announced/1", ("deposit",)),
        ("announced/1", ("structure",)),
        ("announced/1", ("structure", 0, "length_ms")),
        ("announced/1", ("shares", 0)),
        ("announced/1", ("seats_per_table",)),
        ("announced/1", ("tables", 0)),
        ("announced/1", ("rules", "late_registration")),
        ("registered/1", ("participant",)),
        ("registered/1", ("deposit",)),
        ("registered/1", ("chips",)),
        ("started/1", ("seats", "000001", 0)),
        ("started/1", ("clock", "ends_at")),
        ("started/1", ("buttons", "1")),
        ("busted/1", ("participant",)),
        ("finished/1", ("results", 0, "prize")),
        ("finished/1", ("stacks", "000003")),
        ("undone/1", ("n",)),
    ],
)
def test_what_nobody_could_have_asked_for_is_no_event(evening, kind: str, place: tuple[Any, ...]) -> None:
    evening.started(3).bust(1).do("undo").bust(1).bust(2)
    data = msgspec.json.decode(next(raw for name, raw, *_ in evening.log if name == kind))
    for value in ABSURD:
        with pytest.raises(EventError, match=kind):
            decode_event(kind, msgspec.json.encode(with_value(data, place, value)))


def test_a_time_that_no_calendar_has_is_no_moved_start() -> None:
    for starts_at in (-1, 10**15, 10**30):
        with pytest.raises(EventError, match="rescheduled/1"):
            decode_event("rescheduled/1", msgspec.json.encode({"starts_at": 0}).replace(b"0", str(starts_at).encode()))


@pytest.mark.parametrize("at_ms", [-1, 10**15, 10**30])
def test_an_event_at_no_possible_time_is_not_folded(evening, at_ms: int) -> None:
    evening.announce()
    with pytest.raises(EventError, match="no time"):
        fold(evening.ledger, Opened(), at_ms, "x")


def test_what_is_set_aside_can_be_undone_and_given_again(evening) -> None:
    evening.started(3)
    good = evening.ledger
    doubtful = set_aside(good, evening.at, "bad")
    assert doubtful.in_doubt
    assert doubtful.round == good.round
    healed = fold(doubtful, CommandsUndone(n=1, commands=("bad",)), evening.at, "u")
    assert not healed.in_doubt
    assert healed.round == good.round
    assert fold(healed, CommandsRedone(n=1, commands=("bad",)), evening.at, "r").in_doubt
    assert set_aside(INITIAL, 0, "bad") is INITIAL
