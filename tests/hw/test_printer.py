"""The driver of receipt printers where no contract reaches: devices that block, plain files, configuration."""

from __future__ import annotations

import queue
import threading
import time
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.hw.emulation.escpos_paper import Paper
from appliance.hw.press import Press
from appliance.hw.printer import ReceiptPrinter, from_config
from appliance.hw.printer_lines import FileLine, LineGone
from appliance.hw.printer_ports import PrinterChanged, PrinterEvent, PrinterState, PrinterTrouble, SlipPrinted
from appliance.hw.printer_talk import Waits
from appliance.printerconfig import PrinterConfig
from appliance.slips.slip import Cut, Slip, Text

SLIP = Slip("seat", (Text("Žluťoučký kůň"), Cut()), "KOPIE")


class Blocking:
    """A device whose every call blocks until it is let go: a kernel driver that hangs."""

    answers = True

    def __init__(self) -> None:
        self.inside = threading.Event()
        self.let_go = threading.Event()
        self.written = b""

    def write(self, data: bytes) -> int:
        self.inside.set()
        self.let_go.wait()
        self.written += data
        return len(data)

    def read(self, wait: float = 0.0) -> bytes:
        return b""

    def close(self) -> None: ...


def test_device_that_blocks_for_ever_hangs_neither_print_nor_stop() -> None:
    device = Blocking()
    events: queue.SimpleQueue[PrinterEvent] = queue.SimpleQueue()
    printer = ReceiptPrinter(lambda: device, lambda: Press("TM-T20II"))
    printer.start(events.put)
    assert device.inside.wait(10)
    began = time.monotonic()
    assert printer.print(SLIP) is None
    printer.stop()
    assert time.monotonic() - began < 1.5
    thread = next(t for t in threading.enumerate() if t.name == "printer printer")
    device.let_go.set()
    thread.join(10)
    assert events.empty()
    assert printer.waiting == 1


def test_plain_file_only_grows_and_is_never_made(tmp_path: Path) -> None:
    with pytest.raises(LineGone):
        FileLine(str(tmp_path / "mistyped"))
    assert list(tmp_path.iterdir()) == []
    file = tmp_path / "out"
    file.write_bytes(b"before")
    printer = from_config(PrinterConfig(driver="file", port=str(file), profile="TM-T20II"))
    assert printer
    events: queue.SimpleQueue[PrinterEvent] = queue.SimpleQueue()
    printer.start(events.put)
    assert printer.print(SLIP) is None
    assert events.get(timeout=10) == PrinterChanged("printer", PrinterState.ONLINE)
    assert events.get(timeout=10) == SlipPrinted("printer", "seat", False)
    printer.stop()
    written = file.read_bytes()
    assert written.startswith(b"before")
    assert b"\x10\x04" not in written, "a file is asked nothing"
    paper = Paper()
    paper.feed(written.removeprefix(b"before"))
    assert "Žluťoučký kůň" in paper.text()


def test_printer_nobody_can_use_says_so_and_keeps_the_slips(tmp_path: Path) -> None:
    printer = from_config(PrinterConfig(driver="file", port=str(tmp_path / "x"), profile="no such printer"))
    assert printer
    events: queue.SimpleQueue[PrinterEvent] = queue.SimpleQueue()
    printer.start(events.put)
    assert events.get(timeout=10) == PrinterChanged("printer", PrinterState.OFFLINE, PrinterTrouble.UNUSABLE)
    printer.print(SLIP)
    printer.stop()
    assert printer.waiting == 1


@pytest.mark.parametrize("driver", ["serial", "usb", "file"])
def test_driver_needs_to_know_where_the_printer_is(driver: str) -> None:
    with pytest.raises(ValueError, match="usb" if driver == "usb" else "port"):
        from_config(msgspec.convert({"driver": driver}, PrinterConfig))


def test_no_printer_is_the_default() -> None:
    assert from_config(PrinterConfig()) is None


@pytest.mark.parametrize("bad", [{"usb": "04B8:0E15"}, {"usb": "1"}, {"baud": 1}, {"columns": 40}, {"colour": True}])
def test_impossible_printer_settings_are_errors(bad: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(bad, PrinterConfig)


class Snapping:
    """A cable that breaks after so many bytes; the printer keeps its power, and what it got."""

    answers = False

    def __init__(self, paper: Paper, bytes_left: int) -> None:
        self._paper = paper
        self._left = bytes_left

    def write(self, data: bytes) -> int:
        taken = data[: min(self._left, 100)]
        if not taken:
            raise LineGone("pulled")
        self._left -= len(taken)
        self._paper.feed(taken)
        return len(taken)

    def read(self, wait: float = 0.0) -> bytes:
        return b""

    def close(self) -> None: ...


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 12_000), st.sampled_from(["simple", "TM-T20II", "TM-U220"]))
def test_slip_after_a_cable_broke_anywhere_is_whole(bytes_left: int, profile: str) -> None:
    """Also in the middle of a picture, where the printer still waits for dots."""
    press, paper = Press(profile), Paper()
    lines = iter([Snapping(paper, bytes_left), *(Snapping(paper, 10_000_000) for _ in range(3))])
    printer = ReceiptPrinter(lambda: next(lines), lambda: press, waits=Waits(reopen=0.0))
    events: queue.SimpleQueue[PrinterEvent] = queue.SimpleQueue()
    printer.start(events.put)
    assert printer.print(SLIP) is None
    while not isinstance(event := events.get(timeout=10), SlipPrinted):
        pass
    printer.stop()
    assert paper.waiting == 0
    whole = Paper()
    whole.feed(b"".join(press.encode(SLIP.as_copy() if event.copy else SLIP)))
    assert paper.items[-len(whole.items) :] == whole.items
