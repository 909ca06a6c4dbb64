"""Cutting a phone off: it was lost, or its evening is over."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from appliance.console.asked import Asks
from appliance.console.views.page import Page
from appliance.console.views.sending import read
from appliance.game.refusal import Refusal
from appliance.phonenotes import CutOffPhone

CUT_OFF = "cut-off"


async def cut_off(way: Asks, page: Page, answers: Mapping[str, str], send: bool, id: str) -> str:
    """Whose phone it is; with ``send`` it is signed out."""
    session = answers.get("session", "")
    phone = next((each for each in page.asked.sight.phones if each.session == session), None)
    if phone is None:
        return page.refused(Refusal("stale"))
    why, name = "", page.name(phone.who)
    if send:
        wish = CutOffPhone(session=session, by=page.asked.phone.who)
        answered = await way.note(page.asked.phone, id, msgspec.json.encode(wish))
        if answered.ok:
            said = page.tr.gettext("The phone of {who} is signed out.", who=name)
            return page.done(said, copied=answered.copied)
        why = page.say(read(answered.refusal))
    return page.draw("cutoff.html", session=session, who=name, what=phone.agent or phone.device, why=why)
