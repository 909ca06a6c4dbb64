"""What pcscd knows of the readers plugged in, for whoever looks after them; nothing is opened for long."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from appliance.hw.pcsc_choice import SYSFS, usb_id
from appliance.hw.pcsc_codes import Lost, scard
from appliance.hw.pcsc_service import Service


class Slot(NamedTuple):
    """A slot: its name, vendor and firmware as its driver tells them, its USB id, and "card" or "empty"."""

    name: str
    vendor: str
    firmware: str
    usb: str
    state: str


def slots(sysfs: Path = SYSFS) -> list[Slot]:
    """The slots plugged in now; none where pcscd does not answer."""
    try:
        with Service() as service:
            return [_slot(service, name, sysfs) for name in service.readers()]
    except Lost:
        return []


def _slot(service: Service, name: str, sysfs: Path) -> Slot:
    channel = service.channel(name)
    usb = usb_id(channel, sysfs) if channel is not None else None
    state = "card" if service.look(name) & scard.SCARD_STATE_PRESENT else "empty"
    vendor, firmware = _attributes(service, name)
    return Slot(name, vendor, firmware, usb or "", state)


def _attributes(service: Service, name: str) -> tuple[str, str]:
    """The driver's words (PC/SC part 3: version is 0xMMmmbbbb); empty where it has none."""
    code, handle, _ = scard.SCardConnect(service.context, name, scard.SCARD_SHARE_DIRECT, 0)
    if code != scard.SCARD_S_SUCCESS:
        return "", ""
    try:
        vendor, version = (
            bytes(value) if code == scard.SCARD_S_SUCCESS else b""
            for code, value in (
                scard.SCardGetAttrib(handle, scard.SCARD_ATTR_VENDOR_NAME),
                scard.SCardGetAttrib(handle, scard.SCARD_ATTR_VENDOR_IFD_VERSION),
            )
        )
    finally:
        scard.SCardDisconnect(handle, scard.SCARD_LEAVE_CARD)
    words = vendor.rstrip(b"\0").decode("ascii", "replace")
    if len(version) != 4:
        return words, ""
    number = int.from_bytes(version, "little")
    return words, f"{number >> 24}.{number >> 16 & 0xFF}.{number & 0xFFFF}"
