"""Hands recorded in PHH, the poker hand history format: TOML, read as generously as its specification allows.

A ``.phh`` file is one hand, a ``.phhs`` file a table for each. Amounts are kept as the decimals written; `Scale` makes
chips of them, a chip being the smallest unit written anywhere in the file.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from decimal import Context, Decimal
from typing import Any

from msgspec import Struct

from appliance.game.hand.facts import Problem

VARIANT = "NT"
"""No-limit hold'em; of other variants nothing is read but the name."""

UNKNOWN_STACK = 10**40
"""The chips of a player whose stack nobody wrote down (``inf``): more than any bet, whatever the scale."""

_MOST = Decimal(10**15)
_PLACES_MOST = 20
_EXACT = Context(prec=64)
_LARGEST = 2**63
_SEVERAL = ("antes", "blinds_or_straddles", "starting_stacks")


class PhhError(ValueError):
    """A file that is no hand history at all; the text says why, in one line."""


class Recorded(Struct, frozen=True, kw_only=True):
    """A hand as it was written down. Amounts by position, in the order of the file."""

    name: int | str
    """Its ``hand``, else the name of its table in the file."""
    antes: tuple[Decimal, ...]
    blinds: tuple[Decimal, ...]
    """Blinds and straddles, heads-up small and big though the second player has the small one; posts negative."""
    min_bet: Decimal
    stacks: tuple[Decimal, ...]
    """Infinite where it is not known."""
    actions: tuple[str, ...]
    trims_antes: bool = False
    """Who is short of the ante contests only as much of the others'."""
    winnings: tuple[Decimal, ...] = ()
    """What each took from the pot, after rake; none if not recorded."""
    finishing: tuple[Decimal, ...] = ()
    """The stacks at the end; none if not recorded."""
    unit: Decimal | None = None
    """The smallest chip (``_unit``), where it is not the smallest unit written in the file."""
    fields: Mapping[str, Any] = {}
    """All the fields of the file, also those that do not matter here."""


class Unreadable(Struct, frozen=True):
    """A hand of a file that cannot be played, and why."""

    name: int | str
    problem: Problem


class Scale(Struct, frozen=True):
    """How many decimal places of the amounts are chips."""

    places: int = 0

    @classmethod
    def of(cls, amounts: Iterator[Decimal]) -> Scale:
        """The one at which all of these amounts are whole."""
        return cls(max((places_of(amount) for amount in amounts if amount.is_finite()), default=0))

    def chips(self, amount: Decimal) -> int:
        """An amount in chips, which must be whole."""
        return int(amount.scaleb(self.places, _EXACT)) if amount.is_finite() else UNKNOWN_STACK

    def amount(self, chips: int) -> int | Decimal:
        """Chips as an amount: whole where it is, else with all the places of the file."""
        unit: int = 10**self.places
        if not chips % unit:
            return chips // unit
        return Decimal(chips).scaleb(-self.places, _EXACT)


def read(text: str) -> list[Recorded | Unreadable]:
    """The hands of a file. Raises `PhhError` where it is no TOML, or has no hand in it."""
    try:
        document = tomllib.loads(text, parse_float=_decimal)
    except (ValueError, RecursionError) as error:
        reason = " ".join(str(error).split()) or "nested too deep"
        raise PhhError(f"no TOML: {reason[:200]}") from None
    hands = [_read(name, fields) for name, fields in _hands(document)]
    if not hands:
        raise PhhError("there is no hand in it")
    return hands


def places_of(amount: Decimal) -> int:
    """The decimal places an amount is written with."""
    exponent = amount.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def amount_of(value: object) -> Decimal:
    """A number of TOML, or a text of one, as an amount. Raises ValueError."""
    if isinstance(value, bool) or not isinstance(value, (int, str, Decimal)):
        raise ValueError(f"no amount: {str(value)[:20]!r}")
    if isinstance(value, int) and abs(value) >= _MOST:
        raise ValueError("an amount too large")
    amount = value if isinstance(value, Decimal) else _decimal(str(value))
    if amount.is_nan():
        raise ValueError("no amount: 'nan'")
    if amount.is_finite() and (abs(amount) >= _MOST or places_of(amount) > _PLACES_MOST):
        raise ValueError("an amount too large, or with too many places")
    return amount


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(text)
    except ArithmeticError:
        raise ValueError(f"no amount: {text[:20]!r}") from None


