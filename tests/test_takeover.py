"""What starts the director's program on a kiosk's Pi, and keeps it up."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance import certificates, kinds
from appliance.beginning import beginning
from appliance.config import Broker, Config, Device, Lan, League, dump, load
from appliance.direction import Direction
from appliance.engine import Engine
from appliance.fencing import Fenced, fence_of, forget_former, put_fence
from appliance.gathering import SIMPLY, WHY, Taking, open_epochs
from appliance.heartbeat import Heartbeat
from appliance.lastoffset import LastOffset
from appliance.record import Epoch
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
    wish = arguments[arguments.index("--wish") + 1]
    assert arguments[len(files) + 1 :] == [
        "--copy", str(place.data / "journal"), "--wish", wish, "--take-over", "000001",
    ]  # fmt: skip
    config = load(*map(Path, files))
    assert (config.device.name, config.device.role) == ("door", "director")
    assert config.data == place.data / "director"
    assert Workplace(config).public == place.public


def test_the_directors_clock_goes_on_from_the_kiosks(place):
    Directorate(place, lambda: AT).take_over("000001")
    anchor = msgspec.json.decode((place.data / "director" / "anchor.json").read_bytes(), type=Anchor)
    assert (anchor.utc_ms, anchor.rate) == (AT, 1)


def test_each_wish_is_one_takeover_however_often_it_is_started(place):
    def wish(number):
        return (arguments := started(place, number)[number - 1])[arguments.index("--wish") + 1]

    directorate = Directorate(place, lambda: AT)
    directorate.take_over("000001")
    first = wish(1)
    again_at_once(directorate)
    directorate.look()
    assert wish(2) == first
    directorate.take_over("000001")
    assert wish(3) != first


def test_a_kiosk_that_was_off_hands_on_how_far_it_knows_the_evening(place, monkeypatch):
    """The director's clocks are to stand there: its own wall clock may say anything (DESIGN §5)."""
    folder = place.data / "director"
    LastOffset(place.data).keep(0, AT)
    Directorate(place, lambda: AT).take_over("000001")
    assert Heartbeat(folder).cut() is None and not (folder / "heartbeat.json").exists()
    monkeypatch.setattr("appliance.lastoffset.boot_id", lambda: "another boot")
    Directorate(place, lambda: AT + 5000).take_over("000001")
    assert Heartbeat(folder).cut() == AT + 5000
    LastOffset(place.data).keep(0, AT)
    Directorate(place, lambda: AT).take_over("000001")
    assert Heartbeat(folder).cut() is None


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


@pytest.mark.parametrize("noted", [b'{"epoch":"2-00000000000000aa","device":"table-2"}', b"{"])
def test_one_that_was_followed_stays_so_when_its_takeover_by_hand_ends_before_its_first_word(place, monkeypatch, noted):
    """It opened nothing: started again it would direct in the epoch that another one follows."""
    monkeypatch.setattr("appliance.beginning._seen", lambda place, has_copy: None)
    place.data.mkdir(exist_ok=True)
    (place.data / "fenced.json").write_bytes(noted)
    with place.journal() as journal:
        engine = Engine(journal, kinds.KINDS, lambda: AT)
        engine.own_epoch("venue/brno", "start")
        followed = fence_of(place.data)
        for _ in range(2):
            began = beginning(place, engine, Taking("000001"))
            assert began.gathers and began.above == (2 if followed.epoch else 0)
            assert beginning(place, engine, SIMPLY).deposed == followed
        above = Epoch.parse(began.epoch).n - 1
        open_epochs(journal, "brno", kinds.Takeover(by="000001", device="door", why=WHY), AT, above)
        engine.catch_up("venue/brno")
        forget_former(place.data)
        assert beginning(place, engine, SIMPLY).deposed is None


def test_a_takeover_that_takes_too_long_is_said_to_have_failed_once(place, monkeypatch):
    monkeypatch.setattr("appliance.takeover.PATIENCE_S", 0.0)
    directorate = Directorate(place, lambda: AT)
    directorate.take_over("000001")
    assert [directorate.look(), directorate.look()] == ["failed", "none"]
    assert not directorate.directs and not (place.data / "directing.json").exists()
    assert not Directorate(place, lambda: AT).directs, "nor is it after this program was started again"


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


def test_a_takeover_under_way_is_not_over_by_another_directors_word(place):
    directorate = Directorate(place, lambda: AT)
    directorate.take_over("000001")
    started(place)
    assert directorate.look() == "starting" and directorate.directs, "it is about to follow that one"


