"""The director's time: who vouches for it, what the venue's stream tells of that, and the 24 hours of T-3 by it."""

from __future__ import annotations

import json
import os

import msgspec
import pytest

from appliance import kinds, timebase, timetrust
from appliance.config import Config, Device, League, Rehearsal, Venue
from appliance.duties import know_the_time
from appliance.engine import Engine, Order
from appliance.game.commands import decode_command
from appliance.game.righttime import Spell, Times
from appliance.game.roster import Roster, RosterEntry, TimeTold, fold_roster
from appliance.game.state import Phase
from appliance.intake import Here, order_of
from appliance.link.envelope import CommandMessage, Refusal
from appliance.record import uuid7
from appliance.timework import ASK_AGAIN_MS, AT_MOST_MS, BEHIND_MS, NEAR_MS, TimeWork
from appliance.trustsources import Sources
from appliance.workplace import Workplace

NOW = 1_800_000_000_000
HOUR, DAY = 3_600_000, 86_400_000
WHO, FLOOR = "000101", "000001"
OTHERS = [f"{n:06}" for n in range(102, 112)]
ANNOUNCED = {
    "do": "announce", "round": "R1", "venue": "brno", "starts_at": "2027-01-15T19:00:00+01:00", "profile": "cpl-2017",
    "deposit": 300, "shares": ["100"], "seats_per_table": 9, "levels": [{"sb": 25, "bb": 50, "minutes": 15}], "seed": 7,
}  # fmt: skip


class World:
    """What is true: the time, which nothing here can see; the wall clock; the boot; what NTP has set."""

    def __init__(self, tmp_path, monkeypatch):
        self.now, self.wall_ahead, self.boot, self.started = NOW, 0, "one", NOW - HOUR
        self.folder, self.ntp, self.battery = tmp_path, False, True
        monkeypatch.setattr(timetrust, "boot_id", lambda: self.boot)
        monkeypatch.setattr(timebase, "boot_id", lambda: self.boot)
        monkeypatch.setattr(timebase.time, "time_ns", lambda: self.wall_ms() * 1_000_000)
        monkeypatch.setattr(timebase.time, "monotonic_ns", lambda: (self.now - self.started) * 1_000_000)

    def wall_ms(self):
        return self.now + self.wall_ahead

    def passes(self, ms):
        self.now += ms

    def reboots(self, off_ms=0, wall_ahead=0):
        self.boot, self.wall_ahead = self.boot + "'", wall_ahead
        self.now += off_ms
        self.started = self.now

    def sources(self):
        world = self

        class Now(Sources):
            def ntp(self):
                return world.ntp

            def keeps_time(self):
                return world.battery

            def wall_ms(self):
                return world.wall_ms()

        return Now()


@pytest.fixture
def world(tmp_path, monkeypatch):
    return World(tmp_path, monkeypatch)


