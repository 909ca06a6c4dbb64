"""The league's stream to a venue: roster and offers, differences only."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.management import CommandError, call_command
from django.utils import timezone

from appliance import record as rec
from appliance.game.roster import Roster, decode_roster_event, fold_roster
from league.ingest.models import RawRecord, StreamHead
from league.ingest.outbox import Draft, Pen
from league.ingest.publishing import offer_round, publish_roster, told, withdraw_round
from league.people.models import Card, Participant
from league.rounds.models import Round, Venue


@pytest.fixture
def key() -> Ed25519PrivateKey:
    return Ed25519PrivateKey.generate()


@pytest.fixture
def pen(key: Ed25519PrivateKey) -> Pen:
    return Pen(key, lambda: 1_800_000_000_000)


def written() -> list[rec.Record]:
    """The venue's league stream, checked as a venue checks it."""
    head = None
    records = []
    for row in RawRecord.objects.filter(stream="league/zabreh").order_by("seq"):
        record, head = rec.follow(head, bytes(row.raw))
        records.append(record)
    return records


def test_the_roster_has_numbers_cards_and_states_and_names_only_where_expected(
    imported: dict[str, Any], pen: Pen
) -> None:
    Participant.objects.filter(number="000102").update(home_venue=None)
    Participant.objects.filter(number="000103").update(state=Participant.State.REFUSED)
    assert publish_roster("zabreh", pen) == (19, 0)
    roster = Roster()
    for record in written():
        roster = fold_roster(roster, decode_roster_event(record.type, record.data))
    assert len(roster.entries) == 19
    first = roster.by_uid("04A1B2C3D40080")
    assert first is not None
    assert (first.participant, first.name, first.home, first.state) == ("000101", "Věra Žáčková", True, "active")
    names = {number: entry.name for number, entry in roster.entries.items()}
    assert names["000102"] is None  # not expected here
    assert names["000104"] is None  # no consent
    assert roster.entries["000103"].state == "blocked"
    assert roster.entries["000900"].role == "commissioner"


def test_a_second_publishing_writes_nothing_and_a_change_writes_that_change(imported: dict[str, Any], pen: Pen) -> None:
    publish_roster("zabreh", pen)
    before = len(written())
    assert publish_roster("zabreh", pen) == (0, 0)
    Card.objects.filter(participant__number="000101").update(state=Card.State.LOST)
    assert publish_roster("zabreh", pen) == (1, 0)
    assert told("zabreh").by_uid("04A1B2C3D40080") is None
    former = told("zabreh").revoked_from("04A1B2C3D40080")
    assert former is not None
    assert former.participant == "000101"
    Participant.objects.filter(number="000900").delete()
    assert publish_roster("zabreh", pen) == (0, 1)
    assert len(written()) == before + 2


def test_a_card_that_changes_hands_ends_with_its_new_owner(imported: dict[str, Any], pen: Pen) -> None:
    publish_roster("zabreh", pen)
    card = Card.objects.get(participant__number="000105")
    Card.objects.filter(participant__number="000101").delete()
    card.participant = Participant.objects.get(number="000101")
    card.save()
    publish_roster("zabreh", pen)
    entry = told("zabreh").by_uid(card.uid)
    assert entry is not None
    assert entry.participant == "000101"


def test_the_stream_is_signed_often_enough_for_a_batch_to_end(
    imported: dict[str, Any], pen: Pen, key: Ed25519PrivateKey
) -> None:
    pen.append("zabreh", [Draft("notice/1", rec.to_raw({"text_cs": "a", "text_en": "b"}))] * 150)
    head = None
    signed = []
    for row in RawRecord.objects.order_by("seq"):
        _, head = rec.follow(head, bytes(row.raw))
        if row.signature is not None:
            assert rec.verify(key.public_key(), head, bytes(row.signature))
            signed.append(row.seq)
    assert signed == [64, 128, 151]


