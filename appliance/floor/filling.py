"""A form from its first question to the command: what is asked next, how one goes back, what is sent."""

from __future__ import annotations

from msgspec.structs import replace

from appliance.floor import devices, lone, phones
from appliance.floor.building import seen
from appliance.floor.candidates import opens_a_table
from appliance.floor.catalogue import BY_ID
from appliance.floor.defaults import complete, default, fields
from appliance.floor.forms import Field, Here, Value
from appliance.floor.offering import checked
from appliance.floor.pages import NUMBERS, items
from appliance.floor.state import NOWHERE, Menu, Step, action_of, field_of, given, seeded
from appliance.floor.telling import outcome


def begin(menu: Menu, action_id: str, here: Here) -> Step:
    """The form of an action; a player whose card was tapped is in it."""
    action = BY_ID[action_id]
    filled: tuple[tuple[str, Value], ...] = ()
    if menu.player is not None and any(field.name == "participant" for field in action.fields):
        filled = (("participant", menu.player),)
    if action_id in ("undo", "redo") and (of := _of(action_id, here)) is not None:
        filled = (*filled, ("of", of))
    kept = menu.player if menu.page == "actions" else None
    return advance(Menu(action=action_id, group=action.group, player=kept, filled=filled), here)


def _of(action_id: str, here: Here) -> str | None:
    ledger = here.ledger
    if ledger is None:
        return None
    if action_id == "undo":
        return ledger.done.cause if ledger.done else None
    return ledger.undone.step.cause if ledger.undone else None


def advance(menu: Menu, here: Here) -> Step:
    """The next question; after the last one the confirming page, or for harmless things the command at once."""
    action = action_of(menu)
    if action is None:
        return Step(Menu())
    for field in fields(here, action, menu.answers):
        if field.asked and field.name not in menu.answers and field.name not in menu.history:
            return Step(open_field(menu, field.name, here))
    answers = complete(here, action, menu.answers)
    if (before := seen(here, action.id, answers)) is not None:
        answers["seen"] = before
    filled = tuple(answers.items())
    ready = replace(
        menu, page="confirm", filled=filled, field=None, cursor=0, value=None, typed="", editing=False, changing=False
    )
    if not action.confirm:
        return send(ready, here)
    away = action.throws_away(ready.answers) or opens_a_table(here, ready.answers)
    return Step(replace(ready, cursor=len(items(ready, here)) - 1) if away else ready)


def open_field(menu: Menu, name: str, here: Here) -> Menu:
    """The page of a question, at the answer it has, or at its default."""
    action = action_of(menu)
    asked = replace(menu, page="field", field=name, typed="", value=None, editing=False, draft=(), who=None, cursor=0)
    field = field_of(asked, here)
    if action is None or field is None:
        return Menu()
    value = menu.answers.get(name, default(here, action, field, given(asked, here)))
    if field.kind in NUMBERS:
        number = value if isinstance(value, int) else field.least
        return replace(asked, value=max(field.least, min(number, field.most)), editing=True)
    if field.kind == "players":
        return replace(asked, draft=value if isinstance(value, tuple) else ())
    keys = [item.key for item in items(asked, here)]
    chosen = f"option:{value}"
    return replace(asked, cursor=keys.index(chosen) if chosen in keys else 0)


def fill(menu: Menu, value: Value, here: Here) -> Step:
    """The answer to the question that is open, and on to the next."""
    field = field_of(menu, here)
    if field is None:
        return Step(Menu())
    return advance(_answered(menu, field, value), here)


def skip(menu: Menu, here: Here) -> Step:
    """The question stays open, or at its default."""
    field = field_of(menu, here)
    return advance(_answered(menu, field, None), here) if field else Step(Menu())


