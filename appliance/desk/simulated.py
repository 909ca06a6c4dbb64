"""Simulated cards on the desk, out of files: for rehearsals, and for tests of the whole way."""

from __future__ import annotations

import secrets
from typing import TypeAlias

from appliance.cards.emulator.ntag21x import EmulatedNtag21x
from appliance.cards.emulator.ntag21x_models import Model
from appliance.cards.emulator.ntag424 import EmulatedNtag424
from appliance.cards.originality import PublicKey, public_key
from appliance.hw.ports import Channel
from appliance.hw.simulated_card import Laid

AnyCard: TypeAlias = EmulatedNtag424 | EmulatedNtag21x

MAKER = 0x7AB1E51DE
"""The private key of who makes simulated NTAG21x."""


def maker() -> PublicKey:
    """The public half of `MAKER`."""
    return public_key(MAKER)


def blank(chip: str) -> AnyCard:
    """A new card as delivered, with a random number: ``ntag424``, ``ntag213``, ``ntag215`` or ``ntag216``."""
    if chip == "ntag424":
        return EmulatedNtag424()
    return EmulatedNtag21x(Model[chip.upper()], b"\x04" + secrets.token_bytes(6), MAKER)


def channel(card: AnyCard) -> Channel:
    """Talk with a simulated card that lies in the field."""
    return Laid(card).channel(lambda: True)
