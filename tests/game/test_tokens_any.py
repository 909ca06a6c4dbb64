"""T-3 over all venues, whatever happens between them: nobody ever has more than 500 CZK in any 24 hours.

A league and three venues by the code that they run: links that delay and break off, doubled and reordered delivery,
reboots with clocks that are hours off, directors that are followed by others and go on writing unawares, undo, redo,
cancelled rounds. What it takes for granted: whoever takes over lacks nothing that gave money back, and a director who
was followed, and does not know it yet, gives none back (`docs/protocol.md`).
"""

from __future__ import annotations

import json
import random
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from appliance import allowance
from appliance.allowancenotes import AllowanceReturned
from appliance.engine import Order
from appliance.game import tokens
from appliance.game.commands import decode_command
from appliance.game.league_event import RosterEvent
from appliance.game.refusal import Refusal
from appliance.game.roster import AllowanceEnded, AllowanceGiven, AllowancePolicy, Roster, RosterEntry, fold_roster
from appliance.game.round import INITIAL, decide, fold
from appliance.game.state import Ledger, Round, Status
from appliance.game.tokens import DAY_MS, EARLY_MS, Account, Spent
from appliance.intake import Here, order_of
from appliance.link.envelope import CommandMessage
from appliance.record import uuid7
from appliance.tokenwork import Standing, returns

NOON = 1_800_010_800_000
MINUTE, HOUR = 60_000, 3_600_000
PEOPLE = ("000101",)
FLOOR = "000001"
VENUES = ("brno", "praha", "zabreh")
WHERE = st.sampled_from(("", "", "", *VENUES))
"""A venue; empty: the one that has the token as the league sees it, or had it last."""
SELDOM = st.integers(0, 3).map(lambda chance: chance == 0)


class Wrote(NamedTuple):
    """A record of a director: an event of a round, or a note. ``back``: it gave money back."""

    round: str
    what: Any
    at: int
    cause: str
    back: bool = False


def _rounds(venue: str) -> dict[str, Ledger]:
    """One round that is played, with three who fill it, and one whose door is open."""
    ledgers = {}
    for kind in ("played", "open"):
        round, ledger = f"{venue}-{kind}", INITIAL
        announced = {
            "do": "announce", "venue": venue, "starts_at": "2027-01-15T19:00:00+01:00", "profile": "tda-2024",
            "deposit": 100 if kind == "played" else 350, "shares": ["60", "40"], "seats_per_table": 9, "seed": 1,
            "late_registration": True, "reentry": True, "levels": [{"sb": 25, "bb": 50, "minutes": 1440}],
        }  # fmt: skip
        fillers = [{"do": "register", "participant": f"00020{n}", "identity_checked": True} for n in range(3)]
        start = [*fillers, {"do": "start"}] if kind == "played" else []
        for n, fields in enumerate([announced, {"do": "open"}, *start]):
            events = decide(ledger, decode_command({"round": round, **fields}), NOON - HOUR, str(n), seed=3)
            assert isinstance(events, tuple), events
            for event in events:
                ledger = fold(ledger, event, NOON - HOUR, str(n))
        ledgers[round] = ledger
    return ledgers


ROUNDS = {venue: _rounds(venue) for venue in VENUES}
ROSTER = Roster()
for _number in (*PEOPLE, FLOOR):
    _role = "commissioner" if _number == FLOOR else "participant"
    ROSTER = fold_roster(ROSTER, RosterEntry(participant=_number, state="active", role=_role))
ROSTER = fold_roster(ROSTER, AllowancePolicy(in_force=True))


