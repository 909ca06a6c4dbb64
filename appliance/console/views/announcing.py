"""A word of the floor to all screens of the venue."""

from __future__ import annotations

from collections.abc import Mapping

from appliance.console.asked import Asks
from appliance.console.views.page import Page
from appliance.console.views.sending import read
from appliance.floorwords import LONGEST_WORD, MINUTES, FloorWord, standing
from appliance.plaintext import is_blank, plain

ANNOUNCE = "announcement"


def shown(page: Page, *, why: str = "", text: str = "", minutes: int = MINUTES[1], sheet: bool = False) -> str:
    """The page: what screens show now, and a word to say."""
    word = standing(page.asked.sight.notes, page.asked.now_ms)
    said = None
    if word is not None:
        said = (word.text, page.name(word.by), page.clock(word.at), page.clock(word.until))
    return page.draw(
        "announcements.html", said=said, why=why, text=text, most=LONGEST_WORD, choices=MINUTES, chosen=minutes,
        sheet=sheet,
    )  # fmt: skip


async def announcement(way: Asks, page: Page, answers: Mapping[str, str], send: bool, id: str) -> str:
    """Have it shown on all screens; an empty one takes back what they show."""
    text = " ".join(plain(answers.get("text", "")).split())[:LONGEST_WORD]
    minutes = next((each for each in MINUTES if str(each) == answers.get("minutes")), MINUTES[1])
    taken_back = answers.get("end") == "1"
    if not send:
        return shown(page, text=text, minutes=minutes, sheet=True)
    if is_blank(text) and not taken_back:
        return shown(page, why=page.tr.gettext("There is nothing to say yet."), minutes=minutes, sheet=True)
    at, phone = page.asked.now_ms, page.asked.phone
    until = at if taken_back else at + minutes * 60_000
    note = FloorWord(device=phone.device, by=phone.who, text="" if taken_back else text, at=at, until=until)
    answered = await way.note(phone, id, note)
    if not answered.ok:
        return shown(page, why=page.say(read(answered.refusal)), text=text, minutes=minutes, sheet=True)
    tr = page.tr
    said = tr.gettext("The screens no longer show it.") if taken_back else tr.gettext("All screens show it.")
    return page.done(said, copied=answered.copied)
