"""tableside doctor on the display: what the kernel's connectors say."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.config import Config, Device, Screen
from appliance.health.display import check
from appliance.health.finding import said
from appliance.i18n import Translator


def connector(root: Path, name: str, status: str) -> None:
    (root / name).mkdir()
    (root / name / "status").write_text(f"{status}\n")
    (root / name / "modes").write_text("1920x1080\n" if status == "connected" else "")


def test_a_display_that_is_not_plugged_in_is_an_issue_with_a_remedy(tmp_path: Path) -> None:
    connector(tmp_path, "card1-HDMI-A-1", "disconnected")
    [finding] = check(Config(), tmp_path)
    assert (finding.standing, finding.code) == ("issue", "unplugged")
    for lang in ("cs", "en"):
        assert all(said(finding, Translator(lang)))
    connector(tmp_path, "card1-HDMI-A-2", "connected")
    [finding] = check(Config(), tmp_path)
    assert (finding.standing, finding.facts) == ("ok", {"port": "HDMI-A-2"})


@pytest.mark.parametrize(
    ("config", "code"),
    [
        (Config(), "no-connectors"),
        (Config(screen=Screen(headless=True)), "none-wanted"),
        (Config(device=Device(name="director", role="director")), "none-wanted"),
    ],
)
def test_where_no_display_is_known_or_wanted_nothing_is_wrong(tmp_path: Path, config: Config, code: str) -> None:
    [finding] = check(config, tmp_path)
    assert (finding.standing, finding.code) == ("absent", code)
