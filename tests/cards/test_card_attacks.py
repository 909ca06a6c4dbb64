"""What somebody with a recorder, a blank card and another's card in hand may try: all of it is refused (LG-6)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from appliance.cards import layout
from appliance.cards.counters import Counters
from appliance.cards.emulator.ntag21x import EmulatedNtag21x
from appliance.cards.emulator.ntag21x_models import Model
from appliance.cards.emulator.ntag424 import EmulatedNtag424
from appliance.cards.reading import Ntag424Read, PlainRead, Reading
from appliance.cards.record import SignedRecord, sign
from appliance.cards.secret import Secret
from appliance.cards.verdict import Accepted, Refusal, Refused, Tier, verdict
from appliance.game.roster import RosterEntry
from appliance.hw.ports import CardLost
from tests.cards.issued import (
    LEAGUE,
    MAKER,
    OTHER,
    OTHER_UID,
    PLAYER,
    UID,
    Apdus,
    League,
    Pages,
    ask,
    judge,
    keys,
    roster,
    text,
)

TIERS = ("genuine", "signed", "uid")


def refused(reading: Reading, *, least: str = "signed", highest: int | None = None) -> Refusal:
    found = judge(reading, least, highest)  # type: ignore[arg-type]
    assert isinstance(found, Refused), found
    return found.code


class Recorded:
    """A card that answers as another one did, in the same order, whatever it is asked."""

    def __init__(self, answers: list[bytes]) -> None:
        self.answers = list(answers)

    def transmit(self, _apdu: bytes) -> bytes:
        return self.answers.pop(0) if self.answers else b"\x6f\x00"


def recorded(card: EmulatedNtag424, known: Callable[[str], Secret | None]) -> list[bytes]:
    """The answers of a genuine tap."""
    answers: list[bytes] = []

    def listen(_number: int, answer: bytes) -> bytes:
        answers.append(answer)
        return answer

    assert isinstance(judge(ask(Apdus(card, listen), known=known)), Accepted)
    card.power_off()
    return answers


@pytest.mark.parametrize("least", TIERS)
def test_LG_6_a_recorded_genuine_session_is_forged_when_it_is_played_again(least: str) -> None:
    answers = recorded(LEAGUE.ntag424(), keys())
    again = ask(Apdus(Recorded(answers)), known=keys())  # type: ignore[arg-type]
    assert refused(again, least=least) is Refusal.FORGED


def test_LG_6_a_recorded_session_without_the_key_is_known_by_its_counter(tmp_path: Path) -> None:
    answers = recorded(LEAGUE.ntag424(), lambda _: None)
    with Counters(tmp_path / "counters") as counters:
        first = ask(Apdus(Recorded(answers)))  # type: ignore[arg-type]
        assert isinstance(first, Ntag424Read)
        assert first.counter is not None
        assert counters.rise(text(UID), first.counter)
        again = ask(Apdus(Recorded(answers)))  # type: ignore[arg-type]
        assert refused(again, highest=counters.highest(text(UID))) is Refusal.COUNTER_BACK


def test_LG_6_a_card_whose_counter_went_back_is_refused_after_a_restart_too(tmp_path: Path) -> None:
    card = LEAGUE.ntag424()
    card.save(tmp_path / "earlier.json")
    for _ in range(3):
        reading = ask(Apdus(card))
        card.power_off()
        with Counters(tmp_path / "counters") as counters:  # a new run of the program at every tap
            found = judge(reading, highest=counters.highest(text(UID)))
            assert isinstance(found, Accepted)
            assert found.counter is not None
            assert counters.rise(found.uid, found.counter)
    earlier = EmulatedNtag424.load(tmp_path / "earlier.json")
    with Counters(tmp_path / "counters") as counters:
        assert refused(ask(Apdus(earlier)), highest=counters.highest(text(UID))) is Refusal.COUNTER_BACK
        assert counters.highest(text(UID)) == 3


def test_LG_6_a_plain_card_with_a_members_number_proves_too_little() -> None:
    assert refused(PlainRead(text(UID))) is Refusal.TOO_WEAK
    assert refused(ask(Apdus(EmulatedNtag424(UID)))) is Refusal.TOO_WEAK
    assert refused(ask(Pages(EmulatedNtag21x(Model.NTAG213, UID, MAKER)))) is Refusal.TOO_WEAK


@pytest.mark.parametrize("least", TIERS)
def test_LG_6_a_copied_number_is_forged_where_the_real_cards_key_is_known(least: str) -> None:
    no_application = Apdus(EmulatedNtag424(UID), lambda _, __: b"\x6a\x82")
    for channel in (
        Apdus(EmulatedNtag424(UID)),  # of the same make, delivered keys
        no_application,
        Pages(EmulatedNtag21x(Model.NTAG213, UID, MAKER)),
        Pages(LEAGUE.ntag21x(UID)),
    ):
        assert refused(ask(channel, known=keys()), least=least) is Refusal.FORGED


@pytest.mark.parametrize("least", TIERS)
@pytest.mark.parametrize("known", [True, False])
def test_LG_6_a_record_of_another_card_is_forged(known: bool, least: str) -> None:
    swapped = LEAGUE.ntag424(UID, LEAGUE.record(OTHER_UID, OTHER))
    held = keys() if known else lambda _: None
    assert refused(ask(Apdus(swapped), known=held), least=least) is Refusal.FORGED
    assert refused(ask(Pages(LEAGUE.ntag21x(UID, LEAGUE.record(OTHER_UID)))), least=least) is Refusal.FORGED


def test_LG_6_a_record_of_somebody_else_for_this_card_is_forged() -> None:
    assert refused(ask(Apdus(LEAGUE.ntag424(UID, LEAGUE.record(UID, OTHER))))) is Refusal.FORGED


@pytest.mark.parametrize("least", TIERS)
def test_LG_6_a_record_signed_by_another_key_is_forged(least: str) -> None:
    other = League(key=Ed25519PrivateKey.generate())
    assert refused(ask(Apdus(LEAGUE.ntag424(UID, other.record()))), least=least) is Refusal.FORGED
    assert refused(ask(Apdus(LEAGUE.ntag424(UID, other.record())), known=keys()), least=least) is Refusal.FORGED
    assert refused(ask(Pages(LEAGUE.ntag21x(UID, other.record()))), least=least) is Refusal.FORGED


def test_LG_6_another_leagues_card_is_told_so_and_given_back() -> None:
    other = League("nordic", Ed25519PrivateKey.generate(), Secret(bytes(16)))
    strange = bytes.fromhex("04AABBCCDDEE80")
    for channel in (Apdus(other.ntag424(strange)), Pages(other.ntag21x(strange))):
        found = judge(ask(channel, strange))
        assert found == Refused(Refusal.WRONG_LEAGUE, text(strange))
        assert isinstance(found, Refused)
        assert not found.hand_in
    assert refused(ask(Apdus(other.ntag424()))) is Refusal.WRONG_LEAGUE


def test_LG_6_a_copy_without_the_makers_signature_is_forged() -> None:
    for copy in (
        LEAGUE.ntag21x(UID, maker=None),
        LEAGUE.ntag21x(UID, maker=None, signature=LEAGUE.ntag21x(OTHER_UID).signature),
        LEAGUE.ntag21x(UID, maker=MAKER + 1),
    ):
        assert refused(ask(Pages(copy))) is Refusal.FORGED


def test_LG_6_a_copy_under_a_number_of_its_own_is_no_members_card() -> None:
    """Record and maker's signature are the member's, the number is the copy's."""
    member = LEAGUE.ntag21x(UID)
    copy = LEAGUE.ntag21x(OTHER_UID, LEAGUE.record(UID), maker=None, signature=member.signature)
    assert refused(ask(Pages(copy), OTHER_UID)) is Refusal.FORGED
    stranger = bytes.fromhex("04AABBCCDDEE80")
    copy = LEAGUE.ntag21x(stranger, LEAGUE.record(UID), maker=None, signature=member.signature)
    assert refused(ask(Pages(copy), stranger)) is Refusal.FORGED


