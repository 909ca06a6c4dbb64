"""A commissioner's word that a device be let in, as a kiosk sends it: no more than a kiosk has to know of adoptions."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from appliance.game.fleet import DeviceName, KeyHex

Role = Literal["table", "door", "clock"]
"""What a device can become."""

Table = Annotated[int, Meta(ge=1, le=99)]


class Adopt(Struct, frozen=True, kw_only=True, tag_field="type", tag="adopt/1"):
    """A commissioner (``by``) lets the device with this key in, which shows ``code``, as something."""

    device: DeviceName
    key: KeyHex
    code: Annotated[str, Meta(pattern=r"\A[0-9]{8}\Z")]
    role: Role
    table: Table | None = None
    by: Annotated[str, Meta(max_length=64)]
