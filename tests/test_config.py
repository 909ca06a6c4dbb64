"""Configuration: one typed scheme; what is wrong is named with file, place and reason."""

import tomllib

import pytest

from appliance import certificates
from appliance.cli import main
from appliance.config import Config, ConfigError, Venue, dump, load
from appliance.identity import load_or_make
from appliance.link import broker
from appliance.soundness import complaints


def written(path, text):
    path.write_text(text)
    return path


def test_a_device_file_lies_over_the_site_file(tmp_path):
    site = written(tmp_path / "site.toml", '[venue]\nid = "zabreh"\nlanguage = "cs"\n[device]\nname = "x"\n')
    device = written(tmp_path / "device.toml", '[device]\nname = "table-1"\n[screen]\nlanguage = "en"\n')
    config = load(site, device)
    assert (config.venue.id, config.device.name, config.language) == ("zabreh", "table-1", "en")
    assert load().broker.port == 1883


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('[venue]\nid = "Zábřeh"', "venue.id"),
        ("[broker]\nport = 99999", "broker.port"),
        ('[broker]\nport = "1883"', "broker.port"),
        ("[brokre]\nport = 1883", "brokre"),
        ('[devices]\ntable-1 = "abc"', "devices"),
        ("[venue\n", "line 1"),
    ],
)
def test_a_bad_setting_is_named(tmp_path, text, named):
    file = written(tmp_path / "site.toml", text)
    with pytest.raises(ConfigError) as caught:
        load(file)
    assert str(file) in str(caught.value) and named in str(caught.value)


def test_a_missing_file_and_bad_utf8_are_named(tmp_path):
    (tmp_path / "bad.toml").write_bytes(b'[venue]\nname = "\xff"')
    for file in (tmp_path / "none.toml", tmp_path / "bad.toml"):
        with pytest.raises(ConfigError, match=file.name):
            load(file)


def test_the_dump_is_what_was_loaded_without_passwords(tmp_path):
    text = (
        '[venue]\nid = "brno"\nname = "U Žáby"\n[broker]\npassword = "secret"\n[devices]\ntable-1 = "'
        + "a" * 64
        + '"\n'
    )
    config = load(written(tmp_path / "site.toml", text))
    shown = dump(config, changed_only=True)
    assert "secret" not in dump(config) and "secret" not in shown
    assert tomllib.loads(shown)["venue"] == {"id": "brno", "name": "U Žáby"}
    assert tomllib.loads(shown)["devices"] == {"table-1": "a" * 64}
    assert load(written(tmp_path / "again.toml", dump(Config()))) == Config()


def test_the_dump_of_a_name_with_a_delete_character_is_toml(tmp_path):
    config = load(written(tmp_path / "site.toml", '[venue]\nid = "brno"\nname = "U\\u007FŽáby"\n'))
    assert config.venue.name == "U\x7fŽáby"
    assert load(written(tmp_path / "again.toml", dump(config))) == config


def test_a_single_reader_table_still_reads_and_is_one_reader(tmp_path):
    config = load(written(tmp_path / "d.toml", '[reader]\ndriver = "simulated"\nsocket = "/run/r"\n'))
    assert [(r.name, r.driver, r.socket) for r in config.readers_here] == [("reader", "simulated", "/run/r")]
    assert load(written(tmp_path / "e.toml", '[reader]\ndriver = "none"\n')).readers_here == ()


