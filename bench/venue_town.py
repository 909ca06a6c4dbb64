"""A venue for measurements with a network namespace for each of its hosts: the broker's, the director's, the kiosks'.

Unix sockets cross namespaces: readers and glasses are ours to work with. All run on one kernel, so CLOCK_MONOTONIC is
one for all.
"""

from __future__ import annotations

import contextlib
import os
import queue
import selectors
import socket
import subprocess
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from appliance.hw.control import ask as ask_reader
from appliance.link.broker import Broker, find_program
from appliance.link.client import Endpoint
from bench.venue_programs import Venue
from bench.watched_kiosk import Frame
from chaos import nets

TABLES = 10
TRACKED = (1, 2)
"""The tables where every action is keyed in."""

_BROKER = "10.77.0.2"
_BROKER_CONF = """\
listener 1883 {address}
allow_anonymous true
persistence false
set_tcp_nodelay true
message_size_limit 1048576
max_queued_messages 1000
user root
"""
SCREEN = "[screen]\nwidth = 1280\nheight = 720\nfullscreen = false\nheadless = true\n"


def table_kiosk(number: int) -> str:
    """The name of a table's kiosk."""
    return f"table-{number}"


class Glasses:
    """The frames that watched kiosks tell of, by kiosk. Somebody must listen, or their windows would wait for it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._selector = selectors.DefaultSelector()
        self._frames: defaultdict[str, queue.SimpleQueue[bytes]] = defaultdict(queue.SimpleQueue)
        threading.Thread(target=self._listen, name="glasses", daemon=True).start()

    def socket_of(self, kiosk: str) -> Path:
        """Where a kiosk is to tell its frames."""
        file = self._folder / f"{kiosk}.glass"
        heard = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        heard.bind(str(file))
        self._selector.register(heard, selectors.EVENT_READ, kiosk)
        return file

    def wait(self, kiosk: str, *texts: str, seconds: float = 10.0) -> Frame:
        """The first of the frames not yet looked at on which all of these stand. Raises TimeoutError."""
        deadline, frame = time.monotonic() + seconds, Frame(0, 0, ())
        while (left := deadline - time.monotonic()) > 0:
            with contextlib.suppress(queue.Empty):
                frame = msgspec.json.decode(self._frames[kiosk].get(timeout=left), type=Frame)
                shown = [text.replace("\xa0", " ") for text in frame.texts]
                if all(any(text in each for each in shown) for text in texts):
                    return frame
        raise TimeoutError(f"{kiosk} did not show {', '.join(texts)}, but {' | '.join(frame.texts)}")

    def all(self, kiosk: str) -> list[Frame]:
        """The frames not yet looked at."""
        frames = []
        while not self._frames[kiosk].empty():
            frames.append(msgspec.json.decode(self._frames[kiosk].get(), type=Frame))
        return frames

    def _listen(self) -> None:
        while True:
            for key, _ in self._selector.select(0.2):
                assert isinstance(key.fileobj, socket.socket)
                self._frames[key.data].put(key.fileobj.recv(65536))


class Town(Venue):
    """A venue whose devices have a host each."""

    def __init__(self, folder: Path, kiosk: str, players: int, *others: str) -> None:
        self._hosts = {name: nets.Host(name) for name in ("broker", "director", kiosk, *others)}
        self._tables: list[int] = []
        switch = nets.bridge(f"l{os.urandom(1).hex()}")  # with a host's name it must fit into 15 letters
        for place, host in enumerate(self._hosts.values(), 2):
            nets.connect(host, switch, f"10.77.0.{place}")
        self.glasses = Glasses(folder.parent)
        folder.mkdir(parents=True)
        super().__init__(folder, kiosk, players, *others)

    def open_broker(self) -> Broker:
        """mosquitto on a host of its own."""
        program = find_program("mosquitto")
        if program is None:
            raise FileNotFoundError("mosquitto is not installed")
        config, log = self.folder / "mosquitto.conf", self.folder / "mosquitto.log"
        config.write_text(_BROKER_CONF.format(address=_BROKER))
        with log.open("ab") as output:
            process = subprocess.Popen(
                [program, "-c", config], stdout=output, stderr=output, preexec_fn=self._hosts["broker"].inside()
            )
        broker = Broker("mosquitto", 1883, process, log)
        broker.endpoint = Endpoint(_BROKER, 1883)
        return broker

    def host(self, name: str) -> nets.Host:
        """The host of a device."""
        return self._hosts[name]

    def place_of(self, name: str) -> Sequence[str]:
        """Enter the device's namespace, then be the program: the process is the same."""
        return ("nsenter", f"--net=/proc/{os.getpid()}/fd/{self._hosts[name].namespace}")

    @contextlib.contextmanager
    def tables_behind(self) -> Iterator[None]:
        """Meanwhile the tables' kiosks have a processor when nobody else wants it.

        In a venue each host has its own. Here all share a few, and the tables draw whatever the door does at the very
        moment when the answer goes to the door: what is measured would be eleven screens drawn by one machine.
        """
        self._schedule(os.SCHED_IDLE)
        try:
            yield
        finally:
            self._schedule(os.SCHED_OTHER)

    def _schedule(self, policy: int) -> None:
        for pid in self._tables:
            for task in Path(f"/proc/{pid}/task").iterdir():
                with contextlib.suppress(ProcessLookupError):
                    os.sched_setscheduler(int(task.name), policy, os.sched_param(0))

    def start_table(self, number: int) -> None:
        """A table's kiosk with its glass watched and a reader that is ours."""
        name = table_kiosk(number)
        tracking = "actions" if number in TRACKED else "hands"
        more = f'table = {number}\ntracking = "{tracking}"\n'
        more += f'[reader]\ndriver = "simulated"\nsocket = "{self._reader(number)}"\n{SCREEN}'
        by = ("-m", "bench.watched_kiosk", str(self.glasses.socket_of(name)))
        self._tables.append(self.start_kiosk("table", more, by=by, name=name))

    def press(self, number: int, key: str) -> bool:
        """Press a key at a table; whether it was heard."""
        try:
            return ask_reader(self._reader(number), f"key {key}") == "ok"
        except OSError:
            return False

    def listens(self, number: int) -> bool:
        """Whether a table's kiosk takes keys."""
        try:
            return ask_reader(self._reader(number), "state") == "online"
        except OSError:
            return False

    def _reader(self, number: int) -> Path:
        return self.home(table_kiosk(number)) / "reader"


