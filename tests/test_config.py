"""Configuration: one typed scheme; what is wrong is named with file, place and reason."""

import tomllib

import pytest

from appliance.config import Config, ConfigError, dump, load


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
        ("[[reader]]\n[[reader]]\nmatch = 5\n", "reader[1].match"),
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
