"""What every program of a device starts from: its files, its key, its time, and whose signatures it accepts."""

from __future__ import annotations

import contextlib
import fcntl
import os
import ssl
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance import timebase
from appliance.config import Broker, Config
from appliance.filebytes import Unusable, open_own, own_bytes
from appliance.game import fleet
from appliance.game.roster import Roster
from appliance.identity import AUTHORITY, CERTIFICATE, load_or_make, public_hex
from appliance.journal import Journal
from appliance.link.client import DIRECTOR_SOCKET, Endpoint
from appliance.link.store import Signed
from appliance.members import Member, Members, Named, members
from appliance.timebase import Timebase

LEAGUE = "league"
"""The name the league opens its streams with."""

FIRST_MEMBERS = "members.json"
"""Who belonged to the venue when this device was let in: they count until its own copy says who does."""


class FolderTaken(OSError):
    """Another program runs in this data folder."""


class Workplace:
    """A device's data folder and what is in it. Making one makes the folder and, the first time, the key."""

    def __init__(self, config: Config, files: Sequence[Path] = ()) -> None:
        """``files``: what the configuration was read from, for programs that this one starts.

        Raises OSError (`IdentityError` among them) if the folder cannot be used.
        """
        self.config = config
        self.files = tuple(files)
        self.data.mkdir(parents=True, exist_ok=True)
        self.key: Ed25519PrivateKey = load_or_make(self.data / "device.key")
        self._first = _first_members(self.data / FIRST_MEMBERS)
        self.members: Members = members(config.devices, config.director, adopted=self._first)
        """Who belongs to the venue now; the engine thread sets it anew as the streams tell."""
        self._signed: Mapping[tuple[str, str], fleet.Signed] = {}
        self.rebooted = timebase.was_off(self._anchor)
        """Whether the machine was off since this folder was last worked in."""
        rehearsal = config.rehearsal
        self.time: Timebase = timebase.restore(self._anchor, timebase.wall_anchor(rehearsal.speed, rehearsal.start_ms))

    @property
    def data(self) -> Path:
        """The folder."""
        return self.config.data

    def know(self, roster: Roster, adopted: Iterable[Named], dropped: Iterable[str] = ()) -> None:
        """Who belongs to the venue by what the league tells, and by what was adopted on the spot; the keys of what was
        ``dropped`` again count no more, also before the league says so.
        """
        config, told, here = self.config, roster.devices.values(), list(adopted)
        if self._first and (here or told):
            self._first = []
            with contextlib.suppress(OSError):  # a disk that refuses: they are forgotten at the next start
                (self.data / FIRST_MEMBERS).unlink(missing_ok=True)
        out = roster.revoked_keys.union(dropped)
        self.members = members(config.devices, config.director, told, here or self._first, out)
        self._signed = roster.signed

    def move_on(self, at: int) -> None:
        """Set this device's time forward to ``at`` (UTC ms) if it is behind. Raises OSError."""
        self.time = timebase.moved_on(self._anchor, self.time, at)

    def now_ms(self) -> int:
        """This device's time, UTC ms; it may be set forward."""
        return self.time.now_ms()

    @property
    def _anchor(self) -> Path:
        return self.data / "anchor.json"

    @property
    def public(self) -> str:
        """This device's public key in hex."""
        return public_hex(self.key)

    @contextlib.contextmanager
    def claimed(self) -> Iterator[None]:
        """Hold the folder for this program alone; the kernel lets go of it when the program ends, however it ends. Who
        holds it stands in it.

        Raises `FolderTaken` while another program holds it: two writers of one journal would fight for its streams.
        """
        try:
            opened = open_own(self.data / "lock")
        except OSError as error:
            raise Unusable(f"{self.data / 'lock'}: {error.strerror}") from None
        with opened as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise FolderTaken(f"{self.data} is in use by another program of this device") from None
            with contextlib.suppress(OSError):  # a full disk is told elsewhere
                lock.truncate(0)
                lock.write(str(os.getpid()).encode())
            yield

    def journal(self, name: str = "journal") -> Journal:
        """Open a journal of this device, with the keys of those who write in it. Raises `JournalError`."""
        journal = Journal(self.data / name, device=self.config.device.name, key=self.key)
        for device, public in self._writers().items():
            journal.know_writer(device, public)
        return journal

    def keyring(self, stream: str, opener: str) -> bytes | None:
        """The raw public key that must sign a stream opened by this device, None if it may not write it.

        The league's stream is signed by the league's pinned key, a table's by a kiosk, the others by who directs, and
        that may be any kiosk (DESIGN §3, §5).
        """
        match stream.partition("/")[0]:
            case "league":
                public = self.config.league.public_key
            case "table":
                public = self.members.key(opener) if self.members.may_write_table(opener) else ""
            case _:
                public = self.members.key(opener) if self.members.may_direct(opener) else ""
        return bytes.fromhex(public) if public else None

    def former(self, stream: str, epoch: str) -> Signed | None:
        """What a device that is revoked by now had signed before, as the league tells."""
        told = self._signed.get((stream, epoch))
        return None if told is None else Signed(bytes.fromhex(told.key), told.seq, told.hash)

    def _writers(self) -> dict[str, str]:
        writers = {**self.config.devices, self.config.device.name: self.public}
        return {**writers, LEAGUE: self.config.league.public_key} if self.config.league.public_key else writers


def _first_members(file: Path) -> list[Member]:
    """Raises OSError for a file that is there and cannot be read."""
    try:
        return msgspec.json.decode(own_bytes(file), type=list[Member])
    except FileNotFoundError:
        return []
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Unusable(f"{file}: {error}") from None


def endpoint(broker: Broker, place: str = "broker", data: Path | None = None) -> Endpoint:
    """Where a configured broker is, and what this device shows there.

    With ``data``, the folder of a device that is enrolled, it shows its certificate where none is named, and trusts the
    league's authority beside the system's. Raises `Unusable` if certificates cannot be read.
    """
    tls = _tls(broker, place, data) if broker.tls else None
    return Endpoint(broker.host, broker.port, broker.username or None, broker.password or None, tls)


def director_endpoint(config: Config, data: Path) -> Endpoint:
    """The venue's broker for the programs of the director's Pi: its own, unless ``[broker]`` says where there is one.

    ``data``: the director's folder. Raises `Unusable`.
    """
    return Endpoint.unix(data / DIRECTOR_SOCKET) if config.lan.find != "fixed" else endpoint(config.broker)


def _tls(broker: Broker, place: str, data: Path | None) -> ssl.SSLContext:
    with _named(f"{place}.ca", broker.ca):
        tls = ssl.create_default_context(cafile=broker.ca or None)
    certificate, key = broker.certificate, broker.key
    if data is not None:
        authority, own = data / AUTHORITY, data / CERTIFICATE
        if not broker.ca and authority.exists():
            with _named(AUTHORITY, str(authority)):
                tls.load_verify_locations(cafile=authority)
        if not certificate and own.exists():
            certificate, key = str(own), str(data / "device.key")
    if certificate:
        with _named(f"{place}.certificate", certificate):
            tls.load_cert_chain(certificate, key)
    return tls


@contextlib.contextmanager
def _named(place: str, file: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        why = "no certificates in PEM form" if isinstance(error, ssl.SSLError) else error.strerror
        if isinstance(error, ssl.SSLError) and "MISMATCH" in (error.reason or ""):
            why = "not the certificate of this device's key"
        raise Unusable(f"{place}: {file}: {why}") from None
