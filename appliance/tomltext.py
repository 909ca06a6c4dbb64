"""TOML of a file that may be anything: whatever is wrong with it is one kind of error, in words."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from typing import Any

from appliance.configwords import parsed


class TomlError(ValueError):
    """The text says what is wrong, without the file's name."""


def toml_values(data: bytes, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """The tables of a file. Raises `TomlError`."""
    try:
        return tomllib.loads(data.decode(), parse_float=parse_float)
    except RecursionError:
        raise TomlError("lists or tables within each other, too deep") from None
    except ValueError as error:  # of the notation, of UTF-8, or a number too long to be read
        raise TomlError(parsed(str(error))) from None
