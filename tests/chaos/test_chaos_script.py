"""The script of a chaos evening and its faults come from the seed alone."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from appliance.game.commands import decode_command
from appliance.game.refusal import Refusal
from appliance.game.round import INITIAL, decide, fold
from appliance.game.state import Ledger, Phase
from chaos import faults, mind, script, verdict

AT = "2027-01-15T19:00:00+01:00"


def written(seed: int, players: int = 40, tables: int = 5) -> script.Script:
    return script.write(seed, players, script.announcement(seed, players, tables, AT, "chaos"))


def test_the_same_seed_writes_the_same_evening() -> None:
    assert written(5)[:2] == written(5)[:2]
    assert verdict.outcomes(written(5).ledger, {"again": written(5).ledger}) == []
    assert written(5).steps != written(6).steps
    assert faults.schedule(5, 300, 5, 0.2) == faults.schedule(5, 300, 5, 0.2)
    assert faults.schedule(5, 300, 5, 0.2) != faults.schedule(6, 300, 5, 0.2)


def test_every_kind_of_fault_comes_up_on_an_evening_of_full_size() -> None:
    seen = Counter(fault.kind for seed in range(3) for fault in faults.schedule(seed, 400, 10, 0.2))
    assert set(seen) == {*faults.KINDS, "takeover"}


def test_most_evenings_have_tables_that_go_on_alone_and_a_director_that_is_cut_off() -> None:
    seen = [Counter(step.kind for step in written(seed).steps) for seed in range(6)]
    assert sum(kinds["ahead"] for kinds in seen) > 6 and sum(kinds["apart"] for kinds in seen) > 3
    decisions = [each.accept for seed in range(6) for step in written(seed).steps for each in step.apart]
    assert set(decisions) == {True, False}


def played(wanted: script.Script, seed: int) -> Ledger:
    """The evening as it may come out: hands of one step in any order, at any time of day, and other dice."""
    chance, at, ledger = random.Random(seed), mind.START_MS - 7_000_000, INITIAL

    def give(body: dict[str, object], id: str, code: str) -> None:
        nonlocal ledger, at
        at += chance.randint(1, 60_000)
        answer = decide(ledger, decode_command(body), at, id, seed=chance.getrandbits(40))
        assert (answer.code if isinstance(answer, Refusal) else "") == code, (body, answer)
        if not isinstance(answer, Refusal):
            for event in answer:
                ledger = fold(ledger, event, at, id)

    give(wanted.announcement, "a", "")
    for number, step in enumerate(wanted.steps):
        if step.kind == "hands":
            for table in chance.sample(sorted(step.hands), len(step.hands)):
                give(
                    {"do": "next_hand", "round": "R1", "table": table, "seen": step.hands[table] - 1},
                    f"{number}-{table}",
                    "",
                )
        elif step.kind == "ahead":
            for table in chance.sample(sorted(step.hands), len(step.hands)):
                assert ledger.round is not None
                for hand in range(ledger.round.tables[table].hand, step.hands[table]):
                    give(
                        {"do": "next_hand", "round": "R1", "table": table, "seen": hand}, f"{number}-{table}-{hand}", ""
                    )
        elif step.kind == "apart":
            for each in step.apart:
                if each.accept:
                    give(each.fields, f"{each.id} anew", "")
        else:
            give(step.fields, step.id or f"{number}", step.code)
    return ledger


@pytest.mark.parametrize("seed", range(12))
def test_an_evening_ends_the_same_whatever_the_time_and_the_order_of_hands(seed: int) -> None:
    wanted = written(seed)
    assert wanted.round.phase is Phase.FINISHED
    assert verdict.outcomes(wanted.ledger, {"played": played(wanted, seed)}) == []
