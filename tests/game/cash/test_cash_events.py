"""Events of a cash table: versions, JSON, and what cannot follow."""

from __future__ import annotations

import msgspec
import pytest

from appliance.game.cash.commands import decode_cash_command
from appliance.game.cash.events import (
    CASH_EVENT_TYPES,
    AddedOn,
    Called,
    Closed,
    HandEnded,
    HandStarted,
    Joined,
    Left,
    ListLeft,
    RabbitHunted,
    SatDown,
    StacksCounted,
    decode_cash_event,
    encode_cash_event,
)
from appliance.game.cash.state import Post, Standing
from appliance.game.cash.table import EMPTY, can, decide, fold, set_aside
from appliance.game.codec import EventError, UnknownEvent
from appliance.game.events import CommandsUndone
from appliance.game.reading import CommandError

STAKES = {"small_blind": 1, "big_blind": 2, "seats": 9, "buy_in_minimum": 40, "buy_in_maximum": 200}


def test_every_type_has_a_version() -> None:
    assert all(name.rpartition("/")[2].isdigit() for name in CASH_EVENT_TYPES)
    assert len(set(CASH_EVENT_TYPES.values())) == len(CASH_EVENT_TYPES)


def everything(session):
    """A session in which every kind of event happens."""
    session.playing(1, 3, 5, 7, button=7, seats=8).sit(2, entry="button").sit(8)
    session.do("enter", participant="8", entry="post").do("next_hand", straddles=["3"])
    session.do("rabbit", participant="1", active=["1"], consents=[], tip=1).do("result", stacks={"1": 100, "2": 99})
    session.do("add_on", participant="1", chips=9).do("stacks", stacks={"1": 110, "2": 98})
    session.do("absent", participant="3").do("present", participant="3").do("move", participant="8", seat=6)
    session.do("join", participant="9").do("join", participant="10").do("join", participant="11").do("call")
    session.do("decline", participant="9").do("unjoin", participant="11").do("leave", participant="5")
    return session.do("undo").do("redo").do("close")


def test_every_event_goes_through_its_json(session) -> None:
    everything(session)
    assert {kind for kind, *_ in session.log} == set(CASH_EVENT_TYPES)
    for (kind, raw, *_), event in zip(session.log, session.events, strict=True):
        assert encode_cash_event(event) == (kind, raw)
        assert decode_cash_event(kind, raw) == event


def test_a_replay_gives_the_same_state(session) -> None:
    everything(session)
    replayed = session.replayed()
    assert replayed.table == session.table
    assert (replayed.undoable, replayed.redoable) == (session.ledger.undoable, session.ledger.redoable)


def started(**changes):
    fields = {"hand": 2, "button": 1, "sb": 2, "bb": 3, "sb_seat": 2, "bb_seat": 3, "order": (2, 3, 1), "posts": ()}
    return HandStarted(**{**fields, **changes})


@pytest.mark.parametrize(
    "event",
    [
        Joined(participant="1"),
        Called(participant="9"),
        ListLeft(participant="9", why="left"),
        SatDown(participant="1", seat=9, chips=100, standing=Standing.NEW),
        SatDown(participant="9", seat=1, chips=100, standing=Standing.NEW),
        SatDown(participant="9", seat=99, chips=100, standing=Standing.NEW),
        AddedOn(participant="9", chips=100),
        Left(participant="1", chips=99),
        HandEnded(hand=1, stacks={}),
        StacksCounted(stacks={"1": 101}),
        StacksCounted(stacks={"9": 0}),
        RabbitHunted(participant="1", tip=101),
        Closed(stacks={"1": 100}),
        CommandsUndone(n=99, commands=("x",) * 99),
        CommandsUndone(n=2, commands=("x",)),
        started(hand=3),
        started(order=(2, 3, 3)),
        started(order=(2, 3, 4)),
        started(bb=4),
        started(posts=(Post(2, "small", 1), Post(2, "dead", 0, 1))),
        started(posts=(Post(4, "small", 1),)),
        started(standings={"9": Standing.NEW}),
    ],
)
def test_an_event_that_cannot_follow_is_an_error(session, event) -> None:
    session.playing(1, 2, 3, button=3)
    with pytest.raises(EventError):
        fold(session.ledger, event, session.at, "x")


