"""One card on the desk: issued in one go, or torn away wherever one likes and issued by doing it again."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from appliance.cards import layout, record, sdm
from appliance.cards.emulator.ntag424 import EmulatedNtag424
from appliance.cards.emulator.ntag424_json import to_json
from appliance.cards.emulator.ntag424_state import delivered
from appliance.cards.ntag424 import KEYS, Ntag424
from appliance.cards.secret import Secret
from appliance.desk.desk import Refused
from appliance.desk.keys import new_keys
from appliance.hw.ports import Technology
from appliance.hw.simulated_card import Fault, Laid, Trick
from tests.desk.conftest import DAY, UID, Bench

Content = Callable[[Any], Any]
MOST_APDUS = 120
TORN = [pytest.param(False, id="before-the-card-got-it"), pytest.param(True, id="before-its-answer-came-back")]


def test_LG_6_an_issued_card_has_keys_of_its_own_and_a_signed_record(bench: Bench, blank: EmulatedNtag424) -> None:
    done = bench.issue(blank)
    assert (done.card.participant, done.card.serial, done.already) == ("000101", 1, False)
    keys = {blank.memory.keys[n].value.reveal() for n in KEYS}
    assert len(keys) == 5 and bytes(16) not in keys
    reader = Ntag424(blank)
    reader.select()
    found = layout.record_in_file(reader.read_data(layout.RECORD_FILE, layout.RECORD_READ))
    assert found is not None and record.verify(found, bench.keys.signing.public_key(), UID.hex().upper())
    assert (found.league, found.participant, found.serial, found.issued) == ("cpl", "000101", 1, DAY)
    for number in KEYS:
        reader.authenticate(number, bench.keys.card_key(UID, number, 1))


def test_the_link_of_an_issued_card_proves_itself(bench: Bench, blank: EmulatedNtag424) -> None:
    bench.issue(blank)
    blank.power_off()
    reader = Ntag424(blank)
    reader.select()
    content = reader.read_data(layout.NDEF_FILE, 200)
    told = layout.link(bench.keys.link)
    assert told.settings.sdm is not None
    message = sdm.verify(content, told.settings.sdm, None, lambda _: bench.keys.card_key(UID, layout.MESSAGES, 1))
    assert message.uid == UID and message.counter == 1


@pytest.mark.parametrize("done", TORN)
def test_a_card_torn_away_at_any_apdu_is_issued_by_doing_it_again(bench: Bench, content: Content, done: bool) -> None:
    undisturbed = EmulatedNtag424(UID)
    bench.issue(undisturbed)
    for after in range(MOST_APDUS):
        bench.path.unlink()
        card = EmulatedNtag424(UID)
        if not bench.torn(card, after, done, bench.issue):
            break
        assert all(key.failed == 0 for key in card.memory.keys)
        bench.issue(card)
        assert content(card) == content(undisturbed)
    assert 30 < after < MOST_APDUS - 1


@pytest.mark.parametrize("second", range(0, 40, 5))
@pytest.mark.parametrize("done", TORN)
def test_a_card_torn_away_twice_is_issued_too(bench: Bench, content: Content, done: bool, second: int) -> None:
    undisturbed = EmulatedNtag424(UID)
    bench.issue(undisturbed)
    for after in range(0, 60, 3):
        bench.path.unlink(missing_ok=True)
        card = EmulatedNtag424(UID)
        bench.torn(card, after, done, bench.issue)
        bench.torn(card, second, not done, bench.issue)
        bench.issue(card)
        assert content(card) == content(undisturbed)


@pytest.mark.parametrize("done", TORN)
def test_a_card_torn_away_while_wiped_is_wiped_by_doing_it_again(bench: Bench, content: Content, done: bool) -> None:
    new = EmulatedNtag424(UID)
    for after in range(MOST_APDUS):
        bench.path.unlink(missing_ok=True)
        card = EmulatedNtag424(UID)
        bench.issue(card)
        if not bench.torn(card, after, done, bench.wipe):
            break
        bench.wipe(card)
        assert content(card) == content(new)
    assert 30 < after < MOST_APDUS - 1


def test_a_half_issued_card_can_be_wiped_and_a_half_wiped_one_issued(bench: Bench, content: Content) -> None:
    undisturbed, new = EmulatedNtag424(UID), EmulatedNtag424(UID)
    bench.issue(undisturbed)
    for after in range(60):
        bench.path.unlink(missing_ok=True)
        card = EmulatedNtag424(UID)
        bench.torn(card, after, True, bench.issue)
        bench.wipe(card)
        assert content(card) == content(new)
        bench.path.unlink()
        bench.torn(card, after, False, bench.wipe)
        bench.path.unlink(missing_ok=True)
        bench.issue(card)
        assert content(card) == content(undisturbed)


def test_to_issue_a_card_again_changes_nothing(bench: Bench, blank: EmulatedNtag424, content: Content) -> None:
    bench.issue(blank)
    before, lines = content(blank), bench.path.read_bytes()
    bench.steps.clear()
    assert bench.issue(blank).already
    assert (content(blank), bench.path.read_bytes(), bench.steps) == (before, lines, [])


def test_new_master_keys_reach_an_old_card_by_issuing_it_again(bench: Bench, blank: EmulatedNtag424) -> None:
    bench.issue(blank)
    bench.keys = bench.keys.renewed()
    for after in range(0, MOST_APDUS, 5):
        bench.torn(blank, after, True, bench.issue)
    done = bench.issue(blank)
    assert (done.card.serial, done.card.key_version) == (1, 2)
    assert [key.version for key in blank.memory.keys] == [2] * 5
    assert [blank.memory.keys[n].value == bench.keys.card_key(UID, n, 2) for n in KEYS] == [True] * 5


def test_a_card_with_somebody_elses_key_is_refused_before_anything_is_written(bench: Bench, content: Content) -> None:
    """Who had the blank card before may have set a key he knows, under the version that ours will have."""
    for number in KEYS:
        card = EmulatedNtag424(UID)
        reader = Ntag424(card)
        reader.select()
        reader.authenticate(0, Secret(bytes(16)))
        reader.change_key(number, Secret(b"known to a thief"), 1)
        before = content(card)
        with pytest.raises(Refused) as refused:
            bench.issue(card)
        assert refused.value.code == "foreign-key"
        assert content(card)["files"] == before["files"]
        assert sum(key.failed for key in card.memory.keys) == 1
        assert not any(card.memory.keys[n].value == bench.keys.card_key(UID, n, 1) for n in KEYS)


def test_a_foreign_key_under_the_factorys_version_is_found_too(bench: Bench) -> None:
    for number in KEYS:
        card = EmulatedNtag424(UID)
        reader = Ntag424(card)
        reader.select()
        reader.authenticate(0, Secret(bytes(16)))
        reader.change_key(number, Secret(b"known to a thief"), 0)
        with pytest.raises(Refused) as refused:
            bench.issue(card)
        assert refused.value.code == "foreign-key"


def test_another_leagues_card_is_refused_after_one_try(bench: Bench, blank: EmulatedNtag424, tmp_path: Any) -> None:
    other = Bench(new_keys("other", "https://other.example/card"), tmp_path / "other.jsonl")
    other.issue(blank)
    for job in (bench.issue, bench.wipe):
        with pytest.raises(Refused, match="neither the factory's nor ours"):
            job(blank)
    assert blank.memory.keys[0].failed == 2


def test_a_card_under_keys_that_the_file_does_not_have_is_not_tried(bench: Bench, blank: EmulatedNtag424) -> None:
    old = bench.keys
    bench.keys = old.renewed()
    bench.issue(blank)
    bench.keys = old
    with pytest.raises(Refused) as refused:
        bench.wipe(blank)
    assert refused.value.code == "foreign-version"
    assert blank.memory.keys[0].failed == 0


def test_LG_6_at_most_one_card_of_a_participant_is_valid(bench: Bench, blank: EmulatedNtag424) -> None:
    bench.issue(blank)
    second = EmulatedNtag424(bytes.fromhex("04958CAA5C5E81"))
    with pytest.raises(Refused) as refused:
        bench.issue(second)
    assert refused.value.code == "has-card"
    assert to_json(second.memory) == to_json(delivered(second.uid))
    done = bench.issue(second, reason="lost")
    assert done.card.serial == 2
    states = bench.at(lambda desk: {uid: card.state for uid, card in desk.book.items()})
    assert states == {"04958CAA5C5E80": "lost", "04958CAA5C5E81": "valid"}
    with pytest.raises(Refused) as refused:
        bench.issue(blank)
    assert refused.value.code == "withdrawn"
    with pytest.raises(Refused) as refused:
        bench.issue(second, "000102")
    assert refused.value.code == "somebodys"


def test_a_wiped_card_can_be_somebody_elses_under_a_new_serial(bench: Bench, blank: EmulatedNtag424) -> None:
    bench.issue(blank)
    bench.wipe(blank)
    done = bench.issue(blank, "000102")
    assert (done.card.participant, done.card.serial) == ("000102", 2)


@pytest.mark.parametrize("lost", ["the-last-line", "the-whole-ledger"])
def test_a_finished_card_that_is_not_in_the_ledger_is_entered(bench: Bench, blank: EmulatedNtag424, lost: str) -> None:
    bench.issue(blank)
    lines = bench.path.read_bytes().splitlines(keepends=True)
    kept = b"".join(lines[:-1]) if lost == "the-last-line" else b""
    for find in (bench.enter, bench.issue):
        bench.path.write_bytes(kept)
        assert find(blank).card.state == "valid"
        card = bench.at(lambda desk: desk.book["04958CAA5C5E80"])
        assert (card.participant, card.serial, card.issued, card.key_version) == ("000101", 1, DAY, 1)
    assert bench.enter(blank) is None


def test_a_half_issued_or_foreign_card_is_not_entered(bench: Bench, blank: EmulatedNtag424, tmp_path: Any) -> None:
    bench.torn(blank, 40, True, bench.issue)
    assert bench.enter(blank) is None
    other = Bench(new_keys("cpl", "https://other.example/card"), tmp_path / "other.jsonl")
    foreign = EmulatedNtag424(bytes.fromhex("04958CAA5C5E82"))
    other.issue(foreign)
    assert bench.enter(foreign) is None


def test_a_faulty_answer_of_the_card_is_a_refusal_in_words(bench: Bench, blank: EmulatedNtag424) -> None:
    blank.memory.keys[0].failed = blank.memory.failure_limit
    with pytest.raises(Refused, match="blocked for good"):
        bench.issue(blank)


def test_an_answer_misheard_at_any_command_never_spoils_a_card(bench: Bench, content: Content) -> None:
    undisturbed = EmulatedNtag424(UID)
    bench.issue(undisturbed)
    for at in range(1, MOST_APDUS):
        bench.path.unlink()
        card = EmulatedNtag424(UID)
        misheard = Laid(card, Fault(Trick.GARBLE, at)).channel(lambda: True)
        with contextlib.suppress(Refused):
            bench.at(lambda desk, channel=misheard: desk.issue(channel, UID.hex().upper(), "000101"))
        bench.issue(card)
        assert content(card) == content(undisturbed)
        assert sum(key.failed for key in card.memory.keys) <= 1


class Counted:
    """A card whose authentications are counted, by the key's number and value."""

    def __init__(self, card: EmulatedNtag424) -> None:
        self.card = card
        self.tried: Counter[tuple[int, bytes]] = Counter()
        self.technology = Technology.ISO_DEP

    def transmit(self, apdu: bytes) -> bytes:
        if apdu[:2] in (b"\x90\x71", b"\x90\x77"):
            self.tried[apdu[5], self.card.memory.keys[apdu[5]].value.reveal()] += 1
        return self.card.transmit(apdu)


