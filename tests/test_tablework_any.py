"""Whatever is pressed, lost, killed and ordered by the floor: a table and its round agree when all is quiet again."""

import random

import pytest

from appliance import kinds
from appliance.engine import Engine
from appliance.game.state import Phase, Status
from tests.test_tablework import NOW, ROUND, TABLE, WHO, Room

ALL = 4 * 12_000
KEYS = (
    *("fold", "check-call", "all-in", "raise", "push", "plus", "next", "win", "done", "undo", "back", "seat", "show"),
    *("muck", "cards", "dead", "menu", "00", *"0123456789", *"AKQJTshdc", *(f"seat-{n}" for n in range(1, 10))),
)
FLOOR = (
    ("next_hand", {"table": 1}), ("next_level", {}), ("pause", {}), ("resume", {}), ("balance", {}),
    ("hand_for_hand", {"on": True}), ("hand_for_hand", {"on": False}), ("break_table", {"table": 1}),
)  # fmt: skip
OF_A_PLAYER = ("absent", "present", "sit_out", "move")
UNSETTLED = ("needs-reinstating", "moved-in-hand")
"""What the table tells the commissioner to put right: until then the round has it otherwise."""


class Evening:
    """A table on which anything happens; the chips of the round are as many as were handed out."""

    def __init__(self, path, seed, room=Room):
        self.chance = random.Random(seed)
        self.counted_after = 0
        self.room = room(path)
        split = sorted(self.chance.sample(range(1, ALL), 3))
        stacks = [b - a for a, b in zip([0, *split], [*split, ALL], strict=True)]
        self.room.floor("stacks", table=1, stacks=dict(zip(WHO, stacks, strict=True)))

    def happen(self):
        what = self.chance.random()
        if what < 0.02:
            for number, command, _ in self.room.away[: self.chance.randrange(3)]:
                self.room.carry_out(number, command)  # it has arrived, its answer never will
            self.room.kill()
        elif what < 0.05:
            self.room.lost = not self.room.lost
            self.room.post()
        elif what < 0.08:
            self.floor()
        else:
            sensible = self.room.work.keys(self.room.round)
            rare = self.chance.random() < 0.02
            self.room.press(self.chance.choice([key for key in sensible if rare or key != "drop"] or KEYS))
            if what > 0.7:
                self.room.press(self.chance.choice(KEYS))

    def floor(self):
        what = self.chance.random()
        if what < 0.35:
            self.count()
            return
        if what < 0.7:
            do, fields = self.chance.choice(FLOOR)
        else:
            do = self.chance.choice(OF_A_PLAYER)
            fields = {"participant": self.chance.choice(WHO)}
            fields |= {"seat": [self.chance.choice([1, 2]), self.chance.randrange(1, 10)]} if do == "move" else {}
        self.room.floor(do, **fields)

    def count(self):
        """The commissioner counts all players of a hand, and finds no chip too many or too few."""
        hands, round = self.room.work.hands, self.room.round
        told = hands.current or hands.last
        if told is None or round.phase is not Phase.RUNNING or told.begun.hand != round.tables[1].hand:
            return
        if hands.current is None and told.ended is not None:
            self.counted_after = told.begun.hand
        known = hands.stacks if told.ended else {player.participant: player.stack for player in told.begun.players}
        here = [who for who, chips in known.items() if chips]
        if len(here) < 2 or any((at := round.players[who].seat) is None or at.table != 1 for who in known):
            return  # some of its chips are elsewhere
        one, other = self.chance.sample(here, 2)
        moved = self.chance.randrange(known[one])
        stacks = {who: known[who] for who in here} | {one: known[one] - moved, other: known[other] + moved}
        self.room.floor("stacks", table=1, stacks=stacks)

    def quiet(self):
        """The network is back and all was answered."""
        self.room.lost = False
        self.room.post()
        self.room.kill()
        assert not self.room.away
        self.replay_gives_what_is_shown()
        self.each_is_out_once()
        self.hands_keep_their_chips()
        if not any(said.code in UNSETTLED for said, _ in self.room.complaints):
            self.the_round_has_the_tables_stacks()

    def replay_gives_what_is_shown(self):
        live, again = self.room.engine, Engine(self.room.journal, kinds.KINDS, lambda: NOW)
        assert live.state(ROUND).round == again.state(ROUND).round
        mine, told = live.state(TABLE), again.state(TABLE)
        assert (mine.hands.now, mine.notes, mine.ending) == (told.hands.now, told.notes, told.ending)

    def each_is_out_once(self):
        out = [elimination.participant for elimination in self.room.round.eliminations]
        assert len(out) == len(set(out))

    def hands_keep_their_chips(self):
        for told in self.room.work.hands.log:
            if told.ended is not None:
                assert sum(told.ended.stacks.values()) == sum(player.stack for player in told.begun.players)

    def the_round_has_the_tables_stacks(self):
        round, hands = self.room.round, self.room.work.hands
        taken = sum(elimination.taken for elimination in round.eliminations)  # table broken without them (S-4)
        assert sum(self.room.chips) + taken == ALL
        last = hands.last
        if last is not None and last.begun.hand == self.counted_after == round.tables[1].hand:
            return  # the commissioner is believed, whatever the table had told
        if hands.current is not None or last is None or last.ended is None or round.phase is not Phase.RUNNING:
            return
        if last.begun.hand == round.tables[1].hand:
            here = [who for who in last.ended.stacks if (p := round.players[who]).seat and p.seat.table == 1]
            assert {who: round.players[who].chips for who in here} == {who: last.ended.stacks[who] for who in here}
            assert all(last.ended.stacks[who] for who in here if round.players[who].status is Status.IN)


@pytest.mark.parametrize("seed", range(40))
def test_T_7_a_table_and_its_round_agree_whatever_happened(tmp_path, seed):
    evening = Evening(tmp_path / "journal", seed)
    for _ in range(6):
        for _ in range(40):
            evening.happen()
        evening.quiet()
