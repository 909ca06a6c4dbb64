"""A table whose commissioner counts, puts out, brings back and undoes while its hands are tracked."""

import pytest

from appliance.game.state import Phase
from tests.test_tablework import ALL_IN, SEAT_4_TAKES_IT, STACKS, TABLE, WHO, Room

COUNTED = dict(zip(WHO, (1500, 1500, 3500, 5500), strict=True))


@pytest.fixture
def room(tmp_path):
    return Room(tmp_path / "journal")


def problem(room):
    found = room.work.pad.problem
    return (found.code, dict(found.detail)) if found else None


def begun(room):
    return {player.participant: player.stack for player in room.work.hands.current.begun.players}


@pytest.mark.parametrize("hands", [0, 1])
def test_after_a_hand_that_nobody_followed_the_stacks_are_not_known_until_they_are_counted(room, hands):
    for _ in range(hands):
        room.press("next", "fold", "fold", "fold")
    room.press("next", "fold", "drop", "next")
    assert room.round.tables[1].hand == hands + 2 and room.work.hands.current is None
    assert problem(room) == ("hand-unfollowed", {"hand": hands + 1})
    room.press("fold")
    assert problem(room) == ("hand-unfollowed", {"hand": hands + 1})
    room.floor("stacks", table=1, stacks=COUNTED)
    assert problem(room) is None and begun(room) == COUNTED
    room.press("fold", "fold", "fold")
    assert sum(room.chips) == 12_000


def test_a_hand_that_was_not_followed_begins_anew_once_it_was_taken_back(room):
    room.press("next", "fold", "drop")
    room.floor("undo")
    room.press("next")
    assert begun(room) == STACKS


def test_hands_that_the_floor_advanced_past_the_table_leave_the_stacks_unknown(room):
    room.press("next", "fold", "fold", "fold", "next", "fold")
    room.floor("next_hand", table=1)
    assert room.work.hands.current is None and problem(room) == ("hand-unfollowed", {"hand": 2})
    room.floor("next_hand", table=1)
    assert room.work.hands.current is None and problem(room) == ("hand-unfollowed", {"hand": 3})


def test_a_count_between_an_unfollowed_hand_and_the_next_is_what_that_begins_with(room):
    room.press("next", "fold", "drop")
    room.floor("stacks", table=1, stacks=COUNTED)
    room.press("next")
    assert begun(room) == COUNTED and problem(room) is None


def test_a_count_during_a_hand_is_carried_into_it_and_said(room):
    room.press("next", "fold")
    room.floor("stacks", table=1, stacks=COUNTED)
    assert problem(room) == ("count-carried", {"hand": 1}) and begun(room) == COUNTED
    room.press("fold", "fold")
    assert dict(zip(WHO, room.chips, strict=True)) == {
        **COUNTED, WHO[0]: 1475, WHO[1]: 1525
    }  # fmt: skip
    room.kill()
    assert room.chips == [1475, 1525, 3500, 5500] and len(room.told) == 2


def test_a_count_of_one_changes_only_theirs(room):
    room.press("next", "fold")
    room.floor("stacks", table=1, stacks={WHO[3]: 6500})
    room.press("fold", "fold")
    assert room.chips == [975, 2025, 3000, 6500]


def test_undo_takes_back_what_was_played_and_keeps_the_count(room):
    room.press("next", "fold", "fold")
    room.floor("stacks", table=1, stacks=COUNTED)
    room.press("undo", "undo")
    assert begun(room) == COUNTED and room.work.hands.hand.stacks[3] == 5500
    room.kill()
    room.press("fold", "fold", "fold")
    assert room.chips == [1475, 1525, 3500, 5500]


def test_an_end_that_was_told_and_taken_back_is_no_count(room):
    room.press("next", "fold", "fold", "fold", "undo")
    assert begun(room) == STACKS and problem(room) is None
    room.kill()
    room.press("fold")
    assert room.chips == [975, 2025, 3000, 6000]


def test_an_end_that_arrives_after_it_was_taken_back_is_no_count(room):
    room.press("next", "fold", "fold")
    room.lost = True
    room.press("fold", "undo")
    room.lost = False
    room.post()
    assert begun(room) == STACKS and problem(room) is None


def test_a_count_that_cannot_be_with_what_was_played_ends_the_following_and_is_believed(room):
    room.press("next", "all-in")
    room.floor("stacks", table=1, stacks=dict.fromkeys(WHO, 2000))
    assert problem(room) == ("count-too-late", {"hand": 1})
    assert room.work.hands.current is None and room.chips == [2000] * 4
    room.press("next")
    assert room.chips == [2000] * 4


def test_what_the_floor_takes_back_of_a_count_is_said_before_the_next_hand_and_in_it(room):
    room.press("next", "fold", "fold", "fold")
    room.floor("undo")
    assert room.chips == [*STACKS.values()] and problem(room) == ("stacks-differ", {"hand": 1})
    room.press("next")
    assert problem(room) == ("stacks-differ", {"hand": 1}) and begun(room) == STACKS
    room.press("fold")
    assert problem(room) is None


