"""A commissioner's PIN while it is typed: digits from a keyboard, the glass or the knob. It is never shown or told.

For the engine thread. What was typed is forgotten when it was checked, when time is up, and when another card comes.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from appliance.cards.pin import PinAnswer, PinResult, Pins
from appliance.display import prompt as show
from appliance.taps import PIN_MS

LONGEST = 12

_DIGITS = {**{d: d for d in "0123456789"}, **{f"[{d}]": d for d in "0123456789"}}
_DONE = frozenset({"return", "enter", "done", "next"})
_BACK = frozenset({"backspace", "back"})
_CANCEL = frozenset({"escape", "cancel"})


class Typed(NamedTuple):
    """What a key led to: the new prompt, whose right PIN it was, whether it is over, and what a PIN was found to be."""

    say: show.EnterPin | show.PinRefused | None = None
    right: str | None = None
    over: bool = False
    found: PinAnswer | None = None


class PinWork:
    """One kiosk's. ``check`` counts wrong ones as `Pins` does."""

    def __init__(self, pins: Pins | None = None) -> None:
        self._pins = pins or Pins()
        self._who: str | None = None
        self._hash: str | None = None
        self._typed = ""
        self._turned: int | None = None
        self._left: int | None = None
        self.until = 0

    def __repr__(self) -> str:
        return f"PinWork({self._who!r})"

    @property
    def who(self) -> str | None:
        """Who is asked; None: nobody."""
        return self._who

    def begin(self, who: str, pin_hash: str | None, mono_ms: int) -> show.EnterPin | show.PinRefused:
        """Ask this commissioner, for `PIN_MS`, unless they have no PIN or none is looked at now."""
        self.end()
        if pin_hash is None:
            return show.PinRefused(who, "none")
        if wait_ns := self._pins.locked_ns(who):
            return _refused(who, PinResult(PinAnswer.LOCKED, 0, wait_ns))
        self._who, self._hash, self.until = who, pin_hash, mono_ms + PIN_MS
        return self.prompt

    def end(self) -> None:
        """Forget what was typed, and who."""
        self._who = self._hash = self._turned = self._left = None
        self._typed, self.until = "", 0

    @property
    def prompt(self) -> show.EnterPin:
        """What the screen says now."""
        return show.EnterPin(self._who or "", len(self._typed), self._left, self._turned)

    def press(self, name: str, mono_ms: int) -> Typed:
        """A key, by its name on the keyboard or on the glass; one without a meaning here changes nothing."""
        if name in _DIGITS:
            self._typed = (self._typed + _DIGITS[name])[:LONGEST]
        elif name in _BACK:
            self._typed = self._typed[:-1]
        elif name in _CANCEL:
            self.end()
            return Typed(over=True)
        elif name in _DONE and self._typed:
            return self._check(mono_ms)
        return Typed(self.prompt)

    def turn(self, steps: int) -> Typed:
        """The knob chooses a digit."""
        self._turned = (steps - 1 if self._turned is None and steps > 0 else (self._turned or 0) + steps) % 10
        return Typed(self.prompt)

    def push(self, held: bool, mono_ms: int) -> Typed:
        """The knob, pushed, takes the digit; held, it is Enter."""
        if held:
            return self.press("done", mono_ms)
        return Typed(self.prompt) if self._turned is None else self.press(str(self._turned), mono_ms)

    def _check(self, mono_ms: int) -> Typed:
        who, pin, self._typed = self._who or "", self._typed, ""
        result = self._pins.check(who, self._hash, pin)
        if result.answer is PinAnswer.RIGHT:
            self.end()
            return Typed(right=who, found=result.answer)
        if result.answer is PinAnswer.WRONG:
            self._left, self._turned, self.until = result.left, None, mono_ms + PIN_MS
            return Typed(self.prompt, found=result.answer)
        self.end()
        return Typed(_refused(who, result), over=True, found=result.answer)


def _refused(who: str, result: PinResult) -> show.PinRefused:
    why: Literal["locked", "none"] = "locked" if result.answer is PinAnswer.LOCKED else "none"
    return show.PinRefused(who, why, -(-result.wait_ns // 60_000_000_000))