def test_what_was_said_to_have_failed_can_be_asked_for_again_and_does_not_come_about_by_itself(place, monkeypatch):
    """Hours later it would take the venue from whoever directs then, and nobody would have asked for it."""
    monkeypatch.setattr("appliance.takeover.PATIENCE_S", 0.0)
    told = []
    direction = Direction(place, lambda: AT, lambda **shown: None, lambda: None, tuple, dict)
    direction.take_over("000001", told.append)
    started(place)
    assert not direction.possible
    direction._own._look_at = 0.0
    direction.tick()
    assert [refusal.code for refusal in told] == ["takeover-failed"]
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
        assert directorate.look() == "failed"
        assert program.wait(10) != 0


def test_who_has_taken_over_is_tried_again_for_as_long_as_it_takes(place, monkeypatch):
    monkeypatch.setattr("appliance.takeover.PATIENCE_S", 0.0)
    directorate = Directorate(place, lambda: AT)
    directorate.take_over("000001")
    directorate.serves()
    assert directorate.look() == "directs" and Directorate(place, lambda: AT).directs


@pytest.mark.parametrize(
    ("hosts", "why"),
    [
        (["192.0.2.7", "192.0.2.8"], "not-in-hosts"),
        (["192.0.2.7", "127.0.0.1"], ""),
        (["192.0.2.7", "a-name-of-this-device.test"], ""),
    ],
)
def test_a_device_that_no_other_would_look_for_does_not_offer_to_take_over(place, hosts, why):
    """Names are not looked up here: that would take as long as a network that is down likes."""
    here = Workplace(replaced(place.config, lan=Lan(find="hosts", hosts=tuple(hosts))), place.files)
    assert direction_of(here).hindrance == why


def test_a_device_that_is_out_does_not_offer_to_take_over(place):
    assert direction_of(place).hindrance == ""
    assert direction_of(place, revoked=lambda: True).hindrance == "device-revoked"
    warned = direction_of(place, shut_out=lambda: "table-3")
    assert (warned.hindrance, warned.shut_out_by) == ("", "table-3")


def direction_of(place, **more):
    return Direction(place, lambda: AT, lambda **shown: None, lambda: None, tuple, dict, **more)


def replaced(config, **more):
    return msgspec.structs.replace(config, **more)


def authorities(place, own):
    """Certificates of this device: the league's, or its own."""
    key = Ed25519PrivateKey.generate()
    authority = certificates.Authority(key, certificates.make_authority(key, "Liga"))
    given = certificates.issue(authority, "brno", "door", place.key.public_key())
    made = certificates.self_signed(place.key, "brno", "door") if own else given
    (place.data / "device.crt").write_bytes(certificates.pem(made))
    os.utime(place.data / "device.crt", ns=(own, own))


AT_LEAGUE = Broker(host="liga.test", port=8883, tls=True)


@pytest.mark.parametrize(
    ("broker", "lacks"),
    [
        (AT_LEAGUE, True),
        (Broker(), True),
        (Broker(host="liga.test"), False),
        (replaced(AT_LEAGUE, username="brno"), False),
        (replaced(AT_LEAGUE, certificate="/etc/my.crt", key="/etc/my.key"), False),
    ],
)
def test_a_device_knows_whether_it_could_carry_the_venues_uplink(place, broker, lacks):
    """Whether it knows where the league is, and has something to show there."""
    (place.files[0]).write_text('[venue]\nid = "brno"\n' + league_part(broker))
    here = Workplace(load(*place.files), place.files)
    assert direction_of(here).cut_off is lacks


def test_a_certificate_of_the_leagues_is_what_an_uplink_needs_and_one_of_the_devices_own_is_not(place):
    place.files[0].write_text('[venue]\nid = "brno"\n' + league_part(AT_LEAGUE))
    here = direction_of(Workplace(load(*place.files), place.files))
    assert here.cut_off
    authorities(place, own=True)
    assert here.cut_off
    authorities(place, own=False)
    assert not here.cut_off, "it was enrolled meanwhile"


def test_what_the_uplink_is_told_in_a_file_of_its_own_counts_and_without_a_league_nothing_is_lacking(place):
    assert not direction_of(place).cut_off
    place.files[0].write_text('[venue]\nid = "brno"\n' + league_part(AT_LEAGUE))
    here = direction_of(Workplace(load(*place.files), place.files))
    assert here.cut_off
    (place.data / "uplink.toml").write_text('[league.broker]\nusername = "brno"\n')
    assert not here.cut_off


def league_part(broker):
    config = Config(league=League(broker=broker, public_key="c" * 64))
    return dump(config, changed_only=True).replace("\n\n", "\n")


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
