"""What is asked of a card in a tap, and what it comes to."""

from __future__ import annotations

import pytest

from appliance.cards import layout, ndef
from appliance.cards.emulator.ntag21x import EmulatedNtag21x
from appliance.cards.emulator.ntag21x_models import Model
from appliance.cards.emulator.ntag424 import EmulatedNtag424
from appliance.cards.ndef import NdefRecord, Tnf
from appliance.cards.reading import Ntag21xRead, Ntag424Read, PlainRead, Problem
from appliance.cards.secret import Secret
from appliance.cards.verdict import Accepted, Refusal, Refused, Tier
from appliance.hw.ports import CardLost
from tests.cards.issued import (
    LEAGUE,
    MAKER,
    PLAYER,
    UID,
    Apdus,
    OnlyUid,
    Pages,
    ask,
    judge,
    keys,
    text,
)


def accepted(tier: Tier, counter: int | None = None) -> Accepted:
    return Accepted(text(UID), PLAYER, "participant", tier, counter)


def test_card_that_proves_its_key_is_genuine_in_four_apdus() -> None:
    channel = Apdus(LEAGUE.ntag424())
    reading = ask(channel, known=keys())
    assert reading == Ntag424Read(text(UID), True, None, LEAGUE.record())
    assert len(channel.sent) == 4
    assert judge(reading, "genuine") == accepted(Tier.GENUINE)


def test_without_the_key_signature_and_counter_make_a_card_weak_in_three_apdus() -> None:
    channel = Apdus(LEAGUE.ntag424())
    reading = ask(channel)
    assert reading == Ntag424Read(text(UID), None, 1, LEAGUE.record())
    assert len(channel.sent) == 3
    assert judge(reading) == accepted(Tier.WEAK, 1)
    assert judge(reading, "genuine") == Refused(Refusal.TOO_WEAK, text(UID), PLAYER)


def test_counter_rises_at_every_tap() -> None:
    card = LEAGUE.ntag424()
    for tap in range(1, 4):
        reading = ask(Apdus(card))
        assert isinstance(reading, Ntag424Read)
        assert reading.counter == tap
        card.power_off()


@pytest.mark.parametrize("model", list(Model))
@pytest.mark.parametrize("raw", [True, False])
def test_signed_card_of_pages_is_weak_where_the_maker_can_be_asked_for(model: Model, raw: bool) -> None:
    channel = Pages(LEAGUE.ntag21x(model=model), raw=raw)
    reading = ask(channel)
    assert reading == Ntag21xRead(text(UID), True if raw else None, LEAGUE.record())
    assert len(channel.sent) <= (4 if raw else 8)
    assert [each[0] for each in channel.denied] == ([] if raw else [0x3A, 0x3C])  # a reader that cannot is asked once
    assert judge(reading) == (accepted(Tier.WEAK) if raw else Refused(Refusal.TOO_WEAK, text(UID), PLAYER))
    assert judge(reading, "uid") == accepted(Tier.WEAK if raw else Tier.UID)


def test_reader_of_numbers_alone_gives_the_number() -> None:
    assert ask(OnlyUid(), known=keys()) == PlainRead(text(UID))
    assert judge(PlainRead(text(UID)), "uid") == accepted(Tier.UID)
    assert judge(PlainRead(text(UID))) == Refused(Refusal.TOO_WEAK, text(UID), PLAYER)


def test_blank_cards_have_nothing_of_ours() -> None:
    assert ask(Apdus(EmulatedNtag424(UID))) == Ntag424Read(text(UID))
    assert ask(Pages(EmulatedNtag21x(Model.NTAG213, UID))) == Ntag21xRead(text(UID))


def test_card_without_the_application_gives_the_number() -> None:
    assert ask(Apdus(LEAGUE.ntag424(), lambda _, __: b"\x6a\x82")) == PlainRead(text(UID))


def test_no_key_is_guessed_and_none_is_tried_twice() -> None:
    card = LEAGUE.ntag424()
    for _ in range(3):
        ask(Apdus(card))
        card.power_off()
    assert [key.failed for key in card.memory.keys] == [0] * 5
    channel = Apdus(card)
    reading = ask(channel, known=lambda _: Secret(bytes(16)))
    assert reading == Ntag424Read(text(UID), False)
    assert card.memory.keys[layout.VERIFICATION].failed == 1
    assert len(channel.sent) == 3


