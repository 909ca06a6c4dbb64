"""What every driver of a printer promises: serial port, device file and USB, with an emulated printer behind."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from appliance.hw.emulation.escpos_paper import Code, Cutting, Item, Printed
from appliance.hw.printer_ports import (
    NotQueued,
    Printer,
    PrinterChanged,
    PrinterEvent,
    PrinterState,
    PrinterTrouble,
    SlipPrinted,
)
from appliance.slips.slip import Cut, Qr, Slip, Text
from tests.contract.printer_stands import BOUND, QUICK, STANDS, Device, make_printer

PATIENCE_S = 10.0


def a_slip(what: str, lines: int = 10) -> Slip:
    rows = tuple(Text(f"{what} řádek {n}") for n in range(lines))
    return Slip("seat", (Text(what, size=3, bold=True), *rows, Qr(f"ts:1:{what}"), Cut()), "KOPIE")


class Stand:
    """A printer, the device behind it, and what it told."""

    def __init__(self, device: Device, printer: Printer) -> None:
        self.device = device
        self.printer = printer
        self.events: queue.SimpleQueue[PrinterEvent] = queue.SimpleQueue()

    def start(self) -> None:
        self.printer.start(self.events.put)

    def next(self) -> PrinterEvent:
        return self.events.get(timeout=PATIENCE_S)

    def becomes(self, state: PrinterState) -> PrinterTrouble | None:
        """Wait for a state, whatever is told before."""
        while True:
            event = self.next()
            if isinstance(event, PrinterChanged) and event.state is state:
                return event.why

    def prints(self, count: int = 1) -> list[SlipPrinted]:
        printed: list[SlipPrinted] = []
        while len(printed) < count:
            event = self.next()
            if isinstance(event, SlipPrinted):
                printed.append(event)
        return printed

    def until(self, true: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not true():
            assert time.monotonic() < deadline
            time.sleep(0.005)

    def slips(self) -> list[list[Item]]:
        return self.device.paper.slips()


def titles(slips: list[list[Item]]) -> list[str]:
    return [next(item.text for item in slip if isinstance(item, Printed) and item.text) for slip in slips]


@pytest.fixture(params=sorted(STANDS))
def stand(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stand]:
    device, open_line = STANDS[request.param](tmp_path, "all")
    device.plug()
    one = Stand(device, make_printer(open_line))
    yield one
    one.printer.stop()
    device.close()


@pytest.fixture(params=sorted(STANDS))
def mute_stand(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stand]:
    device, open_line = STANDS[request.param](tmp_path, "nothing")
    device.plug()
    one = Stand(device, make_printer(open_line))
    yield one
    one.printer.stop()
    device.close()


def test_slips_come_out_whole_and_in_order(stand: Stand) -> None:
    stand.start()
    assert stand.next() == PrinterChanged("printer", PrinterState.ONLINE)
    for what in ("první", "druhý", "třetí"):
        assert stand.printer.print(a_slip(what)) is None
    assert stand.prints(3) == [SlipPrinted("printer", "seat", False)] * 3
    assert titles(stand.slips()) == ["první", "druhý", "třetí"]
    assert all(len([i for i in slip if isinstance(i, Printed)]) >= 11 for slip in stand.slips())
    assert next(i.data for i in stand.device.paper.items if isinstance(i, Code)) == "ts:1:prvn"
    assert stand.device.paper.unknown == []
    assert stand.printer.waiting == 0


def test_slip_torn_by_missing_paper_comes_again_whole_as_a_copy(stand: Stand) -> None:
    stand.device.paper.lines_left = 6
    stand.start()
    stand.printer.print(a_slip("první"))
    stand.printer.print(a_slip("druhý"))
    stand.becomes(PrinterState.PAPER_OUT)
    assert stand.printer.state is PrinterState.PAPER_OUT
    assert stand.printer.waiting == 2
    stand.device.load()
    stand.becomes(PrinterState.ONLINE)
    assert [event.copy for event in stand.prints(2)] == [True, False]
    first, copy, second = stand.slips()
    assert titles([first, copy, second]) == ["první", "KOPIE", "druhý"]
    assert [i for i in copy if not isinstance(i, Printed) or i.text != "KOPIE"] == first


def test_missing_paper_is_told_before_anything_is_printed(stand: Stand) -> None:
    stand.device.paper.lines_left = 0
    stand.start()
    assert stand.next() == PrinterChanged("printer", PrinterState.PAPER_OUT)
    stand.printer.print(a_slip("první"))
    stand.device.load()
    assert stand.prints() == [SlipPrinted("printer", "seat", False)]


def test_open_cover_is_told_and_printing_goes_on_when_it_is_shut(stand: Stand) -> None:
    stand.device.open_cover()
    stand.start()
    assert stand.next() == PrinterChanged("printer", PrinterState.OFFLINE, PrinterTrouble.NOT_READY)
    stand.printer.print(a_slip("první"))
    stand.device.shut_cover()
    stand.prints()
    assert titles(stand.slips()) == ["první"]


def test_printer_that_is_not_there_is_told_and_prints_once_it_comes(stand: Stand) -> None:
    stand.device.unplug()
    stand.start()
    assert stand.next() == PrinterChanged("printer", PrinterState.OFFLINE, PrinterTrouble.NO_DEVICE)
    assert stand.printer.print(a_slip("první")) is None
    stand.device.plug()
    stand.becomes(PrinterState.ONLINE)
    assert stand.prints() == [SlipPrinted("printer", "seat", False)]


def test_slip_torn_by_a_pulled_cable_comes_again_as_a_copy(stand: Stand) -> None:
    stand.device.paper.lines_left = 3
    stand.start()
    stand.printer.print(a_slip("první"))
    stand.becomes(PrinterState.PAPER_OUT)
    stand.device.unplug()
    stand.becomes(PrinterState.OFFLINE)
    stand.device.load()
    stand.device.plug()
    assert stand.prints() == [SlipPrinted("printer", "seat", True)]
    assert titles(stand.slips())[-1] == "KOPIE"
    assert isinstance(stand.device.paper.items[-1], Cutting)


def test_hanging_printer_is_told_and_comes_back_by_itself(stand: Stand) -> None:
    stand.start()
    stand.becomes(PrinterState.ONLINE)
    stand.device.hang()
    assert stand.becomes(PrinterState.OFFLINE) is PrinterTrouble.FAILED
    stand.printer.print(a_slip("první"))
    stand.device.recover()
    stand.becomes(PrinterState.ONLINE)
    stand.prints()
    assert "první" in titles(stand.slips())


def test_printer_switched_off_behind_an_open_port_is_not_believed(stand: Stand) -> None:
    """The port of a serial printer stays when its power goes: silence from one that used to answer is no consent."""
    stand.start()
    stand.becomes(PrinterState.ONLINE)
    stand.device.hang()
    assert stand.becomes(PrinterState.OFFLINE) is PrinterTrouble.FAILED
    stand.printer.print(a_slip("první"))
    with pytest.raises(queue.Empty):
        stand.events.get(timeout=4 * QUICK.silence)
    assert stand.printer.waiting == 1
    stand.device.recover()
    stand.becomes(PrinterState.ONLINE)
    stand.prints()
    assert stand.printer.waiting == 0


@pytest.mark.parametrize("trouble", ["hang", "unplug", "open_cover"])
def test_print_and_stop_return_whatever_the_printer_does(stand: Stand, trouble: str) -> None:
    stand.start()
    stand.becomes(PrinterState.ONLINE)
    getattr(stand.device, trouble)()
    began = time.monotonic()
    for _ in range(BOUND):
        assert stand.printer.print(a_slip("x", lines=200)) is None
    assert time.monotonic() - began < 0.5
    began = time.monotonic()
    stand.printer.stop()
    assert time.monotonic() - began < 1.0
    stand.printer.stop()


def test_when_too_many_wait_the_newest_is_refused_and_none_lost(stand: Stand) -> None:
    stand.device.paper.lines_left = 0
    stand.start()
    stand.becomes(PrinterState.PAPER_OUT)
    taken = [f"slip {n}" for n in range(BOUND)]
    assert [stand.printer.print(a_slip(what)) for what in taken] == [None] * BOUND
    assert stand.printer.print(a_slip("too many")) is NotQueued.QUEUE_FULL
    stand.device.load()
    stand.prints(BOUND)
    assert titles(stand.slips()) == taken


def test_slips_left_at_stop_are_printed_after_the_next_start(stand: Stand) -> None:
    stand.device.paper.lines_left = 0
    stand.start()
    stand.becomes(PrinterState.PAPER_OUT)
    stand.printer.print(a_slip("první"))
    stand.printer.stop()
    assert stand.printer.state is PrinterState.STOPPED
    assert stand.printer.print(a_slip("druhý")) is NotQueued.STOPPED
    stand.device.load()
    stand.start()
    stand.prints()
    assert titles(stand.slips()) == ["první"]


def test_starting_twice_is_an_error(stand: Stand) -> None:
    stand.start()
    with pytest.raises(RuntimeError):
        stand.start()


def test_nothing_is_told_after_stop(stand: Stand) -> None:
    stand.start()
    stand.becomes(PrinterState.ONLINE)
    stand.printer.stop()
    stand.device.unplug()
    assert stand.events.empty()


def test_printer_that_never_answers_is_believed(mute_stand: Stand) -> None:
    mute_stand.start()
    assert mute_stand.next() == PrinterChanged("printer", PrinterState.ONLINE)
    mute_stand.printer.print(a_slip("první"))
    assert mute_stand.prints() == [SlipPrinted("printer", "seat", False)]
    mute_stand.until(lambda: titles(mute_stand.slips()) == ["první"])


@pytest.mark.parametrize("kind", sorted(STANDS))
def test_printer_that_never_says_when_it_is_done_prints_each_slip_once(kind: str, tmp_path: Path) -> None:
    device, open_line = STANDS[kind](tmp_path, "status")
    device.plug()
    waits_for_word = Stand(device, make_printer(open_line))
    waits_for_word.start()
    for what in ("první", "druhý"):
        waits_for_word.printer.print(a_slip(what))
    assert [event.copy for event in waits_for_word.prints(2)] == [False, False]
    assert titles(waits_for_word.slips()) == ["první", "druhý"]
    waits_for_word.printer.stop()
    device.close()
