"""Commands that go on from what a person saw: given by two at once, they are done once. And several out at once."""

from __future__ import annotations

from appliance.game.refusal import Refusal
from appliance.game.state import Phase
from tests.game.conftest import Evening, number


def playing(evening: Evening) -> Evening:
    return evening.seated(range(1, 6), range(6, 10))


def test_CK_1_two_who_saw_the_same_level_go_on_by_one(evening: Evening) -> None:
    playing(evening).do("next_level", seen=1)
    assert evening.refusal("next_level", seen=1) == Refusal("stale", {"of": 1, "newest": 2})
    assert evening.face().level == 2
    assert evening.code("previous_level", seen=1) == "stale"
    assert evening.code("set_remaining", seconds=60, seen=1) == "stale"
    evening.do("set_remaining", seconds=60, seen=2).do("previous_level", seen=2)
    assert evening.face().level == 1


def test_CK_1_a_level_that_ended_by_itself_is_not_skipped_by_who_saw_it(evening: Evening) -> None:
    playing(evening).after(minutes=20)
    assert evening.code("next_level", seen=1) == "stale"


def test_S_7_two_who_saw_the_same_hand_begin_one(evening: Evening) -> None:
    playing(evening).do("next_hand", table=1, seen=0)
    assert evening.code("next_hand", table=1, seen=0) == "stale"
    assert evening.table(1).hand == 1
    evening.do("next_hand", table=1, seen=1)


def test_T_3_two_who_saw_the_same_deposits_raise_them_once(evening: Evening) -> None:
    playing(evening).do("deposit", participant=number(1), amount=50, seen=100)
    assert evening.code("deposit", participant=number(1), amount=50, seen=100) == "stale"
    assert evening.player(1).deposit == 150


def test_T_5_two_who_saw_the_same_payments_pay_once(evening: Evening) -> None:
    evening.seated(range(1, 4))
    evening.bust(1).bust(2)
    evening.do("pay", participant=number(3), amount=10, seen=0)
    assert evening.code("pay", participant=number(3), amount=10, seen=0) == "stale"
    assert evening.player(3).paid == 10


def test_S_3_two_who_saw_the_same_move_proposed_move_one_player(evening: Evening) -> None:
    evening.seated(range(1, 9), range(9, 11))
    before = {who: player.seat for who, player in evening.round.players.items()}
    evening.do("balance")
    (moved,) = [who for who, player in evening.round.players.items() if player.seat != before[who]]
    evening.do("undo")
    assert evening.code("balance", seen="000010") == "stale"
    evening.do("balance", seen=moved)
    assert evening.code("balance", seen=moved) == "stale"


def test_T_7_several_out_at_once_rank_by_their_chips_and_come_back_together(evening: Evening) -> None:
    playing(evening).do("next_hand", table=1)
    evening.do("busts", stacks={number(1): 900, number(2): 300, number(3): 600})
    assert [each.participant for each in evening.round.eliminations] == [number(2), number(3), number(1)]
    assert {(each.table, each.hand) for each in evening.round.eliminations} == {(1, 1)}
    one_by_one = Evening()
    playing(one_by_one).do("next_hand", table=1)
    for n, stack in ((2, 300), (3, 600), (1, 900)):
        one_by_one.bust(n, table=1, hand=1, stack=stack)
    assert evening.places() == one_by_one.places()
    evening.do("undo")
    assert evening.round.eliminations == () and evening.round.left == 9


def test_T_6_either_all_of_several_are_out_or_nobody_is(evening: Evening) -> None:
    playing(evening).do("next_hand", table=1).bust(3)
    before = evening.state_bytes()
    assert evening.code("busts", stacks={number(1): 300, number(3): 100}) == "not-in-play"
    assert evening.code("busts", stacks={number(1): 300, "000077": 400}) == "not-registered"
    assert evening.code("busts", stacks={number(n): 100 for n in range(1, 10) if n != 3}) == "finished"
    assert evening.state_bytes() == before
    evening.do("busts", stacks={number(n): 100 for n in range(1, 9) if n != 3})
    assert evening.round.phase is Phase.FINISHED
