"""A run of the league's events folds to what they give one by one, without a copy of the roster for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.game.codec import UnknownEvent
from appliance.game.commands import Announce, StructureEntry
from appliance.game.roster import (
    AllowanceEnded,
    AllowanceGiven,
    AllowancePolicy,
    CardPolicy,
    Notice,
    Roster,
    RosterEntry,
    RosterRemoved,
    RoundChanged,
    RoundOffered,
    RoundWithdrawn,
    TimeTold,
    encode_roster_event,
    fold_roster,
)
from appliance.game.rosterrun import fold_run
from appliance.game.tokens import Token
from appliance.kinds import LeagueKind
from appliance.record import Record
from appliance.rosterrecords import readable

PEOPLE, CARDS, ROUNDS, TOKENS = ("1", "2", "3"), ("01", "02", "03", "04"), ("R1", "R2"), ("a", "b", "c")
UIDS = st.lists(st.sampled_from(CARDS), max_size=3, unique=True).map(tuple)
WHY = st.dictionaries(st.sampled_from(CARDS), st.sampled_from(["lost", "stolen"]), max_size=2)
EVENTS = st.one_of(
    st.builds(
        RosterEntry, participant=st.sampled_from(PEOPLE), state=st.sampled_from(["active", "blocked"]), cards=UIDS,
        revoked=UIDS, withdrawn=WHY, name=st.sampled_from([None, "Žofie"]),
    ),
    st.builds(RosterRemoved, participant=st.sampled_from(PEOPLE)),
    st.builds(RoundOffered, announcement=st.sampled_from(ROUNDS).map(lambda round: offer(round))),
    st.builds(RoundWithdrawn, round=st.sampled_from(ROUNDS)),
    st.builds(RoundChanged, id=st.just("0" * 36), round=st.sampled_from(ROUNDS), do=st.just("cancel")),
    st.builds(AllowancePolicy, in_force=st.booleans()),
    st.builds(AllowanceGiven, allowance=st.builds(
        lambda who, token: Token(token=token, participant=who, epoch="1-aa", given=1, until=2, left=0),
        st.sampled_from(PEOPLE), st.sampled_from(TOKENS),
    )),
    st.builds(AllowanceEnded, participant=st.sampled_from(PEOPLE), token=st.sampled_from(TOKENS)),
    st.builds(Notice, text_cs=st.sampled_from(["", "Zavřeno"]), text_en=st.just("")),
    st.builds(CardPolicy, league=st.sampled_from(["", "liga"])),
    st.builds(TimeTold, ask=st.just("x"), at=st.integers(1, 9)),
    st.just(UnknownEvent("later/1", b"{}")),
)  # fmt: skip


def offer(round: str) -> Announce:
    """An announcement of which only the round matters here."""
    return Announce(
        round=round, venue="zabreh", starts_at="2027-01-02T18:00:00+01:00", profile="rules-2026", deposit=0, shares=(),
        seats_per_table=9, levels=(StructureEntry(sb=1, bb=2, ante=0, minutes=20),),
    )  # fmt: skip


def parts(roster: Roster) -> list[Any]:
    """What a run might change in place by mistake, copied."""
    maps = (roster.entries, roster.cards, roster.revoked, roster.offers, roster.changes, roster.allowances)
    return [*map(dict, maps), set(roster.ended)]


class Counted(Mapping[str, Any]):
    """A mapping that knows how often it was gone through."""

    def __init__(self, held: dict[str, Any]) -> None:
        self.held, self.passes = held, 0

    def __getitem__(self, key: str) -> Any:
        return self.held[key]

    def __len__(self) -> int:
        return len(self.held)

    def __iter__(self) -> Iterator[str]:
        self.passes += 1
        return iter(self.held)


@settings(max_examples=300, deadline=None)
@given(st.lists(EVENTS, max_size=25), st.integers(0, 25))
def test_a_run_folds_to_what_its_events_give_one_by_one(events: list[Any], cut: int) -> None:
    slow = Roster()
    for at, event in enumerate(events):
        slow = fold_roster(slow, event, at)
    timed = [(event, at) for at, event in enumerate(events)]
    half = fold_run(Roster(), timed[:cut])
    kept = parts(half)
    assert fold_run(half, timed[cut:]) == slow
    assert list(fold_run(half, timed[cut:]).entries) == list(slow.entries)
    assert parts(half) == kept  # what was before is as it was


def test_a_run_goes_through_what_was_there_once_however_long_it_is() -> None:
    before = {number: RosterEntry(participant=number, state="active") for number in map(str, range(100))}
    counted = Counted(before)
    roster = Roster(entries=counted)
    fold_run(roster, [(entry, 0) for entry in before.values()])
    assert counted.passes == 1
    fold_run(roster, [(Notice(text_cs="Zavřeno", text_en=""), 0)] * 9)
    assert counted.passes == 1  # a notice copies nobody


def test_a_venue_takes_a_run_of_records_as_it_takes_each() -> None:
    events = [RosterEntry(participant="1", state="active", cards=("01",)), RosterEntry(participant="2", state="active")]
    records = [
        Record("league/zabreh", "1-aa", seq, "0", seq, kind, msgspec.Raw(data), None)
        for seq, (kind, data) in enumerate(map(encode_roster_event, events), 1)
    ]
    records.append(Record("league/zabreh", "1-aa", 3, "0", 3, "roster-entry/1", msgspec.Raw(b'{"state": 7}'), None))
    kind, one_by_one = LeagueKind(), Roster()
    for record in records:
        one_by_one = kind.fold(one_by_one, record)
    assert kind.fold_run(Roster(), records) == one_by_one == fold_run(Roster(), readable(records))
    assert set(one_by_one.entries) == {"1", "2"}
