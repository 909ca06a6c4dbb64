"""Readers on a serial line: frames with a check, lines, garbage between them, silence, cables, ports by USB id."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from appliance.hw.emulation.rdm6300 import EmulatedSerialReader, line, rdm6300_frame
from appliance.hw.ports import CardPresented, CardRemoved, Offline, ReaderOffline, ReaderOnline
from appliance.hw.serial import SerialReader, find_port
from appliance.hw.serial_lines import TAKEN, Lines, Rdm6300
from appliance.hw.threaded import Gone
from tests.contract.stands import Heard

UID = bytes.fromhex("0400A2B3C4")
OTHER = bytes.fromhex("0401020304")
BACK_S = 2.0
"""How soon a reader must be back after its device is (DESIGN 9)."""

Made = Callable[..., tuple[EmulatedSerialReader, SerialReader, Heard]]


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Made]:
    """Makes a device of a protocol, and a reader that is online on it."""
    ends: list[Callable[[], None]] = []

    def make(protocol: str = "rdm6300", gone_s: float = 0.6) -> tuple[EmulatedSerialReader, SerialReader, Heard]:
        device = EmulatedSerialReader(tmp_path / "ttyUID", rdm6300_frame if protocol == "rdm6300" else line)
        reader = SerialReader(str(device.wire.path), protocol=protocol, name="door", gone_s=gone_s)
        ends.extend((reader.stop, device.close))
        heard = Heard()
        reader.start(heard.sink)
        heard.next(ReaderOnline)
        return device, reader, heard

    yield make
    for end in ends:
        end()


def test_frame_of_the_datasheet_is_read() -> None:
    """62E3086CED: the checksum of the module's data sheet is 08."""
    assert Rdm6300().feed(b"\x0262E3086CED08\x03") == ["62E3086CED"]


def test_wrong_checksum_is_never_a_tap(made: Made) -> None:
    device, _, heard = made()
    wrong = rdm6300_frame(UID)
    device.say(wrong[:11] + b"00" + wrong[13:])
    device.put(OTHER)
    assert heard.next(CardPresented).uid == OTHER.hex().upper()


def test_garbage_between_frames_costs_no_tap(made: Made) -> None:
    device, _, heard = made()
    device.say(bytes(range(256)) * 8 + b"\x02\x0204" + rdm6300_frame(UID)[:7])
    device.put(OTHER)
    assert heard.next(CardPresented).uid == OTHER.hex().upper()


def test_card_that_repeats_itself_is_one_tap_and_silence_takes_it_away(made: Made) -> None:
    device, _, heard = made()
    device.put(UID)
    came = heard.next(CardPresented)
    heard.nothing(1.0)
    device.take()
    assert heard.next(CardRemoved).at_ns - came.at_ns >= 600_000_000


def test_another_card_in_its_place_takes_the_first_away(made: Made) -> None:
    device, _, heard = made(gone_s=30)
    device.put(UID)
    heard.next(CardPresented)
    device.put(OTHER)
    heard.next(CardRemoved)
    assert heard.next(CardPresented).uid == OTHER.hex().upper()


@pytest.mark.parametrize("end", [b"\r", b"\n", b"\r\n"])
def test_lines_end_as_they_like(made: Made, end: bytes) -> None:
    device, _, heard = made("line", gone_s=30)
    device.say(b"04a2b3c4d5e6f7" + end)
    assert heard.next(CardPresented).uid == "04A2B3C4D5E6F7"
    device.say(b"-" + end)
    heard.next(CardRemoved)
    device.say(b" 04010203 " + end)
    assert heard.next(CardPresented).uid == "04010203"


@pytest.mark.parametrize(
    "said", [b"", b"04", b"040102", b"0401020", b"card 04010203", b"04" * 11, b"0" * 5000, b"\xff"]
)
def test_line_that_is_no_uid_is_passed_over(said: bytes) -> None:
    lines = Lines()
    assert lines.feed(said + b"\n") == []
    assert lines.feed(b"04010203\n-\n") == ["04010203", TAKEN]


def test_line_of_which_only_the_end_was_heard_is_no_tap(tmp_path: Path) -> None:
    """The reader is opened while a line is being said."""
    lines = Lines()
    lines.feed(b"B3C4D5E6")
    lines.skip()
    assert lines.feed(b"F7010203\r\n04010203\r\n") == ["04010203"]


def test_line_that_was_broken_off_does_not_grow_into_the_next(made: Made) -> None:
    device, _, heard = made("line", gone_s=0.3)
    device.say(b"04A2")
    time.sleep(2.5)
    device.say(b"04010203\r\n")
    assert heard.next(CardPresented).uid == "04010203"


def test_port_that_is_not_there_is_no_reader_until_it_comes(tmp_path: Path) -> None:
    device = EmulatedSerialReader(tmp_path / "ttyUID", plugged=False)
    reader, heard = SerialReader(str(device.wire.path), name="door"), Heard()
    reader.start(heard.sink)
    try:
        assert heard.next(ReaderOffline).why is Offline.NO_READER
        device.plug()
        heard.next(ReaderOnline, timeout=BACK_S)
        device.put(UID)
        heard.next(CardPresented)
        device.unplug()
        assert heard.next(ReaderOffline).why is Offline.NO_READER
    finally:
        reader.stop()
        device.close()


def test_port_that_is_no_line_is_failed(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    reader, heard = SerialReader(str(tmp_path / "file"), name="door"), Heard()
    reader.start(heard.sink)
    try:
        assert heard.next(ReaderOffline).why is Offline.FAILED
    finally:
        reader.stop()


def test_port_is_found_by_its_usb_id(monkeypatch: pytest.MonkeyPatch) -> None:
    ports = [
        SimpleNamespace(vid=None, pid=None, device="/dev/ttyS0"),
        SimpleNamespace(vid=0x1A86, pid=0x7523, device="/dev/ttyUSB3"),
    ]
    monkeypatch.setattr("appliance.hw.serial.list_ports.comports", lambda: ports)
    assert find_port("", "1A86:7523") == "/dev/ttyUSB3"
    assert find_port("/dev/ttyAMA0", "1a86:7523") == "/dev/ttyAMA0"
    with pytest.raises(Gone, match="0403:6001"):
        find_port("", "0403:6001")


def test_unknown_protocol_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="no serial protocol 'wiegand' \\(rdm6300, line\\)"):
        SerialReader("/dev/ttyUSB0", protocol="wiegand")


def test_idle_reader_sleeps(made: Made) -> None:
    made()
    thread = next(thread for thread in threading.enumerate() if thread.name == "reader door")
    status = Path(f"/proc/self/task/{thread.native_id}/status")
    before = wakeups(status)
    time.sleep(3)
    assert wakeups(status) - before <= 12


def wakeups(status: Path) -> int:
    return int(status.read_text().split("\nvoluntary_ctxt_switches:")[1].split()[0])


def test_missing_library_names_the_extra_that_brings_it() -> None:
    program = "import sys; sys.modules['serial'] = None; import appliance.hw.serial"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    last = ended.stderr.splitlines()[-1]
    assert last.startswith("appliance.hw.ports.DriverMissing: readers on a serial line need pyserial")
    assert "tableside[readers]" in last
