"""Dialogs with simulated cards through a real pcscd: APDUs, pages, raw commands, and all that ends them early."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
from smartcard import scard

from appliance.cards.emulator.ntag21x import EmulatedNtag21x
from appliance.cards.emulator.ntag21x_models import Model
from appliance.cards.emulator.ntag424 import EmulatedNtag424
from appliance.cards.messaging import CommMode
from appliance.cards.ntag424 import DATA_FILE, FACTORY_KEY, Ntag424
from appliance.hw.pcsc import PcscReader
from appliance.hw.pcsc_channel import technology
from appliance.hw.ports import (
    CardLost,
    CardPresented,
    CardRemoved,
    CardUnreadable,
    Channel,
    NotSupported,
    Offline,
    ReaderOffline,
    ReaderOnline,
    Technology,
    Unreadable,
)
from bench.ifd.rig import Rig
from tests.contract.emulated_reader import NTAG424_ATR, ApduCard, PageCard
from tests.contract.stands import Heard
from tests.contract.virtualcard import ATR, GET_UID, OK, Answer, Pcscd, VirtualCard, vpcd
from tests.contract.wired_stands import PageChip

UID = "04A2B3C4D5E6F7"
OTHER = "04010203040506"
DATA = bytes(range(128))


def authenticated(channel: Channel, _: str) -> tuple[bytes, bytes]:
    """Authenticate, read and write; ten APDUs in all."""
    card = Ntag424(channel)
    card.select()
    card.authenticate(0, FACTORY_KEY)
    uid = card.get_card_uid()
    card.authenticate(3, FACTORY_KEY)
    card.write_data(DATA_FILE, DATA, 0, CommMode.FULL)
    return uid, card.read_data(DATA_FILE, 128, 0, CommMode.FULL)


@pytest.fixture
def rig() -> Iterator[Rig]:
    with Rig() as rig:
        yield rig


@pytest.fixture
def listen(heard: Heard) -> Iterator[Callable[..., PcscReader]]:
    """Starts a reader with a dialog, and stops it in the end."""
    started: list[PcscReader] = []

    def start(dialog: Callable[[Channel, str], object], match: str = "virtual", **options: float) -> PcscReader:
        reader = PcscReader(match, name="door", **options)
        started.append(reader)
        reader.start(heard.sink, dialog)
        heard.skip_to(ReaderOnline)
        return reader

    yield start
    for reader in started:
        reader.stop()


def answering(*answers: bytes) -> Answer:
    """A card that gives its UID, and then these answers to what follows."""
    left = iter(answers)
    return lambda command: bytes.fromhex(UID) + OK if command == GET_UID else next(left)


# -- cards of APDUs --------------------------------------------------------------------------------------


def test_ntag424_is_authenticated_read_and_written_in_one_tap(
    rig: Rig, listen: Callable[..., PcscReader], heard: Heard
) -> None:
    listen(authenticated)
    rig.insert(ApduCard(UID, EmulatedNtag424(bytes.fromhex(UID))), atr=NTAG424_ATR)
    assert heard.next(CardPresented).reading == (bytes.fromhex(UID), DATA)


def test_ntag424_is_read_through_the_stock_reader_too(listen: Callable[..., PcscReader], heard: Heard) -> None:
    config = vpcd()
    with Pcscd(config):
        listen(authenticated)
        chip = EmulatedNtag424(bytes.fromhex(UID))
        with VirtualCard(config.address, ApduCard(UID, chip), atr=NTAG424_ATR):
            assert heard.next(CardPresented).reading == (bytes.fromhex(UID), DATA)
        heard.next(CardRemoved)


@pytest.mark.parametrize("done", [False, True])
@pytest.mark.parametrize("apdu", range(7))
def test_card_torn_away_at_any_apdu_is_gone_and_whole_at_the_next_tap(
    rig: Rig, listen: Callable[..., PcscReader], heard: Heard, apdu: int, done: bool
) -> None:
    listen(authenticated)
    chip = EmulatedNtag424(bytes.fromhex(UID))
    chip.tear(apdu, done)
    rig.insert(ApduCard(UID, chip), atr=NTAG424_ATR)
    assert heard.next(CardUnreadable).why is Unreadable.GONE
    heard.next(CardRemoved)
    chip.power_off()
    rig.insert(ApduCard(UID, chip), atr=NTAG424_ATR)
    assert heard.next(CardPresented).reading == (bytes.fromhex(UID), DATA)


@pytest.mark.parametrize(
    ("answers", "asked", "whole"),
    [
        ([b"\x90\x00"], ["00A40400"], "9000"),
        ([b"\x01\x61\x02", b"\x02\x03\x90\x00"], ["00A40400", "00C0000002"], "0102039000"),
        ([b"\x61\x01", b"\x01\x61\x01", b"\x02\x91\xaf"], ["00A40400", "00C0000001", "00C0000001"], "010291AF"),
        ([b"\x6c\x03"], ["00A40400"], "6C03"),
    ],
)
def test_answer_in_parts_is_put_together(  # ISO/IEC 7816-4, 5.3.4
    rig: Rig,
    listen: Callable[..., PcscReader],
    heard: Heard,
    answers: list[bytes],
    asked: list[str],
    whole: str,
) -> None:
    listen(lambda channel, _: channel.transmit(bytes.fromhex("00A40400")).hex().upper())
    card = rig.insert(answering(*answers), atr=NTAG424_ATR)
    assert heard.next(CardPresented).reading == whole
    assert [command.hex().upper() for command in card.asked[1:]] == asked


def test_command_with_the_wrong_length_is_said_again_with_the_right_one(
    rig: Rig, listen: Callable[..., PcscReader], heard: Heard
) -> None:
    listen(lambda channel, _: channel.transmit(bytes.fromhex("00B0000000")))
    card = rig.insert(answering(b"\x6c\x02", b"\x01\x02\x90\x00"), atr=NTAG424_ATR)
    assert heard.next(CardPresented).reading == b"\x01\x02\x90\x00"
    assert card.asked[1:] == [bytes.fromhex("00B0000000"), bytes.fromhex("00B0000002")]


def test_card_that_always_has_more_to_say_is_cut_short(
    rig: Rig, listen: Callable[..., PcscReader], heard: Heard
) -> None:
    def endless(command: bytes) -> bytes:
        return bytes.fromhex(UID) + OK if command == GET_UID else b"\x00\x61\x01"

    listen(lambda channel, _: channel.transmit(bytes.fromhex("00B0000000")))
    rig.insert(endless, atr=NTAG424_ATR)
    assert heard.next(CardUnreadable).why is Unreadable.MUTE


@pytest.mark.parametrize(
    ("atr", "expected"),
    [
        (NTAG424_ATR.hex(), Technology.ISO_DEP),
        ("3B8F8001804F0CA000000306030003000000006A"[:-2] + "68", Technology.TYPE_2),
        ("3B8F8001804F0CA0000003060300030000000068", Technology.TYPE_2),
        ("3B8F8001804F0CA00000030603003A0000000051", Technology.TYPE_2),
        ("3B8F8001804F0CA000000306030001000000006A", Technology.NONE),  # MIFARE Classic 1K
        ("3B8F8001804F0CA00000030611003B0000000042", Technology.NONE),  # FeliCa
        ("3B8F8001804F0CA0000003060B00140000000077", Technology.NONE),
        ("3B8F8001804F0CA000000306", Technology.NONE),
        ("", Technology.ISO_DEP),
    ],
)
def test_technology_is_what_the_atr_names(atr: str, expected: Technology) -> None:
    assert technology(bytes.fromhex(atr)) is expected


# -- cards of pages --------------------------------------------------------------------------------------


def of_pages(channel: Channel, _: str) -> tuple[bytes, bytes, bytes]:
    channel.write_page(5, b"four")
    return channel.command(b"\x60"), channel.read_pages(4)[4:8], channel.command(b"\x3c\x00")


@pytest.mark.parametrize(("name", "raw"), [("Tableside Virtual", "transparent"), ("ACS ACR122U", "pn532")])
def test_ntag21x_is_read_written_and_asked_for_its_signature(
    listen: Callable[..., PcscReader], heard: Heard, name: str, raw: str
) -> None:
    with Rig(name) as rig:
        reader = listen(of_pages, match=name)
        chip = EmulatedNtag21x(Model.NTAG215, bytes.fromhex(UID), signature=bytes(range(32)))
        rig.insert(PageCard(UID, chip, raw))
        reading = heard.next(CardPresented).reading
        reader.stop()
    assert reading == (bytes.fromhex("0004040201001103"), b"four", bytes(range(32)))


def refused(ask: Callable[[Channel], object]) -> Callable[[Channel, str], object]:
    def dialog(channel: Channel, _: str) -> object:
        with pytest.raises(NotSupported):
            ask(channel)
        return channel.read_pages(0)[:3].hex()

    return dialog


@pytest.mark.parametrize(
    "ask",
    [
        lambda channel: channel.read_pages(200),
        lambda channel: channel.write_page(0xE2, bytes(4)),
        lambda channel: channel.transmit(b"\x00\xa4\x04\x00"),
    ],
    ids=["no such page", "locked page", "apdu"],
)
def test_what_the_card_refuses_is_not_supported_and_the_dialog_goes_on(
    rig: Rig, listen: Callable[..., PcscReader], heard: Heard, ask: Callable[[Channel], object]
) -> None:
    listen(refused(ask))
    rig.insert(PageCard(UID, EmulatedNtag21x(Model.NTAG213, bytes.fromhex(UID))))
    assert heard.next(CardPresented).reading == "04a2b3"


@pytest.mark.parametrize(("name", "raw"), [("Tableside Virtual", "transparent"), ("ACS ACR122U", "pn532")])
@pytest.mark.parametrize("answer", [b"\x00", b""], ids=["NAK", "silence"])
def test_raw_command_the_card_does_not_know_is_answered_by_what_the_card_says(
    listen: Callable[..., PcscReader], heard: Heard, name: str, raw: str, answer: bytes
) -> None:
    chip = PageChip()
    chip.silent_to = b"\x3c\x00" if not answer else b""
    with Rig(name) as rig:
        reader = listen(lambda channel, _: channel.command(b"\x3c\x00"), match=name)
        rig.insert(PageCard(UID, chip, raw))
        assert heard.next(CardPresented).reading == answer
        reader.stop()


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("Tableside Virtual", "C003006F00"),
        ("Tableside Virtual", "C0030090009202000096020100970101"),
        ("ACS ACR122U", "D54302"),
    ],
)
def test_answer_that_was_heard_badly_is_no_silence(
    listen: Callable[..., PcscReader], heard: Heard, name: str, answer: str
) -> None:
    def spoilt(command: bytes) -> bytes:
        is_raw = command[:4] in (b"\xff\xc2\0\1", b"\xff\0\0\0")
        return (bytes.fromhex(answer if is_raw else UID) if is_raw or command == GET_UID else b"") + OK

    with Rig(name) as rig:
        reader = listen(lambda channel, _: channel.command(b"\x3c\x00"), match=name)
        rig.insert(spoilt)
        assert heard.next(CardUnreadable).why is Unreadable.MUTE
        reader.stop()


@pytest.mark.parametrize("name", ["Tableside Virtual", "ACS ACR122U"])
def test_reader_that_sends_no_raw_commands_says_so(listen: Callable[..., PcscReader], heard: Heard, name: str) -> None:
    with Rig(name) as rig:
        reader = listen(refused(lambda channel: channel.command(b"\x60")), match=name)
        rig.insert(PageCard(UID, EmulatedNtag21x(Model.NTAG213, bytes.fromhex(UID)), raw=""))
        assert heard.next(CardPresented).reading == "04a2b3"
        reader.stop()


@pytest.mark.parametrize("after", range(4))
def test_card_of_pages_torn_away_is_gone(rig: Rig, listen: Callable[..., PcscReader], heard: Heard, after: int) -> None:
    listen(of_pages)
    chip = EmulatedNtag21x(Model.NTAG213, bytes.fromhex(UID))
    chip.tear(after)
    rig.insert(PageCard(UID, chip))
    assert heard.next(CardUnreadable).why is Unreadable.GONE
    heard.next(CardRemoved)


def test_mifare_classic_gives_its_uid_and_no_more(rig: Rig, listen: Callable[..., PcscReader], heard: Heard) -> None:
    listen(lambda channel, _: channel.technology)
    rig.insert("04010203", atr=bytes.fromhex("3B8F8001804F0CA000000306030001000000006A"))
    assert heard.next(CardPresented).reading is Technology.NONE


# -- others, and what hangs ------------------------------------------------------------------------------


def test_other_program_cannot_interleave_with_a_dialog(
    rig: Rig, listen: Callable[..., PcscReader], heard: Heard
) -> None:
    others: list[threading.Thread] = []

    def dialog(channel: Channel, _: str) -> bytes:
        others.append(threading.Thread(target=ask_too))
        others[0].start()
        others[0].join(0.3)  # it must not come in between, however long we wait
        return channel.transmit(b"\x00\x01\x00\x00") + channel.transmit(b"\x00\x02\x00\x00")

    def ask_too() -> None:
        context, card = connected(f"{rig.readers[0].name} 00 00")
        scard.SCardTransmit(card, scard.SCARD_PCI_T1, [0, 3, 0, 0])
        scard.SCardReleaseContext(context)

    listen(dialog)
    card = rig.insert(answering(*[b"\x90\x00"] * 3), atr=NTAG424_ATR)
    heard.next(CardPresented)
    others[0].join(10)
    assert [command[1] for command in card.asked[1:]] == [1, 2, 3]


def connected(slot: str) -> tuple[int, int]:
    """Another program's connection to a card, once it lies there."""
    _, context = scard.SCardEstablishContext(scard.SCARD_SCOPE_SYSTEM)
    state = scard.SCARD_STATE_UNAWARE
    while not state & scard.SCARD_STATE_PRESENT:
        code, ((_, state, _),) = scard.SCardGetStatusChange(context, 10_000, [(slot, state)])
        assert code == scard.SCARD_S_SUCCESS
    code, card, _ = scard.SCardConnect(context, slot, scard.SCARD_SHARE_SHARED, scard.SCARD_PROTOCOL_T1)
    assert code == scard.SCARD_S_SUCCESS
    return context, card


def test_card_in_another_programs_transaction_is_busy_and_read_when_that_ends(
    rig: Rig, heard: Heard, listen: Callable[..., PcscReader]
) -> None:
    rig.insert(UID)
    context, card = connected(f"{rig.readers[0].name} 00 00")
    assert scard.SCardBeginTransaction(card) == scard.SCARD_S_SUCCESS
    listen(lambda channel, uid: uid, dialog_s=0.3)
    assert heard.next(CardUnreadable).why is Unreadable.BUSY
    scard.SCardEndTransaction(card, scard.SCARD_LEAVE_CARD)
    assert heard.next(CardPresented).reading == UID
    scard.SCardReleaseContext(context)
    heard.nothing(0.6)


def test_card_that_another_program_keeps_is_not_asked_for_ever(
    rig: Rig, heard: Heard, listen: Callable[..., PcscReader]
) -> None:
    rig.insert(UID)
    context, card = connected(f"{rig.readers[0].name} 00 00")
    assert scard.SCardBeginTransaction(card) == scard.SCARD_S_SUCCESS
    listen(lambda channel, uid: uid, dialog_s=0.05)
    assert heard.next(CardUnreadable).why is Unreadable.BUSY
    heard.nothing(4.0)
    scard.SCardEndTransaction(card, scard.SCARD_LEAVE_CARD)
    heard.nothing(1.2)
    scard.SCardReleaseContext(context)
    rig.remove()
    heard.next(CardRemoved)


