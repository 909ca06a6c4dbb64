"""What every command has in common."""

from __future__ import annotations

from msgspec import Struct

from appliance.game.values import RoundId


class Command(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="do"):
    """The part all commands have: the id of the round they are meant for."""

    round: RoundId
