"""The menu as a pure reducer: a key, a touch or a card leads to the next page, or to a command.

Keys: ``up``, ``down``, ``enter``, ``back``, ``delete``, the digits, ``item:<n>`` (the line with that number was
touched), ``card:<participant>`` (a player's card was tapped), ``char:<letter>`` (typed into a text), ``text:<text>``
(all of it, from a web form). Up, down and enter alone reach everything: every page has its way back as a line. While
`Menu.editing`, up makes a number larger. An unknown key does nothing.
"""

from __future__ import annotations

from msgspec.structs import replace

from appliance.floor import entering, phones
from appliance.floor.filling import back, begin, fill, mend, open_field, resend, send, skip
from appliance.floor.forms import Here, Request
from appliance.floor.offering import offers, possible
from appliance.floor.pages import BACK, NO, NUMBERS, Item, items
from appliance.floor.said import Said
from appliance.floor.state import NOWHERE, Menu, Page, Step, action_of, field_of, given
from appliance.game.refusal import Refusal

__all__ = ["Menu", "Page", "Step", "answered", "followed", "lines_of", "opened", "press", "seen_below"]

_OF_A_TABLE = frozenset({"next_hand", "time_call", "time_acted", "time_ran_out"})
_IN_A_FORM: tuple[Page, ...] = ("field", "player", "confirm")


def opened(here: Here) -> Menu:
    """The menu after a commissioner has shown their card: at the clock, if somebody's time is to be started."""
    keys = [item.key for item in items(Menu(), here)]
    clock = "group:clock"
    return Menu(cursor=keys.index(clock) if here.call == "time" and clock in keys else 0)


def answered(menu: Menu, refusal: Refusal | None) -> Menu:
    """The director has answered what was sent: why not, or None where it was done."""
    if menu.page != "waiting":
        return menu
    if refusal is not None:
        unanswered = menu.sent if refusal.code == "no-answer" else None
        return replace(menu, page="refused", refusal=refusal, unanswered=unanswered, cursor=0)
    if menu.action == phones.PAIR and not menu.told:  # its key may be shown now
        return replace(menu, page="pairing", cursor=NOWHERE)
    return replace(menu, page="done", cursor=0)


def seen_below(menu: Menu, here: Here) -> bool:
    """Whether the screen under the menu shows what was done: what is about the clock, and about this table's hand."""
    action, round = action_of(menu), here.round
    if action is None or action.group != "clock" or round is None or menu.told:
        return False
    if action.id not in _OF_A_TABLE:
        return True
    who = menu.answers.get("participant")
    seat = round.players[who].seat if isinstance(who, str) and who in round.players else None
    number = str(seat.table) if seat else menu.answers.get("table")
    return here.table is not None and number == str(here.table)


def press(menu: Menu, key: str, here: Here) -> Step:
    """What a key leads to. Whatever has become of the round meanwhile, it raises nothing."""
    settled = _settled(menu, here)
    if settled.page != menu.page:
        return Step(settled)  # the key was meant for a page that is no more
    menu = replace(settled, refusal=menu.refusal if menu.page == "refused" else None, late="")
    name, colon, rest = key.partition(":")
    match name:
        case "up" | "down":
            return Step(_moved(menu, 1 if name == "up" else -1, here))
        case "enter":
            return _entered(menu, here)
        case "back":
            return _back(menu, here)
        case "delete":
            return Step(replace(menu, typed=menu.typed[:-1], cursor=0 if menu.page == "field" else menu.cursor))
        case "item" if rest.isascii() and rest.isdigit():
            found = items(menu, here)
            return _chosen(menu, found[int(rest)], here) if int(rest) < len(found) else Step(menu)
        case "card":
            return _card(menu, rest, here)
        case "char" | "text" if colon:
            return _text(menu, name, rest, here)
        case _ if len(key) == 1 and key in "0123456789":
            return _digit(menu, key, here)
        case _:
            return Step(menu)


def lines_of(menu: Menu, here: Here) -> tuple[str, ...]:
    """The keys of the lines to choose from, in their order: what a cursor or a touched line stands for."""
    return tuple(item.key for item in items(menu, here))


def followed(menu: Menu, before: tuple[str, ...], here: Here) -> Menu:
    """The menu when the evening has gone on without a key: the cursor stays with its line, wherever that is by now.

    ``before``: the lines as they were shown. Where the line is gone the cursor stands at none, so that nothing else is
    chosen by a press that was meant for it.
    """
    now = _settled(menu, here)
    if now.page != menu.page or menu.cursor == NOWHERE or menu.cursor >= len(before):
        return now
    lines, stood = lines_of(now, here), before[menu.cursor]
    return replace(now, cursor=lines.index(stood) if stood in lines else NOWHERE)


def _settled(menu: Menu, here: Here) -> Menu:
    """The menu as it can still be: without a round, or with a form that has changed underneath, it begins anew."""
    if menu.page in _IN_A_FORM:
        action = action_of(menu)
        if action is None or (here.round is None and action.request is None):
            return Menu()
        if menu.page != "confirm" and field_of(menu, here) is None:
            return Menu()
    if menu.page == "pairing" and (here.pairing is None or here.pairing.why):
        why = here.pairing.why if here.pairing is not None else "phone-late"
        return replace(menu, page="refused", refusal=Refusal(why), cursor=0)
    count = len(items(menu, here))
    return menu if menu.cursor < count else replace(menu, cursor=count - 1)


