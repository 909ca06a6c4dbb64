"""The kiosk's word on cards: sealed keys that come, change and end, readings judged, counters that never go back."""

import logging
import os

import pytest

from appliance.apps.demo_cards import CardOffice
from appliance.cards.emulator.ntag424 import EmulatedNtag424
from appliance.cards.outcome import Refusal, Tier
from appliance.cards.reading import Ntag424Read
from appliance.cardwork import CardWork, SealedKeys
from appliance.desk.simulated import channel
from appliance.game.fleet import CardKeysSent
from appliance.game.roster import CardPolicy, Roster, RosterEntry, decode_roster_event, encode_roster_event, fold_roster
from appliance.hw.ports import CardPresented

UID, WHO = "04958CAA5C5E80", "000101"
NOW = 1_800_000_000_000
HOUR = 3_600_000


@pytest.fixture(scope="module")
def office(tmp_path_factory):
    office = CardOffice(tmp_path_factory.mktemp("office"))
    office.issue([(UID, WHO)])
    return office


@pytest.fixture
def policy(office):
    return CardPolicy(league="demo", key=office.public, least="signed")


@pytest.fixture
def roster(policy):
    return fold_roster(fold_roster(Roster(), policy), RosterEntry(participant=WHO, state="active", cards=(UID,)))


class Clock:
    ms = NOW

    def __call__(self):
        return self.ms


@pytest.fixture
def work(tmp_path):
    keys = SealedKeys(tmp_path / "card-keys.json", tmp_path, "door", Clock())
    work = CardWork(keys, tmp_path / "counters.db")
    yield work
    work.close()


def sealed(office, folder, until=NOW + HOUR):
    office.seal_for("door", folder, [UID], until)


def tap(work, card):
    reading = work.dialog()(channel(card), UID)
    card.power_off()
    return CardPresented("door", UID, 0, reading)


def issued(office):
    return EmulatedNtag424.load(office.path(UID))


def test_a_card_whose_key_is_here_is_genuine_and_a_copy_of_all_but_its_keys_forged(
    work, office, tmp_path, policy, roster
):
    sealed(office, tmp_path)
    work.follow(policy)
    assert len(work.keys) == 1
    assert work.judge(tap(work, issued(office)), roster).tier is Tier.GENUINE
    assert work.judge(tap(work, office.clone(UID)), roster).code is Refusal.FORGED


def test_keys_that_come_later_count_from_the_next_tap_and_are_gone_with_their_file(
    work, office, tmp_path, policy, roster
):
    work.follow(policy)
    card = issued(office)
    assert work.judge(tap(work, card), roster).tier is Tier.WEAK
    sealed(office, tmp_path)
    assert work.judge(tap(work, card), roster).tier is Tier.GENUINE
    (tmp_path / "card-keys.json").unlink()
    assert work.judge(tap(work, card), roster).tier is Tier.WEAK


@pytest.mark.parametrize("until", [NOW, NOW - HOUR])
def test_keys_that_have_ended_are_none(work, office, tmp_path, policy, roster, until):
    sealed(office, tmp_path, until)
    work.follow(policy)
    assert work.judge(tap(work, issued(office)), roster).tier is Tier.WEAK


def test_a_file_of_another_device_of_another_league_or_torn_is_no_file(work, office, tmp_path, policy, roster, caplog):
    sealed(office, tmp_path)
    file = tmp_path / "card-keys.json"
    good = file.read_bytes()
    for bad in (good[:-40], b"", good.replace(b'"door"', b'"back"')):
        file.write_bytes(bad)
        work.follow(policy)
        assert len(work.keys) == 0
    file.write_bytes(good)
    work.follow(CardPolicy(league="demo", key="ab" * 32))
    assert len(work.keys) == 0
    assert caplog.records and all(record.levelno == logging.ERROR for record in caplog.records)


def test_a_counter_that_went_back_is_refused_also_after_a_restart(work, office, tmp_path, policy, roster):
    work.follow(policy)
    old, card = issued(office), issued(office)
    assert work.judge(tap(work, card), roster).tier is Tier.WEAK
    again = tap(work, card)
    assert work.judge(again, roster).tier is Tier.WEAK
    assert work.judge(again, roster).code is Refusal.COUNTER_BACK, "the same reading once more is a replay"
    work.close()
    assert work.judge(tap(work, old), roster).code is Refusal.COUNTER_BACK


def test_without_the_counters_no_signature_is_believed_and_keys_still_are(
    work, office, tmp_path, policy, roster, caplog
):
    (tmp_path / "counters.db").mkdir()
    work.follow(policy)
    assert work.judge(tap(work, issued(office)), roster).code is Refusal.TOO_WEAK
    sealed(office, tmp_path)
    assert work.judge(tap(work, issued(office)), roster).tier is Tier.GENUINE


def test_what_is_no_reading_is_a_bare_number(work, policy, roster):
    work.follow(policy)
    assert work.judge(CardPresented("door", UID, 0, None), roster).code is Refusal.TOO_WEAK
    assert work.judge(CardPresented("door", UID, 0, object()), roster).code is Refusal.TOO_WEAK
    assert work.judge(CardPresented("door", UID, 0, Ntag424Read(UID)), roster).code is Refusal.TOO_WEAK