class Director:
    """A director's engine and its time, without a link; its folder is what lasts."""

    def __init__(self, world, name="director", rehearsal=None, league=""):
        self.world = world
        device = Device(data=str(world.folder / name), name=name)
        config = msgspec.structs.replace(
            Config(),
            device=device,
            venue=Venue(id="brno"),
            rehearsal=rehearsal or Rehearsal(),
            league=League(public_key=league),
        )
        self.place = Workplace(config)
        self.place.time = timebase.Timebase(self.place.time.anchor, timebase.time.monotonic_ns)
        self.journal = self.place.journal(str(world.folder / "journal"))  # one file: whoever directs has all of it
        written = [self.journal.last_at(stream) for stream in self.journal.streams()]
        self.place.move_on(max(written, default=0) + 1)
        rounds = kinds.RoundKind(times=lambda: self.time.times)
        self.engine = Engine(self.journal, {**kinds.KINDS, "round": rounds}, self.place.now_ms)
        self.roster = Roster()
        for number, role in ((FLOOR, "commissioner"), *((each, "participant") for each in (WHO, *OTHERS))):
            self.roster = fold_roster(self.roster, RosterEntry(participant=number, state="active", role=role))
        self.engine.states["league/brno"] = self.roster
        self.time = TimeWork(self.place, self.engine, world.sources())
        assert self.time.look()

    def stops(self):
        self.journal.close()

    def asks(self, do, **fields):
        """An order, or its refusal, as for a command over the link."""
        times = self.time.times
        states = {name: state for name, state in self.engine.states.items() if name.startswith("round/")}
        ledgers = {s.round.id: kinds.timed(s, times) for s in states.values() if s.round is not None}
        here = Here("brno", {"door"}, self.roster, ledgers)
        raw = msgspec.Raw(json.dumps({"do": do, "round": "R1", **fields}).encode())
        number = uuid7(NOW, os.urandom(10))
        message = CommandMessage(number, "door", FLOOR, fields.get("round", "R1"), 5000, raw)
        return order_of(message, here, self.place.now_ms())

    def does(self, do, **fields):
        order = self.asks(do, **fields)
        if isinstance(order, Refusal):
            return order.code
        [told] = self.engine.execute([order])
        return told.answer.code or "ok"

    def opens(self, round="R1"):
        announced = decode_command({**ANNOUNCED, "round": round})
        self.engine.execute([Order(uuid7(NOW, os.urandom(10)), f"round/{round}", announced)])
        assert self.does("open", round=round) == "ok"

    def registers(self, round="R1", who=WHO, **fields):
        return self.does("register", round=round, participant=who, identity_checked=True, **fields)

    def starts(self):
        assert {self.registers(who=other) for other in OTHERS} == {"ok"}
        return self.does("start")

    def confirmed(self, right, shown=None):
        shown = self.place.now_ms() if shown is None else shown
        note = kinds.TimeConfirmed(device="door", by=FLOOR, shown=shown, right=right)
        self.time.confirmed(note)

    def notes(self):
        stream = [
            raw for epoch in self.journal.epochs("venue/brno") for raw, _ in self.journal.read("venue/brno", epoch, 0)
        ]
        records = [json.loads(bytes(raw)) for raw in stream]
        return [(r["type"], r["data"].get("offset_ms")) for r in records if r["type"].startswith("time-")]


# -- who vouches -------------------------------------------------------------------------------------------------------


def test_a_new_folder_trusts_its_first_boot_where_the_machine_may_know_the_time(world):
    director = Director(world)
    assert director.time.trusted() and director.notes() == []


def test_a_machine_without_a_clock_of_its_own_trusts_nobody_until_ntp_comes(world):
    world.battery, world.wall_ahead = False, -300 * DAY
    director = Director(world)
    assert not director.time.trusted()
    assert director.notes() == [("time-doubted/1", 0)]
    assert director.time.look() and len(director.notes()) == 1  # said once
    world.ntp, world.wall_ahead = True, 0
    assert director.time.look() and director.time.trusted()
    assert director.time.right_ms() == world.now


def test_T_3_after_a_reboot_the_time_is_not_trusted_until_somebody_says_so(world):
    director = Director(world)
    director.stops()
    director = Director(world)  # the program was started again
    assert director.time.trusted()
    director.stops()
    world.reboots()
    for _ in range(2):  # another start does not help
        director = Director(world)
        assert not director.time.trusted() and director.time.times.doubted
        director.stops()
    world.ntp = True
    director = Director(world)
    assert director.time.trusted() and not director.time.times.doubted
    world.ntp = False
    assert director.time.look() and director.time.trusted()


def test_after_a_reboot_that_ntp_knows_of_nothing_is_written(world):
    Director(world).stops()
    world.reboots()
    world.ntp = True
    director = Director(world)
    assert director.time.trusted() and director.notes() == []


def test_a_rehearsals_time_is_its_own(world):
    world.battery = False
    director = Director(world, rehearsal=Rehearsal(speed=60, start_ms=NOW - 40 * DAY))
    assert director.time.trusted(NOW + DAY) and director.notes() == []


