"""What keys, the knob and buttons are to the floor menu: from their own names to the menu's. Pure."""

from __future__ import annotations

from appliance.floor.forms import Here
from appliance.floor.lines import Shown, shown
from appliance.floor.menu import Menu
from appliance.hw.panel import Button

KEYBOARD = {
    **{digit: digit for digit in "0123456789"},
    **{f"[{digit}]": digit for digit in "0123456789"},
    "up": "up", "down": "down", "[-]": "down", "[+]": "up", "-": "down", "+": "up",
    "return": "enter", "enter": "enter", "right": "enter", "escape": "back", "left": "back",
    "backspace": "delete", "delete": "delete",
}  # fmt: skip
"""Keys of a keyboard and its numpad, as pygame names them."""

_KNOB = {True: "back", False: "enter"}
_BUTTONS = {Button.NEXT_HAND: "enter", Button.FLOOR: "back"}


def of_keyboard(name: str, shown: Shown) -> str | None:
    """The menu's key for a key of the keyboard, by the name it has there; None if it is none.

    Where nothing is typed, what deletes leads back. Letters are told as such, for texts.
    """
    key = KEYBOARD.get(name)
    if key == "delete" and not shown.number:
        return "back"
    if shown.letters and (len(name) == 1 or name == "space"):
        return f"char:{' ' if name == 'space' else name}"
    return key


def of_button(button: Button, held: bool) -> str | None:
    """The key that a button is: the knob pushed takes what is chosen and held leads back; next hand and floor too."""
    return _KNOB[held] if button is Button.SELECT else _BUTTONS.get(button)


def of_turn(steps: int, shown: Shown) -> tuple[str, ...]:
    """Clockwise is down a list, and up with a number."""
    forward, backward = ("up", "down") if shown.editing else ("down", "up")
    return (forward if steps > 0 else backward,) * min(abs(steps), _MOST_STEPS)


def chooses(key: str, menu: Menu, here: Here) -> bool:
    """Whether a key of the menu's means what is to be seen: all but those that move the cursor or enter something."""
    if key in ("up", "down", "delete") or key.startswith("char:"):
        return False
    return not (key.isdigit() and shown(menu, here).digits)


def pushes(key: str) -> bool:
    """Whether a key takes a line, chosen or touched: one that is pressed twice where once was meant."""
    return key == "enter" or key.startswith("item:")


_MOST_STEPS = 50
"""Of one turn; a knob tells every click or a few at a time."""
