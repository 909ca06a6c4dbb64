"""Slips at the door: each once, over restarts too; a printer that does not print holds up nobody."""

import msgspec
import pytest

from appliance.config import Config, Device
from appliance.display import prompt as show
from appliance.doorslips import RECENT_MS, DoorSlips
from appliance.engine import Engine, Order
from appliance.game.commands import decode_command
from appliance.hw.printer_ports import NotQueued, PrinterChanged, PrinterState, PrinterTrouble, SlipPrinted
from appliance.journal import Journal
from appliance.kinds import KINDS
from appliance.slips.layout import as_text
from tests.test_taps import ANNOUNCE, NOW, registered

COMMANDS = [ANNOUNCE, {"do": "open"}, *map(registered, ("000101", "000102", "000103")), {"do": "start"}]


class Printer:
    """Takes slips, prints none by itself."""

    name, state, waiting = "printer", PrinterState.ONLINE, 0

    def __init__(self):
        self.slips = []
        self.answer = None

    def print(self, slip):
        if self.answer is None:
            self.slips.append(slip)
        return self.answer

    def printed(self, slips, copy=False):
        for slip in self.slips:
            slips.told(SlipPrinted("printer", slip.kind, copy))

    @property
    def kinds(self):
        return [slip.kind for slip in self.slips]


@pytest.fixture
def engine(tmp_path):
    ids = iter(range(10**6))
    with Journal(tmp_path / "journal") as journal:
        engine = Engine(journal, KINDS, lambda: NOW)
        engine.do = lambda *fields: [
            told.records
            for told in engine.execute(
                [
                    Order(f"{next(ids):032x}", "round/R1", decode_command({"round": "R1", **f}), "000001", "door")
                    for f in fields
                ]
            )
        ]
        engine.do(*COMMANDS)
        yield engine


def config(tmp_path, role="door"):
    return msgspec.structs.replace(Config(), device=Device(data=str(tmp_path), role=role))


def started(engine, tmp_path, now=NOW, role="door"):
    printer = Printer()
    slips = DoorSlips(printer, config(tmp_path, role), tmp_path)
    slips.start(engine, now)
    return printer, slips


def round_of(engine):
    return engine.state("round/R1").round


def test_T_3_a_receipt_for_every_deposit_names_who_took_it_and_its_record(engine, tmp_path):
    printer, slips = started(engine, tmp_path)
    assert printer.kinds == ["deposit"] * 3
    [records] = engine.do({"do": "deposit", "participant": "000101", "amount": 120})
    slips.happened(records, (round_of(engine),), NOW)
    text = as_text(printer.slips[-1], 42)
    assert "120" in text and "220" in text and "000001" in text and records[0].id[:8] in text


def test_each_slip_is_printed_once_over_restarts(engine, tmp_path):
    printer, slips = started(engine, tmp_path)
    printer.printed(slips)
    slips.stop()
    again, slips = started(engine, tmp_path)
    assert again.slips == []
    slips.stop()


def test_a_slip_that_a_restart_cut_off_is_printed_again_as_a_copy(engine, tmp_path):
    printer, slips = started(engine, tmp_path)
    slips.told(SlipPrinted("printer", "deposit", False))
    slips.stop()
    again, slips = started(engine, tmp_path)
    assert again.slips == [slip.as_copy() for slip in printer.slips[1:]]
    slips.stop()


def test_a_seat_is_on_paper_the_first_time_its_owner_taps(engine, tmp_path):
    printer, slips = started(engine, tmp_path)
    table, seat = round_of(engine).players["000102"].seat
    for _ in range(2):
        slips.seat_told(show.YourSeat("000102", table, seat), (round_of(engine),), NOW)
    assert printer.kinds[3:] == ["seat"] and f"R1:{table}:{seat}:000102" in repr(printer.slips[-1])


def test_S_3_who_is_moved_has_a_slip_with_both_seats(engine, tmp_path):
    printer, slips = started(engine, tmp_path)
    [records] = engine.do({"do": "move", "participant": "000103", "seat": [1, 9]})
    slips.happened(records, (round_of(engine),), NOW)
    assert printer.kinds[3:] == ["move"]


def test_T_5_a_prize_paid_out_has_a_slip_to_sign(engine, tmp_path):
    printer, slips = started(engine, tmp_path)
    engine.do({"do": "bust", "participant": "000102"}, {"do": "bust", "participant": "000101"})
    [records] = engine.do({"do": "pay", "participant": "000103", "amount": 300})
    slips.happened(records, (round_of(engine),), NOW)
    assert printer.kinds[3:] == ["payout"] and "300" in as_text(printer.slips[-1], 42)


def test_what_is_long_past_is_not_printed(engine, tmp_path):
    printer, slips = started(engine, tmp_path, NOW + RECENT_MS + 1)
    assert printer.slips == []
    slips.stop()


def test_a_table_prints_nothing(engine, tmp_path):
    printer, slips = started(engine, tmp_path, role="table")
    slips.seat_told(show.YourSeat("000102", 1, 1), (round_of(engine),), NOW)
    assert printer.slips == []


def test_a_printer_with_no_room_is_asked_again_after_a_restart(engine, tmp_path):
    printer = Printer()
    printer.answer = NotQueued.QUEUE_FULL
    slips = DoorSlips(printer, config(tmp_path), tmp_path)
    slips.start(engine, NOW)
    assert printer.slips == []
    slips.stop()
    again, slips = started(engine, tmp_path)
    assert again.kinds == ["deposit"] * 3 and again.slips[0].as_copy() != again.slips[0]
    assert not any(slip.copy in as_text(slip, 42) for slip in again.slips), "they were never printed"
    slips.stop()


def test_a_slip_for_which_there_was_no_room_is_given_once_there_is(engine, tmp_path):
    printer = Printer()
    printer.answer = NotQueued.QUEUE_FULL
    slips = DoorSlips(printer, config(tmp_path), tmp_path)
    slips.start(engine, NOW)
    slips.seat_told(show.YourSeat("000102", *round_of(engine).players["000102"].seat), (round_of(engine),), NOW)
    printer.answer = None
    slips.told(PrinterChanged("printer", PrinterState.ONLINE))
    assert printer.kinds == ["deposit"] * 3 + ["seat"]
    slips.stop()


def test_a_disk_that_keeps_nothing_costs_no_slip(engine, tmp_path):
    (tmp_path / "slips.db").mkdir()
    printer, slips = started(engine, tmp_path)
    assert printer.kinds == ["deposit"] * 3
    printer.printed(slips)


def test_trouble_is_what_the_printer_last_said(engine, tmp_path):
    _, slips = started(engine, tmp_path)
    slips.told(PrinterChanged("printer", PrinterState.PAPER_OUT))
    assert slips.trouble is PrinterState.PAPER_OUT
    slips.told(PrinterChanged("printer", PrinterState.OFFLINE, PrinterTrouble.FAILED))
    assert slips.trouble is PrinterState.OFFLINE
    slips.told(PrinterChanged("printer", PrinterState.ONLINE))
    assert slips.trouble is None