class Director:
    """Who directs a venue, or thinks so: the records here, and what was heard of the league's stream."""

    def __init__(self, venue: str, number: int, log: list[Wrote], heard: list[RosterEvent], offset: int) -> None:
        self.venue, self.epoch, self.number = venue, f"{number}-0123456789abcdef", number
        self.fork, self.log, self.offset, self.trusted = len(log), [], offset, True
        self.ledgers = dict(ROUNDS[venue])
        self.notes: dict[str, Any] = {}
        self.roster, self.heard = ROSTER, 0
        self.moved_on = 0
        for event in heard:
            self.hear(event)
        for wrote in log:
            self.write(wrote)

    def now(self, true: int) -> int:
        return max(true + self.offset, self.moved_on)

    def hear(self, event: RosterEvent) -> None:
        self.roster, self.heard = fold_roster(self.roster, event), self.heard + 1

    def write(self, wrote: Wrote) -> None:
        self.log.append(wrote)
        self.moved_on = max(self.moved_on, wrote.at)
        if wrote.round:
            self.ledgers[wrote.round] = fold(self.ledgers[wrote.round], wrote.what, wrote.at, wrote.cause)
        else:
            self.notes[wrote.what.participant] = wrote.what

    def rounds(self) -> tuple[Round, ...]:
        return tuple(ledger.round for ledger in self.ledgers.values() if ledger.round is not None)

    def standing(self) -> Standing:
        return Standing(self.roster, self.notes, self.rounds(), self.epoch)

    def in_here(self, who: str) -> list[Spent]:
        return allowance.in_rounds(self.rounds(), who)

    def trusts(self, true: int) -> bool:
        return self.trusted and abs(self.now(true) - true) < EARLY_MS

    def give(self, true: int, count: int, round: str, do: str, **fields: Any) -> bool:
        """Give a command as it comes over the link; whether it was carried out."""
        here, now = self.standing(), self.now(true)
        may = allowance.allowances(here.roster, here.epoch, here.given_back, now, self.trusts(true))
        id = uuid7(now, count.to_bytes(10, "big"))
        body = msgspec.Raw(json.dumps({"do": do, "round": round, **fields}).encode())
        message = CommandMessage(id, "floor", FLOOR, round, 60_000, body)
        order = order_of(message, Here(self.venue, {"floor"}, self.roster, self.ledgers, {}, may), now)
        if not isinstance(order, Order):
            return False
        decided = decide(self.ledgers[round], order.command, now, id, seed=3)
        if isinstance(decided, Refusal):
            return False
        before = {who: sum(spent.amount for spent in self.in_here(who)) for who in PEOPLE}
        for event in decided:
            self.write(Wrote(round, event, now, id))
        if any(sum(spent.amount for spent in self.in_here(who)) < before[who] for who in PEOPLE):
            self.log[-1] = self.log[-1]._replace(back=True)
        return True

    def settle(self, true: int) -> None:
        """Give back what is to be given back, as the director does on every beat."""
        for note in returns(self.standing(), self.now(true)):
            self.write(Wrote("", note, self.now(true), ""))


class Link:
    """What of a venue the league has heard, and how far it took notes from it, by epoch."""

    def __init__(self, newest: Director) -> None:
        self.newest = newest
        self.taken = 0


