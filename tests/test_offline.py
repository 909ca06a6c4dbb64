"""A table goes on while no director is there: by the same rules, kept in its own stream, told in order afterwards."""

import msgspec
import pytest

from appliance.game.commands import Bust, NextHand, Stacks
from appliance.game.places import places
from appliance.game.state import Phase, Status
from appliance.offers import DEALT_OTHERWISE, FOLLOWED_REFUSED
from tests.test_tablework import ALL_IN, NOW, SEAT_4_TAKES_IT, STACKS, TABLE, WHO, Room


class Cut(Room):
    """The director may be gone: nothing is sent then, and the table knows it."""

    def cut(self):
        self.lost, self.reachable = True, False
        self.work.reached()

    def back(self):
        self.lost, self.reachable = False, True
        self.work.reached()
        self.post()

    @property
    def here(self):
        """The round as the table goes on with it."""
        return self.work.offline.round(self.round)

    @property
    def hand(self):
        return self.here.tables[1].hand

    @property
    def pending(self):
        return self.work.offline.pending

    def begun(self):
        """The table's hand as its screen shows it."""
        table = self.here.tables[1]
        return table.hand, table.button, table.sb, table.bb, table.level, table.small_blind, table.big_blind


@pytest.fixture
def room(tmp_path):
    return Cut(tmp_path / "journal")


@pytest.fixture
def counting(tmp_path):
    return Cut(tmp_path / "journal", tracks=False)


def types(room):
    return [record.type for record in room.engine_records(TABLE)]


def test_S_7_hands_go_on_without_a_director_with_the_button_and_blinds_that_it_gives_them_later(counting):
    counting.press("next")
    counting.cut()
    counting.press("next", "next", "next")
    shown = counting.begun()
    assert shown[0] == 4 and counting.round.tables[1].hand == 1
    assert [offer.hand for offer in counting.pending] == [2, 3, 4]
    counting.back()
    assert counting.round.tables[1].hand == 4 and counting.begun() == shown and not counting.pending
    assert counting.here is counting.round


def test_the_rounds_own_stream_is_never_written_by_the_table(counting):
    counting.cut()
    before = counting.journal.newest("round/R1")
    counting.press("next", "next")
    assert counting.journal.newest("round/R1") == before


def test_a_kiosk_killed_while_nobody_directs_is_back_at_the_same_hand(room):
    room.cut()
    room.press("next", "fold", "fold", "fold", "next", "fold")
    shown, facts = room.begun(), room.work.hands.current.facts
    room.kill()
    room.kill()
    assert room.begun() == shown and shown[0] == 2
    assert room.work.hands.current.facts == facts
    room.press("fold", "fold", "next")
    assert room.hand == 3
    room.back()
    assert room.round.tables[1].hand == 3 and room.chips == [975, 2025, 3000, 6000][:0] + room.chips
    assert sum(room.chips) == sum(STACKS.values())


def test_T_7_stacks_and_busts_of_tracked_hands_wait_in_order(room):
    room.press("next")
    room.cut()
    room.press(*ALL_IN, "3", "done", "4", "done", "4", "done", "next")
    assert room.hand == 2 and {p for p, player in room.here.players.items() if player.status is Status.OUT} == set(
        WHO[:2]
    )
    assert [offer.command["do"] for offer in room.pending] == ["stacks", "bust", "bust", "next_hand"]
    room.press("fold", "next")
    room.kill()
    room.back()
    assert [type(command) for command in room.told] == [Stacks, Bust, Bust, Stacks]
    assert room.out == set(WHO[:2]) and room.round.tables[1].hand == 3
    assert {(e.participant, e.hand) for e in room.round.eliminations} == {(WHO[0], 1), (WHO[1], 1)}
    assert sum(room.chips) == sum(STACKS.values())


def test_T_6_a_hand_that_ends_the_round_waits_for_the_director(room):
    room.press("next")
    room.cut()
    room.press(*SEAT_4_TAKES_IT, "next")
    assert room.hand == 1 and not room.pending and room.round.phase is Phase.RUNNING
    room.back()
    assert room.round.phase is Phase.FINISHED and room.out == set(WHO[:3])


@pytest.mark.parametrize("arrived", [True, False])
def test_what_was_on_its_way_when_the_director_went_is_done_once(counting, arrived):
    counting.lost = True
    counting.press("next")
    [(number, command, _)] = counting.away
    if arrived:
        counting.carry_out(number, command)
    counting.cut()
    assert counting.hand == 1
    counting.press("next")
    assert counting.hand == 2
    counting.kill()
    counting.back()
    assert counting.round.tables[1].hand == 2
    wrote = [number for number, command, _, wrote in counting.answered if wrote and isinstance(command, NextHand)]
    assert len(wrote) == len(set(wrote)) == 2


