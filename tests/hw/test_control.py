"""The command socket: bounded, one answer a line, whatever is thrown at it."""

from __future__ import annotations

import socket
import stat
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from appliance.hw.control import MAX_LINE, LineServer, ask


def shout(line: str) -> str:
    if line == "bad":
        raise ValueError("no")
    return line.upper()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LineServer]:
    server = LineServer(tmp_path / "line.sock", shout)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def peer(server: LineServer) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX) as peer:
        peer.settimeout(10)
        peer.connect(str(server.path))
        yield peer


def lines(peer: socket.socket, count: int) -> list[bytes]:
    data = b""
    while data.count(b"\n") < count:
        more = peer.recv(4096)
        assert more, f"closed after {data!r}"
        data += more
    return data.splitlines()


def test_each_line_is_answered_in_order(peer: socket.socket) -> None:
    peer.sendall(b"one\ntwo\nbad\nthree\n")
    assert lines(peer, 4) == [b"ONE", b"TWO", b"error no", b"THREE"]


def test_line_in_pieces_is_one_line(peer: socket.socket) -> None:
    for piece in (b"o", b"n", b"e\r\nt", b"wo\n"):
        peer.sendall(piece)
        time.sleep(0.01)
    assert lines(peer, 2) == [b"ONE", b"TWO"]


def test_line_of_the_longest_length_is_taken_one_longer_is_not(peer: socket.socket) -> None:
    peer.sendall(b"x" * MAX_LINE + b"\n" + b"y" * (MAX_LINE + 1) + b"\nstill here\n")
    assert lines(peer, 3) == [b"X" * MAX_LINE, b"error line longer than 256 bytes", b"STILL HERE"]


def test_endless_line_costs_one_answer(peer: socket.socket) -> None:
    for _ in range(200):
        peer.sendall(b"z" * 10_000)
    peer.sendall(b"\nstill here\n")
    assert lines(peer, 2) == [b"error line longer than 256 bytes", b"STILL HERE"]


def test_bad_utf_8_is_an_answer(peer: socket.socket) -> None:
    peer.sendall(b"\xff\xfe\nstill here\n")
    assert lines(peer, 2) == [b"error line is not UTF-8", b"STILL HERE"]


def test_peer_that_reads_nothing_does_not_stop_the_others(server: LineServer) -> None:
    with socket.socket(socket.AF_UNIX) as deaf:
        deaf.connect(str(server.path))
        deaf.setblocking(False)
        try:
            while True:
                deaf.send(b"hello\n" * 500)
        except BlockingIOError:
            pass
        assert ask(server.path, "still here", timeout=20) == "STILL HERE"


def test_peers_are_served_side_by_side(server: LineServer) -> None:
    answers: list[str] = []

    def talk(number: int) -> None:
        answers.extend(ask(server.path, f"peer {number}") for _ in range(50))

    threads = [threading.Thread(target=talk, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == sorted(f"PEER {number}" for number in range(4) for _ in range(50))


def test_socket_is_for_its_owner_alone(server: LineServer) -> None:
    assert stat.S_IMODE(server.path.stat().st_mode) == 0o600


def test_socket_left_behind_by_a_killed_process_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "line.sock"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    server = LineServer(path, shout)
    server.start()
    assert ask(path, "here") == "HERE"
    server.stop()
    assert not path.exists()


def test_socket_in_use_is_not_taken_over(server: LineServer) -> None:
    with pytest.raises(OSError, match="in use"):
        LineServer(server.path, shout).start()
    assert ask(server.path, "mine") == "MINE"


def test_file_in_the_way_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "precious"
    path.write_text("data")
    with pytest.raises(OSError, match="in use"):
        LineServer(path, shout).start()
    assert path.read_text() == "data"


def test_asking_a_server_that_dies_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "line.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()

        def hang_up() -> None:
            connection, _ = listener.accept()
            connection.recv(100)
            connection.close()

        thread = threading.Thread(target=hang_up)
        thread.start()
        with pytest.raises(ConnectionResetError, match="without an answer to 'hello'"):
            ask(path, "hello")
        thread.join()


def test_stopped_server_leaves_nothing_open(tmp_path: Path) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(5):
        server = LineServer(tmp_path / "line.sock", shout)
        server.start()
        with socket.socket(socket.AF_UNIX) as peer:
            peer.connect(str(server.path))
            peer.sendall(b"x\n")
            assert lines(peer, 1) == [b"X"]
            server.stop()
            assert peer.recv(10) == b""
    assert len(list(Path("/proc/self/fd").iterdir())) == before


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.binary(max_size=600), max_size=8))
def test_whatever_is_thrown_at_it_each_line_gets_one_answer(server: LineServer, thrown: list[bytes]) -> None:
    with socket.socket(socket.AF_UNIX) as peer:
        peer.settimeout(10)
        peer.connect(str(server.path))
        for piece in thrown:
            peer.sendall(piece)
        peer.sendall(b"\n")
        expected = b"".join(thrown).count(b"\n") + 1
        assert len(answers(peer, expected)) == expected
        peer.sendall(b"still here\n")
        assert answers(peer, 1) == [b"STILL HERE"]


def answers(peer: socket.socket, count: int) -> list[bytes]:
    """Like `lines`, for answers that hold any character but the end of a line."""
    data = b""
    while data.count(b"\n") < count:
        more = peer.recv(65536)
        assert more, f"closed after {data!r}"
        data += more
    return data.split(b"\n")[:-1]
