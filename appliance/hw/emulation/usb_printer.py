"""A receipt printer as pyusb sees one: a backend with a single device of two bulk endpoints."""

from __future__ import annotations

import errno
import threading
import time
from array import array
from types import SimpleNamespace
from typing import Any

import usb.core
from usb.backend import IBackend

from appliance.hw.emulation.escpos import Mechanism
from appliance.hw.emulation.escpos_paper import Paper

OUT, IN = 0x01, 0x82
PACKET = 64


class UsbPrinter(Mechanism, IBackend):  # type: ignore[misc]  # pyusb has no types
    """The device and the bus in one; `find` is what stands in for ``usb.core.find``."""

    def __init__(self, vendor: int, product: int, paper: Paper | None = None, answers: str = "all") -> None:
        super().__init__(self._say, paper, answers)
        self.plugged = False
        self.hung = False
        self._said = bytearray()
        self._something = threading.Condition()
        self._ids = (vendor, product)

    def find(self, **wanted: int) -> Any:
        return usb.core.find(backend=self, **wanted)

    def plug(self) -> None:
        self.plugged = True

    def unplug(self) -> None:
        self.plugged = False

    def hang(self) -> None:
        self.hung = True

    def recover(self) -> None:
        self.hung = False

    def close(self) -> None:
        self.unplug()

    def _say(self, answer: bytes) -> None:
        with self._something:
            self._said += answer
            self._something.notify_all()

    def enumerate_devices(self) -> Any:
        return iter([self] if self.plugged else [])

    def get_device_descriptor(self, dev: object) -> object:
        vendor, product = self._ids
        return SimpleNamespace(
            bLength=18, bDescriptorType=1, bcdUSB=0x200, bDeviceClass=0, bDeviceSubClass=0, bDeviceProtocol=0,
            bMaxPacketSize0=PACKET, idVendor=vendor, idProduct=product, bcdDevice=0x100, iManufacturer=0, iProduct=0,
            iSerialNumber=0, bNumConfigurations=1, address=1, bus=1, port_number=1, port_numbers=(1,), speed=3,
        )  # fmt: skip

    def get_configuration_descriptor(self, dev: object, config: int) -> object:
        return SimpleNamespace(
            bLength=9, bDescriptorType=2, wTotalLength=32, bNumInterfaces=1, bConfigurationValue=1, iConfiguration=0,
            bmAttributes=0xC0, bMaxPower=1, extra_descriptors=[],
        )  # fmt: skip

    def get_interface_descriptor(self, dev: object, intf: int, alt: int, config: int) -> object:
        if intf or alt:
            raise IndexError("one interface")
        return SimpleNamespace(
            bLength=9, bDescriptorType=4, bInterfaceNumber=0, bAlternateSetting=0, bNumEndpoints=2, bInterfaceClass=7,
            bInterfaceSubClass=1, bInterfaceProtocol=2, iInterface=0, extra_descriptors=[],
        )  # fmt: skip

    def get_endpoint_descriptor(self, dev: object, ep: int, intf: int, alt: int, config: int) -> object:
        return SimpleNamespace(
            bLength=7, bDescriptorType=5, bEndpointAddress=(OUT, IN)[ep], bmAttributes=2, wMaxPacketSize=PACKET,
            bInterval=0, bRefresh=0, bSynchAddress=0, extra_descriptors=[],
        )  # fmt: skip

    def open_device(self, dev: object) -> object:
        self._check()
        return self

    def close_device(self, dev_handle: object) -> None: ...

    def set_configuration(self, dev_handle: object, config_value: int) -> None:
        self._check()

    def get_configuration(self, dev_handle: object) -> int:
        return 1

    def claim_interface(self, dev_handle: object, intf: int) -> None:
        self._check()

    def release_interface(self, dev_handle: object, intf: int) -> None: ...

    def is_kernel_driver_active(self, dev_handle: object, intf: int) -> bool:
        return False

    def bulk_write(self, dev_handle: object, ep: int, intf: int, data: Any, timeout: int) -> int:
        self._check()
        if self.hung:
            time.sleep(timeout / 1000)
            raise usb.core.USBTimeoutError("timed out", None, errno.ETIMEDOUT)
        self.hear(bytes(data))
        return len(data)

    def bulk_read(self, dev_handle: object, ep: int, intf: int, buff: array[int], timeout: int) -> int:
        self._check()
        with self._something:
            if not self._said:
                self._something.wait(timeout / 1000)
            if not self._said:
                raise usb.core.USBTimeoutError("timed out", None, errno.ETIMEDOUT)
            count = min(len(buff), len(self._said))
            buff[:count] = array("B", self._said[:count])
            del self._said[:count]
        return count

    def _check(self) -> None:
        if not self.plugged:
            raise usb.core.USBError("no such device", None, errno.ENODEV)