def test_a_redo_makes_the_notice_of_other_stacks_go(room):
    room.press("next", "fold", "fold", "fold")
    room.floor("undo")
    room.floor("redo")
    assert problem(room) is None


@pytest.mark.parametrize("killed", [False, True])
def test_who_was_put_out_in_mid_hand_is_waited_for_and_has_what_the_hand_left(room, killed):
    room.press("next", "fold", "fold")
    room.floor("bust", participant=WHO[1])
    room.press("fold")
    if killed:
        room.kill()
    assert ("needs-reinstating", WHO[1]) in [(said.code, who) for said, who in room.complaints]
    room.press("next")
    assert room.round.tables[1].hand == 1 and problem(room) == ("needs-reinstating", {"participant": WHO[1]})
    room.floor("reinstate", participant=WHO[1])
    assert room.chips == [975, 2025, 3000, 6000] and problem(room) is None
    room.press("next")
    assert set(begun(room)) == set(WHO)


def test_who_was_put_out_in_a_hand_that_cost_them_nothing_is_waited_for_too(room):
    room.press("next", "fold")
    room.floor("bust", participant=WHO[3])
    room.press("fold", "fold", "next")
    assert room.round.tables[1].hand == 1 and problem(room) == ("needs-reinstating", {"participant": WHO[3]})


def test_who_goes_home_between_two_hands_keeps_nobody_waiting(room):
    room.press("next", "fold", "fold", "fold")
    room.floor("bust", participant=WHO[3])
    room.press("next")
    assert room.round.tables[1].hand == 2 and WHO[3] not in begun(room)


def test_the_screen_says_no_longer_who_is_out_by_mistake_once_they_are_back(room):
    room.press("next", *ALL_IN, "3", "done", "4", "done", "4", "done")
    room.press("undo", "win", "3", "done", "4", "done", "1", "done")
    assert "needs-reinstating" not in room.settled
    room.floor("reinstate", participant=WHO[0])
    assert "needs-reinstating" in room.settled


def test_T_6_no_key_changes_a_hand_whose_results_are_shown_and_undo_is_named(room):
    room.press("next", *SEAT_4_TAKES_IT)
    assert room.round.phase is Phase.FINISHED and room.work.keys(room.round) == ()
    before = room.engine.state(TABLE).hands.now
    room.press("undo", "win", "3", "done")
    assert room.engine.state(TABLE).hands.now == before
    assert room.complaints[-1][0].code == "last-hand-finished"
    room.floor("undo")
    assert room.round.phase is Phase.RUNNING and problem(room) is None and "undo" in room.work.keys(room.round)


def test_T_6_the_last_hand_is_mended_after_the_floor_has_opened_the_round_again(room):
    room.press("next", *SEAT_4_TAKES_IT)
    for _ in range(3):
        room.floor("undo")
    room.press("undo", "win", "3", "done", "4", "done", "4", "done")
    assert room.chips == [0, 0, 2000, 10_000] and room.out == {WHO[0], WHO[1]}


def test_S_8_heads_up_the_hand_of_an_absent_player_waits_for_them_or_for_enter(room):
    for who in WHO[2:]:
        room.floor("bust", participant=who)
    room.floor("absent", participant=WHO[0])
    room.press("next")
    assert set(room.work.keys(room.round)) == {"next", "player-back", "seat", "menu", "seat-1", "seat-2"}
    room.press("player-back")
    assert "fold" in room.work.keys(room.round)
    room.press("undo", "next")
    assert sorted(room.chips[:2]) in ([975, 2025], [1050, 1950]) and room.work.hands.current is None
    room.press("undo")
    assert "player-back" in room.work.keys(room.round)


def test_a_count_while_the_hand_was_given_up_is_carried_in_when_it_is_taken_up_again(room):
    room.press("next", "fold", "drop")
    room.floor("stacks", table=1, stacks=COUNTED)
    room.press("undo")
    assert begun(room) == COUNTED and problem(room) == ("count-carried", {"hand": 1})


def test_a_count_after_the_end_is_not_what_the_hand_began_with(room):
    room.press("next", "fold", "fold", "fold")
    room.floor("stacks", table=1, stacks=COUNTED)
    room.press("undo")
    assert begun(room) == STACKS
    room.floor("pause")
    assert begun(room) == STACKS


def test_S_4_whose_chips_left_play_with_their_table_is_not_out_by_mistake(room):
    room.floor("move", participant=WHO[3], seat=[2, 1])
    room.floor("absent", participant=WHO[0])
    room.press("next")
    room.floor("break_table", table=1)
    assert room.out == {WHO[0]}
    room.press("fold", "fold", "next")
    assert room.work.hands.current is None
    assert "needs-reinstating" not in {said.code for said, _ in room.complaints}
