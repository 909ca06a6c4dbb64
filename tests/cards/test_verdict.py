"""Whose card it claims to be, or why the house refuses it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from appliance.cards.reading import PlainRead
from appliance.cards.verdict import Accepted, Refusal, Refused, Verdict
from appliance.cards.verdict import verdict as judge
from appliance.game.roster import CardPolicy, Roster, RosterEntry, RosterRemoved, fold_roster

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
