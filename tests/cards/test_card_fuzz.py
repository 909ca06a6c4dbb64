"""Anything at all on a card or in its answers: no crash, no hang, and nothing believed that the league did not sign."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from appliance.cards import layout, ndef
from appliance.cards.emulator.ntag21x import EmulatedNtag21x
from appliance.cards.emulator.ntag21x_models import Model
from appliance.cards.record import SIGNATURE_BYTES
from appliance.cards.verdict import Accepted, Refused, Tier
from appliance.hw.ports import CardLost
from tests.cards.issued import LEAGUE, MAKER, PLAYER, UID, Apdus, Pages, ask, judge, keys, no_keys, text

FUZZ = settings(
    max_examples=int(os.environ.get("TABLESIDE_CARD_EXAMPLES", "250")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
MOST_ASKED = 16
"""Commands of one tap, whatever the card answers."""

RECORD = LEAGUE.record().encode()
APDU_CARD = LEAGUE.ntag424()
PAGE_CARD = LEAGUE.ntag21x()

_status = st.sampled_from([b"\x90\x00", b"\x91\x00", b"\x91\xaf", b"\x91\xad", b"\x91\x9d", b"\x91\xae", b"\x6a\x82"])
_answers = st.one_of(
    st.binary(max_size=40),
    st.builds(bytes.__add__, st.binary(max_size=260), _status),
    st.builds(bytes.__add__, st.sampled_from([b"", bytes(16), bytes(32), bytes(layout.RECORD_READ)]), _status),
    st.just(layout.record_file(LEAGUE.record())[: layout.RECORD_READ] + b"\x91\x00"),
)


class Liar:
    """A card that answers what it was told to, in that order, and then the last of it for ever."""

    def __init__(self, answers: list[bytes]) -> None:
        self.answers = answers
        self.asked = 0

    def transmit(self, _apdu: bytes) -> bytes:
        self.asked += 1
        return self.answers[min(self.asked, len(self.answers)) - 1]

    command = transmit


def outcome(channel: Apdus | Pages, known: bool) -> Accepted | Refused | None:
    """What a tap comes to in a season that takes signed cards; None: the card was not read."""
    try:
        found = judge(ask(channel, known=keys() if known else no_keys))
    except CardLost:
        found = None
    assert len(channel.sent) <= MOST_ASKED
    return found


@FUZZ
@given(st.lists(_answers, min_size=1, max_size=6), st.booleans())
def test_any_answers_of_a_card_with_apdus_are_judged_and_none_is_genuine(answers: list[bytes], known: bool) -> None:
    liar = Liar(answers)
    found = outcome(Apdus(liar), known)  # type: ignore[arg-type]
    assert not isinstance(found, Accepted)


@FUZZ
@given(st.lists(st.binary(max_size=70), min_size=1, max_size=12), st.booleans())
def test_any_answers_of_a_card_of_pages_are_judged_and_none_is_believed(answers: list[bytes], known: bool) -> None:
    liar = Liar(answers)
    found = outcome(Pages(liar), known)  # type: ignore[arg-type]
    assert not isinstance(found, Accepted)


@FUZZ
@given(
    st.integers(0, 4),
    st.binary(max_size=120) | st.builds(bytes.__add__, st.binary(max_size=120), _status),
    st.booleans(),
)
def test_one_made_up_answer_of_a_good_card_makes_it_nobody_elses(at: int, answer: bytes, known: bool) -> None:
    channel = Apdus(APDU_CARD, lambda number, told: answer if number == at else told)
    found = outcome(channel, known)
    APDU_CARD.power_off()
    if isinstance(found, Accepted):
        assert (found.participant, found.tier) == (PLAYER, Tier.GENUINE if known else Tier.WEAK)


@FUZZ
@given(st.binary(max_size=144), st.sampled_from(Model))
def test_anything_written_into_a_card_of_pages_is_read_and_not_believed(area: bytes, model: Model) -> None:
    card = EmulatedNtag21x(model, UID, MAKER)
    written = area.ljust(144, b"\0")
    for number in range(36):
        assert card.command(bytes([0xA2, 4 + number]) + written[4 * number : 4 * number + 4]) == b"\x0a"
    for raw in (True, False):
        assert isinstance(outcome(Pages(card, raw=raw), known=False), Refused)


_body = st.one_of(
    st.binary(max_size=110),
    st.builds(
        lambda place, new: RECORD[:place] + new + RECORD[place + len(new) :],
        st.integers(0, len(RECORD)),
        st.binary(min_size=1, max_size=8),
    ),
    st.builds(lambda cut: RECORD[:cut], st.integers(0, len(RECORD))),
    st.builds(lambda more: RECORD + more, st.binary(max_size=4)),
    st.builds(lambda body: body + RECORD[-SIGNATURE_BYTES:], st.binary(max_size=40)),
)


@FUZZ
@given(_body)
def test_no_record_but_the_one_that_was_signed_is_believed(data: bytes) -> None:
    message = ndef.encode(ndef.NdefRecord(ndef.Tnf.EXTERNAL, layout.RECORD_TYPE, data))
    area = ndef.area_with(message, 504)
    card = EmulatedNtag21x(Model.NTAG215, UID, MAKER)
    for number in range(-(-len(area) // 4)):
        card.command(bytes([0xA2, 4 + number]) + area[4 * number : 4 * number + 4].ljust(4, b"\0"))
    APDU_CARD.memory.files[3].content = (len(data).to_bytes(2) + data).ljust(128, b"\0")
    for channel, known in ((Pages(card), False), (Apdus(APDU_CARD), False), (Apdus(APDU_CARD), True)):
        found = outcome(channel, known)
        APDU_CARD.power_off()
        assert isinstance(found, Accepted) == (data == RECORD)
    APDU_CARD.memory.files[3].content = layout.record_file(LEAGUE.record())


@FUZZ
@given(st.binary(max_size=202))
def test_anything_in_the_link_is_a_counter_of_this_card_or_none(content: bytes) -> None:
    APDU_CARD.memory.files[2].content = content.ljust(256, b"\0")
    found = outcome(Apdus(APDU_CARD), known=False)
    APDU_CARD.power_off()
    assert isinstance(found, Refused | Accepted)
    assert found.participant == PLAYER
    APDU_CARD.memory.files[2].content = layout.link("https://league.example/card").content.ljust(256, b"\0")


def test_cards_of_these_tests_are_good_ones() -> None:
    assert outcome(Apdus(APDU_CARD), known=True) == Accepted(text(UID), PLAYER, "participant", Tier.GENUINE)
    APDU_CARD.power_off()
    assert isinstance(outcome(Apdus(APDU_CARD), known=False), Accepted)
    APDU_CARD.power_off()
    assert isinstance(outcome(Pages(PAGE_CARD), known=False), Accepted)
