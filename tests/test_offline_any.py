"""Commands of a table that are delayed, doubled, reordered, lost, undone and told to another director: none does harm.

Two journals: the director's and the table's, which has a copy of the round. Between them a wire that keeps what it
likes and brings it whenever, and as often as, it likes, until the command's life is over.
"""

import json
import os
import random

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance import kinds
from appliance.engine import Engine, Order
from appliance.game.commands import NextHand, decode_command
from appliance.game.state import Phase
from appliance.journal import Journal
from appliance.link.envelope import Refusal, Reply
from appliance.link.lan import NO_ANSWER
from appliance.record import uuid7
from appliance.tablework import TableWork
from tests.test_offline import Cut
from tests.test_tablework import LEVELS, NOW, ROUND, STACKS, TABLE, WHO
from tests.test_tablework_any import Evening

FOLDED = ("fold", "fold", "fold")
KEYS = (FOLDED, (*FOLDED, "next"), ("next",), ("next",), ("fold",), ("check-call",), ("all-in",), ("undo",))


class Venue:
    """A director, a table, and the wire between them."""

    def __init__(self, path, seed, tracks):
        self.path, self.tracks, self.chance = path, tracks, random.Random(seed)
        self.now = NOW
        self.directors = 0
        self.wire, self.told, self.replies, self.meant = [], {}, [], {}
        self.there = True
        self.direct()
        self.table_journal = None
        self.announce()
        self.begin()

    # -- the programs

    def _engine(self, name, device):
        key = Ed25519PrivateKey.from_private_bytes(bytes(32))
        journal = Journal(self.path / name, device=device, key=key)
        return journal, Engine(journal, kinds.KINDS, lambda: self.now)

    def direct(self):
        """A director begins, on what the one before had that the table has, too."""
        self.directors += 1
        self.journal, self.engine = self._engine(f"director-{self.directors}", f"director-{self.directors}")

    def begin(self):
        """The table's program begins."""
        if self.table_journal is not None:
            self.table_journal.close()
        self.table_journal, self.table = self._engine("table", "table-1")
        self.table.own_epoch(TABLE, "start")
        self.told, self.replies = {}, []
        self.work = TableWork(
            self.table, TABLE, 1, self.tracks, self.send, self.fresh_id, lambda *said: None,
            reachable=lambda: self.there, now_ms=lambda: self.now,
        )  # fmt: skip
        copy = self.table.state(ROUND).round
        self.work.start([copy] if copy else [])
        self.copy()

    def take_over(self):
        """Another director, from the table's copy, with a broker of its own: it hears only what still waits for an
        answer."""
        self.journal.close()
        self.direct()
        for epoch in self.table_journal.epochs(ROUND):
            self.journal.absorb(ROUND, epoch, self.table_journal.read(ROUND, epoch))
        self.engine.catch_up(ROUND)
        self.engine.own_epoch(ROUND, "takeover")
        self.replies, self.wire = [], [each for each in dict(self.wire).items() if each[0] in self.told]
        self.copy()

    def fresh_id(self):
        return uuid7(self.now, os.urandom(10))

    def announce(self):
        self.floor("announce", venue="brno", starts_at="2027-01-15T19:00:00+01:00", profile="cpl-2017", deposit=300,
                   shares=["100"], seats_per_table=9, levels=LEVELS * 3, seed=7)  # fmt: skip
        self.floor("open")
        for number in WHO:
            self.floor("register", participant=number, identity_checked=True)
        self.floor("start", seats={number: [1, seat] for seat, number in enumerate(WHO, 1)}, button=4)
        self.floor("stacks", table=1, stacks=STACKS)

    # -- what happens

    def floor(self, do, **fields):
        command = decode_command({"do": do, "round": "R1", **fields})
        self.engine.execute([Order(self.fresh_id(), ROUND, command)])

    def send(self, number, command, ttl_ms, told):
        self.told[number] = told
        self.wire.append((number, command))
        offer = self.work.offline.find(number)
        shown = self.work.offline.ledger("R1").round.tables[1].hand
        self.meant.setdefault(number, offer.hand if offer else shown + isinstance(command, NextHand))

    def deliver(self, at, keep):
        """A command arrives, once more or for the last time; known ones change nothing."""
        number, command = self.wire[at] if keep else self.wire.pop(at)
        before, known = self.ledger, self.engine.carried_out(ROUND, number)
        [told] = self.engine.execute([Order(number, ROUND, command, "table", "table-1")])
        answer = told.answer
        if known:
            assert answer.ok and not told.records and self.ledger is before
        elif answer.ok:
            later = 0 if isinstance(command, NextHand) else 1  # a count is what the next hand began with, too
            assert self.round.tables[1].hand - self.meant[number] in (0, later)
        refusal = None if answer.ok else Refusal(answer.code, msgspec.Raw(json.dumps(answer.detail).encode()))
        self.replies.append(Reply(number, answer.ok, ROUND, answer.epoch or None, answer.seq, refusal))

    def copy(self):
        """The table gets what the director has."""
        for epoch in self.journal.epochs(ROUND):
            here = self.table_journal.head(ROUND, epoch)
            rows = self.journal.read(ROUND, epoch, here.seq if here else 0)
            if rows:
                self.table_journal.absorb(ROUND, epoch, rows)
        self.table.catch_up(ROUND)
        here = self.table.state(ROUND).round
        self.work.round_changed(here)
        if all(self.table.carried_out(ROUND, offer.id) for offer in self.work.offline.pending):
            assert self.work.offline.round(here) is here  # whatever the floor has undone of it since

    def answer(self, lost):
        """Answers come when their events are here, or never."""
        self.copy()
        replies, self.replies = self.replies, []
        for reply in replies:
            told = None if lost else self.told.pop(reply.id, None)
            if told is not None:
                told(reply)

    def expire(self):
        """The life of all that waits is over: it will arrive no more, the offers go again."""
        self.wire, told, self.told = [], self.told, {}
        for number, hear in told.items():
            hear(Reply(number, ok=False, refusal=Refusal(NO_ANSWER)))

    def go(self, there):
        self.there = there
        self.work.reached()

    def happen(self):
        what, chance = self.chance.random(), self.chance
        self.now += chance.randrange(20_000)
        if what < 0.45:
            for key in chance.choice(KEYS) if self.tracks else ("next",):
                self.work.press(key, self.table.state(ROUND).round)
        elif what < 0.65 and self.wire and self.there:
            self.deliver(chance.randrange(len(self.wire)), keep=chance.random() < 0.4)
        elif what < 0.78 and self.there:
            self.answer(lost=chance.random() < 0.2)
        elif what < 0.83:
            self.go(not self.there)
        elif what < 0.87:
            self.expire()
        elif what < 0.90:
            self.begin()
        elif what < 0.93:
            self.copy()
            self.take_over()
        else:
            do = chance.choice(["undo", "undo", "redo", "next_hand", "next_level"])
            fields = {"table": 1, "seen": self.round.tables[1].hand} if do == "next_hand" else {}
            if do != "undo" or self.ledger.undoable > 8:  # the evening has begun
                self.floor(do, **fields)

    def quiet(self):
        """Everybody is there, everything arrives and is answered."""
        self.go(True)
        for _ in range(200):
            while self.wire:
                self.deliver(0, keep=False)
            self.answer(lost=False)
            if self.told:
                self.expire()
            if not self.wire and not self.work.offline.pending and not self.told:
                break
            self.work.reached()

    # -- what must be so

    @property
    def ledger(self):
        return self.engine.state(ROUND)

    @property
    def round(self):
        return self.ledger.round

    def written(self):
        """The director's records, in the history that counts."""
        return [json.loads(raw) for epoch in self.journal.epochs(ROUND) for raw, _ in self.journal.read(ROUND, epoch)]

    def of_table(self, name):
        epochs = self.table_journal.epochs(TABLE)
        found = [json.loads(raw) for epoch in epochs for raw, _ in self.table_journal.read(TABLE, epoch)]
        return [record["data"] for record in found if record["type"] == name]

    def check(self):
        round, table = self.round, self.round.tables[1]
        assert self.work.offline.round(self.table.state(ROUND).round) == round
        assert Engine(self.journal, kinds.KINDS, lambda: 0).state(ROUND).round == round
        self.each_command_counts_once()
        self.every_offer_is_answered_as_it_was()
        if round.phase is Phase.RUNNING:
            assert sum(player.chips for player in round.players.values()) == sum(STACKS.values())
            level = max(1, table.level)
            assert (table.small_blind, table.big_blind) == (LEVELS[0]["sb"], LEVELS[0]["bb"]) and level <= 3

    def each_command_counts_once(self):
        begun = [record["cause"] for record in self.written() if record["type"] == "hand-started/1"]
        counted = [record["cause"] for record in self.written() if record["type"] == "stacks-counted/1"]
        assert len(begun) == len(set(begun)) and len(counted) == len(set(counted))
        out = [elimination.participant for elimination in self.round.eliminations]
        assert len(out) == len(set(out))

    def every_offer_is_answered_as_it_was(self):
        offered = [offer["id"] for offer in self.of_table("offered/1")]
        answered = {said["id"]: said["ok"] for said in self.of_table("offered-answered/1")}
        assert len(offered) == len(set(offered)) and set(answered) == set(offered)
        for number, ok in answered.items():
            assert self.engine.carried_out(ROUND, number) is ok


