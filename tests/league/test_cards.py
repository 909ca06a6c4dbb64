"""The issuing desk's ledger at the league: whose a card is, why it was taken back, and what venues hear of it."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, date, datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.management import CommandError, call_command

from appliance.cards.pin import PinAnswer, Pins
from appliance.desk import keyfile
from appliance.desk.keys import new_keys
from appliance.desk.ledger import Ledger, beside, opened
from league.ingest.outbox import Pen
from league.ingest.publishing import publish_roster, told
from league.people.models import Card, CardEntry, CardKey, Participant
from league.rounds.models import Season
from tests.league.office import sign_in
from tests.league.processes import League

NOW = datetime(2027, 3, 1, 9, tzinfo=UTC)
KEY = "ab" * 32
OLD, NEW = "04A1B2C3D40080", "04958CAA5C5E80"


@pytest.fixture
def ledger(tmp_path: Path) -> Any:
    with opened(tmp_path / "ledger.jsonl", "Věra", lambda: NOW) as book:
        book.write("key", league="cpl", key=KEY)
        yield book


@pytest.fixture
def pen() -> Pen:
    return Pen(Ed25519PrivateKey.generate(), lambda: 1_800_000_000_000)


def issued(book: Ledger, uid: str = NEW, participant: str = "000101", serial: int = 1, version: int = 1) -> None:
    fields: dict[str, Any] = {"uid": uid, "participant": participant, "serial": serial, "issued": date(2027, 3, 1)}
    book.write("begun", **fields, key_version=version)
    book.write("issued", **fields, key_version=version)


def take(book: Ledger, **options: Any) -> str:
    out = StringIO()
    call_command("cards", str(book.path), stdout=out, **options)
    return out.getvalue()


def refused(book: Ledger, code: int = 2) -> list[str]:
    with pytest.raises(CommandError) as error:
        take(book)
    assert error.value.returncode == code
    return str(error.value).replace(f"{book.path}: ", "").split("\n")


def test_LG_6_an_issued_card_is_the_participants_from_then_on(imported: dict[str, Any], ledger: Ledger) -> None:
    Card.objects.filter(uid=OLD).update(state=Card.State.LOST)
    issued(ledger)
    assert take(ledger) == "1 begun, 1 issued, 1 key\n"
    card = Card.objects.get(uid=NEW)
    assert (card.participant.number, card.kind, card.serial, card.key_version, card.state, card.issued_at) == (
        "000101", "ntag424", 1, 1, "valid", NOW,
    )  # fmt: skip


def test_the_same_ledger_again_changes_nothing_and_a_longer_one_what_is_new(
    imported: dict[str, Any], ledger: Ledger
) -> None:
    Card.objects.filter(uid=OLD).update(state=Card.State.LOST)
    issued(ledger)
    take(ledger)
    Card.objects.filter(uid=NEW).update(state=Card.State.DAMAGED, reason="by hand")
    assert take(ledger) == "nothing new\n"
    issued(ledger, version=2)  # its keys were renewed: no reason to call it valid again
    take(ledger)
    card = Card.objects.get(uid=NEW)
    assert (card.key_version, card.state, card.reason) == (2, "damaged", "by hand")


@pytest.mark.parametrize("reason", ["lost", "stolen", "damaged", "revoked", "replaced"])
def test_LG_6_venues_hear_why_a_card_was_taken_back(
    imported: dict[str, Any], ledger: Ledger, pen: Pen, reason: str
) -> None:
    Card.objects.filter(uid=OLD).delete()
    issued(ledger)
    ledger.withdraw(ledger.book.cards[NEW], reason)  # type: ignore[arg-type]
    issued(ledger, "04958CAA5C5E81", serial=2)
    take(ledger)
    card = Card.objects.get(uid=NEW)
    assert (card.state, card.state_at) == (reason, NOW)
    publish_roster("zabreh", pen)
    roster = told("zabreh")
    assert roster.withdrawn_as(NEW) == ("revoked" if reason == "replaced" else reason)
    former = roster.revoked_from(NEW)
    assert former is not None and former.participant == "000101"
    assert roster.by_uid("04958CAA5C5E81") == former


def test_a_card_given_up_before_it_was_done_holds_up_nothing(imported: dict[str, Any], ledger: Ledger) -> None:
    """Begun, torn away, revoked at the desk: the league never had it, and must take the rest of the ledger."""
    Card.objects.filter(uid=OLD).update(state=Card.State.LOST)
    other = {"uid": "04958CAA5C5E81", "participant": "000101", "issued": date(2027, 3, 1)}
    ledger.write("begun", **other, serial=1)
    ledger.withdraw(ledger.book.cards["04958CAA5C5E81"], "damaged")
    issued(ledger, serial=2)
    assert take(ledger) == "2 begun, 1 issued, 1 key, 1 withdrawn\n"
    assert not Card.objects.filter(uid="04958CAA5C5E81").exists()


def test_a_league_that_starts_late_takes_the_ledgers_newest_key(imported: dict[str, Any], ledger: Ledger) -> None:
    ledger.write("key", league="cpl", key="cd" * 32)
    take(ledger)
    assert CardKey.objects.get().public_key == "cd" * 32


def test_a_wiped_card_can_be_somebody_elses(imported: dict[str, Any], ledger: Ledger, pen: Pen) -> None:
    Card.objects.all().delete()
    issued(ledger)
    ledger.withdraw(ledger.book.cards[NEW], "revoked")
    ledger.write("wiped", uid=NEW, participant="000101", serial=1)
    issued(ledger, participant="000102", serial=2)
    take(ledger)
    publish_roster("zabreh", pen)
    holder = told("zabreh").by_uid(NEW)
    assert holder is not None and holder.participant == "000102"
    assert CardEntry.objects.filter(uid=NEW, what="issued").count() == 2


def test_every_line_that_cannot_be_is_set_aside_by_name_and_the_rest_is_taken_in(
    imported: dict[str, Any], ledger: Ledger
) -> None:
    issued(ledger, participant="999999")
    issued(ledger, "04958CAA5C5E81", serial=2)
    ledger.write("withdrawn", uid="04958CAA5C5E99", participant="000105", reason="lost")
    assert refused(ledger, 1)[1:] == [
        "line 3: there is no participant 999999",
        f"line 5: 000101 already has the valid card {OLD}",
        "line 6: 04958CAA5C5E99 is no card of 000105",
    ]
    assert CardKey.objects.get().public_key == KEY
    assert not CardEntry.objects.filter(what__in=["issued", "withdrawn"]).exists()
    Card.objects.filter(uid=OLD).update(state=Card.State.LOST)
    assert len(refused(ledger, 1)) == 3  # what has become possible is taken in: each line is tried again
    assert Card.objects.get(uid="04958CAA5C5E81").participant.number == "000101"


def test_LG_6_a_withdrawal_waits_for_nobody_elses_line(imported: dict[str, Any], ledger: Ledger, pen: Pen) -> None:
    """A card for a mistyped number stands in the ledger for good; a stolen card must be refused all the same."""
    Card.objects.filter(uid=OLD).delete()
    issued(ledger)
    issued(ledger, "04958CAA5C5E81", participant="101", serial=2)
    ledger.withdraw(ledger.book.cards[NEW], "stolen")
    assert refused(ledger, 1)[1:] == ["line 5: there is no participant 101"]
    publish_roster("zabreh", pen)
    assert told("zabreh").withdrawn_as(NEW) == "stolen"


@pytest.mark.parametrize("wiped", [False, True])
def test_a_card_for_nobody_that_was_taken_back_is_settled(
    imported: dict[str, Any], ledger: Ledger, wiped: bool
) -> None:
    """Whatever the desk issued by mistake and took back again is nothing for anybody at the league to see to."""
    Card.objects.filter(uid=OLD).delete()
    issued(ledger, participant="101")
    ledger.withdraw(ledger.book.cards[NEW], "revoked")
    if wiped:
        ledger.write("wiped", uid=NEW, participant="101", serial=1)
    said = take(ledger)
    assert "passed by" in said and "line 3: there is no participant 101" in said
    if wiped:
        issued(ledger, serial=2)
        assert take(ledger).startswith("1 begun, 1 issued\n")
        Participant.objects.create(number="101", first_name="Pozdní", surname="Host")
        take(ledger)  # an old line comes possible, but what came later for that card holds
        assert Card.objects.get(uid=NEW).participant.number == "000101"


def test_a_withdrawn_card_that_a_new_ledger_enters_again_stays_withdrawn(
    imported: dict[str, Any], ledger: Ledger, tmp_path: Path
) -> None:
    Card.objects.filter(uid=OLD).delete()
    issued(ledger)
    ledger.withdraw(ledger.book.cards[NEW], "lost")
    issued(ledger, "04958CAA5C5E81", serial=2)
    take(ledger)
    with opened(tmp_path / "new.jsonl", "Věra", lambda: NOW) as lost:
        lost.write("issued", uid=NEW, participant="000101", serial=1, issued=date(2027, 3, 1), key_version=1)
        assert take(lost) == "1 issued\n"
    assert Card.objects.get(uid=NEW).state == "lost"


def test_lines_that_are_none_are_named_all_of_them(imported: dict[str, Any], ledger: Ledger) -> None:
    with ledger.path.open("ab") as file:
        file.write(b'{"what": "issued"}\n\xff\n{"half a li')
    assert [line.partition(":")[0] for line in refused(ledger)] == ["line 2", "line 3"]


def test_a_dry_run_tries_everything_and_changes_nothing(imported: dict[str, Any], ledger: Ledger) -> None:
    Card.objects.filter(uid=OLD).delete()
    issued(ledger)
    assert take(ledger, dry_run=True).endswith("dry run: nothing was changed\n")
    assert not Card.objects.filter(uid=NEW).exists() and not CardEntry.objects.exists()


def test_a_file_that_is_not_there_is_one_line(imported: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="nowhere: No such file"):
        call_command("cards", str(tmp_path / "nowhere"))


def test_the_cards_key_comes_with_the_first_ledger_and_another_is_not_taken(
    imported: dict[str, Any], ledger: Ledger, pen: Pen
) -> None:
    take(ledger)
    publish_roster("zabreh", pen)
    policy = told("zabreh").policy
    assert (policy.league, policy.key, policy.least) == ("cpl", KEY, Season.objects.get().least_card)
    ledger.write("key", league="cpl", key="cd" * 32)
    assert "another key than the league's" in refused(ledger)[0]
    call_command("card_key", "cpl", "cd" * 32, stdout=StringIO())
    assert take(ledger) == "1 key\n"
    for wrong in (("cpl",), ("CPL", KEY), ("cpl", "xyz")):
        with pytest.raises(CommandError):
            call_command("card_key", *wrong)


def test_venues_can_be_told_at_once(imported: dict[str, Any], ledger: Ledger) -> None:
    Card.objects.filter(uid=OLD).delete()
    issued(ledger)
    assert "zabreh: 19 entries" in take(ledger, publish=True)
    assert told("zabreh").by_uid(NEW) is not None


@pytest.fixture
def commissioner(imported: dict[str, Any]) -> Participant:
    return Participant.objects.get(role=Participant.Role.COMMISSIONER)


def test_a_commissioners_pin_goes_to_the_venues_as_a_hash(
    commissioner: Participant, pen: Pen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", StringIO("314159\n"))
    out = StringIO()
    call_command("pin", "000900", stdout=out)
    assert "314159" not in out.getvalue()
    publish_roster("zabreh", pen)
    pin = told("zabreh").entries["000900"].pin
    assert pin is not None and "314159" not in pin
    assert Pins().check("000900", pin, "314159").answer is PinAnswer.RIGHT
    call_command("pin", "000900", "--remove", stdout=out)
    publish_roster("zabreh", pen)
    assert told("zabreh").entries["000900"].pin is None


def test_only_commissioners_have_pins_and_a_demoted_ones_is_not_sent(
    commissioner: Participant, pen: Pen, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, typed, complaint in (
        ("000101", "314159", "is no commissioner"), ("999", "314159", "no participant"), ("000900", "12", "6 to 12"),
    ):  # fmt: skip
        monkeypatch.setattr(sys, "stdin", StringIO(typed + "\n"))
        with pytest.raises(CommandError, match=complaint) as error:
            call_command("pin", number)
        assert typed not in str(error.value) or len(typed) == 2
    Participant.objects.filter(number="000900").update(pin="$argon2id$x", role=Participant.Role.PARTICIPANT)
    publish_roster("zabreh", pen)
    assert told("zabreh").entries["000900"].pin is None


@pytest.mark.parametrize(
    ("language", "words"), [("cs", ["pořadové číslo", "odcizený"]), ("en", ["serial number", "stolen"])]
)
def test_the_office_sees_cards_and_entries_in_both_languages(
    imported: dict[str, Any], ledger: Ledger, language: str, words: list[str]
) -> None:
    from django.contrib.auth.models import User
    from django.test import Client

    Card.objects.filter(uid=OLD).delete()
    issued(ledger)
    ledger.withdraw(ledger.book.cards[NEW], "stolen")
    take(ledger)
    client = Client()
    sign_in(client, User.objects.create_superuser("office"))
    office = "/admin/people" if language == "cs" else f"/{language}/admin/people"
    pages = {name: client.get(f"{office}/{name}/").content.decode() for name in ("card", "cardentry", "cardkey")}
    shown = pages["card"].lower()
    assert [word for word in words if word not in shown] == []
    assert "Věra" in pages["cardentry"] and KEY in pages["cardkey"]
    person = client.get(f"{office}/participant/{Participant.objects.get(number='000900').pk}/change/")
    assert b"argon2id" not in person.content


def test_a_ledgers_line_says_all_that_the_league_needs(ledger: Ledger) -> None:
    issued(ledger)
    line = json.loads(ledger.path.read_text().splitlines()[-1])
    assert line.keys() >= {"id", "at", "who", "what", "uid", "participant", "serial", "issued", "key_version"}


def test_the_desk_tells_the_league_itself_where_it_is_on_the_same_machine(league: League, tmp_path: Path) -> None:
    phrase, keys, card = tmp_path / "phrase", tmp_path / "desk.keys", tmp_path / "card.json"
    phrase.write_text("correct horse battery")
    phrase.chmod(0o600)
    made = new_keys("cpl", "https://liga.example/card")
    keyfile.create(keys, made, keyfile.passphrase(phrase.read_text()), 1 << 10)
    with opened(beside(keys), "tester") as book:
        book.write("key", league=made.league, key=made.public)
    cards = (sys.executable, "-m", "appliance", "cards")
    asked = ("--keys", str(keys), "--simulated", str(card), "--passphrase-file", str(phrase), "--league")

    def desk(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*cards, words[0], *asked, *words[1:]], env=league.env, capture_output=True, text=True, check=False
        )

    mistyped = desk("issue", "000777")
    assert mistyped.returncode == 2 and "nothing was done: --league: there is no participant 000777" in mistyped.stderr
    assert not card.exists()
    untold = desk("issue", "000101")
    assert untold.returncode == 1  # the season's file gave her another card
    assert "done, but not all of it could be told" in untold.stderr and "already has the valid card" in untold.stderr
    league.change("UPDATE people_card SET state = 'lost' WHERE uid = %s", OLD)
    told_now = desk("issue", "000101")
    assert told_now.returncode == 0, told_now.stderr
    assert league.rows("SELECT kind, serial, state FROM people_card WHERE serial = 1") == [("ntag424", 1, "valid")]
    assert league.rows("SELECT count(*) FROM people_cardkey") == [(1,)]
