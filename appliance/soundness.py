"""What a configuration of the right types may still have wrong: it would be read, and then something would not work.

`tableside config check` refuses it and `tableside doctor` tells it; a kiosk starts all the same, as far as it can:
cards are read with a printer that nobody can find.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from appliance.config import ADOPTED, Broker, Config
from appliance.display import style
from appliance.hw.ports import DriverMissing
from appliance.identity import CERTIFICATE, IdentityError, load_or_make, public_hex
from appliance.link.lan import UPLINK
from appliance.pins import Pins
from appliance.plaintext import fault
from appliance.readerconfig import ReaderConfig

_USED: dict[str, frozenset[str]] = {
    "pcsc": frozenset({"match", "usb"}),
    "nfc": frozenset({"port", "usb"}),
    "serial": frozenset({"port", "usb", "protocol", "baud"}),
    "simulated": frozenset({"socket", "wallet"}),
}
"""The settings of a reader that each driver looks at, beside name and driver."""
_CHOICES = ("match", "usb", "port", "protocol", "baud", "socket", "wallet")


class Complaint(NamedTuple):
    """A setting, and why it cannot be so."""

    place: str
    why: str

    def __str__(self) -> str:
        return f"{self.place}: {self.why}"


def wrong(config: Config) -> Iterator[Complaint]:
    """All there are, and that the devices do not know each other."""
    yield from _strangers(config)
    yield from complaints(config)


def _strangers(config: Config) -> Iterator[Complaint]:
    """Whoever is to direct must be known before the league's word is there, for that comes by way of them: a kiosk that
    does not know their key finds nobody. Others may be known by the league's word alone."""
    known = ", ".join(sorted(config.devices)) or "nobody"
    name, role = config.device.name, config.device.role
    if role == "spare":
        return
    if config.director not in (*config.devices, UPLINK):
        yield Complaint("director", f"{config.director!r} is not in [devices] ({known}): kiosks would not find it")
    listens_only = role == "clock" and config.lan.find == "fixed"
    enrolled = any(os.access(config.data / file, os.F_OK) for file in (CERTIFICATE, ADOPTED))
    if name not in (*config.devices, UPLINK) and not listens_only and not enrolled:
        yield Complaint("device.name", f"{name!r} is not in [devices] ({known}), and not enrolled here")
    if role == "director" and name not in (config.director, UPLINK):
        yield Complaint("device.role", f"director, but the venue's director is {config.director!r}")


def complaints(config: Config) -> Iterator[Complaint]:
    """What a setting says that cannot work."""
    for number, reader in enumerate(config.readers if config.readers_here else (), 1):
        yield from _reader(reader, f"reader-{number}" if len(config.readers) > 1 else "reader")
    yield from _printer(config)
    yield from _one_plug_each(config)
    yield from _pins(config.pins)
    yield from _quiet_hours("sound", config.sound.quiet_from, config.sound.quiet_to)
    for place, broker in (("broker", config.broker), ("league.broker", config.league.broker)):
        yield from _certificates(place, broker)
    yield from _lan(config)
    yield from _style(config.screen.style)
    yield from _shots(config.screen.shots)
    yield from _venue(config.venue.name)
    yield from _keys(config)


def _reader(reader: ReaderConfig, place: str) -> Iterator[Complaint]:
    if reader.driver == "simulated" and not reader.socket:
        yield Complaint(f"{place}.socket", "a simulated reader without a socket can be shown no card")
    used, default = _USED.get(reader.driver), ReaderConfig()
    if used is None:
        return
    for name in _CHOICES:
        if name not in used and getattr(reader, name) != getattr(default, name):
            theirs = ", ".join(each for each in _CHOICES if each in used)
            yield Complaint(f"{place}.{name}", f"driver {reader.driver} does not look at it (it has: {theirs})")


def _printer(config: Config) -> Iterator[Complaint]:
    printer = config.printer
    if printer.driver == "none":
        return
    wanted, other = ("usb", "port") if printer.driver == "usb" else ("port", "usb")
    if not getattr(printer, wanted):
        yield Complaint(f"printer.{wanted}", f"driver {printer.driver} needs it")
    if getattr(printer, other):
        yield Complaint(f"printer.{other}", f"driver {printer.driver} does not look at it (it has: {wanted})")
    if importlib.util.find_spec("escpos") is None:
        return
    try:
        importlib.import_module("appliance.hw.press").Press(printer.profile, printer.columns)
    except DriverMissing:
        return
    except ValueError as error:
        yield Complaint("printer.profile", str(error))


