"""The screens of the golden pictures: an evening's moment each, as ``tableside screen`` is asked for it.

The evening is tests/data/evening-18.jsonl up to the moment, with what a case ``does`` besides, and the league's word is
tests/data/roster-18.jsonl. Names and numbers are fixed, the longest among them.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from appliance.apps import screen
from appliance.apps.screen import Shown

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
SIZES = ("1920x1080", "1280x720", "800x480")
LANGUAGES = ("cs", "en")
DAY = "2027-01-15"


class Case(NamedTuple):
    """A picture: the screen at a time of day, further arguments, and what is done besides (time, command).

    ``announced``: what the announcement has besides; ``hand``: keys of a tracked hand; ``told``: further records of
    the league (time, type, data); ``standings``: whether it has told any; ``sizes`` and ``langs`` that there are of it.
    """

    screen: str
    at: str
    arguments: tuple[str, ...] = ()
    does: tuple[tuple[str, dict[str, Any]], ...] = ()
    announced: dict[str, Any] = {}
    hand: str = ""
    told: tuple[tuple[str, str, dict[str, Any]], ...] = ()
    standings: bool = True
    sizes: tuple[str, ...] = SIZES
    langs: tuple[str, ...] = LANGUAGES


HAND = """150 raise fold fold check-call fold fold check-call fold fold
cards Ks9h4d done 400 raise fold check-call
cards 2c done"""
WORD = {
    "text_cs": "Přestávka se o deset minut prodlužuje: guláš se teprve ohřívá.",
    "text_en": "The break is ten minutes longer: the goulash is still being warmed up.",
}
_SAID = (("20:40", "notice/1", WORD),)
_PHONES = "item:7"
"""The line of the floor menu that leads to them."""

TIME = (("20:40:30", {"do": "time_call", "table": 1, "participant": "000105"}),)
MOVES = (
    ("20:52", {"do": "bust", "participant": "000104"}),
    ("20:53", {"do": "bust", "participant": "000106"}),
    ("20:54", {"do": "balance"}),
)
BONUS = (("21:05:30", {"do": "chip_up"}),)
_DISK = {
    "cs": ("Paměťová karta je plná.", "Zavolejte technika. Večer běží dál na ostatních obrazovkách."),
    "en": ("The memory card is full.", "Call a technician. The evening goes on at the other screens."),
}
_STYLE = ("--style", str(ROOT / "docs" / "house-style" / "house.toml"))

CASES: dict[str, Case] = {
    "table": Case("table:1", "20:41:26"),
    "table-paused": Case("table:1", "19:52:10"),
    "table-hand-for-hand": Case("table:2", "20:55:30", does=(("20:55", {"do": "hand_for_hand", "on": True}),)),
    "table-time-thinking": Case("table:1", "20:40:36", does=TIME),
    "table-time-counting": Case("table:1", "20:40:58", does=TIME),
    "table-moves": Case("table:2", "20:54:40", does=MOVES),
    "table-colour-up": Case("table:1", "21:25:20"),
    "table-tracked": Case("table:1", "19:06:05", hand=HAND),
    "table-keys": Case("table:1", "19:06:05", ("--pad",), hand=HAND),
    "table-calls": Case("table:1", "20:41:26", ("--state", "floor-called=1,time-called=2,printer-out")),
    "table-offline": Case("table:1", "20:41:26", ("--state", "director-offline,reader-offline")),
    "table-one-copy": Case("table:1", "20:41:26", ("--state", "one-copy")),
    "table-seat": Case("table:1", "20:41:26", ("--tap", "000112")),
    "final": Case("table:1", "21:26:30"),
    "final-later": Case("table:1", "21:40:12"),
    "final-heads-up": Case("table:1", "23:22:30"),
    "final-wall": Case("clock", "21:44:12"),
    "break": Case("table:1", "21:12:40", ("--turn", "0")),
    "break-prizes": Case("table:2", "21:12:40", standings=False),
    "break-bonus": Case("table:2", "21:08:40", ("--turn", "3"), does=BONUS, announced={"chip_up": 5000}),
    "wall-before": Case("clock", "18:24:10", ("--turn", "0")),
    "wall": Case("clock", "20:41:26"),
    "wall-break": Case("clock", "21:12:40", ("--turn", "0")),
    "wall-results": Case("clock", "23:45", ("--turn", "0")),
    "table-results": Case("table:1", "23:45", ("--turn", "0")),
    "standings": Case("clock", "17:20", ("--turn", "2")),
    "structure": Case("clock", "18:24:10", ("--turn", "1")),
    "door": Case("door", "18:24:10", ("--turn", "0")),
    "door-rules": Case("door", "18:24:10", ("--turn", "29")),
    "door-before": Case("door", "17:20"),
    "door-check": Case("door", "18:28", ("--tap", "000112")),
    "door-registered": Case("door", "18:28", ("--tap", "000112,000900,answer")),
    "door-already": Case("door", "18:28", ("--tap", "000103")),
    "door-their-language": Case("door", "18:28", ("--tap", "000107")),
    "door-seat": Case("door", "19:04", ("--tap", "000112")),
    "door-result": Case("door", "23:45", ("--tap", "000117")),
    "door-wrong-evening": Case("door", "17:20", ("--tap", "000103")),
    "door-late": Case("door", "19:04", ("--tap", "000301")),
    "door-refused": Case("door", "18:28", ("--tap", "refused:lost")),
    "door-stranger": Case("door", "18:28", ("--tap", "refused:unknown")),
    "door-unreadable": Case("door", "18:28", ("--tap", "refused:unreadable")),
    "door-no-answer": Case("door", "18:28", ("--tap", "000112,000900,no-answer")),
    "door-pin": Case("door", "18:28", ("--tap", "weak:000900")),
    "door-pin-touch": Case("door", "18:28", ("--tap", "weak:000900", "--touch")),
    "door-reader-offline": Case("door", "18:24:10", ("--turn", "0", "--state", "reader-offline")),
    "door-reader-missing": Case("door", "18:24:10", ("--turn", "0", "--state", "reader-missing=door-2")),
    "door-offline": Case("door", "18:24:10", ("--turn", "0", "--state", "director-offline")),
    "door-calls": Case("door", "20:41:26", ("--state", "floor-called=2,printer-out")),
    "announced": Case("table:1", "20:40:30", told=_SAID),
    "announced-later": Case("table:1", "20:44:30", told=_SAID),
    "announced-wall": Case("clock", "20:40:30", told=_SAID),
    "starting": Case("starting", "20:41"),
    "attention": Case("attention", "20:41"),
    "spare": Case("spare", "20:41"),
    "spare-looking": Case("spare-looking", "20:41"),
    "spare-wrong": Case("spare-wrong", "20:41"),
    "spare-refused": Case("spare-refused", "20:41"),
    "spare-right": Case("spare-right", "20:41"),
    "spare-adopted": Case("spare-adopted", "20:41"),
    "floor": Case("floor:1", "20:41:26"),
    "floor-door": Case("floor", "18:28"),
    "floor-list": Case("floor:1", "20:41:26", ("--keys", "item:0,item:0")),
    "floor-number": Case("floor:1", "20:41:26", ("--keys", "item:0,item:0,down,enter,item:3,6,4,0,0")),
    "floor-confirm": Case("floor:1", "20:41:26", ("--keys", "item:0,item:0,down,enter")),
    "floor-done": Case("floor:1", "20:41:26", ("--keys", "item:0,item:0,down,enter,enter,answer")),
    "floor-no-answer": Case("floor:1", "20:41:26", ("--keys", "item:0,item:0,down,enter,enter,no-answer")),
    "floor-refused": Case("floor:1", "20:41:26", ("--keys", "item:5,item:0,item:0,9,9,9,enter,enter")),
    "floor-ruling": Case("floor:1", "20:41:26", ("--keys", "item:3")),
    "floor-procedure": Case("floor:1", "20:41:26", ("--keys", "item:3,1,1,enter")),
    "floor-phones": Case("floor:1", "20:41:26", ("--keys", _PHONES)),
    "floor-phone": Case("floor:1", "20:41:26", ("--keys", f"{_PHONES},item:0,enter,answer")),
    "floor-phone-come": Case("floor:1", "20:41:26", ("--keys", f"{_PHONES},item:0,enter,answer,phone")),
    "light": Case("table:1", "20:41:26", ("--theme", "light"), sizes=("1280x720",)),
    "light-door": Case("door", "18:28", ("--theme", "light", "--tap", "000112"), sizes=("1280x720",)),
    "contrast": Case("table:1", "20:41:26", ("--theme", "contrast"), sizes=("1280x720",)),
    "contrast-break": Case("clock", "21:12:40", ("--theme", "contrast", "--turn", "0"), sizes=("1280x720",)),
    "house": Case("clock", "20:41:26", ("--turn", "0", *_STYLE), sizes=("1280x720",)),
    "house-break": Case("table:1", "21:12:40", ("--turn", "2", *_STYLE), sizes=("1280x720",)),
    "upright": Case("table:1", "20:41:26", sizes=("1080x1920",)),
    "upright-door": Case("door", "18:24:10", ("--turn", "0"), sizes=("1080x1920",)),
    "upright-break": Case("clock", "21:12:40", ("--turn", "0"), sizes=("1080x1920",)),
    "large": Case("table:1", "20:41:26", sizes=("3840x2160",), langs=("cs",)),
}


def shown(case: Case, lang: str, size: str, folder: Path) -> Shown:
    """What the picture of a case is made from; its script is written into ``folder``."""
    script, roster = folder / "script.jsonl", folder / "roster.jsonl"
    script.write_text("\n".join(_script(case)), encoding="utf-8")
    roster.write_text("\n".join(_records(case)), encoding="utf-8")
    arguments = [str(script), "--until", _at(case.at), "--screen", case.screen, "--size", size, "--lang", lang]
    arguments += ["--roster", str(roster), "--venue", "Zábřeh", *case.arguments, "-o", "unused.png"]
    if case.hand:
        keys = folder / "hand.keys"
        keys.write_text(case.hand, encoding="utf-8")
        arguments += ["--hand", str(keys)]
    if case.screen == "attention":
        arguments += ["--says", *_DISK[lang]]
    return screen.shown(parsed(arguments))


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """The arguments of ``tableside screen``."""
    parser = argparse.ArgumentParser()
    screen.add_arguments(parser)
    return parser.parse_args(arguments)


def _at(time: str) -> str:
    return f"{DAY}T{time if time.count(':') == 2 else time + ':00'}+01:00"


def _script(case: Case) -> list[str]:
    """The evening, with hands: its script tells none but the first ones, and buttons that never move are no evening."""
    lines = (DATA / "evening-18.jsonl").read_text("utf-8").splitlines()
    commands = [json.loads(line) for line in lines if line.startswith("{")]
    commands[0] |= case.announced
    commands = [_played(command) for command in commands if command["do"] != "next_hand"]
    commands += [
        {"at": _at(f"{minute // 60}:{minute % 60:02}:{second}"), "do": "next_hand", "round": "R1", "table": table}
        for minute in range(19 * 60 + 1, 23 * 60 + 40, 4)
        for table, second in ((1, 10), (2, 40))
    ]
    commands += [{"at": _at(time), "round": "R1", **does} for time, does in case.does]
    commands.sort(key=lambda command: str(command["at"]))
    return [json.dumps(command) for command in commands]


def _played(command: dict[str, Any]) -> dict[str, Any]:
    """A bust in the hand that is on, whichever that is."""
    if command["do"] != "bust":
        return command
    return {name: value for name, value in command.items() if name not in ("table", "hand", "stack")}


def _records(case: Case) -> list[str]:
    lines = (DATA / "roster-18.jsonl").read_text("utf-8").splitlines()
    told = [json.dumps({"at": _at(time), "type": kind, "data": data}) for time, kind, data in case.told]
    return [*(line for line in lines if case.standings or "standings/1" not in line), *told]
