"""Cards that say anything: no answer, status or ATR ends a reader, hangs it, or comes out as anything unexpected."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from appliance.cards.dialog import CardDialog
from appliance.cards.ntag424 import FACTORY_KEY
from appliance.cards.reading import Ntag21xRead, Ntag424Read, PlainRead
from appliance.hw.pcsc import PcscReader
from appliance.hw.pcsc_channel import MOST_PARTS, channel, technology
from appliance.hw.ports import CardLost, CardPresented, CardRemoved, CardUnreadable, NotSupported, ReaderOnline
from bench.ifd.rig import Rig
from tests.contract.emulated_reader import NTAG424_ATR
from tests.contract.stands import Heard
from tests.contract.virtualcard import ATR, GET_UID, OK

EXAMPLES = int(os.environ.get("TABLESIDE_FUZZ", "300"))
UID = "04A2B3C4D5E6F7"

STATUS = st.sampled_from([b"\x90\x00", b"\x91\x00", b"\x91\xaf", b"\x61\x10", b"\x6c\x05", b"\x63\x00"])
OBJECTS = st.sampled_from(
    [b"\xc0\x03\x00\x90\x00", b"\xc0\x03\x01\x64\x01", b"\x97", b"\xd5\x43\x00", b"\x96\x02\x01\0"]
)
ANSWERS = st.lists(
    st.one_of(
        st.builds(bytes.__add__, st.binary(max_size=40), STATUS),
        st.builds(lambda head, rest: head + rest + OK, OBJECTS, st.binary(max_size=40)),
        st.binary(min_size=2, max_size=300),
    ),
    max_size=30,
)


class Liar:
    """What a channel sees of a card whose answers are given; the last is given for ever."""

    def __init__(self, atr: bytes, slot: str, answers: list[bytes], there: bool) -> None:
        self.atr = atr
        self.slot = slot
        self.sent = 0
        self._answers = itertools.chain(answers, itertools.repeat(answers[-1] if answers else b"\x61\x00"))
        self._there = there

    def exchange(self, _: bytes) -> bytes:
        self.sent += 1
        return next(self._answers)

    def lies_there(self) -> bool:
        return self._there


@settings(max_examples=EXAMPLES, deadline=None)
@given(
    st.sampled_from([ATR, NTAG424_ATR]),
    st.sampled_from(["", "ACS ACR122U"]),
    ANSWERS,
    st.booleans(),
    st.binary(max_size=9),
)
def test_channel_gives_bytes_or_says_that_card_or_command_is_none(
    atr: bytes, slot: str, answers: list[bytes], there: bool, raw: bytes
) -> None:
    card = Liar(atr, slot, answers, there)
    talk = channel(card)  # type: ignore[arg-type]
    for ask in (
        lambda: talk.transmit(b"\x00\xb0\x00\x00\x00"),
        lambda: talk.read_pages(4),
        lambda: talk.write_page(4, b"four"),
        lambda: talk.command(raw),
    ):
        before = card.sent
        try:
            answer = ask()
        except (CardLost, NotSupported):
            answer = b""
        assert answer is None or isinstance(answer, bytes)
        assert card.sent - before <= MOST_PARTS + 2


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.sampled_from([ATR, NTAG424_ATR]), ANSWERS, st.booleans(), st.booleans())
def test_card_that_says_anything_is_never_genuine_nor_original(
    atr: bytes, answers: list[bytes], there: bool, key: bool
) -> None:
    dialog = CardDialog(lambda _: FACTORY_KEY if key else None)
    try:
        reading: Any = dialog(channel(Liar(atr, "", answers, there)), UID)  # type: ignore[arg-type]
    except CardLost:
        return
    assert isinstance(reading, Ntag424Read | Ntag21xRead | PlainRead)
    assert getattr(reading, "verified", None) is not True
    assert getattr(reading, "original", None) is not True


@given(st.binary(max_size=40))
def test_any_atr_has_a_technology(atr: bytes) -> None:
    assert technology(atr)


@pytest.fixture(scope="module")
def field() -> Iterator[tuple[Rig, Heard]]:
    """A reader with the dialog of the kiosks, the whole time through."""
    heard = Heard()
    reader = PcscReader("virtual", name="door", dialog_s=0.5)
    with Rig() as rig:
        reader.start(heard.sink, CardDialog(lambda uid: FACTORY_KEY if uid == UID else None))
        heard.skip_to(ReaderOnline)
        yield rig, heard
        reader.stop()


LIES = st.one_of(st.binary(max_size=300), st.builds(bytes.__add__, st.binary(max_size=60), STATUS), st.none())


@settings(
    max_examples=max(20, EXAMPLES // 6), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.one_of(st.sampled_from([ATR, NTAG424_ATR]), st.binary(min_size=2, max_size=33)),
    st.one_of(st.just(bytes.fromhex(UID) + OK), st.binary(max_size=40)),
    st.lists(LIES, min_size=1, max_size=8),
)
def test_card_that_says_anything_through_pcscd_is_told_once_and_the_next_is_read(
    field: tuple[Rig, Heard], atr: bytes, uid: bytes, answers: list[bytes | None]
) -> None:
    rig, heard = field
    left = itertools.chain(answers, itertools.repeat(answers[-1]))
    rig.insert(lambda command: uid if command == GET_UID else next(left), atr=atr)
    first = heard.next(object)
    assert isinstance(first, CardPresented | CardUnreadable), first
    rig.remove()
    if isinstance(heard.next(object), CardPresented):  # read at the second try
        heard.next(CardRemoved)
    rig.insert("04010203")
    assert heard.next(CardPresented).uid == "04010203"
    rig.remove()
    heard.next(CardRemoved)