@pytest.mark.parametrize("tracks", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_delayed_doubled_reordered_and_undone_commands_of_a_table_do_no_harm(tmp_path, seed, tracks):
    venue = Venue(tmp_path, seed, tracks)
    for _ in range(4):
        for _ in range(40):
            venue.happen()
        venue.quiet()
        venue.check()


def test_what_a_director_alone_carried_out_is_asked_of_the_next_one_again(tmp_path):
    venue = Venue(tmp_path, 0, tracks=False)
    venue.go(False)
    venue.work.press("next", venue.round)
    [offer] = venue.work.offline.pending
    venue.go(True)
    [epoch] = venue.journal.epochs(ROUND)
    before = venue.journal.read(ROUND, epoch)
    venue.deliver(0, keep=False)
    venue.copy()  # and so has the table, but no other device
    assert venue.table.carried_out(ROUND, offer.id)
    venue.journal.close()
    venue.direct()
    venue.journal.absorb(ROUND, epoch, before)
    venue.engine.catch_up(ROUND)
    venue.engine.own_epoch(ROUND, "takeover")
    venue.replies = []
    venue.copy()
    assert not venue.table.carried_out(ROUND, offer.id)
    assert venue.work.offline.ledger("R1").round.tables[1].hand == 1
    venue.quiet()
    venue.check()
    assert venue.round.tables[1].hand == 1


class CutOff(Evening):
    """An evening in which the director goes and comes."""

    def __init__(self, path, seed):
        super().__init__(path, seed, Cut)

    def happen(self):
        if self.chance.random() < 0.04:
            (self.room.cut if self.room.reachable else self.room.back)()
        else:
            super().happen()

    def quiet(self):
        self.room.back()
        super().quiet()
        assert not self.room.pending


@pytest.mark.parametrize("seed", range(8))
def test_T_7_a_table_and_its_round_agree_though_the_director_goes_and_comes(tmp_path, seed):
    evening = CutOff(tmp_path / "journal", seed)
    for _ in range(6):
        for _ in range(40):
            evening.happen()
        evening.quiet()
