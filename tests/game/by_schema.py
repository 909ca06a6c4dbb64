"""Values of any msgspec type, drawn from the type itself: what a decoder takes, ordinary or absurd.

Numbers, participants, tables and times are mostly such as an evening knows, so that what is drawn means something;
sometimes they are at the bounds of their type.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from msgspec import inspect

SEVEN_PM = 1_800_036_000_000
PLAYERS = tuple(f"{n:06}" for n in range(1, 8))
STRANGERS = ("0", "9", "000000000001", "999999999999")
TIMES = ("2027-01-15T19:00:00+01:00", "2027-01-14T19:00:00.001Z", "1970-01-01T00:00Z", "2199-12-31T23:59:59Z")
TEXTS = ("", "x", "žluťoučký", "\x00", "𝄞" * 250, "<b>", "%s {0}")
_NAMED: Mapping[str, tuple[Any, ...]] = {
    "starts_at": TIMES,
    "do": ("pause", "next_hand", "x"),
    "by": ("pause", *PLAYERS),
    "profile": ("cpl-2017", "cpl", "casino-2012", "tda-2024", "cash-2012", "nobody"),
    "round": ("R1",) * 30 + ("R2",),
}

Draw = Callable[[random.Random], Any]


class Drawer:
    """Draws values; ``tables``, ``seats`` and ``players`` are those the evening has."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def of(self, kind: type) -> dict[str, Any]:
        """The fields of a struct as they stand in JSON, without its tag."""
        found = _info(kind)
        assert isinstance(found, inspect.StructType)
        return self._struct(found)

    def _struct(self, kind: inspect.StructType) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        for field in kind.fields:
            if not field.required and self.chance.random() < 0.4:
                continue
            fields[field.encode_name] = self._value(field.type, field.name)
        if kind.tag_field is not None:
            fields[kind.tag_field] = kind.tag
        return fields

    def _value(self, kind: Any, name: str) -> Any:
        chance = self.chance
        match kind:
            case inspect.StructType():
                return self._struct(kind)
            case inspect.UnionType():
                return self._value(chance.choice(kind.types), name)
            case inspect.NoneType():
                return None
            case inspect.BoolType():
                return chance.random() < 0.5
            case inspect.IntType():
                return self._number(kind, name)
            case inspect.StrType():
                return self._text(kind, name)
            case inspect.LiteralType() | inspect.EnumType():
                values = kind.values if isinstance(kind, inspect.LiteralType) else [each.value for each in kind.cls]
                return chance.choice(list(values))
            case inspect.NamedTupleType():
                return [self._value(field.type, field.name) for field in kind.fields]
            case inspect.TupleType():
                return [self._value(each, name) for each in kind.item_types]
            case inspect.VarTupleType() | inspect.ListType():
                return [self._value(kind.item_type, name) for _ in range(self._size(kind))]
            case inspect.DictType():
                keys = (self._value(kind.key_type, "key") for _ in range(self._size(kind)))
                return {str(key): self._value(kind.value_type, name) for key in keys}
            case _:
                raise AssertionError(f"{name}: {kind}")

    def _size(self, kind: Any) -> int:
        least = kind.min_length or 0
        most = kind.max_length if kind.max_length is not None else 1000
        return min(most, max(least, self.chance.choice((0, 1, 1, 2, 3, 6))))

    def _number(self, kind: inspect.IntType, name: str) -> int:
        chance = self.chance
        least = kind.ge if kind.ge is not None else (kind.gt + 1 if kind.gt is not None else -(2**63))
        most = kind.le if kind.le is not None else (kind.lt - 1 if kind.lt is not None else 2**64 - 1)
        usual = [chance.randint(1, 3), chance.randint(1, 3), chance.randint(0, 12), chance.choice((25, 100, 4000))]
        if most > SEVEN_PM and name in ("at", "ends_at", "starts_at", "until"):
            usual = [SEVEN_PM + chance.randint(-(10**7), 10**7)]
        extremes = [least, most, 10**12, 2**62]
        number = chance.choice(usual if chance.random() < 0.85 else extremes)
        return int(min(max(number, least), most))

    def _text(self, kind: inspect.StrType, name: str) -> str:
        chance = self.chance
        if name in _NAMED:
            return str(chance.choice(_NAMED[name]))
        pattern = kind.pattern or ""
        if pattern.startswith(r"\A[0-9]{1,12}"):
            return chance.choice(PLAYERS if chance.random() < 0.93 else STRANGERS)
        if pattern.startswith(r"\A[0-9]{1,3}"):
            return chance.choice(("50", "30", "20", "100", "33.333333", "0.000001", "999.999999"))
        if pattern.startswith(r"\A[a-z0-9-]"):
            return chance.choice(("brno", "-"))
        if pattern:
            return chance.choice(_NAMED["round"])
        text = chance.choice((*TEXTS, *PLAYERS, *TIMES, "As", "Kd", "2c"))
        return text if kind.max_length is None else text[: kind.max_length]


@cache
def _info(kind: type) -> inspect.Type:
    return inspect.type_info(kind)
