"""The printers that the contract suite runs over: each driver with an emulated printer behind it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from appliance.hw.emulation.escpos import EscposPrinter
from appliance.hw.emulation.escpos_paper import Paper
from appliance.hw.emulation.usb_printer import UsbPrinter
from appliance.hw.press import Press
from appliance.hw.printer import ReceiptPrinter
from appliance.hw.printer_lines import FileLine, Line, SerialLine, UsbLine
from appliance.hw.printer_talk import Waits

QUICK = Waits(stop=0.9, reopen=0.02, look=0.1, answer=0.3, silence=0.6, stuck=0.6, printed=2.0, settle=0.3)
BOUND = 4


class Device(Protocol):
    paper: Paper
    received: int

    def plug(self) -> None: ...
    def unplug(self) -> None: ...
    def hang(self) -> None: ...
    def recover(self) -> None: ...
    def open_cover(self) -> None: ...
    def shut_cover(self) -> None: ...
    def load(self, lines: int = 1_000_000) -> None: ...
    def close(self) -> None: ...


def serial_stand(folder: Path, answers: str) -> tuple[Device, Callable[[], Line]]:
    path = folder / "serial"
    return EscposPrinter(path, answers=answers), lambda: SerialLine(str(path), 115_200, "none")


def file_stand(folder: Path, answers: str) -> tuple[Device, Callable[[], Line]]:
    path = folder / "lp0"
    return EscposPrinter(path, answers=answers), lambda: FileLine(str(path))


def usb_stand(folder: Path, answers: str) -> tuple[Device, Callable[[], Line]]:
    device = UsbPrinter(0x04B8, 0x0E15, answers=answers)
    return device, lambda: UsbLine("04b8:0e15", device.find)


STANDS = {"serial": serial_stand, "file": file_stand, "usb": usb_stand}


def make_printer(open_line: Callable[[], Line], profile: str = "TM-T20II") -> ReceiptPrinter:
    return ReceiptPrinter(open_line, lambda: Press(profile), bound=BOUND, waits=QUICK)
