"""A promise that nothing could break would say nothing: each tells of an evening that breaks it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from appliance.game.events import HandStarted
from appliance.game.refusal import Refusal
from appliance.game.state import Money, Phase, Round
from bench.simulation import programme, promises
from bench.simulation.book import Given, Turn
from bench.simulation.whole import WatchedBook, look_back

ANNOUNCED: dict[str, Any] = {
    "venue": "brno", "starts_at": programme.STARTS_AT, "profile": "tda-2024", "deposit": 100, "shares": ["60", "40"],
    "seats_per_table": 6, "levels": [{"sb": 25, "bb": 50, "ante": 0, "minutes": 20}], "seed": 5,
}  # fmt: skip


@pytest.fixture
def book() -> WatchedBook:
    """Eight players at two tables of four, a hand at each, two out in one hand of table 1."""
    book = WatchedBook(programme.SEVEN_PM, 3)
    book.ask("announce", **ANNOUNCED)
    book.ask("open")
    for n in range(1, 9):
        book.ask("register", participant=f"{n:06d}", identity_checked=True)
    book.ask("start", seats={f"{n:06d}": [(n + 3) // 4, (n - 1) % 4 + 1] for n in range(1, 9)}, button=1)
    for table in (1, 2, 1, 1):
        book.ask("next_hand", table=table)
    for n, stack in ((1, 300), (2, 500)):
        book.ask("bust", participant=f"{n:06d}", table=1, hand=3, stack=stack)
    assert book.violations == []
    return book


@pytest.fixture
def finished(book: WatchedBook) -> WatchedBook:
    """The same, played to its end."""
    for n in range(3, 8):
        book.ask("bust", participant=f"{n:06d}", table=2, hand=10 + n, stack=4000)
    assert book.round.phase is Phase.FINISHED
    assert book.violations == []
    return book


def with_player(round: Round, who: str, **changes: Any) -> Round:
    return replace(round, players={**round.players, who: replace(round.players[who], **changes)})


SPOILED: dict[promises.Step, Callable[[Given, Round], tuple[Given, Round]]] = {
    promises.chips_conserved: lambda given, round: (given, replace(round, chips=round.chips - 1)),
    promises.pool_is_all_deposits: lambda given, round: (given, replace(round, pool=round.pool + 1)),
    promises.everybody_sits_once: lambda given, round: (
        given,
        with_player(round, "000003", seat=round.players["000004"].seat),
    ),
    promises.deposits_within_limit: lambda given, round: (
        given._replace(do="deposit"),
        with_player(round, "000003", elsewhere=(Money(given.at, 401),)),
    ),
    promises.nothing_paid_is_taken_back: lambda given, round: (given, with_player(round, "000001", paid=1)),
    promises.places_are_full: lambda given, round: (given, replace(round, eliminations=round.eliminations[:1])),
}


@pytest.mark.parametrize("promise", SPOILED, ids=lambda promise: promise.__name__)
def test_a_promise_of_each_step_tells_of_what_breaks_it(promise: promises.Step, book: WatchedBook) -> None:
    given = book.given[-1]
    assert list(promise(given, book.round)) == []
    assert list(promise(*SPOILED[promise](given, book.round))) != []


def test_prizes_that_are_not_the_pool_are_told(finished: WatchedBook, monkeypatch: pytest.MonkeyPatch) -> None:
    given, right = finished.given[-1], promises.results(finished.round)
    monkeypatch.setattr(promises, "results", lambda round: right[1:])
    assert list(promises.pool_paid_exactly(given, finished.round)) != []
    assert list(promises.places_are_full(given, finished.round)) != []
    assert list(promises.results_told_are_the_results(given, finished.round)) != []


def test_a_larger_stack_on_a_lower_place_is_told(finished: WatchedBook, monkeypatch: pytest.MonkeyPatch) -> None:
    right = promises.results(finished.round)
    assert list(promises.stack_ranks_within_a_hand(finished.given[-1], finished.round)) == []
    swapped = [replace(r, place=15 - r.place) if r.place > 6 else r for r in right]
    monkeypatch.setattr(promises, "results", lambda round: swapped)
    assert list(promises.stack_ranks_within_a_hand(finished.given[-1], finished.round)) != []


def test_tables_that_are_said_to_be_even_and_are_not_are_told(book: WatchedBook) -> None:
    assert list(promises.tables_are_even(Refusal("balanced"), book.round)) != []
    assert list(promises.tables_are_even(Refusal("move-pending"), book.round)) == []


def test_a_lock_that_does_not_hold_is_told(book: WatchedBook) -> None:
    while book.round.tables[1].seats.keys() > {3}:
        book.ask("bust", participant=min(book.round.tables[1].seats.values()))
    assert book.violations == []
    book.ask("balance")
    (turn,), moved = book.given[-1].turns, book.given[-1]
    who = turn.event.participant
    locked = replace(turn.before, locked_seats=(turn.event.target,)), with_player(turn.after, who, locked=True)
    spoiled = moved._replace(turns=(turn._replace(before=locked[0], after=locked[1]),))
    assert list(promises.locks_hold(moved, book.round)) == []
    assert len(list(promises.locks_hold(spoiled, book.round))) == 2


def hands_with(history: Sequence[Given], change: Callable[[HandStarted, Round], HandStarted]) -> list[Given]:
    def turned(turn: Turn) -> Turn:
        event = turn.event
        return turn._replace(event=change(event, turn.before)) if isinstance(event, HandStarted) else turn

    return [given._replace(turns=tuple(map(turned, given.turns))) for given in history]


def beyond(seat: int | None, by: int) -> int:
    """A seat of the four at table 1, clockwise."""
    return ((seat or 1) - 1 + by) % 4 + 1


@pytest.mark.parametrize(
    ("hand", "by", "told"), [(2, -1, "posts the big blind again"), (2, 1, "the big blind passes"), (2, 0, None)]
)
def test_S_7_a_big_blind_twice_running_or_passed_over_is_told(
    book: WatchedBook, hand: int, by: int, told: str | None
) -> None:
    def change(event: HandStarted, round: Round) -> HandStarted:
        if (event.table, event.hand) != (1, hand):
            return event
        return replace(event, bb=beyond(event.bb, by), bb_seat=beyond(event.bb_seat, by))

    found = list(promises.big_blind_comes_round(hands_with(book.given, change)))
    assert any(told in what for what in found) if told else found == []


@pytest.mark.parametrize(
    "waiting", [lambda event: {event.bb: "waits"}, lambda event: {1: "waits", 2: "waits", 3: "waits"}]
)
def test_S_5_a_blind_of_one_who_is_not_dealt_in_is_told(book: WatchedBook, waiting: Any) -> None:
    history = hands_with(book.given, lambda event, _: replace(event, waiting=waiting(event)))
    assert list(promises.blinds_are_dealt_in(history)) != []


def test_S_5_who_waits_for_ever_is_told(book: WatchedBook) -> None:
    for _ in range(20):
        book.ask("next_hand", table=2)
    history = hands_with(book.given, lambda event, _: replace(event, waiting={1: "waits"} if event.table == 2 else {}))
    assert any("has waited" in what for what in promises.big_blind_comes_round(history))


def test_a_stream_that_does_not_give_the_same_round_again_is_told(book: WatchedBook) -> None:
    last = book.told[-1]
    book.told[-1] = last._replace(event=replace(last.event, stack=501))
    look_back(book)
    assert {violation.promise for violation in book.violations} == {"replay_gives_the_same"}


def test_a_round_that_an_undo_did_not_give_back_is_told(book: WatchedBook) -> None:
    first = book.given[0]
    book.given[0] = first._replace(turns=(first.turns[0]._replace(before=book.round),))
    look_back(book)
    assert {violation.promise for violation in book.violations} == {"undo_gives_the_announcement"}
