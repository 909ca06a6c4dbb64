"""A table's own work beside a director that answers, is away, refuses, or was told otherwise before."""

from __future__ import annotations

import json
import os

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance import kinds
from appliance.engine import Answer, Engine, Order, Told
from appliance.game.commands import Bust, NextHand, Stacks, decode_command
from appliance.game.places import places
from appliance.game.state import Status
from appliance.journal import Journal
from appliance.link.envelope import Refusal, Reply
from appliance.record import uuid7
from appliance.tablework import TableWork

NOW = 1_800_000_000_000
TABLE, ROUND = "table/brno-1", "round/R1"
WHO = ["000101", "000102", "000103", "000104"]
STACKS = dict(zip(WHO, (1000, 2000, 3000, 6000), strict=True))
LEVELS = [{"sb": 25, "bb": 50, "ante": 0, "minutes": 15}]
ALL_IN = ("all-in", "all-in", "all-in", "all-in", "next", "next", "next", "win")
SEAT_4_TAKES_IT = (*ALL_IN, "4", "done", "4", "done", "4", "done")


class Room:
    """One table's program, which may be killed, and the director; both write in one journal here."""

    def __init__(self, path, tracks=True):
        self.path, self.tracks = path, tracks
        self.away, self.lost = [], False
        self.complaints, self.settled = [], []
        self.reachable = True
        self.answered = []
        self.start(fresh=True)

    def start(self, fresh=False):
        self.journal = Journal(self.path, device="table-1", key=Ed25519PrivateKey.from_private_bytes(bytes(32)))
        self.engine = Engine(self.journal, kinds.KINDS, lambda: NOW)
        self.engine.own_epoch(TABLE, "start")
        if fresh:
            self.announce()
        self.work = TableWork(
            self.engine, TABLE, 1, self.tracks, self.send, self.fresh_id, lambda *said: self.complaints.append(said),
            self.settled.append, lambda: self.reachable,
        )  # fmt: skip
        self.work.start([self.round])
        self.post()

    def kill(self):
        """The program dies; what was on its way may have arrived."""
        self.journal.close()
        self.away = []
        self.start()

    def fresh_id(self):
        return uuid7(NOW, os.urandom(10))

    def send(self, number, command, ttl_ms, told):
        self.away.append((number, command, told))

    def announce(self, round="R1", day=15):
        self.floor("announce", venue="brno", starts_at=f"2027-01-{day:02}T19:00:00+01:00", profile="cpl-2017",
                   deposit=300, shares=["100"], seats_per_table=9, levels=LEVELS, seed=7, round=round)  # fmt: skip
        self.floor("open", round=round)
        for number in WHO:
            self.floor("register", participant=number, identity_checked=True, round=round)
        seats = {number: [1, seat] for seat, number in enumerate(WHO, 1)}
        self.floor("start", seats=seats, button=4, round=round)
        self.floor("stacks", table=1, stacks=STACKS, round=round)

    def floor(self, do, round="R1", **fields):
        """The commissioner's word; the table hears of it."""
        self.carry_out(uuid7(NOW, os.urandom(10)), decode_command({"do": do, "round": round, **fields}))
        if hasattr(self, "work"):
            self.work.round_changed(self.engine.state(f"round/{round}").round)
            self.post()

    def carry_out(self, number, command):
        [told] = self.engine.execute([Order(number, f"round/{command.round}", command, "table", "table-1")])
        self.answered.append((number, command, told.answer, bool(told.records)))
        return told.answer

    def post(self):
        """Let the director answer what waits, unless nobody reaches it."""
        while self.away and not self.lost:
            number, command, told = self.away.pop(0)
            answer = self.carry_out(number, command)
            self.work.round_changed(self.round)
            if answer.ok:
                told(Reply(number, True, ROUND, answer.epoch or None, answer.seq))
            else:
                told(
                    Reply(number, False, refusal=Refusal(answer.code, msgspec.Raw(json.dumps(answer.detail).encode())))
                )

    def press(self, *keys):
        for key in keys:
            self.work.press(key, self.round)
            self.post()
        return self

    @property
    def round(self):
        return self.engine.state(ROUND).round

    @property
    def told(self):
        """What the table's words made the director write, in order."""
        return [command for _, command, _, wrote in self.answered if wrote and isinstance(command, Stacks | Bust)][1:]

    @property
    def chips(self):
        return [player.chips for player in self.round.players.values()]

    @property
    def out(self):
        return {number for number, player in self.round.players.items() if player.status is Status.OUT}


@pytest.fixture
def room(tmp_path):
    return Room(tmp_path / "journal")


def test_CK_2_the_dealers_key_begins_the_next_hand_and_the_table_tracks_it(room):
    room.press("next")
    assert room.round.tables[1].hand == 1
    assert room.work.hands.current.begun.hand == 1


