"""A page of the floor menu as frozen values. Its words are `appliance.floor`'s, in the screen's language."""

from __future__ import annotations

from typing import Literal

import msgspec


class MenuLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line: ``item`` its number among those to choose, None where it is only read.

    ``detail``: what else is to be known of it. ``why_not``: why it cannot be chosen now. ``danger``: it undoes or ends
    something for good; ``back``: it leads back. ``digit``: the key that chooses it. ``seat``: where the player sits at
    this table. ``place``: it is no line but the key that takes a number ("accept"), or the number itself ("edit").
    ``small``: it stands below what is read out.
    """

    text: str
    item: int | None = None
    detail: str = ""
    why_not: str = ""
    refused: bool = False
    selected: bool = False
    danger: bool = False
    back: bool = False
    digit: str = ""
    seat: int | None = None
    place: Literal["", "accept", "edit"] = ""
    small: bool = False


class PairingView(msgspec.Struct, frozen=True):
    """A phone that is being signed in: ``picture`` is what its camera reads, ``code`` the digits of one that has come.

    ``address``: where the phone goes; ``left``: seconds.
    """

    picture: str = ""
    code: str = ""
    address: str = ""
    left: int = 0


class MenuView(msgspec.Struct, frozen=True, kw_only=True):
    """A page. ``who``: the commissioner; ``top``: the first page, which going back leaves.

    ``number``: the number or the digits that are being entered, as they stand; ``keypad``: it is a number that is
    asked for, ``editing``: up and down change it. ``warned``: the hint says why the last key led to nothing.
    ``busy``: an answer is awaited; ``good``: what it was, ``unsure``: there was none. ``aloud``: what is only read is
    read out to a table, and is the largest. ``pairing``: the phone that is being signed in.
    """

    title: str
    who: str = ""
    top: bool = False
    question: str = ""
    lines: tuple[MenuLine, ...] = ()
    hint: str = ""
    number: str = ""
    keypad: bool = False
    editing: bool = False
    warned: bool = False
    busy: bool = False
    good: bool | None = None
    unsure: bool = False
    aloud: bool = False
    pairing: PairingView | None = None

    @property
    def items(self) -> tuple[MenuLine, ...]:
        """The lines to choose from, in the order of their numbers."""
        return tuple(line for line in self.lines if line.item is not None)

    @property
    def listed(self) -> tuple[int, ...]:
        """Which of the items are lines of a list."""
        return tuple(n for n, line in enumerate(self.items) if not line.place)

    def at(self, place: str) -> MenuLine | None:
        """The item that has this place on a page for a number."""
        return next((line for line in self.items if line.place == place), None)

    @property
    def told(self) -> tuple[MenuLine, ...]:
        """The lines that are only read."""
        return tuple(line for line in self.lines if line.item is None)

    @property
    def asked(self) -> str:
        """The question, and the digits that were typed to narrow its list down."""
        return ": ".join(filter(None, (self.question, "" if self.keypad else self.number)))

    @property
    def chosen(self) -> int:
        """Which of the lines to choose from it stands at; the first where it stands at none."""
        return next((n for n, line in enumerate(self.items) if line.selected), 0)

    @property
    def signed(self) -> bool:
        """Whether it tells what became of something: with a sign, in large letters."""
        return self.busy or self.good is not None
