"""What a configuration names is what stands at the kiosk, and what cannot be made never keeps cards from being read."""

import pytest

from appliance.apps.kiosk_hardware import Hardware
from appliance.config import load
from appliance.game.values import parse_time
from appliance.hw.panel import Absent, PanelChanged, Signal
from appliance.hw.ports import ReaderOnline
from appliance.hw.printer_ports import PrinterChanged, PrinterState, PrinterTrouble
from appliance.hw.simulated_sound import SimulatedSound
from appliance.hw.sound_ports import SoundState
from appliance.sounds.cue import Cue


@pytest.fixture
def made(tmp_path):
    """Makes a kiosk's hardware; what it tells is in a list."""
    all_made = []

    def make(text):
        file = tmp_path / "device.toml"
        file.write_text(f'[device]\nrole = "door"\ndata = "{tmp_path}"\n{text}')
        told = []
        all_made.append(Hardware(load(file), told.append))
        return all_made[-1], told

    yield make
    for hardware in all_made:
        hardware.stop()


def test_readers_of_every_driver_have_the_names_of_the_configuration(made):
    hardware, _ = made(
        """
[[reader]]
name = "usb"
match = "ACR"
[[reader]]
driver = "nfc"
port = "/dev/ttyUSB0"
[[reader]]
name = "old"
driver = "serial"
port = "/dev/ttyUSB1"
[[reader]]
driver = "simulated"
"""
    )
    kinds = [(reader.name, type(reader).__name__) for reader in hardware.readers]
    assert kinds == [
        ("usb", "PcscReader"),
        ("reader-2", "NfcReader"),
        ("old", "SerialReader"),
        ("reader-4", "SimulatedReader"),
    ]
    assert hardware.panel is None and hardware.printer is None


def test_a_clock_on_the_wall_needs_no_reader_and_has_none(tmp_path):
    for text in ("", '[[reader]]\ndriver = "nfc"\nport = "/dev/ttyUSB0"\n'):
        file = tmp_path / "clock.toml"
        file.write_text(f'[device]\nrole = "clock"\ndata = "{tmp_path}"\n{text}')
        assert Hardware(load(file), lambda _: None).readers == ()


def test_a_printer_that_cannot_be_made_is_a_word_on_the_screen_and_readers_work(made):
    hardware, told = made('[reader]\ndriver = "simulated"\n[printer]\ndriver = "usb"\n')
    hardware.begin()
    heard = []
    hardware.start(heard.append, lambda *_: None)
    assert told == [PrinterChanged("printer", PrinterState.OFFLINE, PrinterTrouble.UNUSABLE)]
    assert heard == [ReaderOnline("reader")]


def test_pins_on_a_machine_without_gpio_are_an_absent_panel_and_a_dark_light(made, tmp_path):
    hardware, told = made(f'[reader]\ndriver = "none"\n[pins]\nred = 17\nchip = "{tmp_path}/nothing"\n')
    assert [type(event) for event in told] == [PanelChanged] and told[0].why is not None
    assert told[0].why in set(Absent)
    assert hardware.panel is not None


def test_without_a_volume_nothing_of_sound_is_made_or_imported(made):
    hardware, _ = made('[reader]\ndriver = "none"\n')
    assert hardware.sound is None
    assert hardware.speaker(load(), lambda: 0) is None and hardware.panel is None


def test_taps_are_heard_through_the_panel_s_signal_in_the_venue_s_hours(tmp_path):
    file = tmp_path / "device.toml"
    file.write_text(
        '[device]\nrole = "door"\n[reader]\ndriver = "none"\n'
        '[sound]\nvolume = 30\nquiet_from = "22:00"\nquiet_to = "06:00"\n'
    )
    config = load(file)
    hardware = Hardware(config, lambda _: None)
    hardware.sound = SimulatedSound()
    hardware.begin()
    at = [parse_time("2026-03-06T20:59:59Z")]  # 21:59:59 in Prague
    hardware.speaker(config, lambda: at[0])
    hardware.panel.show(Signal.ACCEPTED)
    at[0] += 1000
    hardware.panel.show(Signal.REFUSED)
    assert hardware.sound.heard == [Cue.ACCEPTED]
    hardware.stop()
    assert hardware.sound.state is SoundState.STOPPED
