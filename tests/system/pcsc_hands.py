"""Hands that hold cards against a kiosk's PC/SC reader, through a real pcscd."""

from __future__ import annotations

import time

from appliance.apps.demo_season import FLOOR
from appliance.cards.emulator.ntag424 import EmulatedNtag424
from appliance.cards.emulator.wallet import Wallet
from tests.contract.emulated_reader import NTAG424_ATR, ApduCard
from tests.contract.virtualcard import Address, VirtualCard
from tests.system.houses import House

DRAWN_BACK_S = 0.4
"""How long a hand stays there after the card was asked first: a dialog of a few commands is over long before."""


def card(house: House, reader: Address, uid: str) -> VirtualCard:
    """A card in the reader's field: the commissioner's is genuine, of others there is nothing but the UID."""
    if uid != FLOOR.uid:
        return VirtualCard(reader, uid)
    chip = Wallet(house.folder / "cards").find(uid)
    assert isinstance(chip, EmulatedNtag424)
    return VirtualCard(reader, ApduCard(uid, chip), atr=NTAG424_ATR)


def hold(house: House, reader: Address, uid: str, timeout: float = 30.0) -> None:
    """Hold a card there until it was asked, and as long as a hand takes to draw back; raises TimeoutError."""
    with card(house, reader, uid) as held:
        held.wait_until_read(timeout)
        time.sleep(DRAWN_BACK_S)