def test_T_7_stacks_go_first_then_a_bust_for_each_who_lost_theirs(room):
    room.press("next", *SEAT_4_TAKES_IT)
    assert [type(command) for command in room.told] == [Stacks, Bust, Bust, Bust]
    assert room.out == set(WHO[:3])
    assert [p.participants for p in places(room.round)] == [(number,) for number in WHO[::-1]]


def test_a_table_that_only_counts_hands_advances_them_and_tells_nothing(tmp_path):
    room = Room(tmp_path / "journal", tracks=False)
    room.press("next", "fold", "all-in", "next", "next")
    assert room.round.tables[1].hand == 3 and room.told == []
    assert room.work.hands.current is None
    assert room.engine.state(TABLE).notes["hand-opened/1"].hand == 3


def test_nobody_advances_twice_while_the_answer_is_on_its_way(tmp_path):
    room = Room(tmp_path / "journal", tracks=False)
    room.lost = True
    room.press("next", "next", "next")
    room.lost = False
    room.post()
    assert room.round.tables[1].hand == 1


def test_the_next_hand_waits_until_the_end_of_the_last_one_is_told(room):
    room.press("next", "fold", "fold")
    room.lost = True
    room.press("fold", "next")
    assert [type(command) for _, command, _ in room.away] == [Stacks]
    room.lost = False
    room.post()
    assert room.round.tables[1].hand == 2 and room.chips == [975, 2025, 3000, 6000]
    assert [player.stack for player in room.work.hands.current.begun.players] == [2025, 3000, 6000, 975]


def test_a_wish_for_the_next_hand_is_forgotten_when_the_last_one_is_taken_up_again(room):
    room.press("next", "fold", "fold")
    room.lost = True
    room.press("fold", "next", "undo", "fold")
    room.lost = False
    room.post()
    assert room.round.tables[1].hand == 1 and room.chips == [975, 2025, 3000, 6000]


@pytest.mark.parametrize("arrived", range(5))
def test_what_was_not_answered_is_told_after_a_restart_and_all_of_it_once(room, arrived):
    room.press("next")
    room.lost = True
    room.press(*SEAT_4_TAKES_IT)
    for n in range(arrived):
        number, command, told = room.away.pop()
        answer = room.carry_out(number, command)
        if n < arrived - 1:  # the last one's answer is lost
            told(Reply(number, True, ROUND, answer.epoch, answer.seq))
    room.kill()
    room.lost = False
    room.kill()
    room.kill()
    assert [type(command) for command in room.told] == [Stacks, Bust, Bust, Bust]
    assert room.out == set(WHO[:3])


def test_answers_that_never_came_back_are_asked_for_under_the_same_id(room):
    room.press("next")
    room.lost = True
    room.press(*SEAT_4_TAKES_IT)
    first = room.away[0][0]
    room.carry_out(*room.away[0][:2])
    room.kill()
    again = room.away[0]
    assert isinstance(again[1], Bust) and again[0] != first  # the copy has the stacks already
    room.kill()
    assert room.away[0][:2] == again[:2]


def test_an_answered_end_is_not_told_again_whatever_the_floor_corrects_since(room):
    room.press("next", "fold", "fold", "fold")
    room.floor("stacks", table=1, stacks=dict(zip(WHO, (900, 2100, 3000, 6000), strict=True)))
    room.kill()
    assert room.chips == [900, 2100, 3000, 6000]
    room.floor("bust", participant=WHO[0])
    room.floor("reinstate", participant=WHO[0])
    room.kill()
    assert room.out == set() and len(room.told) == 3


def test_a_life_that_ended_without_an_answer_begins_again(room):
    room.press("next")
    room.lost = True
    room.press("fold", "fold", "fold")
    number, command, told = room.away.pop()
    told(Reply(number, False, refusal=Refusal("no-answer")))
    assert [(n, c) for n, c, _ in room.away] == [(number, command)]
    room.lost = False
    room.post()
    assert room.chips == [975, 2025, 3000, 6000] and room.complaints == []


def test_a_hand_that_ended_otherwise_is_told_again(room):
    room.press("next", "fold", "fold", "fold")
    assert room.chips == [975, 2025, 3000, 6000]
    room.press("undo", "all-in", "check-call", "next", "next", "next", "win", "1", "done")
    assert room.chips == [2000, 1000, 3000, 6000]


