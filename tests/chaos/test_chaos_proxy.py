"""The proxy of the chaos evening: bytes arrive as they were, cut and stalled connections are those asked for."""

from __future__ import annotations

import os
import queue
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from appliance.link.broker import start_broker
from appliance.link.client import Client, Connected, Disconnected, Endpoint, Inbox, Message
from chaos.mqtt import Weather
from chaos.proxy import Proxy, Route


@pytest.fixture
def proxy() -> Iterator[Proxy]:
    made = Proxy(1)
    made.start()
    yield made
    made.stop()


def through(proxy: Proxy, name: str, to: tuple[str, int]) -> tuple[str, int]:
    listener = socket.create_server(("127.0.0.1", 0))
    proxy.add(Route(name, listener, socket.socket, to))
    host, port = listener.getsockname()
    return host, port


@pytest.fixture
def echo() -> Iterator[tuple[str, int]]:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            try:
                while True:
                    threading.Thread(target=back, args=(listener.accept()[0],), daemon=True).start()
            except OSError:
                return

        def back(connection: socket.socket) -> None:
            with connection:
                try:
                    while data := connection.recv(65536):
                        connection.sendall(data)
                except OSError:
                    return

        threading.Thread(target=serve, daemon=True).start()
        yield listener.getsockname()
        listener.shutdown(socket.SHUT_RDWR)


def read(connection: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size and (more := connection.recv(65536)):
        data += more
    return data


@pytest.mark.parametrize("weather", [Weather(), Weather(delay=0.01, jitter=0.02)])
def test_bytes_that_are_no_mqtt_arrive_as_they_were(proxy: Proxy, echo: tuple[str, int], weather: Weather) -> None:
    where = through(proxy, "a", echo)
    proxy.set_weather("a", weather)
    sent = b"\x16" + os.urandom(300_000)
    with socket.create_connection(where, 10) as connection:
        threading.Thread(target=connection.sendall, args=(sent,), daemon=True).start()
        assert read(connection, len(sent)) == sent


def test_a_cut_is_heard_at_once_and_a_stalled_way_is_silent(proxy: Proxy, echo: tuple[str, int]) -> None:
    where = through(proxy, "a", echo)
    with socket.create_connection(where, 10) as connection:
        connection.sendall(b"\x16one")
        assert read(connection, 4) == b"\x16one"
        proxy.set_weather("a", Weather(down=False))
        connection.sendall(b"two")
        connection.settimeout(0.3)
        with pytest.raises(TimeoutError):
            connection.recv(1)
        proxy.set_weather("a", Weather())
        connection.settimeout(10)
        assert read(connection, 3) == b"two"
        proxy.cut("a")
        with pytest.raises(ConnectionResetError):
            connection.recv(1)


def test_a_broker_that_is_not_there_ends_the_connection(proxy: Proxy) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        where = through(proxy, "a", nobody.getsockname())
        with socket.create_connection(where, 10) as connection:
            assert connection.recv(1) == b""


def until(inbox: Inbox, seen: Callable[[], bool], take: Callable[[object], None]) -> None:
    deadline = time.monotonic() + 30
    while not seen():
        assert time.monotonic() < deadline
        try:
            take(inbox.get(timeout=0.2))
        except queue.Empty:
            continue


def test_in_a_storm_everything_of_qos_1_arrives_and_nobody_is_thrown_out(proxy: Proxy, tmp_path: Path) -> None:
    with start_broker("mosquitto", tmp_path) as broker:
        host, port = through(proxy, "a", (broker.endpoint.host, broker.endpoint.port))
        inbox: Inbox = queue.SimpleQueue()
        client = Client(Endpoint(host, port), "one", inbox, subscriptions=[("t/#", 1)])
        client.start()
        until(inbox, lambda: client.connected, lambda event: None)
        proxy.set_weather("a", Weather(jitter=0.005, lose=0.3, double=0.4, late=0.4, late_s=0.05, hold_acks_s=0.05))
        wanted, got, gone = {f"{n}".encode() for n in range(100)}, [], []
        for body in sorted(wanted):
            client.publish("t/x", body)
            client.publish("t/y", b"unsure", qos=0)

        def take(event: object) -> None:
            match event:
                case Message(payload=payload):
                    got.append(payload)
                case Connected() | Disconnected():
                    gone.append(event)

        until(inbox, lambda: wanted <= set(got), take)
        client.stop()
        assert not [event for event in gone if isinstance(event, Disconnected)]
        assert len([body for body in got if body in wanted]) > len(wanted)
        assert proxy.counts["lost"] and proxy.counts["doubled"] and proxy.counts["late"]
