"""The ways to a receipt printer: a device file, a serial port, USB. Bytes out and bytes in, nothing about slips.

No call waits longer than `SLICE_S`, so that whoever prints can always be stopped.
"""

from __future__ import annotations

import contextlib
import errno
import importlib
import os
import select
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from appliance.hw.ports import DriverMissing

SLICE_S = 0.1
CHUNK = 1024


class LineGone(ConnectionError):
    """The device is not there, or failed."""


class Line(Protocol):
    """An open way to a printer; every method raises `LineGone`."""

    @property
    def answers(self) -> bool:
        """Whether anything can come back this way at all."""

    def write(self, data: bytes) -> int:
        """Send as much as is taken within `SLICE_S`; how many bytes that were, perhaps 0."""

    def read(self, wait: float = SLICE_S) -> bytes:
        """What has come back; waits so many seconds for a first byte."""

    def close(self) -> None:
        """Let go of the device; what it has not taken yet is forgotten."""


class FileLine:
    """A file as it is: the kernel's driver for USB printers, or an ordinary file, which only ever grows."""

    def __init__(self, path: str) -> None:
        self._fd = -1
        try:
            # not created: a name with a mistake in it must not become a file
            device = stat.S_ISCHR(Path(path).stat().st_mode)
            self._fd, self.answers = _open(path, device)
        except OSError as error:
            raise LineGone(f"{path}: {error.strerror}") from None

    def write(self, data: bytes) -> int:
        try:
            _, ready, _ = select.select([], [self._fd], [], SLICE_S)
            return os.write(self._fd, data[:CHUNK]) if ready else 0
        except BlockingIOError:
            return 0
        except OSError as error:
            raise LineGone(str(error.strerror)) from None

    def read(self, wait: float = SLICE_S) -> bytes:
        try:
            ready, _, _ = select.select([self._fd], [], [], wait)
            return os.read(self._fd, CHUNK) if ready else b""
        except BlockingIOError:
            return b""
        except OSError as error:
            raise LineGone(str(error.strerror)) from None

    def close(self) -> None:
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)


def _open(path: str, device: bool) -> tuple[int, bool]:
    """Only a device is asked for answers: what a plain file gives back is what was written."""
    flags = os.O_NONBLOCK | os.O_NOCTTY | os.O_APPEND
    if device:
        with contextlib.suppress(PermissionError):
            return os.open(path, os.O_RDWR | flags), True
    return os.open(path, os.O_WRONLY | flags), False


class SerialLine(FileLine):
    """A serial port, set up by pyserial. Raises `DriverMissing` without it."""

    def __init__(self, port: str, baud: int, flow: str) -> None:
        try:
            serial = importlib.import_module("serial")
        except ImportError:
            raise DriverMissing("pyserial is missing: pip install 'tableside[printer]'") from None
        try:
            self._port = serial.Serial(
                port, baud, timeout=0, rtscts=flow == "rts-cts", xonxoff=flow == "xon-xoff", exclusive=True
            )
        except (OSError, ValueError) as error:  # SerialException is an OSError
            raise LineGone(f"{port}: {error}") from None
        self._fd = self._port.fileno()
        self.answers = True

    def close(self) -> None:
        self._fd = -1
        with contextlib.suppress(OSError, importlib.import_module("termios").error):
            self._port.reset_output_buffer()  # else closing waits for a printer that takes nothing
        with contextlib.suppress(OSError):
            self._port.close()


class UsbLine:
    """A printer's two bulk endpoints through libusb. Raises `DriverMissing` without pyusb or libusb."""

    answers = True

    def __init__(self, usb_id: str, find: Callable[..., Any] | None = None) -> None:
        try:
            core = importlib.import_module("usb.core")
            self._util = importlib.import_module("usb.util")
        except ImportError:
            raise DriverMissing("pyusb is missing: pip install 'tableside[printer]'") from None
        vendor, _, product = usb_id.partition(":")
        self._error: type[OSError] = core.USBError
        try:
            device = (find or core.find)(idVendor=int(vendor, 16), idProduct=int(product, 16))
            if device is None:
                raise LineGone(f"no USB device {usb_id}")
            self._device = device
            self._claim()
        except core.NoBackendError:
            raise DriverMissing("libusb is missing: apt-get install libusb-1.0-0") from None
        except self._error as error:
            raise LineGone(f"{usb_id}: {error}") from None

    def _claim(self) -> None:
        with contextlib.suppress(NotImplementedError):
            if self._device.is_kernel_driver_active(0):
                self._device.detach_kernel_driver(0)
        self._device.set_configuration()
        interface = self._device.get_active_configuration()[(0, 0)]
        self._out = self._endpoint(interface, self._util.ENDPOINT_OUT)
        self._in = self._endpoint(interface, self._util.ENDPOINT_IN)
        if self._out is None:
            raise LineGone("this USB device takes no data")
        self.answers = self._in is not None

    def _endpoint(self, interface: Any, direction: int) -> Any:
        direction_of = self._util.endpoint_direction
        return self._util.find_descriptor(
            interface, custom_match=lambda end: direction_of(end.bEndpointAddress) == direction
        )

    def write(self, data: bytes) -> int:
        return int(self._timed(lambda: self._out.write(data[:CHUNK], int(SLICE_S * 1000)), 0))

    def read(self, wait: float = SLICE_S) -> bytes:
        patience = max(1, int(wait * 1000))  # 0 would be for ever
        return bytes(self._timed(lambda: self._in.read(64, patience), b""))

    def close(self) -> None:
        with contextlib.suppress(self._error):
            self._util.dispose_resources(self._device)

    def _timed(self, call: Callable[[], Any], none: Any) -> Any:
        try:
            return call()
        except self._error as error:
            if error.errno == errno.ETIMEDOUT:
                return none
            raise LineGone(str(error)) from None