def test_who_is_out_by_the_first_telling_only_is_for_the_commissioner_to_bring_back(room):
    room.press("next", *ALL_IN, "3", "done", "4", "done", "4", "done")
    assert room.out == {WHO[0], WHO[1]}
    room.press("undo", "win", "3", "done", "4", "done", "1", "done")
    assert room.out == {WHO[0], WHO[1]}
    assert [(said.code, who) for said, who in room.complaints] == [("needs-reinstating", WHO[0])]
    assert room.work.pad.problem.code == "needs-reinstating"
    room.floor("reinstate", participant=WHO[0])
    assert room.chips == [4000, 0, 2000, 6000]
    room.floor("stacks", table=1, stacks={WHO[0]: 3900})
    room.kill()
    assert room.chips == [3900, 0, 2000, 6000]


def test_the_next_hand_waits_until_everybody_who_has_chips_is_back(room):
    room.press("next", *ALL_IN, "3", "done", "4", "done", "4", "done")
    room.press("undo", "win", "3", "done", "4", "done", "1", "done")
    room.press("next")
    assert room.round.tables[1].hand == 1
    assert room.work.pad.problem.code == "needs-reinstating"
    assert room.work.pad.problem.detail == {"participant": WHO[0]}
    room.floor("reinstate", participant=WHO[0])
    assert room.work.pad.problem is None
    assert room.chips == [4000, 0, 2000, 6000]
    room.press("next")
    assert room.round.tables[1].hand == 2
    assert {p.participant for p in room.work.hands.current.begun.players} == {WHO[0], WHO[2], WHO[3]}


def test_a_hand_without_a_stack_is_tracked_by_itself_once_the_stack_is_told(room):
    room.floor("stacks", table=1, stacks={WHO[0]: 0})
    room.press("next")
    assert room.work.pad.problem.detail == {"participant": WHO[0]} and room.work.hands.current is None
    room.floor("stacks", table=1, stacks={WHO[0]: 1500})
    assert room.work.pad.problem is None
    assert [p.stack for p in room.work.hands.current.begun.players if p.participant == WHO[0]] == [1500]


@pytest.mark.parametrize("end", [("drop",), ("fold", "fold", "fold")])
def test_a_hand_that_was_given_up_or_is_over_is_not_begun_again(room, end):
    room.press("next", *end)
    room.floor("stacks", table=1, stacks={WHO[0]: 1500})
    room.kill()
    room.floor("stacks", table=1, stacks={WHO[0]: 1600})
    assert room.work.hands.current is None


def test_what_the_director_refuses_is_shown_to_the_floor_and_the_rest_is_told(room):
    room.press("next")
    room.lost = True
    room.press(*ALL_IN, "3", "done", "4", "done", "4", "done")
    room.carry_out(uuid7(NOW, os.urandom(10)), decode_command({"do": "bust", "round": "R1", "participant": WHO[0]}))
    room.lost = False
    room.post()
    assert [(said.code, who) for said, who in room.complaints] == [("not-in-play", None)]
    assert room.work.pad.problem.code == "not-in-play"
    assert room.out == {WHO[0], WHO[1]} and room.chips[2:] == [2000, 10_000]


def test_a_hand_whose_chips_nobody_knows_is_only_counted_and_the_screen_says_why(room):
    room.floor("stacks", table=1, stacks={WHO[0]: 0})
    room.press("next")
    assert room.round.tables[1].hand == 1 and room.work.hands.current is None
    assert room.work.pad.problem.code == "no-chips"


def test_a_hand_that_the_floor_advanced_meanwhile_begins_with_the_stacks_not_told_yet(room):
    room.press("next")
    room.lost = True
    room.press("fold", "fold", "fold")
    room.floor("next_hand", table=1)
    begun = room.work.hands.current.begun
    assert begun.hand == 2 and {p.participant: p.stack for p in begun.players} == dict(
        zip(WHO, (975, 2025, 3000, 6000), strict=True)
    )


def test_busts_of_a_hand_before_are_told_even_when_the_next_one_has_begun(room):
    room.press("next")
    room.lost = True
    room.press(*SEAT_4_TAKES_IT)
    room.floor("next_hand", table=1)
    room.kill()
    room.lost = False
    room.kill()
    assert room.out == set(WHO[:3])
    assert {e.hand for e in room.round.eliminations} == {1}


def test_keys_are_those_of_the_hand_and_between_hands_the_next(room):
    assert room.work.keys(room.round) == ("next",)
    room.press("next")
    assert "fold" in room.work.keys(room.round) and "next" not in room.work.keys(room.round)
    room.lost = True
    assert isinstance(room.press("drop", "next").away[0][1], NextHand)


def test_a_hand_that_the_commissioner_takes_back_is_tracked_no_longer(room):
    room.press("next", "fold")
    room.floor("undo")
    assert room.round.tables[1].hand == 0 and room.work.hands.current is None
    assert room.work.keys(room.round) == ("next",)
    room.press("fold", "fold")
    room.kill()
    assert room.work.hands.current is None and room.told == []