class Pace:
    """How fast a room plays: seconds between two hands of a table, and between two keys where actions are keyed in."""

    def __init__(self, hand_s: float, key_s: float) -> None:
        self.hand_s, self.key_s = hand_s, key_s


REAL = Pace(120.0, 6.0)
"""As in life: a hand takes two minutes, and some of its twenty actions a few seconds each."""
BRISK = Pace(20.0, 1.0)


class Room:
    """The people at ten tables, in a thread of their own; `pace` may be set anew at any time."""

    def __init__(self, town: Town, pace: Pace) -> None:
        self.pace = pace
        self.keys = 0
        self._town = town
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._play, name="room", daemon=True)

    def start(self) -> None:
        """Begin to play."""
        self._thread.start()

    def stop(self) -> None:
        """Go home."""
        self._over.set()
        self._thread.join()

    def _play(self) -> None:
        begun = time.monotonic()
        last = dict.fromkeys(range(1, TABLES + 1), begun)
        for number in last:  # not all at once
            last[number] = begun - self.pace.hand_s * number / TABLES
        turns = dict.fromkeys(TRACKED, 0)
        while not self._over.wait(0.05):
            now = time.monotonic()
            for number in last:
                if number in TRACKED:
                    if now - last[number] >= self.pace.key_s:
                        last[number] = now
                        self._press(number, _HAND[turns[number] % len(_HAND)])
                        turns[number] += 1
                elif now - last[number] >= self.pace.hand_s:
                    last[number] = now
                    self._press(number, "return")

    def _press(self, number: int, key: str) -> None:
        self.keys += self._town.press(number, key)


_HAND = ("return", *["f"] * 9, "return")
"""The hand begins, all fold but one, it ends; a key too many is no harm."""
