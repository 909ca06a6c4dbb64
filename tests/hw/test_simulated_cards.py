"""Simulated cards on the simulated reader: a wallet of them, what they remember, and what can go wrong in a tap."""

from __future__ import annotations

import argparse
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from appliance.apps import tap
from appliance.cards.emulator.ntag21x import EmulatedNtag21x
from appliance.cards.emulator.ntag21x_models import Model
from appliance.cards.emulator.ntag424 import EmulatedNtag424
from appliance.cards.emulator.wallet import Wallet
from appliance.cards.messaging import CommMode
from appliance.cards.ntag424 import DATA_FILE, FACTORY_KEY, Ntag424
from appliance.hw.control import ask
from appliance.hw.ports import (
    CardPresented,
    CardRemoved,
    CardUnreadable,
    Channel,
    ReaderOffline,
    ReaderOnline,
    Technology,
    Unreadable,
)
from appliance.hw.simulated import SimulatedReader
from appliance.hw.simulated_card import Fault, Trick
from tests.contract.stands import Heard

UID = bytes.fromhex("04A2B3C4D5E6F7")
OTHER = bytes.fromhex("04112233445566")
COMMANDS = 6
"""Commands of `counted`."""


def counted(channel: Channel, _: str) -> object:
    """Count the taps on the card itself; the number read."""
    if channel.technology is Technology.TYPE_2:
        number = channel.read_pages(4)[0]
        channel.write_page(4, bytes((number + 1, 0, 0, 0)))
        return number
    card = Ntag424(channel)
    card.select()
    card.authenticate(3, FACTORY_KEY)
    number = card.read_data(DATA_FILE, 1, 0, CommMode.FULL)[0]
    card.write_data(DATA_FILE, bytes((number + 1,)), 0, CommMode.FULL)
    return number


@pytest.fixture
def wallet(tmp_path: Path) -> Wallet:
    wallet = Wallet(tmp_path / "wallet")
    wallet.keep("anna", EmulatedNtag424(UID))
    wallet.keep("petr", EmulatedNtag21x(Model.NTAG213, OTHER))
    return wallet


@pytest.fixture
def door(tmp_path: Path, wallet: Wallet, heard: Heard) -> Iterator[SimulatedReader]:
    reader = SimulatedReader("door", socket=tmp_path / "door.sock", wallet=wallet)
    reader.start(heard.sink, counted)
    heard.next(ReaderOnline)
    yield reader
    reader.stop()


@pytest.fixture
def socket(tmp_path: Path, door: SimulatedReader) -> Path:
    return tmp_path / "door.sock"


@pytest.mark.parametrize(("name", "uid", "first"), [("anna", UID, 0), ("petr", OTHER, 0x01)])
def test_card_of_the_wallet_answers_and_remembers_from_tap_to_tap(
    socket: Path, heard: Heard, wallet: Wallet, name: str, uid: bytes, first: int
) -> None:
    numbers = []
    for _ in range(3):
        assert ask(socket, f"tap card {name}") == "ok"
        came = heard.next(CardPresented)
        assert came.uid == uid.hex().upper()
        numbers.append(came.reading)
        heard.next(CardRemoved)
    assert numbers[1:] == [numbers[0] + 1, numbers[0] + 2]
    assert wallet.names == ["anna", "petr"]


def test_card_put_there_stays_until_it_is_taken_and_is_kept_then(socket: Path, heard: Heard, wallet: Wallet) -> None:
    assert ask(socket, "put card anna") == "ok"
    heard.next(CardPresented)
    heard.nothing(0.05)
    assert ask(socket, "take") == "ok"
    heard.next(CardRemoved)
    assert wallet.find("anna").memory.files[3].content[:1] != EmulatedNtag424(UID).memory.files[3].content[:1]


def test_card_of_any_file_can_be_tapped(socket: Path, heard: Heard, tmp_path: Path) -> None:
    EmulatedNtag424(OTHER).save(tmp_path / "spare.json")
    assert ask(socket, f"tap card {tmp_path}/spare.json") == "ok"
    assert heard.next(CardPresented).uid == OTHER.hex().upper()


