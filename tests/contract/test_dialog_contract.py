"""What every reader promises of dialogs: asked once a card, in the reader's thread; nothing they do ends the reader."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from appliance.hw.ports import (
    CardLost,
    CardPresented,
    CardRemoved,
    CardUnreadable,
    Channel,
    NotSupported,
    ReaderOnline,
    Technology,
    Unreadable,
    silent,
)
from tests.contract.stands import DIALOG_STANDS, Heard, Stand

SECRET = "000102030405060708090A0B0C0D0E0F"


@pytest.fixture(params=DIALOG_STANDS)
def stand(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stand]:
    stand = DIALOG_STANDS[request.param](tmp_path)
    yield stand
    stand.close()


@pytest.fixture
def heard() -> Heard:
    return Heard()


def test_dialog_is_asked_once_a_card_in_the_readers_thread_and_its_word_is_told(stand: Stand, heard: Heard) -> None:
    asked: list[tuple[str, str]] = []

    def dialog(_: Channel, uid: str) -> object:
        asked.append((uid, threading.current_thread().name))
        return f"card {uid}"

    stand.reader.start(heard.sink, dialog)
    heard.skip_to(ReaderOnline)
    for uid in (stand.first, stand.other):
        stand.put(uid)
        came = heard.next(CardPresented)
        assert (came.uid, came.reading) == (uid, f"card {uid}")
        stand.take()
        heard.next(CardRemoved)
    assert asked == [(stand.first, "reader door"), (stand.other, "reader door")]


def test_without_a_dialog_nothing_is_known_of_a_card_but_its_uid(stand: Stand, heard: Heard) -> None:
    stand.reader.start(heard.sink)
    heard.skip_to(ReaderOnline)
    stand.put(stand.first)
    assert heard.next(CardPresented).reading is None


def test_channel_refuses_what_the_card_cannot_be_asked(stand: Stand, heard: Heard) -> None:
    refused: list[Technology] = []

    def dialog(channel: Channel, _: str) -> object:
        if channel.technology is not Technology.ISO_DEP:
            with pytest.raises(NotSupported):
                channel.transmit(b"\x00\xa4\x04\x00")
            refused.append(Technology.ISO_DEP)
        if channel.technology is not Technology.TYPE_2:
            for ask in (lambda: channel.read_pages(4), lambda: channel.command(b"\x60")):
                with pytest.raises(NotSupported):
                    ask()
            with pytest.raises(NotSupported):
                channel.write_page(4, bytes(4))
            refused.append(Technology.TYPE_2)
        return channel.technology

    stand.reader.start(heard.sink, dialog)
    heard.skip_to(ReaderOnline)
    stand.put(stand.first)
    technology = heard.next(CardPresented).reading
    assert technology == getattr(stand, "technology", technology)
    assert set(refused) == {Technology.ISO_DEP, Technology.TYPE_2} - {technology}


def test_card_that_a_dialog_lost_is_unreadable_for_its_reason_and_the_next_is_read(stand: Stand, heard: Heard) -> None:
    lost = [CardLost(Unreadable.GONE)]

    def dialog(_: Channel, uid: str) -> object:
        if uid == stand.first:
            raise lost[0]
        return "read"

    stand.reader.start(heard.sink, dialog)
    heard.skip_to(ReaderOnline)
    stand.put(stand.first)
    assert heard.next(CardUnreadable).why is Unreadable.GONE
    stand.take()
    heard.next(CardRemoved)
    stand.put(stand.other)
    assert heard.next(CardPresented).reading == "read"


def test_dialog_that_breaks_is_logged_without_its_text_and_the_reader_goes_on(
    stand: Stand, heard: Heard, caplog: pytest.LogCaptureFixture
) -> None:
    def dialog(_: Channel, uid: str) -> object:
        if uid == stand.first:
            raise RuntimeError(f"key {SECRET}")
        return "read"

    caplog.set_level(logging.DEBUG)
    stand.reader.start(heard.sink, dialog)
    heard.skip_to(ReaderOnline)
    stand.put(stand.first)
    assert heard.next(CardUnreadable).why is Unreadable.MUTE
    stand.take()
    heard.next(CardRemoved)
    assert "RuntimeError" in caplog.text
    assert SECRET not in caplog.text
    stand.put(stand.other)
    assert heard.next(CardPresented).reading == "read"


def test_reader_that_is_started_proves_again_and_again_that_it_lives(
    stand: Stand, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("appliance.hw.pcsc.PROOF_MS", 500)
    assert stand.reader.alive_ns == 0
    stand.reader.start(heard.sink)
    heard.skip_to(ReaderOnline)
    for _ in range(3):
        before = time.monotonic_ns()
        deadline = time.monotonic() + 10
        while stand.reader.alive_ns <= before and time.monotonic() < deadline:
            time.sleep(0.01)
        assert stand.reader.alive_ns > before
    assert not silent(stand.reader, stand.reader.alive_ns)
    assert silent(stand.reader, time.monotonic_ns() + 60_000_000_000)
    stand.unplug()
    stand.reader.stop()
    assert not silent(stand.reader, time.monotonic_ns() + 60_000_000_000)
