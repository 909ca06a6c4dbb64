"""The network between a device and a broker, as bad as it is asked to be: one thread relays all connections.

A route listens on a device's host and goes on to a broker. Its weather may change at any time; connections can be cut
as by a router that forgot them. MQTT is taken apart and put together again (`chaos.mqtt`), anything else only delayed.
"""

from __future__ import annotations

import contextlib
import heapq
import itertools
import os
import random
import selectors
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

from chaos.mqtt import CONNACK, CONNECT, FAIR, NotMqtt, Packets, Weather, pass_on

_CHUNK = 65536
_MOST_WAITING = 4 * 1024 * 1024
_CONNECT_S = 3.0
_RESET = struct.pack("ii", 1, 0)  # SO_LINGER: on, no time: closing says RST


class Route:
    """From one listening address to another; ``connect`` makes a socket where the connection is to start."""

    def __init__(
        self, name: str, listener: socket.socket, connect: Callable[[], socket.socket], to: tuple[str, int]
    ) -> None:
        self.name, self.listener, self.connect, self.to = name, listener, connect, to
        self.weather = FAIR
        self.pairs: set[_Pair] = set()


class _Pipe:
    """One direction of a connection: what was read and not written yet, by when it is due."""

    def __init__(self, pair: _Pair, source: socket.socket, target: socket.socket, up: bool) -> None:
        self.pair, self.source, self.target, self.up = pair, source, target, up
        self.packets: Packets | None = Packets(CONNECT if up else CONNACK)
        self.waiting: list[tuple[float, int, bytes]] = []
        self.out = b""
        self.held = 0
        self.last_due = 0.0
        self.ended = False

    @property
    def open(self) -> bool:
        """Whether anything gets through this way."""
        weather = self.pair.route.weather
        return weather.up if self.up else weather.down


class _Pair:
    """A connection of a device, and ours to the broker."""

    def __init__(self, route: Route, near: socket.socket, far: socket.socket) -> None:
        self.route, self.near, self.far = route, near, far
        self.up, self.down = _Pipe(self, near, far, True), _Pipe(self, far, near, False)
        self.connected = False
        self.give_up_at = time.monotonic() + _CONNECT_S


