"""Readers in the configuration: ``[[reader]]``, once for each. Needs no reader library."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec.structs import replace

from appliance.printerconfig import UsbId

ReaderName = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9-]{0,32}$")]


class ReaderConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A card reader: its driver, and which one it is.

    ``name`` is what screens and logs call it. A PC/SC reader is chosen by ``match``, a part of its name, or by ``usb``;
    a PN532 (``nfc``) and a serial reader by ``port`` or the ``usb`` id of their adapter; ``protocol`` and ``baud`` are
    the serial reader's; ``socket`` is where a simulated one takes its lines, ``wallet`` the folder of its cards.
    """

    name: ReaderName = ""
    driver: Literal["pcsc", "nfc", "serial", "simulated", "none"] = "pcsc"
    match: str = ""
    usb: UsbId = ""
    port: str = ""
    protocol: Literal["rdm6300", "line"] = "rdm6300"
    baud: Annotated[int, msgspec.Meta(ge=300, le=921_600)] = 9600
    socket: str = ""
    wallet: str = ""

    def __post_init__(self) -> None:
        """Raises ValueError for a reader on a line that is not said."""
        if self.driver in ("nfc", "serial") and not (self.port or self.usb):
            raise ValueError(f"driver {self.driver} needs port or usb")

    @property
    def _place(self) -> tuple[str, ...]:
        """What no two readers may have in common."""
        match self.driver:
            case "pcsc":
                return ("pcsc", self.match.casefold(), self.usb)
            case "simulated":
                return ("simulated", self.socket) if self.socket else ()
            case "none":
                return ()
            case _:
                return ("line", self.port or self.usb)


def as_list(given: Any) -> Any:
    """One ``[reader]`` table stands for a list of one."""
    return [given] if isinstance(given, Mapping) else given


def named(readers: Iterable[ReaderConfig]) -> tuple[ReaderConfig, ...]:
    """The readers that are there, each with a name. Raises ValueError when two have the same, or are the same."""
    there = [reader for reader in readers if reader.driver != "none"]
    default = "reader" if len(there) == 1 else "reader-{}"
    known = [replace(r, name=r.name or default.format(n)) for n, r in enumerate(there, 1)]
    for number, reader in enumerate(known):
        for other in known[:number]:
            if other.name == reader.name:
                raise ValueError(f"two readers are named {reader.name!r}")
            if reader._place and other._place == reader._place:
                raise ValueError(f"{other.name!r} and {reader.name!r} are the same reader: say match, usb or port")
    return tuple(known)


def ports(readers: Iterable[ReaderConfig]) -> list[tuple[str, str]]:
    """The lines that readers use, for `appliance.pins.claimed`."""
    return [(f"the reader {r.name!r}", r.port) for r in readers if r.driver in ("nfc", "serial") and r.port]
