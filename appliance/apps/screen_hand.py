"""The hand of a picture: ``tableside screen --hand FILE``, a table's hand as its dealer keyed it in (CONTRACT)."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

from appliance.filebytes import open_plain
from appliance.game.reading import CommandError
from appliance.game.refusal import Refusal
from appliance.game.state import Round
from appliance.game.tablestream.commands import TableCommand, decode_table_command
from appliance.game.tablestream.decide import decide_table
from appliance.game.tablestream.fold import INITIAL_TABLE, fold_table
from appliance.game.tablestream.proposals import begin_of
from appliance.game.tablestream.state import TableHands
from appliance.i18n import Translator
from appliance.pad import ACTIONS, KEYS, OTHERS, At, Pad, keys_of, press, refused
from appliance.pad_state import UNCLEAR

MAX_BYTES = 2**20


class HandError(ValueError):
    """A hand that cannot be shown; the text says where and why."""


class Keyed(NamedTuple):
    """The table after all keys: its hands, the dealer's keys, and those that make sense then."""

    hands: TableHands
    pad: Pad
    keys: tuple[str, ...]


def keyed(path: Path, round: Round | None, table: int) -> Keyed:
    """The hand that the round plays at this table, after the lines of a file. Raises `HandError`.

    A line holds keys by name, numbers as they are typed, or one command as a JSON object without ``round`` and
    ``hand``. A key that is refused shows on the pad, a command that is refused is an error.
    """
    begun = Refusal("no-hand") if round is None else begin_of(round, table)
    if isinstance(begun, Refusal):
        raise HandError(f"--hand: {_sentence(begun)}")
    desk = _Desk(At(INITIAL_TABLE, round, table))
    desk.give(begun)
    for number, line in enumerate(_lines(path), start=1):
        try:
            desk.read(line)
        except (HandError, CommandError, ValueError) as error:
            raise HandError(f"{path}:{number}: {error}") from None
    return Keyed(desk.at.hands, desk.pad, keys_of(desk.pad, desk.at))


class _Desk:
    """A table and its keys while a file is read."""

    def __init__(self, at: At) -> None:
        self.at = at
        self.pad = Pad()
        self._count = 0

    def give(self, command: TableCommand) -> Refusal | None:
        """Give a command to the table's stream; why it was refused."""
        answer = decide_table(self.at.hands, command)
        if isinstance(answer, Refusal):
            return answer
        self._count += 1
        for event in answer:
            self.at = self.at._replace(hands=fold_table(self.at.hands, event, f"k{self._count}"))
        return None

    def read(self, line: str) -> None:
        """A line of the file."""
        if line.startswith("{"):
            refusal = self.give(decode_table_command({**self._here(), **_object(line)}))
            if refusal is not None:
                raise HandError(_sentence(refusal))
            return
        for key in (key for word in line.split() for key in _keys(word)):
            self._press(key)

    def _press(self, key: str) -> None:
        before = self.pad
        pressed = press(before, key, self.at)
        if pressed.round_command is not None:
            raise HandError("next: the next hand begins in the script")
        self.pad = pressed.pad
        if pressed.table_command is not None:
            refusal = self.give(pressed.table_command)
            if refusal is not None:
                self.pad = refused(before, pressed.table_command, refusal)

    def _here(self) -> dict[str, Any]:
        told = self.at.hands.current or self.at.hands.last
        return {"round": told.begun.round, "hand": told.begun.hand} if told else {}


def _lines(path: Path) -> list[str]:
    """The lines without comments. Raises `HandError`."""
    try:
        with open_plain(path) as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise HandError(f"{path}: {error.strerror or error}") from None
    if len(data) > MAX_BYTES:
        raise HandError(f"{path}: more than {MAX_BYTES} bytes")
    try:
        return [re.sub(r"(^|\s)#.*", "", line).strip() for line in data.decode("utf-8-sig").splitlines()]
    except UnicodeDecodeError:
        raise HandError(f"{path}: not UTF-8") from None


def _sentence(refusal: Refusal) -> str:
    """Why it cannot be, in words, with the code and its parameters."""
    participant = refusal.detail.get("participant")
    said = Translator("en").refusal(refusal.code, {"who": participant, **refusal.detail})
    told = f" {json.dumps(dict(refusal.detail), ensure_ascii=False)}" if refusal.detail else ""
    return f"{said} ({refusal.code}{told})"


def _object(line: str) -> dict[str, Any]:
    command = json.loads(line)
    if not isinstance(command, dict):
        raise HandError("one JSON object a line")
    return command


def _keys(word: str) -> list[str]:
    """The keys of a word: one by its name, a number digit by digit, chips with ``+``, cards by rank and suit."""
    if word in KEYS or re.fullmatch(r"seat-[1-9][0-9]?", word):
        return [word]
    if re.fullmatch(r"[0-9]+(\+[0-9]+)*", word):
        return ["plus" if sign == "+" else sign for sign in word]
    if re.fullmatch(r"([AKQJT2-9][shdc])+", word):
        return list(word)
    known = ", ".join((*ACTIONS, *UNCLEAR, *OTHERS))
    raise HandError(f"{word[:20]!r} is no key: {known}, seat-N, numbers, 100+25, AsKd")
