"""Networks of their own for tests: namespaces with nothing in them but what a test puts there; brokers at addresses."""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import paho.mqtt.client as paho
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from paho.mqtt.enums import CallbackAPIVersion

from appliance.link import envelope, topics
from appliance.link.broker import find_program
from appliance.link.envelope import DirectorNotice
from appliance.orphan import die_with_parent
from tests.link.harness import wait_for

VENUE = "brno"
_numbers = itertools.count(1)


class Island:
    """A host with a network of its own: a loopback, and the cables that `cable` lays."""

    def __init__(self) -> None:
        self.cables: list[str] = []
        self._holder = subprocess.Popen(
            ["unshare", "-n", "sh", "-c", "ip link set lo up && echo up && exec sleep infinity"],
            stdout=subprocess.PIPE, preexec_fn=die_with_parent(),
        )  # fmt: skip
        assert self._holder.stdout is not None
        assert self._holder.stdout.readline() == b"up\n"

    def command(self, *words: str) -> list[str]:
        """What runs a program on this host."""
        return ["nsenter", "-t", str(self._holder.pid), "-n", *words]

    @property
    def network(self) -> str:
        """The file by which a thread of another host enters this one's network."""
        return f"/proc/{self._holder.pid}/ns/net"

    def ip(self, *words: str) -> None:
        subprocess.run(self.command("ip", *words), check=True)

    def cable(self, other: Island, here: str, there: str) -> None:
        """A cable between two hosts, with an address at each end."""
        near, far = (f"ts{os.getpid() % 100_000}-{next(_numbers)}" for _ in range(2))
        far_end = ["peer", "name", far, "netns", str(other._holder.pid)]
        self.ip("link", "add", near, "type", "veth", *far_end)
        for host, name, address in ((self, near, here), (other, far, there)):
            host.ip("addr", "add", f"{address}/24", "dev", name)
            host.cables.append(name)
            host.plug(True)

    def switch(self, *hosts: Island) -> list[str]:
        """Be a switch that connects these hosts; returns their addresses."""
        self.ip("link", "add", "switch", "type", "bridge")
        self.ip("link", "set", "switch", "up")
        addresses = [f"10.78.0.{number}" for number, _ in enumerate(hosts, 1)]
        for number, (host, address) in enumerate(zip(hosts, addresses, strict=True), 1):
            self.cable(host, f"10.79.{number}.1", address)
            self.ip("addr", "flush", "dev", self.cables[-1])
            self.ip("link", "set", self.cables[-1], "master", "switch")
        return addresses

    def plug(self, up: bool) -> None:
        """Pull this end of its cables, or put it back."""
        for name in self.cables:
            self.ip("link", "set", name, "up" if up else "down")

    def close(self) -> None:
        self._holder.kill()
        self._holder.wait()
        assert self._holder.stdout is not None
        self._holder.stdout.close()


class Mosquitto:
    """A broker at an address of the loopback; may be frozen as a machine that hangs is."""

    def __init__(self, folder: Path, host: str, port: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.host, self.port, self._file = host, port, folder / "mosquitto.conf"
        user = "user root\n" if os.geteuid() == 0 else ""
        self._file.write_text(f"listener {port} {host}\nallow_anonymous true\npersistence false\n{user}")
        self.start()

    def start(self) -> None:
        program = find_program("mosquitto")
        self.process = subprocess.Popen(
            [str(program), "-c", str(self._file)], stderr=subprocess.DEVNULL, preexec_fn=die_with_parent()
        )
        wait_for(self._answers, "the broker listens")

    def _answers(self) -> bool:
        try:
            paho_client().connect(self.host, self.port)
        except OSError:
            return False
        return True

    def freeze(self) -> None:
        self.process.send_signal(signal.SIGSTOP)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def retain(self, payload: bytes, venue: str = VENUE) -> None:
        """Keep this as the notice of a venue's director."""
        client = paho_client()
        client.connect(self.host, self.port)
        client.loop_start()
        client.publish(topics.director(venue), payload, qos=1, retain=True).wait_for_publish(20)
        client.disconnect()
        client.loop_stop()

    def show(self, notice: DirectorNotice) -> None:
        self.retain(envelope.encode(notice), notice.venue)


def paho_client() -> paho.Client:
    return paho.Client(CallbackAPIVersion.VERSION2)


@contextmanager
def brokers(folder: Path) -> Iterator[Any]:
    """Makes brokers, and ends them."""
    made: list[Mosquitto] = []

    def make(host: str, port: int) -> Mosquitto:
        made.append(Mosquitto(folder / f"broker-{len(made)}", host, port))
        return made[-1]

    try:
        yield make
    finally:
        for one in made:
            one.kill()


def key_of(name: str) -> Ed25519PrivateKey:
    """A device's key, the same at each call."""
    return Ed25519PrivateKey.from_private_bytes(name.encode().ljust(32, b"."))


def public_of(name: str) -> str:
    return key_of(name).public_key().public_bytes_raw().hex()


def device_file(folder: Path, name: str = "k1", venue: str = VENUE, **lan: object) -> Path:
    """A device's configuration with these settings for the network; ``d1`` and ``d2`` belong to the venue as well."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "device.toml").write_text(
        f'[venue]\nid = "{venue}"\n[device]\nname = "{name}"\nrole = "door"\ndata = "{folder}/data"\n'
        f"[devices]\n{name} = {json.dumps(public_of(name))}\n"
        + "".join(f'{each} = "{public_of(each)}"\n' for each in ("d1", "d2") if each != name)
        + "[lan]\n"
        + "".join(f"{setting} = {json.dumps(value)}\n" for setting, value in lan.items())
    )
    return folder / "device.toml"


def find(*words: str | Path) -> list[str]:
    """The command that looks for directors."""
    return [sys.executable, "-m", "appliance", "find", *map(str, words)]


def run(command: Sequence[str]) -> tuple[int, list[dict[str, Any]], str]:
    """A command's exit code, the JSON lines that it printed, and what it complained of."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr
