"""The allowance of T-3 as a token: each edge of giving, ending and giving back."""

from __future__ import annotations

import pytest

from appliance.game import tokens
from appliance.game.roster import (
    AllowanceEnded,
    AllowanceGiven,
    AllowancePolicy,
    Roster,
    decode_roster_event,
    encode_roster_event,
    fold_roster,
)
from appliance.game.tokens import DAY_MS, EARLY_MS, KEPT_MS, LATE_MS, Account, Spent
from appliance.game.values import parse_time

NOON = parse_time("2027-01-15T12:00:00+01:00")
SIX = parse_time("2027-01-16T06:00:00+01:00")
HOUR = 3_600_000
WHO = "000101"


def give(account, venue="brno", *, token="a", now=NOON, until=SIX, epoch="1-e"):
    return tokens.give(account, WHO, venue, epoch, until, now, token)


NOTHING = Account()


def given(account=NOTHING, venue="brno", **how):
    after, token = give(account, venue, **how)
    assert token is not None
    return after, token


def test_T_3_a_token_is_at_one_place():
    account, token = given()
    assert (account.venue, token.left, token.deposits) == ("brno", 500, ())
    assert give(account, "praha", token="b") == (account, None)
    assert give(account, token="b") == (account, None)


def test_T_3_a_token_given_back_goes_on_with_what_still_counts():
    account, token = given()
    account = tokens.given_back(account, "brno", token.token, [Spent(NOON + HOUR, 300, "R1")])
    later = given(account, "praha", token="b", now=NOON + 2 * HOUR)[1]
    assert (later.left, later.deposits) == (200, (Spent(NOON + HOUR, 300, "R1"),))


def test_T_3_a_deposit_counts_until_exactly_24_hours_later():
    spent = [Spent(NOON, 300, "R1")]
    assert tokens.counted(spent, NOON + DAY_MS - 1) == 300
    assert tokens.counted(spent, NOON + DAY_MS) == 0
    assert tokens.counted(spent, NOON - HOUR) == 300  # by a clock that runs ahead elsewhere
    assert tokens.in_any_day([(NOON, 300), (NOON + DAY_MS, 300)]) == 300
    assert tokens.in_any_day([(NOON + DAY_MS - 1, 300), (NOON, 300)]) == 600


def test_T_3_a_venue_ends_a_token_ten_minutes_early():
    _, token = given()
    last = SIX - EARLY_MS
    assert tokens.is_spendable(token, "1-e", (), last - 1, True)
    assert not tokens.is_spendable(token, "1-e", (), last, True)
    assert tokens.is_over(token, last) and not tokens.is_over(token, last - 1)


def test_T_3_after_a_reboot_nothing_is_spent_before_the_time_is_trusted():
    _, token = given()
    assert not tokens.is_spendable(token, "1-e", (), NOON, False)
    assert tokens.is_spendable(token, "1-e", (), NOON, True)


def test_T_3_who_takes_over_spends_none_before_the_league_gives_new_ones():
    account, token = given()
    assert not tokens.is_spendable(token, "2-f", (), NOON, True)
    account, new = given(account, token="b", epoch="2-f")
    assert tokens.is_spendable(new, "2-f", (), NOON, True)
    assert tokens.given_back(account, "brno", "a", []) == account  # the old director's word counts no more


def test_T_3_a_token_given_back_is_spent_no_more():
    _, token = given()
    assert not tokens.is_spendable(token, "1-e", {"a"}, NOON, True)


def test_T_3_a_delayed_grant_is_worth_nothing_after_its_end():
    _, token = given()
    assert not tokens.is_spendable(token, "1-e", (), SIX + HOUR, True)
    assert give(Account(), now=SIX - EARLY_MS)[1] is None


def test_T_3_a_token_given_back_twice_moves_once():
    account, token = given()
    account = tokens.given_back(account, "brno", token.token, [])
    account, _ = given(account, "praha", token="b")
    again = tokens.given_back(account, "brno", token.token, [])
    assert again == account
    assert again.venue == "praha"


