"""Bytes of every kind on the readers' lines: no crash, no hang, and no message with a changed byte is believed."""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from appliance.hw.emulation.frames import ACK, NACK, Frames, frame
from appliance.hw.emulation.pn532 import EmulatedPn532, crc_a
from appliance.hw.emulation.radio import Type2Card, Type4Card
from appliance.hw.emulation.rdm6300 import line, rdm6300_frame
from appliance.hw.nfc import NfcReader
from appliance.hw.ports import CardPresented, ReaderOnline
from appliance.hw.serial_lines import Lines, Rdm6300
from tests.contract.stands import Heard
from tests.contract.wired_stands import SELECT, ApduChip, PageChip

UID = bytes.fromhex("04A2B3C4D5E6F7")
OTHER = bytes.fromhex("04112233445566")
EXAMPLES = int(os.environ.get("TABLESIDE_FUZZ", "300"))
FAST = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
SLOW = settings(max_examples=max(20, EXAMPLES // 100), deadline=None, suppress_health_check=[HealthCheck.too_slow])


def in_pieces(data: bytes, cuts: list[int]) -> list[bytes]:
    """The same bytes as they may arrive."""
    ends = sorted({cut % (len(data) + 1) for cut in cuts} | {0, len(data)})
    return [data[start:end] for start, end in pairwise(ends)]


cuts = st.lists(st.integers(0, 1000), max_size=6)
# no 00 in it, and no FF at its head: behind a frame, which ends with 00, that would begin another
no_start = st.binary(max_size=60).map(lambda noise: noise.replace(b"\x00", b"\x01").lstrip(b"\xff"))


@FAST
@given(st.lists(st.binary(min_size=1, max_size=265), min_size=1, max_size=4), no_start, cuts)
def test_pn532_frames_are_found_however_they_arrive(contents: list[bytes], noise: bytes, where: list[int]) -> None:
    sent = b"".join(noise + frame(content) for content in contents) + ACK + NACK
    parser = Frames()
    found = [what for piece in in_pieces(sent, where) for what in parser.feed(piece)]
    assert found == [*contents, ACK, NACK]


@FAST
@given(no_start.filter(bool), st.data())
def test_pn532_frame_with_a_changed_byte_is_not_believed(content: bytes, data: st.DataObject) -> None:
    sent = bytearray(frame(content))
    at = data.draw(st.integers(1, len(sent) - 2), "position between preamble and postamble")
    sent[at] ^= data.draw(st.integers(1, 255), "change")
    assert content not in Frames().feed(bytes(sent))


@FAST
@given(st.binary(max_size=3000), cuts)
def test_pn532_noise_is_survived_in_little_memory(noise: bytes, where: list[int]) -> None:
    parser = Frames()
    for piece in in_pieces(noise, where):
        parser.feed(piece)
    assert len(parser._rest) <= 300
    parser.feed(bytes(600))
    assert frame(b"\xd4\x02")[3:-1] and parser.feed(frame(b"\xd4\x02")) == [b"\xd4\x02"]


@FAST
@given(st.binary(max_size=600), st.binary(min_size=5, max_size=5), cuts)
def test_rdm6300_frame_after_noise_is_read(noise: bytes, uid: bytes, where: list[int]) -> None:
    parser = Rdm6300()
    sent = noise + rdm6300_frame(uid)
    found = [said for piece in in_pieces(sent, where) for said in parser.feed(piece)]
    assert found[-1:] == [uid.hex().upper()]


@FAST
@given(st.binary(min_size=5, max_size=5), st.integers(0, 13), st.integers(1, 255))
def test_rdm6300_frame_with_a_changed_byte_is_not_believed(uid: bytes, at: int, change: int) -> None:
    sent = bytearray(rdm6300_frame(uid))
    sent[at] ^= change
    assert Rdm6300().feed(bytes(sent)) == []


@FAST
@given(st.binary(max_size=600), st.binary(min_size=4, max_size=10), cuts)
def test_whole_lines_are_read_after_any_noise_and_nothing_is_made_up(
    noise: bytes, uid: bytes, where: list[int]
) -> None:
    parser = Lines()
    sent = noise + b"\n" + line(uid)
    found = [said for piece in in_pieces(sent, where) for said in parser.feed(piece)]
    assert found[-1] == uid.hex().upper()
    spoken = {part.strip(b" \t").upper().decode("latin-1") for part in sent.replace(b"\r", b"\n").split(b"\n")}
    assert set(found) <= spoken
    assert len(parser._line) <= 64


@FAST
@given(st.lists(st.binary(max_size=40), max_size=30))
def test_card_of_apdus_survives_any_frames(frames: list[bytes]) -> None:
    card = Type4Card(UID, ApduChip())
    for sent in [b"\xe0\x80", *frames]:
        answer = card.radio(sent)
        assert answer is None or 0 < len(answer) <= 256
    card.power_off()
    assert card.radio(b"\xe0\x80")
    assert card.radio(b"\x02" + SELECT) == b"\x02" + SELECT[::-1] + b"\x90\x00"


@FAST
@given(st.binary(max_size=64))
def test_crc_of_a_frame_with_its_crc_is_zero(data: bytes) -> None:
    """ISO/IEC 14443-3, annex B; its example: 12 34 gives 26 CF."""
    assert crc_a(bytes.fromhex("1234")) == bytes.fromhex("26CF")
    assert crc_a(data + crc_a(data)) == bytes(2)


@contextmanager
def rig() -> Iterator[tuple[EmulatedPn532, Heard]]:
    with tempfile.TemporaryDirectory() as where:
        chip, heard = EmulatedPn532(Path(where) / "ttyPN532"), Heard()
        reader = NfcReader(str(chip.wire.path), name="door")
        reader.start(heard.sink, lambda channel, _: channel.transmit(SELECT))
        try:
            heard.next(ReaderOnline)
            yield chip, heard
        finally:
            reader.stop()
            chip.close()


@SLOW
@given(st.integers(0, 12), st.integers(0, 400), st.integers(1, 255), st.sampled_from(["change", "cut", "noise"]))
def test_nfcpy_believes_no_spoilt_frame_and_the_card_is_read_after_all(
    which: int, at: int, change: int, how: str
) -> None:
    """One frame from the chip, somewhere from the search to the last block of the dialog, is spoilt."""
    with rig() as (chip, heard):
        count = iter(range(10**9))

        def mangle(sent: bytes) -> bytes:
            if next(count) != which:
                return sent
            where = at % len(sent)
            match how:
                case "cut":
                    return sent[:where]
                case "noise":
                    return bytes((change,)) * (at + 1) + sent
            return sent[:where] + bytes((sent[where] ^ change,)) + sent[where + 1 :]

        chip.mangle = mangle
        chip.put(Type4Card(UID, ApduChip()))
        came = heard.skip_to(CardPresented, timeout=30)
        assert (came.uid, came.reading) == (UID.hex().upper(), SELECT[::-1] + b"\x90\x00")


contents = st.one_of(
    st.binary(min_size=1, max_size=80),
    st.builds(lambda code, rest: bytes((0xD5, code)) + rest, st.sampled_from([0x4B, 0x43, 0x03, 0x07]), st.binary()),
)
nonsense = st.one_of(st.binary(max_size=80), contents.map(frame), st.just(ACK), st.just(NACK))


@SLOW
@given(st.lists(nonsense, min_size=1, max_size=5), st.booleans())
def test_reader_survives_anything_its_chip_may_say(answers: list[bytes], paged: bool) -> None:
    with rig() as (chip, heard):
        left, said = iter(answers), threading.Event()

        def mangle(sent: bytes) -> bytes:
            answer = next(left, None)
            if answer is None:
                said.set()
                return sent
            return answer

        chip.mangle = mangle
        chip.put(Type2Card(UID, PageChip()) if paged else Type4Card(UID, ApduChip()))
        assert said.wait(30)
        chip.take()
        chip.put(Type4Card(OTHER, ApduChip()))
        while heard.skip_to(CardPresented, timeout=30).uid != OTHER.hex().upper():
            pass
