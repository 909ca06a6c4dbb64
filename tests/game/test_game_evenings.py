"""Whole evenings of random commands, legal and illegal: what must hold after every one of them."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.game.events import FinalTableDrawn, Finished, HandStarted
from appliance.game.places import places
from appliance.game.results import results
from appliance.game.state import Phase, Status

KINDS = (
    ["bust"] * 6
    + ["next_hand"] * 5
    + ["deposit", "move", "undo", "redo", "stacks", "register", "reinstate"] * 2
    + ["pause", "resume", "next_level", "previous_level", "begin_break", "end_break", "set_remaining"]
    + ["final_table", "pay", "end_early", "unregister", "cancel", "open", "start", "absent"]
)

STEPS = st.lists(
    st.tuples(st.sampled_from(KINDS), st.integers(0, 200), st.integers(0, 200), st.integers(0, 40)), max_size=60
)


def number(n: int) -> str:
    return f"{n:06d}"


def fields_of(evening: Any, kind: str, a: int, b: int) -> dict[str, Any]:
    """Fields for a command, made from two numbers; not always ones that are allowed."""
    participant = number(a % (len(evening.round.players) + 2) + 1)
    left = [p.participant for p in evening.round.players.values() if p.status is Status.IN]
    table = b % 3 + 1
    match kind:
        case "bust":
            tracked = {"table": table, "hand": a % 4 + 1, "stack": b % 5 * 100 + 100}
            return {"participant": participant, **(tracked if b % 3 else {})}
        case "next_hand":
            return {"table": table}
        case "deposit" | "pay":
            return {"participant": participant, "amount": b + 1}
        case "move":
            return {"participant": participant, "seat": [table, b % 10 + 1]}
        case "undo" | "redo":
            return {"n": a % 3 + 1}
        case "stacks":
            at_table = evening.round.tables.get(table)
            sitting = list(at_table.seats.values()) if at_table else []
            return {"table": table, "stacks": dict.fromkeys(sitting or [participant], a * 100)}
        case "register":
            return {"participant": participant, "identity_checked": bool(b % 7), "deposits_24h": b}
        case "reinstate" | "unregister" | "absent":
            return {"participant": participant}
        case "begin_break":
            return {"minutes": a % 30 + 1}
        case "set_remaining":
            return {"seconds": a * 10}
        case "end_early":
            return {"reason": "x", "stacks": {player: (b + place) % 4 for place, player in enumerate(left)} or {"1": 1}}
        case _:
            return {}


def check(evening: Any) -> None:
    """The promises that hold after every command."""
    round = evening.round
    players = round.players.values()
    assert round.pool == sum(player.deposit for player in players)
    assert round.chips == 40 * round.pool
    sitting = {player.participant: player.seat for player in players if player.seat is not None}
    assert len(set(sitting.values())) == len(sitting)
    at_tables = {
        participant: (table.number, seat)
        for table in round.tables.values()
        for seat, participant in table.seats.items()
    }
    assert at_tables == sitting
    playing = {player.participant for player in players if player.status is Status.IN}
    assert playing == set(sitting)
    assert round.left == len(playing)
    out = [participant for place in places(round) for participant in place.participants]
    if round.phase is Phase.FINISHED:
        assert sorted(out) == sorted(round.players)
        assert sum(result.prize for result in results(round)) == round.pool
    else:
        assert not playing & set(out)


def check_big_blinds(evening: Any) -> None:
    """Nobody posts the big blind in two hands running at one table, but after a redraw of all seats."""
    last: dict[int, str | None] = {}
    for event in evening.events:
        if isinstance(event, FinalTableDrawn):
            last.clear()
        if isinstance(event, HandStarted):
            seats = evening.seats_then[id(event)]
            bb = seats.get(event.bb) if event.bb else None
            assert bb is None or last.get(event.table) != (bb, event.bb)
            last[event.table] = (bb, event.bb)


@settings(max_examples=120, deadline=None)
@given(
    players=st.integers(3, 24),
    seats=st.integers(2, 10),
    profile=st.sampled_from(["cpl-2017", "cpl", "casino-2012", "tda-2024"]),
    steps=STEPS,
)
def test_T_4_T_5_T_6_S_7_what_holds_on_any_evening(players: int, seats: int, profile: str, steps, new_evening) -> None:
    evening = new_evening().announce(profile=profile, seats_per_table=seats, late_registration=True)
    announced = evening.state_bytes()
    evening.do("open").register(*range(1, players + 1)).do("start")
    evening.seats_then = {}
    for kind, a, b, minutes in steps:
        evening.after(minutes=minutes)
        before, known = evening.state_bytes(), len(evening.events)
        tables = evening.round.tables
        answer = evening.ask(kind, **fields_of(evening, kind, a, b))
        if not isinstance(answer, tuple):
            assert evening.state_bytes() == before, "a refusal changes nothing"
        for event in evening.events[known:]:
            if isinstance(event, HandStarted):
                evening.seats_then[id(event)] = dict(tables[event.table].seats)
        if evening.round.phase is not Phase.CANCELLED:
            check(evening)
        evening.report()
    if not any(kind in ("undo", "redo", "move", "reinstate") for kind, *_ in steps):
        check_big_blinds(evening)
    replay_gives_the_same(evening)
    undo_of_everything_gives_the_announcement(evening, announced)


def replay_gives_the_same(evening: Any) -> None:
    assert msgspec.json.encode(evening.replayed().round) == evening.state_bytes()


def undo_of_everything_gives_the_announcement(evening: Any, announced: bytes) -> None:
    full, moved = evening.ledger.undoable, evening.state_bytes()
    if full == 0:
        return
    clock = evening.round.clock
    evening.do("undo", n=full)
    assert evening.state_bytes() == announced
    evening.do("redo", n=full)
    if clock is not None:
        assert evening.round.clock is not None
        evening.ledger = msgspec.structs.replace(
            evening.ledger, round=msgspec.structs.replace(evening.round, clock=clock)
        )
    assert evening.state_bytes() == moved


@settings(max_examples=30, deadline=None)
@given(players=st.integers(3, 90), seed=st.integers(0, 2**40), ties=st.integers(2, 6))
def test_T_5_T_6_every_finished_round_has_a_full_set_of_places(players: int, seed: int, ties: int, new_evening) -> None:
    evening = new_evening().started(players, seed=seed, shares=["60", "25", "15"])
    hand = 0
    for n in range(1, players):
        hand += n % ties == 0
        evening.bust(n, table=1, hand=hand + 1, stack=(n * seed) % 3 + 1)
    finished = evening.events[-1]
    assert isinstance(finished, Finished)
    assert sorted(r.participant for r in finished.results) == sorted(evening.round.players)
    assert finished.results[0].place == 1
    assert sum(r.prize for r in finished.results) == evening.round.pool
    for result in finished.results:
        better = sum(other.place < result.place for other in finished.results)
        assert result.place == better + 1
