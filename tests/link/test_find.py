"""`tableside find` sees the directors of its venue, at hosts that are named or wherever multicast DNS reaches."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from appliance.config import dump, load
from appliance.finding import Certified
from appliance.game.fleet import DeviceKnown
from appliance.game.roster import encode_roster_event
from appliance.journal import Draft
from appliance.link import announce, envelope, topics
from appliance.link.client import Endpoint
from appliance.link.envelope import DirectorNotice
from appliance.link.notices import signed_notice
from appliance.link.probe import Prober, look
from appliance.link.sighting import Sighting
from appliance.members import Members
from appliance.orphan import die_with_parent
from appliance.workplace import Workplace
from tests.link.harness import wait_for
from tests.link.island import VENUE, Island, Mosquitto, brokers, device_file, find, key_of, public_of, run
from tests.link.society import Society, free_port, inside, meet, peers, serving

HOSTS = ("127.0.0.1", "127.0.0.2", "127.0.0.3")


def notice(
    device: str = "d1", n: int = 3, *, by: str = "", venue: str = VENUE, gathering: bool = False
) -> DirectorNotice:
    """A director's notice, signed by ``by`` (itself)."""
    return signed_notice(venue, device, f"{n}-00c0ffee00c0ffee", key_of(by or device), gathering=gathering)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Callable[..., Mosquitto]]:
    with brokers(tmp_path) as make:
        yield make


@pytest.fixture
def port() -> int:
    return free_port()


@contextmanager
def watching(*words: str | Path, host: Island | None = None) -> Iterator[Callable[[], dict[str, Any]]]:
    """A search that goes on inside; what is given reads its next line."""
    command = find("--watch", *words)
    with subprocess.Popen(
        host.command(*command) if host else command, stdout=subprocess.PIPE, preexec_fn=die_with_parent()
    ) as child:
        assert child.stdout is not None
        lines = child.stdout

        def next_line() -> dict[str, Any]:
            line: dict[str, Any] = json.loads(lines.readline())
            return line

        try:
            assert next_line() == {"looking": True}
            yield next_line
        finally:
            child.kill()


# -- at hosts that are named -----------------------------------------------------------------------------


def test_a_director_is_found_at_one_of_the_hosts(tmp_path: Path, broker: Callable[..., Mosquitto], port: int) -> None:
    broker("127.0.0.2", port).show(notice())
    code, seen, _ = run(find(device_file(tmp_path, find="hosts", hosts=HOSTS, port=port, secure=False)))
    assert code == 0
    [one] = seen
    assert (one["host"], one["port"], one["notice"]["epoch"]) == ("127.0.0.2", port, "3-00c0ffee00c0ffee")


def test_only_genuine_ones_of_this_venue_are_told_unless_all_are_asked_for(
    tmp_path: Path, broker: Callable[..., Mosquitto], port: int
) -> None:
    first, second, third = (broker(host, port) for host in HOSTS)
    first.show(notice("d1", 9, by="somebody"))
    second.show(notice("stranger", 8))
    third.show(notice("d2", 3))
    for one in (first, second, third):
        one.show(notice(venue="praha", n=11))
    file = device_file(tmp_path, find="hosts", hosts=HOSTS, port=port, secure=False)
    code, seen, _ = run(find(file))
    assert (code, [one["notice"]["device"] for one in seen]) == (0, ["d2"])
    code, seen, _ = run(find("--all", file))
    assert (code, {one["notice"]["device"] for one in seen}) == (0, {"d1", "stranger", "d2"})


@pytest.mark.parametrize("retained", [b"", b"garbage", b"{}", b"[" * 5000, b"\x00" * 300_000])
def test_nobody_is_told_of_where_there_is_no_notice(
    tmp_path: Path, broker: Callable[..., Mosquitto], port: int, retained: bytes
) -> None:
    broker("127.0.0.1", port).retain(retained)
    file = device_file(tmp_path, find="hosts", hosts=HOSTS, port=port, secure=False)
    code, seen, said = run(find("--all", "--seconds", "1", file))
    assert (code, seen) == (1, [])
    assert said == "tableside find: no director of brno was seen in 1 s\n"


def test_a_host_that_hangs_keeps_nobody_from_being_found(
    tmp_path: Path, broker: Callable[..., Mosquitto], port: int
) -> None:
    broker("127.0.0.1", port).freeze()
    broker("127.0.0.3", port).show(notice())
    file = device_file(tmp_path, find="hosts", hosts=HOSTS, port=port, secure=False)
    code, seen, _ = run(find("--seconds", "20", file))
    assert (code, [one["host"] for one in seen]) == (0, ["127.0.0.3"])