def test_T_3_a_time_that_the_leagues_word_is_ahead_of_is_not_trusted(world):
    director = Director(world)
    assert director.time.trusted(world.now + BEHIND_MS // 2)
    assert not director.time.trusted(world.now + BEHIND_MS + 1)
    assert not director.time.trusted(world.now)  # the same boot, the same wrong time
    assert director.time.look() and director.time.times.doubted
    world.ntp = True
    assert director.time.look() and director.time.trusted(world.now)


def test_a_trust_that_cannot_be_read_is_none(world):
    Director(world).stops()
    (world.folder / "director" / "time-trusted").write_bytes(b"\xff")
    assert not Director(world).time.trusted()


def test_a_commissioner_confirms_the_time_and_ntp_knows_better(world):
    world.battery, world.wall_ahead = False, -3 * HOUR
    director = Director(world)
    director.opens()
    assert director.registers() == "ok" and director.starts() == "ok"
    before = director.place.now_ms()
    director.confirmed(world.now + 2 * NEAR_MS)  # a watch that goes wrong
    assert director.time.trusted() and director.time.right_ms() == world.now + 2 * NEAR_MS
    world.ntp, world.wall_ahead = True, 0
    assert director.time.look() and director.time.right_ms() == world.now
    world.wall_ahead = NEAR_MS  # a little is no reason to say so again
    assert director.time.look() and director.time.right_ms() == world.now
    assert director.place.now_ms() == before  # while a round is played its time does not step
    assert [offset for _, offset in director.notes()] == [0, 3 * HOUR + 2 * NEAR_MS, 3 * HOUR]


def test_a_confirmation_that_comes_late_tells_as_much(world):
    world.battery, world.wall_ahead = False, -3 * HOUR
    director = Director(world)
    shown, right = director.place.now_ms(), world.now
    world.passes(40_000)
    director.confirmed(right, shown)
    assert director.time.right_ms() == world.now


# -- the time is set forward between rounds, never while one is played, never back -------------------------------------


def test_a_time_that_is_behind_is_set_forward_once_no_round_is_played(world):
    world.battery, world.wall_ahead = False, -3 * HOUR
    director = Director(world)
    director.opens()
    assert director.registers() == "ok" and director.starts() == "ok"
    director.confirmed(world.now)
    assert director.place.now_ms() == world.now - 3 * HOUR
    assert director.time.look() and director.place.now_ms() == world.now - 3 * HOUR
    finish(director)
    assert director.time.look()
    assert director.place.now_ms() == world.now == director.time.right_ms()


def finish(director):
    ledger = director.engine.states["round/R1"]
    over = msgspec.structs.replace(ledger.round, phase=Phase.FINISHED)
    director.engine.states["round/R1"] = msgspec.structs.replace(ledger, round=over)


def test_a_time_that_is_ahead_is_never_set_back(world):
    world.battery, world.wall_ahead = False, 2 * DAY
    director = Director(world)
    director.confirmed(world.now)
    assert director.place.now_ms() == world.now + 2 * DAY and director.time.right_ms() == world.now


# -- the 24 hours ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ahead", [-3 * HOUR, 2 * DAY, -10_000 * HOUR])
def test_T_3_a_deposit_before_the_time_was_trusted_counts_for_24_hours_of_right_time(world, ahead):
    world.battery, world.wall_ahead = False, ahead
    director = Director(world)
    director.opens()
    director.opens("R2")
    assert director.registers() == "ok"  # 300 of 500 crowns
    paid = world.now
    world.passes(HOUR)
    director.confirmed(world.now)
    world.now = paid + DAY - 1
    assert director.registers("R2") == "deposit-limit"
    world.now = paid + DAY
    assert director.registers("R2") == "ok"


@pytest.mark.parametrize("ahead", [-3 * HOUR, 2 * DAY])
def test_T_3_a_deposit_told_of_elsewhere_counts_from_its_own_right_time(world, ahead):
    world.battery, world.wall_ahead = False, ahead
    director = Director(world)
    director.opens()
    director.confirmed(world.now)
    told = [["2027-01-14T21:00:00+01:00", 300]]
    there = NOW - 12 * HOUR
    world.now = there + DAY - 1
    assert director.registers(deposits_24h=told) == "deposit-limit"
    world.now = there + DAY
    assert director.registers(deposits_24h=told) == "ok"


@pytest.mark.parametrize("ahead", [-3 * HOUR, 2 * DAY, 0])
def test_T_3_a_sum_told_of_elsewhere_counts_as_of_now_even_if_the_time_is_trusted_only_later(world, ahead):
    world.battery, world.wall_ahead = False, ahead
    director = Director(world)
    director.opens()
    assert director.registers(deposits_24h=200) == "ok"
    assert director.starts() == "ok"
    paid = world.now
    director.confirmed(world.now)
    world.now = paid + DAY - 1
    assert director.does("deposit", participant=WHO, amount=100) == "deposit-limit"
    world.now = paid + DAY
    assert director.does("deposit", participant=WHO, amount=100) == "ok"


def test_T_3_after_a_reboot_nobody_knows_how_long_ago_a_deposit_was_until_the_time_is_trusted(world):
    director = Director(world)
    director.opens()
    director.opens("R2")
    assert director.registers() == "ok"
    paid = world.now
    director.stops()
    world.reboots(off_ms=HOUR, wall_ahead=2 * DAY)  # what it comes up with is two days ahead
    director = Director(world)
    assert director.registers("R2") == "deposit-limit"
    director.confirmed(world.now)
    assert director.registers("R2") == "deposit-limit"
    world.now = paid + DAY - 1
    assert director.registers("R2") == "deposit-limit"
    world.now = paid + DAY
    assert director.registers("R2") == "ok"


def test_T_3_what_was_learned_holds_after_a_reboot_with_another_wrong_clock(world):
    world.battery, world.wall_ahead = False, 2 * DAY
    director = Director(world)
    director.opens()
    director.opens("R2")
    assert director.registers() == "ok"
    paid = world.now
    director.confirmed(world.now)
    director.stops()
    world.reboots(off_ms=HOUR, wall_ahead=-500 * DAY)
    world.ntp = False
    director = Director(world)
    world.ntp, world.wall_ahead = True, 0
    assert director.time.look() and director.time.right_ms() == world.now
    world.now = paid + DAY - 1
    assert director.registers("R2") == "deposit-limit"
    world.now = paid + DAY
    assert director.registers("R2") == "ok"


@pytest.mark.parametrize("doubted", [True, False])
def test_T_3_who_takes_over_goes_on_with_the_evenings_time_and_its_trust(world, doubted):
    world.battery, world.wall_ahead = False, -3 * HOUR
    director = Director(world)
    director.opens()
    director.opens("R2")
    assert director.registers() == "ok"
    paid = world.now
    assert director.starts() == "ok"
    if not doubted:
        director.confirmed(world.now)
    known = director.place.now_ms()
    director.stops()
    (world.folder / "b").mkdir()
    anchor = timebase.Anchor(world.boot, (world.now - world.started) * 1_000_000, known)
    (world.folder / "b" / "anchor.json").write_bytes(msgspec.json.encode(anchor))
    timetrust.hand_on(world.folder / "b", known=True)
    world.passes(HOUR)
    director = Director(world, "b")
    assert director.time.trusted() is not doubted
    assert director.place.now_ms() == known + HOUR
    if doubted:
        director.confirmed(world.now)
    world.now = paid + DAY - 1
    assert director.registers("R2") == "deposit-limit"
    world.now = paid + DAY
    assert director.registers("R2") == "ok"


def test_who_takes_over_without_the_evenings_time_is_not_trusted(world):
    Director(world).stops()
    (world.folder / "b").mkdir()
    timetrust.hand_on(world.folder / "b", known=False)
    assert not Director(world, "b").time.trusted()


# -- pure --------------------------------------------------------------------------------------------------------------


def test_a_spell_holds_from_its_first_moment_on():
    times = Times((Spell(1000, 7), Spell(2000, -5)))
    assert [times.right(at) for at in (999, 1000, 1999, 2000)] == [999, 1007, 2006, 1995]
    assert times.age_known(0) and not times.doubted
    doubted = Times((Spell(1000, 7), Spell(2000, 0, True)))
    assert (doubted.age_known(1999), doubted.age_known(2000)) == (False, True)


def test_where_the_machine_is_asked(tmp_path, monkeypatch):
    told = tmp_path / "synchronized"
    sources = Sources(told, tmp_path / "none", libc="no-such-library.so")
    assert not sources.ntp() and sources.keeps_time()
    told.touch()
    assert sources.ntp()
    (tmp_path / "none").mkdir()
    assert not sources.keeps_time()  # a kernel that knows of clocks, and has none
    (tmp_path / "none" / "rtc0").mkdir()
    assert sources.keeps_time()
    monkeypatch.setattr("appliance.trustsources.time.time_ns", lambda: 0)
    assert not sources.ntp() and not sources.keeps_time()  # nobody has set what says 1970


def test_CK_1_a_table_whose_clock_is_days_ahead_moves_no_directors_time(world):
    director = Director(world)
    director.opens()
    before = director.place.now_ms()
    ahead = Engine(director.journal, kinds.KINDS, lambda: before + 3 * DAY)
    ahead.execute([Order(uuid7(NOW, os.urandom(10)), "table/brno-1", kinds.HandOpened(round="R1", table=1, hand=1))])
    know_the_time(director.place, director.journal)
    assert 0 <= director.place.now_ms() - before <= 1


# -- the league's word -------------------------------------------------------------------------------------------------


def asked(director):
    """The director's last question to the league, if it has asked."""
    note = director.time._notes.get("time-asked/1")
    return note.ask if note else None


def with_a_league(world):
    world.battery, world.wall_ahead = False, -3 * HOUR
    director = Director(world, league="ab" * 32)
    director.time.ask_league()
    return director


def test_the_league_is_asked_now_and_then_while_nobody_vouches_for_the_time(world):
    director = with_a_league(world)
    first = asked(director)
    world.passes(ASK_AGAIN_MS - 1)
    director.time.ask_league()
    assert first is not None and asked(director) == first
    world.passes(1)
    director.time.ask_league()
    assert asked(director) != first
    director.confirmed(world.now)
    world.passes(ASK_AGAIN_MS)
    again = asked(director)
    director.time.ask_league()
    assert asked(director) == again
    world.battery = False
    lonely = Director(world, "lonely")
    lonely.time._trust.doubt()
    lonely.time.ask_league()
    assert asked(lonely) == again  # where no league is known nobody is asked


@pytest.mark.parametrize("took", [0, 10_000, AT_MOST_MS])
@pytest.mark.parametrize("on_its_way", [True, False])  # the answer, or the question
def test_the_leagues_answer_is_right_to_half_of_what_it_took(world, took, on_its_way):
    director = with_a_league(world)
    world.passes(took)
    director.time.league_told(TimeTold(ask=asked(director), at=world.now - (took if on_its_way else 0)))
    assert director.time.trusted() and abs(director.time.right_ms() - world.now) <= took / 2


def test_an_answer_that_took_too_long_or_that_nobody_asked_for_tells_nothing(world):
    director = with_a_league(world)
    director.time.league_told(TimeTold(ask="another", at=world.now))
    director.time.league_told(None)
    assert not director.time.trusted()
    world.passes(AT_MOST_MS + 1)
    director.time.league_told(TimeTold(ask=asked(director), at=world.now))
    assert not director.time.trusted()