def test_card_that_makes_everybody_wait_is_told_to_come_later() -> None:
    card = LEAGUE.ntag424()
    for _ in range(60):
        reading = ask(Apdus(card), known=lambda _: Secret(bytes(16)))
        card.power_off()
        assert isinstance(reading, Ntag424Read)
        if reading.problem:
            break
    assert reading == Ntag424Read(text(UID), None, problem=Problem.LATER)
    assert judge(reading, "uid") == Refused(Refusal.LATER, text(UID), PLAYER)


def test_card_whose_key_is_blocked_says_locked_and_is_kept() -> None:
    card = LEAGUE.ntag424()
    card.memory.keys[layout.VERIFICATION].failed = card.memory.failure_limit
    reading = ask(Apdus(card), known=keys())
    assert reading == Ntag424Read(text(UID), None, problem=Problem.LOCKED)
    refused = judge(reading, "uid")
    assert refused == Refused(Refusal.LOCKED, text(UID), PLAYER)
    assert isinstance(refused, Refused)
    assert refused.hand_in


@pytest.mark.parametrize("after", range(4))
@pytest.mark.parametrize("done", [True, False])
def test_card_torn_away_is_lost_and_says_the_truth_the_next_time(after: int, done: bool) -> None:
    card = LEAGUE.ntag424()
    card.tear(after, done)
    with pytest.raises(CardLost):
        ask(Apdus(card), known=keys())
    card.power_off()
    assert judge(ask(Apdus(card), known=keys())) == accepted(Tier.GENUINE)
    assert card.memory.keys[layout.VERIFICATION].failed == 0


@pytest.mark.parametrize("after", range(4))
def test_card_of_pages_torn_away_is_lost_too(after: int) -> None:
    card = LEAGUE.ntag21x()
    card.tear(after)
    with pytest.raises(CardLost):
        ask(Pages(card))
    card.power_off()
    assert judge(ask(Pages(card))) == accepted(Tier.WEAK)


def test_LG_6_a_talk_that_went_wrong_is_no_word_against_the_card() -> None:
    for sw in (b"\x91\xca", b"\x91\x7e", b"\x91\xee", b"\x12\x34"):
        with pytest.raises(CardLost):
            ask(Apdus(LEAGUE.ntag424(), lambda n, answer, sw=sw: sw if n == 1 else answer), known=keys())  # type: ignore[misc]


def test_LG_6_a_genuine_card_without_the_leagues_record_is_incomplete_and_kept() -> None:
    card = LEAGUE.ntag424()
    card.memory.files[3].content = bytes(128)
    found = judge(ask(Apdus(card), known=keys()), "uid")
    assert found == Refused(Refusal.DAMAGED, text(UID), PLAYER)
    card.power_off()
    card.memory.files[3].rights = (2, 0, 0, 0)
    card.memory.files[3].mode = 3
    with pytest.raises(CardLost):  # the read asks for secure messaging: this is not how we leave a card
        ask(Apdus(card), known=keys())
    card.power_off()
    card.memory.files[3].rights = (0, 0, 0, 0)
    assert judge(ask(Apdus(card), known=keys())) == found


def test_LG_6_a_genuine_card_whose_record_could_not_be_read_is_asked_again() -> None:
    for answer in (b"\x91\xee", b"\x91\x00", b"", b"\0" * 30 + b"\x91\x00"):
        broken = Apdus(LEAGUE.ntag424(), lambda n, told, answer=answer: answer if n == 3 else told)  # type: ignore[misc]
        with pytest.raises(CardLost):
            ask(broken, known=keys())


def test_card_with_a_counter_that_cannot_be_read_is_incomplete() -> None:
    card = LEAGUE.ntag424()
    card.memory.files[2].sdm = None
    assert judge(ask(Apdus(card))) == Refused(Refusal.DAMAGED, text(UID), PLAYER)


@pytest.mark.parametrize(("over", "found"), [(0, True), (1, False)])
def test_no_more_is_read_of_a_card_of_pages_than_the_smallest_one_holds(over: int, found: bool) -> None:
    card = EmulatedNtag21x(Model.NTAG215, UID, MAKER)
    ours = NdefRecord(Tnf.EXTERNAL, layout.RECORD_TYPE, LEAGUE.record().encode())
    alone = len(ndef.encode(ours)) + 3 + 1
    filling = NdefRecord(Tnf.MIME, b"x", bytes(144 + over - 2 - alone))
    area = ndef.area_with(ndef.encode(filling, ours), 500).rstrip(b"\xfe")
    assert len(area) == 144 + over
    for number in range(-(-len(area) // 4)):
        card.command(bytes([0xA2, 4 + number]) + area[4 * number : 4 * number + 4].ljust(4, b"\0"))
    reading = ask(Pages(card))
    assert isinstance(reading, Ntag21xRead)
    assert (reading.record is not None) == found
