"""The director itself: phones are served beside its rounds, and never at their cost."""

from __future__ import annotations

import os
import queue
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from appliance.apps import phones
from appliance.config import load
from appliance.console import assets
from appliance.console.way import Way
from appliance.link.broker import Broker, find_broker, start_broker
from appliance.orphan import die_with_parent
from appliance.workplace import Workplace
from tests.console.phones import Hand
from tests.link.society import free_port


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    with start_broker(find_broker(), tmp_path / "broker") as broker:
        yield broker


class Director:
    """Its program, with a folder of its own."""

    def __init__(self, folder: Path, broker: Broker, console: str, **env: str) -> None:
        folder.mkdir()
        self.log, site = folder / "log", folder / "site.toml"
        site.write_text(
            f'[venue]\nid = "brno"\n[device]\nname = "director"\nrole = "director"\ndata = "{folder}/data"\n'
            f'[broker]\nhost = "{broker.endpoint.host}"\nport = {broker.endpoint.port}\n[console]\n{console}\n'
        )
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "appliance", "director", str(site)], stdout=log, stderr=log,
                preexec_fn=die_with_parent(), env={**os.environ, **env},
            )  # fmt: skip

    def says(self, text: str) -> str:
        deadline = time.monotonic() + 20
        while text not in (said := self.log.read_text()):
            assert time.monotonic() < deadline and self.process.poll() is None, said
            time.sleep(0.02)
        return said

    def end(self) -> float:
        begun = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(10) == 0, self.log.read_text()
        return time.monotonic() - begun

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture
def begin(tmp_path: Path, broker: Broker) -> Iterator[object]:
    begun: list[Director] = []

    def begin(console: str, **env: str) -> Director:
        begun.append(Director(tmp_path / f"d{len(begun)}", broker, console, **env))
        return begun[-1]

    yield begin
    for each in begun:
        each.kill()


def test_it_serves_phones_beside_its_rounds_and_ends_with_their_connections_open(begin):
    port = free_port()
    director = begin(f"port = {port}")
    director.says("directing brno")
    director.says(f"phones come to port {port}")
    shell = Hand(port).raw("GET", "/")
    assert shell.status == 200 and "console.js" in shell.text
    assert Hand(port).raw("GET", "/view/clock").status == 401
    with socket.create_connection(("127.0.0.1", port)) as idle:
        idle.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert idle.recv(12) == b"HTTP/1.1 200"
        assert director.end() < 2
    assert "Traceback" not in director.log.read_text()


def test_a_port_that_another_program_has_is_told_and_the_rounds_go_on(begin):
    with socket.create_server(("", 0)) as other:
        port = other.getsockname()[1]
        director = begin(f"port = {port}")
        director.says(f"phones cannot come: port {port}: Address already in use")
        director.says("directing brno")
    director.says(f"phones come to port {port}")
    assert director.end() < 2


def test_without_a_port_nothing_of_a_web_server_is_loaded(begin):
    director = begin("port = 0", PYTHONPROFILEIMPORTTIME="1")
    said = director.says("directing brno")
    assert director.end() < 2
    assert "import time" in said and "uvicorn" not in said and "starlette" not in said and "jinja2" not in said


def test_set_up_without_what_pages_load_it_goes_on_without_them(tmp_path, monkeypatch, caplog):
    def missing(*_):
        raise assets.NoAssets("vendor/htmx/htmx.min.js is not there")

    monkeypatch.setattr(assets.Assets, "load", missing)
    site = tmp_path / "site.toml"
    site.write_text(f'[device]\nrole = "director"\ndata = "{tmp_path}/data"\n')
    place = Workplace(load(site))
    assert not phones.serve(place, Way(place.data, place.now_ms), queue.SimpleQueue())
    assert "phones cannot come: vendor/htmx/htmx.min.js is not there" in caplog.text