def test_file_beside_the_one_who_taps_is_found(
    socket: Path, heard: Heard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    EmulatedNtag424(OTHER).save(tmp_path / "spare.json")
    monkeypatch.chdir(tmp_path)
    parser = argparse.ArgumentParser()
    tap.add_arguments(parser)
    assert tap.run(parser.parse_args([str(socket), "tap", "card", "./spare.json"])) == 0
    assert capsys.readouterr().out == "ok\n"
    assert heard.next(CardPresented).uid == OTHER.hex().upper()


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("tap card nobody", "error no card 'nobody': No such file or directory"),
        ("tap card ../anna", "error no card '../anna': No such file or directory"),
        ("tap card an@na", "error no name of a card: 'an@na'"),
        ("tap card broken", "error card 'broken': not a simulated card: it does not say which card it is"),
        ("tap card half", "error "),
        ("tap card anna jump", "error not a trick: 'jump' (yank, tear, mute, garble, at command 1 to 999)"),
        ("tap card anna yank 0", "error not a trick: 'yank 0'"),
        ("tap card anna yank x", "error not a trick: 'yank x'"),
        ("tap card anna yank 1 2", "error not a command"),
        ("tap card", "error not hex: 'card'"),
    ],
)
def test_bad_line_about_a_card_is_answered_with_its_fault(
    socket: Path, heard: Heard, tmp_path: Path, line: str, answer: str
) -> None:
    (tmp_path / "wallet/broken.json").write_text("[]")
    (tmp_path / "wallet/half.json").write_text('{"card": "ntag')
    assert ask(socket, line).startswith(answer)
    heard.nothing(0)


def test_reader_without_a_wallet_has_no_cards(heard: Heard) -> None:
    with pytest.raises(ValueError, match="no wallet"):
        SimulatedReader().obey("tap card anna")


@pytest.mark.parametrize("trick", [Trick.YANK, Trick.TEAR])
@pytest.mark.parametrize("at", range(1, COMMANDS))
def test_card_taken_away_at_any_command_is_gone_and_whole_at_the_next_tap(
    socket: Path, heard: Heard, trick: Trick, at: int
) -> None:
    assert ask(socket, f"put card anna {trick} {at}") == "ok"
    assert heard.next(CardUnreadable).why is Unreadable.GONE
    heard.next(CardRemoved)
    assert ask(socket, "take") == "ok"
    assert ask(socket, "tap card anna") == "ok"
    heard.next(CardPresented)


def test_torn_card_has_carried_out_what_a_yanked_one_has_not(door: SimulatedReader, heard: Heard) -> None:
    numbers = []
    for trick in (Trick.YANK, Trick.TEAR):
        card = EmulatedNtag424(UID)
        before = card.memory.files[3].content[0]
        door.tap(card, Fault(trick, 5))
        heard.next(CardUnreadable)
        heard.next(CardRemoved)
        numbers.append(card.memory.files[3].content[0] - before)
    assert numbers == [0, 1]


@pytest.mark.parametrize(("line", "why"), [("mute 2", Unreadable.MUTE), ("garble 3", Unreadable.MUTE)])
def test_mute_or_badly_heard_card_is_unreadable(socket: Path, heard: Heard, line: str, why: Unreadable) -> None:
    assert ask(socket, f"tap card anna {line}") == "ok"
    assert heard.next(CardUnreadable).why is why
    heard.next(CardRemoved)


def test_card_can_be_taken_and_the_cable_pulled_in_the_middle_of_a_dialog(heard: Heard) -> None:
    reader = SimulatedReader("door")
    happens: list[str] = ["take", "unplug"]

    def dialog(channel: Channel, _: str) -> bytes:
        hands = threading.Thread(target=reader.obey, args=(happens[0],))
        hands.start()
        for _ in range(10_000):
            channel.transmit(b"\x90\x60\x00\x00\x00")
            hands.join(0.001)
        return b""

    reader.start(heard.sink, dialog)
    heard.next(ReaderOnline)
    reader.put(EmulatedNtag424(UID))
    assert heard.next(CardUnreadable).why is Unreadable.GONE
    heard.next(CardRemoved)
    happens.pop(0)
    reader.put(EmulatedNtag424(UID))
    heard.next(ReaderOffline)
    reader.replug()
    heard.next(ReaderOnline)
    reader.stop()


def test_stop_does_not_wait_for_a_dialog_that_goes_on(heard: Heard) -> None:
    reader = SimulatedReader("door")
    asked, go_on = threading.Event(), threading.Event()

    def dialog(_: Channel, uid: str) -> str:
        asked.set()
        go_on.wait(20)
        return uid

    reader.start(heard.sink, dialog)
    heard.next(ReaderOnline)
    hands = threading.Thread(target=reader.tap, args=("04010203",))
    hands.start()
    assert asked.wait(10)
    reader.stop()
    hands.join(10)
    assert not hands.is_alive()
    go_on.set()
    heard.nothing(0.1)


def test_dialog_may_move_its_own_card(heard: Heard) -> None:
    reader = SimulatedReader("door")
    reader.start(heard.sink, lambda channel, uid: reader.take())
    heard.next(ReaderOnline)
    reader.put(EmulatedNtag424(UID))
    heard.next(CardPresented)
    heard.next(CardRemoved)
    reader.stop()
