"""Which PC/SC slot is whose: by a part of its name, by its reader's USB id, or whatever nobody else asked for.

The USB id comes from where pcscd says the reader is plugged in (SCARD_ATTR_CHANNEL_ID, PC/SC part 3: 0020 and then
bus and address) and what the kernel says is there. Drivers that do not tell are known by their readers' names.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

SYSFS = Path("/sys")
_USB_CHANNEL = 0x0020
_SAM_SLOT = re.compile(r"\bSAM\b", re.IGNORECASE)
_NAMES = {"072f:2200": "ACR122", "072f:223b": "ACR1252", "072f:2303": "ACR1552"}

UsbOf = Callable[[str], str | None]
"""The USB id of a slot's reader; None when nobody knows it."""


class Wish(Struct, frozen=True, eq=False):
    """What one reader of the configuration asks for: a part of the slot's name, its USB id, both, or nothing."""

    match: str = ""
    usb: str = ""

    def fits(self, slot: str, usb_of: UsbOf) -> bool:
        """Whether a slot is what was asked for.

        A SAM slot is where some readers hold a key chip of their own; no participant's card ever goes there, so it
        must be asked for by that word.
        """
        if _SAM_SLOT.search(slot) and not _SAM_SLOT.search(self.match):
            return False
        if self.match.casefold() not in slot.casefold():
            return False
        return not self.usb or self._is_usb(slot, usb_of)

    def _is_usb(self, slot: str, usb_of: UsbOf) -> bool:
        wanted = self.usb.casefold()
        known = usb_of(slot)
        if known is not None:
            return known == wanted
        name = _NAMES.get(wanted)
        return name is not None and name in slot


class Wishes:
    """What all readers of one program ask for: each slot goes to one of them only.

    Who asks by USB id comes first, then who asks by name, then who takes anything; among equals who asked first.
    """

    def __init__(self) -> None:
        self._wishes: list[Wish] = []

    def add(self, wish: Wish) -> None:
        """Let a reader ask too."""
        self._wishes.append(wish)
        self._wishes.sort(key=lambda one: (not one.usb, not one.match))

    @property
    def by_usb(self) -> bool:
        """Whether anybody needs to know the slots' USB ids."""
        return any(wish.usb for wish in self._wishes)

    def slots(self, wish: Wish, names: list[str], usb_of: UsbOf) -> list[str]:
        """Of the slots that are there, those that go to this one."""
        return [name for name in names if self._owner(name, usb_of) is wish]

    def _owner(self, slot: str, usb_of: UsbOf) -> Wish | None:
        return next((wish for wish in self._wishes if wish.fits(slot, usb_of)), None)


def usb_id(channel: int, sysfs: Path = SYSFS) -> str | None:
    """The id, "vvvv:pppp", of the device on a channel; None when it is not on USB, or not there any more."""
    if channel >> 16 != _USB_CHANNEL:
        return None
    place = (channel >> 8 & 0xFF, channel & 0xFF)
    for device in sorted((sysfs / "bus/usb/devices").glob("*")):
        if (_number(device / "busnum"), _number(device / "devnum")) == place:
            ids = [_text(device / name) for name in ("idVendor", "idProduct")]
            return ":".join(ids).casefold() if all(ids) else None
    return None


def _number(file: Path) -> int | None:
    text = _text(file)
    return int(text) if text.isdigit() else None


def _text(file: Path) -> str:
    try:
        return file.read_text().strip()
    except OSError:
        return ""  # an interface, not a device; or a device that was just unplugged
