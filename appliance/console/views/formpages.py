"""The forms of a phone: one page each, made of the floor menu's own actions, fields and words."""

from __future__ import annotations

import re
from collections.abc import Mapping

from appliance.console.asked import Asked, Asks
from appliance.console.views import sight_pages as views
from appliance.console.views.announcing import ANNOUNCE, announcement
from appliance.console.views.cutting import CUT_OFF, cut_off
from appliance.console.views.dealing import CALLS, KEYS, call, is_of_table, keys, may
from appliance.console.views.page import Page
from appliance.console.views.parts import drawn
from appliance.console.views.reading import carried, read
from appliance.console.views.saying import values
from appliance.console.views.sending import Result, id_or_new, send
from appliance.floor.building import remaining
from appliance.floor.candidates import opens_a_table
from appliance.floor.catalogue import BY_ID
from appliance.floor.defaults import complete
from appliance.floor.forms import Action, Filled
from appliance.floor.offering import check, fits
from appliance.floor.rounds import titled
from appliance.floor.said import Said, Small
from appliance.game.refusal import Refusal

_OF_THE_VENUE = {ANNOUNCE: announcement, CUT_OFF: cut_off}
_OWN = frozenset({"was", "stamp", "about", "back", "sure", "form"})
"""What a form sends beside its answers."""

_CONSENT = "consent:"
_VIEW = re.compile(r"[a-z]{1,20}(/[0-9]{1,12})?")


async def form(way: Asks, asked: Asked, action: str, answers: Mapping[str, str], send: bool, id: str) -> str:
    """A form as it is with these answers; with ``send`` what became of it. Never raises for anything that is sent."""
    back = answers.get("back", "")
    page = Page(asked, back if _VIEW.fullmatch(back) else "")
    id = id_or_new(id, asked) if send else id
    if action == KEYS:
        return await keys(way, page, answers, id)
    if action in CALLS:
        return await call(way, page, action, answers, id)
    if action in _OF_THE_VENUE and asked.phone.role == "commissioner":
        return await _OF_THE_VENUE[action](way, page, answers, send, id)
    known = BY_ID.get(action)
    if known is None or not fits(known, "phone") or not may(asked.phone, known):
        return page.refused(Refusal("not-authorised"))
    if known.request == "choose-round":
        return views.rounds(page)
    filled = read(page.here, known, answers)
    if not is_of_table(page, known, filled):
        return page.refused(Refusal("not-at-table"))
    if not send:
        return _shown(page, known, filled, id)
    return await _sent(way, page, known, answers, filled, id)


def _shown(
    page: Page, action: Action, filled: Filled, id: str, *, why: Refusal | None = None, moved: bool = False,
    sure: Mapping[str, str] | None = None,
) -> str:  # fmt: skip
    """The form as it is now. ``why`` it was refused; ``moved``: the state has moved on since it was read; ``sure``: the
    answers with which it is asked whether it is meant."""
    shown = complete(page.here, action, filled)
    return page.draw(
        "form.html",
        action=action,
        title=page.say(titled(Said(action.label), page.here)),
        fields=list(drawn(page, action, filled)) if sure is None else [],
        hidden=_hidden(sure) if sure is not None else [*carried(action, _as_sent(filled)).items()],
        consents=_consents(page, action) if sure is not None else [],
        moved=moved,
        id=id,
        ask_twice=action.throws_away(shown) or opens_a_table(page.here, shown),
        sure=sure is not None,
        **values(page, action, filled, why),
    )


def _as_sent(filled: Filled) -> dict[str, str]:
    return {name: str(value) for name, value in filled.items() if not isinstance(value, tuple)}


def _hidden(answers: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(name, value) for name, value in answers.items() if name not in _OWN and not name.startswith(_CONSENT)]


def _consents(page: Page, action: Action) -> list[tuple[str, str]]:
    """Who has to agree: to a deal all who remain (T-10)."""
    if action.id != "deal" or page.round is None:
        return []
    return [(f"{_CONSENT}{who}", page.name(who)) for who in remaining(page.round)]


async def _sent(way: Asks, page: Page, action: Action, answers: Mapping[str, str], filled: Filled, id: str) -> str:
    shown = complete(page.here, action, filled)
    if (action.throws_away(shown) or opens_a_table(page.here, shown)) and answers.get("sure") != "yes":
        refusal = check(page.here, action, filled)
        return _shown(page, action, filled, id, sure=None if refusal else answers, why=refusal)
    missing = [name.removeprefix(_CONSENT) for name, _ in _consents(page, action) if answers.get(name) != "yes"]
    if missing:
        return _shown(page, action, filled, id, sure=answers, why=Refusal("deal-not-unanimous", {"missing": missing}))
    result = await send(way, page, action, answers, filled, id)
    if result.what == "moved":
        return _shown(result.page, action, read(result.page.here, action, answers), "", moved=True)
    if result.what == "refused":
        return _shown(result.page, action, filled, "", why=result.refusal)
    return _done(result, action)


def _done(result: Result, action: Action) -> str:
    """What was done, and what is still to be read."""
    page = result.page
    return page.draw(
        "done.html",
        title=page.label(action.label),
        said=page.say(result.said),
        told=[(page.say(each), isinstance(each, Small)) for each in result.told],
        race=views.race(page, result.race) if result.race is not None else None,
        copied=result.copied,
    )
