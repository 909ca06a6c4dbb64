"""A commissioner's phone: from its tap to ten tables' screens and to another phone; what a browser loads first.

In namespaces of its own (unshare(1), as `bench.venue`); what a kiosk's tap takes is measured in the same run.
"""

from __future__ import annotations

import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import msgspec

from appliance.console import signing
from bench.ifd.rig import Rig
from bench.measure import Figure, percentile
from bench.phone_hand import Desk, PhoneHand
from bench.venue_evening import ANNOUNCED, PLAYERS, open_devices, playing, register, second
from bench.venue_town import REAL, TABLES, Room, Town, table_kiosk
from chaos.nets import enter_own

TAPS = 100
KIOSK_TAPS = 24
PAUSE_S = 0.25
ALL_SCREENS_MS, MOST_BYTES = 300.0, 150_000
_MOST_OF_A_KIOSKS = 3.0
"""Ten screens are drawn here by a machine that draws one for a kiosk's tap, and has fewer cores."""


def figures() -> Iterator[Figure]:
    """All of them, as the other process tells them."""
    with subprocess.Popen([sys.executable, "-m", "bench.phone"], stdout=subprocess.PIPE) as taking:
        assert taking.stdout is not None
        for line in taking.stdout:
            yield msgspec.json.decode(line, type=Figure)
    if taking.returncode:
        raise RuntimeError(f"the phone's figures could not be taken: exit code {taking.returncode}")


def main() -> int:
    """Take them, one JSON list a line."""
    enter_own("bench.phone", [])
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    told = os.dup(1)
    os.dup2(2, 1)  # what programs print is no figure
    for figure in _taken():
        os.write(told, msgspec.json.encode(figure) + b"\n")
    return 0


class Tap(NamedTuple):
    """Milliseconds from a tap until the phone has its answer, the first and the last of ten screens show what it led
    to, and another phone has heard."""

    answered: float
    first: float
    last: float
    heard: float


def _taken() -> Iterator[Figure]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        rig = stack.enter_context(Rig())
        tables = [table_kiosk(number) for number in range(1, TABLES + 1)]
        town = stack.enter_context(Town(folder / "venue", "door", PLAYERS + KIOSK_TAPS, *tables, "phone"))
        announcement = town.announcement(time.time_ns() // 1_000_000)
        town.prepare([*playing(), *second(announcement)], **ANNOUNCED)
        town.start_director()
        open_devices(town)
        desk = Desk(town.host("phone"), "phone", town.broker.endpoint)
        stack.callback(desk.stop)
        yield from _loaded(town, desk, folder)
        room = Room(town, REAL)
        room.start()
        with town.tables_behind():
            kiosk = [register(town, rig, PLAYERS + place, PAUSE_S) for place in range(KIOSK_TAPS)]
        phone, other = (PhoneHand(town.host("phone"), desk) for _ in range(2))
        taps = _tapped(town, phone, other)
        room.stop()
        yield from _told(taps, kiosk)


def _tapped(town: Town, phone: PhoneHand, other: PhoneHand) -> list[Tap]:
    """A word to all screens, which each of them shows; another one each time."""
    taps = []
    with other.listening() as heard:
        for number in range(TAPS):
            time.sleep(PAUSE_S)
            for table in range(1, TABLES + 1):
                town.glasses.all(table_kiosk(table))
            while not heard.empty():
                heard.get()
            text, at = f"Slovo číslo {number}", time.monotonic_ns()
            said = phone.send("announcement", {"text": text, "minutes": "2"})
            if "data-done" not in said:
                raise RuntimeError(said)
            answered = time.monotonic_ns()
            shown = [town.glasses.wait(table_kiosk(table), text).at_ns for table in range(1, TABLES + 1)]
            moments = (answered, min(shown), max(shown), heard.get(timeout=10))
            taps.append(Tap(*((each - at) / 1e6 for each in moments)))
    return taps


def _told(taps: list[Tap], kiosk: list[float]) -> Iterator[Figure]:
    last = [tap.last for tap in taps]
    theirs, ours = statistics.median(kiosk), statistics.median(last)

    def both(values: list[float]) -> str:
        return f"{percentile(values, 0.5):.0f}, p99 {percentile(values, 0.99):.0f}"

    note = (
        f"p50 {both(last)} ms; the first screen {both([tap.first for tap in taps])}; the answer "
        f"{both([tap.answered for tap in taps])}; another phone {both([tap.heard for tap in taps])}; "
        f"{len(taps)} taps, {os.cpu_count()} cores draw all ten"
    )
    most = percentile(last, 0.99) / ALL_SCREENS_MS
    yield Figure("phone: tap to ten tables' screens, p99 / 300 ms", most, 1.0, False, note, True)
    note = f"{ours:.0f} ms; a card at the door {theirs:.0f} ms, {len(kiosk)} taps"
    yield Figure("phone: tap to ten screens / a kiosk's tap to its own", ours / theirs, _MOST_OF_A_KIOSKS, False, note)
    heard = statistics.median(tap.heard for tap in taps)
    note = f"{heard:.0f} ms until another phone has heard"
    yield Figure("phone: tap to another phone / a kiosk's tap to its own", heard / theirs, 1.0, False, note)


def _loaded(town: Town, desk: Desk, folder: Path) -> Iterator[Figure]:
    """What a browser that knows nothing loads until the digits are there."""
    from playwright.sync_api import sync_playwright

    from bench.chromium import browser

    wrapped = folder / "chromium"
    wrapped.write_text(f'#!/bin/sh\nexec {" ".join(town.place_of("phone"))} {browser()} "$@"\n')
    wrapped.chmod(0o755)
    took, asked = [0.0], list[str]()
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=wrapped, args=["--no-sandbox", "--disable-quic"])
        page = chromium.new_context(**playwright.devices["Pixel 5"]).new_page()
        page.on("request", lambda request: asked.append(request.url))
        devtools = page.context.new_cdp_session(page)
        devtools.send("Network.enable")
        devtools.on("Network.loadingFinished", lambda told: took.append(told["encodedDataLength"]))
        page.goto(f"{desk.url}#{signing.fragment(*desk.offer())}")
        page.locator(".code").wait_for()
        with contextlib.suppress(TimeoutError):
            page.wait_for_load_state("networkidle")
        chromium.close()
    outside = [url for url in asked if not url.startswith((desk.url, "data:"))]
    note = f"{sum(took) / 1000:.1f} kB in {len(asked)} requests"
    yield Figure("phone: first load, compressed / 150 kB", sum(took) / MOST_BYTES, 1.0, False, note)
    yield Figure("phone: requests to elsewhere", len(outside), 0.0, False, ", ".join(outside[:3]) or "none")


if __name__ == "__main__":
    sys.exit(main())