def test_LG_6_a_signed_card_that_is_on_no_entry_is_unknown() -> None:
    stranger = bytes.fromhex("04AABBCCDDEE80")
    assert refused(ask(Apdus(LEAGUE.ntag424(stranger)), stranger)) is Refusal.UNKNOWN


@pytest.mark.parametrize("reason", ["lost", "stolen", "damaged", "revoked"])
def test_LG_6_a_genuine_card_that_was_taken_back_is_refused_by_its_reason_and_kept(reason: str) -> None:
    replaced = RosterEntry(participant=PLAYER, state="active", cards=("04AAAAAA",), withdrawn={text(UID): reason})  # type: ignore[dict-item]
    for reading in (
        ask(Apdus(LEAGUE.ntag424()), known=keys()),
        ask(Apdus(LEAGUE.ntag424())),
        ask(Pages(LEAGUE.ntag21x())),
        PlainRead(text(UID)),
    ):
        found = verdict(reading, roster("uid", LEAGUE, replaced))
        assert found == Refused(Refusal(reason), text(UID), PLAYER)
        assert isinstance(found, Refused)
        assert found.hand_in


# -- a changed byte ------------------------------------------------------------------------------------------

_CHANGES = st.tuples(st.integers(0, 7), st.integers(0, 255), st.integers(1, 255))
_few = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def _changed(at: int, place: int, bits: int, hit: list[bool]) -> Callable[[int, bytes], bytes]:
    def change(number: int, answer: bytes) -> bytes:
        if number != at or place >= len(answer):
            return answer
        hit.append(True)
        return answer[:place] + bytes([answer[place] ^ bits]) + answer[place + 1 :]

    return change