def _hands(document: Mapping[str, Any]) -> Iterator[tuple[int | str, Mapping[str, Any]]]:
    """Every hand and its name: the file itself, or its tables; of tables in tables (``[day.7]``) the inner ones."""
    if _is_hand(document):
        yield 1, document
        return
    for name, fields in _tables(document):
        inner = [] if _is_hand(fields) else [(key, value) for key, value in _tables(fields) if _is_hand(value)]
        yield from ((f"{name}.{key}", value) for key, value in inner)
        if not inner:
            yield name, fields


def _is_hand(fields: Mapping[str, Any]) -> bool:
    return "variant" in fields or "actions" in fields or "starting_stacks" in fields


def _tables(document: Mapping[str, Any]) -> Iterator[tuple[int | str, Mapping[str, Any]]]:
    """The tables of a document, but those of its user (``_mine``)."""
    for name, value in document.items():
        tables = [] if name.startswith("_") else value if isinstance(value, list) else [value]
        for number, fields in enumerate(table for table in tables if isinstance(table, dict)):
            named: int | str = int(name) if name.isdecimal() and len(name) < 19 else name
            yield named if not number else f"{name}.{number}", fields


def _read(name: int | str, fields: Mapping[str, Any]) -> Recorded | Unreadable:
    given = fields.get("hand", name)
    if isinstance(given, (int, str)) and not isinstance(given, bool):
        name = given if isinstance(given, str) or abs(given) < _LARGEST else str(given)
    variant = fields.get("variant")
    if not isinstance(variant, str) or variant.strip().upper() != VARIANT:
        return Unreadable(name, _bad("variant", str(variant)[:20] if variant is not None else None))
    try:
        return _recorded(name, fields)
    except ValueError as error:
        field, _, reason = str(error).partition(": ")
        return Unreadable(name, _bad(field, reason))


def _recorded(name: int | str, fields: Mapping[str, Any]) -> Recorded:
    amounts = {field: _amounts(field, fields) for field in _SEVERAL}
    stacks, blinds = amounts["starting_stacks"], amounts["blinds_or_straddles"]
    none = (Decimal(0),) * len(stacks)
    actions = fields.get("actions", [])
    if not isinstance(actions, list) or not all(isinstance(action, str) for action in actions):
        raise ValueError("actions: not an array of strings")
    return Recorded(
        name=name,
        antes=amounts["antes"] or none,
        blinds=blinds or none,
        min_bet=_min_bet(fields, blinds),
        stacks=stacks,
        actions=tuple(actions),
        trims_antes=fields.get("ante_trimming_status") is True,
        winnings=_told_amounts("winnings", fields),
        finishing=_told_amounts("finishing_stacks", fields),
        unit=_positive("_unit", fields["_unit"]) if "_unit" in fields else None,
        fields=fields,
    )


def _amounts(field: str, fields: Mapping[str, Any]) -> tuple[Decimal, ...]:
    values = fields.get(field, [])
    players = fields.get("starting_stacks")
    if not isinstance(values, list) or not isinstance(players, list):
        raise ValueError(f"{field}: not an array of numbers")
    if values and len(values) != len(players):
        raise ValueError(f"{field}: {len(values)} for {len(players)} players")
    try:
        amounts = tuple(map(amount_of, values))
    except ValueError as error:
        raise ValueError(f"{field}: {error}") from None
    if field == "starting_stacks":
        if len(amounts) < 2 or min(amounts) <= 0:
            raise ValueError(f"{field}: a hand needs two stacks of chips")
    elif any(not amount.is_finite() for amount in amounts):
        raise ValueError(f"{field}: not an amount of chips")
    if field != "blinds_or_straddles" and amounts and min(amounts) < 0:
        raise ValueError(f"{field}: less than nothing")
    return amounts


def _told_amounts(field: str, fields: Mapping[str, Any]) -> tuple[Decimal, ...]:
    """Amounts that decide nothing but what is unknown otherwise: none where they cannot be read."""
    try:
        return _amounts(field, fields)
    except ValueError:
        return ()


def _min_bet(fields: Mapping[str, Any], blinds: tuple[Decimal, ...]) -> Decimal:
    """The big blind where it is not said."""
    return _positive("min_bet", fields["min_bet"] if "min_bet" in fields else max(map(abs, blinds[:2]), default=0))


def _positive(field: str, value: object) -> Decimal:
    try:
        amount = amount_of(value)
    except ValueError as error:
        raise ValueError(f"{field}: {error}") from None
    if not amount.is_finite() or amount <= 0:
        raise ValueError(f"{field}: nothing")
    return amount


def _bad(field: str, reason: str | None) -> Problem:
    return Problem("bad-notation", {"field": field, "reason": reason})
