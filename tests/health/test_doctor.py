"""tableside doctor: everything that stands here, each issue with a remedy in both languages."""

from __future__ import annotations

import fcntl
import json

import pytest

from appliance.apps import doctor
from appliance.apps.demo_cards import CardOffice
from appliance.cli import main
from appliance.config import load
from appliance.health import cards, configuration, pins, printer, readers, sound
from appliance.health.finding import named, said, told
from appliance.hw.panel import Absent
from appliance.hw.ports import DriverMissing, Offline, ReaderOffline, ReaderOnline
from appliance.hw.printer_ports import PrinterChanged, PrinterState, PrinterTrouble
from appliance.hw.sound_ports import SoundFailed, SoundTrouble
from appliance.i18n import Translator

UID = "04958CAA5C5E80"
NOW = 1_800_000_000_000
_FILE = '[device]\nname = "door"\nrole = "door"\ndata = "{data}"\n'


@pytest.fixture
def config(tmp_path):
    def configured(more=""):
        file = tmp_path / "device.toml"
        file.write_text(_FILE.format(data=tmp_path / "data") + more)
        return load(site, file)

    site = tmp_path / "site.toml"
    site.write_text(f'[devices]\ndirector = "{"d" * 64}"\ndoor = "{"e" * 64}"\n')
    (tmp_path / "data").mkdir()
    return configured


class Reader:
    """Says one thing when it is started."""

    firmware = "PN532v1.6"

    def __init__(self, *events):
        self.events = events
        self.stopped = False

    def start(self, sink, dialog=None):
        for event in self.events:
            sink(event)

    def stop(self):
        self.stopped = True


def found(config, *events, in_use=False):
    reader = Reader(*events)
    [first, *_] = readers.check(config, in_use, lambda _: (reader,), patience_s=0.05)
    return first


NFC = '[reader]\nname = "left"\ndriver = "nfc"\nport = "/dev/ttyUSB0"\n'


def test_a_reader_that_works_is_listed_with_driver_and_firmware(config):
    finding = found(config(NFC), ReaderOnline("left"))
    assert (finding.subject, finding.standing, finding.code) == ("reader left", "ok", "works")
    assert finding.facts == {"driver": "nfc", "port": "/dev/ttyUSB0", "firmware": "PN532v1.6"}


@pytest.mark.parametrize("why", list(Offline))
def test_a_reader_that_does_not_work_says_why_and_what_to_do_in_both_languages(config, why):
    finding = found(config(NFC), ReaderOffline("left", why))
    assert (finding.standing, finding.code) == ("issue", why.value)
    czech, english = (said(finding, Translator(lang)) for lang in ("cs", "en"))
    assert all(czech) and all(english) and czech != english


def test_a_silent_reader_and_a_missing_library_are_issues(config):
    assert found(config(NFC)).code == "no-answer"

    def missing(_):
        raise DriverMissing("pip install")

    [finding] = readers.check(config(NFC), False, missing)
    assert (finding.code, finding.standing) == ("library-missing", "issue")


def test_what_a_running_kiosk_has_is_left_to_it(config):
    assert found(config(NFC), in_use=True).code == "in-use"
    text = NFC + '[pins]\nred = 17\n[printer]\ndriver = "file"\nport = "/dev/usb/lp0"\n'
    assert [f.code for f in pins.check(config(text), True)] == ["in-use"]
    assert [f.code for f in printer.check(config(text), True)] == ["in-use"]


def test_what_is_not_configured_is_absent_and_no_issue(config):
    none = config('[reader]\ndriver = "none"\n')
    checks = (readers.check(none, False), pins.check(none, False), printer.check(none, False))
    assert {f.standing for check in checks for f in check} == {"absent"}


def test_a_clock_on_the_wall_misses_no_reader(tmp_path):
    file = tmp_path / "clock.toml"
    file.write_text(f'[device]\nname = "wall"\nrole = "clock"\ndata = "{tmp_path}"\n')
    assert [(each.subject, each.standing) for each in readers.check(load(file), False)] == [("readers", "absent")]


