"""What starts the director's program on a kiosk's Pi, and keeps it up."""

import json
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from appliance.config import Device, Lan, load
from appliance.direction import Direction
from appliance.fencing import Fenced, put_fence
from appliance.link.envelope import DirectorNotice
from appliance.takeover import Directorate, end_directors
from appliance.timebase import Anchor
from appliance.workplace import Workplace

AT = 1_800_000_000_000
RECORDS = (
    "import sys, json, pathlib; f = pathlib.Path({file!r}); "
    "f.write_text((f.read_text() if f.exists() else '') + json.dumps(sys.argv[1:]) + chr(10))"
)


@pytest.fixture
def place(tmp_path):
    """A kiosk's workplace whose director is started by a command that notes how it was asked."""
    site, device = tmp_path / "site.toml", tmp_path / "device.toml"
    script = RECORDS.format(file=str(tmp_path / "started"))
    site.write_text(f'[venue]\nid = "brno"\n[lan]\ndirector = {json.dumps([sys.executable, "-c", script])}\n')
    device.write_text(f'[device]\nname = "door"\nrole = "door"\ndata = "{tmp_path}/door"\n')
    return Workplace(load(site, device), (site, device))


def started(place, times=1):
    """The arguments of each start so far."""
    file, deadline = place.data.parent / "started", time.monotonic() + 20
    while time.monotonic() < deadline:
        lines = file.read_text().splitlines() if file.exists() else []
        if len(lines) >= times:
            return [json.loads(line) for line in lines]
        time.sleep(0.02)
    raise AssertionError(f"not started {times} times")


def again_at_once(directorate):
    directorate._again_at.clear()
    directorate._children.clear()


def test_the_director_is_the_kiosks_device_in_a_folder_of_its_own(place):
    Directorate(place, lambda: AT).take_over("000001")
    [arguments] = started(place)
    files = arguments[1 : arguments.index("--copy")]
    assert arguments[0] == "director"
    assert arguments[len(files) + 1 :] == ["--copy", str(place.data / "journal"), "--take-over", "000001"]
    config = load(*map(Path, files))
    assert (config.device.name, config.device.role) == ("door", "director")
    assert config.data == place.data / "director"
    assert Workplace(config).public == place.public


def test_the_directors_clock_goes_on_from_the_kiosks(place):
    Directorate(place, lambda: AT).take_over("000001")
    anchor = msgspec.json.decode((place.data / "director" / "anchor.json").read_bytes(), type=Anchor)
    assert (anchor.utc_ms, anchor.rate) == (AT, 1)


def test_once_it_has_taken_over_it_is_started_again_as_it_was_also_after_a_reboot(place):
    first = Directorate(place, lambda: AT)
    first.take_over("000001")
    assert first.look() == "starting"
    started(place)
    first.serves()
    rebooted = Directorate(place, lambda: AT)
    assert rebooted.directs and rebooted.due is not None
    assert rebooted.look() == "directs"
    assert "--take-over" not in started(place, 2)[1]


def test_one_that_runs_is_not_started_twice(place):
    first = Directorate(place, lambda: AT)
    first.take_over("000001")
    started(place)
    folder = Workplace(msgspec.structs.replace(place.config, device=Device(data=str(place.data / "director"))))
    with folder.claimed():
        again_at_once(first)
        assert first.look() == "starting"
    again_at_once(first)
    first.look()
    assert len(started(place, 2)) == 2


def test_one_that_was_followed_is_not_started_again_until_somebody_has_it_take_over_anew(place):
    directorate = Directorate(place, lambda: AT)
    directorate.take_over("000001")
    started(place)
    put_fence(place.data / "director", Fenced("2-00000000000000aa", "table-2"))
    again_at_once(directorate)
    assert directorate.look() == "fenced"
    assert directorate.fence == Fenced("2-00000000000000aa", "table-2")
    directorate.forget()
    assert not directorate.directs and directorate.due is None and directorate.look() == "none"
    assert not Directorate(place, lambda: AT).directs
    directorate.take_over("000002")
    assert directorate.fence is None and directorate.directs
    assert len(started(place, 2)) == 2


def test_a_takeover_that_takes_too_long_is_said_to_have_failed_once(place, monkeypatch):
    monkeypatch.setattr("appliance.takeover.PATIENCE_S", 0.0)
    directorate = Directorate(place, lambda: AT)
    directorate.take_over("000001")
    assert [directorate.look(), directorate.look()] == ["failed", "starting"]