@pytest.mark.parametrize("before", [0, 1])
def test_a_hand_that_is_begun_anew_begins_with_what_was_counted_since(room, before):
    for _ in range(before):
        room.press("next", "fold", "fold", "fold")
    room.press("next")
    room.floor("undo")
    room.floor("stacks", table=1, stacks=dict(zip(WHO, (1500, 1500, 3000, 6000), strict=True)))
    room.press("next")
    begun = room.work.hands.current.begun
    assert begun.hand == before + 1 == room.round.tables[1].hand
    assert {p.participant: p.stack for p in begun.players} == dict(zip(WHO, (1500, 1500, 3000, 6000), strict=True))
    room.press("fold", "fold", "fold")
    assert sum(room.chips) == 12_000 and room.chips == [room.work.hands.stacks[who] for who in WHO] != [
        *STACKS.values()
    ]


def test_a_hand_that_was_over_before_it_was_taken_back_is_tracked_again(room):
    room.press("next", "fold", "fold", "fold")
    room.floor("undo")
    room.floor("undo")
    assert room.round.tables[1].hand == 0 and room.chips == [*STACKS.values()]
    room.kill()
    room.press("next")
    assert room.work.hands.current.begun.hand == room.round.tables[1].hand == 1
    room.kill()
    room.press("fold", "fold", "fold")
    assert room.chips == [975, 2025, 3000, 6000]


def test_a_hand_before_that_counts_again_is_not_played_again(room):
    room.press("next", "fold", "fold", "fold", "next", "fold")
    room.floor("undo")
    assert room.round.tables[1].hand == 1 and room.work.hands.current is None
    assert room.work.hands.last.begun.hand == 2 and room.work.hands.last.ended is None
    room.kill()
    assert room.work.hands.current is None and room.chips == [975, 2025, 3000, 6000]


def test_a_round_that_nobody_ended_last_week_takes_no_hand_from_tonights(room):
    room.announce("R0", day=8)
    room.floor("next_hand", table=1, round="R0")
    room.press("next", "fold")
    for happens in (room.kill, lambda: room.floor("next_hand", table=1, round="R0")):
        happens()
        assert (begun := room.work.hands.current.begun) and (begun.round, begun.hand) == ("R1", 1)
    room.press("fold", "fold")
    assert room.chips == [975, 2025, 3000, 6000]


def test_who_was_moved_in_mid_hand_is_named_with_the_chips_they_bring(room):
    room.press("next", "fold", "fold")
    room.floor("move", participant=WHO[0], seat=[2, 1])
    room.press("fold")
    assert room.chips == [1000, 2025, 3000, 6000]
    assert [(said.code, dict(said.detail), who) for said, who in room.complaints] == [
        ("moved-in-hand", {"participant": WHO[0], "chips": 975}, WHO[0])
    ]
    assert room.work.pad.problem.code == "moved-in-hand"
    room.floor("stacks", table=2, stacks={WHO[0]: 975})
    room.kill()
    assert sum(room.chips) == 12_000 and len(room.complaints) == 1


def test_whoever_sits_elsewhere_at_the_same_table_since_has_what_the_hand_left(room):
    room.press("next", "fold", "fold")
    room.floor("move", participant=WHO[0], seat=[1, 9])
    room.press("fold")
    assert room.chips == [975, 2025, 3000, 6000] and room.complaints == []


def test_of_a_table_that_was_broken_in_mid_hand_everybody_is_named_whose_chips_differ(room):
    room.floor("move", participant=WHO[3], seat=[2, 1])
    room.press("next", "fold")
    room.floor("break_table", table=1)
    assert not room.round.tables[1].seats
    room.press("fold")
    assert (
        {who for said, who in room.complaints if said.code == "moved-in-hand"}
        == {player for player, chips in room.work.hands.stacks.items() if chips != STACKS[player]}
        != set()
    )


def test_a_hand_that_a_full_disk_kept_out_of_the_stream_is_taken_up_by_the_next_key(room, monkeypatch):
    full = {"now": True}
    execute = room.engine.execute

    def refuse(orders, **how):
        if full["now"] and orders[0].stream == TABLE:
            return [Told(o, Answer(False, o.stream, code="storage", detail={"where": "disk"}), ()) for o in orders]
        return execute(orders, **how)

    monkeypatch.setattr(room.engine, "execute", refuse)
    room.press("next")
    assert room.work.pad.problem.code == "storage" and room.work.hands.current is None
    full["now"] = False
    room.press("next")
    assert room.round.tables[1].hand == room.work.hands.current.begun.hand == 1
    room.press("fold", "fold")
    full["now"] = True
    room.press("fold")
    assert room.work.pad.problem.code == "storage" and room.work.hands.current is not None and room.told == []
    full["now"] = False
    room.press("fold")
    assert room.chips == [975, 2025, 3000, 6000]
