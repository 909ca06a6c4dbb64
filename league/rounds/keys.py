"""A points key as the league's database and files hold it: plain JSON, read by the rules' own decoder (P)."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from appliance.game.points import decode_key
from appliance.game.pointskey import CPL_2017, PointsKey


def read_key(data: Any) -> PointsKey:
    """The key that plain JSON values say; None: the default one. Raises `CommandError`, which names the field."""
    return CPL_2017 if data is None else decode_key(json.dumps(data))


def key_data(key: PointsKey) -> dict[str, Any]:
    """A key as plain JSON values, each of its fields written out, so that a later default changes no old key."""
    data: dict[str, Any] = msgspec.to_builtins(key, str_keys=True)
    return data
