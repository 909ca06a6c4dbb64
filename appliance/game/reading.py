"""Reading JSON from people and devices: strict, bounded, and with an error that names the field."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

from appliance.game.allowed import allowed_at

MAX_COMMAND_BYTES = 64 * 1024
"""No command is larger: a start that fixes ninety seats takes three kilobytes."""

_FIELD = re.compile("Object contains unknown field `(?P<unknown>.*)`|Object missing required field `(?P<missing>.*)`")

_CHOICE = re.compile("Invalid (enum )?value (?P<value>.*)", re.DOTALL)


class _NotWhole(str):
    """A number that is not whole, as it was written."""


class CommandError(ValueError):
    """A command that is no command; ``field`` names the place, ``reason`` says what is wrong with it."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}" if field else reason)
        self.field = field
        self.reason = reason


def read_object(text: bytes | str) -> dict[str, Any]:
    """Read one JSON object; numbers are whole, keys are unique. Raises `CommandError`."""
    if len(text) > MAX_COMMAND_BYTES:
        raise CommandError("", f"longer than {MAX_COMMAND_BYTES} bytes")
    try:
        found = json.loads(
            text,
            object_pairs_hook=_unique,
            parse_float=_NotWhole,
            parse_constant=_NotWhole,
            parse_int=_whole_number,
        )
    except RecursionError:
        raise CommandError("", "nested too deep") from None
    except UnicodeDecodeError as error:
        raise CommandError("", f"not UTF-8 at byte {error.start + 1}") from None
    except json.JSONDecodeError as error:
        raise CommandError("", f"not JSON: {error.msg} at character {error.pos + 1}") from None
    if not isinstance(found, dict):
        raise CommandError("", "not a JSON object")
    return found


def read_command(source: bytes | str | dict[str, Any], kinds: Any) -> Any:
    """Read one of the commands ``kinds`` from JSON text, or from an object already read; raises `CommandError`."""
    fields = read_object(source) if isinstance(source, bytes | str) else source
    try:
        command = msgspec.convert(fields, kinds, strict=True, str_keys=True)
        msgspec.json.encode(command)
    except msgspec.ValidationError as error:
        raise from_validation(str(error), kinds, fields) from None
    except RecursionError:
        raise CommandError("", "nested too deep") from None
    except UnicodeEncodeError:
        raise CommandError("", "half of a surrogate pair is no character") from None
    return command


def from_validation(message: str, kinds: Any = None, fields: dict[str, Any] | None = None) -> CommandError:
    """Turn msgspec's "Expected `int`, got `str` - at `$.amount`" into a field and a reason.

    Where a value of ``fields`` is none of those there are, the reason lists them by ``kinds``.
    """
    reason, _, path = message.partition(" - at ")
    field = path.replace("`key` in ", "").strip("`").removeprefix("$").removeprefix(".")
    if found := _FIELD.fullmatch(reason):
        is_unknown = found["unknown"] is not None
        named = found["unknown"] if is_unknown else found["missing"]
        field = f"{field}.{named}" if field else named
        reason = "unknown field" if is_unknown else "is missing"
    if (found := _CHOICE.fullmatch(reason)) and (known := allowed_at(kinds, fields or {}, field)):
        return CommandError(field[:200], f"{found['value'][:60]} is none of {', '.join(known)}")
    return CommandError(field[:200], reason[:300])


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        raise CommandError(next(key for key in keys if keys.count(key) > 1)[:40], "is there twice")
    for key, value in pairs:
        if (number := _not_whole(value)) is not None:
            raise CommandError(key[:40], f"{number[:20]} is not a whole number")
    return found


def _not_whole(value: Any) -> str | None:
    """A number that is not whole, here or in an array here; objects within were looked through already."""
    rest = [value]
    while rest:
        each = rest.pop()
        if isinstance(each, _NotWhole):
            return each
        if isinstance(each, list):
            rest += each
    return None


def _whole_number(text: str) -> int:
    if len(text) > 20:
        raise CommandError("", f"{text[:20]}… is too large a number")
    return int(text)
