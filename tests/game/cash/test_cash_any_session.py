"""What holds in any cash session, whatever is asked for in whatever order (§8)."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from appliance.game.button import between
from appliance.game.cash.events import HandStarted, decode_cash_event, encode_cash_event
from appliance.game.cash.playing import begin_hand
from appliance.game.cash.state import CashTable, Standing
from appliance.game.refusal import Refusal

SESSIONS = 240
COMMANDS = 250
PEOPLE = [str(n) for n in range(1, 12)]
KINDS = (
    ["next_hand", "result"] * 12 + ["sit"] * 8 + ["enter"] * 7 + ["leave", "absent", "add_on", "undo"] * 2
    + ["present", "redo", "call", "join"] * 4 + ["decline", "unjoin", "move", "stacks", "rabbit"]
)  # fmt: skip


def fields(kind: str, table: CashTable, chance: random.Random) -> dict[str, Any]:
    """Something a floor might say, sensible or not."""
    who, seat = chance.choice(PEOPLE), chance.randint(1, 9)
    sitting = list(table.seated().values())
    match kind:
        case "sit":
            entry = chance.choice(["big-blind", "big-blind", "post", "button"])
            return {"participant": who, "seat": seat, "chips": chance.randint(30, 210), "entry": entry}
        case "enter":
            owing = [p.participant for p in sitting if p.standing is not Standing.IN] or PEOPLE
            return {"participant": chance.choice(owing), "entry": chance.choice(["big-blind", "post", "button"])}
        case "present":
            away = [p.participant for p in sitting if p.absent] or PEOPLE
            return {"participant": chance.choice(away)}
        case "move":
            return {"participant": who, "seat": seat}
        case "add_on":
            return {"participant": who, "chips": chance.randint(1, 120)}
        case "next_hand":
            straddles = chance.sample(PEOPLE, chance.choice([0, 0, 0, 0, 1]))
            return {"straddles": straddles}
        case "result":
            rake = chance.randint(0, table.settings.rake_maximum)
            return {"stacks": moved(table, chance, rake), "rake": rake}
        case "stacks":
            return {"stacks": moved(table, chance)}
        case "rabbit":
            return {"participant": who, "active": [who], "consents": [], "tip": chance.randint(1, 5)}
        case "undo" | "redo":
            return {"n": chance.randint(1, 3)}
        case "call":
            return {}
        case "decline":
            called = [waiter.participant for waiter in table.waiting if waiter.called] or PEOPLE
            return {"participant": called[0]}
        case _:
            return {"participant": who}


def moved(table: CashTable, chance: random.Random, rake: int = 0) -> dict[str, int]:
    """Chips go from one player to another less the rake, sometimes all of them, sometimes one gets lost."""
    sitting = list(table.seated().values())
    if len(sitting) < 2:
        return {"1": 5}
    loser, winner = chance.sample(sitting, 2)
    chips = loser.stack if chance.random() < 0.15 else chance.randint(0, loser.stack)
    lost = int(chance.random() < 0.05)
    return {loser.participant: loser.stack - chips, winner.participant: max(0, winner.stack + chips - lost - rake)}


def check_chips(table: CashTable) -> None:
    players = table.players.values()
    assert sum(player.stack for player in players) == table.chips
    assert table.chips == table.chips_in - table.chips_out - table.rake
    tips = sum(movement.chips for movement in table.movements if movement.kind == "tip")
    assert sum(player.result for player in players) == -tips - table.rake
    assert all(player.stack == 0 for player in players if player.seat is None)
    came = Counter[str]()
    for movement in table.movements:
        came[movement.kind] += movement.chips
    assert came["buy-in"] + came["add-on"] == table.chips_in and came["cash-out"] + came["tip"] == table.chips_out


def check_log(told: dict[str, Any]) -> None:
    """What is printed adds up: by person, in all, and movement by movement."""
    money, players = told["money"], told["players"].values()
    assert money["in"] == money["out"] + money["rake"] + money["on_table"]
    assert sum(player["in"] for player in players) == money["in"]
    assert sum(player["out"] for player in players) == money["out"] - money["tips"]
    assert sum(player["stack"] for player in players) == money["on_table"]
    assert all(player["stack"] + player["out"] - player["in"] == player["result"] for player in players)
    assert len({player["seat"] for player in players if player["seat"]}) == len(told["seats"]), "no double seat"


def check_undo(session, before) -> None:
    """Taken back, the session is exactly as it was; given again, exactly as it was made."""
    after = session.ledger
    undone = session.do("undo").ledger
    assert undone.table == before.table and undone.undoable == before.undoable
    assert session.do("redo").ledger.table == after.table and session.ledger.undoable == after.undoable


def check_hand(before: CashTable, event: HandStarted) -> None:
    """Who is dealt in is there or may be, and owes nothing but what is posted."""
    seated, posts = before.seated(), {post.seat: post for post in event.posts}
    small, big = before.settings.small_blind, before.settings.big_blind
    assert len(posts) == len(event.posts), "nobody posts twice in one hand"
    assert event.bb in event.order and (event.sb is None or event.sb in event.order)
    anew = event.draw is not None
    for seat in event.order:
        player, post = seated[seat], posts.get(seat)
        live, dead = (post.live, post.dead) if post else (0, 0)
        assert player.stack > 0
        if player.standing is Standing.MISSED:
            assert seat == event.bb or (live >= big and dead == small), "nobody is dealt in owing a missed blind"
        if player.standing is Standing.NEW and not anew:
            assert live >= big
        if player.standing is Standing.OWES_SMALL:
            assert seat == event.bb or dead == small
        if player.standing is Standing.IN:
            assert dead == 0
            assert live == {event.bb: big, event.sb: small}.get(seat, 0) or (post and post.kind == "straddle")
        if player.absent:
            assert player.standing is Standing.IN and seat != event.bb
    assert event.order[-1] == event.button or event.button not in event.order
    if not anew:
        check_passed(before, event)


def check_passed(before: CashTable, event: HandStarted) -> None:
    """Nobody pays the big blind twice running, and nobody who is there is skipped by it."""
    assert before.bb_seat is not None
    if any(post.kind == "button" for post in event.posts):
        assert event.bb_seat == before.bb_seat
        return
    assert event.bb != before.bb_seat
    for seat, player in before.seated().items():
        if between(before.bb_seat, seat, event.bb):
            assert player.absent or not player.stack


def play(session, seed: int, accepted: Counter[str]) -> None:
    chance = random.Random(seed)
    session.opened(seed=seed, seats=chance.choice([2, 3, 6, 9, 9, 10]), rake_maximum=seed % 3)
    for n in range(1, chance.randint(2, min(7, session.table.settings.seats + 1))):
        session.sit(n)
    for _ in range(COMMANDS):
        kind, before = chance.choice(KINDS), session.ledger
        answer = session.ask(kind, **fields(kind, session.table, chance))
        if isinstance(answer, Refusal):
            assert session.ledger is before, "a refusal changes nothing"
            continue
        accepted[kind] += 1
        check_chips(session.table)
        check_log(session.report())
        if kind not in ("undo", "redo"):
            check_undo(session, before)
        for event in answer:
            assert decode_cash_event(*encode_cash_event(event)) == event
            if isinstance(event, HandStarted):
                accepted.update(post.kind for post in event.posts)
                check_hand(before.table, event)
                hand = begin_hand(session.table)
                chips = sum(hand.stacks) + sum(hand.bets) + sum(pot.amount for pot in hand.pots())
                assert chips == sum(hand.starting_stacks)
    assert session.replayed().table == session.table


@pytest.mark.parametrize("first", range(0, SESSIONS, 80))
def test_C_1_C_2_C_3_C_4_C_5_C_6_C_7_C_8_what_holds_in_any_session(new_session, first: int) -> None:
    accepted = Counter[str]()
    for seed in range(first, first + 80):
        play(new_session(), seed, accepted)
    everything = {*KINDS, "small", "big", "post", "dead", "button", "straddle"}
    assert [kind for kind in sorted(everything) if not accepted[kind]] == [], "every kind of thing happened"


def test_C_8_undone_to_the_beginning_and_given_again_all_is_as_it_was(new_session) -> None:
    for seed in range(20):
        session = new_session()
        play(session, seed, Counter())
        before, n = session.state_bytes(), session.ledger.undoable
        session.do("undo", n=n)
        assert session.table.players == {} and session.table.chips == 0
        assert session.do("redo", n=n).state_bytes() == before