def test_several_readers_have_names_of_their_own(tmp_path):
    text = """
[[reader]]
name = "door"
usb = "072f:2200"
[[reader]]
driver = "nfc"
port = "/dev/ttyUSB0"
"""
    config = load(written(tmp_path / "d.toml", text))
    assert [(r.name, r.driver) for r in config.readers_here] == [("door", "pcsc"), ("reader-2", "nfc")]
    assert load(written(tmp_path / "again.toml", dump(config))) == config
    changed = dump(config, changed_only=True)
    assert "baud" not in changed and load(written(tmp_path / "changed.toml", changed)) == config


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('[[reader]]\nname = "a"\n[[reader]]\nname = "a"\nmatch = "x"\n', "two readers are named 'a'"),
        ("[[reader]]\n[[reader]]\n", "are the same reader"),
        ('[reader]\ndriver = "nfc"\n', "needs port or usb"),
        ("[[reader]]\n[[reader]]\nmatch = 5\n", "reader-2.match"),
        ('[reader]\ndriver = "serial"\nport = "/dev/serial0"\n[pins]\nred = 14\n', "GPIO 14 is both pins.red and"),
        ("[pins]\nred = 17\ngreen = 17\n", "GPIO 17 is both pins.red and pins.green"),
        ('[printer]\ndriver = "serial"\nport = "/dev/ttyAMA0"\n[pins]\nbuzzer = 15\n', "pins.buzzer and the printer"),
        (
            '[reader]\ndriver = "nfc"\nport = "/dev/ttyUSB0"\n[printer]\ndriver = "serial"\nport = "/dev/ttyUSB0"\n',
            "both on /dev/ttyUSB0",
        ),
    ],
)
def test_what_wants_the_same_thing_is_named(tmp_path, text, named):
    with pytest.raises(ConfigError) as caught:
        load(written(tmp_path / "site.toml", text))
    assert named in str(caught.value)


def test_a_device_file_may_part_the_readers_of_the_site(tmp_path):
    site = written(tmp_path / "site.toml", '[reader]\ndriver = "pcsc"\n')
    device = written(tmp_path / "device.toml", '[[reader]]\nmatch = "a"\n[[reader]]\nmatch = "b"\n')
    assert [r.match for r in load(site, device).readers_here] == ["a", "b"]


def test_files_of_cards_lie_in_the_data_folder_unless_named(tmp_path):
    config = load(written(tmp_path / "d.toml", '[device]\ndata = "/d"\n'))
    assert (str(config.card_keys), str(config.card_counters)) == ("/d/card-keys.json", "/d/counters.db")
    config = load(written(tmp_path / "d.toml", '[cards]\nkeys = "/run/k"\ncounters = "/c"\n'))
    assert (str(config.card_keys), str(config.card_counters)) == ("/run/k", "/c")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[devices]\ntable-1 = "abc"', "devices.table-1: 'abc': expected a public key"),
        (f'[devices]\nT_1 = "{"a" * 64}"', "devices: the name 'T_1': expected 1 to 32 lower-case"),
        ("[devices]\ntable-1 = 5", "devices.table-1: 5: expected text"),
        ('[reader]\nname = "levá"', "reader.name: 'levá': expected up to 32 lower-case"),
        ('[reader]\nusb = "072F:2200"', "reader.usb: '072F:2200': expected vendor and product in lower-case hex"),
        ('[pins]\nquiet_from = "25:00"', "pins.quiet_from: '25:00': expected a time of day"),
        (
            '[device]\nrole = "dor"',
            "device.role: 'dor': expected 'clock' or 'director' or 'door' or 'spare' or 'table'",
        ),
        ('[reader]\ndriver = "usb"', "'nfc' or 'none' or 'pcsc'"),
        ("[broker]\nport = 99999", "broker.port: 99999: expected at most 65535"),
        ("[screen]\ntouch = 1", "screen.touch: 1: expected true or false"),
        ("[broker]\nhots = 1", "broker: there is no setting `hots`"),
        ("[reader]\nbaud = 9600\n[[reader]]\n", "as [name] and as [[name]]"),
        ("[[reader]]\nbaud = 9600\n[reader]\n", "as [name] and as [[name]]"),
        ('[device]\ndata = ""', "device: data: the folder"),
    ],
)
def test_a_reason_is_given_in_words_with_what_was_typed_and_what_may_be(tmp_path, text, said):
    file = written(tmp_path / "site.toml", text)
    with pytest.raises(ConfigError) as caught:
        load(file)
    assert str(caught.value).startswith(f"{file}: ") and said in str(caught.value)
    assert "^" not in str(caught.value) and "regex" not in str(caught.value)


