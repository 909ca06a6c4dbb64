"""The venue's own broker: mosquitto, run by whoever directs, who alone says who may do what in it (DESIGN §5).

    broker = venue_broker(place)            # None where lan.find is fixed: the broker is somebody else's
    broker.start()
    link = DirectorLink(director_endpoint(place.config, place.data), ...)
    while running:
        broker.update(place.members)        # costs nothing where they are the same
    broker.stop()

It keeps nothing (no persistence), ends when its director does, and is started again when it ends by itself. A change of
members is taken over without cutting a connection, except where the league's authority changes: mosquitto reads that at
its start alone.
"""

from __future__ import annotations

import logging
import os
import shutil
import time
from pathlib import Path

from appliance import certificates
from appliance.certificates import CertificateError
from appliance.filebytes import Unusable
from appliance.identity import AUTHORITY, CERTIFICATE
from appliance.link import mosquitto_files as files
from appliance.link.broker import find_program
from appliance.link.child import Child
from appliance.link.client import DIRECTOR_SOCKET, Endpoint
from appliance.link.tls import Place, own_certificate, trusted_alone
from appliance.members import Members

START_S = 2.0
"""How long a start is waited for; it takes a hundredth of that."""

_AGAIN_S = 5.0
_log = logging.getLogger(__name__)


class VenueBroker:
    """The broker of a director's Pi, and the one for newcomers beside it where ``lan.newcomers`` is a port."""

    def __init__(self, place: Place) -> None:
        """Raises `Unusable` where mosquitto is not installed or this device's certificate serves nobody."""
        program = find_program("mosquitto")
        if program is None:
            raise Unusable("lan.find: the director runs the venue's broker: install it (apt-get install mosquitto)")
        lan = place.config.lan
        if lan.secure:
            own_certificate(place)
        self._place = place
        self._folder = place.data / DIRECTOR_SOCKET.parent
        self._members: Members | None = None
        self._authority = b""
        self._again_at = 0.0
        log_of = f"lan.port {lan.port}"
        self._venue = Child([str(program), "-c", "mosquitto.conf"], self._folder, log_of)
        self._newcomers = None
        if lan.newcomers:
            name = f"lan.newcomers {lan.newcomers}"
            self._newcomers = Child([str(program), "-c", "newcomers.conf"], self._folder, name)

    @property
    def newcomers(self) -> Endpoint | None:
        """Where the director hears and answers devices that are not known, None if nobody may ask."""
        return Endpoint.unix(self._folder / files.NEWCOMERS_SOCKET) if self._newcomers else None

    @property
    def pid(self) -> int | None:
        """The process that devices are connected to, None while there is none."""
        return self._venue.pid

    def start(self) -> None:
        """Start it, and again whenever it ends; returns once it listens, or has said why it cannot."""
        self.update(self._place.members)
        for child in self._children:
            child.start()
        until = time.monotonic() + START_S
        for child in self._children:
            child.wait_for_news(max(0.0, until - time.monotonic()))

    def update(self, members: Members) -> None:
        """Let in who belongs to the venue now, and nobody else. A disk that refuses is asked again later."""
        if members is self._members or members == self._members or time.monotonic() < self._again_at:
            return
        try:
            anew = self._write(members)
        except OSError as error:
            self._again_at = time.monotonic() + _AGAIN_S
            _log.error("the venue's broker lets in whom it knew: %s", error)
            return
        self._members = members
        if anew:
            self._venue.restart()
        else:
            self._venue.reload()

    def stop(self) -> None:
        """End it."""
        for child in self._children:
            child.stop()

    @property
    def _children(self) -> list[Child]:
        return [self._venue, self._newcomers] if self._newcomers else [self._venue]

    def _write(self, members: Members) -> bool:
        """Write what mosquitto reads; whether it must be started anew to take it."""
        lan, venue = self._place.config.lan, self._place.config.venue.id
        self._folder.mkdir(mode=0o700, exist_ok=True)
        self._folder.chmod(0o700)
        user = "root" if os.geteuid() == 0 else ""  # else it gives up rights it needs here, and would outlive us
        authority = self._place.data / AUTHORITY
        has_authority = lan.secure and authority.exists()
        own = (f"../{CERTIFICATE}", "../device.key")
        self._replace("mosquitto.conf", files.main(lan, f"../{AUTHORITY}" if has_authority else "", *own, user))
        self._replace("acl", files.access(venue, _with_names(venue, members)))
        self._replace("newcomers.conf", files.newcomers(lan, *own, user))
        self._replace("newcomers.acl", files.newcomers_access(venue))
        self._fill(self._folder / "trust", files.trust(trusted_alone(venue, members).values()) if lan.secure else {})
        before, self._authority = self._authority, authority.read_bytes() if has_authority else b""
        return self._authority != before

    def _replace(self, name: str, text: str) -> None:
        _replace(self._folder / name, text.encode())

    @staticmethod
    def _fill(folder: Path, wanted: dict[str, bytes]) -> None:
        folder.mkdir(exist_ok=True)
        for there in folder.iterdir():
            if there.name not in wanted:
                shutil.rmtree(there) if there.is_dir() else there.unlink()
        for name, data in wanted.items():
            _replace(folder / name, data)


def venue_broker(place: Place) -> VenueBroker | None:
    """The broker that this director has to run, None where ``[broker]`` says where it is. Raises `Unusable`."""
    return None if place.config.lan.find == "fixed" else VenueBroker(place)


def _with_names(venue: str, members: Members) -> dict[str, str]:
    """The keys of the members that can have a section: each has a user name."""
    named = {}
    for name in members:
        try:
            certificates.subject(venue, name)
        except CertificateError as error:
            _log.warning("%s may do nothing in the venue's broker: %s", name, error)
        else:
            named[name] = members.key(name)
    return named


def _replace(file: Path, data: bytes) -> None:
    """Write a file whole or not at all; a power cut may lose it, and the next start writes it again."""
    partial = file.with_name(file.name + ".new")
    partial.write_bytes(data)
    partial.replace(file)