def test_who_comes_later_is_seen_by_who_goes_on_looking(
    tmp_path: Path, broker: Callable[..., Mosquitto], port: int
) -> None:
    file = device_file(tmp_path, find="hosts", hosts=HOSTS, port=port, secure=False)
    with watching(file) as next_line:
        broker("127.0.0.2", port).show(notice("d2", 4))
        assert next_line()["notice"]["device"] == "d2"
        broker("127.0.0.1", port).show(notice("d1", 5))
        assert next_line()["notice"]["device"] == "d1"


def test_a_fixed_broker_is_looked_at_alone(tmp_path: Path, broker: Callable[..., Mosquitto], port: int) -> None:
    broker("127.0.0.1", port).show(notice())
    file = device_file(tmp_path)
    file.write_text(f"{file.read_text()}[broker]\nport = {port}\n")
    code, seen, _ = run(find(file))
    assert (code, [(one["host"], one["port"]) for one in seen]) == (0, [("127.0.0.1", port)])


def test_who_belongs_by_the_leagues_word_is_genuine(
    tmp_path: Path, broker: Callable[..., Mosquitto], port: int
) -> None:
    broker("127.0.0.1", port).show(notice("spare"))
    file = device_file(tmp_path, find="hosts", hosts=HOSTS, port=port, secure=False)
    assert run(find("--seconds", "1", file))[0] == 1
    league_tells(Workplace(load(file)), DeviceKnown(device="spare", key=public_of("spare"), role="door"))
    code, seen, _ = run(find(file))
    assert (code, [one["notice"]["device"] for one in seen]) == (0, ["spare"])


def league_tells(place: Workplace, known: DeviceKnown) -> None:
    """A device's copy of the league's stream names another device from now on."""
    with place.journal() as journal, journal.begin() as transaction:
        epoch = transaction.open_epoch(f"league/{VENUE}", "season", 1).epoch
        name, data = encode_roster_event(known)
        transaction.append(f"league/{VENUE}", epoch, [Draft(name, msgspec.Raw(data))], 1)
        transaction.commit()


@pytest.mark.parametrize("words", [("--seconds", "0"), ("--seconds", "soon"), ("--every", "nan"), ("nothing.toml",)])
def test_what_cannot_be_done_is_refused(words: tuple[str, ...]) -> None:
    code, seen, said = run(find(*words))
    assert (code, seen) == (2, []) and len(said.splitlines()) == 1


# -- among devices that show certificates -----------------------------------------------------------------


@pytest.fixture
def society(tmp_path: Path) -> Society:
    return Society(tmp_path / "society")


def written(place: Workplace, names: list[Workplace]) -> Path:
    """A device's configuration as a file, with those that belong to its venue."""
    config = msgspec.structs.replace(place.config, devices={one.config.device.name: one.public for one in names})
    file = place.data / "device.toml"
    file.write_text(dump(config, changed_only=True))
    return file


def test_devices_with_certificates_find_their_director(society: Society) -> None:
    director, table = society.place("director"), society.place("table-1")
    meet(director, table)
    with serving(director), peers() as peer:
        one = peer(inside(director), "director-brno").connected()
        shown = signed_notice(VENUE, "director", "3-00c0ffee00c0ffee", director.key)
        one.client.publish(topics.director(VENUE), envelope.encode(shown), retain=True)
        code, seen, _ = run(find(written(table, [director, table])))
    assert (code, [line["host"] for line in seen]) == (0, ["127.0.0.1"])


def test_who_looks_for_hours_learns_whom_the_league_has_let_in_since(society: Society) -> None:
    spare, table = society.place("spare"), society.place("table-1")
    meet(spare, table)
    table.members = Members()
    with serving(spare), peers() as peer:
        one = peer(inside(spare), "director-brno").connected()
        shown = signed_notice(VENUE, "spare", "3-00c0ffee00c0ffee", spare.key)
        one.client.publish(topics.director(VENUE), envelope.encode(shown), retain=True)
        assert peer(inside(spare), "ear", [topics.director(VENUE)]).hears(topics.director(VENUE))
        certified = Certified(table)
        assert look(certified.endpoint("127.0.0.1"), VENUE) is None
        league_tells(table, DeviceKnown(device="spare", key=spare.public, role="door"))
        certified._renew_at = 0
        assert look(certified.endpoint("127.0.0.1"), VENUE) == shown


def test_a_host_that_showed_the_own_notice_is_left_alone(broker: Callable[..., Mosquitto], port: int) -> None:
    """A look with the certificate that the kiosk beside it shows would throw that out, again and again."""
    broker("127.0.0.1", port).show(notice("d1"))
    seen: list[Sighting] = []
    prober = Prober([lambda: Endpoint("127.0.0.1", port)], VENUE, seen.append, every_s=0.05, but="d1")
    prober.ask()
    prober._threads[0].join(20)
    assert not prober._threads[0].is_alive() and seen == []


# -- by multicast DNS -------------------------------------------------------------------------------------