def test_a_takeover_that_a_power_cut_ended_is_not_begun_again_hours_later(place, monkeypatch):
    """Who stood there has had another device take over meanwhile: that one would be followed out of the blue."""
    Directorate(place, lambda: AT).take_over("000001")
    started(place)
    assert Directorate(place, lambda: AT).directs, "the kiosk's program alone was started again"
    monkeypatch.setattr("appliance.takeover.boot_id", lambda: "another boot")
    rebooted = Directorate(place, lambda: AT)
    assert not rebooted.directs and rebooted.look() == "none"
    assert not (place.data / "directing.json").exists()
    rebooted.take_over("000002")
    assert started(place, 2)[1][-1] == "000002"


def test_a_takeover_that_failed_is_over_once_somebody_else_directs(place, monkeypatch):
    directorate = Directorate(place, lambda: AT)
    directorate.take_over("000001")
    started(place)
    assert not directorate.another_serves() and directorate.directs, "it is about to follow that one"
    monkeypatch.setattr("appliance.takeover.PATIENCE_S", 0.0)
    directorate = Directorate(place, lambda: AT)
    assert directorate.look() == "failed"
    assert directorate.another_serves()
    assert not directorate.directs and directorate.due is None and not (place.data / "directing.json").exists()


def test_a_kiosk_that_hears_another_director_forgets_the_takeover_that_failed(place, monkeypatch):
    monkeypatch.setattr("appliance.takeover.PATIENCE_S", 0.0)
    told = []
    direction = Direction(place, lambda: AT, lambda **shown: None, lambda: None, tuple, dict)
    direction.take_over("000001", told.append)
    started(place)
    direction._own._look_at = 0.0
    direction.tick()
    assert [refusal.code for refusal in told] == ["takeover-failed"] and not direction.possible
    other = DirectorNotice("table-2", "5-00000000000000aa", "", "brno")
    direction.told(msgspec.structs.replace(other, gathering=True))
    assert not direction.possible, "that one may not come about either"
    direction.told(other)
    assert direction.possible and direction.due is None


def test_the_program_of_a_takeover_that_failed_is_ended_whoever_started_it(place, monkeypatch):
    monkeypatch.setattr("appliance.takeover.PATIENCE_S", 0.0)
    directorate = Directorate(place, lambda: AT)
    directorate.take_over("000001")
    started(place)
    code = "import fcntl, os, sys, time; f = open(sys.argv[1], 'w'); fcntl.flock(f, fcntl.LOCK_EX); " \
        "f.write(str(os.getpid())); f.flush(); print(flush=True); time.sleep(60)"  # fmt: skip
    command = [sys.executable, "-c", code, str(place.data / "director" / "lock")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as program:
        program.stdout.readline()
        assert directorate.look() == "failed" and directorate.another_serves()
        assert program.wait(10) != 0


def test_who_has_taken_over_goes_on_whoever_else_says_that_it_serves(place, monkeypatch):
    monkeypatch.setattr("appliance.takeover.PATIENCE_S", 0.0)
    directorate = Directorate(place, lambda: AT)
    directorate.take_over("000001")
    directorate.serves()
    assert not directorate.another_serves() and directorate.directs
    assert Directorate(place, lambda: AT).directs


def test_a_kiosk_whose_configuration_is_on_no_file_cannot_start_one(place):
    assert Directorate(place, lambda: AT).possible
    assert not Directorate(Workplace(place.config), lambda: AT).possible


def test_where_the_league_is_known_the_uplink_is_started_beside_it(place):
    config = msgspec.structs.replace(
        place.config, league=msgspec.structs.replace(place.config.league, public_key="a" * 64), lan=Lan()
    )
    here = Workplace(config, place.files)
    directorate, asked = Directorate(here, lambda: AT), []
    directorate._start = lambda name, folder, arguments, command=(): asked.append((name, arguments))
    directorate.take_over("000001")
    directorate.serves()
    directorate._runs = lambda name: name == "director"
    assert directorate.look() == "directs"
    name, arguments = asked[-1]
    assert name == arguments[0] == "uplink"
    assert arguments[-2:] == ["--journal", str(place.data / "director" / "journal")]
    assert load(*map(Path, arguments[1:-2])).data == place.data / "uplink"


def test_who_ends_a_house_can_end_what_its_kiosks_have_started(place):
    folder = place.data / "director"
    Directorate(place, lambda: AT).take_over("000001")
    program = (
        "import sys, time; from appliance.config import load; from appliance.workplace import Workplace\n"
        "from pathlib import Path\n"
        "with Workplace(load(Path(sys.argv[1]))).claimed():\n    print('there', flush=True)\n    time.sleep(60)"
    )
    (folder / "alone.toml").write_text(f'[device]\ndata = "{folder}"\n')
    command = [sys.executable, "-c", program, str(folder / "alone.toml")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as running:
        assert running.stdout.readline() == b"there\n"
        end_directors(place.data.parent)
        assert running.wait(20) == -15
    end_directors(place.data.parent)
