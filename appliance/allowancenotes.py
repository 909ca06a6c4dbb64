"""What a venue's stream tells of its participants' allowances (T-3, DESIGN §6)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from appliance.game.tokens import Spent
from appliance.note import Note, Word


class AllowanceReturned(Note, frozen=True, tag="allowance-returned/1", kw_only=True):
    """A token is given back and spent no more; ``spent``: the participant's deposits in this venue's rounds."""

    participant: Word
    token: Word
    spent: Annotated[tuple[Spent, ...], msgspec.Meta(max_length=500)] = ()


class AllowanceAsked(Note, frozen=True, tag="allowance-asked/1", kw_only=True):
    """A participant wants to deposit in a round here, and their token is somewhere else.

    ``device``: the kiosk that knew it; empty: the director.
    """

    participant: Word
    round: Word
    device: Word = ""