ANNOUNCES = """
import sys, msgspec
from appliance.link.announce import Announcer
from appliance.link.envelope import DirectorNotice
announcer = Announcer(int(sys.argv[1]), look_s=0.1)
announcer.start()
for line in sys.stdin.buffer:
    announcer.announce(msgspec.json.decode(line, type=DirectorNotice))
announcer.stop()
"""


class Speaker:
    """A director that announces itself on a host, until it is told to be quiet."""

    def __init__(self, host: Island, port: int = 8883) -> None:
        command = host.command(sys.executable, "-c", ANNOUNCES, str(port))
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, preexec_fn=die_with_parent())

    def say(self, notice: DirectorNotice) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(msgspec.json.encode(notice) + b"\n")
        self._process.stdin.flush()

    def be_quiet(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        assert self._process.wait(30) == 0

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


@pytest.fixture
def island() -> Iterator[Island]:
    one = Island()
    yield one
    one.close()


@pytest.fixture
def speaker(island: Island) -> Iterator[Callable[..., Speaker]]:
    made: list[Speaker] = []

    def make(host: Island = island, port: int = 8883) -> Speaker:
        made.append(Speaker(host, port))
        return made[-1]

    yield make
    for one in made:
        one.kill()


def test_a_director_that_announces_itself_is_found(
    tmp_path: Path, island: Island, speaker: Callable[..., Speaker]
) -> None:
    speaker(port=1884).say(notice("d1", 3))
    speaker(port=1885).say(notice("d2", 9, by="somebody"))
    speaker(port=1886).say(notice("d2", 12, venue="praha"))
    file = device_file(tmp_path, find="zeroconf")
    code, seen, said = run(island.command(*find("--seconds", "20", file)))
    assert code == 0, said
    assert [(one["host"], one["port"], one["notice"]["device"]) for one in seen] == [("127.0.0.1", 1884, "d1")]


def test_nobody_announces_himself(tmp_path: Path, island: Island) -> None:
    code, seen, _ = run(island.command(*find("--seconds", "1", device_file(tmp_path, find="zeroconf"))))
    assert (code, seen) == (1, [])


def test_a_notice_that_changes_is_announced_anew(
    tmp_path: Path, island: Island, speaker: Callable[..., Speaker]
) -> None:
    director = speaker()
    with watching(device_file(tmp_path, find="zeroconf"), host=island) as next_line:
        for shown in (notice(n=3, gathering=True), notice(n=3), notice(n=4)):
            director.say(shown)
            wait_for(lambda shown=shown: next_line()["notice"] == msgspec.to_builtins(shown))


def test_who_has_withdrawn_is_not_found(tmp_path: Path, island: Island, speaker: Callable[..., Speaker]) -> None:
    director, file = speaker(), device_file(tmp_path, find="zeroconf")
    director.say(notice())
    assert run(island.command(*find("--seconds", "20", file)))[0] == 0
    director.be_quiet()
    assert run(island.command(*find("--seconds", "1", file)))[0] == 1


def test_each_address_of_another_host_is_told_the_near_one_first(
    tmp_path: Path, island: Island, speaker: Callable[..., Speaker]
) -> None:
    other = Island()
    try:
        island.cable(other, "10.77.0.1", "10.77.0.2")
        other.ip("addr", "add", "10.11.0.2/24", "dev", "lo")
        director = speaker(other)
        director.say(notice())
        file = device_file(tmp_path, find="zeroconf")
        with watching(file, host=island) as next_line:
            assert [next_line()["host"] for _ in range(2)] == ["10.77.0.2", "10.11.0.2"]
            # what the cable brings later is announced then
            other.ip("addr", "add", "10.77.0.3/24", "dev", "lo")
            wait_for(lambda: next_line()["host"] == "10.77.0.3")
    finally:
        other.close()


class Trouble:
    """A network whose first registration goes wrong."""

    def __init__(self) -> None:
        self.opened: list[Trouble.Line] = []

    class Line:
        def __init__(self, fails: bool) -> None:
            self.fails, self.shown, self.closed = fails, 0, False

        def register_service(self, info: object, cooperating_responders: bool) -> None:
            if self.fails:
                raise TimeoutError
            self.shown += 1

        def close(self) -> None:
            self.closed = True

    def __call__(self, interfaces: object) -> Trouble.Line:
        self.opened.append(self.Line(fails=not self.opened))
        return self.opened[-1]


def test_an_announcement_that_goes_wrong_is_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    network = Trouble()
    monkeypatch.setattr(announce, "open_line", network)
    announcer = announce.Announcer(8883, look_s=0.01)
    announcer.start()
    announcer.announce(notice())
    wait_for(lambda: len(network.opened) == 2 and network.opened[1].shown == 1)
    announcer.stop()
    assert [line.closed for line in network.opened] == [True, True]
