"""Which slot is whose: by name, by USB id, or what nobody else asked for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from appliance.hw.pcsc import PcscReader
from appliance.hw.pcsc_choice import Wish, Wishes, usb_id
from appliance.hw.ports import CardPresented, Offline, ReaderOffline, ReaderOnline
from bench.ifd.rig import Rig, plugged_in_at
from tests.contract.stands import Heard

ACR122 = "ACS ACR122U PICC Interface 00 00"
ACR1252 = "ACS ACR1252 1S CL Reader [ACR1252 1S CL Reader PICC] 00 00"
ACR1252_SAM = "ACS ACR1252 1S CL Reader [ACR1252 1S CL Reader SAM] 00 01"
SAMSUNG = "Samsung Contactless 01 00"
ALL = [ACR122, ACR1252, ACR1252_SAM, SAMSUNG]


def nobody_knows(_: str) -> str | None:
    return None


def chosen(
    *asked: tuple[str, str], names: list[str] = ALL, usb_of: Callable[[str], str | None] = nobody_knows
) -> list[list[str]]:
    wishes = Wishes()
    all_of_them = [Wish(*one) for one in asked]
    for wish in all_of_them:
        wishes.add(wish)
    return [wishes.slots(wish, names, usb_of) for wish in all_of_them]


@pytest.mark.parametrize(
    ("match", "expected"),
    [
        ("picc]", [ACR1252]),
        ("01 00", [SAMSUNG]),
        ("HID", []),
        ("acr1252", [ACR1252]),
        ("", [ACR122, ACR1252, SAMSUNG]),
        ("reader sam", [ACR1252_SAM]),
        ("sam", [ACR1252_SAM, SAMSUNG]),
    ],
)
def test_reader_is_chosen_by_a_part_of_its_name_and_never_its_key_chip_unless_named(
    match: str, expected: list[str]
) -> None:
    assert chosen((match, "")) == [expected]


def test_reader_chosen_by_one_is_not_taken_by_another_that_takes_any() -> None:
    assert chosen(("", ""), ("ACR122U", "")) == [[ACR1252, SAMSUNG], [ACR122]]
    assert chosen(("", ""), ("", "")) == [[ACR122, ACR1252, SAMSUNG], []]


def test_who_asks_by_usb_id_comes_before_who_asks_by_name() -> None:
    assert chosen(("", ""), ("ACS", ""), ("", "072F:2200")) == [[SAMSUNG], [ACR1252], [ACR122]]


def test_usb_id_that_is_told_counts_more_than_a_name() -> None:
    told = {ACR122: "1234:0001", SAMSUNG: "072f:2200"}
    assert chosen(("", "072f:2200"), usb_of=told.get) == [[SAMSUNG]]
    assert chosen(("", "072f:223b"), usb_of=told.get) == [[ACR1252]]
    assert chosen(("", "04e6:5790"), usb_of=told.get) == [[]]


def test_usb_id_and_name_must_both_fit() -> None:
    assert chosen(("00 00", "072f:223b"), ("01 00", "072f:223b")) == [[ACR1252], []]


@pytest.fixture
def sysfs(tmp_path: Path) -> Path:
    """Two readers of one kind and one of another, with the interfaces and hubs that lie beside them."""
    for name, files in {
        "usb1": {"busnum": "1", "devnum": "1", "idVendor": "1d6b", "idProduct": "0002"},
        "1-1": {"busnum": "1", "devnum": "7", "idVendor": "072f", "idProduct": "2200"},
        "1-1:1.0": {"bInterfaceClass": "0b"},
        "2-1": {"busnum": "2", "devnum": "7", "idVendor": "072F", "idProduct": "223B"},
        "2-2": {"busnum": "2", "devnum": "8", "idVendor": "072f"},
        "2-3": {"busnum": "x", "devnum": ""},
    }.items():
        device = tmp_path / "bus/usb/devices" / name
        device.mkdir(parents=True)
        for file, text in files.items():
            (device / file).write_text(f"{text}\n")
    return tmp_path


@pytest.mark.parametrize(
    ("channel", "expected"),
    [
        (0x0020_0107, "072f:2200"),
        (0x0020_0207, "072f:223b"),
        (0x0020_0208, None),
        (0x0020_0307, None),
        (0x0001_0107, None),
        (0, None),
    ],
)
def test_usb_id_is_what_the_kernel_has_at_the_readers_place(sysfs: Path, channel: int, expected: str | None) -> None:
    assert usb_id(channel, sysfs) == expected


def test_machine_without_usb_has_no_usb_ids(tmp_path: Path) -> None:
    assert usb_id(0x0020_0107, tmp_path / "nothing") is None


def test_readers_of_one_kiosk_share_what_is_there_by_usb_id_and_the_rest(sysfs: Path) -> None:
    door, desk = Heard(), Heard()
    among = Wishes()
    with Rig("Left", "Right") as rig:
        plugged_in_at(rig.readers[0], bus=2, address=7)
        plugged_in_at(rig.readers[1], bus=1, address=7)
        any_reader = PcscReader(name="door", among=among, sysfs=sysfs)
        by_id = PcscReader(usb="072f:2200", name="desk", among=among, sysfs=sysfs)
        any_reader.start(door.sink)
        by_id.start(desk.sink)
        for heard in (door, desk):
            heard.skip_to(ReaderOnline)
        rig.insert("04000001", reader=0)
        assert door.next(CardPresented).uid == "04000001"
        rig.insert("04000002", reader=1)
        assert desk.next(CardPresented).uid == "04000002"
        door.nothing(0.2)
        any_reader.stop()
        by_id.stop()


def test_reader_of_another_usb_id_is_none(sysfs: Path) -> None:
    heard = Heard()
    with Rig() as rig:
        plugged_in_at(rig.readers[0], bus=2, address=7)
        reader = PcscReader(usb="072f:2200", sysfs=sysfs)
        reader.start(heard.sink)
        assert heard.next(ReaderOffline).why is Offline.NO_READER
        reader.stop()
