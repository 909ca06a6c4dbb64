"""A real pcscd of one's own, and cards to hold against its readers.

`Pcscd` runs pcscd on a socket of its own, beside any other on the machine, with virtual readers: vpcd's (Debian
package vsmartcard-vpcd, a TCP port each) or any driver that speaks vpcd's protocol on a Unix-domain socket.
`VirtualCard` is the card's side of that protocol: one connection is one stay in the reader's field.
"""

from __future__ import annotations

import atexit
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

VPCD_DRIVER = Path("/usr/lib/pcsc/drivers/serial/libifdvpcd.so")
PACKAGES = "apt-get install --no-install-recommends pcscd vsmartcard-vpcd libpcsclite-dev swig gcc"

ATR = bytes.fromhex("3B8F8001804F0CA000000306030003000000006A")
"""Answer a PC/SC reader gives for a contactless storage card (PC/SC part 3, 3.1.3.2.3)."""
GET_UID = bytes.fromhex("FFCA000000")
OK = b"\x90\x00"

_PATH = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"

Address = tuple[str, int] | str
"""Where a virtual reader listens: host and port, or the path of a Unix-domain socket."""


class MissingPackage(RuntimeError):
    """A Debian package these tests stand on is not installed."""


def require(*needed: Path | str) -> None:
    """Raise `MissingPackage` unless each program or file is there."""
    for thing in needed:
        there = thing.exists() if isinstance(thing, Path) else shutil.which(thing, path=_PATH)
        if not there:
            raise MissingPackage(f"{thing} is missing; as root: {PACKAGES}")


def process_socket() -> Path:
    """The pcscd socket of this process and its children; the same at every call.

    libpcsclite reads PCSCLITE_CSOCK_NAME once in a process, so one process can use one socket only.
    """
    mark = f"tableside-pcscd-{os.getpid()}-"
    named = os.environ.get("PCSCLITE_CSOCK_NAME", "")
    if mark not in named:
        directory = tempfile.mkdtemp(prefix=mark)
        atexit.register(shutil.rmtree, directory, ignore_errors=True)
        named = str(Path(directory) / "pcscd.comm")
        os.environ["PCSCLITE_CSOCK_NAME"] = named
    return Path(named)


@dataclass(frozen=True)
class ReaderConfig:
    """One entry of reader.conf; PC/SC names the reader ``<name> <index> <slot>``."""

    name: str
    device: str
    library: Path
    address: Address
    channel: int = 0

    def text(self) -> str:
        return (
            f'FRIENDLYNAME "{self.name}"\nDEVICENAME {self.device}\n'
            f"LIBPATH {self.library}\nCHANNELID {self.channel:#x}\n"
        )


def vpcd(name: str = "Virtual PCD", *, library: Path = VPCD_DRIVER) -> ReaderConfig:
    """A vpcd reader on free ports. It has two slots; cards go into the first, ``<name> <index> 00``.

    Two vpcd readers in one pcscd need a copy of the library each.
    """
    require(library)
    port = _free_port_pair()
    return ReaderConfig(name, f"/dev/null:{port:#x}", library, ("127.0.0.1", port), port)


def _free_port_pair() -> int:
    """A port that is free together with the next, outside the range of outgoing connections."""
    while True:
        port = random.randrange(20_000, 32_000, 2)
        try:
            for candidate in (port, port + 1):
                with socket.socket() as probe:
                    probe.bind(("127.0.0.1", candidate))
        except OSError:
            continue
        return port


class Pcscd:
    """A pcscd of this process's own; a context manager that starts and stops it.

    ``readers`` are its readers; `configure` and `look_again` change them while it runs.
    """

    def __init__(self, *readers: ReaderConfig, where: Path | None = None) -> None:
        require("pcscd")
        self.socket = where or process_socket()
        self.log = self.socket.with_suffix(".log")
        self._config = self.socket.with_suffix(".conf.d")
        self._process: subprocess.Popen[bytes] | None = None
        self.configure(*readers)

    def __enter__(self) -> Pcscd:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self.socket.unlink(missing_ok=True)

    def configure(self, *readers: ReaderConfig) -> None:
        """Write the readers for the next start or `look_again`."""
        self._config.mkdir(parents=True, exist_ok=True)
        (self._config / "readers").write_text("\n".join(reader.text() for reader in readers))

    def start(self) -> None:
        """Start pcscd the way systemd does, with the listening socket handed over: it can be used at once."""
        self.socket.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener, self.log.open("ab") as log:
            listener.bind(str(self.socket))
            listener.listen(16)
            command = ["pcscd", "--foreground", "--info", "--config", str(self._config)]
            self._process = subprocess.Popen(
                [sys.executable, "-c", _HAND_OVER, str(listener.fileno()), *command],
                env=os.environ | {"PATH": _PATH},
                pass_fds=(listener.fileno(),),
                stdout=log,
                stderr=log,
            )

    @property
    def pid(self) -> int:
        if self._process is None:
            raise RuntimeError("pcscd is not running")
        return self._process.pid

    def look_again(self) -> None:
        """Have pcscd read its configuration and look for its readers again."""
        os.kill(self.pid, signal.SIGUSR1)

    def stop(self) -> None:
        """End pcscd in an orderly way; nothing happens when it does not run."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """Kill pcscd as a crash would (SIGKILL)."""
        self._end(signal.SIGKILL)

    def _end(self, with_signal: signal.Signals) -> None:
        if self._process is None:
            return
        self._process.send_signal(with_signal)
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None


_HAND_OVER = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
os.execvp(sys.argv[2], sys.argv[2:])
"""


