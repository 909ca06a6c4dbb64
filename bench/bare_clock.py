"""The least a clock can cost: one digit a second on an X server, and asleep between: ``python -m bench.bare_clock``.

It knows no evening, no network and no card; what the kiosk uses beyond it is what the kiosk does.
"""

from __future__ import annotations

import os
import time

from appliance.display.fonts import BOLD, FONT_DIR

SIZE = (1280, 720)


def run() -> None:
    """Count seconds until somebody ends it."""
    os.environ["SDL_FRAMEBUFFER_ACCELERATION"] = "0"  # as the kiosk's window has it
    from appliance.display import parts

    parts.display.init()
    parts.font.init()
    glass = parts.display.set_mode(SIZE)
    font = parts.font.Font(str(FONT_DIR / BOLD), 300)
    digits = [font.render(digit, True, (255, 255, 255), (0, 0, 0)) for digit in "0123456789"]
    parts.display.update()
    second = 0
    while True:
        parts.display.update([glass.blit(digits[second % 10], (900, 200))])
        parts.event.get()
        second += 1
        time.sleep(1 - time.time() % 1)


if __name__ == "__main__":
    run()
