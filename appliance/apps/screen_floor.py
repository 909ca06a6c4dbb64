"""The floor menu of a picture: ``tableside screen --screen floor:N --keys KEYS`` (CONTRACT)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from appliance.display.scene import OpenMenu, short_name
from appliance.floor.forms import Here, Option, Pairing, Request
from appliance.floor.menu import Menu, answered, followed, lines_of, opened, press
from appliance.floor.phones import called
from appliance.floorpage import page_of
from appliance.game.command import Command
from appliance.game.refusal import Refusal
from appliance.game.roster import Language, Roster
from appliance.game.round import decide, fold
from appliance.game.state import Ledger
from appliance.link.commands import NO_ANSWER

ANSWER, PHONE = "answer", "phone"
KEYS = (
    "up", "down", "enter", "back", "delete", "0 to 9", "item:N", "card:NUMBER", "char:LETTER", ANSWER, NO_ANSWER, PHONE,
)  # fmt: skip
_KEY = re.compile(
    rf"up|down|enter|back|delete|[0-9]|item:[0-9]{{1,4}}|card:[0-9]{{1,12}}|char:.|{ANSWER}|{NO_ANSWER}|{PHONE}"
)
_ADDRESS = "http://192.168.50.20:8090/"
_OFFERED = Pairing(picture=f"{_ADDRESS}#00112233445566ff.{'S2luZyBvZiBIZWFydHM' * 3:.43}", address=_ADDRESS, left=47)
_COME = Pairing(address=_ADDRESS, left=52, code="4711", agent="Android, Firefox")


class FloorError(ValueError):
    """Keys that lead nowhere; the text says which and why."""


class _Desk:
    """The menu and the round while keys are pressed."""

    def __init__(self, here: Here) -> None:
        self.here = here
        self.menu: Menu | None = opened(here)
        self._sent: Command | None = None
        self._asked: Request | None = None

    def press(self, key: str) -> None:
        """A key, or the director's answer to what was sent."""
        if self.menu is None:
            raise FloorError(f"--keys {key}: the menu has been left")
        if key in (ANSWER, NO_ANSWER):
            self._answer(self.menu, key)
            return
        if key == PHONE:
            self._phone_comes(self.menu)
            return
        step = press(self.menu, key, self.here)
        self.menu, self._sent, self._asked = step.menu, step.command or self._sent, step.request or self._asked

    def _answer(self, menu: Menu, key: str) -> None:
        command, self._sent = self._sent, None
        asked, self._asked = self._asked, None
        if asked is not None:
            if asked == "pair-phone":
                self.here = replace(self.here, pairing=_OFFERED)
            self.menu = answered(menu, Refusal(NO_ANSWER) if key == NO_ANSWER else None)
            return
        if command is None:
            raise FloorError(f"--keys {key}: nothing was asked of the director")
        refusal = Refusal(NO_ANSWER) if key == NO_ANSWER else self._carried_out(command)
        self.menu = answered(menu, refusal)

    def _phone_comes(self, menu: Menu) -> None:
        if menu.page != "pairing":
            raise FloorError(f"--keys {PHONE}: no phone is being signed in")
        lines = lines_of(menu, self.here)
        self.here = replace(self.here, pairing=_COME)
        self.menu = followed(menu, lines, self.here)

    def _carried_out(self, command: Command) -> Refusal | None:
        ledger, at_ms = self.here.ledger or Ledger(), self.here.at_ms
        events = decide(ledger, command, at_ms, "menu")
        if isinstance(events, Refusal):
            return events
        for event in events:
            ledger = fold(ledger, event, at_ms, "menu")
        self.here = replace(self.here, ledger=ledger)
        return None


def pressed(
    ledger: Ledger, roster: Roster, at_ms: int, table: int | None, lang: Language, keys: Sequence[str]
) -> tuple[OpenMenu, Ledger]:
    """The menu at a table, or at the door, after the keys, and the round after what they did. Raises `FloorError`.

    It is the menu of the first commissioner whom the roster names.
    """
    named = ((number, entry.public_name) for number, entry in roster.entries.items())
    here = Here(
        ledger=ledger,
        at_ms=at_ms,
        place="door" if table is None else "table",
        table=table,
        names={number: short_name(name) for number, name in named if name},
        commissioner=next((who for who, entry in roster.entries.items() if entry.role == "commissioner"), ""),
        lang=lang,
        phones=(Option("0" * 16, called("dealer", 2), "Jana D. · 18:04 · Android, Chrome"),),
    )
    desk = _Desk(here)
    for key in keys:
        if not _KEY.fullmatch(key):
            raise FloorError(f"--keys {key[:20]}: {', '.join(KEYS)}")
        desk.press(key)
    if desk.menu is None:
        raise FloorError("--keys: the last one leaves the menu")
    return page_of(desk.menu, desk.here), desk.here.ledger or ledger
