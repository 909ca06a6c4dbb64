"""What a validator or parser says of a configuration, in words for whoever typed it: place first, then reason."""

from __future__ import annotations

import re
from typing import Any

import msgspec
from msgspec import inspect

_NAME = "lower-case letters a to z, digits and hyphens"
_FORMS = {
    r"^[a-z0-9-]{1,32}$": f"1 to 32 {_NAME}",
    r"^[a-z0-9-]{0,32}$": f"up to 32 {_NAME}",
    r"^[0-9a-f]{64}$": "a public key: 64 hex digits in lower case, as tableside key prints it",
    r"^([0-9a-f]{64})?$": "a public key: 64 hex digits in lower case, as tableside key prints it",
    r"^([0-9a-f]{4}:[0-9a-f]{4})?$": "vendor and product in lower-case hex, as lsusb shows them: 072f:2200",
    r"^#[0-9a-fA-F]{6}$": "a colour as #rrggbb",
    r"^[A-Za-z0-9.:-]{0,100}$": "a name or an address of a machine, without a port",
    r"^(([01]\d|2[0-3]):[0-5]\d)?$": "a time of day from 00:00 to 23:59",
}
"""What is meant by the patterns of the scheme."""

_KINDS = {"str": "text in quotation marks", "int": "a whole number", "bool": "true or false", "object": "a table"}
_MOST_SHOWN, _MOST_BITS = 80, 256
_REGEX = re.compile(r"Expected `str` matching regex '(.*)'", re.S)
_WRONG_TYPE = re.compile(r"Expected `([^`]*)`, got `([^`]*)`")
_BOUND = re.compile(r"Expected `int` ([<>]=) (-?\d+)")
_KEY_OF = re.compile(r"(.*) - at `key` in `\$\.?(.*)`", re.S)
_AT = re.compile(r"(.*) - at `\$\.?(.*)`", re.S)


def plain(text: str, scheme: type[msgspec.Struct], values: dict[str, Any]) -> str:
    """A message of msgspec about ``values``, which ``scheme`` could not take."""
    if found := _KEY_OF.fullmatch(text):
        names = _at(values, found[2].split("."))
        bad = next((name for name in names if not _fits(found[1], name)), "") if isinstance(names, dict) else ""
        return f"{found[2]}: the name {_short(bad)}: {_reason(found[1], scheme, [])}"
    found = _AT.fullmatch(text)
    if found is None:
        return text.replace("Object contains unknown field", "there is no setting")
    path = re.sub(r"\[(\d+)\]", r".\1", found[2].replace("[...]", ".*")).split(".")
    path = _found_in(path, values, found[1])
    value = _at(values, path)
    told = value is not None and not isinstance(value, dict | list) and path[-1] != "password"
    given = f"{_short(value)}: " if told else ""
    return f"{_shown(path, values)}: {given}{_reason(found[1], scheme, path)}"


def parsed(text: str) -> str:
    """A message of the TOML parser."""
    if text.startswith(("Cannot overwrite a value", "Cannot declare")):
        return f"{text}: the same table or setting twice, or a table as [name] and as [[name]]"
    return text


def _reason(text: str, scheme: type[msgspec.Struct], path: list[str]) -> str:
    if found := _REGEX.fullmatch(text):
        pattern = found[1].replace("\\\\", "\\")
        return f"expected {_FORMS.get(pattern, pattern)}"
    if found := _WRONG_TYPE.fullmatch(text):
        return f"expected {_KINDS.get(found[1].split(' ')[0], found[1])}"
    if found := _BOUND.fullmatch(text):
        return f"expected {'at least' if found[1] == '>=' else 'at most'} {found[2]}"
    if text.startswith("Invalid enum value"):
        return "expected " + " or ".join(repr(value) for value in _allowed(scheme, path))
    return text.replace("Object contains unknown field", "there is no setting")


def _short(value: object) -> str:
    """As it is written, of a long one the beginning."""
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        return "a number of so many digits"
    return repr(value) if len(repr(value)) <= _MOST_SHOWN else f"{repr(value)[:_MOST_SHOWN]}…"


def _found_in(path: list[str], values: dict[str, Any], text: str) -> list[str]:
    """msgspec does not say which entry of a table of free names it means: the first that does not fit."""
    if path[-1] != "*":
        return path
    above = path[:-1]
    table = _at(values, above)
    bad = [name for name, value in table.items() if not _fits(text, value)] if isinstance(table, dict) else []
    return [*above, *bad[:1]]


def _fits(text: str, value: object) -> bool:
    found = _REGEX.fullmatch(text)
    return isinstance(value, str) and (found is None or re.search(found[1].replace("\\\\", "\\"), value) is not None)


def _at(values: Any, path: list[str]) -> Any:
    for step in path:
        if isinstance(values, dict):
            values = values.get(step)
        elif isinstance(values, list) and step.isdecimal() and int(step) < len(values):
            values = values[int(step)]
        else:
            return None
    return values


def _shown(path: list[str], values: dict[str, Any]) -> str:
    """``reader.1.match`` is the second reader's, which is called reader-2 wherever it has no name."""
    listed = values.get(path[0])
    if len(path) > 1 and path[1].isdecimal() and isinstance(listed, list):
        many = len(listed) > 1
        path = [f"{path[0]}-{int(path[1]) + 1}" if many else path[0], *path[2:]]
    return ".".join(path)


def _allowed(scheme: type[msgspec.Struct], path: list[str]) -> list[Any]:
    kind: Any = inspect.type_info(scheme)
    for step in path:
        if isinstance(kind, inspect.StructType):
            kind = next((field.type for field in kind.fields if field.encode_name == step), None)
        elif isinstance(kind, inspect.VarTupleType) and step.isdigit():
            kind = kind.item_type
    return list(kind.values) if isinstance(kind, inspect.LiteralType) else []