def test_no_key_is_authenticated_more_than_twice_and_none_in_vain(bench: Bench) -> None:
    uid = UID.hex().upper()
    for after in range(0, 70, 3):
        bench.path.unlink(missing_ok=True)
        card = EmulatedNtag424(UID)
        bench.torn(card, after, True, bench.issue)
        for job in (
            lambda desk, card: desk.issue(card, uid, "000101"),
            lambda desk, card: desk.enter(card, uid),
            lambda desk, card: desk.wipe(card, uid),
        ):
            card.power_off()
            counted = Counted(card)
            bench.at(lambda desk, job=job, counted=counted: job(desk, counted))
            assert not counted.tried or max(counted.tried.values()) <= 2
        assert all(key.failed == 0 for key in card.memory.keys)


@pytest.mark.parametrize("uid", ["08A1B2C3", "04A1B2C3D4E5F6A7B8C9"])
def test_a_phone_or_a_card_of_another_length_is_refused_untouched(bench: Bench, uid: str) -> None:
    card = Counted(EmulatedNtag424(UID))
    for job in (lambda desk: desk.issue(card, uid, "000101"), lambda desk: desk.wipe(card, uid)):
        with pytest.raises(Refused, match="7 bytes"):
            bench.at(job)
    assert not card.tried and bench.path.read_bytes() == b""