def test_dialog_that_takes_too_long_ends_with_a_mute_card(
    rig: Rig, listen: Callable[..., PcscReader], heard: Heard
) -> None:
    def for_ever(channel: Channel, _: str) -> None:
        while True:
            channel.transmit(b"\x00\xb0\x00\x00\x00")

    listen(for_ever, dialog_s=0.3)
    card = rig.insert(lambda command: bytes.fromhex(UID) + OK, atr=NTAG424_ATR)
    assert heard.next(CardUnreadable).why is Unreadable.MUTE
    assert len(card.asked) > 1
    rig.remove()
    heard.next(CardRemoved)


@pytest.fixture
def hanging() -> Iterator[tuple[Answer, threading.Event]]:
    """A card that holds up its answer to whatever follows its UID until the event is set."""
    go_on = threading.Event()

    def answer(command: bytes) -> bytes:
        if command != GET_UID:
            go_on.wait(20)
        return bytes.fromhex(UID) + OK

    yield answer, go_on
    go_on.set()


def test_card_that_holds_up_an_answer_keeps_no_other_slot_waiting(
    heard: Heard, listen: Callable[..., PcscReader], hanging: tuple[Answer, threading.Event]
) -> None:
    answer, go_on = hanging
    with Rig("Gate A", "Gate B") as rig:
        reader = listen(lambda channel, _: channel.transmit(b"\x00\xa4\x04\x00"), match="gate", dialog_s=0.3)
        rig.insert(answer, reader=0, atr=NTAG424_ATR)
        assert heard.next(CardUnreadable).why is Unreadable.MUTE
        assert not go_on.is_set()
        rig.insert(ApduCard(OTHER, EmulatedNtag424(bytes.fromhex(OTHER))), reader=1, atr=NTAG424_ATR)
        assert heard.next(CardPresented).uid == OTHER
        rig.remove(1)
        heard.next(CardRemoved)
        go_on.set()
        rig.remove(0)
        heard.next(CardRemoved)
        rig.insert(ApduCard(UID, EmulatedNtag424(bytes.fromhex(UID))), reader=0, atr=NTAG424_ATR)
        assert heard.next(CardPresented).uid == UID
        heard.nothing(0.1)
        reader.stop()