def test_who_holds_cards_neither_leaves_nor_buys(session) -> None:
    session.playing(1, 2, 3, button=3).do("next_hand")
    for event in (Left(participant="1", chips=100), AddedOn(participant="1", chips=1)):
        with pytest.raises(EventError, match="holds cards"):
            fold(session.ledger, event, session.at, "x")


def test_the_opening_comes_first_and_once_and_nothing_after_the_end(session) -> None:
    with pytest.raises(EventError, match="no table is open"):
        fold(EMPTY, Joined(participant="1"), 0, "x")
    session.seated(1, 2)
    with pytest.raises(EventError, match="the table is open"):
        fold(session.ledger, session.events[0], 0, "x")
    with pytest.raises(EventError, match="no time"):
        fold(session.ledger, Joined(participant="9"), -1, "x")
    session.do("close")
    with pytest.raises(EventError, match="over"):
        fold(session.ledger, Joined(participant="9"), 0, "x")


def test_after_the_end_a_new_session_may_be_opened_at_the_table(session) -> None:
    session.playing(1, 2, button=1).do("close")
    assert session.code("open", **STAKES) == "already-opened", "each session has an id of its own"
    session.do("open", **{**STAKES, "session": "C2"})
    assert (session.table.id, session.table.chips_in, session.ledger.undoable) == ("C2", 0, 0)
    assert session.replayed().table == session.table


def test_unknown_types_are_kept_and_change_nothing(session) -> None:
    session.seated(1)
    event = decode_cash_event("teleported/9", b"{}")
    assert event == UnknownEvent("teleported/9", b"{}")
    assert fold(session.ledger, event, session.at, "x") is session.ledger


def test_what_is_set_aside_can_be_undone(session) -> None:
    session.seated(1)
    before = session.ledger.table
    doubtful = set_aside(session.ledger, "bad")
    assert doubtful.table == before and doubtful.done.set_aside
    healed = fold(doubtful, CommandsUndone(n=1, commands=("bad",)), session.at, "u")
    assert healed.table == before and not healed.done.set_aside
    assert set_aside(EMPTY, "bad") is EMPTY


@pytest.mark.parametrize("raw", [b"{}", b"", b"[]", b'{"participant":5}', b'{"participant":"1","chips":-1}'])
def test_data_that_do_not_fit_their_type_are_an_error(raw: bytes) -> None:
    with pytest.raises(EventError, match="cash-added-on/1"):
        decode_cash_event("cash-added-on/1", raw)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"do": "dance"}, "dance"),
        ({"do": "join"}, "participant"),
        ({"do": "join", "participant": 1}, "participant"),
        ({"do": "join", "participant": "1", "mood": "bad"}, "mood"),
        ({"do": "sit", "participant": "1", "seat": 1, "chips": 0}, "chips"),
        ({"do": "sit", "participant": "1", "seat": 1, "chips": 50, "entry": "window"}, "entry"),
        ({"do": "result", "rake": -1}, "rake"),
        ({"do": "undo", "n": 0}, "n"),
    ],
)
def test_a_malformed_command_names_its_field(fields, field) -> None:
    with pytest.raises(CommandError, match=field):
        decode_cash_command({"session": "C1", **fields})


def test_an_opening_needs_a_seed_from_somewhere() -> None:
    command = decode_cash_command({"do": "open", "session": "C1", **STAKES})
    assert can(EMPTY, command)
    with pytest.raises(ValueError, match="seed"):
        decide(EMPTY, command)
    (opened,) = decide(EMPTY, command, seed=4)
    assert opened.seed == 4
    with pytest.raises(CommandError, match="seed"):
        decode_cash_command({"do": "open", "session": "C1", "seed": 2**63, **STAKES})


def test_a_decided_event_says_no_more_than_it_has_to(session) -> None:
    session.opened().do("join", participant="7")
    assert msgspec.json.decode(session.log[-1][1]) == {"participant": "7"}
