"""The printer of slips in the configuration: section ``[printer]``. Needs no printer library."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

UsbId = Annotated[str, msgspec.Meta(pattern=r"^([0-9a-f]{4}:[0-9a-f]{4})?$")]
"""Vendor and product in hex, as lsusb shows them: ``04b8:0e15``."""


class PrinterConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which receipt printer stands here, and how it is reached.

    ``profile`` is a name from python-escpos' list of printers; ``port`` the device file of a serial printer or of
    the kernel's USB printer driver (``/dev/usb/lp0``); ``columns`` overrides the profile's where it is not 0;
    ``flow`` is the serial line's; ``language`` of the slips is the venue's where it is empty.
    """

    driver: Literal["none", "serial", "usb", "file"] = "none"
    profile: str = "default"
    port: str = ""
    baud: Annotated[int, msgspec.Meta(ge=1200, le=921_600)] = 9600
    flow: Literal["none", "rts-cts", "xon-xoff"] = "none"
    usb: UsbId = ""
    columns: Literal[0, 32, 42, 48] = 0
    language: Literal["", "cs", "en"] = ""