class Tokens(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.true, self.count = NOON, 0
        self.offset, self.last = 0, VENUES[0]
        self.accounts = {who: Account() for who in PEOPLE}
        self.told: dict[str, list[RosterEvent]] = {venue: [] for venue in VENUES}
        self.directors = {venue: [Director(venue, 1, [], [], 0)] for venue in VENUES}
        self.links = {venue: Link(chain[0]) for venue, chain in self.directors.items()}

    # -- time --------------------------------------------------------------------------------------------

    @rule(passed=st.sampled_from((1, 1, MINUTE, MINUTE, 10 * MINUTE, HOUR, HOUR, 5 * HOUR, 13 * HOUR, DAY_MS - 1)))
    def time_passes(self, passed):
        self.true += passed

    @rule(who=st.sampled_from(PEOPLE), minutes=st.integers(-25, 25), seldom=SELDOM)
    def a_token_is_near_its_end(self, who, minutes, seldom):
        live = self.accounts[who].live
        if seldom and live is not None:
            self.true = max(self.true, live.until + minutes * MINUTE)

    @rule(offset=st.integers(-9 * MINUTE, 9 * MINUTE))
    def the_leagues_clock_is_set(self, offset):
        self.offset = offset

    @rule(venue=st.sampled_from(VENUES), hours=st.integers(-30, 30), seldom=SELDOM)
    def a_director_reboots(self, venue, hours, seldom):
        if not seldom:
            return
        director = self.directors[venue][-1]
        director.trusted, director.offset = False, hours * HOUR + 7

    @rule(venue=st.sampled_from(VENUES), offset=st.integers(-EARLY_MS + 1, EARLY_MS - 1))
    def time_is_trusted_again(self, venue, offset):
        director = self.directors[venue][-1]
        director.trusted, director.offset = True, offset

    # -- the league --------------------------------------------------------------------------------------

    @rule(
        venue=st.sampled_from(VENUES), who=st.sampled_from(PEOPLE), hours=st.sampled_from((1, 9, 18, 18)),
        reached=st.sampled_from((True, True, False)),
    )  # fmt: skip
    def the_league_gives(self, venue, who, hours, reached):
        known = self.links[venue].newest
        self.count += 1
        now = self.true + self.offset
        self.accounts[who], token = tokens.give(
            self.accounts[who], who, venue, known.epoch, now + hours * HOUR, now, f"{self.count:x}"
        )
        if token is not None:
            self.last = venue
            self.told[venue].append(AllowanceGiven(allowance=token))
            if reached:
                self.the_league_is_heard(venue, 0, 0, 99)

    @rule(who=st.sampled_from(PEOPLE))
    def the_league_wants_one_back(self, who):
        account = self.accounts[who]
        if account.live is not None:
            self.told[account.venue].append(AllowanceEnded(participant=who, token=account.live.token))

    @rule(who=st.sampled_from(PEOPLE))
    def the_league_looks_at_the_clock(self, who):
        self.accounts[who] = tokens.lapse(self.accounts[who], self.true + self.offset)

    # -- the links ---------------------------------------------------------------------------------------

    @rule(venue=st.sampled_from(VENUES), which=st.integers(0, 3), first=st.integers(0, 5), most=st.integers(1, 9))
    def the_league_is_heard(self, venue, which, first, most):
        """A batch arrives, sent again or from beyond the gap of one that was lost: only what follows is taken."""
        director = self.directors[venue][-1 - which % len(self.directors[venue])]
        for place, event in list(enumerate(self.told[venue]))[max(0, director.heard - first) :][:most]:
            if place == director.heard:
                director.hear(event)

    @rule(venue=st.sampled_from(VENUES), which=st.integers(0, 3), most=st.integers(0, 40))
    def a_venue_is_heard(self, venue, which, most):
        director, link = self.directors[venue][-1 - which % len(self.directors[venue])], self.links[venue]
        if director.number < link.newest.number:
            return  # stranded: stored, and never folded
        if director is not link.newest:
            link.taken = min(link.taken, director.fork)
            link.newest = director
        for wrote in director.log[link.taken :][:most]:
            link.taken += 1
            if isinstance(wrote.what, AllowanceReturned):
                note = wrote.what
                account = self.accounts[note.participant]
                self.accounts[note.participant] = tokens.given_back(account, venue, note.token, note.spent)

    @rule(venue=st.sampled_from(VENUES))
    def a_venue_is_online(self, venue):
        self.the_league_is_heard(venue, 0, 0, 99)
        self.directors[venue][-1].settle(self.true)
        self.a_venue_is_heard(venue, 0, 999)

    # -- the venues --------------------------------------------------------------------------------------

    @rule(venue=WHERE, lost=st.integers(0, 6), offset=st.integers(-9, 9), seldom=SELDOM)
    def somebody_takes_over(self, venue, lost, offset, seldom):
        """Whoever takes over has not the last records of the one before, who may go on."""
        venue = venue or self.last
        if not seldom:
            return
        before = self.directors[venue][-1]
        least = max((place for place, wrote in enumerate(before.log, 1) if wrote.back), default=0)
        log = before.log[: max(least, len(before.log) - lost)]
        heard = self.told[venue][: max(0, before.heard - lost // 2)]
        self.directors[venue].append(Director(venue, before.number + 1, log, heard, offset * MINUTE))

    @rule(venue=WHERE)
    def a_director_settles(self, venue):
        venue = venue or self.last
        self.directors[venue][-1].settle(self.true)

    @rule(
        venue=WHERE, who=st.sampled_from(PEOPLE), kind=st.sampled_from(("played", "open")),
        amount=st.sampled_from((1, 50, 100, 150, 400)), do=st.sampled_from(("deposit", "deposit", "register")),
    )  # fmt: skip
    def one_who_was_followed_goes_on(self, venue, who, kind, amount, do):
        venue = venue or self.last
        if len(self.directors[venue]) > 1:
            director = self.directors[venue][-2]
            fields = {"amount": amount} if do == "deposit" else {"identity_checked": True}
            self._give(director, f"{venue}-{kind}", do, participant=who, **fields)
            director.settle(self.true)

    @rule(venue=WHERE, who=st.sampled_from(PEOPLE), kind=st.sampled_from(("played", "open")))
    def somebody_registers(self, venue, who, kind):
        venue = venue or self.last
        self._give(self.directors[venue][-1], f"{venue}-{kind}", "register", participant=who, identity_checked=True)

    @rule(venue=WHERE, who=st.sampled_from(PEOPLE), amount=st.sampled_from((1, 50, 100, 150, 400)))
    def somebody_deposits(self, venue, who, amount):
        venue = venue or self.last
        self.somebody_registers(venue, who, "played")
        self._give(self.directors[venue][-1], f"{venue}-played", "deposit", participant=who, amount=amount)

    @rule(venue=WHERE, who=st.sampled_from(PEOPLE))
    def a_venue_with_the_token_takes_what_is_left(self, venue, who):
        """Liveness: whether or not it is cut off."""
        venue = venue or self.last
        director, now = self.directors[venue][-1], self.directors[venue][-1].now(self.true)
        here = director.standing()
        token = here.roster.allowances.get(who)
        held = token is not None and director.trusts(self.true) and token.epoch == director.epoch
        if not held or token.token in here.given_back | here.roster.ended or now >= token.until - EARLY_MS:
            return
        round = f"{venue}-played"
        self._give(director, round, "register", participant=who, identity_checked=True)
        mine = director.in_here(who)
        elsewhere = [spent for spent in token.deposits if not spent.round.startswith(venue)]
        left = max(0, 500 - tokens.counted([*elsewhere, *mine], now))  # by a clock that is behind it may be below
        player = next(found for found in director.rounds() if found.id == round).players.get(who)
        assert player is not None or left < 100
        if player is None or player.status is not Status.IN:
            return
        if left:
            assert self._give(director, round, "deposit", participant=who, amount=left)
        assert not self._give(director, round, "deposit", participant=who, amount=1)

    @rule(venue=WHERE, kind=st.sampled_from(("played", "open")), n=st.sampled_from((1, 1, 2)))
    def something_is_undone(self, venue, kind, n):
        venue = venue or self.last
        director = self.directors[venue][-1]
        if director.ledgers[f"{venue}-{kind}"].undoable - n > (1 if kind == "open" else 5):
            self._give(director, f"{venue}-{kind}", "undo", n=n)

    @rule(venue=WHERE, kind=st.sampled_from(("played", "open")))
    def something_is_redone(self, venue, kind):
        venue = venue or self.last
        self._give(self.directors[venue][-1], f"{venue}-{kind}", "redo", n=1)

    @rule(venue=WHERE, who=st.sampled_from(PEOPLE))
    def somebody_unregisters(self, venue, who):
        venue = venue or self.last
        self._give(self.directors[venue][-1], f"{venue}-open", "unregister", participant=who)

    @rule(venue=WHERE, seldom=SELDOM)
    def a_round_is_cancelled(self, venue, seldom):
        venue = venue or self.last
        if seldom:
            self._give(self.directors[venue][-1], f"{venue}-open", "cancel")

    @rule(venue=WHERE, who=st.sampled_from(PEOPLE), again=st.booleans())
    def somebody_is_out(self, venue, who, again):
        venue = venue or self.last
        fields = {"participant": who}
        self._give(self.directors[venue][-1], f"{venue}-played", "reenter" if again else "bust", **fields)

    def _give(self, director: Director, round: str, do: str, **fields: Any) -> bool:
        self.count += 1
        return director.give(self.true, self.count, round, do, **fields)

    # -- the promise -------------------------------------------------------------------------------------

    @invariant()
    def T_3_nobody_has_more_than_500_crowns_in_any_24_hours(self):
        for who in PEOPLE:
            all_of_it = [spent for chain in self.directors.values() for spent in chain[-1].in_here(who)]
            assert tokens.in_any_day(all_of_it) <= 500, (who, sorted(all_of_it))


TestTokens = Tokens.TestCase
TestTokens.settings = settings(
    max_examples=60, stateful_step_count=50, deadline=None, suppress_health_check=list(HealthCheck), print_blob=True
)


def _evening(chance: random.Random) -> Tokens:
    """The same by chance alone, so that most of what is asked for can be."""
    league = Tokens()
    league.count = chance.randrange(1000)
    amounts = (1, 50, 100, 150, 400)
    for _ in range(150):
        where, who = chance.choice(("", "", "", *VENUES)), PEOPLE[0]
        venue, offset, seldom = where or league.last, chance.randint(-9, 9) * MINUTE, chance.random() < 0.1
        match chance.randrange(22):
            case 0 | 1:
                league.time_passes(chance.choice((1, MINUTE, HOUR, HOUR, 5 * HOUR, 9 * HOUR, DAY_MS - 1)))
                league.a_token_is_near_its_end(who, chance.randint(-25, 25), chance.random() < 0.3)
            case 2:
                league.the_leagues_clock_is_set(offset)
                league.the_league_looks_at_the_clock(who)
            case 3:
                league.a_director_reboots(venue, chance.randint(-30, 30), chance.random() < 0.5)
            case 4:
                league.time_is_trusted_again(venue, offset)
            case 5 | 6:
                league.the_league_gives(
                    chance.choice((venue, *VENUES)), who, chance.choice((1, 9, 18)), chance.random() < 0.7
                )
            case 7:
                league.the_league_wants_one_back(who)
            case 8:
                league.the_league_is_heard(venue, chance.randrange(3), chance.randrange(3), chance.randint(1, 9))
            case 9:
                league.a_venue_is_heard(venue, chance.randrange(3), chance.randrange(20))
            case 10 | 11:
                league.a_venue_is_online(venue)
            case 12:
                league.somebody_takes_over(where, chance.randrange(6), offset // MINUTE, chance.random() < 0.4)
            case 13:
                league.one_who_was_followed_goes_on(where, who, "played", chance.choice(amounts), "deposit")
            case 14:
                league.somebody_registers(where, who, "open")
            case 15 | 16:
                league.somebody_deposits(where, who, chance.choice(amounts))
            case 17:
                league.something_is_undone(where, chance.choice(("played", "open")), chance.choice((1, 1, 2)))
            case 18:
                league.something_is_redone(where, chance.choice(("played", "open")))
            case 19:
                league.somebody_unregisters(where, who)
                league.a_round_is_cancelled(where, seldom)
            case 20:
                league.somebody_is_out(where, who, chance.random() < 0.5)
            case 21:
                league.a_venue_with_the_token_takes_what_is_left(where, who)
        league.T_3_nobody_has_more_than_500_crowns_in_any_24_hours()
    return league


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_T_3_nobody_has_more_than_500_crowns_in_any_24_hours_over_all_venues(first: int) -> None:
    deposited = 0
    for seed in range(first, first + 50):
        league = _evening(random.Random(seed))
        deposited += sum(spent.amount for chain in league.directors.values() for spent in chain[-1].in_here(PEOPLE[0]))
    assert deposited > 50 * 200  # else little of it was put to the test
