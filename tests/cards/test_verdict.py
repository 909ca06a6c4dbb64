"""Whose card it claims to be, or why the house refuses it."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from appliance.cards.outcome import MEANINGS, Accepted, Refusal, Refused, Tier, Tone, Verdict
from appliance.cards.reading import Ntag21xRead, Ntag424Read, PlainRead, Problem, Reading
from appliance.cards.verdict import verdict as judge
from appliance.game.roster import CardPolicy, Roster, RosterEntry, RosterRemoved, fold_roster
from appliance.hw.panel import Signal
from tests.cards.issued import LEAGUE, text
from tests.cards.issued import PLAYER as MEMBER
from tests.cards.issued import UID as MEMBERS_UID
from tests.cards.issued import judge as judged
from tests.cards.issued import roster as members

PLAYER, FLOOR, BLOCKED, LEFT = "04000000000101", "04000000000102", "04000000000103", "04000000000104"


def verdict(uid: str, roster: Roster) -> Verdict:
    """Where the season takes a card by its number alone."""
    return judge(PlainRead(uid), roster, policy=CardPolicy(least="uid"))


def roster() -> Roster:
    folded = Roster()
    for entry in (
        RosterEntry(participant="000101", state="active", cards=(PLAYER,)),
        RosterEntry(participant="000102", state="active", cards=(FLOOR,), role="commissioner"),
        RosterEntry(participant="000103", state="blocked", cards=(BLOCKED,)),
        RosterEntry(participant="000104", state="cancelled", cards=(LEFT,)),
    ):
        folded = fold_roster(folded, entry)
    return folded


def test_card_of_an_active_participant_is_accepted_in_any_spelling() -> None:
    for spelling in (PLAYER, PLAYER.lower(), bytes.fromhex(PLAYER).hex(":")):
        assert verdict(spelling, roster()) == Accepted(PLAYER, "000101", "participant")


def test_commissioner_is_known_by_the_card() -> None:
    assert verdict(FLOOR, roster()) == Accepted(FLOOR, "000102", "commissioner")


def test_LG_6_blocked_card_is_refused_and_kept() -> None:
    refused = verdict(BLOCKED, roster())
    assert refused == Refused(Refusal.BLOCKED, BLOCKED, "000103")
    assert isinstance(refused, Refused)
    assert refused.hand_in


def test_LG_5_card_of_a_cancelled_registration_is_refused_and_kept() -> None:
    refused = verdict(LEFT, roster())
    assert refused == Refused(Refusal.CANCELLED, LEFT, "000104")
    assert isinstance(refused, Refused)
    assert refused.hand_in


def test_unknown_card_is_refused_but_not_kept() -> None:
    refused = verdict("04FFFFFFFFFFFF", roster())
    assert refused == Refused(Refusal.UNKNOWN, "04FFFFFFFFFFFF")
    assert isinstance(refused, Refused)
    assert not refused.hand_in


def test_card_of_a_participant_taken_off_the_roster_is_unknown() -> None:
    left = fold_roster(roster(), RosterRemoved(participant="000101"))
    assert verdict(PLAYER, left) == Refused(Refusal.UNKNOWN, PLAYER)


def test_replaced_card_is_unknown_from_then_on() -> None:
    replaced = fold_roster(roster(), RosterEntry(participant="000101", state="active", cards=("04AAAAAA",)))
    assert verdict(PLAYER, replaced) == Refused(Refusal.UNKNOWN, PLAYER)
    assert verdict("04AAAAAA", replaced) == Accepted("04AAAAAA", "000101", "participant")


def test_phone_is_told_from_a_card_even_when_its_number_is_on_the_roster() -> None:
    lured = fold_roster(Roster(), RosterEntry(participant="000105", state="active", cards=("08A2B3C4",)))
    assert verdict("08a2b3c4", lured) == Refused(Refusal.PHONE, "08A2B3C4")


def test_number_that_no_card_has_is_malformed() -> None:
    assert verdict("88A2B3C4", roster()) == Refused(Refusal.MALFORMED, "88A2B3C4")
    assert verdict("x" * 1_000_000, roster()) == Refused(Refusal.MALFORMED, "x" * 40)


@given(st.text(max_size=40))
def test_nothing_a_reader_says_is_accepted_but_a_card_of_the_roster(text: str) -> None:
    assert isinstance(verdict(text, Roster()), Refused)


def test_LG_6_a_lost_card_of_an_active_participant_is_kept_and_named() -> None:
    lost = RosterEntry(participant="000101", state="active", cards=("04AAAAAA",), revoked=(PLAYER,))
    replaced = fold_roster(roster(), lost)
    refused = verdict(PLAYER, replaced)
    assert refused == Refused(Refusal.REVOKED, PLAYER, "000101")
    assert isinstance(refused, Refused)
    assert refused.hand_in
    assert verdict("04AAAAAA", replaced) == Accepted("04AAAAAA", "000101", "participant")
    given_on = fold_roster(replaced, RosterEntry(participant="000102", state="active", cards=(PLAYER,)))
    assert verdict(PLAYER, given_on) == Accepted(PLAYER, "000102", "participant")


def test_a_number_that_only_a_reader_says_may_have_any_length_that_readers_have() -> None:
    """125 kHz modules say five bytes, which no card of ISO/IEC 14443 has."""
    for number in ("0A00B1C2D3", "0A00B1C2D3E4", "0A00B1C2D3E4F50607"):
        entry = RosterEntry(participant="000101", state="active", cards=(number,))
        told = fold_roster(fold_roster(Roster(), CardPolicy(least="uid")), entry)
        assert judge(PlainRead(number), told) == Accepted(number, "000101", "participant", Tier.UID)
        assert judge(PlainRead(number), fold_roster(told, CardPolicy())) == Refused(Refusal.TOO_WEAK, number, "000101")
        assert judge(Ntag424Read(number), told) == Refused(Refusal.MALFORMED, number)
    for number in ("0A00B1", "0A" * 11):
        assert judge(PlainRead(number), Roster()) == Refused(Refusal.MALFORMED, number)


# -- what was proved, and what the season asks ------------------------------------------------------------------------

UID = text(MEMBERS_UID)
RECORD = LEAGUE.record()
UNPROVEN = Ntag424Read(UID, None, 9, RECORD)

GENUINE, WEAK, NUMBER = Tier.GENUINE, Tier.WEAK, Tier.UID
TOO_WEAK, DAMAGED, FORGED = Refusal.TOO_WEAK, Refusal.DAMAGED, Refusal.FORGED

TABLE: list[tuple[Reading, dict[str, Tier | Refusal]]] = [
    (Ntag424Read(UID, True, None, RECORD), {"genuine": GENUINE, "signed": GENUINE, "uid": GENUINE}),
    (Ntag424Read(UID, True), {"genuine": DAMAGED, "signed": DAMAGED, "uid": DAMAGED}),
    (
        Ntag424Read(UID, True, problem=Problem.MALFORMED),
        {"genuine": DAMAGED, "signed": DAMAGED, "uid": DAMAGED},
    ),
    (Ntag424Read(UID, False, None, RECORD), {"genuine": FORGED, "signed": FORGED, "uid": FORGED}),
    (UNPROVEN, {"genuine": TOO_WEAK, "signed": WEAK, "uid": WEAK}),
    (Ntag424Read(UID, None, None, RECORD), {"genuine": DAMAGED, "signed": DAMAGED, "uid": DAMAGED}),
    (Ntag424Read(UID), {"genuine": TOO_WEAK, "signed": TOO_WEAK, "uid": NUMBER}),
    (Ntag21xRead(UID, True, RECORD), {"genuine": TOO_WEAK, "signed": WEAK, "uid": WEAK}),
    (Ntag21xRead(UID, None, RECORD), {"genuine": TOO_WEAK, "signed": TOO_WEAK, "uid": NUMBER}),
    (Ntag21xRead(UID, False, RECORD), {"genuine": FORGED, "signed": FORGED, "uid": FORGED}),
    (Ntag21xRead(UID), {"genuine": TOO_WEAK, "signed": TOO_WEAK, "uid": NUMBER}),
    (Ntag21xRead(UID, problem=Problem.MALFORMED), {"genuine": DAMAGED, "signed": DAMAGED, "uid": DAMAGED}),
    (PlainRead(UID), {"genuine": TOO_WEAK, "signed": TOO_WEAK, "uid": NUMBER}),
]


@pytest.mark.parametrize("least", ["genuine", "signed", "uid"])
@pytest.mark.parametrize(("reading", "expected"), TABLE)
def test_LG_6_a_card_counts_for_what_it_proved_where_that_is_enough(
    reading: Reading, expected: dict[str, Tier | Refusal], least: str
) -> None:
    found = judged(reading, least)  # type: ignore[arg-type]
    assert (found.tier if isinstance(found, Accepted) else found.code) == expected[least]
    assert found.participant == MEMBER


@pytest.mark.parametrize(("highest", "accepted"), [(None, True), (8, True), (9, False), (10, False)])
def test_LG_6_the_counter_must_rise(highest: int | None, accepted: bool) -> None:
    found = judged(UNPROVEN, highest=highest)
    if accepted:
        assert found == Accepted(UID, MEMBER, "participant", WEAK, 9)
    else:
        assert found == Refused(Refusal.COUNTER_BACK, UID, MEMBER)


def test_while_no_policy_was_heard_no_signature_counts_and_no_number_does() -> None:
    unheard = fold_roster(Roster(), RosterEntry(participant=MEMBER, state="active", cards=(UID,)))
    for reading in (UNPROVEN, Ntag21xRead(UID, True, RECORD), PlainRead(UID)):
        assert judge(reading, unheard) == Refused(TOO_WEAK, UID, MEMBER)
    assert judge(Ntag21xRead("04FFFFFFFFFFFF", True, RECORD), unheard) == Refused(Refusal.UNKNOWN, "04FFFFFFFFFFFF")
    # its key came from the league, sealed to this device: that is word enough
    assert judge(Ntag424Read(UID, True, None, RECORD), unheard) == Accepted(UID, MEMBER, "participant", GENUINE)


def test_policy_with_a_key_that_is_none_takes_no_signature() -> None:
    """No event can say so, for its key is 64 hex digits; not every 64 hex digits are a key, though."""
    broken = CardPolicy(league="cpl", key="ff" * 32)
    assert judge(UNPROVEN, members(), policy=broken) == Refused(FORGED, UID, MEMBER)


STRANGE = "04FFFFFFFFFFFF"


@pytest.mark.parametrize(
    ("reading", "code"),
    [
        (PlainRead(STRANGE), Refusal.UNKNOWN),
        (Ntag424Read(STRANGE), Refusal.NOT_OURS),
        (Ntag21xRead(STRANGE), Refusal.NOT_OURS),
        (Ntag424Read(STRANGE, problem=Problem.MALFORMED), Refusal.UNKNOWN),
        (Ntag424Read(STRANGE, None, 1, RECORD), Refusal.FORGED),
        (Ntag424Read(STRANGE, None, 1, LEAGUE.record(bytes.fromhex(STRANGE))), Refusal.UNKNOWN),
        (Ntag21xRead(STRANGE, True, replace(RECORD, league="nordic")), Refusal.WRONG_LEAGUE),
        (Ntag424Read("08A2B3C4"), Refusal.PHONE),
        (Ntag21xRead("88A2B3C4"), Refusal.MALFORMED),
    ],
)
def test_card_of_nobody_here_is_told_what_it_is(reading: Reading, code: Refusal) -> None:
    found = judged(reading, "uid")
    assert isinstance(found, Refused)
    assert (found.code, found.participant) == (code, None)


def test_LG_5_who_is_blocked_or_has_left_is_refused_whatever_the_card_proves() -> None:
    genuine = Ntag424Read(UID, True, None, RECORD)
    for state, code in (("blocked", Refusal.BLOCKED), ("cancelled", Refusal.CANCELLED)):
        gone = RosterEntry(participant=MEMBER, state=state, cards=(UID,))  # type: ignore[arg-type]
        assert judge(genuine, members("uid", LEAGUE, gone)) == Refused(code, UID, MEMBER)


def test_only_a_genuine_card_needs_no_look_at_who_holds_it_and_has_a_commissioners_rights() -> None:
    floor = Accepted(FLOOR, "000102", "commissioner", Tier.GENUINE)
    assert (floor.rights, floor.identity_check, floor.tone) == (True, False, Tone.ACCEPTED)
    for tier in (Tier.WEAK, Tier.UID):
        weak = replace(floor, tier=tier)
        assert (weak.rights, weak.identity_check, weak.tone) == (False, True, Tone.WEAK)
    assert not replace(floor, role="participant").rights


def test_LG_6_what_is_the_leagues_or_pretends_to_be_is_kept_and_nothing_else() -> None:
    kept = {code.value for code in Refusal if MEANINGS[code].hand_in}
    assert kept == {
        "revoked", "lost", "stolen", "damaged", "forged", "locked", "cancelled", "blocked",
    }  # fmt: skip
    assert set(MEANINGS) == set(Refusal)


def test_LG_6_every_refusal_has_its_light_and_what_was_not_judged_is_not_noted() -> None:
    for code, meaning in MEANINGS.items():
        assert Refused(code).tone is meaning.tone
        assert meaning.noted or meaning.tone is Tone.AGAIN
    assert {code for code in Refusal if not MEANINGS[code].noted} == {Refusal.MALFORMED, Refusal.UNREADABLE}
    assert {tone.value for tone in Tone} - {signal.value for signal in Signal} <= {"again"}


_readings = st.one_of(
    st.builds(PlainRead, st.text(max_size=20)),
    st.builds(
        Ntag424Read,
        st.sampled_from((UID, STRANGE, "08A2B3C4", "x")),
        st.sampled_from((None, True, False)),
        st.none() | st.integers(0, 20),
        st.none()
        | st.builds(
            replace,
            st.just(RECORD),
            serial=st.integers(0, 9),
            issued=st.dates(dt.date(2027, 1, 14), dt.date(2027, 1, 16)),
        ),
        st.none() | st.sampled_from(Problem),
    ),
    st.builds(
        Ntag21xRead,
        st.sampled_from((UID, STRANGE)),
        st.sampled_from((None, True, False)),
        st.none() | st.just(RECORD),
        st.none() | st.sampled_from(Problem),
    ),
)


@given(_readings, st.sampled_from(("genuine", "signed", "uid")), st.none() | st.integers(0, 20))
def test_any_reading_gets_a_verdict_and_a_better_one_never_where_the_season_asks_more(
    reading: Reading, least: str, highest: int | None
) -> None:
    found = judged(reading, least, highest)  # type: ignore[arg-type]
    if isinstance(found, Accepted):
        assert found.uid == UID
        assert judged(reading, "uid", highest) == found
        assert found.tier is Tier.GENUINE or least != "genuine"
        assert found.tier is not Tier.UID or least == "uid"
        record = None if isinstance(reading, PlainRead) else reading.record
        assert record in (None, RECORD)  # nothing under the signature was changed
