"""Draw the pictures of the office's pages for the guides in docs anew: look at them, then commit them.

python -m tests.office.pictures        # or make office-pictures
"""

from __future__ import annotations

import io
import os
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.office.conftest import made, served, signed_in

PLACE = Path(__file__).parents[2] / "docs/img/office"
MOST_BYTES = 60_000
COLOURS = 48
TALLEST = 1100
PICTURES = {
    "overview": ("everybody", "/office/", 1280),
    "participants": ("clerk", "/office/participants/", 1280),
    "register": ("clerk", "/office/participants/new/", 1280),
    "person": ("clerk", "/office/participants/000901/", 1280),
    "cards": ("clerk", "/office/cards/", 1280),
    "rounds": ("commissioner", "/office/rounds/", 1280),
    "plan": ("commissioner", "/office/rounds/new/", 1280),
    "round": ("commissioner", "/office/rounds/round/OPEN/", 1280),
    "season": ("commissioner", "/office/seasons/2027/", 1280),
    "publishing": ("commissioner", "/office/publishing/", 1280),
    "letters": ("clerk", "/office/letters/", 1280),
    "fleet": ("operator", "/en/office/fleet/venues/zabreh/", 1280),
    "audit": ("auditor", "/office/audit/", 1280),
    "person-phone": ("clerk", "/office/participants/000901/", 360),
    "round-phone": ("clerk", "/office/rounds/round/OPEN/", 360),
    "own-phone": ("participant", "/me/", 360),
}
"""Name → who looks, at which page, how wide."""


def small(png: bytes) -> bytes:
    """The same picture in few colours, as tall as a page of the guide can bear. Raises ValueError if it stays large."""
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    picture = picture.crop((0, 0, picture.width, min(picture.height, TALLEST)))
    out = io.BytesIO()
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    if out.tell() >= MOST_BYTES:
        raise ValueError(f"{out.tell()} bytes")
    return out.getvalue()


def main() -> None:
    """Draw all of them."""
    from tests.league.test_browser import CHROMIUM, FLAGS

    PLACE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=[*FLAGS, "--lang=cs"],
            env=os.environ | {"LANGUAGE": "cs", "LANG": "cs_CZ.UTF-8"},
        )
        with served(made(Path(folder) / "made"), Path(folder) / "league") as site:
            for name, (who, address, width) in PICTURES.items():
                context = signed_in(browser, site, who, width=width)
                page = context.new_page()
                page.goto(address)
                (PLACE / f"{name}.png").write_bytes(small(page.screenshot(full_page=True)))
                context.close()
        browser.close()


if __name__ == "__main__":
    main()
