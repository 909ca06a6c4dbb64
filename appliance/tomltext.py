"""TOML of a file that may be anything: whatever is wrong with it is one kind of error, in words."""

from __future__ import annotations

import tomllib
from typing import Any

from appliance.configwords import parsed

_MOST_DOTS = 100
"""In a line: a name of so many parts is none, and the parser's time grows with the square of their number."""


class TomlError(ValueError):
    """The text says what is wrong, without the file's name."""


def toml_values(data: bytes) -> dict[str, Any]:
    """The tables of a file. Raises `TomlError`."""
    lines = (line for line in data.split(b"\n") if not line.lstrip().startswith(b"#"))
    if any(line.count(b".") > _MOST_DOTS for line in lines):
        raise TomlError(f"more than {_MOST_DOTS} dots in a line")
    try:
        return tomllib.loads(data.decode())
    except RecursionError:
        raise TomlError("lists or tables within each other, too deep") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TomlError(parsed(str(error))) from None
    except ValueError:  # of int, which reads no number of thousands of digits
        raise TomlError("a number of too many digits") from None
