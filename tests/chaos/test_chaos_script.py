"""The script of a chaos evening and its faults come from the seed alone."""

from __future__ import annotations

import random
from collections import Counter
from datetime import UTC, datetime

import pytest

from appliance.game.commands import decode_command
from appliance.game.hand.facts import Fact
from appliance.game.refusal import Refusal
from appliance.game.round import INITIAL, fold
from appliance.game.state import Ledger, Phase
from appliance.game.tablestream.events import HandBegun
from appliance.game.tablestream.state import Moment, TableHands, Tracked
from chaos import faults, limit, mind, script, tracked, verdict
from chaos.__main__ import starts_at
from chaos.people import player

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


def test_T_3_evenings_have_deposits_that_are_too_much_with_what_came_in_elsewhere_and_people_who_come_late() -> None:
    evenings = [written(seed) for seed in range(12)]
    steps = [step for evening in evenings for step in evening.steps]
    refused = Counter(step.fields["do"] for step in steps if step.code == "deposit-limit")
    assert refused["register"] and refused["deposit"]
    more = Counter(step.fields.get("do") for step in steps if not step.code)
    assert more["deposit"] and more["reenter"]
    begun = [evening.steps[place:] for evening in evenings for place in [started(evening)]]
    assert any(step.kind == "tap" for after in begun for step in after)


def test_most_evenings_have_hands_that_are_keyed_in_with_all_ways_to_end_and_a_spare_device() -> None:
    dealt = [step for seed in range(6) for step in written(seed).steps if step.deal is not None]
    assert len(dealt) > 20 and sum(step.swap is not None for step in dealt) > 2
    keys = Counter(key for step in dealt for stage in step.deal.stages for key in stage.keys)  # type: ignore[union-attr]
    assert {"f", "c", "r", "a", "return", "w", "d"} <= set(keys)
    asks = Counter(fields["do"] for step in dealt for fields in step.deal.asks)  # type: ignore[union-attr]
    assert set(asks) == {"stacks", "bust"}


def test_a_dealer_who_sees_the_hand_at_a_stage_knows_the_keys_and_takes_back_what_was_pressed_twice() -> None:
    dealt = next(step.deal for step in written(3).steps if step.deal is not None and len(step.deal.stages) > 3)
    assert dealt.keys(TableHands()) == ()
    for stage in dealt.stages:
        assert dealt.keys(at_hand(dealt.hand, stage.facts)) == stage.keys
    assert dealt.keys(at_hand(dealt.hand + 1, dealt.stages[0].facts)) == ()
    assert dealt.keys(at_hand(dealt.hand, (*dealt.stages[1].facts, *dealt.stages[1].facts))) == (tracked.UNDO,)


def at_hand(number: int, facts: tuple[Fact, ...]) -> TableHands:
    begun = HandBegun(
        round="R1", venue="chaos", table=1, hand=number, button=1, players=(), small_blind=None, big_blind=50,
        rules=written(3).round.rules,
    )  # fmt: skip
    return TableHands(now=Moment(current=Tracked(begun=begun, facts=facts)))


def started(evening: script.Script) -> int:
    return next(place for place, step in enumerate(evening.steps) if step.fields.get("do") == "start")


@pytest.mark.parametrize(("hour", "starts"), [(5, "06:00:00"), (18, "18:35:10"), (23, "23:35:10")])
def test_T_3_no_evening_is_under_way_when_its_allowances_end_at_six(hour: int, starts: str) -> None:
    assert starts_at(datetime(2027, 1, 15, hour, 20, 10, tzinfo=UTC))[11:19] == starts


def played(wanted: script.Script, seed: int) -> Ledger:
    """The evening as it may come out: hands of one step in any order, at any time of day, and other dice."""
    chance, at, ledger = random.Random(seed), mind.START_MS - 7_000_000, INITIAL
    given = limit.allowances([player(place).number for place in range(40)], wanted.elsewhere, at)

    def give(body: dict[str, object], id: str, code: str) -> None:
        nonlocal ledger, at
        at += chance.randint(1, 60_000)
        answer = mind.ruled(ledger, decode_command(body), at, id, chance.getrandbits(40), given)
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
        elif step.deal is not None:
            give({"do": "next_hand", "round": "R1", "table": step.deal.table}, f"{number}", "")
            for place, fields in enumerate(step.deal.asks):
                give(fields, f"{number}-{place}", "")
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
