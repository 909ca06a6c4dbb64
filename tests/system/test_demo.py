"""``tableside demo``: a tapped card reaches the season's table, and nothing stays behind."""

import json
import os
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from appliance import audit
from appliance.apps.demo_season import PLAYERS, VENUE
from appliance.engine import Engine
from appliance.journal import Journal
from appliance.kinds import KINDS

CHROMIUM = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


def demo(*arguments, **options):
    return subprocess.Popen(
        [sys.executable, "-u", "-m", "appliance", "demo", "--headless", "--speed", "600", *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options,
    )  # fmt: skip


def descendants(pid):
    """All processes below one, by the kernel's own list."""
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            found += [int(child), *descendants(int(child))]
    return found


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def records(journal):
    return [json.loads(raw) for _, raw in audit.every_record(journal)]


def expected_points(stream):
    """Points from the records alone, by RULES P as a person would count them, not by the product's code."""
    registered, out, undone = [], [], set()
    for record in stream:
        if record["type"] == "undone/1":
            undone |= set(record["data"]["commands"])
    for record in stream:
        if record["type"] == "registered/1":
            registered.append(record["data"]["participant"])
        if record["type"] == "busted/1" and record["cause"] not in undone:
            data = record["data"]
            out.append(((data["table"], data["hand"]), data["stack"], data["participant"]))
    order, index = [], 0
    while index < len(out):  # those of one hand: the smaller stack went first (T-7)
        same = [row for row in out[index:] if row[0] == out[index][0]]
        order += [name for _, _, name in sorted(same, key=lambda row: row[1])]
        index += len(same)
    places = [*order, *(set(registered) - set(order))][::-1]
    n = len(registered)
    winner = 120 if n >= 16 else 120 - 5 * (16 - n)
    scoring = (n + 1) // 2
    return {name: Fraction(10 + (winner - 5 * place if place < scoring else 0)) for place, name in enumerate(places)}


@pytest.mark.xdist_group("demo")
def test_the_evening_ends_with_the_points_an_independent_count_gives(tmp_path):
    out = tmp_path / "out"
    process = demo("--out", out)
    text = process.communicate(timeout=240)[0]
    assert process.returncode == 0, text
    standings = json.loads((out / "standings.json").read_text())["standings"]
    assert "standings: http://127.0.0.1:" in text
    with Journal(out / "house/director/journal", read_only=True) as journal:
        assert all(finding.fault is None for finding in audit.verify(journal))
        held = records(journal)
        stream = [record for record in held if record["stream"] == "round/R1"]
        heads = {head.stream: head for head in journal.heads()}
    points = {row["participant"]: Fraction(row["points"]) for row in standings}
    assert points == expected_points(stream) and len(points) == 18
    names = {row["participant"]: row["name"] for row in standings}
    wanted = {p.number: f"{p.first_name} {p.surname}" if p.published else None for p in PLAYERS}
    assert names == wanted
    assert {r["data"]["reason"] for r in held if r["type"] == "card-refused/1"} == {"forged", "unknown", "blocked"}
    for kiosk in ("door", "table-1", "table-2", "wall"):
        with Journal(out / "house" / kiosk / "journal", read_only=True) as copy:
            assert copy.newest("round/R1") == heads["round/R1"], kiosk
            told = Engine(copy, KINDS, lambda: 0).state(f"league/{VENUE}").standings
            assert [(row.place, row.participant, row.name, Fraction(row.points_half, 2)) for row in told.rows] == [
                (row["place"], row["participant"], row["name"], Fraction(row["points"])) for row in standings
            ]
    assert any(stream.startswith("table/zabreh-") for stream in heads)
    assert len(list((out / "house/pictures").glob("*.png"))) >= 15


@pytest.mark.xdist_group("demo")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_ctrl_c_leaves_no_process_behind(tmp_path, number):
    process = demo("--out", tmp_path / "out", start_new_session=True)
    for line in process.stdout:
        if "registration is open" in line:
            break
    children = descendants(process.pid)
    assert len(children) >= 9
    os.kill(process.pid, number)
    process.communicate(timeout=30)
    deadline = time.monotonic() + 40
    while any(map(alive, children)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert [Path(f"/proc/{c}/cmdline").read_text() for c in children if alive(c)] == []


@pytest.mark.xdist_group("demo")
def test_the_standings_page_shows_what_the_api_says(tmp_path):
    out = tmp_path / "out"
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "appliance", "demo", "--speed", "1000", "--out", str(out)],
        env={**os.environ, "SDL_VIDEODRIVER": "dummy"},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    try:
        said = []
        for line in process.stdout:
            said.append(line)
            if line.startswith("standings: "):
                break
        assert said[-1].startswith("standings: "), "".join(said)
        url = said[-1].split()[1]
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=CHROMIUM)
            page = browser.new_page(viewport={"width": 390, "height": 844})
            page.goto(url)
            text = page.inner_text("main")
            browser.close()
        standings = json.loads((out / "standings.json").read_text())["standings"]
        assert all(row["participant"] in text for row in standings)
        assert [row["name"] for row in standings if row["name"] and row["name"] not in text] == []
        assert standings[0]["points"] == "130" and "130" in text
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    assert process.returncode == 130


@pytest.mark.parametrize("arguments", [("--speed", "0"), ("--speed", "9999"), ("--out", __file__)])
def test_bad_arguments_are_one_line_and_2(arguments):
    process = demo(*arguments)
    text = process.communicate(timeout=30)[0]
    assert process.returncode == 2 and len(text.splitlines()) == 1
