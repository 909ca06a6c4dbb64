"""A page in Chromium that shows a table's clock: what a kiosk would be, were it a browser.

It shows what the kiosk shows, by ordinary means: the felt, level, time and the bar below it, blinds, seats, figures.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from appliance.orphan import die_with_parent

_NAMES = ("chromium", "chromium-browser", "google-chrome")


def browser() -> str:
    """The program. Raises FileNotFoundError."""
    found = next((path for name in _NAMES if (path := shutil.which(name))), None)
    if found is None:
        raise FileNotFoundError(f"none of {', '.join(_NAMES)} is installed")
    return found


def open_page(folder: Path, size: tuple[int, int]) -> subprocess.Popen[bytes]:
    """Start it as a kiosk's, on the display of the environment and a page in ``folder``; ended with its parent.

    ``--no-sandbox``: a bench may run as root, for whom Chromium starts in no other way.
    """
    page = folder / "clock.html"
    page.write_text(PAGE)
    command = [
        browser(),
        "--kiosk",
        f"--app=file://{page}",
        f"--user-data-dir={folder / 'profile'}",
        f"--window-size={size[0]},{size[1]}",
        "--window-position=0,0",
        "--no-first-run",
        "--no-default-browser-check",
        "--no-sandbox",
        "--disable-features=Translate",
    ]
    env = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "DISPLAY": os.environ["DISPLAY"]}
    silent = subprocess.DEVNULL
    return subprocess.Popen(
        command,
        stdin=silent,
        stdout=silent,
        stderr=silent,
        env=env,
        preexec_fn=die_with_parent(),
        start_new_session=True,
    )


PAGE = """<!doctype html>
<html lang="cs" translate="no"><head><meta charset="utf-8"><meta name="google" content="notranslate">
<title>Tableside</title><style>
body { margin: 0; background: #0d1614; color: #fffcf4; font-family: "DejaVu Sans", sans-serif; text-align: center }
header, footer { display: flex; justify-content: space-between; font-size: 3vh; padding: 2vh 3vw; color: #b9c6c0 }
#felt { margin: 0 8vw; padding: 1vh 0; border: 1vh solid #b78e54; border-radius: 36vh;
  background: radial-gradient(closest-side, #104c38, #0b3a2b) }
#time { font-size: 30vh; font-weight: bold; line-height: 1.1 }
#bar { width: 52vw; height: 1vh; margin: 0 auto; border-radius: .5vh; background: #2c6a54; overflow: hidden }
#left { height: 100%; border-radius: .5vh; background: #fadb96 }
#blinds { font-size: 11vh; font-weight: bold; color: #fadb96 }
#next { font-size: 4vh; color: #b9c6c0 }
ul { display: flex; justify-content: center; list-style: none; margin: 1vh 0; padding: 0; font-size: 2.6vh }
li { border: 2px solid #405c50; border-radius: 4vh; padding: 1vh 1.2vw; margin: 0 .4vw }
</style></head><body>
<header><span>Stůl 2 · Herna U Měřidla</span><span id="now"></span></header>
<div id="felt"><div>Úroveň 7</div><div id="time"></div><div id="bar"><div id="left"></div></div>
<div id="blinds">3 000 / 6 000</div></div>
<div id="next">Další: 4 000 / 8 000 · přestávka za <span id="break"></span></div>
<ul><li>1 Řehoř Š.</li><li>2 Žofie Ď.</li><li>3 Ctibor Č.</li><li>4 Ludmila K.</li><li>5 Matěj H.</li></ul>
<ul><li>6 Dorota T.</li><li>7 Jáchym V.</li><li>8 Eliška J.</li><li>9 Zdeněk N.</li></ul>
<footer><span>18 / 18 hráčů</span><span>průměr 75 000</span><span>1. 3 375 Kč · 2. 2 025 Kč</span></footer>
<script>
const ends = Date.now() + 20 * 60000;
function put(id, text) {
  const at = document.getElementById(id);
  if (at.textContent !== text) at.textContent = text;
}
const two = number => String(number).padStart(2, "0");
const clock = seconds => two(Math.floor(seconds / 60)) + ":" + two(seconds % 60);
function tick() {
  const left = Math.max(0, ends - Date.now()), seconds = Math.ceil(left / 1000), now = new Date();
  put("time", clock(seconds));
  document.getElementById("left").style.width = `${seconds / 12}%`;
  put("break", `${Math.ceil(seconds / 60) + 20} min`);
  put("now", two(now.getHours()) + ":" + two(now.getMinutes()));
  setTimeout(tick, (left - 1) % 1000 + 1);
}
tick();
</script></body></html>
"""
