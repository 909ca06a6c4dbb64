"""The simulated NTAG21x against its data sheet: memory, locks that stay, passwords, counter, refusals, tearing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.cards.emulator.ntag21x import EmulatedNtag21x
from appliance.cards.emulator.ntag21x_models import Model
from appliance.cards.emulator.ntag424 import NoPower
from appliance.cards.originality import public_key, verify
from tests.cards.issued import MAKER, UID

ACK, NAK, OVERFLOW = b"\x0a", b"\x00", b"\x04"
PASSWORD = b"\x1b\xff\xff\xff\xff"


def card(model: Model = Model.NTAG213) -> EmulatedNtag21x:
    return EmulatedNtag21x(model, UID, MAKER)


def read(chip: EmulatedNtag21x, page: int) -> bytes:
    return chip.command(bytes([0x30, page]))


def write(chip: EmulatedNtag21x, page: int, data: str | bytes) -> bytes:
    return chip.command(bytes([0xA2, page]) + (bytes.fromhex(data) if isinstance(data, str) else data))


@pytest.mark.parametrize(
    ("model", "version", "container", "last", "area"),
    [
        (Model.NTAG213, "0004040201000F03", "E1101200", 0x2C, 144),
        (Model.NTAG215, "0004040201001103", "E1103E00", 0x86, 504),
        (Model.NTAG216, "0004040201001303", "E1106D00", 0xE6, 888),
    ],
)
def test_delivered_card_is_that_of_the_data_sheet(
    model: Model, version: str, container: str, last: int, area: int
) -> None:
    chip = card(model)
    assert chip.command(b"\x60") == bytes.fromhex(version)
    assert read(chip, 0)[12:] == bytes.fromhex(container)
    assert len(chip.area) == area
    assert read(chip, last)[4:] == read(chip, 0)[:12]  # round over the end
    assert read(chip, last + 1) == NAK
    begins = "0103A00C 340300FE" if model is Model.NTAG213 else "0300FE00 00000000"
    assert read(chip, 4)[:8] == bytes.fromhex(begins)
    assert read(chip, last - 4) == bytes.fromhex("000000BD 040000FF 00050000 00000000")  # a password is never told


def test_uid_stands_with_its_check_bytes() -> None:
    first = read(card(), 0)
    assert first[:3] + first[4:8] == UID == card().uid
    assert 0x88 ^ first[0] ^ first[1] ^ first[2] == first[3]
    assert first[4] ^ first[5] ^ first[6] ^ first[7] == first[8]


def test_fast_read_reads_any_run_of_pages() -> None:
    chip = card()
    assert chip.command(b"\x3a\x00\x2c") == b"".join(read(chip, page)[:4] for page in range(0x2D))
    assert chip.command(b"\x3a\x05\x05") == read(chip, 5)[:4]
    for wrong in (b"\x3a\x05\x04", b"\x3a\x00\x2d", b"\x3a\x05"):
        assert chip.command(wrong) == NAK


def test_maker_signed_the_uid() -> None:
    chip = card()
    assert verify(public_key(MAKER), UID, chip.command(b"\x3c\x00"))
    assert chip.command(b"\x3c\x01") == NAK
    assert EmulatedNtag21x(Model.NTAG213, UID).command(b"\x3c\x00") == bytes(32)


@pytest.mark.parametrize(
    "raw", [b"", b"\x30", b"\x30\x00\x00", b"\xff", b"\xa2\x04\x00", b"\x60\x00", b"\x1b", b"\x39\x01"]
)
def test_what_is_no_command_is_refused(raw: bytes) -> None:
    assert card().command(raw) == NAK


def test_uid_cannot_be_written_and_data_can() -> None:
    chip = card()
    assert [write(chip, page, "01020304") for page in (0, 1, 0x2D)] == [NAK] * 3
    assert write(chip, 4, "01020304") == ACK
    assert read(chip, 4)[:4] == bytes.fromhex("01020304")
    assert write(chip, 3, "0F000001") == ACK  # one time: bits are only set
    assert read(chip, 3)[:4] == bytes.fromhex("EF101201")


def test_static_locks_stay_and_freeze() -> None:
    chip = card()
    before = read(chip, 2)[:2]
    assert write(chip, 2, "FFFF1000") == ACK
    assert read(chip, 2)[:4] == before + b"\x10\x00"
    assert write(chip, 4, "00000000") == NAK
    assert write(chip, 5, "00000000") == ACK
    assert write(chip, 2, "00000000") == ACK
    assert read(chip, 2)[2:4] == b"\x10\x00"  # for good
    assert write(chip, 2, "00000400") == ACK  # freezes the lock bits of pages 10 to 15
    assert write(chip, 2, "000020FC") == ACK
    assert read(chip, 2)[2:4] == b"\x34\x00"
    assert write(chip, 10, "01010101") == ACK
    assert write(chip, 2, "00000800") == ACK  # the capability container
    assert write(chip, 3, "00000080") == NAK


@pytest.mark.parametrize(
    ("model", "page", "locked", "free"),
    [(Model.NTAG213, 0x28, 17, 18), (Model.NTAG215, 0x82, 31, 32), (Model.NTAG216, 0xE2, 31, 32)],
)
def test_dynamic_locks_stay_and_freeze(model: Model, page: int, locked: int, free: int) -> None:
    chip = card(model)
    assert write(chip, page, "01000000") == ACK
    assert [write(chip, at, "00000000") for at in (15, 16, locked, free, page - 1)] == [ACK, NAK, NAK, ACK, ACK]
    assert write(chip, page, "00000100") == ACK  # freezes the first bits
    assert write(chip, page, "06000000") == ACK
    assert read(chip, page)[:4] == bytes.fromhex("050001BD")
    assert write(chip, page, "FFFFFFFF") == ACK
    last = {Model.NTAG213: "FD0F3FBD", Model.NTAG215: "FD000FBD", Model.NTAG216: "FD3F7FBD"}[model]
    assert read(chip, page)[:4] == bytes.fromhex(last)


def test_password_protects_writes_and_reads() -> None:
    chip = card()
    assert write(chip, 0x2B, "A1B2C3D4") == ACK
    assert write(chip, 0x2C, "CAFEFFFF") == ACK
    assert write(chip, 0x29, "04000010") == ACK  # from page 16 on
    assert (write(chip, 16, "00000000"), write(chip, 15, "00000000")) == (NAK, ACK)
    assert read(chip, 16) == bytes(16)
    assert chip.command(PASSWORD) == NAK
    assert chip.command(b"\x1b\xa1\xb2\xc3\xd4") == b"\xca\xfe"
    assert write(chip, 0x2A, "80050000") == ACK  # reads are protected too
    assert read(chip, 16) == bytes(16)
    chip.power_off()
    assert read(chip, 16) == NAK
    assert read(chip, 15)[4:] == read(chip, 0)[:12]  # round over the end of what may be read
    assert chip.command(b"\x3a\x0f\x10") == NAK


def test_refusal_ends_the_authentication() -> None:
    chip = card()
    write(chip, 0x29, "04000004")
    assert chip.command(PASSWORD) == b"\0\0"
    assert write(chip, 4, "00000000") == ACK
    assert chip.command(b"\xff") == NAK
    assert write(chip, 4, "00000000") == NAK


def test_wrong_passwords_are_counted_to_the_end() -> None:
    chip = card()
    write(chip, 0x2A, "02050000")
    wrong = b"\x1b\x00\x00\x00\x00"
    assert chip.command(wrong) == NAK
    assert chip.command(PASSWORD) == b"\0\0"  # a right one starts anew
    assert [chip.command(wrong) for _ in range(2)] == [NAK, NAK]
    chip.power_off()
    assert chip.command(PASSWORD) == OVERFLOW


def test_configuration_can_be_locked_for_good() -> None:
    chip = card()
    assert write(chip, 0x2A, "40050000") == ACK
    assert (write(chip, 0x2A, "00050000"), write(chip, 0x29, "04000004")) == (NAK, NAK)
    assert write(chip, 0x2B, "01020304") == ACK


def test_first_read_after_power_is_counted_where_counting_is_on() -> None:
    chip = card()
    assert chip.command(b"\x39\x02") == NAK
    write(chip, 0x2A, "10050000")
    for count in range(1, 4):
        chip.power_off()
        for _ in range(count):  # once or more often
            chip.command(b"\x3a\x04\x05") if count == 2 else read(chip, 4)
        assert chip.command(b"\x39\x02") == count.to_bytes(3, "little")
    write(chip, 0x2A, "18050000")
    assert chip.command(b"\x39\x02") == NAK
    assert chip.command(PASSWORD) == b"\0\0"
    assert chip.command(b"\x39\x02") == (3).to_bytes(3, "little")


@pytest.mark.parametrize("done", [True, False])
def test_card_is_torn_away_before_or_after_it_wrote(done: bool) -> None:
    chip = card()
    chip.tear(1, done)
    assert chip.command(b"\x60")
    for _ in range(2):
        with pytest.raises(NoPower):
            write(chip, 8, "01020304")
    chip.power_off()
    assert read(chip, 8)[:4] == (bytes.fromhex("01020304") if done else bytes(4))


def test_card_is_kept_in_a_file(tmp_path: Path) -> None:
    chip = card(Model.NTAG215)
    write(chip, 8, "01020304")
    chip.save(tmp_path / "card.json")
    again = EmulatedNtag21x.load(tmp_path / "card.json")
    assert (again.uid, again.area, again.model, again.signature) == (UID, chip.area, Model.NTAG215, chip.signature)
    assert (tmp_path / "card.json").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"card":"NTAG213","memory":"00","signature":"' + "0" * 64 + '"}'])
def test_what_is_no_saved_card_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "card.json").write_text(text)
    with pytest.raises(ValueError):
        EmulatedNtag21x.load(tmp_path / "card.json")


def test_uid_has_seven_bytes() -> None:
    with pytest.raises(ValueError):
        EmulatedNtag21x(Model.NTAG213, b"\x04\x01\x02\x03")


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(Model), st.lists(st.binary(max_size=6) | st.binary(min_size=5, max_size=5).map(b"\xa2".__add__)))
def test_any_commands_leave_uid_and_locks_as_they_must_be(model: Model, commands: list[bytes]) -> None:
    chip = card(model)
    locks = 0
    for raw in commands:
        answer = chip.command(raw)
        assert answer
        chip.power_off()
        assert chip.uid == UID
        now = int.from_bytes(chip.command(b"\x30\x02")[2:4] if len(chip.command(b"\x30\x02")) == 16 else b"\xff\xff")
        assert now & locks == locks
        locks = now if now != 0xFFFF else locks