def test_stop_does_not_wait_for_a_card_that_hangs_in_a_dialog(
    rig: Rig, heard: Heard, listen: Callable[..., PcscReader], hanging: tuple[Answer, threading.Event]
) -> None:
    answer, go_on = hanging
    asked = threading.Event()

    def dialog(channel: Channel, _: str) -> bytes:
        asked.set()
        return channel.transmit(b"\x00\xa4\x04\x00")

    reader = listen(dialog)
    rig.insert(answer, atr=NTAG424_ATR)
    assert asked.wait(10)
    reader.stop()
    assert not go_on.is_set()
    go_on.set()
    heard.nothing(0.3)


def test_pcscd_killed_in_a_dialog_is_told_and_nothing_else(
    rig: Rig, heard: Heard, listen: Callable[..., PcscReader]
) -> None:
    lost: list[Unreadable] = []

    def dialog(channel: Channel, _: str) -> bytes:
        if not lost:
            rig.pcscd.kill()
        try:
            return channel.transmit(b"\x00\xa4\x04\x00")
        except CardLost as gone:
            lost.append(gone.why)
            raise

    listen(dialog)
    rig.insert(answering(b"\x90\x00"), atr=NTAG424_ATR)
    assert heard.next(ReaderOffline).why is Offline.NO_SERVICE
    assert lost == [Unreadable.GONE]
    rig.remove()
    rig.pcscd.start()
    heard.skip_to(ReaderOnline)
    rig.insert(answering(b"\x90\x00"), atr=NTAG424_ATR)
    assert heard.next(CardPresented).reading == b"\x90\x00"


def test_plain_atr_of_the_stands_is_one_of_pages() -> None:
    assert technology(ATR) is Technology.TYPE_2
