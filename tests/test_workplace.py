"""A device's folder, and the small commands around it."""

import os
import subprocess
import sys

import msgspec
import pytest

from appliance import certificates
from appliance.config import Broker, Config, Device, Lan, League
from appliance.hw.simulated import SimulatedReader
from appliance.identity import load_or_make
from appliance.soundness import wrong
from appliance.workplace import FolderTaken, Workplace, endpoint

KEY = "a" * 64


def place(folder, **more):
    return Workplace(msgspec.structs.replace(Config(), device=Device(data=str(folder)), **more))


def tableside(*arguments):
    command = [sys.executable, "-m", "appliance", *map(str, arguments)]
    env = {**os.environ, "SDL_VIDEODRIVER": "dummy"}  # a refused kiosk stays on a desktop's screen for a minute
    return subprocess.run(command, capture_output=True, text=True, env=env)


def test_a_folder_has_one_program(tmp_path):
    with place(tmp_path).claimed(), pytest.raises(FolderTaken, match=str(tmp_path)), place(tmp_path).claimed():
        pass
    with place(tmp_path).claimed():
        pass


def test_a_second_director_on_one_folder_is_refused_and_says_why(tmp_path):
    (tmp_path / "d.toml").write_text(f'[device]\nname = "director"\nrole = "director"\ndata = "{tmp_path}"\n')
    with place(tmp_path).claimed():
        done = tableside("director", tmp_path / "d.toml")
    assert done.returncode == 2 and done.stderr.endswith("is in use by another program of this device\n")
    assert "Traceback" not in done.stderr


def _folder(path):
    path.mkdir()


@pytest.mark.parametrize("program", ["director", "kiosk"])
@pytest.mark.parametrize("made", [_folder, os.mkfifo, lambda path: path.symlink_to(path)])
def test_a_lock_that_is_no_file_is_named_without_a_traceback(tmp_path, program, made):
    role = "director" if program == "director" else "door"
    (tmp_path / "d.toml").write_text(f'[device]\nname = "d"\nrole = "{role}"\ndata = "{tmp_path / "data"}"\n')
    (tmp_path / "data").mkdir()
    made(tmp_path / "data" / "lock")
    done = tableside(program, tmp_path / "d.toml")
    assert done.returncode in (1, 2) and f"{tmp_path / 'data' / 'lock'}: " in done.stderr
    assert "Traceback" not in done.stderr


def test_a_pipe_in_place_of_a_note_of_ours_is_not_waited_for(tmp_path):
    for name in ("anchor.json", "heartbeat.json", "offset.json", "time-trusted", "fenced.json", "adopting.json"):
        os.mkfifo(tmp_path / name)
    script = """
import sys
from pathlib import Path
from appliance import fencing, newcomersite, timebase
from appliance.heartbeat import Heartbeat
from appliance.timetrust import TimeTrust
folder = Path(sys.argv[1])
print(Heartbeat(folder).last())
print(newcomersite.kept_pending(folder), fencing.fence_of(folder) is not None)
print(timebase.was_off(folder / "anchor.json"))
TimeTrust(folder, None)
"""
    command = [sys.executable, "-c", script, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.stdout.split()[:3] == ["None", "None", "True"], done.stderr


@pytest.mark.parametrize("program", ["director", "kiosk"])
def test_certificates_that_cannot_be_read_are_named_without_a_traceback(tmp_path, program):
    (tmp_path / "bad.pem").write_text("no certificate")
    for ca in ("none.pem", "bad.pem"):
        (tmp_path / "d.toml").write_text(
            f'[device]\nname = "d"\nrole = "{"director" if program == "director" else "door"}"\n'
            f'data = "{tmp_path / "data"}"\n[screen]\nheadless = true\n[reader]\ndriver = "none"\n'
            f'[broker]\ntls = true\nca = "{tmp_path / ca}"\n'
        )
        done = tableside(program, tmp_path / "d.toml")
        assert done.returncode == 2 and "Traceback" not in done.stderr, done.stderr
        assert f"broker.ca: {tmp_path / ca}: " in done.stderr


def test_a_kiosk_on_the_directors_folder_says_only_that(tmp_path):
    (tmp_path / "d.toml").write_text(
        f'[device]\nname = "d"\nrole = "door"\ndata = "{tmp_path}"\n[screen]\nheadless = true\n'
        '[reader]\ndriver = "none"\n'
    )
    with place(tmp_path).claimed():
        done = tableside("kiosk", tmp_path / "d.toml")
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1] == f"tableside kiosk: {tmp_path} is in use by another program of this device"


@pytest.mark.parametrize(("program", "role"), [("director", "table"), ("kiosk", "director")])
def test_a_configuration_of_another_role_is_refused(tmp_path, program, role):
    (tmp_path / "d.toml").write_text(f'[device]\nrole = "{role}"\ndata = "{tmp_path / "data"}"\n')
    done = tableside(program, tmp_path / "d.toml")
    assert done.returncode == 2 and "device.role" in done.stderr and len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "data").exists()


def test_a_kiosk_without_its_device_file_says_so_and_makes_nothing(tmp_path):
    (tmp_path / "site.toml").write_text('[venue]\nid = "brno"\n[screen]\nheadless = true\n')
    done = tableside("kiosk", tmp_path / "site.toml")
    assert done.returncode == 2 and "no [device]" in done.stderr and len(done.stderr.splitlines()) == 1