def test_keys_are_in_no_log_and_in_no_repr(work, office, tmp_path, policy, caplog):
    caplog.set_level(logging.DEBUG)
    sealed(office, tmp_path)
    work.follow(policy)
    secret = work.keys(UID).reveal().hex()
    said = caplog.text + repr(work) + repr(work.keys) + repr(vars(work.keys))
    assert len(secret) == 32 and secret not in said.lower()
    assert secret.encode() not in b"".join(f.read_bytes() for f in tmp_path.iterdir() if f.is_file()).lower()
    assert (tmp_path / "opening.key").stat().st_mode & 0o77 == 0


def test_wrong_pins_outlive_the_program_and_a_disk_that_fails_is_told(work, tmp_path):
    work.keep_wrong_pins(WHO, 3)
    work.close()
    assert work.wrong_pins(WHO) == 3
    again = CardWork(work.keys, tmp_path / "counters.db")
    assert again.wrong_pins(WHO) == 3
    again.close()
    nowhere = CardWork(work.keys, tmp_path / "no" / "folder.db")
    with pytest.raises(OSError):
        nowhere.keep_wrong_pins(WHO, 1)


def test_keys_that_a_wrong_clock_called_ended_are_taken_when_it_is_set_right(work, office, tmp_path, policy, roster):
    sealed(office, tmp_path)
    clock = work.keys._now_ms
    clock.ms = NOW + 400 * 24 * HOUR  # no battery, and nobody to ask at the start
    work.follow(policy)
    assert work.judge(tap(work, issued(office)), roster).tier is Tier.WEAK
    clock.ms = NOW
    assert work.judge(tap(work, issued(office)), roster).tier is Tier.GENUINE


@pytest.mark.parametrize("kind", ["pipe", "folder", "huge", "loop", "half", "nobody's"])
def test_whatever_lies_in_the_place_of_the_keys_holds_up_no_tap(work, office, tmp_path, policy, roster, kind):
    sealed(office, tmp_path)
    file = tmp_path / "card-keys.json"
    whole = file.read_bytes()
    file.unlink()
    match kind:
        case "pipe":
            os.mkfifo(file)
        case "folder":
            file.mkdir()
        case "huge":
            with file.open("wb") as out:
                out.truncate(1 << 33)
        case "loop":
            file.symlink_to(file)
        case "half":
            file.write_bytes(whole[:-20])
        case _:
            file.symlink_to("/dev/zero")
    work.follow(policy)
    assert work.judge(tap(work, issued(office)), roster).tier is Tier.WEAK
    assert len(work.keys) == 0


def test_keys_that_the_league_sends_count_as_those_of_the_file_and_the_later_ones_stand(
    work, office, tmp_path, policy, roster
):
    sent = office.seal_for("door", tmp_path, [UID], NOW + HOUR).read_bytes()
    (tmp_path / "card-keys.json").unlink()
    work.follow(policy)
    assert work.judge(tap(work, issued(office)), roster).tier is Tier.WEAK
    work.hear(sent)
    card = issued(office)
    assert work.judge(tap(work, card), roster).tier is Tier.GENUINE
    sealed(office, tmp_path, NOW + 2 * HOUR)
    assert work.judge(tap(work, card), roster).tier is Tier.GENUINE
    (tmp_path / "card-keys.json").write_bytes(b"torn")
    assert work.judge(tap(work, card), roster).tier is Tier.GENUINE, "a torn file takes nothing from what was sent"
    work.hear(sent[:-30])
    assert len(work.keys) == 0


def test_keys_for_another_device_are_not_taken_from_the_stream(work, office, tmp_path, policy, roster, caplog):
    sent = office.seal_for("table-1", tmp_path, [UID], NOW + HOUR).read_bytes()
    (tmp_path / "card-keys.json").unlink()
    work.follow(policy)
    work.hear(sent)
    assert len(work.keys) == 0 and "table-1" in caplog.text


def test_sealed_keys_come_in_parts_and_whole_or_not_at_all():
    def part(n, of, file="f", device="door"):
        return CardKeysSent(device=device, sealed=bytes([n]), part=n, of=of, file=file)

    def folded(*events):
        roster = Roster()
        for event in events:
            kind, data = encode_roster_event(event)
            roster = fold_roster(roster, decode_roster_event(kind, data))
        return roster.card_keys

    assert folded(part(1, 1)) == {"door": b"\1"}
    assert folded(part(1, 2)) == {}
    assert folded(part(1, 2), part(1, 1, "g", "back"), part(2, 2)) == {"door": b"\1\2", "back": b"\1"}
    assert folded(part(2, 2)) == folded(part(1, 3), part(3, 3)) == folded(part(1, 2), part(2, 2, "g")) == {}
    assert folded(part(1, 1), part(1, 2, "g")) == {"door": b"\1"}, "until the new file is whole the old one stands"
    assert folded(part(1, 1), part(1, 2, "g"), part(2, 2, "g")) == {"door": b"\1\2"}