@pytest.mark.parametrize("why", [why for why in Absent if why is not Absent.NO_PINS])
def test_pins_that_cannot_be_had_say_why(config, why, monkeypatch):
    class Panel:
        stuck = frozenset()

        def close(self):
            pass

    Panel.why = why
    monkeypatch.setattr(pins, "open_panel", lambda *_, **__: Panel())
    [finding] = pins.check(config("[pins]\nred = 17\n"), False)
    assert (finding.code, finding.standing, finding.facts) == (why.value, "issue", {"red": "GPIO 17"})
    assert all(said(finding, Translator("cs")))


PRINTER = '[printer]\ndriver = "serial"\nport = "/dev/ttyS9"\n'


class Printer:
    def __init__(self, *events):
        self.events = events

    def start(self, sink):
        for event in self.events:
            sink(event)

    def stop(self):
        pass


def printed(config, *events):
    [finding] = printer.check(config, False, lambda _: Printer(*events), patience_s=0.05)
    return finding


def test_a_printer_says_how_it_stands(config):
    here = config(PRINTER)
    assert printed(here, PrinterChanged("p", PrinterState.ONLINE)).standing == "ok"
    assert printed(here, PrinterChanged("p", PrinterState.PAPER_OUT)).code == "paper-out"
    assert printed(here).code == "no-answer"
    for why in PrinterTrouble:
        finding = printed(here, PrinterChanged("p", PrinterState.OFFLINE, why))
        assert (finding.code, finding.standing) == (why.value, "issue") and all(said(finding, Translator("cs")))


def test_sealed_keys_are_told_with_their_end_and_are_an_issue_once_they_have_ended(config, tmp_path):
    here, folder = config(), tmp_path / "data"
    office = CardOffice(tmp_path / "office")
    office.issue([(UID, "000101")])
    assert [f.code for f in cards.check(here, office.public, NOW)] == ["no-keys", "no-counters"]
    office.seal_for("door", folder, [UID], NOW + 3_600_000)
    finding = next(cards.check(here, office.public, NOW))
    assert (finding.code, finding.facts["keys"]) == ("works", "1") and finding.facts["until"].endswith("UTC")
    ended = next(cards.check(here, office.public, NOW + 3_600_000))
    assert (ended.standing, ended.code) == ("issue", "ended") and ended.remedy
    assert next(cards.check(here, None, NOW)).code == "no-policy"
    bad = next(cards.check(here, "ab" * 32, NOW))
    assert bad.code == "bad-keys" and said(bad, Translator("cs"))[0] == "nepodepsala je liga"
    office.seal_for("table-1", folder, [UID], NOW + 3_600_000)
    other = next(cards.check(here, office.public, NOW))
    assert said(other, Translator("cs"))[0] == "zapečetěno pro „table-1“, ne pro „door“"


def test_the_command_prints_lines_or_json_and_its_exit_says_whether_something_is_wrong(config, tmp_path, capsys):
    config('[reader]\ndriver = "simulated"\nsocket = "/run/r"\n')
    files = [str(tmp_path / name) for name in ("site.toml", "device.toml")]
    assert main(["doctor", *files]) == 0
    out = capsys.readouterr().out
    assert "✓ čtečka reader" in out and "– vývody" in out
    config(
        '[reader]\ndriver = "simulated"\nsocket = "/run/r"\n'
        + PRINTER.replace("serial", "file").replace("/dev/ttyS9", "/no/such")
    )
    assert main(["doctor", *files, "--json", "--lang", "en"]) == 1
    told = json.loads(capsys.readouterr().out)
    issue = next(f for f in told["findings"] if f["standing"] == "issue")
    assert (told["ok"], told["device"], issue["subject"]) == (False, "door", "printer") and issue["remedy"]
    (tmp_path / "device.toml").write_text("[pins]\nred = 99\n")
    assert main(["doctor", *files]) == 2
    assert "pins.red" in capsys.readouterr().err


