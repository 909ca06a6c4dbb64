"""Prizes handed over (T-5): never more than the pool, whatever is done in which order."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.game.results import results
from appliance.game.state import Phase, Status


def number(n: int) -> str:
    return f"{n:06d}"


def pay(evening: Any, n: int, amount: int) -> Any:
    return evening.do("pay", participant=number(n), amount=amount)


def test_T_5_nobody_comes_back_over_a_prize_that_was_paid(evening) -> None:
    evening.started(5).bust(5).bust(4).bust(3)
    pay(evening, 3, 60)
    refusal = evening.refusal("reinstate", participant=number(5))
    assert (refusal.code, refusal.detail) == ("already-paid", {"participant": number(3), "paid": 60, "prize": 0})
    evening.do("undo").do("reinstate", participant=number(5))


def test_T_5_a_reinstatement_that_takes_nothing_is_allowed(evening) -> None:
    evening.started(6, shares=["25", "25", "25", "25"]).bust(6).bust(5).bust(4).bust(3)
    pay(evening, 3, 150)
    evening.do("reinstate", participant=number(6))
    assert evening.prizes()[3] == 150


def test_T_2_T_5_a_prize_is_paid_when_late_entries_are_over(evening) -> None:
    evening.started(3, profile="casino-2012", late_registration=True).bust(3)
    refusal = evening.refusal("pay", participant=number(3), amount=60)
    assert (refusal.code, refusal.detail) == ("prize-not-final", {"participant": number(3)})
    evening.register(4).bust(4).after(minutes=70)
    pay(evening, 4, 80)


def test_T_2_T_5_a_full_round_has_no_late_entries(evening) -> None:
    evening.started(3, profile="casino-2012", late_registration=True, capacity=3).bust(3)
    pay(evening, 3, 60)


def test_T_2_a_clock_that_is_set_back_lets_nobody_in_after_a_payment(evening) -> None:
    evening.started(3, profile="casino-2012", late_registration=True).bust(3).after(minutes=71)
    pay(evening, 3, 60)
    evening.do("previous_level")
    assert evening.code("register", participant=number(4), identity_checked=True) == "registration-closed"


def test_T_5_a_crown_that_a_larger_pool_would_take_back_stays(evening) -> None:
    """Largest remainders are not monotone: a place can lose a crown when the pool grows."""
    shares = ["42.9", "42.9", "14.2"]
    evening.started(3, deposit=60, shares=shares).bust(3)
    won = evening.prizes()[3]
    pay(evening, 3, won)
    for amount in range(1, 30):
        answer = evening.ask("deposit", participant=number(1), amount=amount)
        assert isinstance(answer, tuple) or answer.code == "already-paid"
        assert evening.prizes()[3] >= won
        if isinstance(answer, tuple):
            evening.do("undo")


KINDS = ["bust"] * 5 + ["pay"] * 6 + ["deposit", "reinstate", "register", "undo", "redo"] * 2 + ["next_level"]
KINDS += ["previous_level", "end_early"]
STEPS = st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 99), st.integers(0, 99)), max_size=60)
SHARES = st.sampled_from([["100"], ["50", "30", "20"], ["25", "25", "25", "25"], ["20", "30", "50"], ["42.9", "57.1"]])


def fields_of(evening: Any, kind: str, a: int, b: int) -> dict[str, Any]:
    participant = number(a % (len(evening.round.players) + 1) + 1)
    match kind:
        case "bust":
            tracked = {"table": 1, "hand": a % 4 + 1, **({"stack": b + 1} if b % 2 else {})}
            return {"participant": participant, **(tracked if b % 3 else {})}
        case "pay":
            known = [r for r in results(evening.round) if r.prize > evening.round.players[r.participant].paid]
            if not known:
                return {"participant": participant, "amount": 1}
            due = known[a % len(known)]
            left = due.prize - evening.round.players[due.participant].paid
            return {"participant": due.participant, "amount": left if b % 3 else b % left + 1}
        case "deposit":
            return {"participant": participant, "amount": b + 1}
        case "register":
            return {"participant": participant, "identity_checked": True}
        case "reinstate":
            return {"participant": participant}
        case "undo" | "redo":
            return {"n": a % 3 + 1}
        case "end_early":
            left = [p.participant for p in evening.round.players.values() if p.status is Status.IN]
            return {"reason": "x", "stacks": {player: b % (n + 2) for n, player in enumerate(left)} or {"1": 1}}
        case _:
            return {}


@settings(max_examples=150, deadline=None)
@given(players=st.integers(3, 7), late=st.booleans(), shares=SHARES, steps=STEPS)
def test_T_5_nobody_is_ever_paid_more_than_they_win(players: int, late: bool, shares, steps, new_evening) -> None:
    evening = new_evening().started(players, profile="casino-2012", late_registration=late, shares=shares)
    for kind, a, b in steps:
        evening.after(seconds=b)
        evening.ask(kind, **fields_of(evening, kind, a, b))
        prizes = {result.participant: result.prize for result in results(evening.round)}
        for player in evening.round.players.values():
            assert player.paid <= prizes.get(player.participant, 0)
        if evening.round.phase is Phase.FINISHED:
            assert sum(player.paid for player in evening.round.players.values()) <= evening.round.pool
