"""Draw the pictures of a phone's pages for the guides in docs anew: look at them, then commit them.

python -m tests.console.pictures        # or make phone-pictures
"""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import expect

from tests.console.stage import Phone, Stage, staged

PLACE = Path(__file__).parents[2] / "docs/img/phone"
WIDTH, HEIGHT = 360, 720
COLOURS, MOST_BYTES = 128, 60_000
WHO = [f"{number:06}" for number in range(101, 119)]


def keep(phone: Phone, name: str) -> None:
    """The page as it stands, in few colours. Raises ValueError if it stays large."""
    phone.page.evaluate("document.getElementById('toast').hidden = true; scrollTo(0, 0)")
    picture = Image.open(io.BytesIO(phone.page.screenshot())).convert("RGB")
    out = io.BytesIO()
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    if out.tell() >= MOST_BYTES:
        raise ValueError(f"{name}: {out.tell()} bytes")
    (PLACE / f"{name}.png").write_bytes(out.getvalue())


def phone_of(stage: Stage, table: int | None = None) -> Phone:
    return stage.paired(stage.phone("cs", WIDTH, HEIGHT, ratio=1), table)


def played(stage: Stage) -> None:
    """Some way into the evening."""
    floor = stage.floor
    floor.must("start")
    for table in (1, 2):
        floor.must("next_hand", table=table)
    for number in WHO[10:12]:
        floor.must("bust", participant=number)
    floor.must("deposit", participant=WHO[4], amount=100)
    floor.must("sanction", participant=WHO[6], kind="warning", reason="mluví do cizí hry")


def main() -> None:
    """Draw all of them."""
    PLACE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, staged(Path(folder), tracked=("table-1",)) as stage:
        stage.floor.must("open")
        for number in WHO:
            stage.floor.must("register", participant=number, identity_checked=True)
        commissioner, dealer = phone_of(stage), phone_of(stage, 1)
        played(stage)
        for name in ("clock", "tables", "door", "history"):
            commissioner.view(name)
            keep(commissioner, name)
        commissioner.view(f"player/{WHO[2]}")
        keep(commissioner, "player")
        commissioner.tap("sanction", participant=WHO[2])
        commissioner.fill("sanction", kind="warning")
        keep(commissioner, "form")
        expect(dealer.page.locator("#page .key.play").first).to_be_visible()
        keep(dealer, "dealer")


if __name__ == "__main__":
    main()