def test_a_password_of_the_wrong_kind_is_not_repeated(tmp_path):
    with pytest.raises(ConfigError, match=r"broker\.password: expected text") as caught:
        load(written(tmp_path / "site.toml", "[broker]\npassword = 482915"))
    assert "482915" not in str(caught.value)


SOUND = f"""
[devices]
director = "{"a" * 64}"
door = "{"b" * 64}"
"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[printer]\ndriver = "file"', "printer.port: driver file needs it"),
        ('[printer]\ndriver = "serial"', "printer.port: driver serial needs it"),
        ('[printer]\ndriver = "usb"', "printer.usb: driver usb needs it"),
        ('[printer]\ndriver = "file"\nport = "/dev/lp"\nprofile = "nope"', "printer.profile: there is no printer"),
        ('[printer]\ndriver = "file"\nport = "/dev/lp"\nusb = "1a86:7523"', "printer.usb: driver file does not look"),
        ('[broker]\ntls = true\nca = "/nope.pem"', "broker.ca: /nope.pem: No such file"),
        ('[league.broker]\ntls = true\nca = "/nope.pem"', "league.broker.ca: /nope.pem: No such file"),
        ('[broker]\nca = "/nope.pem"', "broker.ca: nobody looks at it without broker.tls"),
        ('[reader]\ndriver = "simulated"', "reader.socket: a simulated reader without a socket"),
        ('[reader]\nport = "/dev/ttyUSB0"', "reader.port: driver pcsc does not look at it"),
        ('[[reader]]\n[[reader]]\ndriver="nfc"\nport="/x"\nmatch="ACR"', "reader-2.match: driver nfc does not look"),
        (
            '[reader]\ndriver = "serial"\nusb = "1a86:7523"\n[printer]\ndriver = "usb"\nusb = "1a86:7523"',
            "printer.usb: the reader 'reader' and the printer are both 1a86:7523",
        ),
        (
            '[[reader]]\nusb = "1a86:7523"\n[[reader]]\ndriver = "nfc"\nusb = "1a86:7523"',
            "reader.usb: the reader 'reader-1' and the reader 'reader-2' are both 1a86:7523",
        ),
        ("[pins]\nencoder_push = 17", "pins.encoder_push: a knob needs"),
        ('[pins]\nquiet_from = "22:00"\nquiet_to = "22:00"', "pins.quiet_to: quiet hours from 22:00 to 22:00"),
        ('[screen]\nshots = "/nowhere/shots"', "screen.shots: /nowhere/shots: no such folder"),
        ('[venue]\nname = "U\\u0000"', "venue.name: U+0000 is a control character"),
        ('[venue]\nname = "\\u200b"', "venue.name: nothing of it can be seen"),
    ],
)
def test_the_check_refuses_what_cannot_work_and_names_its_file(tmp_path, capsys, text, said):
    site = written(tmp_path / "site.toml", SOUND)
    device = written(tmp_path / "door.toml", f'[device]\nname = "door"\nrole = "door"\ndata = "{tmp_path}"\n')
    assert main(["config", "check", str(site), str(device)]) == 0
    device.write_text(device.read_text() + text)
    assert main(["config", "check", str(site), str(device)]) == 2
    assert f"tableside config: {device}: {said}" in capsys.readouterr().err


def test_a_clock_on_the_wall_is_sound_without_a_reader_whatever_the_site_has_for_others(tmp_path, capsys):
    reader = '[reader]\ndriver = "nfc"\nport = "/dev/ttyUSB0"\nmatch = "ACR"\n'
    site = written(tmp_path / "site.toml", reader + SOUND)
    device = written(tmp_path / "wall.toml", f'[device]\nname = "door"\nrole = "clock"\ndata = "{tmp_path}"\n')
    assert main(["config", "check", str(site), str(device)]) == 0, capsys.readouterr().err
    assert load(site, device).readers_here == ()


def test_the_check_names_the_file_of_an_unknown_device_and_of_a_director_nobody_knows(tmp_path, capsys):
    site = written(tmp_path / "site.toml", 'director = "dirctor"\n' + SOUND)
    device = written(tmp_path / "dor.toml", f'[device]\nname = "dor"\ndata = "{tmp_path}"\n')
    assert main(["config", "check", str(site), str(device)]) == 2
    said = capsys.readouterr().err
    assert f"{site}: director: 'dirctor' is not in [devices]" in said
    assert f"{device}: device.name: 'dor' is not in [devices]" in said


def test_the_check_compares_the_key_that_lies_here_with_the_one_the_others_know(tmp_path, capsys):
    device = written(tmp_path / "door.toml", SOUND + f'[device]\nname = "door"\ndata = "{tmp_path}"\n')
    assert main(["key", str(tmp_path / "device.key")]) == 0
    public = capsys.readouterr().out.strip()
    assert main(["config", "check", str(device)]) == 2
    assert f"{device}: devices.door: bbbbbbbb… is not the key of {tmp_path}/device.key" in capsys.readouterr().err
    device.write_text(device.read_text().replace("b" * 64, public))
    assert main(["config", "check", str(device)]) == 0
    device.write_text(device.read_text().replace("a" * 64, public))
    assert main(["config", "check", str(device)]) == 2
    assert "devices.door: the same key as director" in capsys.readouterr().err


@pytest.mark.parametrize("half", ['quiet_from = "22:00"', 'quiet_to = "06:00"'])
def test_half_of_the_sound_s_quiet_hours_is_refused(tmp_path, half):
    file = tmp_path / "device.toml"
    file.write_text(f"[sound]\nvolume = 10\n{half}\n")
    with pytest.raises(ConfigError, match=r"quiet hours need both sound\.quiet_from and sound\.quiet_to"):
        load(file)


def test_quiet_hours_that_are_all_day_or_never_are_no_sound_setting(tmp_path):
    file = tmp_path / "device.toml"
    file.write_text('[sound]\nvolume = 10\nquiet_from = "22:00"\nquiet_to = "22:00"\n')
    assert [complaint.place for complaint in complaints(load(file))] == ["sound.quiet_to"]


def test_a_name_that_nobody_sees_is_not_what_people_call_the_place():
    assert Venue(id="brno", name="\u200b").called == Venue(id="brno").called == "brno"
    assert Venue(id="brno", name="U Lva").called == "U Lva"


def found(tmp_path, **device):
    """Complaints of a device that finds its director, about that."""
    file = tmp_path / "d.toml"
    lan = "\n".join(f"{name} = {value}" for name, value in device.items())
    file.write_text(
        f'[venue]\nid = "brno"\n[device]\nname = "door"\nrole = "door"\ndata = "{tmp_path}"\n'
        f'[lan]\nfind = "zeroconf"\n{lan}\n[reader]\ndriver = "none"\n'
    )
    return {complaint.place: complaint.why for complaint in complaints(load(file)) if complaint.place[:4] == "lan."}


def test_a_device_that_finds_its_director_is_told_what_it_lacks_for_that(tmp_path, monkeypatch):
    key = load_or_make(tmp_path / "device.key")
    assert found(tmp_path) == {}, "not enrolled yet: it signs for itself"
    (tmp_path / "device.crt").write_bytes(certificates.pem(certificates.self_signed(key, "brno", "door")))
    assert found(tmp_path) == {}
    (tmp_path / "device.crt").write_bytes(certificates.pem(certificates.self_signed(key, "brno", "table-1")))
    assert "brno.table-1" in found(tmp_path)["lan.secure"]
    assert found(tmp_path, secure="false") == {}
    (tmp_path / "device.crt").unlink()
    assert "8883" in found(tmp_path, newcomers=8883)["lan.newcomers"]
    monkeypatch.setattr(broker, "find_program", lambda kind: None)
    assert "install mosquitto" in found(tmp_path)["lan.find"]