def test_only_the_right_writer_is_believed(tmp_path):
    here = place(
        tmp_path, devices={"director": KEY, "table-1": "b" * 64, "uplink": "d" * 64}, league=League(public_key="c" * 64)
    )
    assert here.keyring("league/brno", "anybody") == bytes.fromhex("c" * 64)
    assert here.keyring("round/R1", "director") == here.keyring("venue/brno", "director") == bytes.fromhex(KEY)
    assert here.keyring("round/R1", "table-1") == bytes.fromhex("b" * 64), "any kiosk may take over"
    assert here.keyring("round/R1", "uplink") is None and here.keyring("round/R1", "stranger") is None
    assert here.keyring("table/brno-1", "table-1") == bytes.fromhex("b" * 64)
    assert here.keyring("table/brno-1", "director") is None and here.keyring("table/brno-1", "stranger") is None
    assert place(tmp_path).keyring("league/brno", "league") is None


def test_a_broker_may_be_spoken_to_in_secret(tmp_path):
    assert endpoint(Broker()).tls is None
    assert endpoint(Broker(tls=True)).tls is not None
    with pytest.raises(OSError):
        endpoint(Broker(tls=True, ca=str(tmp_path / "none.pem")))


def test_an_enrolled_device_shows_its_certificate_unless_another_is_named(tmp_path):
    key = load_or_make(tmp_path / "device.key")
    made = certificates.pem(certificates.self_signed(key, "brno", "uplink"))
    secure = Broker(tls=True)
    assert endpoint(secure, "league.broker", tmp_path).tls is not None, "not enrolled yet: passwords"
    (tmp_path / "device.crt").write_bytes(made)
    (tmp_path / "league-ca.crt").write_bytes(made)
    before = endpoint(secure, "league.broker").tls
    told = endpoint(secure, "league.broker", tmp_path).tls
    assert told.cert_store_stats()["x509"] == before.cert_store_stats()["x509"] + 1, "beside the system's authorities"
    assert endpoint(Broker(), "league.broker", tmp_path).tls is None
    other = tmp_path / "other"
    other.mkdir()
    load_or_make(other / "device.key")
    (other / "device.crt").write_bytes(made)
    with pytest.raises(OSError, match="not the certificate of this device's key"):
        endpoint(secure, "league.broker", other)
    for name, said in ((tmp_path / "none.crt", "No such file"), (tmp_path / "device.key", "no certificates in PEM")):
        named = Broker(tls=True, certificate=str(name), key=str(tmp_path / "device.key"))
        with pytest.raises(OSError, match=rf"league\.broker\.certificate: {name}: {said}"):
            endpoint(named, "league.broker", tmp_path)
    with pytest.raises(ValueError, match="belong together"):
        Broker(certificate="x.crt")


def places(**settings):
    return [each.place for each in wrong(msgspec.structs.replace(Config(), **settings))]


def test_devices_that_do_not_know_each_other_are_named(tmp_path):
    known, here = {"director": KEY, "device": "b" * 64}, Device(data=str(tmp_path))
    assert places(devices=known) == []
    for settings, named in (
        ({"devices": {"device": KEY}}, ["director"]),
        ({"devices": {"director": KEY}, "device": here}, ["device.name"]),
        ({"devices": known, "device": Device(role="director")}, ["device.role"]),
    ):
        assert places(**settings) == named


@pytest.mark.parametrize("file", ["device.crt", "adopted.toml"])
def test_a_device_that_was_enrolled_or_adopted_needs_no_line_of_its_own_but_its_director_s(tmp_path, file):
    table = Device(name="table-3", role="table", table=3, data=str(tmp_path))
    assert places(devices={"director": KEY}, device=table) == ["device.name"]
    (tmp_path / file).touch()
    assert places(devices={"director": KEY}, device=table) == []
    assert places(devices={}, device=table) == ["director"], "it would find nobody"


def test_a_wall_clock_needs_a_line_only_where_it_has_to_show_a_certificate(tmp_path):
    clock = Device(name="wall", role="clock", data=str(tmp_path))
    assert places(devices={"director": KEY}, device=clock) == []
    assert "device.name" in places(devices={"director": KEY}, device=clock, lan=Lan(find="zeroconf"))


def test_the_documented_configuration_of_an_uplink_is_sound():
    uplink = Device(name="uplink", role="director")
    assert places(devices={"director": KEY, "table-1": "b" * 64}, device=uplink) == []
    assert places(devices={"table-1": "b" * 64}, device=uplink) == ["director"]


def test_a_key_that_no_keyboard_has_is_refused_with_those_there_are(tmp_path):
    reader = SimulatedReader(socket=tmp_path / "reader")
    reader.start(lambda event: None)
    try:
        for name in (("f",), ("[5]",), ("return",), ("keypad", "foo"), ("foo",)):
            done = tableside("tap", tmp_path / "reader", "key", *name)
            assert (done.returncode == 2) is (name[-1] == "foo"), name
        assert "backspace" in done.stderr and "foo" in done.stderr and len(done.stderr.splitlines()) == 1
    finally:
        reader.stop()


def test_a_simulated_reader_is_driven_from_the_command_line(tmp_path):
    heard = []
    reader = SimulatedReader(socket=tmp_path / "reader")
    reader.start(heard.append)
    try:
        assert tableside("tap", tmp_path / "reader", "tap", "04A1B2C3").stdout == "ok\n"
        assert tableside("tap", tmp_path / "reader", "fly").returncode == 1
    finally:
        reader.stop()
    assert [event.uid for event in heard if hasattr(event, "uid")] == ["04A1B2C3"]
    gone = tableside("tap", tmp_path / "reader", "state")
    assert gone.returncode == 2 and len(gone.stderr.splitlines()) == 1


def test_the_version_is_told():
    assert tableside("--version").stdout == "tableside 0.1.0\n"
