"""The pages name what there is: options, codes, settings and colours are looked up there by who never sees code."""

from __future__ import annotations

import argparse
import ast
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
import pytest

from appliance.apps import screen
from appliance.apps.screen_state import STATES
from appliance.config import Config, load
from appliance.display.theme import Theme
from appliance.health import finding, pins, printer, readers, sound, uplink, uplink_quarantine
from appliance.readerconfig import ReaderConfig
from appliance.soundness import complaints

ROOT = Path(__file__).parents[1]
TEXT_INTERFACE = (ROOT / "docs" / "text-interface.md").read_text(encoding="utf-8")
OPERATORS = (ROOT / "docs" / "operators.md").read_text(encoding="utf-8")


def section(page: str, title: str) -> str:
    """From the heading that begins so to the next one of its level or above."""
    begins = re.search(rf"^(#+) {re.escape(title)}.*$", page, re.M)
    assert begins is not None, title
    rest = page[begins.end() :]
    ends = re.search(rf"^#{{1,{len(begins[1])}}} ", rest, re.M)
    return begins[0] + (rest[: ends.start()] if ends else rest)


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=lambda page: page.name)
def test_each_row_of_a_table_stands_below_its_head(page: Path) -> None:
    lines = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S).splitlines()
    heads = {n - 1 for n, line in enumerate(lines) if re.fullmatch(r"\|( *:?-+:? *\|)+", line)}
    alone = [
        line for n, line in enumerate(lines)
        if line.startswith("|") and n not in heads and not lines[n - 1].startswith("|")
    ]  # fmt: skip
    assert alone == []


def test_each_option_and_state_of_a_picture_is_described() -> None:
    told = section(TEXT_INTERFACE, "`tableside screen")
    parser = argparse.ArgumentParser(add_help=False)
    screen.add_arguments(parser)
    options = [name for action in parser._actions for name in action.option_strings if name != "--output"]
    assert len(options) > 15
    assert [name for name in options if not re.search(rf"{name}\b", told)] == []
    assert [state for state in STATES if f"`{state}`" not in told] == []


def codes(of: str) -> Iterator[str]:
    """The codes that a check's file gives to its findings in so many words."""
    tree = ast.parse((ROOT / "appliance" / "health" / f"{of}.py").read_text(encoding="utf-8"))
    for keyword in (node for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg == "code"):
        given = keyword.value
        for value in (given.body, given.orelse) if isinstance(given, ast.IfExp) else (given,):
            if isinstance(value, ast.Constant):
                yield str(value.value)


CHECKS = {
    "configuration": ["configuration"],
    "readers": ["readers"],
    "card keys": ["cards"],
    "pins": ["pins"],
    "printer": ["printer"],
    "sound": ["sound"],
    "display": ["display"],
    "time": ["righttime"],
    "membership": ["belonging"],
    "uplink": ["uplink"],
    "phones": ["phones"],
    "quarantine": ["uplink_quarantine"],
}
REASONS: dict[str, Iterable[str]] = {
    "readers": readers.WHY,
    "pins": pins._WHY,
    "printer": printer._WHY,
    "sound": sound._WHY,
    "membership": {"device-revoked", "shut-out"},
    "uplink": {
        *uplink._WHAT,
        *uplink._REFUSED,
        "bad-file",
        "not-running",
        "no-league",
        "no-way",
        "not-stored",
        "unanswered",
    },
    "phones": {"no-assets", "bad-certificate", "port-taken"},
    "quarantine": uplink_quarantine._REASONS,
}


def test_each_check_of_the_doctor_is_asked_for_its_codes() -> None:
    files = {file.stem for file in (ROOT / "appliance" / "health").glob("*.py")} - {"__init__", "finding"}
    assert files == {file for files in CHECKS.values() for file in files}


@pytest.mark.parametrize("of", CHECKS)
def test_each_code_of_the_doctor_is_in_its_table_and_no_other(of: str) -> None:
    told = section(TEXT_INTERFACE, "`tableside doctor")
    rows = [row for row in told.splitlines() if row.startswith(f"| {of}")]
    if of == "card keys":
        rows += [row for row in told.splitlines() if row.startswith("| card counters")]
    named = set(re.findall(r"`([a-z][a-z-]*)`", " ".join(rows)))
    wanted = {code for file in CHECKS[of] for code in codes(file)} | set(map(str, REASONS.get(of, ())))
    assert len(wanted) > 1
    assert wanted == named


def test_each_subject_of_the_doctor_is_named() -> None:
    told = section(TEXT_INTERFACE, "`tableside doctor")
    assert [subject for subject in finding._SUBJECTS if f"`{subject}" not in told] == []


def test_each_colour_of_a_style_is_in_the_table_and_no_other() -> None:
    told = section(OPERATORS, "House style")
    rows = [line.split("|")[1] for line in told.splitlines() if line.startswith("| `")]
    named = [name for row in rows for name in re.findall(r"`([a-z_]+)`", row)]
    assert sorted(named) == sorted(Theme.__struct_fields__)


def test_each_setting_is_in_the_operators_page() -> None:
    lacking = []
    for part in msgspec.structs.fields(Config):
        for each in _settings(ReaderConfig if part.encode_name == "reader" else part.type):
            if not re.search(rf"(?:^|[`.\s]){each}(?:`| = )", OPERATORS, re.M):
                lacking.append(f"{part.encode_name}.{each}")
    assert lacking == []


def _settings(kind: object) -> Iterator[str]:
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        for each in msgspec.structs.fields(kind):
            if not isinstance(each.type, type) or not issubclass(each.type, msgspec.Struct):
                yield each.encode_name


def test_a_wall_clocks_sample_is_a_clocks_configuration(tmp_path: Path) -> None:
    [sample] = [block for block in re.findall(r"```toml\n(.*?)```", OPERATORS, re.S) if 'role = "clock"' in block]
    file, site = tmp_path / "wall.toml", tmp_path / "site.toml"
    file.write_text(sample, encoding="utf-8")
    site.write_text('[[reader]]\nname = "left"\n[[reader]]\nname = "right"\nusb = "072f:2200"\n')
    config = load(site, file)
    assert (config.device.role, config.readers_here) == ("clock", ())
    assert list(complaints(config)) == []
    assert tomllib.loads(sample)["device"]["name"] not in config.devices
