"""What a dealer's phone may do: keys of its table's pad, calls for the floor, what a table itself may ask."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from appliance.console.asked import Asks
from appliance.console.views.page import Page
from appliance.console.views.sending import MOVED_ON, read
from appliance.floor.building import read_seat
from appliance.floor.forms import Action, Filled
from appliance.floorcalls import ended, of_table, open_calls
from appliance.game.refusal import Refusal
from appliance.kinds import FloorCall
from appliance.link.envelope import PadShown
from appliance.pad import At, Pad, press
from appliance.pad_state import KEYS as PAD_KEYS
from appliance.pad_state import touched
from appliance.phone import Phone

KEYS = "keys"
"""The form's name by which keys of a pad are pressed."""

CALLS = frozenset({"call-floor", "call-time", "call-ended"})
"""A table calls the floor, asks it to start somebody's time, or takes that back; a commissioner has seen to it."""

DEALER_ACTIONS = frozenset({"next_hand", "bust", "stacks"})
"""What a table's own device may ask of its round (`appliance.tablekeys`)."""

_MOST_KEYS = 40
_pads = msgspec.json.Decoder(Pad)


def may(phone: Phone, action: Action) -> bool:
    """Whether a phone has the form of an action at all."""
    return phone.role == "commissioner" or action.id in DEALER_ACTIONS


def is_of_table(page: Page, action: Action, filled: Filled) -> bool:
    """Whether a form is about the dealer's own table; a commissioner's may be about any."""
    phone, round = page.asked.phone, page.round
    if phone.role != "dealer":
        return True
    if round is None or phone.table is None:
        return False
    if "table" in filled and filled["table"] != str(phone.table):
        return False
    who = filled.get("participant")
    if who is not None:
        player = round.players.get(str(who))
        return player is not None and player.seat is not None and player.seat.table == phone.table
    if "seat" in filled:
        try:
            return read_seat(str(filled["seat"])).table == phone.table
        except ValueError:
            return False
    return True


def table_of(page: Page, answers: Mapping[str, str]) -> int | None:
    """The table that keys or calls are about: a dealer's own, whatever was sent."""
    phone = page.asked.phone
    if phone.role == "dealer":
        return phone.table
    number = answers.get("table", "")
    return int(number) if number.isascii() and number.isdigit() and len(number) < 3 else None


def keys_in(text: str) -> str:
    """The keys of a text that are keys, parted by spaces. An amount is typed at once: ``amount:400`` is three keys."""
    found: list[str] = []
    for word in text.split():
        found += list(_of_amount(word.removeprefix("amount:"))) if word.startswith("amount:") else [word]
    return " ".join(key for key in found if key in PAD_KEYS or touched(key) is not None)


def _of_amount(amount: str) -> list[str]:
    return ["plus" if char == "+" else char for char in amount if char == "+" or (char.isascii() and char.isdigit())]


def pad_of(shown: PadShown) -> Pad:
    """The pad as its kiosk told it; what cannot be read is an empty one."""
    try:
        return _pads.decode(bytes(shown.pad))
    except msgspec.MsgspecError:
        return Pad()


def _cleared(page: Page, table: int) -> str:
    """The keys that take back what is typed on the pad: an amount is typed as a whole."""
    sight = page.asked.sight
    shown, hands = sight.pads.get(table), sight.tables.get(table)
    pad = pad_of(shown) if shown is not None and hands is not None else Pad()
    pressed = 0
    while hands is not None and pad.mode == "play" and pad.typed and pressed < _MOST_KEYS:
        pad, pressed = press(pad, "back", At(hands, page.round, table)).pad, pressed + 1
    return "back " * pressed


async def keys(way: Asks, page: Page, answers: Mapping[str, str], id: str) -> str:
    """Press keys of the pad as it was shown; nothing comes back but why not, the pad itself shows what they did."""
    table = table_of(page, answers)
    amount = "".join(answers.get("amount", "").split())
    typed = f"{_cleared(page, table)}amount:{amount} " if amount and table is not None else ""
    pressed = keys_in(typed + answers.get("keys", ""))
    if table is None or not pressed or len(pressed.split()) > _MOST_KEYS:
        return page.refused(Refusal("key-idle"))
    answered = await way.keys(page.asked.phone, id, table, pressed, answers.get("seen", ""))
    if answered.ok:
        return page.done("")
    refusal = read(answered.refusal)
    if refusal.code == MOVED_ON:  # the pad shows what it is by now
        return page.done(page.tr.gettext("The state has moved on. Nothing was done."))
    return page.refused(refusal)


async def call(way: Asks, page: Page, action: str, answers: Mapping[str, str], id: str) -> str:
    """Call the floor from the dealer's table, or say that a call has been seen to."""
    table, at = table_of(page, answers), page.asked.now_ms
    stands = None if table is None else of_table(open_calls(page.asked.sight.notes, at), table)
    device = page.asked.phone.device
    if table is None or (action == "call-ended" and stands is None):
        return page.refused(Refusal("stale"))
    if action == "call-ended" and stands is not None:
        note = ended(stands, at)
    else:
        about: Literal["floor", "time"] = "time" if action == "call-time" else "floor"
        note = FloorCall(device=device, table=table, about=about, open=True, at=at)
    answered = await way.note(page.asked.phone, id, note)
    if not answered.ok:
        return page.refused(read(answered.refusal))
    said = {
        "call-floor": page.tr.gettext("The floor is called to table {table}.", table=table),
        "call-time": page.tr.gettext("The floor is asked for time at table {table}.", table=table),
        "call-ended": page.tr.gettext("The call of table {table} is seen to.", table=table),
    }[action]
    return page.done(said, copied=answered.copied)