def _answered(menu: Menu, field: Field, value: Value | None) -> Menu:
    """The form with this answer; what was asked after it is asked again if it may hang on it, defaults always."""
    before = menu.history[: menu.history.index(field.name)] if field.name in menu.history else menu.history
    after = menu.history[len(before) :] if field.name in menu.history else ()
    history = (*before, field.name)
    if not _leads_on(field):
        history += tuple(name for name in after if name != field.name)
    kept = {name: given for name, given in menu.filled if name in history or name in seeded(menu)}
    kept.pop(field.name, None)
    answers = kept if value is None else _in_order(kept, field.name, value, history)
    filled = tuple(answers.items())
    known = menu.unanswered if dict(filled) == menu.answers else None
    return replace(menu, filled=filled, history=history, changing=False, unanswered=known)


def _in_order(kept: dict[str, Value], name: str, value: Value, history: tuple[str, ...]) -> dict[str, Value]:
    """The answers in the order of their questions: facts of a ruling are asked by it."""
    answers = {**kept, name: value}
    order = [*(each for each in answers if each not in history), *(each for each in history if each in answers)]
    return {each: answers[each] for each in order}


def _leads_on(field: Field) -> bool:
    """Whether what is asked later may hang on this answer."""
    return field.kind not in ("text", "players") and (field.kind not in NUMBERS or field.name.startswith("fact-"))


def back(menu: Menu, here: Here) -> Menu:
    """From a change to the confirming page; else to the question before, and from the first one to the list."""
    if menu.page == "field" and menu.changing:
        step = advance(replace(menu, changing=False), here)
        return step.menu or Menu()
    if not menu.history:
        if menu.player is not None and menu.player in (here.round.players if here.round else {}):
            return Menu(page="actions", player=menu.player)
        return _list(menu, here)
    last, history = menu.history[-1], menu.history[:-1]
    kept = tuple(each for each in menu.filled if each[0] in history or each[0] in seeded(menu))
    return open_field(replace(menu, filled=kept, history=history), last, here)


def _list(menu: Menu, here: Here) -> Menu:
    """The list the form was chosen from, at its line."""
    for page in (Menu(page="actions", group=menu.group), Menu()):
        keys = [item.key for item in items(page, here)]
        if f"action:{menu.action}" in keys and (page.page == "groups" or len(keys) > 2):
            return replace(page, cursor=keys.index(f"action:{menu.action}"))
    return Menu()


def send(menu: Menu, here: Here) -> Step:
    """The command, if the engine is not against it."""
    action = action_of(menu)
    if action is None:
        return Step(Menu())
    if menu.unanswered is not None:
        return resend(menu)
    refusal, asked = checked(here, action, menu.answers)
    if refusal is not None:
        return Step(replace(menu, page="refused", refusal=refusal, cursor=0))
    told = outcome(here, action, menu.answers)
    if action.request is not None:
        return Step(replace(menu, page="waiting", told=told, cursor=NOWHERE), request=action.request)
    return Step(replace(menu, page="waiting", sent=asked, told=told, cursor=NOWHERE), asked)


def mend(menu: Menu, here: Here) -> Step:
    """Back to the answers of what was refused: what its refusal was about is asked again, the rest can be changed."""
    names: tuple[str, ...] = ()
    if menu.refusal is not None and menu.action == "settle_lone":
        names = lone.asked_again(menu.refusal)
    elif menu.refusal is not None and menu.action == "adopt_device":
        names = devices.asked_again(menu.refusal)
    elif menu.action == phones.PAIR:  # asked at once, it would make the next picture unasked
        names = ("whose",)
    filled = tuple(each for each in menu.filled if each[0] not in names)
    history = tuple(name for name in menu.history if name not in names)
    return advance(replace(menu, filled=filled, history=history, refusal=None), here)


def resend(menu: Menu) -> Step:
    """What got no answer once more, word for word: the rules may already know of it."""
    sent = menu.unanswered
    return Step(replace(menu, page="waiting", sent=sent, unanswered=None, refusal=None, cursor=NOWHERE), sent)
