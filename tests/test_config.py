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