def _moved(menu: Menu, way: int, here: Here) -> Menu:
    if menu.editing:
        return entering.stepped(menu, way, here)
    if menu.cursor == NOWHERE:
        return replace(menu, cursor=0 if way < 0 else len(items(menu, here)) - 1)
    return replace(menu, cursor=(menu.cursor - way) % len(items(menu, here)))


def _entered(menu: Menu, here: Here) -> Step:
    if menu.editing:
        if menu.typed:  # somebody typed it and pressed enter: that is what they mean
            return _accepted(menu, here)
        return Step(replace(menu, editing=False, cursor=0))
    found = items(menu, here)
    if menu.typed and found == (BACK,):
        return Step(menu)  # what was typed leads to nothing: it is there to be mended
    return Step(menu) if menu.cursor == NOWHERE else _chosen(menu, found[menu.cursor], here)


def _chosen(menu: Menu, item: Item, here: Here) -> Step:
    if item.refusal is not None:
        return Step(replace(menu, refusal=item.refusal))
    name, _, value = item.key.partition(":")
    match name:
        case "group":
            return Step(Menu(page="actions", group=value))  # type: ignore[arg-type]
        case "action":
            return begin(menu, value, here)
        case "option":
            return fill(menu, value, here)
        case "field":
            return Step(open_field(replace(menu, changing=True), value, here))
        case "who":
            return Step(entering.of_player(menu, value, here))
        case "typed":
            return fill(menu, menu.typed.strip(), here)
        case _:
            return _done_with(menu, name, here)


def _done_with(menu: Menu, name: str, here: Here) -> Step:
    match name:
        case "accept":
            return _accepted(menu, here)
        case "edit":
            return Step(replace(menu, editing=True, cursor=0))
        case "skip":
            return skip(menu, here)
        case "remove":
            return Step(entering.removed(menu))
        case "finish":
            return _finished(menu, here)
        case "confirm":
            return send(menu, here)
        case "retry":
            return resend(menu)
        case "yes" | "no":
            return _judged(menu, yes=name == "yes")
        case "form":
            return mend(menu, here)
        case "again":
            return Step(Menu())
        case "leave":
            return Step(None)
        case _:
            return _back(menu, here)


def _accepted(menu: Menu, here: Here) -> Step:
    found = entering.accepted(menu, here)
    return Step(found) if isinstance(found, Menu) else fill(menu, found, here)


def _finished(menu: Menu, here: Here) -> Step:
    field = field_of(menu, here)
    if field is None or len(menu.draft) < field.at_least:
        return Step(replace(menu, refusal=Refusal("incomplete")))
    return fill(menu, menu.draft, here)


def _judged(menu: Menu, *, yes: bool) -> Step:
    """The phone that has come is the commissioner's, or is not."""
    told = (Said(phones.SIGNED_IN if yes else phones.REFUSED),)
    request: Request = "confirm-phone" if yes else "refuse-phone"
    return Step(replace(menu, page="waiting", told=told, cursor=NOWHERE), request=request)


def _back(menu: Menu, here: Here) -> Step:
    match menu.page:
        case "pairing" if NO in items(menu, here):
            return _judged(menu, yes=False)
        case "groups" | "waiting" | "done":
            return Step(None)
        case "actions" | "refused":
            return Step(Menu())
        case "player":
            return Step(replace(menu, page="field", who=None, value=None, typed="", editing=False, cursor=0))
        case _:
            return Step(back(menu, here))


def _digit(menu: Menu, digit: str, here: Here) -> Step:
    field = field_of(menu, here)
    if menu.page in ("groups", "actions") or (menu.page == "field" and field is not None and field.kind == "choice"):
        chosen = next((item for item in items(menu, here) if item.digit == digit), None)
        return _chosen(menu, chosen, here) if chosen is not None else Step(menu)
    if menu.page not in ("field", "player") or field is None:
        return Step(menu)
    if field.kind == "text":
        return _text(menu, "char", digit, here)
    number = menu.page == "player" or field.kind in NUMBERS
    return Step(entering.typed(menu, digit, number))


def _text(menu: Menu, how: str, text: str, here: Here) -> Step:
    """Letters count where a text is asked for."""
    field = field_of(menu, here)
    if menu.page != "field" or field is None or field.kind != "text" or not text.isprintable():
        return Step(menu)
    if how == "text" and text.strip():
        return fill(menu, text.strip()[: entering.LONGEST], here)
    return Step(replace(menu, typed=(menu.typed + text)[: entering.LONGEST], cursor=0))


def _card(menu: Menu, participant: str, here: Here) -> Step:
    """A player's card answers the question for a player, or says whom the next action is about."""
    if menu.page in ("groups", "actions", "done", "refused"):
        return _of_player(participant, here)
    action, field = action_of(menu), field_of(menu, here)
    if menu.page != "field" or action is None or field is None:
        return Step(menu)
    if field.kind == "players":
        return Step(entering.of_player(menu, participant, here))
    if field.kind != "player":
        return Step(menu)
    refusal = possible(here, action, {**given(menu, here), field.name: participant})
    return Step(replace(menu, refusal=refusal)) if refusal else fill(menu, participant, here)


def _of_player(participant: str, here: Here) -> Step:
    round = here.round
    if round is None:
        return Step(Menu(refusal=Refusal("not-announced")))
    if participant in round.players:
        return Step(Menu(page="actions", player=participant))
    offered = any(offer.action.id == "register" and offer.refusal is None for offer in offers(here))
    if offered:
        return begin(Menu(page="actions", group="door", player=participant), "register", here)
    return Step(Menu(refusal=Refusal("not-registered", {"participant": participant})))