Answer = Callable[[bytes], bytes | None]
"""What a card says to a command APDU: the response APDU, or None when it is pulled away instead of answering."""


def storage_card(uid: str) -> Answer:
    """The answers of a plain card with this UID."""
    return lambda command: bytes.fromhex(uid) + OK if command == GET_UID else b"\x6d\x00"


class VirtualCard:
    """A card in a reader's field, from construction to `remove`.

    ``asked`` collects the command APDUs. A card with an empty ``atr`` is a dead chip.
    """

    def __init__(self, address: Address, answer: Answer | str, *, atr: bytes = ATR) -> None:
        self.asked: list[bytes] = []
        self.gone = threading.Event()
        self._noticed = threading.Event()
        self._answered = threading.Event()
        self._answer = storage_card(answer) if isinstance(answer, str) else answer
        self._atr = atr
        self._connection = _connect(address)
        self._thread = threading.Thread(target=self._live, name="virtual card", daemon=True)
        self._thread.start()

    def __enter__(self) -> VirtualCard:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()

    def remove(self) -> None:
        """Take the card out of the field."""
        self.gone.set()
        self._hang_up()
        if self._thread is not threading.current_thread():
            self._thread.join()

    def wait_until_noticed(self, timeout: float = 10.0) -> None:
        """Wait until the reader has asked for the ATR; raises TimeoutError."""
        if not self._noticed.wait(timeout):
            raise TimeoutError("no reader noticed the card")

    def wait_until_read(self, timeout: float = 10.0) -> None:
        """Wait until the card has answered a command; raises TimeoutError."""
        if not self._answered.wait(timeout):
            raise TimeoutError("nobody read the card")

    def _live(self) -> None:
        with self._connection:
            while (body := self._hear()) is not None:
                if len(body) == 1:
                    self._control(body)
                    continue
                self.asked.append(body)
                answer = self._answer(body)
                if answer is None:
                    break
                self._tell(answer)
                self._answered.set()
        self.gone.set()

    def _control(self, body: bytes) -> None:
        """What the reader does to the card: power off (0) or reset (2), or a question for its ATR (4)."""
        if body == b"\x04":
            self._tell(self._atr)
            self._noticed.set()
        elif body in (b"\x00", b"\x02") and (power_off := getattr(self._answer, "power_off", None)):
            power_off()

    def _hear(self) -> bytes | None:
        head = self._take(2)
        return None if head is None else self._take(int.from_bytes(head, "big"))

    def _take(self, length: int) -> bytes | None:
        data = b""
        while len(data) < length:
            if self._connection.family != socket.AF_UNIX:
                # vpcd sends length and body apart: without this, each waits for a delayed acknowledgement.
                self._connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
            try:
                more = self._connection.recv(length - len(data))
            except OSError:
                return None
            if not more:
                return None
            data += more
        return data

    def _tell(self, body: bytes) -> None:
        try:
            self._connection.sendall(len(body).to_bytes(2, "big") + body)
        except OSError:
            self._hang_up()

    def _hang_up(self) -> None:
        try:
            self._connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            return  # the reader hung up first


def _connect(address: Address, timeout: float = 10.0) -> socket.socket:
    """Connect to a reader, waiting for it to be there."""
    deadline = time.monotonic() + timeout
    while True:
        connection = socket.socket(socket.AF_UNIX if isinstance(address, str) else socket.AF_INET)
        try:
            connection.connect(address)
        except (ConnectionRefusedError, FileNotFoundError):
            connection.close()
            if time.monotonic() > deadline:
                raise TimeoutError(f"no virtual reader listens at {address}") from None
            time.sleep(0.005)
        else:
            return connection