def test_time_never_goes_back_in_the_stream(imported: dict[str, Any], key: Ed25519PrivateKey) -> None:
    draft = Draft("notice/1", rec.to_raw({"text_cs": "a", "text_en": "b"}))
    Pen(key, lambda: 2_000).append("zabreh", [draft])
    Pen(key, lambda: 1_000).append("zabreh", [draft])
    assert [record.at for record in written()] == [2_000, 2_000, 2_000]
    assert StreamHead.objects.get().seq == 3


def test_a_round_is_offered_once_and_can_be_withdrawn(imported: dict[str, Any], pen: Pen) -> None:
    round = Round.objects.get()
    assert offer_round(round, pen, timezone.now())
    assert not offer_round(round, pen, timezone.now())
    assert told("zabreh").offers["R1"].deposit == 375
    assert Round.objects.get().offered_at is not None
    assert withdraw_round(round, pen)
    assert not withdraw_round(round, pen)
    assert told("zabreh").offers == {}


def test_an_announcement_of_another_round_is_not_sent(imported: dict[str, Any], pen: Pen) -> None:
    Venue.objects.create(id="brno", name="Brno")
    Round.objects.update(venue="brno")
    with pytest.raises(ValueError, match="not of round R1 at brno"):
        offer_round(Round.objects.get(), pen, timezone.now())
    assert RawRecord.objects.count() == 0


def test_the_commands_say_what_they_did(imported: dict[str, Any]) -> None:
    out = StringIO()
    call_command("publish_roster", stdout=out)
    call_command("offer_round", "--all", stdout=out)
    call_command("offer_round", "R1", stdout=out)
    assert out.getvalue().splitlines() == [
        "zabreh: 19 entries, 0 removals",
        "R1 at zabreh: offered",
        "R1 at zabreh: nothing to do",
    ]
    for wrong in (["publish_roster", "brno"], ["offer_round"], ["offer_round", "R7"], ["offer_round", "R1", "--all"]):
        with pytest.raises(CommandError) as caught:
            call_command(*wrong)
        assert caught.value.returncode == 2


def test_a_notice_is_told_once_and_can_be_taken_back(imported: dict[str, Any]) -> None:
    Venue.objects.create(id="brno", name="Brno")
    out = StringIO()
    word = ["notice", "--cs", "Začneme později", "--en", "We begin later", "--until", "2027-01-15T20:00:00+01:00"]
    for command in (word, word, ["notice", "brno", "--withdraw"], ["notice", "--withdraw"]):
        call_command(*command, stdout=out)
        if command == word:
            notice = told("zabreh").notice
            assert notice is not None
            assert (notice.text("cs"), notice.text("en"), notice.until) == (
                "Začneme později", "We begin later", 1_800_039_600_000,
            )  # fmt: skip
    assert out.getvalue().splitlines() == [
        "brno: told", "zabreh: told", "brno: nothing to do", "zabreh: nothing to do",
        "brno: taken back", "brno: nothing to do", "zabreh: taken back",
    ]  # fmt: skip
    assert (told("brno").notice, told("zabreh").notice) == (None, None)


@pytest.mark.parametrize(
    "wrong",
    [[], ["--cs", " "], ["--cs", "a", "--withdraw"], ["--cs", "a" * 2001], ["--cs", "a", "--until", "19:00"],
     ["olomouc", "--cs", "a"], ["--cs", "a\udcff", "--en", "x"], ["--en", "a\0"], ["--cs", "\u200b"],
     ["--cs", "\u200fa"]],
)  # fmt: skip
def test_a_notice_that_cannot_be_told_says_why(imported: dict[str, Any], wrong: list[str]) -> None:
    with pytest.raises(CommandError) as caught:
        call_command("notice", *wrong)
    assert caught.value.returncode == 2
    assert RawRecord.objects.count() == 0


def test_the_leagues_key_is_readable_by_its_owner_alone(imported: dict[str, Any]) -> None:
    from django.conf import settings

    out = StringIO()
    call_command("league_key", stdout=out)
    call_command("league_key", stdout=out)
    first, second = out.getvalue().split()
    assert first == second
    assert len(bytes.fromhex(first)) == 32
    assert (settings.DATA_DIR / "league-ed25519.key").stat().st_mode & 0o777 == 0o600