def _stands(change: Callable[[int, bytes], bytes], known: bool, pages: bool) -> Accepted | Refused | None:
    """What a tap comes to while somebody changes answers; None: nothing was read."""
    channel = Pages(_PAGES, change) if pages else Apdus(_APDUS, change)
    try:
        return judge(ask(channel, known=keys() if known else lambda _: None))
    except CardLost:
        return None
    finally:
        channel.card.power_off()


_APDUS, _PAGES = LEAGUE.ntag424(), LEAGUE.ntag21x()


@_few
@given(_CHANGES)
def test_LG_6_no_changed_byte_makes_a_genuine_card(change: tuple[int, int, int]) -> None:
    hit: list[bool] = []
    found = _stands(_changed(*change, hit), known=True, pages=False)
    assert isinstance(found, Accepted) != bool(hit)


@_few
@given(_CHANGES)
def test_LG_6_no_changed_byte_is_taken_for_the_leagues_signature(change: tuple[int, int, int]) -> None:
    """Without a key only the record is under a signature; the link around the counter is anybody's."""
    hit: list[bool] = []
    found = _stands(_changed(*change, hit), known=False, pages=False)
    if change[0] < 2:
        assert isinstance(found, Accepted) != bool(hit)
    elif isinstance(found, Accepted):
        assert (found.tier, found.participant) == (Tier.WEAK, PLAYER)


@_few
@given(_CHANGES)
def test_LG_6_no_changed_byte_of_a_card_of_pages_changes_whose_it_is(change: tuple[int, int, int]) -> None:
    hit: list[bool] = []
    found = _stands(_changed(*change, hit), known=False, pages=True)
    if isinstance(found, Accepted):
        assert (found.tier, found.participant, found.uid) == (Tier.WEAK, PLAYER, text(UID))


_RECORD = LEAGUE.record()


@_few
@given(st.integers(0, len(_RECORD.encode()) - 1), st.integers(1, 255))
def test_LG_6_no_changed_byte_of_a_record_is_believed(place: int, bits: int) -> None:
    data = bytearray(_RECORD.encode())
    data[place] ^= bits
    content = (len(data).to_bytes(2) + data).ljust(128, b"\0")
    try:
        record = layout.record_in_file(content)
    except ValueError:
        return
    for reading in (Ntag424Read(text(UID), True, None, record), Ntag424Read(text(UID), None, 9, record)):
        for least in TIERS:
            assert refused(reading, least=least) in (Refusal.FORGED, Refusal.WRONG_LEAGUE)


@pytest.mark.parametrize(
    "other",
    [
        {"participant": "000102"},
        {"participant": "0000101"},
        {"serial": 8},
        {"issued": dt.date(2027, 1, 16)},
        {"league": "cpm"},
        {"uid": text(OTHER_UID)},
    ],
)
def test_LG_6_no_field_of_a_record_can_be_exchanged_under_its_signature(other: dict[str, object]) -> None:
    record: SignedRecord = replace(_RECORD, **other)  # type: ignore[arg-type]
    reading = Ntag424Read(text(UID), None, 9, record)
    assert refused(reading) in (Refusal.FORGED, Refusal.WRONG_LEAGUE)


def test_LG_6_a_signature_of_the_league_on_something_else_signs_no_card() -> None:
    body = _RECORD.signed
    reading = Ntag424Read(text(UID), None, 9, replace(_RECORD, signature=LEAGUE.key.sign(body)))
    assert refused(reading) is Refusal.FORGED
    fields = {"league": "cpl", "participant": PLAYER, "uid": text(UID), "serial": 7, "issued": dt.date(2027, 1, 15)}
    assert sign(LEAGUE.key, **fields) == _RECORD  # type: ignore[arg-type]
