"""The roster as the league's stream tells it."""

from __future__ import annotations

import msgspec
import pytest

from appliance.game.codec import EventError, UnknownEvent
from appliance.game.commands import (
    decode_command,
)
from appliance.game.roster import (
    CardPolicy,
    Notice,
    Roster,
    RosterEntry,
    RosterRemoved,
    RoundOffered,
    RoundWithdrawn,
    SeasonLine,
    SeasonStandings,
    decode_roster_event,
    encode_roster_event,
    fold_roster,
)


def folded(*events) -> Roster:
    roster = Roster()
    for event in events:
        roster = fold_roster(roster, decode_roster_event(*encode_roster_event(event)))
    return roster


def entry(participant: str, *cards: str, state="active", **fields) -> RosterEntry:
    return RosterEntry(participant=participant, state=state, cards=cards, **fields)


def test_LG_6_a_card_leads_to_its_participant() -> None:
    roster = folded(entry("000101", "04A1B2C3"), entry("000102", "04FF", role="commissioner", name="Žofie"))
    assert roster.by_uid("04A1B2C3").participant == "000101"
    assert roster.by_uid("04FF").name == "Žofie"
    assert roster.by_uid("0000") is None
    assert roster.by_number("000102").role == "commissioner"
    assert roster.by_number("000103") is None


def test_a_later_entry_replaces_the_earlier_one_and_its_cards() -> None:
    roster = folded(entry("000101", "01", "02"), entry("000101", "03", state="blocked"))
    assert roster.by_uid("01") is None
    assert roster.by_uid("03").state == "blocked"


def test_a_card_belongs_to_the_latest_who_was_given_it() -> None:
    roster = folded(entry("000101", "01"), entry("000102", "01"), entry("000101"))
    assert roster.by_uid("01").participant == "000102"


def test_who_is_removed_is_unknown_with_all_cards() -> None:
    roster = folded(entry("000101", "01"), RosterRemoved(participant="000101"), RosterRemoved(participant="9"))
    assert (roster.by_uid("01"), roster.by_number("000101")) == (None, None)


def test_rounds_are_offered_and_withdrawn() -> None:
    announcement = decode_command(
        {
            "do": "announce", "round": "R1", "venue": "brno", "starts_at": "2027-01-15T19:00:00+01:00",
            "profile": "cpl-2017", "deposit": 100, "shares": ["100"], "seats_per_table": 9,
            "levels": [{"sb": 1, "bb": 2, "minutes": 20}, {"break": 5}],
        }
    )  # fmt: skip
    roster = folded(RoundOffered(announcement=announcement))
    assert roster.offers == {"R1": announcement}
    assert folded(RoundOffered(announcement=announcement), RoundWithdrawn(round="R1")).offers == {}


def test_a_notice_stands_until_the_next() -> None:
    notice = Notice(text_cs="Začínáme později", text_en="We begin later")
    assert folded(notice).notice == notice
    assert folded(notice, Notice(text_cs=" ", text_en="")).notice is None


def test_a_notice_keeps_when_it_was_written_and_one_language_stands_for_both() -> None:
    notice = Notice(text_cs="Začínáme později", text_en="")
    told = fold_roster(Roster(), notice, 1_800_000_000_000)
    assert (told.notice, told.notice_at) == (notice, 1_800_000_000_000)
    assert notice.text("en") == notice.text("cs") == "Začínáme později"


def test_LG_8_the_seasons_standings_replace_those_before_and_without_lines_there_are_none() -> None:
    first = SeasonStandings(season="2027", as_of=1, participants=2, rows=(line(1), line(2)))
    second = SeasonStandings(season="2027", as_of=2, participants=1, rows=(line(1, name="Věra Žáčková"),))
    assert folded(first, second).standings == second
    assert folded(first, SeasonStandings(season="2027", as_of=3, participants=0, rows=())).standings is None
    bounds = [{"rows": [{"place": 1, "participant": "1", "points_half": 0}] * 201}, {"as_of": -1}, {"rows": [{}]}]
    for wrong in bounds:
        fields = {"season": "2027", "as_of": 1, "participants": 1, "rows": []} | wrong
        with pytest.raises(EventError):
            decode_roster_event("standings/1", msgspec.json.encode(fields))