def test_a_kiosk_that_runs_here_is_noticed(config, tmp_path, capsys):
    config("[pins]\nred = 17\n[reader]\ndriver = 'simulated'\nsocket = '/run/r'\n")
    with (tmp_path / "data" / "lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert main(["doctor", *map(str, (tmp_path / "site.toml", tmp_path / "device.toml")), "--json"]) == 0
    assert "in-use" in capsys.readouterr().out


def test_a_setting_that_cannot_work_and_anothers_key_are_told_with_a_remedy(config, tmp_path, capsys):
    assert [f.code for f in configuration.check(config())] == ["works"]
    ill = list(configuration.check(config(f'[broker]\ntls = true\nca = "/nope.pem"\n[devices]\ndoor = "{"a" * 64}"\n')))
    assert [(f.code, f.params["place"]) for f in ill] == [("bad-setting", "broker.ca")]
    assert main(["key", str(tmp_path / "data" / "device.key")]) == 0
    ill = list(configuration.check(config(f'[devices]\ndoor = "{"a" * 64}"\n')))
    assert [(f.code, f.standing) for f in ill] == [("other-key", "issue")] and all(said(ill[0], Translator("cs")))


def test_devices_that_do_not_know_each_other_are_told_as_config_check_tells_them(config, tmp_path):
    (tmp_path / "site.toml").write_text("")
    ill = list(configuration.check(config()))
    assert [(f.code, f.params["place"]) for f in ill] == [
        ("unknown-device", "director"), ("unknown-device", "device.name"),
    ]  # fmt: skip
    text, remedy = said(ill[0], Translator("en"))
    assert text.startswith("The devices do not know each other: director:") and "tableside enrol" in remedy
    (tmp_path / "data" / "device.crt").touch()
    assert [f.params["place"] for f in configuration.check(config())] == ["director"]


def test_who_only_directs_is_not_asked_for_what_the_site_says_of_kiosks(config, tmp_path):
    config('[reader]\ndriver = "pcsc"\n[printer]\ndriver = "usb"\n[pins]\nred = 17\n')
    file = tmp_path / "device.toml"
    director = file.read_text().replace('name = "door"\nrole = "door"', 'name = "director"\nrole = "director"')
    file.write_text(director)
    found = list(doctor.findings(load(tmp_path / "site.toml", file)))
    assert {each.subject for each in found if each.standing == "issue"} <= {"uplink", "configuration"}, found
    assert not {"pins", "printer", "sound", "display"} & {each.subject for each in found}


@pytest.mark.parametrize("driver", ["file", "serial", "usb"])
def test_a_printer_without_a_port_is_not_blamed_on_its_profile(config, driver):
    [finding] = printer.check(config(f'[printer]\ndriver = "{driver}"\n'), False)
    assert finding.code == "no-port" and "printer.port" in finding.remedy


def test_what_it_is_about_and_its_facts_are_said_in_czech(config):
    finding = found(config(NFC), ReaderOnline("left"))
    assert named(finding, Translator("cs")) == "čtečka left" and named(finding, Translator("en")) == "reader left"
    assert told(finding, Translator("cs")) == "ovladač nfc, port /dev/ttyUSB0, firmware PN532v1.6"
    keys, counters = cards.check(config(), None, NOW)
    assert (named(keys, Translator("cs")), named(counters, Translator("cs"))) == ("klíče průkazů", "čítače průkazů")
    assert "Zapečeťte je:" in said(keys, Translator("cs"))[1], "nothing was sealed before"


class SoundCard:
    """Keeps what it was to play."""

    def __init__(self):
        self.queued, self.closed = 0, False

    def queue(self, wave):
        self.queued += len(wave)

    def close(self):
        self.closed = True


SOUND = "[sound]\nvolume = 20\n"


def test_a_sound_card_is_opened_and_heard_only_where_that_was_asked_for(config, monkeypatch):
    monkeypatch.setattr(sound, "RATE", 10**9)
    card = SoundCard()
    [finding] = sound.check(config(SOUND), False, lambda _: card)
    assert (finding.standing, finding.facts, card.queued, card.closed) == ("ok", {"volume": "20 %"}, 0, True)
    card = SoundCard()
    assert [f.code for f in sound.check(config(SOUND), True, lambda _: card)] == ["works"]
    assert card.queued and card.closed


@pytest.mark.parametrize("why", list(SoundTrouble))
def test_a_sound_card_that_cannot_be_opened_says_why_in_both_languages(config, why):
    def missing(_):
        raise SoundFailed(why, "busy")

    [finding] = sound.check(config(SOUND + 'device = "USB"\n'), False, missing)
    assert (finding.standing, finding.code) == ("issue", why.value)
    assert finding.facts == {"volume": "20 %", "device": "USB", "error": "busy"}
    czech, english = (said(finding, Translator(lang)) for lang in ("cs", "en"))
    assert all(czech) and all(english) and czech != english


def test_no_volume_is_no_issue(config):
    assert [f.standing for f in sound.check(config(""), True)] == ["absent"]
