"""Whether a machine gets enough power, as a Raspberry Pi's kernel says; nothing is known of others."""

import pytest

from appliance.power import power

FIRMWARE = "devices/platform/soc/soc:firmware/get_throttled"


def write(root, name, text):
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text)


def test_elsewhere_it_is_unknown(tmp_path):
    assert power(tmp_path) == "unknown"
    write(tmp_path, "class/hwmon/hwmon0/name", "coretemp\n")
    write(tmp_path, "class/hwmon/hwmon0/in1_lcrit_alarm", "1\n")
    assert power(tmp_path) == "unknown"


@pytest.mark.parametrize("channel", ["in0", "in1"])
@pytest.mark.parametrize(("alarm", "word"), [("0", "ok"), ("1", "undervoltage"), ("rubbish", "unknown")])
def test_by_the_alarm_of_the_voltage_whichever_number_its_driver_has(tmp_path, channel, alarm, word):
    write(tmp_path, "class/hwmon/hwmon0/name", "cpu_thermal\n")
    write(tmp_path, "class/hwmon/hwmon3/name", "rpi_volt\n")
    write(tmp_path, f"class/hwmon/hwmon3/{channel}_lcrit_alarm", alarm + "\n")
    assert power(tmp_path) == word


@pytest.mark.parametrize(
    ("bits", "word"),
    [
        ("0", "ok"), ("50005", "undervoltage"), ("50000", "undervoltage-before"), ("4", "throttled"),
        ("80008", "throttled"), ("0x1", "undervoltage"),
    ],
)  # fmt: skip
def test_by_the_firmwares_word_first(tmp_path, bits, word):
    write(tmp_path, FIRMWARE, bits + "\n")
    write(tmp_path, "class/hwmon/hwmon3/name", "rpi_volt\n")
    write(tmp_path, "class/hwmon/hwmon3/in0_lcrit_alarm", "0\n")
    assert power(tmp_path) == word