def line(place: int, **more) -> SeasonLine:
    return SeasonLine(place=place, participant=f"{place:06}", points_half=100 - place, **more)


def test_LG_7_a_name_of_an_old_record_is_a_published_one_and_one_without_consent_is_not() -> None:
    old = decode_roster_event("roster-entry/1", b'{"participant":"1","state":"active","name":"Eva","later":[1]}')
    assert (old.published, old.lang, old.public_name) == (True, None, "Eva")
    assert entry("000101", name="Eva", published=False).public_name is None
    assert encode_roster_event(entry("000101"))[1] == b'{"participant":"000101","state":"active"}'
    assert decode_roster_event("notice/1", b'{"text_cs":"a","text_en":"b"}') == Notice(text_cs="a", text_en="b")


def test_unknown_types_change_nothing_and_bad_data_are_an_error() -> None:
    event = decode_roster_event("weather/1", b"{}")
    assert event == UnknownEvent("weather/1", b"{}")
    roster = folded(entry("000101", "01"))
    assert fold_roster(roster, event) is roster
    for raw in (b'{"participant":"x","state":"active"}', b'{"participant":"1","state":"gone"}', b"\xff"):
        with pytest.raises(EventError, match="roster-entry/1"):
            decode_roster_event("roster-entry/1", raw)
    with pytest.raises(EventError):
        decode_roster_event("roster-entry/1", b'{"participant":"1","state":"active","cards":["04a1"]}')


def test_LG_6_a_revoked_card_leads_to_who_had_it_until_it_is_somebodys() -> None:
    lost = entry("000101", "02", revoked=("01",))
    roster = folded(entry("000101", "01"), lost)
    assert roster.by_uid("01") is None
    assert roster.revoked_from("01") == lost
    assert roster.revoked_from("02") is None
    for events in ((lost, entry("000102", "01")), (entry("000102", "01"), lost)):
        given_on = folded(*events)
        assert given_on.by_uid("01").participant == "000102"
        assert given_on.revoked_from("01") is None
    found_again = folded(lost, entry("000101", "01"))
    assert (found_again.by_uid("01").participant, found_again.revoked_from("01")) == ("000101", None)
    assert folded(lost, RosterRemoved(participant="000101")).revoked_from("01") is None


def test_an_entry_without_revoked_cards_is_written_as_before() -> None:
    _, raw = encode_roster_event(entry("000101", "01"))
    assert b"revoked" not in raw
    assert decode_roster_event("roster-entry/1", raw).revoked == ()


def test_LG_6_a_withdrawn_card_is_told_with_its_reason_and_a_revoked_one_without() -> None:
    gone = entry("000101", "02", revoked=("01",), withdrawn={"03": "lost", "04": "damaged"})
    roster = folded(entry("000101", "01"), gone)
    assert [roster.revoked_from(uid) for uid in ("01", "03", "04")] == [gone] * 3
    assert [roster.withdrawn_as(uid) for uid in ("01", "03", "04", "05")] == ["revoked", "lost", "damaged", "revoked"]
    found = folded(gone, entry("000101", "03"))
    assert (found.by_uid("03").participant, found.revoked_from("03")) == ("000101", None)
    assert folded(gone, RosterRemoved(participant="000101")).revoked_from("03") is None


def test_card_policy_is_the_last_one_heard_and_asks_for_signatures_before() -> None:
    assert folded().policy == CardPolicy() == CardPolicy(league="", key=None, least="signed")
    heard = CardPolicy(league="cpl", key="0f" * 32, least="genuine")
    assert folded(CardPolicy(least="uid"), heard).policy == heard
    assert encode_roster_event(CardPolicy()) == ("card-policy/1", b"{}")
    for raw in (b'{"least":"none"}', b'{"key":"0F"}', b'{"league":"Liga"}'):
        with pytest.raises(EventError):
            decode_roster_event("card-policy/1", raw)


def test_pin_is_an_argon2id_hash_or_nothing() -> None:
    _, raw = encode_roster_event(entry("000101", "01"))
    assert b"pin" not in raw
    assert b"withdrawn" not in raw
    with pytest.raises(EventError):
        decode_roster_event("roster-entry/1", b'{"participant":"1","state":"active","pin":"1234"}')
