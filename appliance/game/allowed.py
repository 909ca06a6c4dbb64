"""What could stand at a place of a command instead of what does: for the message that refuses it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import Any

from msgspec import inspect

_STEP = re.compile(r"[^.\[\]]+|\[[^\]]*\]")
"""A step of a path as msgspec tells it: a field's name, or an index or key in brackets."""


def allowed_at(kinds: Any, fields: dict[str, Any], path: str) -> list[str]:
    """The values allowed at ``path`` of a command of ``kinds``; none where they cannot be listed."""
    found = inspect.type_info(kinds)
    structs = [each for each in _flat(found) if isinstance(each, inspect.StructType)]
    if any(each.tag_field == path for each in structs):
        return [str(each.tag) for each in structs]
    types: list[inspect.Type] = [
        each for each in structs if len(structs) == 1 or each.tag == fields.get(each.tag_field or "")
    ]
    for step in _STEP.findall(path):
        types = [inner for each in types for inner in _within(each, step)]
    return [value for each in types for value in _values(each)]


def _flat(kind: inspect.Type) -> Iterator[inspect.Type]:
    """The alternatives of a type."""
    match kind:
        case inspect.UnionType():
            for each in kind.types:
                yield from _flat(each)
        case inspect.Metadata():
            yield from _flat(kind.type)
        case _:
            yield kind


def _within(kind: inspect.Type, step: str) -> Iterator[inspect.Type]:
    """The types of what stands at a step within."""
    match kind:
        case inspect.StructType():
            for field in kind.fields:
                if field.encode_name == step:
                    yield from _flat(field.type)
        case inspect.DictType():
            yield from _flat(kind.value_type)
        case inspect.TupleType():
            for each in kind.item_types:
                yield from _flat(each)
        case inspect.CollectionType():
            yield from _flat(kind.item_type)


def _values(kind: inspect.Type) -> Iterator[str]:
    match kind:
        case inspect.LiteralType():
            yield from map(str, kind.values)
        case inspect.EnumType():
            yield from (str(each.value) for each in kind.cls if isinstance(each, Enum))
        case inspect.StructType() if kind.tag is not None:
            yield str(kind.tag)