def _one_plug_each(config: Config) -> Iterator[Complaint]:
    """One USB id for two things that are opened in different ways; readers of one way `named` has looked at."""
    plugged: dict[str, str] = {}
    for reader in config.readers_here:
        if reader.driver != "simulated" and reader.usb and not (reader.port and reader.driver != "pcsc"):
            who = f"the reader {reader.name!r}"
            if (other := plugged.setdefault(reader.usb, who)) != who:
                yield Complaint("reader.usb", f"{other} and {who} are both {reader.usb}")
    usb = config.printer.usb if config.printer.driver == "usb" else ""
    if usb in plugged:
        yield Complaint("printer.usb", f"{plugged[usb]} and the printer are both {usb}")


def _pins(pins: Pins) -> Iterator[Complaint]:
    if pins.encoder_push and not pins.encoder_a:
        yield Complaint("pins.encoder_push", "a knob needs pins.encoder_a and pins.encoder_b too")
    yield from _quiet_hours("pins", pins.quiet_from, pins.quiet_to)


def _quiet_hours(section: str, since: str, until: str) -> Iterator[Complaint]:
    if since and since == until:
        yield Complaint(f"{section}.quiet_to", f"quiet hours from {since} to {until}: all day, or never?")


def _certificates(place: str, broker: Broker) -> Iterator[Complaint]:
    for name, file in (("ca", broker.ca), ("certificate", broker.certificate)):
        if file and not broker.tls:
            yield Complaint(f"{place}.{name}", f"nobody looks at it without {place}.tls")
        elif file:
            yield from _certificate(f"{place}.{name}", file, broker.key if name == "certificate" else "")


def _certificate(place: str, file: str, key: str) -> Iterator[Complaint]:
    try:
        if key:
            ssl.create_default_context().load_cert_chain(file, key)
        else:
            ssl.create_default_context(cafile=file)
    except ssl.SSLError:
        of_key = f", or not that of {key}" if key else ""
        yield Complaint(place, f"{file}: no certificates in PEM form{of_key}")
    except OSError as error:
        yield Complaint(place, f"{file}: {error.strerror}")


def _lan(config: Config) -> Iterator[Complaint]:
    """What a device needs to find its venue, and to direct it should that be asked of it."""
    lan, venue, name = config.lan, config.venue.id, config.device.name
    if lan.find == "fixed":
        return
    from appliance.certificates import CertificateError  # a kiosk that is told where its broker is needs none of this
    from appliance.link.broker import find_program
    from appliance.link.tls import check_certificate

    if lan.port == lan.newcomers:
        yield Complaint("lan.newcomers", f"port {lan.port} is that of the devices that are known (lan.port)")
    if config.device.role != "clock" and find_program("mosquitto") is None:
        yield Complaint("lan.find", "whoever directs runs the venue's broker: install mosquitto")
    file, key = config.data / CERTIFICATE, config.data / "device.key"
    if lan.secure and os.access(file, os.R_OK) and os.access(key, os.R_OK):
        try:
            check_certificate(config.data, venue, name, load_or_make(key).public_key())
        except (CertificateError, IdentityError) as error:
            yield Complaint("lan.secure", f"{file}: {error}")


def _style(file: str) -> Iterator[Complaint]:
    if not file:
        return
    try:
        problems = style.read(Path(file), unpack=True).problems
    except style.StyleError as error:
        problems = (str(error),)
    for problem in problems:
        yield Complaint("screen.style", problem)


def _shots(folder: str) -> Iterator[Complaint]:
    if folder and not Path(folder).is_dir():
        yield Complaint("screen.shots", f"{folder}: no such folder")


def _venue(name: str) -> Iterator[Complaint]:
    if (why := fault(name)) is not None:
        yield Complaint("venue.name", why)


def _keys(config: Config) -> Iterator[Complaint]:
    """[devices] against itself, and against the key that lies here, where one does."""
    owner: dict[str, str] = {}
    for name, public in config.devices.items():
        if (other := owner.setdefault(public, name)) != name:
            yield Complaint(f"devices.{name}", f"the same key as {other}: every device has its own")
    name, file = config.device.name, config.data / "device.key"
    told = config.devices.get(name)
    if told is None or not os.access(file, os.R_OK):  # not this device, or not its user
        return
    try:
        here = public_hex(load_or_make(file))
    except IdentityError as error:
        yield Complaint("device.data", str(error))
        return
    if told != here:
        yield Complaint(f"devices.{name}", f"{told[:8]}… is not the key of {file} ({here[:8]}…): see tableside key")
