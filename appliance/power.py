"""Whether the machine gets enough power, as the kernel of a Raspberry Pi says; of others nothing is known.

A supply that is too weak is what stops a Pi most often, and nobody sees it: the screen goes on, cards are read badly.
"""

from __future__ import annotations

from pathlib import Path

SYS = Path("/sys")

UNKNOWN = "unknown"
OK = "ok"
UNDERVOLTAGE = "undervoltage"
THROTTLED = "throttled"
"""The processor is slowed down: too hot, or too little voltage a moment ago."""
UNDERVOLTAGE_BEFORE = "undervoltage-before"
"""Since the start there was too little voltage; there is enough now."""

AILING = (UNDERVOLTAGE, THROTTLED)

_FIRMWARE = "devices/platform/soc/soc:firmware/get_throttled"
_UNDERVOLTAGE, _THROTTLED, _UNDERVOLTAGE_BEFORE = 1 << 0, 1 << 2 | 1 << 3, 1 << 16


def power(sys: Path = SYS) -> str:
    """One of the words above. Reads a file or two; the whole word of the firmware goes before the one alarm bit."""
    try:
        bits = int((sys / _FIRMWARE).read_text(), 16)
    except (OSError, ValueError):
        return _alarm(sys)
    if bits & _UNDERVOLTAGE:
        return UNDERVOLTAGE
    if bits & _THROTTLED:
        return THROTTLED
    return UNDERVOLTAGE_BEFORE if bits & _UNDERVOLTAGE_BEFORE else OK


def _alarm(sys: Path) -> str:
    """By the driver ``rpi_volt``, whose number among the others is another one after each start."""
    for name in sorted(sys.glob("class/hwmon/hwmon*/name")):
        try:
            if name.read_text().strip() != "rpi_volt":
                continue
            for alarm in sorted(name.parent.glob("in*_lcrit_alarm")):
                return UNDERVOLTAGE if int(alarm.read_text()) else OK
        except (OSError, ValueError):
            continue
    return UNKNOWN