def test_T_3_a_token_that_ends_without_a_word_counts_as_spent_at_its_last_moment():
    account, _ = given()
    assert tokens.lapse(account, SIX + LATE_MS - 1) == account
    account = tokens.lapse(account, SIX + LATE_MS)
    assert account.live is None
    day = SIX + DAY_MS
    assert given(account, "praha", token="b", now=SIX + LATE_MS, until=day + 9 * HOUR)[1].left == 0
    assert given(account, "praha", token="b", now=day - 1, until=day + 9 * HOUR)[1].left == 0
    assert given(account, "praha", token="b", now=day, until=day + 9 * HOUR)[1].left == 500


def test_T_3_a_late_word_takes_the_place_of_what_was_assumed():
    account = tokens.lapse(given()[0], SIX + LATE_MS)
    account = tokens.given_back(account, "brno", "a", [Spent(NOON, 100, "R1")])
    assert given(account, "praha", token="b", now=SIX + HOUR, until=SIX + 9 * HOUR)[1].left == 400


def test_T_3_a_word_of_an_older_token_counts_no_more():
    account = tokens.given_back(given()[0], "brno", "a", [])
    account = tokens.given_back(given(account, token="b")[0], "brno", "b", [Spent(NOON, 500, "R1")])
    assert tokens.given_back(account, "brno", "a", []) == account


def test_T_3_what_is_assumed_leaves_out_what_the_venue_may_have_taken_back():
    account = tokens.given_back(given()[0], "brno", "a", [Spent(NOON, 500, "R1")])
    account = given(account, token="b", now=NOON + HOUR)[0]
    account = tokens.lapse(account, SIX + LATE_MS)
    assert account.statements["brno"].spent == (Spent(SIX, 500),)


def test_T_3_a_venue_counts_its_own_rounds_itself():
    account = tokens.given_back(given()[0], "brno", "a", [Spent(NOON, 300, "R1")])
    token = given(account, token="b")[1]
    assert tokens.from_elsewhere(token, {"R1"}) == []
    assert tokens.from_elsewhere(token, {"R2"}) == [Spent(NOON, 300, "R1")]


def test_T_3_what_is_told_reaches_back_two_days():
    old, new = Spent(NOON - KEPT_MS, 100, "R1"), Spent(NOON - KEPT_MS + 1, 100, "R1")
    assert tokens.to_tell(given()[1], [new, old]) == (new,)


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("2027-01-15T19:00:00+01:00", "2027-01-16T06:00:00+01:00"),
        ("2027-01-15T06:00:00+01:00", "2027-01-16T06:00:00+01:00"),
        ("2027-01-16T00:30:00+01:00", "2027-01-16T06:00:00+01:00"),
        ("2027-03-27T19:00:00+01:00", "2027-03-28T06:00:00+02:00"),
        ("2027-10-30T19:00:00+02:00", "2027-10-31T06:00:00+01:00"),
    ],
)
def test_T_3_a_token_is_there_until_six_next_morning_through_a_change_of_the_clocks(start, end):
    assert tokens.until_morning(parse_time(start)) == parse_time(end)


def folded(*events):
    roster = Roster()
    for event in events:
        name, data = encode_roster_event(event)
        roster = fold_roster(roster, decode_roster_event(name, data))
    return roster


def test_T_3_the_leagues_stream_tells_of_tokens():
    first, second = given()[1], given(token="b")[1]
    assert not folded().allowances_in_force
    assert folded(AllowancePolicy(in_force=True)).allowances_in_force
    assert folded(AllowanceGiven(allowance=first)).allowances_in_force
    ended = folded(AllowanceGiven(allowance=first), AllowanceEnded(participant=WHO, token="a"))
    assert (ended.allowances, ended.ended) == ({WHO: first}, {"a"})
    stray = folded(AllowanceGiven(allowance=first), AllowanceEnded(participant=WHO, token="b"))
    assert stray.ended == frozenset()
    anew = folded(
        AllowanceGiven(allowance=first), AllowanceEnded(participant=WHO, token="a"), AllowanceGiven(allowance=second)
    )
    assert (anew.allowances, anew.ended) == ({WHO: second}, frozenset())
