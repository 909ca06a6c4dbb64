"""Scripts of a cash session: the form of a round's script, with ``session`` in the place of ``round``.

A line may also hold what a dealer tells of the hand in play: a command of the table's stream.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, get_args

from msgspec import Struct

from appliance.game.cash.commands import AnyCashCommand, CashCommand, decode_cash_command
from appliance.game.reading import CommandError
from appliance.game.script import read_lines
from appliance.game.tablestream.commands import AnyTableCommand, BeginHand, TableCommand, decode_table_command

AnyHandCommand = tuple(kind for kind in get_args(AnyTableCommand) if kind is not BeginHand)
"""What may be told of the hand in play: it begins to be followed by itself."""

_OF_A_HAND = [str(kind.__struct_config__.tag) for kind in AnyHandCommand]
_KNOWN = [*(str(kind.__struct_config__.tag) for kind in get_args(AnyCashCommand)), *_OF_A_HAND]


class OfTheHand(Struct, frozen=True):
    """Something told of the hand in play, of this number; None: whichever it is when the line is reached."""

    session: str
    command: TableCommand
    hand: int | None = None


class CashLine(NamedTuple):
    """A command of a script: where it stands and when it is given (UTC ms)."""

    line_no: int
    at_ms: int
    command: CashCommand | OfTheHand


def parse_cash_script(lines: Iterable[str | bytes]) -> list[CashLine]:
    """Read a whole script; raises `ScriptError` at the first line that is wrong."""
    return [CashLine(*line) for line in read_lines(lines, _decode, "session")]


def line_commands() -> tuple[type[Struct], ...]:
    """All that a line may ask for."""
    return (*get_args(AnyCashCommand), *AnyHandCommand)


def _decode(fields: dict[str, Any]) -> CashCommand | OfTheHand:
    do = fields.get("do")
    if isinstance(do, str) and do not in _KNOWN:
        raise CommandError("do", f"{do[:40]!r} is none of {', '.join(_KNOWN)}")
    if do not in _OF_A_HAND:
        return decode_cash_command(fields)
    session = fields.pop("session", None)
    if "round" in fields:
        raise CommandError("round", "unknown field")
    if session is None:
        raise CommandError("session", "is missing")
    hand = fields.get("hand")
    of_one = {} if fields["do"] == "make_ruling" and hand is None else {"hand": 1 if hand is None else hand}
    try:
        command = decode_table_command({**fields, "round": session, **of_one})
    except CommandError as error:
        raise CommandError("session" if error.field == "round" else error.field, error.reason) from None
    return OfTheHand(session, command, hand)
