"""Draw the pictures of the office's pages for the guides in docs anew: look at them, then commit them.

python -m tests.office.pictures        # or make office-pictures
"""

from __future__ import annotations

import io
import os
import tempfile
from datetime import datetime
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from tests.office.conftest import Site, made, served, signed_in

PLACE = Path(__file__).parents[2] / "docs/img/office"
PUBLIC_PLACE = PLACE.parent / "public"
MOST_BYTES = 72_000
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

PUBLIC = {
    "calendar": ("/", 1280, 0), "calendar-phone": ("/en/", 360, 780), "round-phone": ("/rounds/LIVE/", 360, 0),
    "standings": ("/standings/{year}/", 1280, 0), "player-phone": ("/players/000300/", 360, 0),
    "venue": ("/en/venues/zabreh/", 1280, 0), "tv": ("/tv/", 1920, 1080),
}  # fmt: skip
"""Name → public page, how wide, and how tall unless the whole of it is shown."""


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
        with served(made(Path(folder) / "public", "public_world"), Path(folder) / "site") as site:
            draw_public(browser, site)
        browser.close()


def draw_public(browser: Browser, site: Site) -> None:
    """Those of the public pages."""
    PUBLIC_PLACE.mkdir(parents=True, exist_ok=True)
    for name, (address, width, height) in PUBLIC.items():
        page = browser.new_page(
            viewport={"width": width, "height": height or 800}, base_url=site.address,
            device_scale_factor=0.5 if width > 1280 else 1,
        )  # fmt: skip
        page.goto(address.format(year=datetime.now().astimezone().year))
        (PUBLIC_PLACE / f"{name}.png").write_bytes(small(page.screenshot(full_page=not height)))
        page.close()


if __name__ == "__main__":
    main()