class Proxy(threading.Thread):
    """All routes of a house. Its methods may be called from any thread."""

    def __init__(self, seed: int) -> None:
        super().__init__(name="proxy", daemon=True)
        self._chance = random.Random(f"proxy {seed}")
        self._routes: list[Route] = []
        self._numbers = itertools.count()
        self._selector = selectors.DefaultSelector()
        self._lock = threading.Lock()
        self._wishes: list[Callable[[], None]] = []
        self._woken, self._wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._selector.register(self._woken, selectors.EVENT_READ)
        self._stopping = False
        self.counts: Counter[str] = Counter()
        """What became of packets and connections."""

    def add(self, route: Route) -> None:
        """Begin to take a route's connections."""
        route.listener.setblocking(False)
        self._routes.append(route)
        self._wish(lambda: self._watch(route.listener, selectors.EVENT_READ, route))

    def set_weather(self, name: str, weather: Weather) -> None:
        """Change what all routes of this name are like."""
        for route in self._named(name):
            self._wish(partial(setattr, route, "weather", weather))

    def cut(self, name: str) -> None:
        """Reset all connections of the routes of this name."""
        for route in self._named(name):
            self._wish(partial(self._cut, route))

    def stop(self) -> None:
        """End; connections end with it."""
        self._stopping = True
        self._wish(lambda: None)
        self.join()

    # -- in the thread -----------------------------------------------------------------------------------

    def run(self) -> None:
        while not self._stopping:
            for key, events in self._selector.select(self._wait()):
                self._event(key.fileobj, key.data, events)
            with self._lock:
                wishes, self._wishes = self._wishes, []
            for wish in wishes:
                wish()
            self._move()
        for route in self._routes:
            route.listener.close()
            for pair in list(route.pairs):
                self._close(pair)

    def _named(self, name: str) -> list[Route]:
        return [route for route in self._routes if route.name == name]

    def _cut(self, route: Route) -> None:
        for pair in list(route.pairs):
            self.counts["cut"] += 1
            self._close(pair, reset=True)

    def _wish(self, act: Callable[[], Any]) -> None:
        with self._lock:
            self._wishes.append(act)
        with contextlib.suppress(BlockingIOError):
            os.write(self._wake, b".")

    def _wait(self) -> float:
        dues = [p.waiting[0][0] for p in self._pipes() if p.waiting and p.open and not p.out]
        dues += [pair.give_up_at for route in self._routes for pair in route.pairs if not pair.connected]
        return max(0.0, min([due - time.monotonic() for due in dues], default=1.0))

    def _pipes(self) -> list[_Pipe]:
        pairs = [pair for route in self._routes for pair in route.pairs if pair.connected]
        return [pipe for pair in pairs for pipe in (pair.up, pair.down)]

    def _event(self, file: Any, data: Any, events: int) -> None:
        if file == self._woken:
            os.read(self._woken, 4096)
        elif isinstance(data, Route):
            self._accept(data)
        elif data not in data.route.pairs:
            pass  # closed a moment ago
        elif not data.connected:
            self._is_connected(data)
        elif events & selectors.EVENT_READ:
            self._read(data.up if file is data.near else data.down)

    def _accept(self, route: Route) -> None:
        near, _ = route.listener.accept()
        far = route.connect()
        for sock in (near, far):
            sock.setblocking(False)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        pair = _Pair(route, near, far)
        route.pairs.add(pair)
        far.connect_ex(route.to)
        self._watch(far, selectors.EVENT_WRITE, pair)

    def _is_connected(self, pair: _Pair) -> None:
        if pair.far.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
            self._close(pair)
            return
        pair.connected = True
        for sock in (pair.near, pair.far):
            self._watch(sock, selectors.EVENT_READ, pair)

    def _read(self, pipe: _Pipe) -> None:
        try:
            data = pipe.source.recv(_CHUNK)
        except BlockingIOError:
            return
        except OSError:
            self._close(pipe.pair, reset=True)
            return
        if not data:
            pipe.ended = True
            self._attend(pipe.pair)
            return
        for extra, piece in self._pieces(pipe, data):
            weather = pipe.pair.route.weather
            due = max(pipe.last_due, time.monotonic() + weather.delay + self._chance.random() * weather.jitter)
            pipe.last_due = due
            heapq.heappush(pipe.waiting, (due + extra, next(self._numbers), piece))
            pipe.held += len(piece)
        self._attend(pipe.pair)

    def _pieces(self, pipe: _Pipe, data: bytes) -> list[tuple[float, bytes]]:
        if pipe.packets is None:
            return [(0.0, data)]
        pieces: list[tuple[float, bytes]] = []
        try:
            for packet in pipe.packets.feed(data):
                become = pass_on(packet, pipe.pair.route.weather, self._chance)
                self.counts["lost" if not become else "doubled" if len(become) > 1 else "passed"] += 1
                self.counts["late"] += any(extra for extra, _ in become)
                pieces += become
        except NotMqtt:
            pieces.append((0.0, pipe.packets.rest))
            pipe.packets = None
        return pieces

    def _move(self) -> None:
        """Write what is due."""
        now = time.monotonic()
        for route in self._routes:
            for pair in [pair for pair in route.pairs if not pair.connected and now >= pair.give_up_at]:
                self._close(pair)
        for pipe in self._pipes():
            while pipe.open and not pipe.out and pipe.waiting and pipe.waiting[0][0] <= now:
                pipe.out = heapq.heappop(pipe.waiting)[2]
                pipe.held -= len(pipe.out)
                self._write(pipe)
            if pipe.out:
                self._write(pipe)
            if pipe.ended and pipe.open and not pipe.out and not pipe.waiting:
                self._close(pipe.pair)

    def _write(self, pipe: _Pipe) -> None:
        if pipe.pair not in pipe.pair.route.pairs:
            pipe.out = b""
            return
        try:
            pipe.out = pipe.out[pipe.target.send(pipe.out) :]
        except BlockingIOError:
            pass
        except OSError:
            pipe.out = b""
            self._close(pipe.pair, reset=True)
            return
        self._attend(pipe.pair)

    def _attend(self, pair: _Pair) -> None:
        """Watch both sides for what can be done there now."""
        for sock, read, write in ((pair.near, pair.up, pair.down), (pair.far, pair.down, pair.up)):
            wants = 0 if read.ended or read.held > _MOST_WAITING else selectors.EVENT_READ
            self._watch(sock, wants | (selectors.EVENT_WRITE if write.out else 0), pair)

    def _watch(self, sock: socket.socket, events: int, data: object) -> None:
        known = sock in self._selector.get_map()
        if not events:
            if known:
                self._selector.unregister(sock)
        elif known:
            self._selector.modify(sock, events, data)
        else:
            self._selector.register(sock, events, data)

    def _close(self, pair: _Pair, *, reset: bool = False) -> None:
        pair.route.pairs.discard(pair)
        for sock in (pair.near, pair.far):
            if sock.fileno() < 0:
                continue
            self._watch(sock, 0, None)
            if reset:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
            sock.close()