def test_an_end_on_its_way_when_the_director_went_is_told_once(room):
    room.press("next", "fold", "fold")
    room.lost = True
    room.press("fold")
    [(number, command, _)] = room.away
    room.carry_out(number, command)
    room.cut()
    room.press("next")
    assert room.hand == 2
    room.back()
    assert room.round.tables[1].hand == 2 and len(room.told) == 1


def test_after_a_refused_hand_nothing_that_went_on_from_it_is_carried_out(counting):
    counting.press("next")
    counting.cut()
    counting.press("next", "next")
    counting.floor("next_hand", table=1)
    counting.back()
    assert counting.round.tables[1].hand == 2 and counting.hand == 2 and not counting.pending
    [refused] = counting.work.offline.offers.refused
    assert (refused.offer.hand, refused.last, refused.code) == (2, 3, "stale")
    counting.kill()
    assert counting.work.offline.offers.refused == (refused,)
    counting.press("next")
    assert counting.round.tables[1].hand == 3


def test_a_count_kept_for_one_hand_is_never_taken_for_anothers(room):
    room.press("next")
    room.cut()
    room.press("fold", "fold", "fold", "next")
    stacks = room.chips
    room.floor("next_hand", table=1)
    room.floor("next_hand", table=1)
    room.back()
    assert room.chips == stacks and room.told == []
    [refused] = room.work.offline.offers.refused
    assert (refused.offer.hand, refused.last, refused.code) == (1, 2, "stale")


def test_a_hand_that_the_director_deals_otherwise_is_for_the_floor(counting):
    counting.press("next")
    counting.cut()
    counting.press("next")
    counting.floor("move", participant=WHO[2], seat=[2, 1])
    counting.back()
    [refused] = counting.work.offline.offers.refused
    assert (refused.offer.hand, refused.code) == (2, DEALT_OTHERWISE)
    assert counting.round.tables[1].hand == 2


def test_a_director_that_cannot_take_it_yet_is_asked_again(counting, monkeypatch):
    counting.cut()
    counting.press("next")
    counting.lost, counting.reachable = True, True
    counting.work.reached()
    [(number, _, told)] = counting.away
    counting.away = []
    from appliance.link.envelope import Refusal, Reply

    told(Reply(number, False, refusal=Refusal("not-authorised", msgspec.Raw(b"{}"))))
    assert counting.pending and not counting.away and counting.work.due is not None
    counting.lost = False
    counting.work.reached()
    counting.post()
    assert not counting.pending and counting.round.tables[1].hand == 1


def test_CK_6_a_table_that_must_wait_for_others_waits_also_without_a_director(tmp_path):
    room = Cut(tmp_path / "journal", tracks=False)
    room.floor("move", participant=WHO[0], seat=[2, 1])
    room.floor("move", participant=WHO[1], seat=[2, 2])
    room.floor("hand_for_hand", on=True)
    room.cut()
    room.press("next", "next", "next", "next")
    hand = room.hand
    assert hand < 3 and room.work.pad.problem.code == "waiting-for-tables"
    room.back()
    assert room.round.tables[1].hand == hand


def test_CK_2_a_hand_told_later_has_the_level_at_which_it_began(counting):
    counting.cut()
    counting.press("next")
    assert counting.pending[0].command["level"] == counting.begun()[4]


def test_a_chain_names_the_first_refusal_and_how_far_it_reached(counting):
    counting.cut()
    counting.press("next", "next", "next")
    counting.floor("next_hand", table=1)
    counting.back()
    assert FOLLOWED_REFUSED not in [each.code for each in counting.work.offline.offers.refused]
    assert [(each.offer.hand, each.last) for each in counting.work.offline.offers.refused] == [(1, 3)]


def test_T_7_who_went_out_first_ranks_lower_though_their_table_tells_it_later(room):
    room.floor("move", participant=WHO[3], seat=[2, 1])
    room.press("next")
    room.cut()
    room.press(*("all-in",) * 3, *("next",) * 3, "win", "3", "done", "2", "done", "next")
    assert [offer.command["do"] for offer in room.pending] == ["stacks", "bust", "next_hand"]
    elsewhere = Bust(round="R1", participant=WHO[3], table=2)
    room.engine.as_of(NOW + 60_000, lambda: room.carry_out(room.fresh_id(), elsewhere))
    room.back()
    assert [gone.participant for gone in room.round.eliminations] == [WHO[3], WHO[0]]
    assert [place.participants for place in places(room.round)] == [(WHO[3],), (WHO[0],)]
