"""One league that is served as in earnest, with something on every page, and Debian's browser before it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.error import HTTPError

import pytest

os.environ["DJANGO_SETTINGS_MODULE"] = "league.settings"
os.environ["TABLESIDE_LEAGUE_DIR"] = tempfile.mkdtemp(prefix="office-tests-")

import django
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.league.office_crawl import Answer, Found, crawl
from tests.league.processes import League

django.setup()


@dataclass
class Site:
    """Where it is served, and the sessions of who is signed in there."""

    address: str
    sessions: dict[str, str]

    def get(self, who: str, path: str) -> Answer:
        """Ask for a page as somebody, and follow nothing."""
        request = urllib.request.Request(self.address + path, headers={"Cookie": f"sessionid={self.sessions[who]}"})
        try:
            with _OPENER.open(request, timeout=30) as answer:
                body, status, headers = answer.read(), answer.status, answer.headers
        except HTTPError as error:
            body, status, headers = error.read(), error.code, error.headers
        html = "html" in headers.get("Content-Type", "")
        return Answer(status, headers.get("Location", ""), body.decode() if html else "", headers)

    def found(self, who: str, *starts: str, without: str = "#") -> Found:
        """All that somebody gets to."""
        return crawl(lambda path: self.get(who, path), *starts, without=without)


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        return None


_OPENER = urllib.request.build_opener(_Stay)


@dataclass
class Watched:
    """A page of the browser that notes whatever it complains of."""

    page: Page
    complaints: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("pageerror", lambda error: self.complaints.append(f"{self.page.url}: {error}"))
        self.page.on("console", lambda said: self._note(said.type, said.text))

    def _note(self, kind: str, text: str) -> None:
        # what a page answers to something wrong is told by the page; the browser's own line about it is no fault
        if kind in ("error", "warning") and "Failed to load resource" not in text:
            self.complaints.append(f"{self.page.url}: {text}")


def made(folder: Path, world: str = "office_world") -> League:
    """A league with everything in it, to be copied; ``world``: who fills it."""
    league = League(folder)
    league.run("migrate", "-v0")
    fill = f"import django; django.setup(); from tests.league import {world}; {world}.fill()"
    done = subprocess.run([sys.executable, "-c", fill], env=league.env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (folder / "sessions.json").write_text(done.stdout.splitlines()[-1])
    return league


@contextmanager
def served(like: League, folder: Path) -> Iterator[Site]:
    """A copy of it, served for a while."""
    league = League(folder, like=like)
    try:
        _, line = league.start("serve", "--port", "0", until="serving")
        found = re.search(r":(\d+)/", line)
        assert found
        yield Site(f"http://localhost:{found[1]}", json.loads((folder / "sessions.json").read_text()))
    finally:
        league.stop()


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> League:
    return made(tmp_path_factory.mktemp("made") / "league")


@pytest.fixture
def site(filled: League, tmp_path: Path) -> Iterator[Site]:
    """A league of the test's own, with something on every page."""
    with served(filled, tmp_path / "league") as site:
        yield site


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    from tests.league.test_browser import CHROMIUM, FLAGS

    assert CHROMIUM.exists(), "Debian's chromium is missing: apt-get install chromium"
    expect.set_options(timeout=15_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


def signed_in(chromium: Browser, site: Site, who: str, *, script: bool = True, width: int = 1280) -> BrowserContext:
    """A browser in which somebody is signed in."""
    context = chromium.new_context(
        viewport={"width": width, "height": 800}, java_script_enabled=script, base_url=site.address, locale="cs-CZ"
    )
    context.set_default_timeout(8_000)
    context.add_cookies([{"name": "sessionid", "value": site.sessions[who], "url": site.address}])
    return context
